"""An answer says where its first or last month, quarter or year is not whole in the data."""

from __future__ import annotations

import pytest

from assistant.agents.period_notes import describe_partial_periods
from assistant.cells.tables import TableView
from assistant.core.catalog import Catalog, Column, Profile, Table
from assistant.core.events.executions import QueryRun

MONTHLY = "SELECT strftime('%Y-%m', o.day) AS month, SUM(o.amount) AS total FROM orders AS o GROUP BY 1"


def catalog_of(low: str, high: str) -> Catalog:
    profile = Profile(nulls=0, distinct=90, low=low, high=high)
    day = Column(name="day", type="DATE", kind="date", profile=profile)
    return Catalog(source="shop", dialect="sqlite", tables=(Table(name="orders", columns=(day,)),))


def notes_of(
    rows: list[tuple[object, ...]], *, days: tuple[str, str], sql: str = MONTHLY, total: int | None = None
) -> tuple[str, ...]:
    columns = ("month", "total")
    run = QueryRun(sql=sql, source="shop", rows=len(rows), seconds=0.1, columns=columns)
    table = TableView(columns=columns, rows=tuple(rows), total=len(rows) if total is None else total)
    return describe_partial_periods(run, table, (catalog_of(*days),))


WHOLE: list[tuple[object, ...]] = [("2025-09", 5.0), ("2025-10", 6.0), ("2025-11", 2.0)]


def test_the_last_and_the_first_month_that_are_not_whole_are_said() -> None:
    assert notes_of(WHOLE, days=("2025-09-01", "2025-11-11")) == (
        "The last month is not complete: the data end on 2025-11-11.",
    )
    assert notes_of(WHOLE, days=("2025-09-20 08:00:00", "2025-11-30")) == (
        "The first month is not complete: the data begin on 2025-09-20.",
    )


@pytest.mark.parametrize(
    ("days", "rows"),
    [
        (("2025-09-01", "2025-11-30"), WHOLE),
        (("2025-09-02", "2025-11-28"), WHOLE),  # a holiday, a weekend
        (("2020-01-01", "2026-05-05"), WHOLE),  # a part of the data, of whole months
        (("2025-09-01", "2025-11-11"), WHOLE[:1]),  # one figure is not compared with others
    ],
)
def test_whole_months_are_not_doubted(days: tuple[str, str], rows: list[tuple[object, ...]]) -> None:
    assert notes_of(rows, days=days) == ()


def test_quarters_and_years_are_looked_at_as_months_are() -> None:
    quarterly = "SELECT strftime('%Y', day) || '-Q' || ((strftime('%m', day) + 2) / 3) AS month, 1 AS total FROM orders"
    rows: list[tuple[object, ...]] = [("2025-Q3", 5.0), ("2025-Q4", 6.0), ("2026-Q1", 6.0)]
    assert "last quarter" in notes_of(rows, days=("2025-07-01", "2026-02-03"), sql=f"{quarterly} GROUP BY 1")[0]
    yearly = "SELECT CAST(strftime('%Y', day) AS INTEGER) AS month, 1 AS total FROM orders GROUP BY 1"
    assert notes_of([(2024, 1.0), (2025, 2.0)], days=("2024-01-01", "2025-12-31"), sql=yearly) == ()


def test_a_date_that_stands_for_no_end_or_is_none_ends_no_period() -> None:
    for_ever: list[tuple[object, ...]] = [*WHOLE, ("9999-12", 1.0)]
    assert notes_of(for_ever, days=("2025-09-01", "9999-12-31")) == ()
    assert notes_of(WHOLE, days=("-infinity", "infinity")) == ()


def test_what_cannot_be_told_is_not_said() -> None:
    assert notes_of(WHOLE, days=("2025-09-01", "2025-11-11"), total=500) == ()
    assert notes_of(WHOLE, days=("2025-09-01", "2025-11-11"), sql="SELECT '2025-09' AS month, 1 AS total") == ()
    assert notes_of(WHOLE, days=("2025-09-01", "2025-11-11"), sql="not a query") == ()
