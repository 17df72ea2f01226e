"""Lineage says what a query reads and how it counts; the rows under a figure are exactly those that it counts."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import pytest
from sample_analyst import rows_of, sample_analyst

from assistant.analyst.outcomes import Understood
from assistant.output.presentation.columns import columns_of
from assistant.output.presentation.units import told_of
from assistant.query.drilling import make_drill_query
from assistant.query.lineage import draw_lineage, trace_lineage

SQL = """SELECT r.name AS region, COUNT(*) AS orders, ROUND(SUM(o.amount), 2) AS revenue, AVG(o.amount) AS mean
FROM orders AS o LEFT JOIN regions AS r ON r.id = o.region_id
WHERE o.status <> 'cancelled' AND o.amount > 1 GROUP BY r.name HAVING COUNT(*) > 0 ORDER BY revenue DESC LIMIT 10"""


class Metric:
    name, synonyms, unit, unit_symbol = "net revenue", ("revenue",), "currency", "EUR"


class Rows(NamedTuple):
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int


@pytest.fixture
def shop() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE regions (id INTEGER, name TEXT)")
    db.execute("CREATE TABLE orders (id INTEGER, region_id INTEGER, amount REAL, status TEXT)")
    db.executemany("INSERT INTO regions VALUES (?, ?)", [(1, "North"), (2, "South")])
    rows = [(n, (1, 2, None)[n % 3], float(n), "cancelled" if n % 5 == 0 else "done") for n in range(60)]
    db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
    return db


def test_lineage_names_tables_joins_conditions_and_figures() -> None:
    lineage = trace_lineage(SQL, "sqlite")
    assert lineage is not None
    assert lineage.tables == ("orders", "regions")
    assert (lineage.joins[0].kind, lineage.joins[0].on) == ("LEFT", "r.id = o.region_id")
    assert "all rows of what stands before" in lineage.joins[0].effect
    assert lineage.filters == ("o.status <> 'cancelled'", "o.amount > 1", "COUNT(*) > 0")
    assert [one.aggregate for one in lineage.outputs] == ["", "count", "sum", "average"]
    assert lineage.groups == ("region",)
    assert lineage.limit == 10


def test_figures_have_their_units_whoever_wrote_the_query() -> None:
    told = told_of(("region", "orders", "revenue", "mean"), trace_lineage(SQL, "sqlite"), [Metric()])
    assert (told["revenue"].unit, told["revenue"].symbol, told["revenue"].additive) == ("currency", "EUR", True)
    assert told["orders"].unit == "count"
    assert told["mean"].additive is False


def test_the_picture_is_dot_and_escapes_names() -> None:
    lineage = trace_lineage('SELECT COUNT(*) AS n FROM "a""b"', "sqlite")
    assert lineage is not None
    dot = draw_lineage(lineage, rows={'a"b': 5}, result="Rows")
    assert dot.startswith("digraph")
    assert 'a\\"b\\n5 rows' in dot


def test_the_picture_breaks_long_names_so_that_it_stays_narrow() -> None:
    lineage = trace_lineage("SELECT region, COUNT(*) AS n FROM orders GROUP BY region", "sqlite")
    assert lineage is not None
    dot = draw_lineage(
        lineage, rows={}, result="Net revenue by region and month, without the orders that were returned"
    )
    (label,) = [line for line in dot.splitlines() if line.startswith("result [")]
    assert 'label="Net revenue by\\nregion and month,\\n' in label
    lines = label.partition('label="')[2].partition('"')[0].split("\\n")
    assert max(map(len, lines)) <= 18
    assert len(lines) == 4, "three of the title, one of what it is grouped by"


@pytest.mark.parametrize("sql", ["not sql at all (", "INSERT INTO a VALUES (1)", ""])
def test_what_cannot_be_read_has_no_lineage(sql: str) -> None:
    assert trace_lineage(sql, "sqlite") is None


def test_the_rows_under_each_figure_are_those_it_counts(shop: sqlite3.Connection) -> None:
    found = shop.execute(SQL)
    names = [column[0] for column in found.description]
    for row in found.fetchall():
        made = dict(zip(names, row, strict=True))
        found_under = make_drill_query(SQL, "sqlite", made)
        assert found_under is not None
        under = shop.execute(found_under.sql)
        columns = [column[0] for column in under.description]
        rows = under.fetchall()
        assert len(rows) == made["orders"]
        assert sum(one[columns.index("amount")] for one in rows) == pytest.approx(made["revenue"])


def test_a_key_that_the_result_does_not_show_stands_in_the_rows_under_a_figure(shop: sqlite3.Connection) -> None:
    sql = SQL.replace("GROUP BY r.name", "GROUP BY r.id, r.name")
    assert make_drill_query(sql, "sqlite", {"region": "North"}) is None, "a group of which nothing is known"
    found = make_drill_query(sql, "sqlite", {"region": "North"}, keys=("regions.id", "orders.region_id"))
    assert found is not None
    assert found.apart == ("id",)
    under = shop.execute(found.sql)
    columns = [column[0] for column in under.description]
    assert {row[-1] for row in under.fetchall()} == {"North"}
    assert columns[-2:] == ["id", "region"]


def test_the_rows_under_each_region_of_the_sample_add_up_to_its_figure() -> None:
    outcome = sample_analyst().read("net revenue by region in 2025")
    assert isinstance(outcome, Understood)
    sql = sample_analyst().sql(outcome.meaning)
    for region, revenue in rows_of(sql):
        found = make_drill_query(sql, "sqlite", {"region": region}, keys=("regions.region_id",), rows_max=100_000)
        assert found is not None
        ((total,),) = rows_of(f"SELECT SUM(quantity * unit_price * (1 - discount) - refunded) FROM ({found.sql})")
        assert total == pytest.approx(revenue)
        assert "LEFT JOIN" not in found.sql, "the review warns of outer joins whose rows a condition drops again"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT region, amount FROM sales",
        "SELECT region, SUM(amount) OVER () AS s, COUNT(*) FROM sales GROUP BY region",
        "SELECT SUM(amount) AS s FROM sales GROUP BY region",
        "SELECT 1 UNION SELECT 2",
    ],
)
def test_no_rows_are_invented_under_what_adds_nothing_up(sql: str) -> None:
    assert make_drill_query(sql, "sqlite", {"region": "North", "s": 1}) is None


def test_values_in_a_row_cannot_change_the_query() -> None:
    found = make_drill_query("SELECT region, SUM(a) AS s FROM t GROUP BY region", "sqlite", {"region": "x' OR '1'='1"})
    assert found is not None
    assert "'x'' OR ''1''=''1'" in found.sql


def test_keys_are_no_figures_however_they_are_called() -> None:
    columns, keys = ("n", "ship_via", "freight"), ("orders.n", "orders.ship_via")
    rows = Rows(columns, ((1, 3, 4.5), (2, 1, 2.5)), 2)

    def roles(sql: str) -> list[str]:
        return [one.role for one in columns_of(rows, told_of(columns, trace_lineage(sql, "sqlite"), [], keys))]

    assert roles("SELECT * FROM orders") == ["identifier", "identifier", "measure"]
    assert roles("SELECT o.n, o.ship_via, o.freight FROM orders AS o") == ["identifier", "identifier", "measure"]
    assert roles("SELECT COUNT(*) AS n, ship_via, SUM(freight) AS freight FROM orders GROUP BY ship_via") == [
        "measure",
        "identifier",
        "measure",
    ]
    assert roles("SELECT n, ship_via * 2 AS ship_via, freight FROM lists") == ["measure", "measure", "measure"]
