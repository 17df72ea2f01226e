"""The query of an execution, run again as it was approved, on the data as it is now."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.cells.tables import TableView, make_view
from assistant.core.events import Execution
from assistant.errors import SessionError
from assistant.query.guard import check

if TYPE_CHECKING:
    from assistant.sources.sources import Source


async def rerun(execution: Execution | None, sources: Sequence[Source], *, rows_max: int) -> TableView:
    """Run the last query of an execution again: the very text that ran, past the guard and under the query limits.

    Raises:
        SessionError: It did not run, or was no query, or its source is gone.
        DataError: It cannot run any more.
    """
    if execution is None or execution.status != "ok" or execution.language != "sql" or not execution.queries:
        raise SessionError("That answer has no query that ran, so it cannot be refreshed. It stays as it was.")
    ran = execution.queries[-1]
    source = next((candidate for candidate in sources if candidate.name == ran.source), None)
    if source is None:
        raise SessionError(f"Its source {ran.source!r} is not connected any more.")
    refusal = await asyncio.to_thread(check, ran.sql, dialect=source.dialect, functions=source.functions)
    if refusal is not None:
        raise SessionError(refusal.message)
    result = await source.run(ran.sql, json.loads(ran.parameters) if ran.parameters else None)
    return await asyncio.to_thread(make_view, result.table, rows_max=rows_max)
