"""What careful people type: what is asked, and then which columns to return. Each answer is checked against SQL."""

from __future__ import annotations

import pytest

_SCRIPT = """
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name TEXT, district TEXT, stars INTEGER);
CREATE TABLE ensembles (ensemble_id INTEGER PRIMARY KEY, ensemble_name TEXT, home_town TEXT, kind TEXT,
 ensemble_since DATE);
CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES halls, ensemble_id INTEGER
 REFERENCES ensembles, planned_on DATE, booked_on DATE, paid_on DATE, state TEXT, seats INTEGER, fee REAL, total_price REAL,
 pickup_town TEXT, is_online INTEGER);
CREATE TABLE opinions (opinion_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings, rating INTEGER);
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES halls, reported_on DATE, due_on DATE,
 resolved_on DATE, urgency TEXT);
CREATE TABLE leases (lease_id INTEGER PRIMARY KEY, ensemble_id INTEGER REFERENCES ensembles, signed_on DATE,
 ended_on DATE);
CREATE TABLE remarks (remark_id INTEGER PRIMARY KEY, ensemble_id INTEGER REFERENCES ensembles, remarked_on DATE,
 body TEXT);
INSERT INTO remarks VALUES (1, 1, '2025-02-01', 'Cold hall'), (2, 2, '2024-03-01', 'Fine'), (3, 3, '2025-05-01', NULL),
 (4, 5, '2025-06-01', 'A cold evening'), (5, 5, '2024-06-01', 'Loud');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
 INSERT INTO repairs SELECT i, 1 + i % 5, DATE('2025-01-10', (i * 9) || ' days'),
 DATE('2025-01-20', (i * 9) || ' days'), CASE WHEN i % 4 THEN DATE('2025-01-10', (i * 9 + i % 13) || ' days') END,
 CASE i % 3 WHEN 0 THEN 'high' ELSE 'low' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
 INSERT INTO leases SELECT i, 1 + i % 12, DATE('2024-05-01', (i * 3) || ' days'),
 CASE WHEN i % 5 THEN DATE('2024-08-01', (i * 17) || ' days') END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
 INSERT INTO halls SELECT i, 'Hall ' || i, CASE i % 2 WHEN 0 THEN 'Old Quay' ELSE 'Hill' END, 1 + i % 5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
 INSERT INTO ensembles SELECT i, 'Ensemble ' || i, CASE i % 3 WHEN 0 THEN 'Kiel' WHEN 1 THEN 'Ulm' ELSE 'Bonn' END,
 CASE i % 2 WHEN 0 THEN 'choir' ELSE 'band' END,
 DATE('2024-05-01', (i * 60) || ' days') FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
 INSERT INTO bookings SELECT i, 1 + i * i % 6, 1 + i * 7 % 11, DATE('2024-03-01', (i * 4 + 40) || ' days'),
 DATE('2024-01-10', (i * 5) || ' days'), CASE WHEN i % 4 THEN DATE('2024-01-10', (i * 5 + i % 9) || ' days') END,
 CASE i % 5 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'open' ELSE 'returned' END, 10 + i % 37, 5.0 + i % 23, 50.0 + i * 13 % 170,
 CASE i * i % 3 WHEN 0 THEN 'Ulm' ELSE 'Celle' END, i % 3 = 0 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
 INSERT INTO opinions SELECT i, i * 2, 1 + i * i % 5 FROM n;
"""
_HALLS = "bookings JOIN halls USING (hall_id)"
_ENSEMBLES = "bookings JOIN ensembles USING (ensemble_id)"
_MONTH = "DATE(booked_on, 'start of month')"


@pytest.fixture(scope="module")
def town(opened):
    """An analyst over halls, ensembles and their bookings, and a connection to them."""
    return opened("town", _SCRIPT)


def _first_is(town, same_rows, question, gold):
    analyst, con = town
    likeliest = analyst.candidates(question)[0]
    sql = analyst.sql(likeliest.meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql
    return likeliest


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the total price of bookings paid per month in 2025? Return the month and the total.",
            "SELECT DATE(paid_on, 'start of month'), SUM(total_price) FROM bookings WHERE paid_on LIKE '2025%'"
            " GROUP BY 1",
        ),
        (
            "How many bookings were there per week in 2025? Return the week and the number of bookings.",
            "SELECT DATE(booked_on, '-6 days', 'weekday 1'), COUNT(*) FROM bookings WHERE booked_on LIKE '2025%'"
            " GROUP BY 1",
        ),
    ],
)
def test_a_request_at_the_end_says_what_is_shown_anyway(question, gold, town, same_rows):
    assert not _first_is(town, same_rows, question, gold).ignored


