"""Long, precise questions as analysts type them: several figures with conditions of their own, one date soon after
another, lists of what to return. Every answer is checked against a query written by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest

from assistant.embedded.analyst import Analyst

_TODAY = date(2026, 11, 21)


def _rows():
    """Members of a club, their visits and what they were billed; the last members never came."""
    start = date(2026, 1, 5)
    members = [
        (n, f"Member {n}", ("Kiel", "Ulm", "Bonn")[n % 3], (start + timedelta(days=9 * n)).isoformat(), n % 4 == 0)
        for n in range(1, 25)
    ]
    visits = [
        (
            n,
            n % 20 + 1,
            ("swim", "gym", "yoga")[n % 7 % 3],
            f"{start + timedelta(days=5 * n % 300)} {7 + n % 12:02d}:30:00",
            3.5 + n % 4,
        )
        for n in range(1, 161)
    ]
    bills = [
        (
            n,
            n % 22 + 1,
            ("paid", "open", "void")[n % 5 % 3],
            20.0 + n % 13,
            (start + timedelta(days=3 * n)).isoformat(),
            None if n % 5 % 3 else (start + timedelta(days=3 * n + n % 9)).isoformat(),
        )
        for n in range(1, 91)
    ]
    return members, visits, bills


@pytest.fixture(scope="module")
def club(tmp_path_factory, catalog_of):
    """An analyst over the club's database, and a connection to it."""
    path = tmp_path_factory.mktemp("club") / "club.sqlite"
    members, visits, bills = _rows()
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            "CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_nm TEXT NOT NULL, home_town TEXT NOT NULL,"
            " joined_on DATE NOT NULL, is_student INTEGER NOT NULL);"
            "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members"
            " (member_id), visit_kind TEXT NOT NULL, visit_ts TIMESTAMP NOT NULL, fee_amt REAL NOT NULL);"
            "CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members"
            " (member_id), bill_status TEXT NOT NULL, billed_amt REAL NOT NULL, billed_dt DATE NOT NULL,"
            " settled_dt DATE);"
        )
        con.executemany("INSERT INTO members VALUES (?, ?, ?, ?, ?)", members)
        con.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", visits)
        con.executemany("INSERT INTO bills VALUES (?, ?, ?, ?, ?, ?)", bills)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), _TODAY), con


def _same(club, same_rows, question, gold):
    analyst, con = club
    likeliest = analyst.candidates(question)[0]
    sql = analyst.sql(likeliest.meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql


_BILLS = "bills JOIN members USING (member_id)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "For each home town, show the number of paid bills, the number of open bills and the total billed amount.",
            "SELECT home_town, SUM(bill_status = 'paid'), SUM(bill_status = 'open'), SUM(billed_amt)"
            f" FROM {_BILLS} GROUP BY 1",
        ),
        (
            "Show the number of paid, open and void bills by month.",
            "SELECT date(billed_dt, 'start of month'), SUM(bill_status = 'paid'), SUM(bill_status = 'open'),"
            " SUM(bill_status = 'void') FROM bills GROUP BY 1",
        ),
        (
            "the total number of members and the number of student members per home town",
            "SELECT home_town, COUNT(*), SUM(is_student) FROM members GROUP BY 1",
        ),
        (
            "the average billed amount of paid bills and the average billed amount of open bills by home town",
            "SELECT home_town, AVG(CASE WHEN bill_status = 'paid' THEN billed_amt END),"
            f" AVG(CASE WHEN bill_status = 'open' THEN billed_amt END) FROM {_BILLS} GROUP BY 1",
        ),
        (
            "How many bills are there by home town, and how many bills from Kiel?",
            "SELECT home_town, COUNT(*), SUM(home_town = 'Kiel') FROM bills JOIN members USING (member_id) GROUP BY 1",
        ),
        (
            "Show the number of swim visits and the number of gym visits side by side for members from Ulm.",
            "SELECT SUM(visit_kind = 'swim'), SUM(visit_kind = 'gym') FROM visits JOIN members USING (member_id)"
            " WHERE home_town = 'Ulm'",
        ),
    ],
)
def test_figures_have_conditions_of_their_own(question, gold, club, same_rows):
    _same(club, same_rows, question, gold)


def test_condition_of_one_figure_alone_is_said(club):
    meaning = (
        club[0].candidates("For each home town, the number of paid bills and the number of open bills.")[0].meaning
    )
    assert [m.label for m in meaning.measures] == ["paid bills", "open bills"]
    assert not meaning.filters


def test_conditions_of_one_column_choose_rows_where_one_figure_is_asked_for(club, same_rows):
    gold = f"SELECT home_town, SUM(billed_amt) FROM {_BILLS} WHERE bill_status IN ('paid', 'open') GROUP BY 1"
    _same(club, same_rows, "total billed amount of paid and open bills by home town", gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "How many members made a visit within 14 days of joining?",
            "SELECT COUNT(DISTINCT m.member_id) FROM members m JOIN visits v USING (member_id)"
            " WHERE julianday(date(visit_ts)) - julianday(joined_on) BETWEEN 0 AND 14",
        ),
        (
            "How many bills were settled within 4 days of the billed date?",
            "SELECT COUNT(*) FROM bills WHERE julianday(settled_dt) - julianday(billed_dt) BETWEEN 0 AND 4",
        ),
        (
            "average number of days between the billed date and the settled date by home town",
            f"SELECT home_town, AVG(julianday(settled_dt) - julianday(billed_dt)) FROM {_BILLS} GROUP BY 1",
        ),
    ],
)
def test_one_date_soon_after_another(question, gold, club, same_rows):
    _same(club, same_rows, question, gold)


def test_short_ends_of_names_are_spelt_out(club, same_rows):
    _same(
        club, same_rows, "Return the member names of members from Bonn.",
        "SELECT member_nm FROM members WHERE home_town = 'Bonn'",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the most recent billed amount for each member? Return the member name and the billed amount.",
            "SELECT member_nm, billed_amt FROM bills b JOIN members USING (member_id) WHERE billed_dt ="
            " (SELECT MAX(billed_dt) FROM bills x WHERE x.member_id = b.member_id)",
        ),
        (
            "the earliest fee amount for each visit kind",
            "SELECT visit_kind, fee_amt FROM visits v WHERE visit_ts = (SELECT MIN(visit_ts) FROM visits x"
            " WHERE x.visit_kind = v.visit_kind)",
        ),
        (
            "How many visits were there per week in the last 3 months, excluding weekends?",
            "SELECT date(visit_ts, '-6 days', 'weekday 1'), COUNT(*) FROM visits WHERE visit_ts >= '2026-08-01'"
            " AND visit_ts < '2026-11-01' AND strftime('%w', visit_ts) NOT IN ('0', '6') GROUP BY 1",
        ),
        (
            "How many visits were made on weekends by visit kind?",
            "SELECT visit_kind, COUNT(*) FROM visits WHERE strftime('%w', visit_ts) IN ('0', '6') GROUP BY 1",
        ),
        (
            "What percentage of bills from members in Ulm were paid?",
            "SELECT 100.0 * SUM(bill_status = 'paid') / COUNT(*) FROM bills JOIN members USING (member_id)"
            " WHERE home_town = 'Ulm'",
        ),
        (
            "What is the average of the total billed amount per member?",
            "SELECT AVG(s) FROM (SELECT SUM(billed_amt) AS s FROM bills GROUP BY member_id)",
        ),
        (
            "How many visits of kind yoga were there in 2026?",
            "SELECT COUNT(*) FROM visits WHERE visit_kind = 'yoga' AND visit_ts LIKE '2026%'",
        ),
        (
            "What is the total billed amount of bills settled after the billed date?",
            "SELECT SUM(billed_amt) FROM bills WHERE settled_dt > billed_dt",
        ),
    ],
)
def test_days_and_wholes(question, gold, club, same_rows):
    _same(club, same_rows, question, gold)


