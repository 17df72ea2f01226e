"""A file that tells on each of its lines what an order came to: the value counts once for each order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

import duckdb
import pytest

from assistant.analyst.algebra import Aggregate, Column, Grouped, Rows
from assistant.analyst.analyst import Analyst
from assistant.analyst.checking import problems
from assistant.analyst.outcomes import Understood
from assistant.analyst.repeated import counted_once
from assistant.data.adapters.duckdb_catalog import read_catalog

Export = tuple[Analyst, duckdb.DuckDBPyConnection]
ORDERS = 'SELECT DISTINCT "Order No", "Order Date", Customer, Country, Freight FROM export'


@pytest.fixture(scope="module")
def export() -> Iterator[Export]:
    random.seed(8)
    with duckdb.connect() as con:
        con.execute(
            'CREATE TABLE export ("Order No" INTEGER, "Order Date" DATE, Customer VARCHAR, Country VARCHAR,'
            " Product VARCHAR, Quantity INTEGER, Freight DOUBLE)"
        )
        for number in range(1, 121):
            day, who = date(2026, 1, 3) + timedelta(days=random.randrange(300)), random.randrange(26)
            order = (number, day, f"Client {who:02}", ("Italy", "Malta", "Spain")[who % 3])
            freight = round(random.uniform(4, 90), 2)
            for name in random.sample(("Tea", "Coffee", "Cocoa", "Honey"), random.randrange(1, 5)):
                con.execute(
                    "INSERT INTO export VALUES (?, ?, ?, ?, ?, ?, ?)", [*order, name, random.randrange(1, 6), freight]
                )
        yield Analyst([read_catalog(con, source="export")], (), date(2026, 11, 21)), con


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total freight", f"SELECT SUM(Freight) FROM ({ORDERS})"),
        ("total freight by country", f"SELECT Country, SUM(Freight) FROM ({ORDERS}) GROUP BY 1"),
        ("average freight by country", f"SELECT Country, AVG(Freight) FROM ({ORDERS}) GROUP BY 1"),
        ("total freight in Italy", f"SELECT SUM(Freight) FROM ({ORDERS}) WHERE Country = 'Italy'"),
    ],
)
def test_a_value_of_the_order_counts_once_for_each_order(export: Export, question: str, sql: str) -> None:
    analyst, con = export
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    found = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert _rounded(found) == _rounded(con.execute(sql).fetchall())


def test_what_is_of_the_lines_counts_on_each_line(export: Export) -> None:
    analyst, con = export
    outcome = analyst.read("total quantity by product")
    assert isinstance(outcome, Understood)
    found = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert _rounded(found) == _rounded(con.execute("SELECT Product, SUM(Quantity) FROM export GROUP BY 1").fetchall())


def test_a_part_of_the_order_has_no_part_of_its_freight(export: Export) -> None:
    schema = export[0].sources["export"].schema
    freight = Aggregate("sum", Column("export", "Freight"))
    by_product = Grouped(Rows("export"), (Column("export", "Product"),), (freight,))
    assert counted_once(by_product, schema) is None
    assert any("several times" in problem for problem in problems(by_product, schema))
    assert not isinstance(export[0].read("total freight by product"), Understood)


def _rounded(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows)
