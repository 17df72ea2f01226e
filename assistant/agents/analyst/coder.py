"""The coder without a model: writes the SQL of a meaning and the computation of a study. Charts are drawn by the page.

A rejection with a reason is read as a follow-up ("only completed orders"); where that is not understood it asks. An
edit that failed comes back as the version before it, with the error, so that nothing the person wrote is lost.
"""

from __future__ import annotations

import asyncio
import builtins
import keyword
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.agents.analyst.proposing import AS_IT_WAS, LEAVE_OUT, ProposalContext, ask_about_step, skip_step
from assistant.agents.analyst.reading import Reader, find_meaning
from assistant.agents.analyst.studying import propose_computation
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Ambiguous, Understood
from assistant.analyst.presenting.headings import slug
from assistant.analyst.wording import outputs_of
from assistant.core import events
from assistant.core.turns import Turn, current_turn, turn_before_clarification
from assistant.query.cells import render_cell

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext

_NO_PYTHON = "Without a language model I write Python for studies alone. The page draws results as charts."
_NAME_CHARS_MAX = 32


class AnalystCoder:
    """Plays the coder with the embedded analyst."""

    is_free = True
    """It costs nothing to ask it before it is known whether its work is wanted."""

    def __init__(self, *, context: SessionContext, reader: Reader) -> None:
        self._context = context
        self._reader = reader

    async def propose(
        self, log: Sequence[events.Event], *, step: int, revision: int
    ) -> events.Proposal | events.Clarification | events.StepSkipped:
        """Write the step's code, taking into account what was said about the version before."""
        turn = current_turn(log)
        planned = turn.steps[step - 1]
        before = next((item.proposal for item in reversed(turn.proposals) if item.proposal.step == step), None)
        wish = _find_wish(turn, planned, before)
        if wish == LEAVE_OUT:
            return events.StepSkipped(turn=turn.number, step=step, language=planned.language, reason="You left it out.")
        if wish == AS_IT_WAS and before is not None:
            return _propose_again(before, revision, why=before.why)
        if before is not None and turn.stage == "diagnosis":
            cause = turn.diagnoses[-1].cause.rstrip(". ")
            why = f"Your edit ended in an error ({cause}). This is the version before it."
            return _propose_again(before, revision, why=why)
        turn_before = turn_before_clarification(turn) if turn.stage == "reply" else None
        of = _find_wish(turn_before, planned, before) if turn_before is not None else None
        meaning = await self._read_meaning(log, wish, of=of)
        if not isinstance(meaning, Meaning):
            return meaning or ask_about_step(
                turn, f"I cannot write code for “{planned.title}”. Say it as a question about the data."
            )
        return await self._write_code(turn, planned, meaning, step=step, revision=revision)

    async def _read_meaning(
        self, log: Sequence[events.Event], wish: str | None, *, of: str | None
    ) -> Meaning | events.Clarification | None:
        """What the step means, changed as the person wishes; a question back where the wish is not understood.

        A wish that replies to a question back about another one, `of`, may choose among the readings of that.
        """
        turn = current_turn(log)
        meaning = find_meaning(turn)
        if meaning is None:
            outcome = await self._reader.read_question(log)
            meaning = outcome.meaning if isinstance(outcome, Understood) else None
        if wish is None:
            return meaning
        if not wish:
            return ask_about_step(turn, "What should be different?")
        outcome = await self._reader.read_change(of, meaning, picked=wish) if of and meaning is not None else None
        if meaning is not None and not isinstance(outcome, Understood):
            outcome = await self._reader.read_change(wish, meaning)
        match outcome:
            case Understood():
                return outcome.meaning
            case Ambiguous():
                return ask_about_step(turn, outcome.text, tuple(label for label, _ in outcome.options))
            case _:
                return ask_about_step(
                    turn, f"I did not understand “{wish}”. Name a column or a value, or edit the code."
                )

    async def _write_code(
        self, turn: Turn, planned: events.Step, meaning: Meaning, *, step: int, revision: int
    ) -> events.Proposal | events.StepSkipped:
        context = ProposalContext(turn=turn, step=step, revision=revision, meaning=meaning)
        if planned.language == "sql":
            return await self._write_query(context)
        if meaning.study is not None:
            return propose_computation(context, today=self._context.today)
        return skip_step(context.turn, context.step, _NO_PYTHON)

    async def _write_query(self, context: ProposalContext) -> events.Proposal:
        analyst = await self._reader.get_analyst()
        meaning = context.meaning
        readable_meaning = replace(meaning, query=analyst.schema_of(meaning).said(meaning.query))
        name = make_result_name(readable_meaning)
        query_alone = replace(meaning, study=None, chart="")
        several = len(await self._context.catalogs()) > 1
        sql = await asyncio.to_thread(analyst.sql, meaning)
        code = render_cell(name, sql, meaning.source if several else None)
        why = "The Python step computes from these rows." if meaning.study else "One query gives the whole answer."
        return context.make_proposal(
            language="sql",
            title=analyst.restated(meaning),
            why=why,
            operations=tuple(map(str, analyst.interpretation(query_alone).chips)),
            code=code,
            result=name,
        )


def make_result_name(meaning: Meaning) -> str:
    """What the kernel calls the result: its last column, or what is studied."""
    words = outputs_of(meaning.query)[-1] if meaning.study is None else f"{meaning.study.name.replace('_', ' ')} rows"
    name = slug(words)[:_NAME_CHARS_MAX].rstrip("_")
    is_taken = keyword.iskeyword(name) or hasattr(builtins, name) or name in ("query", "pd", "np", "alt", "chart")
    return f"{name}_result" if is_taken else name if name.isidentifier() else f"result_{name}"


def _find_wish(turn: Turn, planned: events.Step, before: events.Proposal | None) -> str | None:
    """What the person wants of this version; None where nothing was said about it."""
    if turn.stage == "code_decision" and turn.decisions[-1].action == "reject":
        return turn.decisions[-1].reason
    if turn.stage == "reply" and turn.replies:
        return turn.replies[-1]
    planned_titles = {step.title for step in turn.plans[0].steps} if turn.plans else set[str]()
    # A step that the person wrote into the plan is itself a wish.
    return planned.title if before is None and planned.title not in planned_titles else None


def _propose_again(before: events.Proposal, revision: int, *, why: str) -> events.Proposal:
    return before.model_copy(update={"id": f"{before.turn}.{before.step}.{revision}", "revision": revision, "why": why})
