"""The embedded analyst at a session's desk: what it has been told of the data, and what the turn means so far.

The analyst itself (`assistant.analyst`) knows nothing of sessions. Here its questions meet the log: what was asked,
what was answered to a question back, what an earlier turn was about. Nothing is kept but the analyst, which is made
anew when the data or the day changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.analyst.rivals import apply_choices, find_choices, normalise_choice
from assistant.agents.analyst.trials import Trials
from assistant.analyst.algebra import Grouped
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.dialogue.cues import asks_anew
from assistant.analyst.dialogue.replies import Back, chosen, goes_back, nearest, says_none
from assistant.analyst.linking.tokens import words
from assistant.analyst.meaning import Meaning, from_json
from assistant.analyst.outcomes import Ambiguous, Declined, Outcome, Understood
from assistant.core.events import (
    Event,
    Looked,
)
from assistant.core.turns import ExchangeItem, PlanItem, Turn, current_turn
from assistant.record.memory.focus import Focus, list_answered

if TYPE_CHECKING:
    from datetime import date

    from assistant.agents.roles import SessionContext
    from assistant.analyst.analyst import Analyst
    from assistant.cells.tables import TableView
    from assistant.core.catalog import Catalog
    from knowledge.documents import Document

_REPHRASE = "Please say in other words what you want to know."
_WHICH = "Which of these do you mean?"
_NONE_BEFORE = "There is no answer before this one."


MakeAnalyst = Callable[[Sequence["Catalog"], Sequence["Document"], "date"], "Analyst"]
"""Gives the analyst for data, knowledge and a day; a cheap call where one was made for the same before. Blocks."""


class Reader:
    """Reads questions for the roles, in one session.

    Args:
        context: What the session may look up.
        make: Gives the analyst for the session's data.
        on_look: Logs that readings were run.
    """

    def __init__(
        self, context: SessionContext, *, make: MakeAnalyst, on_look: Callable[[Looked], Awaitable[object]]
    ) -> None:
        self._context = context
        self._make = make
        self._trials = Trials(context, on_look=on_look)

    async def get_analyst(self) -> Analyst:
        """The analyst for the session's data as it is today."""
        catalogs, documents = await self._context.catalogs(), await self._context.documents()
        return await asyncio.to_thread(self._make, catalogs, documents, self._context.today)

    async def read_question(self, log: Sequence[Event]) -> Outcome:
        """Read the current turn's question, with what was answered to questions back and to a rejected plan.

        The likeliest readings are run first: whether their results agree tells how sure the first one is.
        """
        analyst, turn, before = await self.get_analyst(), current_turn(log), list_earlier_meanings(log)
        choices = await asyncio.to_thread(find_choices, log)

        def read(runs: QueryRuns) -> Outcome:
            previous = before[-1] if before else None
            if normalise_choice(turn.question) in choices and previous is not None:
                outcome: Outcome = analyst.understood(previous)
            else:
                outcome = read_turn(turn, before, analyst, runs)
            if not isinstance(outcome, Understood) or not choices:
                return outcome
            meaning = apply_choices(outcome.meaning, choices, analyst.schema_of(outcome.meaning))
            return analyst.understood(meaning, trust=outcome.trust) if meaning != outcome.meaning else outcome

        return await self._trials.read(read, turn=turn.number)

    async def look(self, meaning: Meaning, *, rows_max: int, turn: int) -> TableView | None:
        """The rows of a meaning that is offered beside an answer; None where the source gives none."""
        analyst = await self.get_analyst()
        statement = (meaning.source, await asyncio.to_thread(analyst.sql, meaning))
        return await self._trials.look(statement, question=analyst.restated(meaning), rows_max=rows_max, turn=turn)

    async def read_change(self, wish: str, meaning: Meaning, *, picked: str = "") -> Outcome:
        """Read what a person wants to change of a meaning; `picked` is what they chose of its readings."""
        analyst = await self.get_analyst()
        outcome = await asyncio.to_thread(analyst.read, wish, meaning)
        if not isinstance(outcome, Ambiguous):
            return outcome
        at = chosen(picked, [label for label, _ in outcome.options])
        return outcome if at is None else analyst.understood(outcome.options[at][1])

    async def is_independent(self, turn: Turn) -> bool:
        """Whether a turn's question means the same without those before it."""
        analyst, own_meaning = await self.get_analyst(), find_meaning(turn)
        if await asyncio.to_thread(analyst.depends_on_previous, turn.question):
            return False
        match await asyncio.to_thread(read_turn, turn, (), analyst):
            case Understood(meaning=meaning):
                return meaning == own_meaning
            case Ambiguous(options=options):
                return any(meaning == own_meaning for _, meaning in options)
            case _:
                return False