def test_return_at_the_head_of_a_sentence_is_no_value(town, same_rows):
    question = "How many bookings has each ensemble? Return ensemble name and number of bookings."
    _first_is(town, same_rows, question, f"SELECT ensemble_name, COUNT(*) FROM {_ENSEMBLES} GROUP BY 1")


def test_a_planned_date_is_not_the_day_it_happened(town, same_rows):
    gold = "SELECT SUM(seats) FROM bookings WHERE booked_on LIKE '2025%'"
    _first_is(town, same_rows, "total seats in 2025", gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("total price of bookings by state", "SELECT state, SUM(total_price) FROM bookings GROUP BY 1"),
        (
            "For each hall, return the hall name, the number of open bookings and the total price of those bookings.",
            f"SELECT hall_name, COUNT(*), SUM(total_price) FROM {_HALLS} WHERE state = 'open' GROUP BY 1",
        ),
    ],
)
def test_a_total_price_adds_up(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What percentage of bookings has each state?",
            "SELECT state, 100.0 * COUNT(*) / (SELECT COUNT(*) FROM bookings) FROM bookings GROUP BY 1",
        ),
        (
            "What share of the total price comes from the top 2 ensembles?",
            "SELECT 100.0 * (SELECT SUM(s) FROM (SELECT SUM(total_price) AS s FROM bookings GROUP BY ensemble_id"
            " ORDER BY 1 DESC LIMIT 2)) / SUM(total_price) FROM bookings",
        ),
        (
            "What share of bookings comes from the top 2 halls?",
            "SELECT 100.0 * (SELECT SUM(s) FROM (SELECT COUNT(*) AS s FROM bookings GROUP BY hall_id"
            " ORDER BY 1 DESC LIMIT 2)) / COUNT(*) FROM bookings",
        ),
        (
            "How many online bookings does each hall have, and what percentage of its bookings are online?",
            f"SELECT hall_name, SUM(is_online), 100.0 * SUM(is_online) / COUNT(*) FROM {_HALLS} GROUP BY 1",
        ),
        (
            "What is the crowd rate by hall, where crowd rate is the share of returned bookings that have over 30 seats?",
            f"SELECT hall_name, 1.0 * SUM(seats > 30) / COUNT(*) FROM {_HALLS} WHERE state = 'returned' GROUP BY 1",
        ),
    ],
)
def test_parts_of_the_whole_that_is_meant(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Which month of 2025 had the highest number of bookings?",
            f"SELECT {_MONTH} FROM bookings WHERE booked_on LIKE '2025%' GROUP BY 1 HAVING COUNT(*) = (SELECT MAX(n)"
            f" FROM (SELECT COUNT(*) AS n FROM bookings WHERE booked_on LIKE '2025%' GROUP BY {_MONTH}))",
        ),
        (
            "Which 2 halls have the highest total fee, and what is it?",
            f"SELECT hall_name, SUM(fee) FROM {_HALLS} GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        ),
        (
            "Who are the top 3 ensembles by number of bookings?",
            f"SELECT ensemble_name, COUNT(*) FROM {_ENSEMBLES} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        ),
        (
            "Return the 3 ensembles with the largest total fee, with their home town and the fee.",
            f"SELECT ensemble_name, home_town, SUM(fee) FROM {_ENSEMBLES} GROUP BY 1 ORDER BY 3 DESC LIMIT 3",
        ),
        (
            "Which pickup towns have more than 20 bookings? Return the town and the number of bookings.",
            "SELECT pickup_town, COUNT(*) FROM bookings GROUP BY 1 HAVING COUNT(*) > 20",
        ),
    ],
)
def test_what_comes_first_is_shown_as_asked(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


def test_kinds_behind_the_verb_stand_side_by_side(town, same_rows):
    gold = (
        f"SELECT {_MONTH}, SUM(state = 'open'), SUM(state = 'returned'), SUM(state = 'cancelled') FROM bookings"
        " WHERE booked_on LIKE '2025%' GROUP BY 1"
    )
    _first_is(town, same_rows, "How many bookings were open, returned and cancelled in each month of 2025?", gold)


def test_a_figure_per_row_is_not_grouped_by_the_row(town, same_rows):
    question = "What is the average number of seats per booking for each district?"
    _first_is(town, same_rows, question, f"SELECT district, AVG(seats) FROM {_HALLS} GROUP BY 1")


_TAKEN = "julianday(resolved_on) - julianday(reported_on)"
_LEASED = "julianday(ended_on) - julianday(signed_on)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the average resolution time in days by urgency?",
            f"SELECT urgency, AVG({_TAKEN}) FROM repairs GROUP BY 1",
        ),
        (
            "longest resolution time by hall",
            f"SELECT hall_name, MAX({_TAKEN}) FROM repairs JOIN halls USING (hall_id) GROUP BY 1",
        ),
        ("What is the average duration of leases?", f"SELECT AVG({_LEASED}) FROM leases"),
        (
            "What is the average lease duration in days by home town?",
            f"SELECT home_town, AVG({_LEASED}) FROM leases JOIN ensembles USING (ensemble_id) GROUP BY 1",
        ),
        (
            "How many days on average pass between the booking and the planned date, by district?",
            f"SELECT district, AVG(julianday(planned_on) - julianday(booked_on)) FROM {_HALLS} GROUP BY 1",
        ),
    ],
)
def test_how_long_something_lasts_by_its_noun(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the loss rate of each hall, defined as cancelled bookings divided by all bookings?",
            f"SELECT hall_name, 1.0 * SUM(state = 'cancelled') / COUNT(*) FROM {_HALLS} GROUP BY 1",
        ),
        (
            "Which halls have an average fee above the overall average fee? Show the hall name and its average.",
            f"SELECT hall_name, AVG(fee) FROM {_HALLS} GROUP BY 1 HAVING AVG(fee) > (SELECT AVG(fee) FROM bookings)",
        ),
        (
            "What was the date of the first booking of each ensemble? Return ensemble name and date.",
            f"SELECT ensemble_name, MIN(booked_on) FROM {_ENSEMBLES} GROUP BY 1",
        ),
        (
            "On which day of the week do most repairs take place?",
            "SELECT CASE strftime('%w', reported_on) WHEN '0' THEN 'Sunday' WHEN '1' THEN 'Monday' WHEN '2' THEN"
            " 'Tuesday' WHEN '3' THEN 'Wednesday' WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' ELSE 'Saturday' END"
            " FROM repairs GROUP BY 1 HAVING COUNT(*) = (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM repairs"
            " GROUP BY strftime('%w', reported_on)))",
        ),
        ("Rank the districts by number of bookings.", f"SELECT district, COUNT(*) FROM {_HALLS} GROUP BY 1"),
        (
            "For each month of 2025, show the number of bookings and the number of repairs.",
            "SELECT m, SUM(b), SUM(r) FROM (SELECT DATE(booked_on, 'start of month') AS m, 1 AS b, 0 AS r FROM bookings"
            " WHERE booked_on LIKE '2025%' UNION ALL SELECT DATE(reported_on, 'start of month'), 0, 1 FROM repairs"
            " WHERE reported_on LIKE '2025%') GROUP BY 1",
        ),
        (
            "For each district, show the number of halls, the number of open bookings and the total fee of open bookings.",
            "SELECT district, COUNT(DISTINCT hall_id), SUM(state = 'open'), SUM(CASE WHEN state = 'open' THEN fee END)"
            " FROM halls LEFT JOIN bookings USING (hall_id) GROUP BY 1",
        ),
    ],
)
def test_rates_firsts_and_figures_of_two_tables(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "How many remarks mention the word 'cold'?",
            "SELECT COUNT(*) FROM remarks WHERE LOWER(body) LIKE '%cold%'",
        ),
        (
            "Which ensembles have not remarked anything in 2025?",
            "SELECT ensemble_name FROM ensembles WHERE ensemble_id NOT IN (SELECT ensemble_id FROM remarks WHERE"
            " remarked_on LIKE '2025%')",
        ),
    ],
)
def test_texts_and_deeds_of_rows_without_a_name(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "How many bookings were issued to choir ensembles in 2025?",
            f"SELECT COUNT(*) FROM {_ENSEMBLES} WHERE kind = 'choir' AND booked_on LIKE '2025%'",
        ),
        (
            "How many new ensembles were there per year?",
            "SELECT CAST(strftime('%Y', ensemble_since) AS INTEGER), COUNT(*) FROM ensembles GROUP BY 1",
        ),
        ("What is the fee per seat by state?", "SELECT state, 1.0 * SUM(fee) / SUM(seats) FROM bookings GROUP BY 1"),
        (
            "What is the average fee per seat by district?",
            f"SELECT district, 1.0 * SUM(fee) / SUM(seats) FROM {_HALLS} GROUP BY 1",
        ),
        ("How many repairs have high status?", "SELECT COUNT(*) FROM repairs WHERE urgency = 'high'"),
    ],
)
def test_the_day_of_the_rows_and_words_that_only_say_how(question, gold, town, same_rows):
    assert not _first_is(town, same_rows, question, gold).ignored


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Which ensemble is most frequent for each district?",
            "SELECT district, ensemble_name FROM (SELECT district, ensemble_name, RANK() OVER (PARTITION BY district"
            " ORDER BY COUNT(*) DESC) AS place FROM bookings JOIN halls USING (hall_id) JOIN ensembles USING"
            " (ensemble_id) GROUP BY 1, 2) WHERE place = 1",
        ),
        (
            "Which state is the most common among bookings of halls in Hill?",
            f"SELECT state FROM {_HALLS} WHERE district = 'Hill' GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
        ),
        (
            "What share of the fee was due to halls in Hill?",
            f"SELECT 100.0 * SUM(CASE WHEN district = 'Hill' THEN fee END) / SUM(fee) FROM {_HALLS}",
        ),
        (
            "What is the total fee of open and returned bookings by district?",
            f"SELECT district, SUM(fee) FROM {_HALLS} WHERE state IN ('open', 'returned') GROUP BY 1",
        ),
        (
            "How many seats did each ensemble have in 2025, counting only open bookings?",
            f"SELECT ensemble_name, SUM(seats) FROM {_ENSEMBLES} WHERE state = 'open' AND booked_on LIKE '2025%'"
            " GROUP BY 1",
        ),
    ],
)
def test_what_is_most_frequent_and_of_which_kinds(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)


