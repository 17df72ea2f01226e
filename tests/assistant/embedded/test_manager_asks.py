"""What a manager types in a hurry: no figure said, no table said, what is late, what was never done.

The data are a bakery's warehouse, with a calendar, and its workshop. Every answer is checked by hand-written SQL.
"""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import NotUnderstood

_TODAY = date(2026, 6, 15)
_BAKERY = """
CREATE TABLE dim_calendar (
    calendar_key INTEGER PRIMARY KEY, full_date DATE NOT NULL, day_name TEXT NOT NULL);
CREATE TABLE dim_guest (
    guest_key INTEGER PRIMARY KEY, guest_name TEXT NOT NULL, area TEXT NOT NULL, joined_date DATE NOT NULL);
CREATE TABLE dim_shop (
    shop_key INTEGER PRIMARY KEY, shop_name TEXT NOT NULL, opened_date DATE NOT NULL);
CREATE TABLE fact_sale (
    sale_key INTEGER PRIMARY KEY, shop_key INTEGER NOT NULL REFERENCES dim_shop,
    guest_key INTEGER NOT NULL REFERENCES dim_guest, calendar_key INTEGER NOT NULL REFERENCES dim_calendar,
    total_amount REAL NOT NULL, discount REAL NOT NULL);
INSERT INTO dim_calendar VALUES
    (1, '2025-02-03', 'Monday'), (2, '2025-09-09', 'Tuesday'), (3, '2026-01-05', 'Monday'), (4, '2026-03-10', 'Tuesday');
INSERT INTO dim_guest VALUES
    (1, 'Orla', 'Quay', '2024-05-01'), (2, 'Pius', 'Quay', '2026-01-02'), (3, 'Quin', 'Mill', '2026-02-11'),
    (4, 'Rika', 'Mill', '2025-08-08'), (5, 'Sina', 'Mill', '2025-01-20');
INSERT INTO dim_shop VALUES (1, 'Old Oven', '2026-01-20'), (2, 'Rye Corner', '2019-04-04');
INSERT INTO fact_sale VALUES
    (1, 1, 1, 1, 10, 0), (2, 1, 1, 3, 40, 2), (3, 2, 2, 3, 15, 0), (4, 2, 2, 4, 20, 0), (5, 1, 3, 4, 90, 5),
    (6, 2, 4, 2, 33, 0), (7, 2, 4, 2, 5, 0);
"""
_WORKSHOP = """
CREATE TABLE smiths (smith_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE jobs (
    job_id INTEGER PRIMARY KEY, smith_id INTEGER REFERENCES smiths (smith_id), kind TEXT NOT NULL,
    started_on DATE NOT NULL, promised_on DATE NOT NULL, finished_on DATE, passed INTEGER NOT NULL);
CREATE TABLE outlays (
    outlay_id INTEGER PRIMARY KEY, booked_on DATE NOT NULL, purpose TEXT NOT NULL, amount REAL NOT NULL);
CREATE TABLE downtime (
    downtime_id INTEGER PRIMARY KEY, smith_id INTEGER NOT NULL REFERENCES smiths (smith_id), reason TEXT NOT NULL,
    began_on DATE NOT NULL, minutes INTEGER NOT NULL);
INSERT INTO smiths VALUES (1, 'Tora'), (2, 'Ulf'), (3, 'Vida');
INSERT INTO jobs VALUES
    (1, 1, 'gate', '2026-01-10', '2026-01-20', '2026-01-12', 1), (2, 1, 'gate', '2026-02-01', '2026-02-05', '2026-02-09', 0),
    (3, 1, 'knife', '2026-03-01', '2026-03-09', '2026-03-09', 1), (4, 2, 'knife', '2026-03-04', '2026-03-06', NULL, 0),
    (5, 2, 'gate', '2026-06-01', '2026-07-01', NULL, 0), (6, 2, 'knife', '2026-04-01', '2026-04-03', '2026-04-08', 1);
INSERT INTO outlays VALUES (1, '2026-01-03', 'coal', 12), (2, '2026-02-03', 'coal', 8), (3, '2026-02-09', 'iron', 50);
INSERT INTO downtime VALUES (1, 1, 'repair', '2026-01-05', 30), (2, 1, 'heat', '2026-02-05', 15), (3, 2, 'heat', '2026-02-06', 60);
"""
_OFFICE = """
CREATE TABLE emp (
    emp_id INTEGER PRIMARY KEY, emp_nm TEXT NOT NULL, team TEXT NOT NULL, job TEXT NOT NULL, salary REAL NOT NULL,
    hire_dt DATE NOT NULL, term_dt DATE);
CREATE TABLE shipments (
    shipment_id INTEGER PRIMARY KEY, packed_on DATE NOT NULL, delivered_on DATE, weight REAL NOT NULL);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, billed_on DATE NOT NULL, amount REAL NOT NULL);
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY, bill_id INTEGER NOT NULL REFERENCES bills (bill_id), amount REAL NOT NULL);
INSERT INTO emp VALUES
    (1, 'Wanda', 'red', 'Welder', 50, '2020-01-01', NULL), (2, 'Xaver', 'red', 'Welder', 70, '2024-02-01', NULL),
    (3, 'Yrsa', 'blue', 'Painter', 80, '2021-03-01', '2026-02-02'), (4, 'Zoltan', 'blue', 'Clerk', 40, '2024-05-01', NULL);
INSERT INTO shipments VALUES
    (1, '2026-04-28', '2026-05-02', 3), (2, '2026-05-05', '2026-05-20', 4), (3, '2026-05-30', NULL, 2);
INSERT INTO bills VALUES (1, '2026-01-01', 10), (2, '2026-02-01', 20), (3, '2026-03-01', 30);
INSERT INTO payments VALUES (1, 1, 10), (2, 3, 30);
"""
_SOLD = (
    "fact_sale JOIN dim_guest USING (guest_key) JOIN dim_shop USING (shop_key) JOIN dim_calendar USING (calendar_key)"
)


