"""The coder without a model: writes the SQL of a meaning, and the chart of a result.

A rejection with a reason is read as a follow-up ("only completed orders"); where that is not understood it asks. An
edit that failed comes back as the version before it, with the error, so that nothing the person wrote is lost.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.analyst.proposing import AS_IT_WAS, LEAVE_OUT, ask, queries_in, skipped
from assistant.agents.embedded.reading import Reader, meaning_of_turn, study_of_turn
from assistant.agents.embedded.studying import StudyCoder
from assistant.cells.tables import has_table
from assistant.data.cells import render_cell
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import Ambiguous, Understood
from assistant.embedded.sql.headings import asked_names, slug
from assistant.embedded.wording.charts import chart_code, members_of
from assistant.embedded.wording.operations import operations
from assistant.embedded.wording.phrases import restated
from assistant.events import (
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Event,
    Execution,
    Plan,
    Proposal,
    Step,
    StepSkipped,
)
from assistant.flow import current_turn, position

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext


_LOOKED_AT = 1_000
"""How many rows of a result are looked at to see what a chart must hold."""


class EmbeddedCoder:
    """Plays the coder with the embedded analyst."""

    is_free = True
    """It costs nothing to ask it before it is known whether its work is wanted."""

    def __init__(self, *, desk: SessionContext, reader: Reader) -> None:
        self._desk = desk
        self._reader = reader
        self._of_study = StudyCoder(desk=desk, reader=reader)

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped:
        """Write the step's code, heeding what was said about the version before."""
        turn = current_turn(log)
        planned = position(turn).steps[step - 1]
        before = _before(turn, step)
        wish = _wish(turn, planned, before)
        if wish == LEAVE_OUT:
            return StepSkipped(turn=turn[0].turn, step=step, language=planned.language, reason="You left it out.")
        if wish == AS_IT_WAS and before is not None:
            return _again(before, revision, why=before.why)
        if before is not None and isinstance(turn[-1], Diagnosis):
            cause = turn[-1].cause.rstrip(". ")
            return _again(
                before, revision, why=f"Your edit ended in an error ({cause}). This is the version before it."
            )
        study = study_of_turn(log)
        if study is not None:
            return await self._of_study.propose(turn, planned, study, wish, step=step, revision=revision)
        meaning = meaning_of_turn(log) or await self._own_reading(log)
        if wish is not None:
            if not wish:
                return ask(turn, "What should be different?")
            outcome = await self._reader.change(wish, meaning) if meaning is not None else None
            match outcome:
                case Understood():
                    meaning = outcome.meaning
                case Ambiguous():
                    return ask(turn, outcome.text, tuple(label for label, _ in outcome.options))
                case _:
                    return ask(turn, f"I did not understand “{wish}”. Say it in words of the data, or edit the code.")
        if meaning is None:
            return ask(turn, f"I cannot write code for “{planned.title}”. Say it as a question about the data.")
        if planned.language == "sql":
            return await self._query(turn, planned, meaning, step=step, revision=revision)
        return await self._chart(turn, planned, meaning, step=step, revision=revision)

    async def _own_reading(self, log: Sequence[Event]) -> Meaning | None:
        """The question's meaning where a model planned the turn, which leaves none in its plan."""
        outcome = await self._reader.question(log)
        return outcome.meaning if isinstance(outcome, Understood) else None

    async def _query(
        self, turn: Sequence[Event], planned: Step, meaning: Meaning, *, step: int, revision: int
    ) -> Proposal:
        analyst = await self._reader.analyst()
        sql = analyst.sql(meaning)
        name = result_name(meaning)
        several = len(await self._desk.catalogs()) > 1
        code = render_cell(name, sql, meaning.source if several else None)
        return Proposal(
            turn=turn[0].turn,
            id=f"{turn[0].turn}.{step}.{revision}",
            step=step,
            revision=revision,
            language="sql",
            title=restated(meaning),
            why="One query gives every figure of the answer.",
            operations=operations(meaning),
            code=code,
            queries=queries_in(code),
            result=name,
            meaning=meaning.model_dump_json(),
            asked=asked_names(meaning),
        )

    async def _chart(
        self, turn: Sequence[Event], planned: Step, meaning: Meaning, *, step: int, revision: int
    ) -> Proposal | StepSkipped:
        result = next((e for e in reversed(turn) if isinstance(e, Execution) and has_table(e)), None)
        view = await self._desk.rows(result.id, rows_max=_LOOKED_AT) if result is not None else None
        source = next((e for e in turn if isinstance(e, Proposal) and result is not None and e.id == result.id), None)
        if result is None or view is None or source is None:
            return skipped(turn, step, "There is no result to draw.")
        members = members_of(meaning, view.columns, view.rows)
        code = chart_code(meaning, view.columns, view.total, source.result, members=members)
        if code is None:
            return skipped(turn, step, "The result is easier to read as a table than as a chart.")
        return Proposal(
            turn=turn[0].turn,
            id=f"{turn[0].turn}.{step}.{revision}",
            step=step,
            revision=revision,
            language="python",
            title="Draw the result as a chart",
            why="The chart is drawn from the rows that the query gave.",
            operations=("Draw the rows of the query as a chart.",),
            code=code,
            result="chart",
            meaning=meaning.model_dump_json(),
        )


def result_name(meaning: Meaning) -> str:
    """What the kernel calls the result: the first figure's name, or what is listed."""
    name = slug(meaning.measures[0].label if meaning.measures else meaning.base_label)
    taken = keyword.iskeyword(name) or hasattr(builtins, name) or name in ("query", "pd", "np", "alt", "chart")
    return f"{name}_result" if taken else name if name.isidentifier() else f"result_{name}"


def _before(turn: Sequence[Event], step: int) -> Proposal | None:
    return next((e for e in reversed(turn) if isinstance(e, Proposal) and e.step == step), None)


def _wish(turn: Sequence[Event], planned: Step, before: Proposal | None) -> str | None:
    """What the person wants of this version; None where nothing was said about it."""
    last = turn[-1]
    match last:
        case Decision(subject="code", action="reject", reason=reason):
            return reason
        case ClarificationAnswered(text=text):
            return text
        case _:
            plan = next((e for e in turn if isinstance(e, Plan)), None)
            written = {step.title for step in plan.steps} if plan is not None else set[str]()
            # A step that the person wrote into the plan is itself a wish.
            return planned.title if before is None and planned.title not in written else None


def _again(before: Proposal, revision: int, *, why: str) -> Proposal:
    return before.model_copy(update={"id": f"{before.turn}.{before.step}.{revision}", "revision": revision, "why": why})
