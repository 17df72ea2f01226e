"""Which results a turn ends with, and results in words for whoever works with them next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.source_descriptions import rows_in_words
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.record.memory.wording import Sees

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.events import Event, Execution

_ROWS_LOOKED_AT = 10_000
_TABLES_MAX = 4
_WORD = re.compile(r"[^\W\d]\w*")


def tables_shown(
    ran: Sequence[Execution], names: Mapping[str, str], wanted: Sequence[str] = ()
) -> tuple[Execution, ...]:
    """The executions whose tables are shown, the result of the last step first.

    A table of an earlier step is what the last step worked on, not what it found; it is shown where it is wanted.

    Args:
        ran: What ran without fault, in order.
        names: What the result of each execution is called.
        wanted: Names of further results to show.
    """
    latest = {names[one.id]: one for one in ran if has_table(one) and one.id in names}
    first = _table_of_last_step(ran)
    found = (*((first,) if first is not None else ()), *(latest[name] for name in wanted if name in latest))
    return tuple({one.id: one for one in found}.values())[:_TABLES_MAX]


def named(turn: Sequence[Event]) -> dict[str, str]:
    """What the result of each execution of a turn is called."""
    from assistant.core.events import Proposal

    return {event.id: event.result for event in turn if isinstance(event, Proposal) and event.result}


def _table_of_last_step(ran: Sequence[Execution]) -> Execution | None:
    """The execution whose table is the result: the last one that is no mere chart; None where that gave no table."""
    for execution in reversed(ran):
        if has_table(execution):
            return execution
        if not has_chart(execution):
            return None
    return None


def chart_shown(ran: Sequence[Execution]) -> Execution | None:
    """The execution that drew the last chart."""
    return next((execution for execution in reversed(ran) if has_chart(execution)), None)


def has_join(execution: Execution) -> bool:
    """Whether a join may have multiplied the rows of a result."""
    words = " ".join([execution.code, *(run.sql for run in execution.queries)]).casefold()
    return "join" in words or "merge" in words


def read_before(log: Sequence[Event], turn: Sequence[Event]) -> tuple[Event, ...]:
    """Proposals and executions of earlier turns whose results the turn's Python cells name, in the log's order.

    A chart of the last answer's table ("as a bar chart") shows rows that no execution of its own turn gave.
    """
    from assistant.core.events import Execution, Proposal

    earlier = [event for event in log if not turn or event.turn < turn[0].turn]
    cells = [event.code for event in turn if isinstance(event, Execution) and event.language == "python"]
    words = set(_WORD.findall("\n".join(cells)))
    words -= {event.result for event in turn if isinstance(event, Proposal)}
    proposals = {e.id: e for e in earlier if isinstance(e, Proposal) and e.result in words}
    latest: dict[str, tuple[Event, ...]] = {}
    for event in earlier:
        if isinstance(event, Execution) and event.status == "ok" and (put := proposals.get(event.id)) is not None:
            latest[put.result] = (put, event)
    return tuple(event for pair in latest.values() for event in pair)


async def results_in_words(
    context: SessionContext, turn: Sequence[Event], *, sees: Sees, code: str | None = None
) -> str:
    """The tables that executions gave, the last first: what has no room is cut from the end.

    Args:
        context: Where the tables are.
        turn: The events.
        sees: How much of them the model may see.
        code: A cell: then only results that it names.
    """
    from assistant.core.events import Execution

    names = named(turn)
    told = set(_WORD.findall(code)) if code is not None else set(names.values())
    said: list[str] = []
    for execution in reversed([event for event in turn if isinstance(event, Execution)]):
        if not has_table(execution) or names.get(execution.id, "") not in {*told, ""}:
            continue
        # Types, gaps and figures are told of many rows, though few are shown.
        rows = await context.rows(execution.id, rows_max=_ROWS_LOOKED_AT)
        if rows is not None:
            name = names.get(execution.id)
            called = f" ({name})" if name else ""
            words = rows_in_words(rows, sees=sees, joined=has_join(execution))
            said.append(f"Result of {execution.id}{called}: {words}")
    return "\n\n".join(said)