@pytest.fixture(scope="module")
def works(tmp_path_factory, catalog_of):
    """A building firm: repairs with a start and an end, what subcontractors were paid, and trades of tools."""
    path = tmp_path_factory.mktemp("works") / "works.sqlite"
    day = date(2026, 2, 1)
    repairs = [
        (
            n,
            ("roof", "wall", "door")[n % 3],
            (day + timedelta(days=n)).isoformat(),
            None if n % 6 == 0 else (day + timedelta(days=n + n % 11)).isoformat(),
            None if n % 5 == 0 else 100.0 * n,
            ("success", "failure")[n % 4 == 1],
        )
        for n in range(1, 41)
    ]
    payouts = [
        (n, ("Nagel", "Holz & Co", "Glas")[n % 3], 10.5 * n, (day + timedelta(days=n + n % 4)).isoformat(),
         (day + timedelta(days=20)).isoformat(), n)
        for n in range(1, 41)
    ]  # fmt: skip
    deals = [
        (n, ("buy", "sell")[n % 3 == 0], n % 7 + 1, f"mail{n}@{('firm.com', 'site.org')[n % 2]}") for n in range(1, 31)
    ]
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            "CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, part TEXT NOT NULL, start_dt DATE NOT NULL, end_dt DATE,"
            " cost REAL, outcome TEXT NOT NULL);"
            "CREATE TABLE firm_payouts (payout_id INTEGER PRIMARY KEY, firm_name TEXT NOT NULL, paid_amt REAL NOT NULL,"
            " paid_date DATE NOT NULL, due_date DATE NOT NULL, repair_id INTEGER NOT NULL REFERENCES repairs (repair_id));"
            "CREATE TABLE tool_deals (deal_id INTEGER PRIMARY KEY, side TEXT NOT NULL, pieces INTEGER NOT NULL,"
            " email TEXT NOT NULL);"
        )
        con.executemany("INSERT INTO repairs VALUES (?, ?, ?, ?, ?, ?)", repairs)
        con.executemany("INSERT INTO firm_payouts VALUES (?, ?, ?, ?, ?, ?)", payouts)
        con.executemany("INSERT INTO tool_deals VALUES (?, ?, ?, ?)", deals)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), _TODAY), con


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the average repair duration in days by part, for repairs that have ended?",
            "SELECT part, AVG(julianday(end_dt) - julianday(start_dt)) FROM repairs WHERE end_dt IS NOT NULL GROUP BY 1",
        ),
        (
            "the average cost of repairs by part, treating missing costs as zero",
            "SELECT part, AVG(COALESCE(cost, 0)) FROM repairs GROUP BY 1",
        ),
        ("How many successful repairs were there?", "SELECT COUNT(*) FROM repairs WHERE outcome = 'success'"),
        (
            "Find the total paid amount of payouts made after the due date for each firm name.",
            "SELECT firm_name, SUM(paid_amt) FROM firm_payouts WHERE paid_date > due_date GROUP BY 1",
        ),
        (
            "average number of days between the start date of the repair and the paid date",
            "SELECT AVG(julianday(paid_date) - julianday(start_dt)) FROM firm_payouts JOIN repairs USING (repair_id)",
        ),
        (
            "How many tool deals have a site.org email address?",
            "SELECT COUNT(*) FROM tool_deals WHERE email LIKE '%site.org%'",
        ),
        ("How many tool deals have a gmail email?", "SELECT COUNT(*) FROM tool_deals WHERE email LIKE '%gmail%'"),
        ("How many buy deals are there?", "SELECT COUNT(*) FROM tool_deals WHERE side = 'buy'"),
        (
            "How many tool deals have an email ending in firm.com?",
            "SELECT COUNT(*) FROM tool_deals WHERE email LIKE '%firm.com'",
        ),
    ],
)
def test_words_that_stand_for_dates_and_values(question, gold, works, same_rows):
    _same(works, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "For each month of 2026, what is the number of bills and the percentage of them that were open?",
            "SELECT date(billed_dt, 'start of month'), COUNT(*), 100.0 * SUM(bill_status = 'open') / COUNT(*) FROM bills"
            " WHERE billed_dt LIKE '2026%' GROUP BY 1",
        ),
        (
            "How many visits were there by home town, and how many of them were swim visits?",
            "SELECT home_town, COUNT(*), SUM(visit_kind = 'swim') FROM visits JOIN members USING (member_id) GROUP BY 1",
        ),
        (
            "What is the ratio of swim visits to gym visits for each home town?",
            "SELECT home_town, 1.0 * SUM(visit_kind = 'swim') / SUM(visit_kind = 'gym') FROM visits"
            " JOIN members USING (member_id) GROUP BY 1",
        ),
        (
            "How many bills were settled more than 4 days after the billed date?",
            "SELECT COUNT(*) FROM bills WHERE julianday(settled_dt) - julianday(billed_dt) > 4",
        ),
        (
            "Which 4 members have the highest total billed amount? Return the member name and the total billed amount.",
            f"SELECT member_nm, SUM(billed_amt) FROM {_BILLS} GROUP BY member_id ORDER BY 2 DESC LIMIT 4",
        ),
        (
            "Count the visits by visit month for the year 2026.",
            "SELECT date(visit_ts, 'start of month'), COUNT(*) FROM visits WHERE visit_ts LIKE '2026%' GROUP BY 1",
        ),
        (
            "For each home town, what is the total billed amount and the number of distinct members who were billed?",
            f"SELECT home_town, SUM(billed_amt), COUNT(DISTINCT member_id) FROM {_BILLS} GROUP BY 1",
        ),
        (
            "How many visits were made by each member in 2026? Show the top 5 members by number of visits.",
            "SELECT member_nm, COUNT(*) FROM visits JOIN members USING (member_id) WHERE visit_ts LIKE '2026%'"
            " GROUP BY member_id ORDER BY 2 DESC, 1 LIMIT 5",
        ),
        (
            "Show the 5 most recent bills with the member name, the home town and the billed amount.",
            "SELECT member_nm, home_town, billed_amt FROM bills JOIN members USING (member_id)"
            " ORDER BY billed_dt DESC LIMIT 5",
        ),
    ],
)
def test_parts_of_what_was_counted(question, gold, club, same_rows):
    _same(club, same_rows, question, gold)


