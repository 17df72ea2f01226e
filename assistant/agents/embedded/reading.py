"""The embedded analyst at a session's desk: what it has been told of the data, and what the turn means so far.

The analyst itself (`assistant.embedded`) knows nothing of sessions. Here its questions meet the log: what was asked,
what was answered to a question back, what an earlier turn was about. Nothing is kept but the analyst, which is made
anew when the data or the day changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Ambiguous, Outcome, Understood
from assistant.embedded.studies.followed import shown
from assistant.embedded.studies.outcomes import Recognised, StudyOutcome, Unsure
from assistant.embedded.studies.recognising import changed, recognise
from assistant.embedded.studies.study import Study, study_of
from assistant.embedded.wording.phrases import restated
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

    async def question(self, log: Sequence[Event]) -> Outcome | StudyOutcome:
        """Read the current turn's question, with what was answered to questions back and to a rejected plan."""
        analyst = await self.analyst()
        turn = current_turn(log)
        before = _before(log)
        asked = next(event.text for event in turn if isinstance(event, Question))
        outcome = await asyncio.to_thread(_read, asked, analyst, before)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What a follow-up refers to: the last answered turn's meaning, and its study if it was one."""

    meaning: Meaning | None = None
    study: Study | None = None


def _read(text: str, analyst: Analyst, before: Before) -> Outcome | StudyOutcome:
    """A study first, for its cue words stand in the way of any other reading."""
    return recognise(text, analyst, before.meaning, before.study) or analyst.read(text, before.meaning)


def _answered(
    analyst: Analyst, asked: str, outcome: Outcome | StudyOutcome, reply: str, before: Before
) -> Outcome | StudyOutcome:
    """What the question means, given the reply to a question back."""
    if isinstance(outcome, Unsure):
        for label, recognised in outcome.options:
            if label == reply:
                return recognised
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
        again = _read(text, analyst, before)
        if isinstance(again, Understood | Recognised):
            return again
    return _read(reply, analyst, before)


def _corrected(
    analyst: Analyst, outcome: Outcome | StudyOutcome, reason: str, before: Before
) -> Outcome | StudyOutcome:
    """What is meant, given why a plan was rejected."""
    if isinstance(outcome, Recognised):
        return changed(reason, outcome.study, analyst) or analyst.read(reason, _rows_of(outcome.study))
    meant = outcome.meaning if isinstance(outcome, Understood) else before.meaning
    return analyst.read(reason, meant)


def _rows_of(study: Study) -> Meaning | None:
    """The meaning that an ordinary follow-up to a study edits: the figure it is about, in the period it is about."""
    return shown(study) if any(meaning.measures for meaning in study.rows) else None


def meaning_of_turn(log: Sequence[Event]) -> Meaning | None:
    """What the current turn means so far: the newest proposal's meaning, else the plan's; None for a study."""
    said = _said(log)
    return _read_back(said) if said and study_of(said) is None else None


def study_of_turn(log: Sequence[Event]) -> Study | None:
    """The study that the current turn is about; None where it is about a meaning."""
    return study_of(_said(log))


def _said(log: Sequence[Event]) -> str:
    said = (e.meaning for e in reversed(current_turn(log)) if isinstance(e, Proposal | Plan) and e.meaning)
    return next(said, "")


def _before(log: Sequence[Event]) -> Before:
    """What a follow-up refers to: the last answered turn, unless the person changed its code by hand."""
    last = focus(log)
    said = last.proposal_meaning or last.plan_meaning
    if not said or last.edited:
        return Before()
    study = study_of(said)
    return Before(meaning=_rows_of(study), study=study) if study else Before(meaning=_read_back(said))


def _read_back(said: str) -> Meaning | None:
    """A meaning as it was written down; None where another version of Tandem wrote it in a form of its own."""
    try:
        return Meaning.model_validate_json(said)
    except ValidationError:
        return None


def _asker(turn: Sequence[Event], answered: ClarificationAnswered) -> str:
    return next((e.asker for e in turn if isinstance(e, Clarification) and e.id == answered.clarification), "planner")
