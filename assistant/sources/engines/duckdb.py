"""DuckDB: a person's own `.duckdb` file, or files that were loaded as tables into a database of ours.

Either way the database is opened read-only, without access to files or the network, and with its configuration
locked. Parquet is read where it lies, by views, and only these files are allowed besides. DuckDB would let COPY write
an allowed file even under `read_only`; so there are views only where the worker's wall lets it read these files and
write none of them (`workers.limits`). Even locked, DuckDB still runs SET VARIABLE, temporary tables and CHECKPOINT; so
only statements that DuckDB itself calls a SELECT or an EXPLAIN are run, and a PIVOT whose columns come from the data:
DuckDB makes a temporary type of their names first, which ends with the cursor.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
from sqlglot.tokenizer_core import TokenType

from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError, clean_message
from assistant.core.values import ArrowColumn, ArrowTable, Budget, Parameters, Result
from assistant.query.guard import check
from assistant.query.quoting import quoted
from assistant.query.recursion import annotate_plan
from assistant.query.routines import Routine, find_uses, require_engine_own
from assistant.sources.arrow import Spending, portable
from assistant.sources.engines.access import Access, tried
from assistant.sources.engines.duckdb_catalog import macros, read_catalog
from assistant.sources.sources import AddressedSource, stoppable
from knowledge.parsing import tokenize

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress

_BATCH_ROWS = 50_000
_READABLE = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)


_LOCKS = {"enable_external_access": False, "lock_configuration": True}


def locked_configuration(spill: Path) -> dict[str, str | bool | int | float | list[str]]:
    """Settings under which nothing outside the database can be reached, and which cannot be changed again."""
    return {
        **_LOCKS,
        "allow_community_extensions": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,  # or `FROM name` would read our own Python variables
        "temp_directory": str(spill),
        "max_temp_directory_size": "4GB",
        "memory_limit": "2GB",
        "threads": 2,
    }


class DuckdbSource(AddressedSource):
    """A DuckDB database as a `Source`."""

    def __init__(
        self,
        address: SourceAddress,
        con: duckdb.DuckDBPyConnection,
        *,
        folders: tuple[str, ...] = (),
        functions: Collection[str] = (),
        views_are_tables: bool = False,
    ) -> None:
        super().__init__(address, dialect="duckdb", functions=functions)
        self._views_are_tables = views_are_tables
        self._macros: tuple[Routine, ...] | None = None
        self._con = con
        self._folders = (*address.folders, *folders)

    @classmethod
    async def open(
        cls,
        address: SourceAddress,
        *,
        spill: Path,
        folders: tuple[str, ...] = (),
        functions: Collection[str] = (),
        in_place: tuple[str, ...] = (),
    ) -> DuckdbSource:
        """Open a database.

        Args:
            address: Its only file is the database.
            spill: Where what does not fit into memory is written.
            folders: Folders that no message may name, beside those of the address.
            functions: Macros that a person allowed to be called.
            in_place: Files that its views read; its views are tables then.

        Raises:
            SourceError: It is damaged, of a newer version, or another program holds it.
        """
        con = await asyncio.to_thread(_connected, address, spill, folders, in_place)
        return cls(address, con, folders=folders, functions=functions, views_are_tables=bool(in_place))

    async def _read_catalog(self) -> Catalog:
        cursor = self._con.cursor()
        try:
            return await stoppable(
                lambda: read_catalog(cursor, source=self.name, views_are_tables=self._views_are_tables),
                stop=cursor.interrupt,
                timeout_s=120,
            )
        except (duckdb.Error, QueryRefused) as problem:
            raise SourceError(f"{self.display!r} cannot be read: {self._cleaned(problem)}") from None
        finally:
            cursor.close()

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement on a cursor of its own."""
        allowed = budget or Budget()
        started = time.perf_counter()
        cursor = self._con.cursor()
        try:
            table = await stoppable(
                lambda: self._read(cursor, sql, params, allowed),
                stop=cursor.interrupt,
                timeout_s=allowed.timeout_s,
            )
        finally:
            cursor.close()
        return Result(table=table, seconds=time.perf_counter() - started)

    async def explain(self, sql: str) -> str:
        """DuckDB's physical plan, as JSON: the drawn one leaves out what it estimates of some steps.

        Empty for a PIVOT whose columns come from the data: DuckDB would read them to plan it.
        """
        if await asyncio.to_thread(self._pivots, sql):
            return await asyncio.to_thread(annotate_plan, "", sql, self.dialect)
        result = await self.run(f"EXPLAIN (FORMAT JSON) {sql}", None, Budget(timeout_s=10))
        plan = "\n".join(str(row["explain_value"]) for row in result.table.to_pylist())
        return await asyncio.to_thread(annotate_plan, plan, sql, self.dialect)

    async def access(self) -> Access:
        """What the database's locks do."""
        table = next((table for table in (await self.catalog()).tables if not table.is_view), None)
        parts = [] if table is None else [part for part in (table.schema, table.name) if part]
        return await tried(
            table=".".join(quoted(part) for part in parts) or None,
            delete=lambda sql: asyncio.to_thread(self._attempt, sql),
            run=self.run,
            endless="SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 1",
        )

    async def close(self) -> None:
        """Close the database."""
        await asyncio.to_thread(self._con.close)

    def _pivots(self, sql: str) -> bool:
        try:
            with self._con.cursor() as cursor:
                return any(_is_pivot(statement, self._functions) for statement in cursor.extract_statements(sql))
        except duckdb.Error:
            return False  # what is wrong with it, the engine says when it explains it

    def _attempt(self, sql: str) -> None:
        """Run any statement under the locks alone."""
        try:
            with self._con.cursor() as cursor:
                cursor.execute(sql)
        except duckdb.Error as problem:
            raise QueryFailed(self._cleaned(problem)) from None

    def _read(self, cursor: duckdb.DuckDBPyConnection, sql: str, params: Parameters, budget: Budget) -> ArrowTable:
        try:
            sql, bound = _bound(sql, params)
            self._require_engine_own(cursor, sql)
            if self._views_are_tables and _reads_definitions(sql):
                raise QueryFailed("How these tables were made is read by nobody here; SHOW TABLES names them.")
            statements = cursor.extract_statements(sql)
            if len(statements) != 1:
                raise QueryFailed(f"That is {len(statements)} statements. Give each query() one SELECT.")
            if statements[0].type not in _READABLE and not _is_pivot(statements[0], self._functions):
                raise QueryFailed(f"A {statements[0].type.name} statement cannot run here. Write a SELECT.")
            relation = cursor.sql(sql, params=bound)
            spending = Spending(budget)
            with relation.to_arrow_reader(_BATCH_ROWS) as reader:
                batches: list[ArrowColumn] = []
                for batch in reader:
                    spending.add(batch.num_rows, batch.nbytes)
                    batches.append(batch)
                return portable(pa.Table.from_batches(batches, reader.schema))
        except (duckdb.Error, pa.ArrowInvalid, OSError) as problem:
            raise QueryFailed(self._cleaned(problem)) from None

    def _require_engine_own(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
        """Refuse a query that would run a macro of the database: one may be called as a function of DuckDB's own."""
        if self._macros is None:  # the database is open read-only: none is added
            self._macros = tuple(Routine(kind="function", schema="", name=name) for name in macros(cursor))
        if self._macros:
            uses = find_uses(sql, "duckdb")
            called = uses.called | uses.qualified
            require_engine_own(uses, [macro for macro in self._macros if macro.name in called], self._functions)

    def _cleaned(self, problem: Exception) -> str:
        return clean_message(str(problem), folders=self._folders)


def _connected(
    address: SourceAddress, spill: Path, folders: tuple[str, ...], in_place: tuple[str, ...]
) -> duckdb.DuckDBPyConnection:
    configuration = locked_configuration(spill)
    if in_place:  # a database has to run before it can be told which files are allowed
        configuration = {name: value for name, value in configuration.items() if name not in _LOCKS}
    try:
        con = duckdb.connect(str(address.files[0]), read_only=True, config=configuration)
        if in_place:
            con.execute("SET allowed_paths = $1", [list(in_place)])
            for name, value in _LOCKS.items():
                con.execute(f"SET {name} = {value}")
        return con
    except duckdb.Error as problem:
        reason = clean_message(str(problem), folders=(*address.folders, *folders))
        raise SourceError(
            f"{address.display!r} cannot be opened: {reason.splitlines()[0]} "
            "If another program is writing to it, close that program and try again."
        ) from None


_DEFINITIONS = frozenset({
    "duckdb_views", "pg_views", "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
})  # fmt: skip


def _reads_definitions(sql: str) -> bool:
    """Whether a query names what tells the SQL of views: of files that are read in place it tells where they lie."""
    words = {token.text.casefold() for token in tokenize(sql, "duckdb")}
    return bool(words & _DEFINITIONS) or {"information_schema", "views"} <= words


def _is_pivot(statement: duckdb.Statement, functions: Collection[str]) -> bool:
    """Whether DuckDB runs this in several steps, and it is a query: that leaves PIVOT.

    What else DuckDB calls MULTI begins with another word, and the guard passes no such word.
    """
    return (
        statement.type == duckdb.StatementType.MULTI
        and check(statement.query, dialect="duckdb", functions=functions) is None
    )


def _bound(sql: str, params: Parameters) -> tuple[str, dict[str, object] | list[object] | None]:
    """DuckDB writes a named parameter `$name`; `:name` is understood as well."""
    if params is None:
        return sql, None
    if not isinstance(params, Mapping):
        return sql, list(params)
    tokens = tokenize(sql, "duckdb")
    places = [
        first.start
        for first, second in pairwise(tokens)
        if first.token_type == TokenType.COLON and second.start == first.end + 1 and second.text in params
    ]
    characters = list(sql)
    for place in places:
        characters[place] = "$"
    return "".join(characters), dict(params)