@pytest.fixture(scope="module")
def bakery(opened):
    return opened("bakery", _BAKERY, _TODAY)


@pytest.fixture(scope="module")
def workshop(opened):
    return opened("workshop", _WORKSHOP, _TODAY)


@pytest.fixture(scope="module")
def office(opened):
    return opened("office", _OFFICE, _TODAY)


@pytest.fixture
def answers(understood, same_rows):
    """Checks that a question is answered with the rows of a query."""

    def check(data, question, gold):
        analyst, con = data
        sql = analyst.sql(understood(analyst, question).meaning, context=False)
        assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql

    return check


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("revenue in 2026", f"SELECT SUM(total_amount) FROM {_SOLD} WHERE full_date LIKE '2026%'"),
        (
            "revenue this year vs last",
            f"SELECT CAST(strftime('%Y', full_date) AS INTEGER), SUM(total_amount) FROM {_SOLD} GROUP BY 1",
        ),
        ("how many sales were there in 2025?", f"SELECT COUNT(*) FROM {_SOLD} WHERE full_date LIKE '2025%'"),
    ],
)
def test_calendar_says_when_it_happened(question, gold, answers, bakery):
    answers(bakery, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "top 2 guests in each area",
            f"SELECT area, guest_name, s FROM (SELECT area, guest_name, SUM(total_amount) AS s, RANK() OVER (PARTITION BY"
            f" area ORDER BY SUM(total_amount) DESC) AS r FROM {_SOLD} GROUP BY guest_key) WHERE r <= 2",
        ),
        (
            "biggest 3 guests",
            f"SELECT guest_name, SUM(total_amount) AS s FROM {_SOLD} GROUP BY 1 ORDER BY s DESC LIMIT 3",
        ),
        (
            "Who spent the most?",
            f"SELECT guest_name FROM {_SOLD} GROUP BY 1 ORDER BY SUM(total_amount) DESC LIMIT 1",
        ),
    ],
)
def test_figure_that_is_not_said_is_the_one_of_the_business(question, gold, answers, bakery):
    answers(bakery, question, gold)


def test_figure_that_is_not_said_is_told(bakery, understood):
    outcome = understood(bakery[0], "biggest 3 guests")
    assert any("for nothing else is said" in said for said in outcome.assumptions)


