"""The steps and the answer of a study: one query, then a Python step that computes, shows its table and draws."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.agents.analyst.proposing import ProposalContext, skip_step
from assistant.agents.derivation import describe_computation
from assistant.analyst.meaning import Meaning, Study
from assistant.analyst.presenting.answers import AnswerRows
from assistant.analyst.studies.cells import computation
from assistant.analyst.wording import phrase
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.core.events import Answer, Appearance, Execution, Proposal, Step, StepSkipped
from assistant.core.turns import Turn

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext

_ROWS_WORDED = 1_000
_BY_HAND = "You edited the code, so what the plan assumed need not hold for this result."


def plan_study(meaning: Meaning) -> tuple[Step, ...]:
    """The steps of a study's plan."""
    assert meaning.study is not None, "it is a query otherwise"
    query = Step(title=f"Query {meaning.source}: the rows for {meaning.study.subject}", language="sql")
    return (query, Step(title=_title(meaning.study), language="python"))


def propose_computation(context: ProposalContext, *, today: date) -> Proposal | StepSkipped:
    """The Python step, over the rows that the query gave."""

    study = context.meaning.study
    assert study is not None, "it is a query otherwise"
    with_table = {execution.id for execution in context.turn.executions if has_table(execution)}
    source = next((i.proposal for i in reversed(context.turn.proposals) if i.proposal.id in with_table), None)
    if source is None:
        return skip_step(context.turn, context.step, "There is no result to compute from.")
    title = _title(study)
    return context.make_proposal(
        language="python",
        title=title,
        why="The figures of the answer are computed here, from the rows that the query gave.",
        operations=(f"{title}.",),
        code=computation(context.meaning, frame=source.result, today=today),
        result=study.name,
    )


def _title(study: Study) -> str:
    """What the Python step does."""
    return study.call.purpose.rstrip(".") if study.call is not None else phrase("studies", study.kind)


async def answer_study(turn: Turn, meaning: Meaning, context: SessionContext) -> Answer | None:
    """The answer in words, from the table of the Python step; None where an edit left nothing to word it from."""
    ran = turn.executions
    computed = [event for event in ran if event.language == "python" and has_table(event)]
    if turn.edits:
        return None
    if not computed:
        return _explain_no_result(turn, ran)
    view = await context.rows(computed[-1].id, rows_max=_ROWS_WORDED)
    if view is None:
        return None
    from assistant.analyst.studies.study_descriptions import describe_study  # few questions are studies

    text, remarks = describe_study(meaning, AnswerRows.of(view.columns, view.rows, view.total))
    return make_answer(turn, text, remarks, table=computed[-1].id, appearance=Appearance(names=name_sides(meaning)))


def make_answer(
    turn: Turn,
    text: str,
    remarks: Sequence[str],
    *,
    table: str,
    appearance: Appearance,
    follow_ups: tuple[str, ...] = (),
) -> Answer:
    """The answer of a turn that gave a table, with what its plan took for granted unless the code was edited."""
    plan, by_hand = turn.plan, bool(turn.edits)
    charts = [execution for execution in turn.executions if has_chart(execution)]
    assumed = (_BY_HAND,) if by_hand else plan.assumptions if plan is not None else ()
    return Answer(
        turn=turn.number,
        status="answered",
        text=text,
        table=table,
        chart=charts[-1].id if charts else None,
        how=describe_computation(turn),
        notes=(*assumed, *remarks),
        citations=plan.citations if plan is not None else (),
        follow_ups=follow_ups,
        trust=plan.trust if plan is not None and not by_hand else "new",
        appearance=appearance,
    )


def name_sides(meaning: Meaning) -> tuple[tuple[str, str], ...]:
    """What the two sides of a comparison are called in its table."""
    names = meaning.study.side_names if meaning.study is not None else ()
    return tuple((column, name[:1].upper() + name[1:]) for column, name in zip(("before", "now"), names, strict=False))


def _explain_no_result(turn: Turn, ran: Sequence[Execution]) -> Answer | None:
    """The guards of the cell found too little to compute from, which is an answer; anything else is a failure."""
    failed = next((e for e in reversed(ran) if e.language == "python" and e.status == "failed"), None)
    queried = [e for e in ran if e.language == "sql" and has_table(e)]
    if failed is None or not queried:
        return None
    if failed.failure is not None and failed.failure.name == "ValueError":
        hint = "The rows that were read are there to look at. Ask for a longer period, or with fewer conditions."
        return Answer(
            turn=turn.number,
            status="declined",
            text=failed.failure.message,
            hint=hint,
            table=queried[-1].id,
            how=describe_computation(turn),
        )
    return make_failure(turn, otherwise="The Python step failed.")


def make_failure(turn: Turn, *, otherwise: str) -> Answer:
    """That a turn gave nothing, and why; `otherwise` where nobody said why."""
    text, hint = (turn.diagnosis.cause, turn.diagnosis.fix) if turn.diagnosis is not None else (otherwise, "")
    return Answer(turn=turn.number, status="failed", text=text, hint=hint)