@pytest.fixture(scope="module")
def leases(tmp_path_factory, catalog_of):
    """Leases of boats: what was asked for them and paid, and what became of them."""
    path = tmp_path_factory.mktemp("leases") / "leases.sqlite"
    rows = [
        (n, ("kayak", "sloop", "dinghy")[n % 3], ("cedar", "steel")[n % 2], 50.0 + n, 45.0 + n % 9,
         ("cancelled", "done", "denied")[n % 4 % 3])
        for n in range(1, 49)
    ]  # fmt: skip
    with closing(sqlite3.connect(path)) as con, con:
        con.execute(
            "CREATE TABLE leases (lease_id INTEGER PRIMARY KEY, boat TEXT NOT NULL, hull TEXT NOT NULL,"
            " asked_price REAL NOT NULL, paid_price REAL NOT NULL, lease_status TEXT NOT NULL)"
        )
        con.execute("CREATE TABLE harbours (harbour_id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        con.execute("INSERT INTO harbours VALUES (1, 'Husum')")
        con.executemany("INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?)", rows)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), _TODAY), con


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the cancellation rate of leases by boat?",
            "SELECT boat, 100.0 * SUM(lease_status = 'cancelled') / COUNT(*) FROM leases GROUP BY 1",
        ),
        (
            "What is the denial rate of kayak leases?",
            "SELECT 100.0 * SUM(lease_status = 'denied') / COUNT(*) FROM leases WHERE boat = 'kayak'",
        ),
        (
            "What is the average difference between the asked price and the paid price for each boat?",
            "SELECT boat, AVG(asked_price - paid_price) FROM leases GROUP BY 1",
        ),
        (
            "Which boat and hull has the highest average asked price?",
            "SELECT hull, boat FROM leases GROUP BY 1, 2 ORDER BY AVG(asked_price) DESC LIMIT 1",
        ),
    ],
)
def test_rates_and_differences(question, gold, leases, same_rows):
    _same(leases, same_rows, question, gold)
