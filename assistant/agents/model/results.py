"""Which results a turn ends with, and results in words for whoever works with them next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.surroundings import rows_in_words
from assistant.cells.charts import has_chart
from assistant.cells.tables import has_table
from assistant.memory.wording import Sees

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.events import Event, Execution

_ROWS_LOOKED_AT = 10_000
_WORD = re.compile(r"[^\W\d]\w*")


def table_shown(ran: Sequence[Execution]) -> Execution | None:
    """The execution whose table is the result: the last one that is no mere chart; None where that gave no table.

    A table of an earlier step is what the last step worked on, not what it found.
    """
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
    from assistant.events import Execution, Proposal

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


async def results_in_words(desk: SessionContext, turn: Sequence[Event], *, sees: Sees) -> str:
    """The tables that executions gave, the last first: what has no room is cut from the end."""
    from assistant.events import Execution, Proposal

    names = {event.id: event.result for event in turn if isinstance(event, Proposal)}
    said: list[str] = []
    for execution in reversed([event for event in turn if isinstance(event, Execution)]):
        if not has_table(execution):
            continue
        # Types, gaps and figures are told of many rows, though few are shown.
        rows = await desk.rows(execution.id, rows_max=_ROWS_LOOKED_AT)
        if rows is not None:
            name = names.get(execution.id)
            called = f" ({name})" if name else ""
            words = rows_in_words(rows, sees=sees, joined=has_join(execution))
            said.append(f"Result of {execution.id}{called}: {words}")
    return "\n\n".join(said)
