"""Personal values that a session's queries returned to its kernel. Blocks only in threads.

Data reaches the kernel by `query()` alone, and the broker stores each result. So the values of the personal columns of
these results, found by lineage of the SQL, are all that a cell could disclose. Values that the person types, or that
free text holds, are found among the values that the sources store (`stored_values`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from assistant.agents.model.value_index import ValueIndex
from assistant.core.catalog import Catalog
from assistant.core.events import Event, QueryRun
from assistant.core.turns import Turn, fold_events
from assistant.query.mask_inheritance import Inherited, inherit_masks
from assistant.query.masks import Masks
from assistant.query.personal import (
    PersonalValue,
    exclude_personal_values,
    find_personal_columns,
    find_personal_outputs,
    is_telling,
)

if TYPE_CHECKING:
    from assistant.session.sources.stored_values import StoredValues

_CATALOGS_MAX = 16
_NOTHING: ValueIndex[PersonalValue] = ValueIndex(())


class PersonalValues:
    """What of a session's data is withheld from models.

    Args:
        catalogs: Gives the session's catalogs.
        events: Gives its events.
        data: Its folder of query results.
        dismissed: Gives the columns that a person said are nothing to hide.
        stored: Reads the values that the sources hold; nothing is known before queries where none is given.
    """

    def __init__(
        self,
        *,
        catalogs: Callable[[], Awaitable[Sequence[Catalog]]],
        events: Callable[[], Sequence[Event]],
        data: Path,
        dismissed: Callable[[], Collection[str]],
        stored: StoredValues | None = None,
    ) -> None:
        self._stored = stored
        self._withheld: tuple[ValueIndex[PersonalValue], frozenset[str], ValueIndex[PersonalValue]] | None = None
        self._catalogs = catalogs
        self._events = events
        self._data = data
        self._dismissed = dismissed
        self._columns: list[tuple[Catalog, frozenset[str], Inherited]] = []
        self._texts: dict[tuple[Path, str, frozenset[str]], tuple[Catalog, Mapping[str, str]]] = {}

    def without_values(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        """The catalogs without values of personal columns."""
        return tuple(exclude_personal_values(catalog, self.columns(catalog)) for catalog in catalogs)

    def columns(self, catalog: Catalog) -> Masks:
        """The columns of a source that look personal or show such a column, by table, in lower case."""
        return self._personal(catalog, frozenset(self._dismissed())).masks

    def _personal(self, catalog: Catalog, dismissed: frozenset[str]) -> Inherited:
        for cached_catalog, when, columns in self._columns:
            if cached_catalog is catalog and when == dismissed:
                return columns
        columns = inherit_masks(find_personal_columns(catalog, shared=dismissed), catalog)
        self._columns = [*self._columns[1 - _CATALOGS_MAX :], (catalog, dismissed, columns)]
        return columns

    async def values(self) -> tuple[PersonalValue, ...]:
        """The personal values that the person and the session's queries brought up, in the order in which they came."""
        turns = fold_events(self._events()).turns
        stored = await self._stored.read() if self._stored is not None else _NOTHING
        if not stored and not any(turn.queries for turn in turns):
            return ()
        catalogs = {catalog.source: catalog for catalog in await self._catalogs()}
        return await asyncio.to_thread(self._list_in_order, turns, catalogs, stored)

    async def stored_values(self) -> ValueIndex[PersonalValue]:
        """The values that the sources hold in masked columns and in personal ones that models may not see."""
        stored = await self._stored.read() if self._stored is not None else _NOTHING
        dismissed = frozenset(entry.casefold() for entry in self._dismissed())
        if not stored or not dismissed:
            return stored
        if self._withheld is None or self._withheld[0] is not stored or self._withheld[1] != dismissed:
            values = [value for value in stored.values if _is_withheld(value, dismissed)]
            index = await asyncio.to_thread(ValueIndex, values, plain=stored.plain, strict=True)
            self._withheld = (stored, dismissed, index)
        return self._withheld[2]

    def _list_in_order(
        self, turns: Sequence[Turn], catalogs: Mapping[str, Catalog], stored: ValueIndex[PersonalValue]
    ) -> tuple[PersonalValue, ...]:
        """The values as they came up: typed by the person, or in the result of a query."""
        dismissed = frozenset(entry.casefold() for entry in self._dismissed())
        values: dict[str, PersonalValue] = {}
        for entry in (entry for turn in turns for entry in turn.list_inputs()):
            if isinstance(entry, QueryRun):
                for value in self.list_values((entry,), catalogs, self._data):
                    earlier = values.setdefault(value.text, value)
                    if value.is_withheld and not earlier.is_withheld:
                        values[value.text] = replace(earlier, is_withheld=True)
                continue
            for spelling, value in stored.list_mentioned(entry):
                # How a masked value is spelt in the data is told to nobody: it stays as the person wrote it.
                text = spelling if value.is_masked else value.text
                column = value.column.rpartition(".")[2]
                withheld = _is_withheld(value, dismissed)
                values.setdefault(text, replace(value, text=text, column=column, is_withheld=withheld))
        return tuple(values.values())

    def list_values(
        self, runs: Sequence[QueryRun], catalogs: Mapping[str, Catalog], data: Path
    ) -> tuple[PersonalValue, ...]:
        """The personal values that queries have brought up. Blocks.

        Those of columns that the person lets models see are among them, so that the others keep their places.

        Args:
            runs: The queries, in the order in which they ran.
            catalogs: The catalogs by source.
            data: The folder of their results.
        """
        columns: dict[str, str] = {}
        withheld: set[str] = set()
        for run in runs:
            if (catalog := catalogs.get(run.source)) is None or not run.file:
                continue
            for text, column in self._list_texts(run, catalog, data, frozenset()).items():
                columns.setdefault(text, column)
            withheld |= self._list_texts(run, catalog, data, frozenset(self._dismissed())).keys()
        return tuple(
            PersonalValue(text=text, column=column, is_withheld=text in withheld) for text, column in columns.items()
        )

    def _list_texts(self, run: QueryRun, catalog: Catalog, data: Path, dismissed: frozenset[str]) -> Mapping[str, str]:
        """The personal values of a result, each with its column."""
        if not (personal := self._personal(catalog, dismissed)).masks:
            return {}
        path = data / Path(run.file).name
        key = (path, run.sql, dismissed)
        cached = self._texts.get(key)
        if cached is None or cached[0] is not catalog:
            outputs = find_personal_outputs(run.sql, dialect=catalog.dialect, personal=personal, catalog=catalog)
            cached = self._texts[key] = (catalog, _read_texts(path, outputs))
        return cached[1]


def _read_texts(path: Path, columns: Collection[str] | None) -> Mapping[str, str]:
    """The values of a result's columns as text, each with its column; of all columns where none are named.

    Empty where the result is gone.
    """
    texts: dict[str, str] = {}
    try:
        with pa.memory_map(str(path)) as file:
            table = pa.ipc.open_file(file).read_all()
            for name, column in zip(table.column_names, table.columns, strict=True):
                if columns is None or name.casefold() in columns:
                    for value in column.unique().to_pylist():
                        if is_telling(value):
                            texts.setdefault(str(value), name)
    except (OSError, pa.ArrowInvalid):
        return {}
    return texts


def _is_withheld(value: PersonalValue, dismissed: Collection[str]) -> bool:
    """Whether a stored value, of `source.table.column`, is withheld from models."""
    column = value.column.casefold()
    return value.is_masked or not {"*", column, column.partition(".")[2]} & set(dismissed)
