"""Lists of figures, orders at the end, texts that are spoken of and days that have not come, in a source that declares
no keys and whose tables all begin alike. Each answer is checked against SQL."""

from __future__ import annotations

import pytest

_SCRIPT = """
CREATE TABLE hb_skipper (sk_id INTEGER, sk_name TEXT, sk_email TEXT, sk_since TEXT, sk_last_login_at TIMESTAMP,
 sk_licensed_on TEXT, sk_club TEXT);
CREATE TABLE hb_berth (be_id INTEGER, be_name TEXT, be_depth REAL, be_remarks TEXT);
CREATE TABLE hb_mooring (mo_id INTEGER, mo_SkipperId INTEGER, mo_berth_id INTEGER, mo_start TIMESTAMP, mo_end TIMESTAMP,
 mo_fee REAL, mo_tide INTEGER);
CREATE TABLE hb_fees_paid (fp_id INTEGER, fp_mooring_id INTEGER, fp_day TEXT, fp_amount REAL);
CREATE TABLE hb_call (ca_id INTEGER, ca_skipper_id INTEGER, ca_visited_on TEXT, ca_accepted TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
 INSERT INTO hb_call SELECT i, 1 + i * i % 29, DATE('2025-01-01', (i * 3) || ' days'),
 CASE i % 7 WHEN 0 THEN 'N' ELSE 'Y' END FROM n;
CREATE TABLE hb_notice (no_id INTEGER, no_skipper_id INTEGER, no_kind TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
 INSERT INTO hb_skipper SELECT i, 'Skipper ' || i, 's' || i || CASE i % 3 WHEN 0 THEN '@quay.example' ELSE '@mail.example'
 END, DATE('2024-01-01', (i * 20) || ' days'), DATE('2025-06-01', (i * 3) || ' days') || ' 10:00:00',
 CASE WHEN i % 4 THEN DATE('2024-01-05', (i * 21) || ' days') END, CASE i % 2 WHEN 0 THEN 'North' ELSE 'South' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
 INSERT INTO hb_berth SELECT i, 'Berth ' || i, 2.5 + i % 4, CASE i % 3 WHEN 0 THEN 'crane beside the steps' WHEN 1 THEN
 'no light at night' ELSE 'light and crane' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
 INSERT INTO hb_mooring SELECT i, 1 + i * 7 % 27, 1 + i % 8, DATE('2025-01-01', (i * 2) || ' days') || ' 08:00:00',
 DATE('2025-01-01', (i * 2 + i % 5) || ' days') || ' 20:00:00', 10.0 + i * 13 % 70, i % 6 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
 INSERT INTO hb_fees_paid SELECT i, i * 2, DATE('2025-01-05', (i * 4) || ' days'), 5.0 + i % 9 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
 INSERT INTO hb_notice SELECT i, 1 + i % 29, CASE i % 3 WHEN 0 THEN 'mooring' WHEN 1 THEN 'storm' ELSE 'price' END FROM n;
"""
_CALLED = "hb_call JOIN hb_skipper ON sk_id = ca_skipper_id"
_MOORED = "hb_mooring m JOIN hb_skipper s ON s.sk_id = m.mo_SkipperId"


