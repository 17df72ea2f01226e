"""Personal values that a session's queries returned to its kernel. Blocks only in threads.

Data reaches the kernel by `query()` alone, and the broker stores each result. So the values of the personal columns of
these results, found by lineage of the SQL, are all that a cell could disclose.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from assistant.core.catalog import Catalog
from assistant.core.events import Event, QueryRun
from assistant.core.turns import fold_events
from assistant.query.mask_inheritance import Inherited, inherit_masks
from assistant.query.masks import Masks
from assistant.query.personal import (
    PersonalValue,
    exclude_personal_values,
    find_personal_columns,
    find_personal_outputs,
)

_DIGITS_MIN = 6
_CATALOGS_MAX = 16


class PersonalValues:
    """What of a session's data is withheld from models.

    Args:
        catalogs: Gives the session's catalogs.
        events: Gives its events.
        data: Its folder of query results.
        dismissed: Gives the columns that a person said are nothing to hide.
    """

    def __init__(
        self,
        *,
        catalogs: Callable[[], Awaitable[Sequence[Catalog]]],
        events: Callable[[], Sequence[Event]],
        data: Path,
        dismissed: Callable[[], Collection[str]],
    ) -> None:
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
        """The personal values that the session's queries have brought up, in the order in which they came."""
        runs = [run for turn in fold_events(self._events()).turns for run in turn.queries]
        if not runs:
            return ()
        catalogs = {catalog.source: catalog for catalog in await self._catalogs()}
        return await asyncio.to_thread(self.list_values, runs, catalogs, self._data)

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
                        if _is_telling(value):
                            texts.setdefault(str(value), name)
    except (OSError, pa.ArrowInvalid):
        return {}
    return texts


def _is_telling(value: object) -> bool:
    """Whether a value may point to a person: a text with letters or many digits, or a long number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    letters = isinstance(value, str) and any(sign.isalpha() for sign in text)
    return letters or sum(sign.isdigit() for sign in text) >= _DIGITS_MIN
