"""Words for figures that no column is called by: margin, tenure, hours of outage, the share of one kind.

The data are a ferry line's kiosk, where sales have a cost and a discount, and its ships with their repairs and crew.
Every answer is checked by hand-written SQL.
"""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import NotUnderstood

_TODAY = date(2026, 6, 15)
_KIOSK = """
CREATE TABLE dim_calendar (calendar_key INTEGER PRIMARY KEY, full_date DATE NOT NULL);
CREATE TABLE dim_ware (
    ware_key INTEGER PRIMARY KEY, ware_name TEXT NOT NULL, ware_group TEXT NOT NULL, unit_cost REAL NOT NULL);
CREATE TABLE fact_sales (
    sale_key INTEGER PRIMARY KEY, calendar_key INTEGER NOT NULL REFERENCES dim_calendar,
    ware_key INTEGER NOT NULL REFERENCES dim_ware, quantity INTEGER NOT NULL, unit_price REAL NOT NULL,
    discount_amount REAL NOT NULL);
INSERT INTO dim_calendar VALUES (1, '2025-03-01'), (2, '2025-09-09'), (3, '2026-01-05');
INSERT INTO dim_ware VALUES (1, 'Rope', 'deck', 2), (2, 'Lamp', 'deck', 9), (3, 'Soup', 'galley', 1), (4, 'Bun', 'galley', 0.5);
INSERT INTO fact_sales VALUES
    (1, 1, 1, 5, 4, 2), (2, 1, 2, 1, 20, 0), (3, 2, 3, 10, 3, 4.5), (4, 3, 4, 6, 1.5, 0), (5, 3, 1, 2, 4, 0);
"""
_FLEET = """
CREATE TABLE ships (ship_id INTEGER PRIMARY KEY, ship_name TEXT NOT NULL, port TEXT NOT NULL, built_year INTEGER NOT NULL);
CREATE TABLE workers (
    worker_id INTEGER PRIMARY KEY, worker_name TEXT NOT NULL, sex TEXT NOT NULL, contract TEXT NOT NULL,
    ship_id INTEGER NOT NULL REFERENCES ships, birth_date DATE NOT NULL, hired_on DATE NOT NULL, termination_date DATE);
CREATE TABLE outages (
    outage_id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ships, reason TEXT NOT NULL,
    started_at TIMESTAMP NOT NULL, ended_at TIMESTAMP NOT NULL, stage TEXT NOT NULL);
CREATE TABLE trips (
    trip_id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ships, sailed_on DATE NOT NULL, takings REAL NOT NULL);
CREATE TABLE badges (
    badge_id INTEGER PRIMARY KEY, worker_id INTEGER NOT NULL REFERENCES workers, state TEXT NOT NULL);
INSERT INTO ships VALUES (1, 'Alca', 'Kiel', 2025), (2, 'Uria', 'Kiel', 1999), (3, 'Fulmar', 'Oban', 2004);
INSERT INTO workers VALUES
    (1, 'Ada', 'F', 'seasonal', 1, '1990-01-01', '2020-06-15', NULL), (2, 'Bo', 'M', 'permanent', 1, '1980-01-01', '2016-06-15', '2024-06-15'),
    (3, 'Cy', 'M', 'seasonal', 2, '1999-01-01', '2024-06-15', NULL), (4, 'Di', 'F', 'permanent', 3, '2001-01-01', '2025-06-15', NULL),
    (5, 'Ed', 'M', 'seasonal', 3, '1970-01-01', '2019-06-15', NULL);
INSERT INTO outages VALUES
    (1, 1, 'engine', '2026-01-02 08:00:00', '2026-01-02 14:00:00', 'open'), (2, 1, 'storm', '2026-02-02 08:00:00', '2026-02-03 08:00:00', 'settled'),
    (3, 2, 'engine', '2026-03-02 08:00:00', '2026-03-02 10:30:00', 'settled'), (4, 3, 'storm', '2026-04-02 08:00:00', '2026-04-02 20:00:00', 'open');
INSERT INTO trips VALUES (1, 1, '2025-05-05', 100), (2, 1, '2026-05-05', 70), (3, 2, '2025-07-07', 40), (4, 3, '2024-05-05', 9);
INSERT INTO badges VALUES (1, 1, 'active'), (2, 1, 'active'), (3, 3, 'active'), (4, 4, 'lost'), (5, 4, 'active');
"""
_SOLD = "s.quantity * s.unit_price - s.discount_amount"
_LEFT = f"{_SOLD} - s.quantity * w.unit_cost"
_WARES = "fact_sales s JOIN dim_ware w USING (ware_key)"


