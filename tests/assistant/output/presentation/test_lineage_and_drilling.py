"""Lineage says what a query reads and how it counts; the rows under a figure are exactly those that it counts."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import pytest
from sample_analyst import rows_of, sample_analyst

from assistant.analyst.outcomes import Understood
from assistant.core.events import Appearance
from assistant.output.presentation.columns import columns_of
from assistant.output.presentation.drawing import draw
from assistant.output.presentation.formats import shown
from assistant.output.presentation.kinds import axes_of
from assistant.output.presentation.shaping import shape
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


GROUPED = (
    "SELECT cylinders, AVG(mpg) AS mean FROM cars GROUP BY cylinders",
    "SELECT c.cylinders, AVG(c.mpg) AS mean FROM cars AS c GROUP BY 1 ORDER BY 2",
    "WITH g AS (SELECT cylinders, AVG(mpg) AS mean FROM cars GROUP BY cylinders) SELECT * FROM g",
    "WITH g AS (SELECT cylinders, AVG(mpg) AS mean FROM cars GROUP BY 1) SELECT g.cylinders, ROUND(g.mean, 1) AS mean FROM g",
    "SELECT s.cylinders, s.mean FROM (SELECT cylinders, AVG(mpg) AS mean FROM cars GROUP BY cylinders) AS s",
    "SELECT year + 1900 AS cylinders, MAX(mpg) AS mean FROM cars GROUP BY year + 1900",
    "SELECT ROUND(weight / 500) * 500 AS cylinders, COUNT(*) AS mean FROM cars GROUP BY cylinders",
)
"""Queries of which the first column is a whole number that the rows are grouped by, as models write them."""


@pytest.mark.parametrize("sql", GROUPED)
def test_a_whole_number_that_rows_are_grouped_by_is_a_group_and_is_never_added_up(sql: str) -> None:
    rows = Rows(("cylinders", "mean"), ((8, 14.9), (4, 29.3), (6, 20.0), (3, 20.5), (5, 27.4)), 5)
    columns = columns_of(rows, told_of(rows.columns, trace_lineage(sql, "sqlite"), ()))
    assert (columns[0].role, columns[0].additive) == ("category", False)
    assert columns[1].role == "measure"
    chart = draw(shape(rows, columns, Appearance()), Appearance())
    assert chart is not None
    assert chart.kind == "bar"
    assert [value["tx"] for value in sorted(chart.specification["data"]["values"], key=lambda v: v["x"])] == list(
        "34568"
    )


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("model_year", (1970, 1971, 1972), "time"),
        ("rating", (1, 2, 3), "category"),
        ("doors", (2, 4, 5), "category"),
        ("postal_code", (10115, 20095, 80331), "category"),
        ("price", (9.99, 12.5, 20.0), "category"),
    ],
)
def test_every_kind_of_number_that_rows_are_grouped_by_is_a_group(
    name: str, values: tuple[float, ...], role: str
) -> None:
    sql = f"SELECT {name}, region, COUNT(*) AS cars FROM cars GROUP BY {name}, region"
    rows = Rows((name, "region", "cars"), tuple((v, r, 3) for v in values for r in ("N", "S")), 6)
    columns = columns_of(rows, told_of(rows.columns, trace_lineage(sql, "sqlite"), ()))
    assert [column.role for column in columns] == [role, "category", "measure"]
    assert [shown(value, columns[0]) for value in values] == [f"{value:g}" for value in values]
    axes = axes_of(shape(rows, columns, Appearance()))
    assert axes is not None
    assert not axes.raw, "drawn along both groups, not as points"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT cylinders, mpg FROM cars",
        "SELECT SUM(cylinders) AS cylinders, origin FROM cars GROUP BY origin",
        "WITH a AS (SELECT cylinders FROM b), b AS (SELECT cylinders FROM a) SELECT cylinders FROM a",
    ],
)
def test_what_no_rows_are_grouped_by_stays_a_figure(sql: str) -> None:
    lineage = trace_lineage(sql, "sqlite")
    assert lineage is not None
    assert not lineage.by_name["cylinders"].is_group


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
