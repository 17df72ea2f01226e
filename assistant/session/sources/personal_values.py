"""The personal values of a session: those that its queries have brought into the kernel. Blocks only in threads.

Data comes into the kernel by `query()` alone, and the broker keeps each result. So the values of the personal columns
of these results, found by following the SQL, are all that a cell could tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path

import pyarrow as pa

from assistant.core.catalog import Catalog
from assistant.core.events import Event, QueryRun
from assistant.core.turns import fold_events
from assistant.query.mask_inheritance import Inherited, inherit_masks
from assistant.query.masks import Masks
from assistant.query.personal import exclude_personal_values, find_personal_columns, find_personal_outputs

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
        self._values: dict[tuple[str, str], frozenset[str]] = {}

    def without_values(self, catalogs: Sequence[Catalog]) -> tuple[Catalog, ...]:
        """The catalogs without values of personal columns."""
        return tuple(exclude_personal_values(catalog, self.columns(catalog)) for catalog in catalogs)

    def columns(self, catalog: Catalog) -> Masks:
        """The columns of a source that look personal or show such a column, by table, in lower case."""
        return self._personal(catalog).masks

    def _personal(self, catalog: Catalog) -> Inherited:
        dismissed = frozenset(self._dismissed())
        for cached_catalog, when, columns in self._columns:
            if cached_catalog is catalog and when == dismissed:
                return columns
        columns = inherit_masks(find_personal_columns(catalog, shared=dismissed), catalog)
        self._columns = [*self._columns[1 - _CATALOGS_MAX :], (catalog, dismissed, columns)]
        return columns

    async def values(self) -> Collection[str]:
        """The personal values that the session's queries have brought up."""
        runs = [run for turn in fold_events(self._events()).turns for run in turn.queries]
        if not runs:
            return frozenset[str]()
        catalogs = {catalog.source: catalog for catalog in await self._catalogs()}
        return await asyncio.to_thread(self._all, runs, catalogs)

    def _all(self, runs: Sequence[QueryRun], catalogs: dict[str, Catalog]) -> frozenset[str]:
        return frozenset(value for run in runs for value in self._of(run, catalogs))

    def _of(self, run: QueryRun, catalogs: dict[str, Catalog]) -> frozenset[str]:
        catalog = catalogs.get(run.source)
        if catalog is None or not run.file or not (personal := self._personal(catalog)).masks:
            return frozenset()
        outputs = find_personal_outputs(run.sql, dialect=catalog.dialect, personal=personal, catalog=catalog)
        key = (run.file, "*" if outputs is None else ",".join(sorted(outputs)))
        if key not in self._values:
            self._values[key] = _texts(self._data / Path(run.file).name, outputs)
        return self._values[key]


def _texts(path: Path, columns: Collection[str] | None) -> frozenset[str]:
    """The values of a result's columns, as text; of all columns where none are named. Empty where it is gone."""
    texts: set[str] = set()
    try:
        with pa.memory_map(str(path)) as file:
            table = pa.ipc.open_file(file).read_all()
            for name, column in zip(table.column_names, table.columns, strict=True):
                if columns is None or name.casefold() in columns:
                    texts |= {str(value) for value in column.unique().to_pylist() if _is_telling(value)}
    except (OSError, pa.ArrowInvalid):
        return frozenset()
    return frozenset(texts)


def _is_telling(value: object) -> bool:
    """Whether a value may point to a person: a text with letters or many digits, or a long number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    letters = isinstance(value, str) and any(sign.isalpha() for sign in text)
    return letters or sum(sign.isdigit() for sign in text) >= _DIGITS_MIN
