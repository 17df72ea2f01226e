"""What Tandem may do on a source, really tried: is it locked, is a runaway query stopped, what more could the login do.

Every trial is harmless even if a lock should fail: a DELETE that finds no row, a query that only takes long. What the
engines answer is put into words here; the adapters do the trying.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from assistant.core.data_errors import QueryError, QueryRefused
from assistant.core.values import Budget, Result

LIMIT_S = 0.5
"""The time limit that an endless query is given."""
_HELD_S = 40.0
"""Over by then means stopped, however slow the machine is; the endless queries take a minute and more."""
_RISKY = {
    "ALL PRIVILEGES",
    "INSERT",
    "UPDATE",
    "DELETE",
    "DROP",
    "CREATE",
    "ALTER",
    "FILE",
    "SUPER",
    "GRANT OPTION",
    "CREATE USER",
    "SHUTDOWN",
    "PROCESS",
    "DELETE HISTORY",
    "TRIGGER",
    "EVENT",
    "CREATE ROUTINE",
    "EXECUTE",
    "SYSTEM_USER",
    "CONNECTION ADMIN",
    "READ_ONLY ADMIN",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What was found out about a source.

    Attributes:
        locked: Whether the engine refused to write; None where nothing could be tried.
        lock: What was tried and what the engine said.
        stopped: Whether an endless query was stopped; None where nothing could be tried.
        limit: Likewise in words.
        rights: What the login could do beyond reading, if the locks were not there; empty for none.
        advice: How to get a login that may only read; empty where nothing is to be done.
    """

    locked: bool | None
    lock: str
    stopped: bool | None
    limit: str
    rights: tuple[str, ...] = ()
    advice: str = ""


async def tried(
    *,
    table: str | None,
    delete: Callable[[str], Awaitable[object]],
    run: Callable[[str, None, Budget], Awaitable[Result]],
    endless: str,
) -> Access:
    """Try the locks of an engine.

    Args:
        table: A table's name, quoted; None if there is none.
        delete: Runs a statement that writes under the engine's lock alone, without guard or checks of ours.
        run: Runs a query as any other, under a budget.
        endless: A query that takes very long.

    Raises:
        SourceError: The engine cannot be reached.
    """
    locked, lock = None, "there is no table to try its lock on"
    if table is not None:
        locked, lock = await _tried_write(lambda: delete(f"DELETE FROM {table} WHERE 1 = 0"))
    stopped, limit = await _tried_endless(run, endless)
    return Access(locked=locked, lock=lock, stopped=stopped, limit=limit)


async def _tried_write(attempt: Callable[[], Awaitable[object]]) -> tuple[bool, str]:
    try:
        await attempt()
    except QueryError as refused:
        reason = str(refused).splitlines()[0].rstrip(".")
        return True, f"a DELETE was tried and the engine refused it ({reason})"
    return False, "a DELETE was tried and the engine took it: only the guard stands before writes"


async def _tried_endless(run: Callable[[str, None, Budget], Awaitable[Result]], sql: str) -> tuple[bool | None, str]:
    started = time.monotonic()
    try:
        await run(sql, None, Budget(timeout_s=LIMIT_S))
    except QueryRefused:
        pass  # as it should be; MySQL's SLEEP rather comes back early
    except QueryError as failed:
        return None, f"its time limit could not be tried ({failed})"
    elapsed = time.monotonic() - started
    if elapsed < _HELD_S:
        return True, "an endless query was stopped at its time limit"
    return False, f"a query with a time limit of {LIMIT_S:g} s ran for {elapsed:.0f} s"


def risky_grants(lines: Iterable[str]) -> tuple[str, ...]:
    """What MySQL's SHOW GRANTS gives beyond reading. A line also holds the password's hash, which goes no further."""
    grants: dict[str, None] = {}
    for line in lines:
        if not line.upper().startswith("GRANT ") or " ON " not in line.upper():
            continue
        upper = line.upper()
        privileges, _, remainder = upper[len("GRANT ") :].partition(" ON ")
        names = {name.split("(")[0].strip() for name in privileges.split(",")}
        if "WITH GRANT OPTION" in remainder:
            names.add("GRANT OPTION")
        grants |= dict.fromkeys(sorted(names & _RISKY))
    return tuple(grants)
