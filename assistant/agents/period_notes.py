"""Notes of an answer about its first and last period, where the data hold only a part of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from assistant.cells.tables import TableView, find_execution
from assistant.core.catalog import Catalog
from assistant.core.events import Answer, Event
from assistant.output.presentation.columns import Grain, columns_of, moment
from assistant.query.lineage import Lineage, LineageColumn, trace_lineage

_MONTHS: Mapping[Grain, int] = {"month": 1, "quarter": 3, "year": 12}
_SLACK: Mapping[Grain, timedelta] = {"month": timedelta(3), "quarter": timedelta(7), "year": timedelta(14)}
"""So many days without a row, such as holidays, leave a period whole."""


def describe_partial_periods(
    answer: Answer, log: Sequence[Event], table: TableView | None, catalogs: Sequence[Catalog]
) -> tuple[str, ...]:
    """That the first or the last month, quarter or year of an answer's table is not whole, in words.

    Args:
        answer: The end of the current turn.
        log: All events before it.
        table: The answer's table, as far as it was read.
        catalogs: Those of the session's sources.
    """
    ran = find_execution(log, answer.table) if answer.table else None
    if table is None or ran is None or ran.language != "sql" or not ran.queries:
        return ()
    query = ran.queries[-1]
    catalog = next((catalog for catalog in catalogs if catalog.source == query.source), None)
    lineage = trace_lineage(query.sql, catalog.dialect) if catalog is not None else None
    if catalog is None or lineage is None or len(table.rows) < table.total:
        return ()
    for place, column in enumerate(columns_of(table)):
        if column.role != "time" or column.grain not in _MONTHS or column.name not in lineage.by_name:
            continue
        begins = sorted(filter(None, (_read_begin(row[place]) for row in table.rows)))
        days = _find_days(lineage.by_name[column.name], lineage, catalog)
        if len(begins) > 1 and days is not None:
            return tuple(_describe(begins, column.grain, *days))
    return ()


def _describe(begins: Sequence[date], grain: Grain, first_day: date, last_day: date) -> Iterator[str]:
    last, end = begins[-1], _add_months(begins[-1], _MONTHS[grain]) - timedelta(1)
    if last <= last_day < end - _SLACK[grain]:
        yield f"The last {grain} is not complete: the data end on {last_day.isoformat()}."
    first = begins[0]
    if first + _SLACK[grain] < first_day < _add_months(first, _MONTHS[grain]):
        yield f"The first {grain} is not complete: the data begin on {first_day.isoformat()}."


def _read_begin(value: object) -> date | None:
    """The first day of a period; a year stands as its number."""
    text = f"{value}-01-01" if isinstance(value, int) else moment(value)
    return date.fromisoformat(text[:10]) if text is not None else None


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
    if len(profiles) != 1 or (profile := profiles[0]) is None or profile.sampled:
        return None
    if profile.low is None or profile.high is None:
        return None
    return date.fromisoformat(str(profile.low)[:10]), date.fromisoformat(str(profile.high)[:10])


def _add_months(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    return day.replace(year=day.year + years, month=month + 1)
