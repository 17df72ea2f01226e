"""Which name a word means: synonyms, abbreviations, initials, ages, what belongs to a country, the values of a column."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst

_SCHEMA = """
CREATE TABLE quay (quay_id INTEGER PRIMARY KEY, qname TEXT NOT NULL, lat REAL NOT NULL, long REAL NOT NULL,
    country TEXT NOT NULL, apt_number INTEGER NOT NULL);
CREATE TABLE clerk (clerk_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    age INTEGER NOT NULL, quay_id INTEGER NOT NULL REFERENCES quay (quay_id), clerk_details TEXT NOT NULL);
CREATE TABLE freight_kind (freight_kind_code TEXT PRIMARY KEY, freight_kind TEXT NOT NULL);
CREATE TABLE load (load_id INTEGER PRIMARY KEY, clerk INTEGER NOT NULL REFERENCES clerk (clerk_id),
    load_status_code TEXT NOT NULL, loading_method_code TEXT NOT NULL, tons INTEGER NOT NULL);
CREATE TABLE berth (berth_id INTEGER PRIMARY KEY, berth_name TEXT NOT NULL, depth INTEGER NOT NULL);
INSERT INTO berth VALUES (1, 'North Bank', 12), (2, 'South Bank', 9);
INSERT INTO quay VALUES (1, 'Alpha', 53.5, 9.9, 'Germany', 11), (2, 'Beta', 41.9, 12.5, 'Italy', 12),
    (3, 'Gamma', 45.4, 12.3, 'Italy', 14);
INSERT INTO clerk VALUES (1, 'Ada', 'Korn', 30, 1, 'calm'), (2, 'Bo', 'Lind', 41, 2, 'quick'),
    (3, 'Cy', 'Moos', 25, 2, 'tall');
INSERT INTO freight_kind VALUES ('a', 'dry'), ('b', 'wet'), ('c', 'dry');
INSERT INTO load VALUES (1, 1, 'done', 'Crane', 180), (2, 1, 'open', 'Hand', 20), (3, 2, 'done', 'Crane', 90);
"""


@pytest.fixture(scope="module")
def port(opened):
    return opened("port", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many clerks are 30 years old?", "SELECT 1"),
        ("How many clerks are over 26 years old?", "SELECT 2"),
        ("first names of clerks who are 30 years old or younger", "SELECT first_name FROM clerk WHERE age <= 30"),
        ("What are the longitude and latitude of each quay?", "SELECT qname, long, lat FROM quay"),
        ("names of the quays in Italy", "SELECT qname FROM quay WHERE country = 'Italy'"),
        ("How many Italian quays are there?", "SELECT 2"),
        ("How many loads have the status code done?", "SELECT 2"),
        ("How many loads have the loading method crane?", "SELECT 2"),
        ("Show the id of loads with tons larger than or equal to 90", "SELECT load_id FROM load WHERE tons >= 90"),
        ("What are the different freight kinds?", "SELECT DISTINCT freight_kind FROM freight_kind"),
        ("Show the apartment number of the quay named Beta", "SELECT 12"),
        ("first names of clerks whose last name contains the letter 's'", "SELECT 'Cy'"),
        ("last names of clerks whose details contain the short word 'all'", "SELECT 'Moos'"),
        ("last name and clerk information of all clerks", "SELECT last_name, clerk_details FROM clerk"),
        ("surname and quay number for clerks whose first name is Bo", "SELECT 'Lind', 2"),
        ("first names of clerks who have the letter o in their last names", "SELECT first_name FROM clerk WHERE age <> 41"),
        ("Which clerks have a load with tons over 100? Tell me their last names and ages.", "SELECT 'Korn', 30"),
        ("names of quays with a latitude above 42 and 12 apartment numbers", "SELECT qname FROM quay WHERE quay_id = 9"),
        ("How many loads were handled by a clerk whose last name has the letter 'o' in it?", "SELECT 2"),
        ("tons of the loads handled by the clerk named Ada", "SELECT 180 UNION SELECT 20"),
        ("What are the last names of clerks who had some load and the status code?", "SELECT last_name, load_status_code"
         " FROM load JOIN clerk ON clerk_id = clerk"),
    ],
)  # fmt: skip
def test_rows_are_those_of_the_query_by_hand(question, gold, port, same_rows):
    analyst, con = port
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql


def test_one_word_of_a_name_is_enough_and_is_said(port):
    analyst, con = port
    best = analyst.candidates("What is the depth of the berth at North?")[0]
    assert con.execute(analyst.sql(best.meaning, context=False)).fetchall() == [(12,)]
    assert any("North Bank" in said for said in best.assumptions)


def test_synonym_names_a_column(port):
    analyst, _ = port
    best = analyst.candidates("How many quays are there in each nation?")[0]
    assert [dimension.column.column for dimension in best.meaning.dimensions] == ["country"]


def test_mountaineers_are_no_mountains(tmp_path, catalog_of):
    path = tmp_path / "hills.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            "CREATE TABLE mountain (mountain_id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
            "CREATE TABLE climber (climber_id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " mountain_id INTEGER NOT NULL REFERENCES mountain (mountain_id));"
        )
    analyst = Analyst([catalog_of(path)], (), date(2026, 11, 21))
    assert analyst.candidates("How many mountaineers are there?")[0].meaning.base == "climber"
