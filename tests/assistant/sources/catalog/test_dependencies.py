"""What a file tells again on each row of one thing: found by its values, and only where enough of them agree."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from assistant.sources.engines.duckdb_catalog import read_catalog


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def _settled(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    (table,) = read_catalog(con, source="lines").tables
    return {c.name: c.profile.determined_by for c in table.columns if c.profile is not None and c.profile.determined_by}


def _lines(con: duckdb.DuckDBPyConnection, more: str = "", things: int = 60, key: str = "") -> None:
    """The lines of orders, three each: their freight is told three times, their prices differ."""
    con.execute(
        f"CREATE TABLE lines AS SELECT r{key}, r // 3 AS order_no, (r // 3) % 17 + 0.5 AS freight,"
        f" (r // 3) % 7 AS customer_id, r % 11 AS price{more} FROM range({things * 3}) t(r)"
    )


def test_what_all_lines_of_an_order_have_is_the_orders(con: duckdb.DuckDBPyConnection) -> None:
    _lines(con)
    assert _settled(con) == {"freight": "order_no", "customer_id": "order_no"}


def test_one_line_that_differs_settles_nothing(con: duckdb.DuckDBPyConnection) -> None:
    _lines(con)
    con.execute("UPDATE lines SET freight = 99 WHERE r = 4")
    assert "freight" not in _settled(con)


def test_a_line_without_a_value_differs(con: duckdb.DuckDBPyConnection) -> None:
    _lines(con)
    con.execute("UPDATE lines SET freight = NULL WHERE r = 4")
    assert "freight" not in _settled(con)


def test_an_order_without_any_value_does_not(con: duckdb.DuckDBPyConnection) -> None:
    _lines(con)
    con.execute("UPDATE lines SET freight = NULL WHERE order_no = 4")
    assert _settled(con)["freight"] == "order_no"


def test_the_fewest_things_settle_what_several_do(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE TABLE lines AS SELECT r // 3 AS order_no, (r // 3) % 25 AS customer_id, (r // 3) % 25 % 4 AS discount_class"
        " FROM range(300) t(r)"
    )
    assert _settled(con)["discount_class"] == "customer_id"


def test_few_things_may_agree_by_chance(con: duckdb.DuckDBPyConnection) -> None:
    _lines(con, things=15)
    assert _settled(con) == {}


def test_a_declared_key_says_whose_the_rows_are(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE lines (r INTEGER PRIMARY KEY, order_no INTEGER, freight DOUBLE)")
    con.execute("INSERT INTO lines SELECT r, r // 3, (r // 3) % 17 FROM range(180) t(r)")
    assert _settled(con) == {}


def test_names_with_quotes_are_read(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        'CREATE TABLE lines AS SELECT r // 3 AS "Order ""No""", (r // 3) % 17 AS "the \'freight\'" FROM range(180) t(r)'
    )
    assert set(_settled(con)) <= {"the 'freight'"}
    con.execute('ALTER TABLE lines RENAME "Order ""No""" TO "My ""Order No"')
    assert _settled(con) == {"the 'freight'": 'My "Order No'}