def test_oldest_first_goes_by_the_date_that_is_shown(town):
    analyst, con = town
    meaning = analyst.candidates("List the open bookings with the hall name and the planned date, oldest first.")[0]
    rows = con.execute(analyst.sql(meaning.meaning, context=False)).fetchall()
    dates = [row[-1] for row in rows]
    assert dates == sorted(dates)


_ONLINE = "100.0 * SUM(is_online) / COUNT(*)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "Which 2 ensembles have the highest share of online bookings, and what is it?",
            f"SELECT ensemble_name, {_ONLINE} FROM {_ENSEMBLES} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2",
        ),
        (
            "Which district has the lowest percentage of cancelled bookings?",
            f"SELECT district FROM {_HALLS} GROUP BY 1 HAVING AVG(state = 'cancelled') = (SELECT MIN(n) FROM (SELECT"
            f" AVG(state = 'cancelled') AS n FROM {_HALLS} GROUP BY district))",
        ),
        (
            "Which month of 2025 had the most cancelled bookings?",
            f"SELECT {_MONTH} FROM bookings WHERE state = 'cancelled' AND booked_on LIKE '2025%' GROUP BY 1 HAVING"
            " COUNT(*) = (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM bookings WHERE state = 'cancelled' AND booked_on"
            f" LIKE '2025%' GROUP BY {_MONTH}))",
        ),
        (
            "Which halls have an average fee below the overall average? Show the hall name and the fee.",
            f"SELECT hall_name, AVG(fee) FROM {_HALLS} GROUP BY 1 HAVING AVG(fee) < (SELECT AVG(fee) FROM bookings)",
        ),
    ],
)
def test_shares_and_kinds_are_ranked(question, gold, town, same_rows):
    _first_is(town, same_rows, question, gold)
