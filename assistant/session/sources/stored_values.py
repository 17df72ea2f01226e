"""The values of withheld columns as the sources hold them, to find them in texts before a query brought them up.

They are read with a limit for each column, once for each state of a source and setting of masks, stay in memory and are
shown to nobody. What comes into a source later is known once a query brings it up.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from assistant.agents.model.value_index import ValueIndex, fold_word, split_words
from assistant.core.catalog import Catalog, Column, Table
from assistant.core.values import Budget
from assistant.errors import DataError
from assistant.query.masks import Masks, is_masked
from assistant.query.personal import PersonalValue, find_personal_columns, is_telling
from assistant.sources.masked_source import MaskedSource

if TYPE_CHECKING:
    from assistant.sources.sources import Source

VALUES_MAX = 100_000
"""Most values of a column that are known before a query brings them up."""
_SECONDS_MAX = 20.0
_BYTES_MAX = 64 * 1024 * 1024
_LOG = logging.getLogger(__name__)
_State = tuple[tuple[Catalog, Masks], ...]


class StoredValues:
    """Reads the values of masked columns and of columns that look personal.

    Args:
        sources: Gives the session's sources.
    """

    def __init__(self, sources: Callable[[], Awaitable[Sequence[Source]]]) -> None:
        self._sources = sources
        self._read: tuple[_State, ValueIndex[PersonalValue]] | None = None
        self._busy = asyncio.Lock()

    async def read(self) -> ValueIndex[PersonalValue]:
        """The values, of columns that a person lets models see among them; `column` is `source.table.column`.

        A column that cannot be read is left out, and the program's log says so.
        """
        async with self._busy:
            sources = await self._sources()
            state = tuple([await _describe(source) for source in sources])
            if self._read is not None and _is_same(self._read[0], state):
                return self._read[1]
            values = [
                PersonalValue(text=text, column=f"{source.name}.{table.name}.{column.name}", is_masked=masked)
                for source, (catalog, masks) in zip(sources, state, strict=True)
                for table, column, masked in _list_columns(catalog, masks)
                for text in await _read_column(source, table, column)
            ]
            plain = {
                fold_word(word)
                for catalog, _ in state
                for table in catalog.tables
                for name in (table.name, *(column.name for column in table.columns))
                for word in (name, *split_words(name))
            }
            index = await asyncio.to_thread(ValueIndex, values, plain=plain, strict=True)
            self._read = (state, index)
            return index


async def _describe(source: Source) -> tuple[Catalog, Masks]:
    """A source's catalog with the values of masked columns, and what is masked."""
    if isinstance(source, MaskedSource):
        return await source.catalog_in_clear(), await source.masks()
    return await source.catalog(), {}


def _is_same(before: _State, now: _State) -> bool:
    return len(before) == len(now) and all(a[0] is b[0] and a[1] == b[1] for a, b in zip(before, now, strict=True))


def _list_columns(catalog: Catalog, masks: Masks) -> Iterator[tuple[Table, Column, bool]]:
    """The columns to read, and whether each is masked."""
    personal = find_personal_columns(catalog)
    for table in catalog.tables:
        for column in table.columns:
            masked = column.kind == "text" and is_masked(masks, table, column)
            if masked or column.name.casefold() in personal.get(table.name.casefold(), frozenset()):
                yield table, column, masked


async def _read_column(source: Source, table: Table, column: Column) -> list[str]:
    """The distinct values of a column that may tell of a person."""
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    query = exp.select(name).distinct().from_(exp.table_(table.name, db=table.schema, quoted=True)).limit(VALUES_MAX)
    budget = Budget(rows_max=VALUES_MAX, limit_bytes=_BYTES_MAX, timeout_s=_SECONDS_MAX)
    sql = query.sql(source.dialect)
    try:
        if isinstance(source, MaskedSource):
            result = await source.run_in_clear(sql, budget)
        else:
            result = await source.run(sql, None, budget)
    except DataError as error:
        _LOG.warning("The values of %s.%s are not known before a query shows them: %s", table.name, column.name, error)
        return []
    if result.rows == VALUES_MAX:
        _LOG.warning("Of %s.%s only %s values are known before a query shows them", table.name, column.name, VALUES_MAX)
    return [str(value) for value in result.table.column(0).to_pylist() if is_telling(value)]
