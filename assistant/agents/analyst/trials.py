"""Runs the likely readings of a question before it is decided: whether they agree tells how sure the first one is.

It is a look, like a model's: SQL that the program writes, behind the guard, read-only, masked, within a budget of rows
and time, logged as an event. Nobody is shown a result: what answers a question is proposed, approved and run as ever.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from assistant.analyst.confidence import ROWS_MAX, ResultSummary
from assistant.analyst.deciding import QueryRuns, Statement
from assistant.analyst.outcomes import Outcome
from assistant.core.data_errors import QueryError
from assistant.core.events import Looked

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.cells.tables import TableView

SECONDS_MAX = 1.5
"""How long the readings of a question may run together; those that are left count as not run."""
_ROUNDS_MAX = 4


class Trials:
    """Reads with the results of readings.

    Args:
        context: Runs queries.
        on_look: Logs that readings were run.
    """

    def __init__(self, context: SessionContext, *, on_look: Callable[[Looked], Awaitable[object]]) -> None:
        self._context = context
        self._told = on_look

    async def read(self, reading: Callable[[QueryRuns], Outcome], *, turn: int) -> Outcome:
        """What comes of a question, read again whenever what it wants to know was run; `reading` blocks."""
        runs = QueryRuns()
        for _ in range(_ROUNDS_MAX):
            outcome = await asyncio.to_thread(reading, runs)
            if not runs.wanted:
                return outcome
            await self._run(runs, turn)
        return await asyncio.to_thread(reading, runs)

    async def look(self, statement: Statement, *, question: str, rows_max: int, turn: int) -> TableView | None:
        """The rows of a query beside the one that was approved, in the same way; None where there are none."""
        started, (source, sql) = time.monotonic(), statement
        view: TableView | None = None
        with suppress(QueryError):
            view = await self._context.try_reading(sql, source=source, rows_max=rows_max, timeout_s=SECONDS_MAX)
        outcome = "it did not run" if view is None else f"{view.total} {'row' if view.total == 1 else 'rows'}"
        seconds = round(time.monotonic() - started, 3)
        await self._told(
            Looked(turn=turn, role="planner", look="readings", asked=question, found=outcome, seconds=seconds)
        )
        return view

    async def _run(self, runs: QueryRuns, turn: int) -> None:
        started = time.monotonic()
        results: dict[Statement, ResultSummary | None] = {}
        failures: dict[Statement, str] = {}
        for statement in runs.wanted:
            left = SECONDS_MAX - (time.monotonic() - started)
            try:
                results[statement] = await self._result(statement, timeout_s=left) if left > 0 else None
            except QueryError as error:
                results[statement], failures[statement] = None, str(error)
        runs.add(results, failures)
        ran = [result for result in results.values() if result is not None]
        runs.is_out_of_time = not ran and time.monotonic() - started >= SECONDS_MAX
        kinds = len({result.content for result in ran})
        await self._told(
            Looked(
                turn=turn,
                role="planner",
                look="readings",
                asked=f"{len(results)} {'reading' if len(results) == 1 else 'readings'} of the question",
                found=f"{len(ran)} ran, with {kinds} different {'result' if kinds == 1 else 'results'}"
                + "".join(f"; {len(failures)} failed: {failure}" for failure in [*failures.values()][:1]),
                seconds=round(time.monotonic() - started, 3),
            )
        )

    async def _result(self, statement: Statement, *, timeout_s: float) -> ResultSummary:
        source, sql = statement
        view = await self._context.try_reading(sql, source=source, rows_max=ROWS_MAX, timeout_s=timeout_s)
        return ResultSummary.of(view.rows)
