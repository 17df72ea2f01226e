"""What is overdue, unpaid, late, expired or discontinued where a flag, an amount or a day in the past tells it. A library
of tools, checked by hand-written SQL."""

from __future__ import annotations

import pytest

_TOOLS = """
CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, tool_name TEXT NOT NULL, active INTEGER NOT NULL, permit_valid_until DATE);
CREATE TABLE errand (errand_no INTEGER PRIMARY KEY, helper TEXT NOT NULL, due_date DATE NOT NULL, done INTEGER NOT NULL);
CREATE TABLE charge (charge_no INTEGER PRIMARY KEY, tool_id INTEGER NOT NULL REFERENCES tool (tool_id), due_on DATE NOT NULL,
    total REAL NOT NULL, paid_amount REAL NOT NULL);
CREATE TABLE parcel (parcel_no INTEGER PRIMARY KEY, promised_dt DATE NOT NULL, ship_dt DATE);
INSERT INTO tool VALUES (1, 'drill', 1, '2026-01-01'), (2, 'saw', 0, '2027-05-05'), (3, 'plane', 1, NULL);
INSERT INTO errand VALUES (1, 'Ann', '2026-03-01', 1), (2, 'Ann', '2026-04-01', 0), (3, 'Bea', '2026-12-24', 0), (4, 'Bea', '2026-02-02', 0);
INSERT INTO charge VALUES (1, 1, '2026-05-01', 40, 40), (2, 1, '2026-12-31', 60, 20), (3, 3, '2026-06-01', 30, 0);
INSERT INTO parcel VALUES (1, '2026-02-01', '2026-02-03'), (2, '2026-02-01', '2026-01-30'), (3, '2026-03-01', NULL);
"""


@pytest.fixture(scope="module")
def tools(opened):
    return opened("tools", _TOOLS)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("discontinued tools", "SELECT tool_name FROM tool WHERE active = 0"),
        ("expired tools", "SELECT tool_name FROM tool WHERE tool_id = 1"),
        ("which tools are still valid?", "SELECT tool_name FROM tool WHERE tool_id > 1"),
        ("overdue errands by helper", "SELECT helper, COUNT(*) FROM errand WHERE errand_no IN (2, 4) GROUP BY 1"),
        ("open errands", "SELECT errand_no FROM errand WHERE done = 0"),
        ("unpaid charges", "SELECT charge_no FROM charge WHERE charge_no > 1"),
        ("which charges are overdue?", "SELECT 3"),
        ("how many parcels went out late?", "SELECT 1"),
        ("overdue parcels", "SELECT 3"),
    ],
)
def test_what_is_due_and_not_done(tools, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(tools, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql
