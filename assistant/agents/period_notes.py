"""Notes of an answer about its first and last period, where the data hold only a part of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from assistant.cells.tables import TableView
from assistant.core.catalog import Catalog
from assistant.core.events.executions import QueryRun
from assistant.output.presentation.columns import Grain, columns_of, parse_time
from assistant.query.lineage import Lineage, LineageColumn, trace_lineage
from knowledge.relative_days import add_months

_MONTHS: Mapping[Grain, int] = {"month": 1, "quarter": 3, "year": 12}
_SLACK: Mapping[Grain, timedelta] = {"month": timedelta(3), "quarter": timedelta(7), "year": timedelta(14)}
"""So many days without a row, such as holidays, leave a period whole."""


def describe_partial_periods(query: QueryRun, table: TableView, catalogs: Sequence[Catalog]) -> tuple[str, ...]:
    """That the first or the last month, quarter or year of a result is not whole in the data, in words.

    Args:
        query: The query that gave the result.
        table: The result, as far as it was read.
        catalogs: Those of the session's sources.
    """
    catalog = next((catalog for catalog in catalogs if catalog.source == query.source), None)
    times = [column for column in columns_of(table) if column.role == "time" and column.grain in _MONTHS]
    if catalog is None or not times or len(table.rows) < table.total:
        return ()
    lineage = trace_lineage(query.sql, catalog.dialect)
    for column in times:
        output = lineage.by_name.get(column.name) if lineage is not None else None
        if lineage is None or output is None:
            continue
        place = table.columns.index(column.name)
        begins = sorted(filter(None, (_read_begin(row[place]) for row in table.rows)))
        days = _find_days(output, lineage, catalog)
        if len(begins) > 1 and days is not None:
            return tuple(_describe(begins, column.grain, *days))
    return ()


def _describe(begins: Sequence[date], grain: Grain, first_day: date, last_day: date) -> Iterator[str]:
    last, end = begins[-1], add_months(begins[-1], _MONTHS[grain]) - timedelta(1)
    if last <= last_day < end - _SLACK[grain]:
        yield f"The last {grain} is not complete: the data end on {last_day.isoformat()}."
    first = begins[0]
    if first + _SLACK[grain] < first_day < add_months(first, _MONTHS[grain]):
        yield f"The first {grain} is not complete: the data begin on {first_day.isoformat()}."


def _read_begin(value: object) -> date | None:
    """The first day of a period, whose year may stand as its number; none of the last year there is: "for ever"."""
    text = f"{value}-01-01" if isinstance(value, int) else parse_time(value)
    day = date.fromisoformat(text[:10]) if text is not None else None
    return None if day is None or day.year == date.max.year else day


def _find_days(output: LineageColumn, lineage: Lineage, catalog: Catalog) -> tuple[date, date] | None:
    """The first and last day of the column that a result's periods come from; None where they are not known."""
    if len(output.sources) != 1:
        return None
    owner, _, name = output.sources[0].rpartition(".")
    candidates = [t for t in catalog.tables if t.name.rpartition(".")[2] in ((owner,) if owner else lineage.tables)]
    profiles = [
        column.profile
        for column in (column for table in candidates for column in table.columns)
        if column.name == name and column.kind in ("date", "datetime")
    ]
    profile = profiles[0] if len(profiles) == 1 else None
    return None if profile is None else profile.days
