"""What was given away in discounts: a part of price times quantity, of the same sales that revenue counts."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from knowledge.documents import Metric

_SCRIPT = """
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, shop TEXT, sale_date DATE, status TEXT);
CREATE TABLE sale_line (line_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sale (sale_id), quantity INTEGER,
 returned_quantity INTEGER, unit_price REAL, discount REAL);
INSERT INTO sale VALUES (1, 'Ulm', '2025-03-01', 'done'), (2, 'Ulm', '2025-04-01', 'void'), (3, 'Jena', '2026-01-05', 'done');
INSERT INTO sale_line VALUES (1, 1, 2, 1, 10.0, 0.1), (2, 1, 1, 0, 50.0, 0.2), (3, 2, 4, 0, 25.0, 0.5),
 (4, 3, 3, 0, 20.0, 0.25);
"""
_REVENUE = Metric(
    name="revenue",
    expression="SUM(sale_line.quantity * sale_line.unit_price * (1 - sale_line.discount))",
    table="sale_line",
    joins=("sale",),
    filters=("sale.status <> 'void'",),
    date_column="sale.sale_date",
    unit_symbol="EUR",
    origin="metrics.yaml",
)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How much did we give away in discounts in 2025?", [(12.0,)]),
        ("what did we lose to discounts", [(27.0,)]),
        ("total discount by shop", [("Jena", 15.0), ("Ulm", 12.0)]),
        ("how much discount did we grant in 2026", [(15.0,)]),
    ],
)
def test_it_is_counted_as_revenue_is(opened, question, rows):
    analyst, con = opened("sales", _SCRIPT)
    informed = Analyst(analyst.catalogs, (_REVENUE,), date(2026, 11, 21))
    outcome = read(question, informed, ())
    assert isinstance(outcome, Understood), outcome
    assert con.execute(informed.sql(outcome.meaning, context=False)).fetchall() == [
        tuple(pytest.approx(v) if isinstance(v, float) else v for v in row) for row in rows
    ]


def test_the_average_discount_is_still_the_column(opened):
    analyst, con = opened("sales_too", _SCRIPT)
    outcome = read("average discount", analyst, ())
    assert isinstance(outcome, Understood), outcome
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchone() == pytest.approx((1.05 / 4,))