def test_ranking_without_any_figure_is_asked_back(opened):
    analyst, _ = opened("plain_list", "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name TEXT, area TEXT);")
    assert isinstance(analyst.read("top 3 guests in each area"), NotUnderstood)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "new guests per year",
            "SELECT CAST(strftime('%Y', joined_date) AS INTEGER), COUNT(*) FROM dim_guest GROUP BY 1",
        ),
        (
            "revenue from new guests in 2026",
            f"SELECT SUM(total_amount) FROM {_SOLD} WHERE joined_date LIKE '2026%' AND full_date LIKE '2026%'",
        ),
        ("guests who never bought anything", "SELECT guest_name FROM dim_guest WHERE guest_name = 'Sina'"),
        (
            "guests who bought last year but not this year",
            "SELECT guest_name FROM dim_guest WHERE guest_name = 'Rika'",
        ),
        ("what % of sales had a discount", "SELECT 100.0 * SUM(discount > 0) / COUNT(*) FROM fact_sale"),
        ("sales by shop", f"SELECT shop_name, SUM(total_amount) FROM {_SOLD} GROUP BY 1"),
        ("how many sales by shop", f"SELECT shop_name, COUNT(*) FROM {_SOLD} GROUP BY 1"),
    ],
)
def test_who_is_new_and_what_was_never_done(question, gold, answers, bakery):
    answers(bakery, question, gold)


def test_revenue_from_those_who_are_new_is_called_so_and_stays_so_in_another_year(bakery, understood):
    analyst, con = bakery
    asked = understood(analyst, "revenue from new guests in 2026")
    assert asked.restated.endswith(" from new guests in 2026")
    again = understood(analyst, "and in 2025?", asked.meaning)
    assert again.restated.endswith(" from new guests in 2025")
    both = f"SELECT SUM(total_amount) FROM {_SOLD} WHERE joined_date LIKE '2025%' AND full_date LIKE '2025%'"
    assert con.execute(analyst.sql(again.meaning)).fetchall() == con.execute(both).fetchall()


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "late jobs by smith",
            "SELECT name, COUNT(*) FROM jobs JOIN smiths USING (smith_id) WHERE finished_on > promised_on GROUP BY 1",
        ),
        ("overdue jobs", f"SELECT job_id FROM jobs WHERE finished_on IS NULL AND promised_on < '{_TODAY}'"),
        (
            "what share of jobs was on time",
            "SELECT 100.0 * SUM(CASE WHEN finished_on <= promised_on THEN 1 ELSE 0 END) / COUNT(*) FROM jobs",
        ),
        (
            "late % by kind",
            "SELECT kind, 100.0 * SUM(CASE WHEN finished_on > promised_on THEN 1 ELSE 0 END) / COUNT(*) FROM jobs GROUP BY 1",
        ),
        ("pass rate by kind", "SELECT kind, 100.0 * SUM(passed) / COUNT(*) FROM jobs GROUP BY 1"),
        ("% of jobs passed", "SELECT 100.0 * SUM(passed) / COUNT(*) FROM jobs"),
        ("jobs not finished yet", "SELECT job_id FROM jobs WHERE finished_on IS NULL"),
        (
            "how many jobs were finished within 3 days",
            "SELECT COUNT(*) FROM jobs WHERE julianday(finished_on) - julianday(started_on) <= 3",
        ),
        (
            "knife jobs older than 30 days",
            "SELECT job_id FROM jobs WHERE kind = 'knife' AND started_on < '2026-05-16'",
        ),
        ("total downtime per smith", "SELECT name, SUM(minutes) FROM downtime JOIN smiths USING (smith_id) GROUP BY 1"),
        ("how many jobs were more than 2 days late", "SELECT 2"),
        ("what did we spend on coal", "SELECT SUM(amount) FROM outlays WHERE purpose = 'coal'"),
        ("downtime by reason", "SELECT reason, SUM(minutes) FROM downtime GROUP BY 1"),
    ],
)
def test_late_open_and_soon(question, gold, answers, workshop):
    answers(workshop, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("headcount by team", "SELECT team, COUNT(*) FROM emp WHERE term_dt IS NULL GROUP BY 1"),
        ("who left this year", "SELECT emp_nm FROM emp WHERE term_dt LIKE '2026%'"),
        ("who was hired most recently", "SELECT emp_nm FROM emp ORDER BY hire_dt DESC LIMIT 1"),
        ("how many people did we hire in 2024", "SELECT COUNT(*) FROM emp WHERE hire_dt LIKE '2024%'"),
        ("welders earning over 60", "SELECT emp_nm FROM emp WHERE job = 'Welder' AND salary > 60"),
        ("number of deliveries in May 2026", "SELECT COUNT(*) FROM shipments WHERE delivered_on LIKE '2026-05%'"),
        ("bills still unpaid", "SELECT bill_id FROM bills WHERE bill_id NOT IN (SELECT bill_id FROM payments)"),
    ],
)
def test_short_words_of_the_office(question, gold, answers, office):
    answers(office, question, gold)
