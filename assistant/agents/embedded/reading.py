"""The embedded analyst at a session's desk: what it has been told of the data, and what the turn means so far.

The analyst itself (`assistant.embedded`) knows nothing of sessions. Here its questions meet the log: what was asked,
what was answered to a question back, what an earlier turn was about. Nothing is kept but the analyst, which is made
anew when the data or the day changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assistant.embedded.analyst import Ambiguous, Analyst, Outcome, Understood
from assistant.embedded.meaning import Meaning
from assistant.embedded.phrases import restated
from assistant.events import Clarification, ClarificationAnswered, Decision, Event, Plan, Proposal, Question
from assistant.flow import current_turn
from assistant.memory.focus import focus

if TYPE_CHECKING:
    from datetime import date

    from assistant.agents.roles import Desk
    from assistant.data.catalog import Catalog
    from knowledge.documents import Document


MakeAnalyst = Callable[[Sequence["Catalog"], Sequence["Document"], "date"], Analyst]
"""Gives the analyst for data, knowledge and a day; a cheap call where one was made for the same before. Blocks."""


class Reader:
    """Reads questions for the roles, on one session's desk."""

    def __init__(self, desk: Desk, *, make: MakeAnalyst) -> None:
        self._desk = desk
        self._make = make

    async def analyst(self) -> Analyst:
        """The analyst for the session's data as it is today."""
        catalogs, documents = await self._desk.catalogs(), await self._desk.documents()
        return await asyncio.to_thread(self._make, catalogs, documents, self._desk.today)

    async def question(self, log: Sequence[Event]) -> Outcome:
        """Read the current turn's question, with what was answered to questions back and to a rejected plan."""
        analyst = await self.analyst()
        turn = current_turn(log)
        earlier = _previous(log)
        asked = next(event.text for event in turn if isinstance(event, Question))
        outcome = await asyncio.to_thread(analyst.read, asked, earlier)
        for event in turn:
            match event:
                case ClarificationAnswered() if _asker(turn, event) == "planner":
                    outcome = await self._answered(analyst, asked, outcome, event.text, earlier)
                case Decision(subject="plan", action="reject", reason=reason) if reason:
                    before = outcome.meaning if isinstance(outcome, Understood) else earlier
                    outcome = await asyncio.to_thread(analyst.read, reason, before)
                case _:
                    continue
        return outcome

    async def change(self, wish: str, meaning: Meaning) -> Outcome:
        """Read what the person wants to be different about a meaning."""
        analyst = await self.analyst()
        return await asyncio.to_thread(analyst.read, wish, meaning)

    async def _answered(
        self, analyst: Analyst, asked: str, outcome: Outcome, reply: str, earlier: Meaning | None
    ) -> Outcome:
        """What the question means, given the reply to a question back."""
        if isinstance(outcome, Ambiguous):
            for label, meaning in outcome.options:
                if label == reply:
                    return Understood(
                        meaning=meaning,
                        restated=restated(meaning),
                        tables=meaning.tables(),
                        cited=analyst.cited(meaning),
                    )
        for text in (f"{asked} {reply}", reply):
            again = await asyncio.to_thread(analyst.read, text, earlier)
            if isinstance(again, Understood):
                return again
        return await asyncio.to_thread(analyst.read, reply, earlier)


def meaning_of_turn(log: Sequence[Event]) -> Meaning | None:
    """What the current turn means so far: the newest proposal's meaning, else the plan's."""
    for event in reversed(current_turn(log)):
        if isinstance(event, Proposal | Plan) and event.meaning:
            return Meaning.model_validate_json(event.meaning)
    return None


def _previous(log: Sequence[Event]) -> Meaning | None:
    """What a follow-up refers to: the last answered turn's meaning, unless the person changed its code by hand."""
    before = focus(log)
    said = before.proposal_meaning or before.plan_meaning
    return Meaning.model_validate_json(said) if said and not before.edited else None


def _asker(turn: Sequence[Event], answered: ClarificationAnswered) -> str:
    return next((e.asker for e in turn if isinstance(e, Clarification) and e.id == answered.clarification), "planner")
