"""Which column and which value is meant: names with a word more, apart or joined; values beside their column."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst

_TOWNS = ("Aarau", "Bex", "Chur", "Davos", "Elm", "Flims", "Gais", "Horgen", "Ilanz", "Jona", "Klosters", "Laax")
_SCHEMA = """
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, maker_name TEXT NOT NULL, state TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT NOT NULL, written_by TEXT NOT NULL, staged_by TEXT NOT NULL,
    lifespan INTEGER NOT NULL, license_state TEXT NOT NULL, acts INTEGER NOT NULL, house TEXT NOT NULL,
    maker_id INTEGER NOT NULL REFERENCES maker (maker_id), booked TEXT NOT NULL, seat TEXT NOT NULL);
CREATE TABLE review (review_id INTEGER PRIMARY KEY, maker_id INTEGER NOT NULL REFERENCES maker (maker_id));
INSERT INTO maker VALUES (1, 'Zito', 'Bern', 'USA'), (2, 'Yann', 'Uri', 'Chile'), (3, 'Wolf', 'Zug', 'Chile');
INSERT INTO play VALUES (1, 'Oats', 'Lee', 'Moss', 9, 'open', 3, 'Globe', 1, 'yes', 'Bern'),
    (2, 'Rye', 'Kay', 'Moss', 4, 'gone', 5, 'Odeon', 2, 'no', 'Uri'),
    (3, 'Barley', 'Lee', 'Pratt', 7, 'open', 4, 'Globe', 2, 'yes', 'Bern');
INSERT INTO review VALUES (1, 3), (2, 3);
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory, catalog_of):
    path = tmp_path_factory.mktemp("stage") / "stage.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(_SCHEMA)
        con.execute("CREATE TABLE venue (venue_id INTEGER PRIMARY KEY, venue_name TEXT, town TEXT)")
        for n in range(6000):
            con.execute("INSERT INTO venue VALUES (?, ?, ?)", (n, f"Venue {n}", f"{_TOWNS[n % 12]} {n}"))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), date(2026, 11, 21)), con


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Show the title and stager of all plays", "SELECT title, staged_by FROM play"),
        ("What are the life spans of plays?", "SELECT lifespan FROM play"),
        ("title and license state code of the plays", "SELECT title, license_state FROM play"),
        ("Show the license state, name and seat of the plays", "SELECT license_state, title, seat FROM play"),
        ("title and maker number for all plays", "SELECT title, maker_id FROM play"),
        ("Find the ids of makers whose name contains 'it'", "SELECT maker_id FROM maker WHERE maker_id = 1"),
        ("titles of plays in the state of Bern", "SELECT title FROM play WHERE maker_id = 1"),
        ("titles of plays with the seat of Bern", "SELECT title FROM play WHERE seat = 'Bern'"),
        ("names of makers from the United States", "SELECT maker_name FROM maker WHERE country = 'USA'"),
        ("names of makers who are not from the country of Chile", "SELECT maker_name FROM maker WHERE maker_id = 1"),
        ("titles of plays with 5 acts", "SELECT title FROM play WHERE acts = 5"),
        ("titles of plays whose booked status is 'No'", "SELECT title FROM play WHERE booked = 'no'"),
        ("titles of plays given by a house whose name contains 'lob'", "SELECT title FROM play WHERE house = 'Globe'"),
        ("titles of plays that contain the short word 'ar'", "SELECT title FROM play WHERE title LIKE '%ar%'"),
        ("titles of plays with an 'y' in their title", "SELECT title FROM play WHERE title LIKE '%y%'"),
        ("names of venues in the town of Perlen", "SELECT venue_name FROM venue WHERE town = 'Perlen'"),
        ("Show all titles that contain the word 'ar'", "SELECT title FROM play WHERE title LIKE '%ar%'"),
        ("titles of plays whose title contains letter 'y'", "SELECT title FROM play WHERE title LIKE '%y%'"),
        ("titles of plays whose title contains the letter y", "SELECT title FROM play WHERE title LIKE '%y%'"),
        ("titles of plays whose title contains the characters 'ar'", "SELECT title FROM play WHERE title LIKE '%ar%'"),
        (
            "number of plays per maker and maker name",
            "SELECT maker_name, COUNT(*) FROM play JOIN maker USING (maker_id) GROUP BY 1",
        ),
        ("show the lifespans over 5", "SELECT lifespan FROM play WHERE lifespan > 5"),
        ("names of makers under the state 'Uri'", "SELECT maker_name FROM maker WHERE state = 'Uri'"),
        ("names of makers with at least 1 gone play", "SELECT maker_name FROM maker WHERE maker_id = 2"),
        ("Who is the stager of Rye?", "SELECT staged_by FROM play WHERE title = 'Rye'"),
    ],
)
def test_rows_are_those_of_the_query_by_hand(question, gold, stage, same_rows):
    analyst, con = stage
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql


def test_value_that_is_not_known_is_said(stage):
    analyst, _ = stage
    best = analyst.candidates("names of venues in the town of Perlen")[0]
    assert any("Perlen" in said for said in best.assumptions)


def test_a_verb_is_no_title_among_many(tmp_path, catalog_of):
    path = tmp_path / "songs.sqlite"
    titles = ["Release", "Played", *(f"Song {n}" for n in range(60))]
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, singer_name TEXT)")
        con.execute("CREATE TABLE song (song_id INTEGER PRIMARY KEY, title TEXT, singer_id INTEGER REFERENCES singer)")
        con.executemany("INSERT INTO singer VALUES (?, ?)", [(1, "Ada"), (2, "Bo"), (3, "Cy")])
        con.executemany("INSERT INTO song VALUES (?, ?, ?)", [(n, t, 1 + n % 2) for n, t in enumerate(titles)])
        con.commit()
        analyst = Analyst([catalog_of(path)], (), date(2026, 11, 21))
        meaning = analyst.candidates("Which singers have not released any songs?")[0].meaning
        assert con.execute(analyst.sql(meaning)).fetchall() == [("Cy",)]
        named = analyst.candidates("Who is the singer of the song Release?")[0].meaning
        assert con.execute(analyst.sql(named)).fetchall() == [("Ada",)]
