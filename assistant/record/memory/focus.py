"""What a follow-up refers to: "only 2025", "by region instead", "as a bar chart" speak of the last answered turn.

Turns that were declined, failed or stopped, or that only spoke ("explain this answer", "thanks"), are passed over, as a
person would: after "I did not understand that", the next "by region" still means the result before. Nothing is
interpreted here; that is for whoever plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.cells.charts import has_chart
from assistant.core.events import Answer, Event, Execution, Trust
from assistant.core.turns import Turn, fold_events


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The last answered turn, as far as a follow-up needs it; empty where no turn was answered yet.

    Attributes:
        turn: Its number; None where there is none.
        question: What was asked.
        plan_meaning: The last plan's meaning as JSON; None where no analyst wrote one.
        proposal_meaning: The meaning behind the last code that ran well, as JSON; None likewise.
        edited: The person changed that code or plan by hand, so the meanings no longer say all of it.
        assumptions: What its plan took for granted.
        cited: The ids of the documents its plan rests on.
        trust: Whether its plan was made of a verified query.
        sql: The last query that ran.
        source: The source it ran on.
        variable: The kernel's name for the last result; of a table that was drawn, the table's.
        columns: That result's columns.
        execution: The id of the last cell that ran well.
        chart: The id of the execution whose chart was shown, if any.
    """

    turn: int | None = None
    question: str | None = None
    plan_meaning: str | None = None
    proposal_meaning: str | None = None
    edited: bool = False
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    trust: Trust = "new"
    sql: str | None = None
    source: str | None = None
    variable: str | None = None
    columns: tuple[str, ...] = ()
    execution: str | None = None
    chart: str | None = None


def find_focus(events: Sequence[Event]) -> Focus:
    """Find what a follow-up refers to."""
    every = list_answered(events)
    return every[-1] if every else Focus()


def list_answered(events: Sequence[Event]) -> tuple[Focus, ...]:
    """Every turn that was answered by a plan or by code, the newest last."""
    return tuple(
        _make_focus(turn, turn.answer)
        for turn in fold_events(events).turns
        if turn.answer is not None and turn.answer.status == "answered" and (turn.plan or turn.executions)
    )


def _make_focus(turn: Turn, answer: Answer) -> Focus:
    plan, cells = turn.plan, turn.results
    decision = turn.plan_decision
    result = next(
        (c for c in reversed(cells) if c.proposal.result and c.execution and not has_chart(c.execution)), None
    )
    result = result or (cells[-1] if cells else None)
    variable = result.proposal.result or None if result is not None else None
    query = next((query for cell in reversed(cells) if cell.execution for query in cell.execution.queries[-1:]), None)
    return Focus(
        turn=turn.number,
        question=turn.question,
        plan_meaning=plan.meaning or None if plan is not None else None,
        proposal_meaning=next((cell.proposal.meaning for cell in reversed(cells) if cell.proposal.meaning), None),
        edited=any(cell.is_edited for cell in cells) or (decision is not None and decision.action == "edit"),
        assumptions=plan.assumptions if plan is not None else (),
        cited=tuple(citation.id for citation in plan.citations) if plan is not None else (),
        trust=plan.trust if plan is not None else "new",
        sql=query.sql if query is not None else None,
        source=query.source if query is not None else None,
        variable=variable,
        columns=_find_columns(result.execution if result is not None else None, variable),
        execution=cells[-1].proposal.id if cells else None,
        chart=answer.chart,
    )


def _find_columns(execution: Execution | None, variable: str | None) -> tuple[str, ...]:
    if execution is None:
        return ()
    for candidate in execution.variables:
        if candidate.name == variable:
            return candidate.columns
    return execution.queries[-1].columns if execution.queries else ()
