"""Several sources as one `Source`: each query brings over what it needs of each, and runs where they lie side by side.

Each source stays behind its own locks, masks and limits; this one adds a budget for what crosses. Nothing is kept
between two queries: the second sees the sources as they are then.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pyarrow as pa
from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.core.catalog import Catalog
from assistant.core.data_errors import DataError, QueryFailed, QueryRefused, SourceError
from assistant.core.doubts import Doubt
from assistant.core.values import ArrowTable, Budget, Parameters, Result
from assistant.query.masks import MasksNow
from assistant.query.quoting import quoted
from assistant.sources.addresses import SourceAddress
from assistant.sources.catalog.keys import KeyCandidate
from assistant.sources.combined.naming import CombinedCatalog, bridges, combined, in_combined, masked_in
from assistant.sources.combined.session import write_session
from assistant.sources.combined.transfers import Transfer, transfers_of
from assistant.sources.engines.access import Access
from assistant.sources.sources import AddressedSource, Source
from assistant.sources.workers.client import EngineSource
from knowledge.parsing import parse_one
from sandbox import temporary

CROSSING_ROWS_MAX = 2_000_000
CROSSING_BYTES_MAX = 512 * 1024 * 1024
"""What one query may bring over of all its tables together."""
_DATABASE = "together.duckdb"
_PROPOSED_MAX = 5
_TRIED_MAX = 20
_RATE_MIN = 0.5
"""Of a key's column at least so many values occur among those of the key."""
_TRYING = Budget(rows_max=200_000, limit_bytes=64 * 1024 * 1024, timeout_s=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A column that may refer to a key of another source.

    Attributes:
        key: As an address takes it: `table.column = table.column`.
        filled: So many of the column's values are not empty.
        matches: So many of these occur among the key's.
    """

    key: str
    filled: int
    matches: int

    @property
    def rate(self) -> float:
        """The share of the values that occur there, 0 to 1."""
        return self.matches / self.filled


class CombinedSource(AddressedSource):
    """The tables of several sources, side by side.

    Args:
        address: Of kind "combined".
        sources: The opened sources, in the order of the address's parts, each masked.
        mask: Gives the entries of the setting `mask` as they are at this moment.
    """

    def __init__(self, address: SourceAddress, sources: Sequence[Source], *, mask: MasksNow = tuple) -> None:
        # Whatever the sources speak, together they are asked in DuckDB's SQL; what a person allowed to be called in one
        # of the databases does not exist here.
        super().__init__(address, dialect="duckdb")
        self._mask = mask
        self._sources = tuple(sources)
        self._whole: tuple[tuple[Catalog, ...], CombinedCatalog] | None = None
        self._matches: tuple[Match, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What was chosen while loading its parts, about their tables as they are called here."""
        members = self._whole[1].members if self._whole is not None else {}
        return tuple(in_combined(doubt, source.name, members) for source in self._sources for doubt in source.doubts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed while loading, and the keys that a person may confirm."""
        source_notes = tuple(f"{source.name}: {note}" for source in self._sources for note in source.notes)
        return (
            *source_notes,
            *(f"{key} looks like a key between the sources; confirm it with: on {key}" for key in self.proposed),
        )

    @property
    def proposed(self) -> tuple[str, ...]:
        """Keys between the sources that all values speak for, as an address takes them; known after `catalog`."""
        return tuple(match.key for match in self._matches if match.matches == match.filled)

    @property
    def matches(self) -> tuple[Match, ...]:
        """Columns of which at least half the values occur in another source's key; known after `catalog`."""
        return self._matches

    async def _read_catalog(self) -> Catalog:
        """The tables of all sources; those of a source have its name as their schema."""
        return (await self._together()).catalog

    def masked(self) -> tuple[str, ...]:
        """What is masked now, by the names that tables have here; known after `catalog`."""
        mask = tuple(self._mask())
        return masked_in(self._whole[1], self._whole[0], mask) if self._whole is not None and mask else ()

    def refresh(self) -> None:
        """Forget the catalogs."""
        super().refresh()
        for source in self._sources:
            source.refresh()
        self._whole = None

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Bring over what a statement needs, and run it there."""
        allowed = budget or Budget()
        started = time.perf_counter()
        await asyncio.to_thread(self._forbid_counting, sql)
        try:
            async with asyncio.timeout(allowed.timeout_s), self._session(sql, allowed) as session:
                result = await session.run(sql, params, allowed)
        except TimeoutError:
            raise QueryRefused(
                f"The query took longer than {allowed.timeout_s:g} s with what it brings over, and was stopped. Filter "
                "it by literal values, select fewer columns, or ask one source alone."
            ) from None
        return Result(table=result.table, seconds=time.perf_counter() - started)

    async def explain(self, sql: str) -> str:
        """Empty: nothing crosses before a query is approved, so there is nothing to plan on but its own names.

        Raises:
            QueryFailed: It cannot be planned on the tables as they are described.
        """
        combined_source = await self._together()
        needed = await asyncio.to_thread(transfers_of, sql, combined_source)
        if not any(column.kind == "other" for transfer in needed for column in transfer.columns):
            async with self._opened([(transfer, _empty(transfer)) for transfer in needed]) as session:
                await session.explain(sql)
        return ""

    async def access(self) -> Access:
        """What may be done on the source that is held least."""
        accesses = [await source.access() for source in self._sources]
        return min(accesses, key=lambda access: (access.locked is not False, not access.rights))

    async def close(self) -> None:
        """Let go of all sources."""
        for source in self._sources:
            await source.close()

    async def _together(self) -> CombinedCatalog:
        if self._whole is None:
            catalogs = tuple([await source.catalog() for source in self._sources])
            self._whole = catalogs, combined(self.name, catalogs, self._address.keys)
            self._matches = await self._tried(self._whole[1])
        return self._whole[1]

    def _forbid_counting(self, sql: str) -> None:
        """Refuse to count the different values of a masked column: all of them arrive here as one."""
        hidden = {entry.rpartition(".")[2].casefold() for entry in self.masked()}
        try:
            counted = parse_one(sql, self.dialect).find_all(exp.Distinct) if hidden else ()
        except SqlglotError:
            return  # the engine says what is wrong with it
        for column in (column for distinct in counted for column in distinct.find_all(exp.Column)):
            if column.name.casefold() in hidden:
                raise QueryRefused(
                    f"The column {column.name!r} is masked, so its values arrive here as one. How many there are can "
                    "be asked of its own source alone."
                )

    @asynccontextmanager
    async def _session(self, sql: str, budget: Budget) -> AsyncGenerator[Source]:
        """The tables that a query needs, brought over.

        Raises:
            QueryRefused: They are more than may cross, or a source refused.
        """
        needed = await asyncio.to_thread(transfers_of, sql, await self._together())
        remaining = Budget(rows_max=CROSSING_ROWS_MAX, limit_bytes=CROSSING_BYTES_MAX, timeout_s=budget.timeout_s)
        crossed: list[tuple[Transfer, ArrowTable]] = []
        for transfer in needed:
            table = await self._brought(transfer, remaining)
            remaining = replace(
                remaining,
                rows_max=remaining.rows_max - table.num_rows,
                limit_bytes=max(1, remaining.limit_bytes - table.nbytes),
            )
            crossed.append((transfer, table))
        async with self._opened(crossed) as session:
            yield session

    async def _brought(self, transfer: Transfer, remaining: Budget) -> ArrowTable:
        source = next(source for source in self._sources if source.name == transfer.member.source)
        try:
            return (await source.run(transfer.sql, None, remaining)).table
        except QueryRefused as refused:
            raise QueryRefused(
                f"{transfer.member.source}.{transfer.name} cannot be brought over: {refused} One query over several "
                f"sources may bring over {CROSSING_ROWS_MAX:,} rows and {CROSSING_BYTES_MAX >> 20} MB in all: filter "
                "this table by literal values, or ask its source alone first."
            ) from None

    @asynccontextmanager
    async def _opened(self, crossed: Sequence[tuple[Transfer, ArrowTable]]) -> AsyncGenerator[Source]:
        import duckdb

        folder = await asyncio.to_thread(temporary.make, "together")
        try:
            path = folder / _DATABASE
            try:
                await asyncio.to_thread(write_session, path, crossed)
            except duckdb.Error as problem:
                reason = next(iter(str(problem).splitlines()), "")
                raise QueryFailed(f"What was brought over could not be put together: {reason}") from None
            address = SourceAddress(name=self.name, kind="duckdb", display=self.display, rights=None, files=(path,))
            session = await EngineSource(address, engine="duckdb", database=path).start()
            try:
                yield session
            finally:
                await session.close()
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _tried(self, combined_source: CombinedCatalog) -> tuple[Match, ...]:
        """The keys between the sources that their values speak for, of each column the one that holds most of it."""
        best: dict[tuple[str, str], Match] = {}
        for attempts, candidate in enumerate(bridges(combined_source)):
            place = (candidate.table.name, candidate.column.name)
            best_match = best.get(place)
            if attempts == _TRIED_MAX or len(best) == _PROPOSED_MAX:
                break
            if best_match is not None and best_match.matches == best_match.filled:
                continue
            match = await self._match(candidate)
            if match is not None and (best_match is None or match.rate > best_match.rate):
                best[place] = match
        return tuple(best.values())

    async def _match(self, candidate: KeyCandidate) -> Match | None:
        """How many values of a column occur in the other source's key; None where it is no key, or holds too few."""
        inner, outer = quoted(candidate.column.name), quoted(candidate.target_column.name)
        start_table = f"{quoted(str(candidate.table.schema))}.{quoted(candidate.table.name)}"
        target_table = f"{quoted(str(candidate.target.schema))}.{quoted(candidate.target.name)}"
        orphans = (
            f"SELECT count(*) FROM {start_table} AS h WHERE h.{inner} IS NOT NULL AND NOT EXISTS "
            f"(SELECT 1 FROM {target_table} AS t WHERE t.{outer} = h.{inner})"
        )
        sql = (
            f"SELECT (SELECT count(n.{inner}) FROM {start_table} AS n) AS filled, ({orphans}) AS lost, "
            f"(SELECT count(k.{outer}) - count(DISTINCT k.{outer}) FROM {target_table} AS k) AS twice"
        )
        try:
            async with self._session_of(sql) as session:
                (row,) = (await session.run(sql, None, _TRYING)).table.to_pylist()
        except (DataError, SourceError):
            return None  # too large to look at, of types that do not compare, or masked
        filled, matched = int(row["filled"]), int(row["filled"]) - int(row["lost"])
        if row["twice"] or not filled or matched < filled * _RATE_MIN:
            return None
        key = f"{candidate.table.name}.{candidate.column.name} = {candidate.target.name}.{candidate.target_column.name}"
        return Match(key=key, filled=filled, matches=matched)

    @asynccontextmanager
    async def _session_of(self, sql: str) -> AsyncGenerator[Source]:
        combined_source = self._whole
        needed = await asyncio.to_thread(transfers_of, sql, combined_source[1]) if combined_source is not None else ()
        async with self._opened([(transfer, await self._brought(transfer, _TRYING)) for transfer in needed]) as session:
            yield session


def _empty(transfer: Transfer) -> ArrowTable:
    """A table of the columns without rows or types; the catalog's kinds become its types."""
    return pa.table([pa.nulls(0)] * len(transfer.columns), names=[column.name for column in transfer.columns])
