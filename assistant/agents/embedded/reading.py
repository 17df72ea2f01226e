"""The embedded analyst at a session's desk: what it has been told of the data, and what the turn means so far.

The analyst itself (`assistant.embedded`) knows nothing of sessions. Here its questions meet the log: what was asked,
what was answered to a question back, what an earlier turn was about. Nothing is kept but the analyst, which is made
anew when the data or the day changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.embedded.answer_history import Past, answer_history, read_back, rows_of
from assistant.agents.embedded.conversing import read, understood
from assistant.embedded.analyst import Analyst
from assistant.embedded.dialogue import replies
from assistant.embedded.dialogue.together import says_all, together
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Outcome, Understood
from assistant.embedded.studies.outcomes import Recognised, StudyOutcome, Unsure
from assistant.embedded.studies.recognising import changed
from assistant.embedded.studies.study import Study, study_of
from assistant.events import Clarification, ClarificationAnswered, Decision, Event, Plan, Proposal, Question
from assistant.flow import current_turn

if TYPE_CHECKING:
    from datetime import date

    from assistant.agents.roles import SessionContext
    from assistant.data.catalog import Catalog
    from knowledge.documents import Document


_NONE_OF_THESE = "Please say in other words what you want to know."
_ONE_AT_A_TIME = "I can show only one of these at a time. Which one first?"

MakeAnalyst = Callable[[Sequence["Catalog"], Sequence["Document"], "date"], Analyst]
"""Gives the analyst for data, knowledge and a day; a cheap call where one was made for the same before. Blocks."""


class Reader:
    """Reads questions for the roles, on one session's desk."""

    def __init__(self, desk: SessionContext, *, make: MakeAnalyst) -> None:
        self._desk = desk
        self._make = make

    async def analyst(self) -> Analyst:
        """The analyst for the session's data as it is today."""
        catalogs, documents = await self._desk.catalogs(), await self._desk.documents()
        return await asyncio.to_thread(self._make, catalogs, documents, self._desk.today)

    async def question(self, log: Sequence[Event]) -> Outcome | StudyOutcome:
        """Read the current turn's question, with what was answered to questions back and to a rejected plan."""
        analyst = await self.analyst()
        turn = current_turn(log)
        before = answer_history(log)
        asked = next(event.text for event in turn if isinstance(event, Question))
        outcome = await asyncio.to_thread(read, asked, analyst, before)
        for event in turn:
            match event:
                case ClarificationAnswered() if _asker(turn, event) == "planner":
                    outcome = await asyncio.to_thread(_answered, analyst, asked, outcome, event.text, before)
                case Decision(subject="plan", action="reject", reason=reason) if reason:
                    outcome = await asyncio.to_thread(_corrected, analyst, outcome, reason, before)
                case _:
                    continue
        return outcome

    async def change(self, wish: str, meaning: Meaning) -> Outcome:
        """Read what the person wants to be different about a meaning."""
        analyst = await self.analyst()
        return await asyncio.to_thread(analyst.read, wish, meaning)

    async def change_study(self, wish: str, study: Study) -> StudyOutcome | None:
        """Read what the person wants to be different about a study; None where it is not understood."""
        analyst = await self.analyst()
        return await asyncio.to_thread(changed, wish, study, analyst)


def _answered(
    analyst: Analyst, asked: str, outcome: Outcome | StudyOutcome, reply: str, before: Sequence[Past]
) -> Outcome | StudyOutcome:
    """What the question means, given the reply to a question back."""
    if isinstance(outcome, Unsure | Ambiguous):
        at = replies.chosen(reply, [label for label, _ in outcome.options])
        if at is not None:
            option = outcome.options[at][1]
            return understood(analyst, option) if isinstance(option, Meaning) else option
        if replies.says_none(reply):
            return NotUnderstood(words=(), reason=_NONE_OF_THESE, hint="")
        if says_all(reply):
            return _all_of(outcome, analyst)
    for text in (f"{asked} {reply}", reply):
        again = read(text, analyst, before)
        if isinstance(again, Understood | Recognised):
            return again
    return read(reply, analyst, before)


def _all_of(offered: Unsure | Ambiguous, analyst: Analyst) -> Outcome | StudyOutcome:
    """All readings that were offered in one answer; or the question back once more, where they do not go together."""
    meanings = [option for _, option in offered.options if isinstance(option, Meaning)]
    found = together(meanings) if len(meanings) == len(offered.options) > 1 else None
    return understood(analyst, found) if found is not None else replace(offered, text=_ONE_AT_A_TIME)


def _corrected(
    analyst: Analyst, outcome: Outcome | StudyOutcome, reason: str, before: Sequence[Past]
) -> Outcome | StudyOutcome:
    """What is meant, given why a plan was rejected."""
    if isinstance(outcome, Recognised):
        return changed(reason, outcome.study, analyst) or analyst.read(reason, rows_of(outcome.study))
    meant = outcome.meaning if isinstance(outcome, Understood) else before[-1].meaning if before else None
    return analyst.read(reason, meant)


def meaning_of_turn(log: Sequence[Event]) -> Meaning | None:
    """What the current turn means so far: the newest proposal's meaning, else the plan's; None for a study."""
    said = _said(log)
    return read_back(said) if said and study_of(said) is None else None


def study_of_turn(log: Sequence[Event]) -> Study | None:
    """The study that the current turn is about; None where it is about a meaning."""
    return study_of(_said(log))


def _said(log: Sequence[Event]) -> str:
    said = (e.meaning for e in reversed(current_turn(log)) if isinstance(e, Proposal | Plan) and e.meaning)
    return next(said, "")


def _asker(turn: Sequence[Event], answered: ClarificationAnswered) -> str:
    return next((e.asker for e in turn if isinstance(e, Clarification) and e.id == answered.clarification), "planner")