@pytest.fixture(scope="module")
def kiosk(opened):
    return opened("kiosk", _KIOSK, _TODAY)


@pytest.fixture(scope="module")
def fleet(opened):
    return opened("fleet", _FLEET, _TODAY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("revenue by ware group", f"SELECT w.ware_group, SUM({_SOLD}) FROM {_WARES} GROUP BY 1"),
        ("gross margin by ware group", f"SELECT w.ware_group, SUM({_LEFT}) FROM {_WARES} GROUP BY 1"),
        (
            "profit in 2025",
            f"SELECT SUM({_LEFT}) FROM {_WARES} JOIN dim_calendar c USING (calendar_key) WHERE c.full_date < '2026-01-01'",
        ),
        (
            "profit margin by ware group",
            f"SELECT w.ware_group, 100.0 * SUM({_LEFT}) / SUM({_SOLD}) FROM {_WARES} GROUP BY 1",
        ),
        ("average basket by ware group", f"SELECT w.ware_group, AVG({_SOLD}) FROM {_WARES} GROUP BY 1"),
        (
            "top 3 wares by units sold",
            f"SELECT w.ware_name, SUM(s.quantity) FROM {_WARES} GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
        ),
    ],
)
def test_what_sales_leave(question, gold, kiosk, first_rows, same_rows):
    rows, con, sql = first_rows(kiosk, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


_HOURS = "24 * (julianday(ended_at) - julianday(started_at))"
_OF_SHIPS = "JOIN ships USING (ship_id)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("total outage hours by ship", f"SELECT ship_name, SUM({_HOURS}) FROM outages {_OF_SHIPS} GROUP BY 1"),
        ("average outage time in hours by reason", f"SELECT reason, AVG({_HOURS}) FROM outages GROUP BY 1"),
        ("average storm duration in hours", f"SELECT AVG({_HOURS}) FROM outages WHERE reason = 'storm'"),
        (
            "how many engine hours were there in 2026?",
            f"SELECT SUM({_HOURS}) FROM outages WHERE reason = 'engine' AND started_at LIKE '2026%'",
        ),
        (
            "average length of settled storms in hours",
            f"SELECT AVG({_HOURS}) FROM outages WHERE reason = 'storm' AND stage = 'settled'",
        ),
        (
            "average tenure in years by port",
            "SELECT port, AVG((julianday(COALESCE(termination_date, '2026-06-15')) - julianday(hired_on)) / 365.25)"
            f" FROM workers {_OF_SHIPS} GROUP BY 1",
        ),
        (
            "share of women by port",
            f"SELECT port, 100.0 * SUM(sex = 'F') / COUNT(*) FROM workers {_OF_SHIPS} GROUP BY 1",
        ),
        (
            "percentage of seasonal workers in Kiel",
            f"SELECT 100.0 * SUM(contract = 'seasonal') / COUNT(*) FROM workers {_OF_SHIPS} WHERE port = 'Kiel'",
        ),
        (
            "workers with more than one active badge",
            "SELECT worker_name FROM workers JOIN badges USING (worker_id) WHERE state = 'active' GROUP BY 1"
            " HAVING COUNT(*) > 1",
        ),
        (
            "takings by ship in 2025",
            f"SELECT ship_name, SUM(takings) FROM trips {_OF_SHIPS} WHERE sailed_on LIKE '2025%' GROUP BY 1",
        ),
    ],
)
def test_figures_of_a_fleet(question, gold, fleet, first_rows, same_rows):
    rows, con, sql = first_rows(fleet, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


_GRID = """
CREATE TABLE dim_plant (
    plant_key INTEGER PRIMARY KEY, plant_name TEXT NOT NULL, county TEXT NOT NULL, opened_on DATE NOT NULL);
CREATE TABLE dim_pump (
    pump_key INTEGER PRIMARY KEY, pump_label TEXT NOT NULL UNIQUE, plant_key INTEGER NOT NULL REFERENCES dim_plant,
    installed_on DATE NOT NULL, removed_on DATE);
CREATE TABLE fact_reading (
    reading_key INTEGER PRIMARY KEY, pump_key INTEGER NOT NULL REFERENCES dim_pump, read_date DATE NOT NULL,
    consumption_kwh REAL NOT NULL, cost_eur REAL NOT NULL);
CREATE TABLE fact_budget (
    budget_key INTEGER PRIMARY KEY, plant_key INTEGER NOT NULL REFERENCES dim_plant, budget_month DATE NOT NULL,
    budget_eur REAL NOT NULL);
CREATE TABLE fact_alarm (
    alarm_key INTEGER PRIMARY KEY, plant_key INTEGER NOT NULL REFERENCES dim_plant, raised_at TIMESTAMP NOT NULL,
    cleared_at TIMESTAMP, severity TEXT NOT NULL);
INSERT INTO dim_plant VALUES (1, 'Alder', 'Mayo', '2025-01-01'), (2, 'Birch', 'Mayo', '2019-01-01'), (3, 'Cedar', 'Cork', '2020-01-01');
INSERT INTO dim_pump VALUES
    (1, 'P1', 1, '2021-01-01', NULL), (2, 'P2', 2, '2021-01-01', '2025-06-01'), (3, 'P3', 3, '2021-01-01', NULL);
INSERT INTO fact_reading VALUES
    (1, 1, '2025-02-02', 10, 4), (2, 1, '2026-02-02', 30, 9), (3, 2, '2025-03-03', 7, 5), (4, 3, '2025-04-04', 8, 8);
INSERT INTO fact_budget VALUES (1, 1, '2025-01-01', 50), (2, 1, '2025-02-01', 60), (3, 2, '2025-01-01', 70), (4, 3, '2026-01-01', 9);
INSERT INTO fact_alarm VALUES
    (1, 1, '2025-01-01 10:00:00', '2025-01-01 12:00:00', 'low'), (2, 2, '2025-01-01 10:00:00', '2025-01-02 10:00:00', 'high'),
    (3, 3, '2025-01-05 10:00:00', NULL, 'high'), (4, 3, '2025-01-06 10:00:00', '2025-01-06 11:00:00', 'low');
"""


@pytest.fixture(scope="module")
def grid(opened):
    return opened("grid", _GRID, _TODAY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "consumption by county in 2025",
            "SELECT county, SUM(consumption_kwh) FROM fact_reading JOIN dim_pump USING (pump_key)"
            " JOIN dim_plant USING (plant_key) WHERE read_date LIKE '2025%' GROUP BY 1",
        ),
        (
            "budget by plant for 2025",
            "SELECT plant_name, SUM(budget_eur) FROM fact_budget JOIN dim_plant USING (plant_key)"
            " WHERE budget_month LIKE '2025%' GROUP BY 1",
        ),
        (
            "cost per kwh in 2025",
            "SELECT SUM(cost_eur) / SUM(consumption_kwh) FROM fact_reading WHERE read_date LIKE '2025%'",
        ),
        ("pumps still installed", "SELECT pump_label FROM dim_pump WHERE removed_on IS NULL"),
        (
            "average alarm duration in hours by severity",
            "SELECT severity, AVG(24 * (julianday(cleared_at) - julianday(raised_at))) FROM fact_alarm GROUP BY 1",
        ),
    ],
)
def test_figures_of_a_warehouse(question, gold, grid, first_rows, same_rows):
    rows, con, sql = first_rows(grid, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


_MILL = """
CREATE TABLE holder (
    holder_id INTEGER PRIMARY KEY, holder_name TEXT NOT NULL, county TEXT NOT NULL, swimmer TEXT NOT NULL,
    enrolled_on DATE NOT NULL, terminated_on DATE, badge_premium REAL NOT NULL);
CREATE TABLE saw (saw_id INTEGER PRIMARY KEY, saw_name TEXT NOT NULL, blades INTEGER NOT NULL, made_year INTEGER NOT NULL);
CREATE TABLE cutter (cutter_id INTEGER PRIMARY KEY, cutter_name TEXT NOT NULL);
CREATE TABLE board_cut (
    board_cut_id INTEGER PRIMARY KEY, saw_id INTEGER NOT NULL REFERENCES saw, cutter_id INTEGER NOT NULL REFERENCES cutter,
    cut_on DATE NOT NULL, due_date DATE NOT NULL, finished_date DATE, qty_produced INTEGER NOT NULL,
    wood TEXT NOT NULL, minutes INTEGER NOT NULL);
INSERT INTO holder VALUES
    (1, 'Abe', 'Down', 'Y', '2024-01-05', NULL, 10), (2, 'Bea', 'Down', 'N', '2025-01-05', '2025-06-01', 20),
    (3, 'Cal', 'Clare', 'Y', '2025-03-05', '2026-02-01', 5), (4, 'Dee', 'Clare', 'N', '2026-01-05', NULL, 40);
INSERT INTO saw VALUES (1, 'Long', 1, 2001), (2, 'Twin', 2, 2025), (3, 'Duo', 2, 2010), (4, 'Idle', 4, 2020);
INSERT INTO cutter VALUES (1, 'Nell'), (2, 'Otto'), (3, 'Pia');
INSERT INTO board_cut VALUES
    (1, 1, 1, '2025-02-01', '2025-02-10', '2025-02-09', 50, 'oak', 30), (2, 2, 1, '2025-03-01', '2025-03-03', '2025-03-07', 70, 'fir', 45),
    (3, 2, 2, '2026-05-05', '2026-05-09', NULL, 300, 'oak', 20), (4, 3, 2, '2026-05-09', '2026-05-10', '2026-05-12', 20, 'fir', 15),
    (5, 3, 1, '2026-05-09', '2026-05-10', '2026-05-10', 10, 'oak', 25);
"""
_CUTS = "board_cut JOIN saw USING (saw_id) JOIN cutter USING (cutter_id)"


@pytest.fixture(scope="module")
def mill(opened):
    return opened("mill", _MILL, _TODAY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "output per saw last month",
            f"SELECT saw_name, SUM(qty_produced) FROM {_CUTS} WHERE cut_on LIKE '2026-05%' GROUP BY 1",
        ),
        ("which cutter produced the most?", "SELECT 'Otto'"),
        ("saws that were never produced", "SELECT 'Idle'"),
        ("cutters who never worked the oak wood", "SELECT 'Pia'"),
        ("cutters without a single fir cut", "SELECT 'Pia'"),
        ("average output by number of blades", f"SELECT blades, AVG(qty_produced) FROM {_CUTS} GROUP BY 1"),
        ("total time spent by cutter", f"SELECT cutter_name, SUM(minutes) FROM {_CUTS} GROUP BY 1"),
        (
            "share of board cuts finished late",
            "SELECT 100.0 * SUM(finished_date > due_date) / COUNT(*) FROM board_cut",
        ),
        ("how many board cuts were late?", "SELECT SUM(finished_date > due_date) FROM board_cut"),
        (
            "top 2 cutters by oak board cuts",
            f"SELECT cutter_name, COUNT(*) FROM {_CUTS} WHERE wood = 'oak' GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        ),
        ("premium income by county", "SELECT county, SUM(badge_premium) FROM holder GROUP BY 1"),
        (
            "terminations per year",
            "SELECT strftime('%Y', terminated_on) + 0, COUNT(*) FROM holder WHERE terminated_on > '' GROUP BY 1",
        ),
        (
            "how many swimmers are there per county?",
            "SELECT county, COUNT(*) FROM holder WHERE swimmer = 'Y' GROUP BY 1",
        ),
        ("swimmers enrolled in 2025", "SELECT 'Cal'"),
        (
            "repeat cutters",
            "SELECT cutter_name FROM board_cut JOIN cutter USING (cutter_id) GROUP BY 1 HAVING COUNT(*) > 1",
        ),
    ],
)
def test_nouns_that_only_a_column_is_called_by(question, gold, mill, first_rows, same_rows):
    rows, con, sql = first_rows(mill, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


_CELLAR = """
CREATE TABLE bottles (
    bottle_id INTEGER PRIMARY KEY, label TEXT NOT NULL, grape TEXT NOT NULL, stock_qty INTEGER NOT NULL,
    purchase_cost REAL NOT NULL, list_price REAL NOT NULL);
CREATE TABLE brokers (broker_id INTEGER PRIMARY KEY, broker_name TEXT NOT NULL, commission_pct REAL NOT NULL);
INSERT INTO bottles VALUES (1, 'Old', 'malbec', 10, 4, 9), (2, 'New', 'malbec', 2, 30, 50), (3, 'Dry', 'pinot', 6, 5, 8);
INSERT INTO brokers VALUES (1, 'Una', 4), (2, 'Vic', 6);
"""


@pytest.fixture(scope="module")
def cellar(opened):
    return opened("cellar", _CELLAR, _TODAY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("stock value by grape", "SELECT grape, SUM(stock_qty * purchase_cost) FROM bottles GROUP BY 1"),
        ("what is the total inventory value?", "SELECT SUM(stock_qty * purchase_cost) FROM bottles"),
    ],
)
def test_what_the_stock_is_worth(question, gold, cellar, first_rows, same_rows):
    rows, con, sql = first_rows(cellar, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


def test_percentages_are_not_added_up(cellar):
    outcome = cellar[0].read("total commission by broker")
    assert isinstance(outcome, NotUnderstood)
    assert "do not add up" in outcome.reason