def read_turn(turn: Turn, before: Sequence[Meaning | None], analyst: Analyst, runs: QueryRuns | None = None) -> Outcome:
    """What a turn means: its question, then each reply and each reason why its plan was rejected."""
    question = turn.question
    previous = before[-1] if before else None
    back = goes_back(question)
    chosen_meaning = from_json(turn.question_meaning) if turn.question_meaning else None
    if chosen_meaning is not None and chosen_meaning.source in analyst.sources:
        outcome: Outcome = analyst.understood(chosen_meaning)
    else:
        outcome = _go_back(before, back, analyst) if back else analyst.read(question, previous, runs)
    for item in turn.items:
        match item:
            case ExchangeItem(clarification=clarification, reply=str() as reply) if clarification.asker == "planner":
                outcome = _read_reply(analyst, question, outcome, reply, previous=previous, runs=runs)
            case PlanItem(decision=decision) if (
                decision is not None and decision.action == "reject" and decision.reason
            ):
                rejected_meaning = outcome.meaning if isinstance(outcome, Understood) else previous
                outcome = analyst.read(decision.reason, rejected_meaning, runs)
            case _:
                continue
    return outcome


def _go_back(before: Sequence[Meaning | None], back: Back, analyst: Analyst) -> Outcome:
    """The answer before the last one, or the first of all."""
    remaining = before[:1] if back == "first" else before[:-1]
    meaning = remaining[-1] if remaining else None
    return analyst.understood(meaning) if meaning is not None else Declined(reason=_NONE_BEFORE)


def _read_reply(
    analyst: Analyst, question: str, outcome: Outcome, reply: str, *, previous: Meaning | None, runs: QueryRuns | None
) -> Outcome:
    """What the question means, given the reply to a question back.

    A reply that can be read by itself is a question of its own; only a part of one completes what was asked.
    """
    labels = [label for label, _ in outcome.options] if isinstance(outcome, Ambiguous) else []
    at = chosen(reply, labels)
    if at is None and labels and says_none(reply):
        return Declined(reason=_REPHRASE)
    alone = analyst.read(reply, None, runs) if at is None else outcome
    if at is None and (asks_anew(words(reply)) == "question" or _is_whole(alone)):
        return alone
    at = nearest(reply, labels) if at is None else at
    if isinstance(outcome, Ambiguous) and at is not None:
        return analyst.understood(outcome.options[at][1])
    if not analyst.depends_on_previous(reply):
        return alone
    again = analyst.read(f"{question} {reply}", previous, runs)
    if isinstance(again, Understood):
        return again
    changed = _change_options(analyst, outcome, reply, runs) if isinstance(outcome, Ambiguous) else None
    return changed or analyst.read(reply, previous, runs)


def _is_whole(outcome: Outcome) -> bool:
    """Whether all that it may mean is a study or a figure by groups: that is a question, not a part of one."""
    match outcome:
        case Understood(meaning=meaning):
            meanings = [meaning]
        case Ambiguous(options=options):
            meanings = [meaning for _, meaning in options]
        case _:
            return False
    return all(m.study or (isinstance(m.query, Grouped) and m.query.keys and m.query.figures) for m in meanings)


def _change_options(analyst: Analyst, asked_back: Ambiguous, reply: str, runs: QueryRuns | None) -> Outcome | None:
    """The options that were offered, each as the reply changes it; None where it changes not all of them."""
    changes: list[tuple[str, Meaning]] = []
    for _, meaning in asked_back.options:
        changed = analyst.read(reply, meaning, runs)
        if not isinstance(changed, Understood) or changed.meaning == meaning:
            return None
        changes.append((changed.restated, changed.meaning))
    options = dict(changes)
    return (
        Ambiguous(text=_WHICH, options=tuple(options.items()))
        if len(options) > 1
        else analyst.understood(changes[0][1])
    )


def list_earlier_meanings(log: Sequence[Event]) -> tuple[Meaning | None, ...]:
    """What the answers so far meant, the last one at the end; None where the person or a model wrote the code.

    An answer that was gone back from is none of them any more: going back twice reaches the answer before both.
    """
    meanings: list[Meaning | None] = []
    for focus in list_answered(log):
        back = goes_back(focus.question or "")
        if back == "before":
            meanings[-1:] = []
        else:
            meanings.append(meanings[0] if back == "first" and meanings else _meaning_of_focus(focus))
    return tuple(meanings)


def _meaning_of_focus(focus: Focus) -> Meaning | None:
    text = focus.proposal_meaning or focus.plan_meaning
    meaning = from_json(text) if text and not focus.edited else None
    return replace(meaning, chart="") if meaning is not None else None


def find_meaning(turn: Turn) -> Meaning | None:
    """What a turn means so far: the newest proposal's meaning, else the plan's."""
    return from_json(turn.meaning)
