"""The steps and the answer of a study: its queries, then one Python step that computes, shows its table and draws.

A rejection with a reason is read as a change of the study; where its queries have already run and the change needs
other rows, the person is told to ask anew rather than shown figures of the wrong rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.analyst.proposing import ask, queries_in, skipped
from assistant.agents.derivation import how_computed
from assistant.agents.embedded.reading import Reader
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.data.cells import render_cell
from assistant.embedded.studies.outcomes import Recognised, Unsure
from assistant.embedded.studies.queries import queries
from assistant.embedded.studies.recognising import recognise
from assistant.embedded.studies.study import Study
from assistant.embedded.studies.telling import Result
from assistant.embedded.studies.writing import cell, operations, word
from assistant.events import (
    Answer,
    Clarification,
    Diagnosis,
    Event,
    Execution,
    Proposal,
    Step,
    StepSkipped,
)
from assistant.flow import position

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.embedded.analyst import Analyst

_ROWS_WORDED = 1_000


def steps_of(study: Study, analyst: Analyst) -> tuple[Step, ...]:
    """The steps of a study's plan."""
    reading = [Step(title=f"Query {q.source}: {q.title}", language="sql") for q in queries(study, analyst)]
    return (*reading, Step(title=operations(study)[-1], language="python"))


class StudyCoder:
    """Writes the steps of a study."""

    def __init__(self, *, desk: SessionContext, reader: Reader) -> None:
        self._desk = desk
        self._reader = reader

    async def propose(
        self, turn: Sequence[Event], planned: Step, study: Study, wish: str | None, *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped:
        """Write a step's code, heeding what the person wants of it."""
        analyst = await self._reader.analyst()
        if wish is not None:
            if not wish:
                return ask(turn, "What should be different?")
            outcome = await self._reader.change_study(wish, study)
            if isinstance(outcome, Unsure):
                return ask(turn, outcome.text, tuple(label for label, _ in outcome.options))
            if not isinstance(outcome, Recognised):
                return ask(turn, f"I did not understand “{wish}”. Say it in words of the data, or edit the code.")
            if step > 1 and queries(outcome.study, analyst) != queries(study, analyst):
                return ask(turn, "That needs other rows than those already read. Ask it as a question of its own.")
            study = outcome.study
        if planned.language == "sql":
            return await self._query(turn, study, analyst, step=step, revision=revision)
        return self._analysis(turn, study, step=step, revision=revision)

    async def _query(
        self, turn: Sequence[Event], study: Study, analyst: Analyst, *, step: int, revision: int
    ) -> Proposal | Clarification:
        number = sum(1 for planned in position(turn).steps[: step - 1] if planned.language == "sql")
        all_queries = queries(study, analyst)
        if number >= len(all_queries):
            return ask(turn, "I have no further query to write for this. Say what should be read, or leave it out.")
        query = all_queries[number]
        several = len(await self._desk.catalogs()) > 1
        code = render_cell(query.name, query.sql, query.source if several else None)
        return Proposal(
            turn=turn[0].turn,
            id=f"{turn[0].turn}.{step}.{revision}",
            step=step,
            revision=revision,
            language="sql",
            title=query.title,
            why="The Python step computes from these rows.",
            operations=query.operations,
            code=code,
            queries=queries_in(code),
            result=query.name,
            meaning=study.model_dump_json(),
        )

    def _analysis(self, turn: Sequence[Event], study: Study, *, step: int, revision: int) -> Proposal | StepSkipped:
        ran = {e.id for e in turn if isinstance(e, Execution) and has_table(e)}
        done = sum(1 for e in turn if isinstance(e, Proposal) and e.id in ran and e.language == "sql")
        if done == 0:
            return skipped(turn, step, "There is no result to compute from.")
        return Proposal(
            turn=turn[0].turn,
            id=f"{turn[0].turn}.{step}.{revision}",
            step=step,
            revision=revision,
            language="python",
            title=operations(study)[-1],
            why="The figures of the answer are computed here, from the rows that the query gave.",
            operations=operations(study),
            code=cell(study),
            result=study.kind,
            meaning=study.model_dump_json(),
        )


async def answer_of_study(
    turn: Sequence[Event], study: Study, desk: SessionContext, analyst: Analyst, *, edited: bool
) -> Answer | None:
    """The answer in words, from the table of the Python step; None where an edit left nothing to word it from."""
    plan = position(turn).plan
    ran = [e for e in turn if isinstance(e, Execution)]
    failed = next((e for e in reversed(ran) if e.language == "python" and e.status == "failed"), None)
    computed = [e for e in ran if e.language == "python" and has_table(e)]
    queried = [e for e in ran if e.language == "sql" and has_table(e)]
    if not computed:
        if failed is None or not queried or edited:
            return None
        return _nothing_computed(turn, failed, queried[-1])
    if edited:
        return None
    view = await desk.rows(computed[-1].id, rows_max=_ROWS_WORDED)
    if view is None:
        return None
    told = word(study, Result(columns=view.columns, rows=view.rows, total=view.total))
    charts = [e for e in ran if has_chart(e)]
    return Answer(
        turn=turn[0].turn,
        status="answered",
        text=told.text,
        table=computed[-1].id,
        chart=charts[-1].id if charts else None,
        how=how_computed(turn),
        notes=(*(plan.assumptions if plan is not None else ()), *told.notes),
        citations=plan.citations if plan is not None else (),
        follow_ups=tuple(ask for ask in told.follow_ups if _can_be_asked(ask, analyst)),
        trust=plan.trust if plan is not None else "new",
    )


def _can_be_asked(follow_up: str, analyst: Analyst) -> bool:
    """Whether a follow-up would really be understood; only such are offered."""
    return isinstance(recognise(follow_up, analyst), Recognised)


def _nothing_computed(turn: Sequence[Event], failed: Execution, queried: Execution) -> Answer:
    """The guards of the cell found too little to compute from, which is an answer; anything else is a failure."""
    failure = failed.failure
    diagnosis = next((e for e in reversed(turn) if isinstance(e, Diagnosis)), None)
    if failure is not None and failure.name == "ValueError":
        hint = "The rows that were read are there to look at. Ask for a longer period, or with fewer conditions."
        return Answer(
            turn=turn[0].turn,
            status="declined",
            text=failure.message,
            hint=hint,
            table=queried.id,
            how=how_computed(turn),
        )
    cause = diagnosis.cause if diagnosis is not None else "The Python step failed."
    return Answer(turn=turn[0].turn, status="failed", text=cause, hint=diagnosis.fix if diagnosis is not None else "")
