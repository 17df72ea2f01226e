"""Which results a turn ends with, and results in words for whoever works with them next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.agents.model.row_descriptions import describe_rows
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.record.memory.wording import Sees

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.events import Execution
    from assistant.core.turns import Turn

_ROWS_LOOKED_AT = 10_000
_TABLES_MAX = 4
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What running a cell gave, and the name of its result in the kernel; empty where it has none."""

    name: str
    execution: Execution


def list_results(turn: Turn) -> list[StepResult]:
    """What the cells of a turn gave, in order; of a step that ran again, and of a name given again, the last."""
    items = [(execution, turn.proposal(execution.id)) for execution in turn.executions]
    results = [StepResult(name=item.proposal.result if item else "", execution=execution) for execution, item in items]
    ran = [result for result in results if result.execution.status == "ok"]
    last = {result.execution.step: result for result in ran} | {result.name: result for result in ran if result.name}
    return [
        result
        for result in results
        if result.execution.status != "ok"
        or (last[result.execution.step] is result and last.get(result.name, result) is result)
    ]


def choose_tables(results: Sequence[StepResult], result_names: Sequence[str] = ()) -> tuple[Execution, ...]:
    """The executions whose tables are shown, the result of the last step first.

    A table of an earlier step is what the last step worked on, not what it found; it is shown where it is wanted.

    Args:
        results: What ran without fault, in order.
        result_names: Names of further results to show.
    """
    latest = {result.name: result.execution for result in results if has_table(result.execution) and result.name}
    first = _find_table_of_last_step([result.execution for result in results])
    executions = (*((first,) if first is not None else ()), *(latest[name] for name in result_names if name in latest))
    return tuple({result.id: result for result in executions}.values())[:_TABLES_MAX]


def _find_table_of_last_step(ran: Sequence[Execution]) -> Execution | None:
    """The execution whose table is the result: the last one that is no mere chart; None where that gave no table."""
    for execution in reversed(ran):
        if has_table(execution):
            return execution
        if not has_chart(execution):
            return None
    return None


def choose_chart(ran: Sequence[Execution]) -> Execution | None:
    """The execution that drew the last chart."""
    return next((execution for execution in reversed(ran) if has_chart(execution)), None)


def has_join(execution: Execution) -> bool:
    """Whether a join may have multiplied the rows of a result."""
    words = " ".join([execution.code, *(run.sql for run in execution.queries)]).casefold()
    return "join" in words or "merge" in words


def find_earlier_results(turns: Sequence[Turn], turn: Turn) -> list[StepResult]:
    """Results of earlier turns that the turn's Python cells name, in the log's order.

    A chart of the last answer's table ("as a bar chart") shows rows that no execution of its own turn gave.
    """
    cells = [execution.code for execution in turn.executions if execution.language == "python"]
    words = set(_WORD.findall("\n".join(cells))) - {item.proposal.result for item in turn.proposals}
    latest: dict[str, StepResult] = {}
    for before in turns:
        for result in list_results(before) if before.number < turn.number else ():
            if result.name in words and result.execution.status == "ok":
                latest[result.name] = result
    return list(latest.values())


async def describe_results(
    context: SessionContext, results: Sequence[StepResult], *, sees: Sees, code: str | None = None
) -> str:
    """The tables that executions gave, the last first: what has no room is cut from the end.

    Args:
        context: Where the tables are.
        results: What cells gave.
        sees: How much of them the model may see.
        code: A cell: then only results that it names.
    """
    names = set(_WORD.findall(code)) if code is not None else None
    lines: list[str] = []
    for result in reversed(results):
        execution = result.execution
        if not has_table(execution) or (names is not None and result.name not in {*names, ""}):
            continue
        # Types, gaps and figures are told of many rows, though few are shown.
        rows = await context.rows(execution.id, rows_max=_ROWS_LOOKED_AT)
        if rows is not None:
            called = f" ({result.name})" if result.name else ""
            words = describe_rows(rows, sees=sees, has_join=has_join(execution))
            lines.append(f"Result of {execution.id}{called}: {words}")
    return "\n\n".join(lines)
