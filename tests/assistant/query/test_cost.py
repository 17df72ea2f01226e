"""A query that would take very long is known by its plan; an ordinary question is not mistaken for one."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.query.cost import EXPENSIVE_ROWS, estimate
from assistant.query.recursion import find_bounds
from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source

ROWS: dict[str, int | None] = {"a": 100_000, "x": 100_000, "b": 50_000, "two words": 2_155, "v": None}


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
        ("MATERIALIZE s\n  SCAN Two Words USING INDEX autoindex_Two Words_1\nSCAN s", 2_156),
        ("CO-ROUTINE s\n  SEARCH a USING INDEX i (day>? AND day<?)\n  SEARCH b USING INDEX j (x=?)\nSCAN s", 25_001),
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
    assert found.text.startswith("By its own plan, the database would go through about 5 billion combinations of rows.")
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


COUNT = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n{where}) SELECT count(*) FROM n{more}"
WALK = (
    "WITH RECURSIVE t(id) AS (SELECT id FROM emp WHERE boss IS NULL"
    " UNION ALL SELECT e.id FROM emp e JOIN t ON e.boss = t.id) SELECT count(*) FROM t"
)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("sql", "rows", "expensive"),
    [
        (COUNT.format(where=" WHERE i < 1000", more=""), 1_000, False),
        (COUNT.format(where=" WHERE i < 900000000", more=""), 900_000_000, True),
        (COUNT.format(where="", more=""), EXPENSIVE_ROWS, True),
        (WALK, None, False),
        ("WITH n AS (SELECT id FROM emp) SELECT count(*) FROM n", None, False),
    ],
)
def test_rows_that_a_query_makes_by_itself_are_read_off_the_query(
    kind: str, sql: str, rows: int | None, expensive: bool, tmp_path: Path
) -> None:
    path = tmp_path / f"a.{kind}"
    script = "CREATE TABLE emp (id INTEGER, boss INTEGER); INSERT INTO emp VALUES (1, NULL), (2, 1), (3, 1);"
    if kind == "sqlite":
        with closing(sqlite3.connect(path)) as con:
            con.executescript(script)
    else:
        with duckdb.connect(str(path)) as con:
            con.execute(script)

    async def work() -> str:
        source = await open_source(addresses(str(path), PERSON)[0], folder=tmp_path)
        try:
            return await source.explain(sql)
        finally:
            await source.close()

    found = estimate(asyncio.run(work()), dialect=kind, rows={"emp": 3, "e": 3})
    assert found is not None
    assert found.expensive == expensive
    assert rows is None or rows <= found.rows <= 3 * rows


def test_a_filtered_scan_looks_at_the_whole_table_and_is_not_expensive_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute('CREATE TABLE "the.days" AS SELECT range AS day FROM range(337)')

    async def work() -> str:
        source = await open_source(addresses(str(path), PERSON)[0], folder=tmp_path)
        try:
            return await source.explain('SELECT count(*) FROM "the.days" WHERE day > 300')
        finally:
            await source.close()

    plan = asyncio.run(work())
    found = estimate(plan, dialect="duckdb", rows={"the.days": 337})
    assert found is not None
    assert found.text == "Looks at about 337 rows."
    long = estimate(plan, dialect="duckdb", rows={"the.days": 2 * EXPENSIVE_ROWS})
    assert long is not None
    assert not long.expensive


def test_rows_made_by_the_query_are_multiplied_where_sqlite_loops_over_them() -> None:
    plan = "CO-ROUTINE n\n  SETUP\n    SCAN CONSTANT ROW\n  RECURSIVE STEP\n    SCAN n\nSCAN n\nSCAN a\n-- RECURSIVE n 10000"
    found = estimate(plan, dialect="sqlite", rows=ROWS)
    assert found is not None
    assert found.rows >= 1_000_000_000


@pytest.mark.parametrize(
    ("sql", "bound"),
    [
        ("WITH RECURSIVE d AS (SELECT '2024-01-01' AS d UNION ALL SELECT date(d, '+1 day') FROM d WHERE d < '2024-12-31') SELECT * FROM d", "untold"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40) SELECT * FROM n", "40"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 <= 12) SELECT * FROM n AS m", "12"),
        ("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE 1 = 1) SELECT * FROM n", "endless"),
        ("WITH RECURSIVE w(r) AS (SELECT 'a,b' UNION ALL SELECT substr(r, 2) FROM w WHERE r IS NOT NULL) SELECT * FROM w", "untold"),
        ("WITH RECURSIVE t(id) AS (SELECT 1 UNION SELECT e.id FROM emp e JOIN t ON e.boss = t.id) SELECT * FROM t", "finding"),
    ],
)  # fmt: skip
def test_what_bounds_a_recursion(sql: str, bound: str) -> None:
    assert set(find_bounds(sql, "sqlite").values()) == {bound}


@pytest.mark.parametrize(
    ("plan", "dialect", "told", "never"),
    [
        (
            "-- RECURSIVE n endless",
            "sqlite",
            "No estimate is possible: .*nothing in it says when to stop.*LIMIT",
            "join",
        ),
        ("-- RECURSIVE n 900000000", "trino", "until it has made about 900 million rows", "join|own plan"),
        ("-- RECURSIVE t finding", "sqlite", "No estimate is possible: .*for as long as that finds rows", "about 0"),
        ("SCAN emp\n-- RECURSIVE t finding", "sqlite", "one round looks at about 100,000 rows", "join"),
        ("-- RECURSIVE d untold", "mysql", "No estimate is possible: .*shows only while it runs", "50,000"),
        ("-- RECURSIVE n 40", "duckdb", "^Looks at about 40 rows.$", "No estimate"),
    ],
)
def test_a_person_is_told_the_estimate_or_why_there_is_none(plan: str, dialect: str, told: str, never: str) -> None:
    found = estimate(plan, dialect=dialect, rows={"emp": 100_000})
    assert found is not None
    assert re.search(told, found.text), found.text
    assert not re.search(never, found.text), found.text
    assert found.text.endswith((".", "?"))
