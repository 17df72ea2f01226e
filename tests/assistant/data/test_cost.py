"""A query that would take very long is known by its plan; an ordinary question is not mistaken for one."""

from __future__ import annotations

import pytest

from assistant.data.cost import estimate

ROWS: dict[str, int | None] = {"a": 100_000, "x": 100_000, "b": 50_000, "v": None}


@pytest.mark.parametrize(
    ("plan", "rows"),
    [
        ("SCAN a", 100_000),
        ("SCAN a\nSCAN b", 5_000_000_000),
        ("SCAN x\nSCAN b", 5_000_000_000),
        ("SCAN b\nSEARCH a USING INTEGER PRIMARY KEY (rowid=?)", 50_000),
        ("SCAN a\nLIST SUBQUERY 1\n  SCAN b", 150_000),
        ("SCAN a\nCORRELATED SCALAR SUBQUERY 1\n  SCAN b", 5_000_000_000),
        ("SCAN a\nCORRELATED SCALAR SUBQUERY 1\n  SEARCH b USING INDEX i (y=?)", 100_000),
        ("COMPOUND QUERY\n  LEFT-MOST SUBQUERY\n    SCAN a\n  UNION ALL\n    SCAN b", 150_000),
        ("SCAN v\nSCAN CONSTANT ROW", 1),
        ("", 0),
    ],
)
def test_sqlite_scans_beside_each_other_are_loops_in_each_other(plan: str, rows: int) -> None:
    found = estimate(plan, dialect="sqlite", rows=ROWS)
    assert found is not None
    assert (found.rows, found.expensive) == (rows, rows >= 5_000_000_000)


@pytest.mark.parametrize(
    ("plan", "rows"),
    [
        ("Nested Loop  (cost=0.00..62500000.00 rows=5000000000 width=8)\n  ->  Seq Scan on a  (rows=7)", 5 * 10**9),
        ("Aggregate  (cost=62500000.00..62500000.01 rows=1 width=8)\n  ->  Nested Loop  (rows=5000000000)", 5 * 10**9),
        ("Limit  (cost=0.00..0.13 rows=10 width=8)\n  ->  Nested Loop  (cost=0.00..62500000 rows=5000000000)", 13),
        ("Seq Scan on a  (cost=0.00..1443.00 rows=100000 width=4)", 100_000),
    ],
)
def test_postgres_rows_count_only_where_the_plan_makes_them(plan: str, rows: int) -> None:
    found = estimate(plan, dialect="postgres", rows={})
    assert found is not None
    assert found.rows == rows


def test_mysql_lines_of_one_select_are_multiplied() -> None:
    plan = (
        "1 SIMPLE a index None PRIMARY 4 None 100000 Using index\n"
        "1 SIMPLE b ALL None None None None 50000 Using where; Using join buffer (flat, BNL join)"
    )
    found = estimate(plan, dialect="mysql", rows={})
    assert found is not None
    assert found.rows == 5_000_000_000
    assert found.text == "About 5 billion row combinations"
    keyed = estimate(
        "1 SIMPLE a ALL None None None None 100000 None\n1 SIMPLE b eq_ref PRIMARY PRIMARY 4 db.a.b 1 None",
        dialect="mysql",
        rows={},
    )
    assert keyed is not None
    assert (keyed.rows, keyed.expensive) == (100_000, False)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "mysql", "trino"])
def test_a_plan_that_says_nothing_gives_no_estimate(dialect: str) -> None:
    assert estimate("who knows", dialect=dialect, rows={}) is None
