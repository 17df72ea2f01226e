"""Running totals are found from values that never fall along the dates of a table."""

from __future__ import annotations

import duckdb
import pytest

from assistant.sources.engines.duckdb_catalog import read_catalog

DAYS = "CAST(DATE '2024-10-01' + INTERVAL (d) DAY AS DATE) AS day"


def running(select: str) -> set[str]:
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE rides AS {select}")
        (table,) = read_catalog(con, source="rides").tables
    return {column.name for column in table.columns if column.profile is not None and column.profile.running}


def test_what_rises_from_day_to_day_is_a_running_total() -> None:
    assert running(f"SELECT {DAYS}, d * 7 AS total, d % 7 AS trips FROM range(40) t(d) ORDER BY d % 9") == {"total"}


@pytest.mark.parametrize(
    "total",
    [
        "CASE WHEN d = 20 THEN 0 ELSE d * 7 END",  # falls once
        "d // 8 + 30 * (d // 32)",  # stands still in most steps
        "d % 15 * 10",  # begins anew
    ],
)
def test_what_falls_or_hardly_rises_is_none(total: str) -> None:
    assert running(f"SELECT {DAYS}, {total} AS total FROM range(40) t(d)") == set()


def test_few_days_prove_nothing() -> None:
    assert running(f"SELECT {DAYS}, d * 7 AS total FROM range(15) t(d)") == set()


def test_groups_run_each_by_themselves() -> None:
    places = "(VALUES ('a', 100), ('b', 1)) p(place, size), range(30) t(d)"
    assert running(f"SELECT {DAYS}, place, d * size AS total, d % 5 + size AS trips FROM {places}") == {"total"}


def test_several_rows_of_one_day_have_no_order() -> None:
    assert running(f"SELECT {DAYS}, d * 7 + n AS total FROM range(40) t(d), range(3) s(n)") == set()