@pytest.fixture(scope="module")
def quay(opened):
    """An analyst over skippers, berths and moorings, and a connection to them."""
    return opened("quay", _SCRIPT)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "For each club, show the number of moorings, their average fee and their highest tide.",
            f"SELECT sk_club, COUNT(*), AVG(mo_fee), MAX(mo_tide) FROM {_MOORED} GROUP BY 1",
        ),
        (
            "What is the average mooring duration in hours by berth?",
            "SELECT be_name, AVG(julianday(mo_end) - julianday(mo_start)) * 24 FROM hb_mooring"
            " JOIN hb_berth ON be_id = mo_berth_id GROUP BY 1",
        ),
        (
            "How many skippers logged in in July 2025?",
            "SELECT COUNT(*) FROM hb_skipper WHERE sk_last_login_at LIKE '2025-07%'",
        ),
        (
            "How many berths mention crane in their remarks?",
            "SELECT COUNT(*) FROM hb_berth WHERE be_remarks LIKE '%crane%'",
        ),
        (
            'How many berths have "crane" or "night" in their remarks?',
            "SELECT COUNT(*) FROM hb_berth WHERE be_remarks LIKE '%crane%' OR be_remarks LIKE '%night%'",
        ),
        ("Which skippers have not been licensed yet?", "SELECT sk_name FROM hb_skipper WHERE sk_licensed_on IS NULL"),
        (
            "For each skipper of the North club, when was the most recent mooring?",
            f"SELECT sk_name, MAX(mo_start) FROM {_MOORED} WHERE sk_club = 'North' GROUP BY sk_id",
        ),
        (
            "Which skippers have never made a mooring?",
            "SELECT sk_name FROM hb_skipper WHERE sk_id NOT IN (SELECT mo_SkipperId FROM hb_mooring)",
        ),
        (
            "Which skippers have made no moorings at all?",
            "SELECT sk_name FROM hb_skipper WHERE sk_id NOT IN (SELECT mo_SkipperId FROM hb_mooring)",
        ),
        (
            "What is the difference between the average fee of moorings of the north club and the south club?",
            "SELECT AVG(CASE sk_club WHEN 'North' THEN mo_fee END) - AVG(CASE sk_club WHEN 'South' THEN mo_fee END)"
            f" FROM {_MOORED}",
        ),
        (
            "What is the average fee of moorings of the North club and of the South club?",
            f"SELECT sk_club, AVG(mo_fee) FROM {_MOORED} GROUP BY 1",
        ),
        (
            "What is the loss by club, where loss is the fee minus the tide? Return the club and the loss.",
            f"SELECT sk_club, SUM(mo_fee - mo_tide) FROM {_MOORED} GROUP BY 1",
        ),
        (
            "How many moorings lasted longer than 40 hours?",
            "SELECT COUNT(*) FROM hb_mooring WHERE (julianday(mo_end) - julianday(mo_start)) * 24 > 40",
        ),
        (
            "Which skippers visited more than 4 times?",
            f"SELECT sk_name FROM {_CALLED} GROUP BY sk_id HAVING COUNT(*) > 4",
        ),
        (
            "How many skippers visited at least twice in May 2025?",
            f"SELECT COUNT(*) FROM (SELECT 1 FROM {_CALLED} WHERE ca_visited_on LIKE '2025-05%' GROUP BY sk_id"
            " HAVING COUNT(*) >= 2)",
        ),
        (
            "What percentage of calls was rejected by club?",
            f"SELECT sk_club, 100.0 * AVG(ca_accepted = 'N') FROM {_CALLED} GROUP BY 1",
        ),
        (
            "What percentage of calls by North skippers was not accepted?",
            f"SELECT 100.0 * AVG(ca_accepted = 'N') FROM {_CALLED} WHERE sk_club = 'North'",
        ),
        (
            "How many moorings lasted more than 2 days?",
            "SELECT COUNT(*) FROM hb_mooring WHERE julianday(DATE(mo_end)) - julianday(DATE(mo_start)) > 2",
        ),
        (
            "How many moorings of the North club were longer than 3 days?",
            f"SELECT COUNT(*) FROM {_MOORED} WHERE sk_club = 'North'"
            " AND julianday(DATE(mo_end)) - julianday(DATE(mo_start)) > 3",
        ),
        (
            "How many skippers took at least 20 days to be licensed?",
            "SELECT COUNT(*) FROM hb_skipper WHERE julianday(sk_licensed_on) - julianday(sk_since) >= 20",
        ),
        (
            "What is the average number of tides per mooring by club of the skipper and name of the berth?",
            f"SELECT sk_club, be_name, AVG(mo_tide) FROM {_MOORED} JOIN hb_berth ON be_id = mo_berth_id GROUP BY 1, 2",
        ),
        ("List all berths deeper than 4 with the depth.", "SELECT be_name, be_depth FROM hb_berth WHERE be_depth > 4"),
    ],
)
def test_long_questions_about_a_source_without_keys(question, gold, quay, first_rows, same_rows):
    found, con, sql = first_rows(quay, question)
    assert same_rows(found, con.execute(gold).fetchall()), sql


def test_what_stands_first_at_the_end_is_the_order(quay):
    analyst, _ = quay
    meaning = analyst.candidates("What is the total fee of moorings per club, highest fee first?")[0].meaning
    assert not meaning.compared
    assert [(order.by, order.descending) for order in meaning.order] == [("measure", True)]


def test_a_word_before_all_names_of_tables_is_not_said(quay):
    analyst, _ = quay
    assert analyst.candidates("How many skippers are there?")[0].meaning.base_label == "skippers"
