"""Names that are short for what people say, and files as they come: rows called by their number, amounts as text."""

from __future__ import annotations

import pytest

_WAREHOUSE = """
CREATE TABLE dim_vessel (vsl_id TEXT, vsl_nm TEXT, vsl_cat TEXT);
CREATE TABLE fct_haul (hl_id TEXT, hl_vsl_id TEXT, hl_dt DATE, hl_tonn REAL, hl_insp TEXT);
CREATE TABLE users (uid INTEGER, nick TEXT);
CREATE TABLE boxes (bid INTEGER, uid INTEGER, colour TEXT);
INSERT INTO dim_vessel VALUES ('V1', 'Aurora', 'trawler'), ('V2', 'Brisk', 'trawler'), ('V3', 'Comet', 'tender');
INSERT INTO fct_haul VALUES ('H1', 'V1', '2025-02-01', 10, 'Moss'), ('H2', 'V1', '2025-03-01', 20, 'Reed'),
    ('H3', 'V3', '2025-03-05', 5, 'Moss');
INSERT INTO users VALUES (1, 'ada'), (2, 'bo'), (3, 'cy');
INSERT INTO boxes VALUES (1, 1, 'red'), (2, 1, 'blue'), (3, 3, 'red');
"""
_FILE = """
CREATE TABLE "export_march" ("Ticket No." TEXT, "Ticket Date" TEXT, "Passenger" TEXT, "Fare" TEXT, "% used" INTEGER);
"""


@pytest.fixture(scope="module")
def warehouse(opened):
    return opened("warehouse", _WAREHOUSE)


@pytest.fixture(scope="module")
def export(opened):
    fares = ["1,250.00", "980.50", "1,100.25", "45.00"]
    rows = ", ".join(
        f"('T-{n}', '2025-03-{n % 9 + 1:02d}', '{('Ida', 'Per', 'Una')[n % 3]}', '{fares[n % 4]}', {n % 5 * 25})"
        for n in range(1, 41)
    )
    return opened("export", f"{_FILE}INSERT INTO export_march VALUES {rows};")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total tonnage by vessel", [("Aurora", 30.0), ("Comet", 5.0)]),
        ("How many hauls did each inspector see?", [("Moss", 2), ("Reed", 1)]),
        ("How many users have no box?", [(1,)]),
        ("vessels with an average haul tonnage above 10", [("Aurora",)]),
        ("Which vessel category had more than 1 haul?", [("trawler",)]),
        ("number of hauls and number of distinct vessels by inspector", [("Moss", 2, 2), ("Reed", 1, 1)]),
    ],
)
def test_a_name_may_be_short_for_the_word(question, rows, warehouse, same_rows):
    analyst, con = warehouse
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


_FARE = "CAST(REPLACE(Fare, ',', '') AS REAL)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many tickets are there?", "SELECT COUNT(*) FROM export_march"),
        ("number of tickets by passenger", "SELECT Passenger, COUNT(*) FROM export_march GROUP BY 1"),
        ("average fare by passenger", f"SELECT Passenger, AVG({_FARE}) FROM export_march GROUP BY 1"),
        ("How many tickets have a fare above 1,000?", f"SELECT COUNT(*) FROM export_march WHERE {_FARE} > 1000"),
        ("average percent used", 'SELECT AVG("% used") FROM export_march'),
    ],
)
def test_rows_of_a_file_are_what_their_number_says(question, gold, export, same_rows):
    analyst, con = export
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql
