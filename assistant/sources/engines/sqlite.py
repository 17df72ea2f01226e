"""SQLite, opened so that nothing can be written: a read-only file, `query_only`, and an authorizer.

Every query has a connection of its own (opening one takes a fraction of a millisecond), so that queries neither wait
for each other nor share state. What the locks do, measured on SQLite 3.40: `mode=ro` alone still lets ATTACH make new
files; `query_only` alone can be switched off again; the authorizer closes both.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import quote

from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryFailed, SourceError, clean_message
from assistant.core.values import Budget, Parameters, Result
from assistant.query.quoting import quoted
from assistant.query.recursion import annotate_plan
from assistant.sources.arrow import table_from_rows
from assistant.sources.engines.access import Access, tried
from assistant.sources.engines.sqlite_catalog import read_catalog
from assistant.sources.sources import AddressedSource, stoppable

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress

_BUSY_TIMEOUT_S = 5.0
_OPCODES_BETWEEN_CHECKS = 20_000
_VALUE_LIMIT_BYTES = 64 * 1024 * 1024

_ALLOWED_ACTIONS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_TRANSACTION,
}
_ALLOWED_PRAGMAS = {
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
    "database_list",
    "data_version",
}
_BARE_PRAGMAS = {"read_uncommitted", "journal_mode", "encoding", "user_version", "page_count", "query_only"}
_DENIED_FUNCTIONS = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}


def authorize(action: int, first: str | None, second: str | None, database: str | None, _trigger: str | None) -> int:
    """SQLite's authorizer callback: what a statement may do while it is compiled."""
    if action in _ALLOWED_ACTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _DENIED_FUNCTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA:
        pragma = (first or "").lower()
        if pragma in _ALLOWED_PRAGMAS or (pragma in _BARE_PRAGMAS and second is None):
            return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master" and database == "main":
        return sqlite3.SQLITE_OK  # virtual tables such as json_each declare themselves so; mode=ro still holds
    return sqlite3.SQLITE_DENY


@contextmanager
def connection(path: Path) -> Generator[sqlite3.Connection]:
    """A locked connection to a database file.

    A database in WAL mode without a log beside it is opened as immutable: otherwise SQLite would leave `-wal` and
    `-shm` files in the user's folder.
    """
    mode = "mode=ro&immutable=1" if _is_idle_wal(path) else "mode=ro"
    opened = sqlite3.connect(
        f"file:{quote(str(path))}?{mode}",
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    with closing(opened) as con:
        con.text_factory = _text
        con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_LIMIT_BYTES)
        con.execute("PRAGMA query_only=1")
        con.set_authorizer(authorize)
        yield con


def _is_idle_wal(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(20)
    return head[18:20] == b"\x02\x02" and not path.with_name(path.name + "-wal").exists()


def _text(raw: bytes) -> str:
    """Text as SQLite holds it; bytes that are no UTF-8 are those of an old Windows program."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


class SqliteSource(AddressedSource):
    """A SQLite file as a `Source`."""

    def __init__(self, address: SourceAddress) -> None:
        super().__init__(address, dialect="sqlite")
        self._path = address.files[0]

    @classmethod
    async def open(cls, address: SourceAddress) -> SqliteSource:
        """Check that the file can be read.

        Raises:
            SourceError: It is damaged, encrypted, or may not be read.
        """
        source = cls(address)
        await stoppable(source._probe, stop=_nothing, timeout_s=30)
        return source

    async def _read_catalog(self) -> Catalog:
        stop = Event()
        return await stoppable(lambda: self._described(stop), stop=stop.set, timeout_s=300)

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement on a connection of its own."""
        allowed = budget or Budget()
        stop = Event()
        return await stoppable(
            lambda: self._run(sql, params, allowed, stop), stop=stop.set, timeout_s=allowed.timeout_s
        )

    async def explain(self, sql: str) -> str:
        """SQLite's query plan, one line per step, each indented below the step it belongs to."""
        result = await self.run(f"EXPLAIN QUERY PLAN {sql}", None, Budget(timeout_s=10))
        depths: dict[object, int] = {}
        lines: list[str] = []
        for row in result.table.to_pylist():
            depth = depths[row["id"]] = depths.get(row["parent"], -1) + 1
            lines.append("  " * depth + str(row["detail"]))
        return await asyncio.to_thread(annotate_plan, "\n".join(lines), sql, self.dialect)

    async def access(self) -> Access:
        """What the file's locks do."""
        table = next((table.name for table in (await self.catalog()).tables if not table.is_view), None)
        return await tried(
            table=None if table is None else quoted(table),
            delete=lambda sql: asyncio.to_thread(self._attempt, sql),
            run=self.run,
            endless="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        )

    async def close(self) -> None:
        """Nothing is held open."""

    def _attempt(self, sql: str) -> None:
        """Run any statement under the locks alone."""
        try:
            with connection(self._path) as con:
                con.execute(sql)
        except sqlite3.Error as problem:
            raise QueryFailed(self._cleaned(problem)) from None

    def _probe(self) -> None:
        with self._reading(), connection(self._path) as con:
            con.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def _described(self, stop: Event) -> Catalog:
        with self._reading(), connection(self._path) as con:
            return read_catalog(con, source=self.name, stop=stop)

    @contextmanager
    def _reading(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as problem:
            raise SourceError(
                f"{self.display!r} cannot be read: {self._cleaned(problem)}. "
                "It may be damaged, encrypted, or in use by another program."
            ) from None

    def _run(self, sql: str, params: Parameters, budget: Budget, stop: Event) -> Result:
        started = time.perf_counter()
        try:
            with connection(self._path) as con:
                con.set_progress_handler(lambda: int(stop.is_set()), _OPCODES_BETWEEN_CHECKS)
                cursor = con.execute(sql, () if params is None else params)
                if cursor.description is None:
                    raise QueryFailed("The statement gives no table. Write a SELECT.")
                names = [column[0] for column in cursor.description]
                table = table_from_rows(names, cursor.fetchmany, budget)
        except sqlite3.Warning as problem:  # "You can only execute one statement at a time."
            raise QueryFailed(str(problem)) from None
        except (sqlite3.Error, OverflowError, TypeError) as problem:
            raise QueryFailed(self._cleaned(problem)) from None
        except OSError as problem:
            raise SourceError(f"{self.display!r} cannot be read any more: {problem.strerror}.") from None
        return Result(table=table, seconds=time.perf_counter() - started)

    def _cleaned(self, problem: Exception) -> str:
        text = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        return clean_message(text, folders=self._address.folders)


def _nothing() -> None:
    """A probe reads one page; there is nothing to stop."""
