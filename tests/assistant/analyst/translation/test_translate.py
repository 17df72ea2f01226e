"""SQL as models and people write it: read where it computes what chips compute, else refused with what stands against it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from sample_analyst import AS_OF, sample_analyst

from assistant.analyst.interpretation.interpretation import interpret
from assistant.analyst.source import AnalystSource
from assistant.analyst.translation.queries import translate
from assistant.analyst.translation.templates import Untranslatable
from assistant.sample.company import write_sample

assert isinstance(AS_OF, date)


@pytest.fixture(scope="module")
def data() -> AnalystSource:
    (source,) = sample_analyst().sources.values()
    return source


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    made = write_sample(tmp_path_factory.mktemp("sample"), as_of=AS_OF)
    connection = sqlite3.connect(made.database)
    yield connection
    connection.close()


READ = (
    "SELECT city, COUNT(*) AS n FROM customers GROUP BY city ORDER BY n DESC, city LIMIT 3",
    "SELECT c.city, COUNT(o.order_id) FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.city",
    "SELECT c.segment, COUNT(DISTINCT o.customer_id) n FROM customers c, orders o WHERE c.customer_id = o.customer_id"
    " AND o.order_date >= '2025-01-01' AND o.order_date < '2026-01-01' GROUP BY 1 HAVING COUNT(*) > 5 ORDER BY 2 DESC",
    "SELECT p.name, SUM(l.quantity * l.unit_price) AS gross FROM order_lines l"
    " JOIN products p USING (product_id) GROUP BY p.name",
    "SELECT strftime('%Y-%m', order_date) AS month, COUNT(*) FROM orders WHERE status <> 'cancelled' GROUP BY month",
    "SELECT status, SUM(quantity) - SUM(returned_quantity) AS sold, COUNT(DISTINCT product_id) FROM order_lines JOIN orders USING"
    " (order_id) WHERE (discount > 0.1 OR NOT quantity BETWEEN 2 AND 4) AND unit_price + 1 <> 3 GROUP BY status",
    "SELECT COUNT(*) FROM orders WHERE order_date BETWEEN '2025-01-01' AND '2025-03-31'"
    " AND strftime('%m', order_date) IN ('01', '02') AND store_id IS NOT NULL",
    "SELECT order_date, channel FROM orders WHERE status IN ('shipped', 'cancelled') AND order_date > '2024-01-01'"
    " ORDER BY order_id DESC LIMIT 5",
)


@pytest.mark.parametrize("sql", READ)
def test_what_is_read_gives_the_same_rows(sql: str, data: AnalystSource, database: sqlite3.Connection) -> None:
    read = translate(sql, data)
    chips = interpret(read.query, data)
    assert chips.computed is None
    expected, rows = (sorted(map(repr, database.execute(s).fetchall())) for s in (sql, chips.sql))
    assert rows == expected


REFUSED = {
    "SELECT city FROM customers UNION ALL SELECT name FROM products": "one below the other",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT x FROM n": "do not show",
    "SELECT c.city, SUM(l.quantity) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id"
    " LEFT JOIN order_lines l ON l.order_id = o.order_id GROUP BY c.city": "count several times",
    "SELECT c.city FROM orders o JOIN customers c ON o.order_id = c.customer_id": "keys",
    "SELECT city, upper(name) FROM customers": "do not show",
    "SELECT city, COUNT(*) FROM customers GROUP BY ROLLUP (city)": "do not show",
    "SELECT nothing FROM customers": "no column",
    "SELECT city, name, COUNT(*) FROM customers GROUP BY city": "neither grouped by nor aggregated",
    "SELECT 1": "reads no table",
    "SELECT SUM(quantity / 2) FROM order_lines": "do not show",
    "SELECT SUM(quantity) + SUM(unit_price) FROM order_lines": "no figure that chips have",
    "SELECT strftime('%j', order_date) FROM orders": "no value that chips have",
    "SELECT COUNT(DISTINCT city, name) FROM customers": "several columns together",
    "SELECT name FROM customers LIMIT 1 + 1": "do not cut",
    "SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id AND o.status = 'x'": "beside its keys",
    "SELECT RANK() OVER (ORDER BY order_date RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders": "do not show",
}


@pytest.mark.parametrize(("sql", "reason"), REFUSED.items())
def test_what_chips_do_not_compute_is_refused_with_the_reason(sql: str, reason: str, data: AnalystSource) -> None:
    with pytest.raises(Untranslatable, match=reason):
        translate(sql, data)


def test_a_metric_and_a_rule_are_known_by_their_sql(data: AnalystSource) -> None:
    sql = (
        "SELECT g.name, SUM(l.quantity * l.unit_price * (1 - l.discount) - l.refunded) AS net FROM order_lines l"
        " JOIN orders o USING (order_id) JOIN products p USING (product_id) JOIN categories g USING (category_id)"
        " WHERE o.status <> 'cancelled' AND o.order_date >= '2025-01-01' AND o.order_date < '2026-01-01' GROUP BY g.name"
    )
    chips = interpret(translate(sql, data).query, data).chips
    assert list(map(str, chips)) == [
        "Measure: net revenue",
        "Group by: category",
        "Filter: Cancelled orders never count",
        "Period: order date in 2025",
    ]


def test_a_period_that_is_compared_as_its_first_day_is_refused(data: AnalystSource) -> None:
    duckdb = AnalystSource(replace(data.catalog, dialect="duckdb"), (), data.today)
    assert translate("SELECT date_trunc('month', order_date), COUNT(*) FROM orders GROUP BY 1", duckdb)
    with pytest.raises(Untranslatable, match="compared as a day"):
        translate("SELECT COUNT(*) FROM orders WHERE date_trunc('month', order_date) = '2025-03-01'", duckdb)
