"""Everyday questions, short and in people's own words, on a small music shop; checked by queries written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

_SCHEMA = """
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    extension TEXT NOT NULL);
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    country TEXT NOT NULL, employee_id INTEGER NOT NULL REFERENCES employees (employee_id));
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    invoice_date DATE NOT NULL, total REAL NOT NULL);
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, genre_name TEXT NOT NULL);
CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title TEXT NOT NULL, length INTEGER NOT NULL, rating TEXT NOT NULL,
    genre_id INTEGER NOT NULL REFERENCES genres (genre_id));
CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL);
CREATE TABLE song_singers (song_id INTEGER NOT NULL REFERENCES songs (song_id),
    singer_id INTEGER NOT NULL REFERENCES singers (singer_id), PRIMARY KEY (song_id, singer_id));
CREATE TABLE invoice_lines (line_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id),
    song_id INTEGER NOT NULL REFERENCES songs (song_id), unit_price REAL NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO employees VALUES (1, 'Ann', 'Ott', '310'), (2, 'Bea', 'Uhl', '25');
INSERT INTO clients VALUES (1, 'Cem', 'Aydin', 'Turkey', 1), (2, 'José', 'Vega', 'Spain', 1),
    (3, 'Jose', 'Roca', 'Spain', 2), (4, 'Cem', 'Kaya', 'Turkey', 2);
INSERT INTO invoices VALUES (1, 1, '2026-01-05', 12), (2, 1, '2026-03-07', 30), (3, 2, '2026-02-01', 8),
    (4, 3, '2026-04-09', 20), (5, 4, '2026-05-01', 4);
INSERT INTO genres VALUES (1, 'Rock'), (2, 'Folk'), (3, 'Blues');
INSERT INTO songs VALUES (1, 'Dawn', 95, 'A', 1), (2, 'Dusk', 130, 'B', 1), (3, 'Noon', 170, 'A', 2), (4, 'Eve', 61, 'B', 2);
INSERT INTO singers VALUES (1, 'Mia', 'Lund'), (2, 'Ole', 'Berg');
INSERT INTO song_singers VALUES (1, 1), (2, 1), (2, 2), (3, 2);
INSERT INTO invoice_lines VALUES (1, 1, 1, 2, 6), (2, 2, 2, 3, 10), (3, 3, 1, 2, 4), (4, 4, 3, 5, 4), (5, 5, 3, 4, 1);
"""


@pytest.fixture(scope="module")
def music(opened):
    return opened("music", _SCHEMA)


def _rows(music, question, context=False):
    analyst, con = music
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood | Ambiguous), outcome
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    return con.execute(analyst.sql(meaning, context=context)).fetchall()


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("when did Cem Aydin last buy something", "2026-03-07"),
        ("when did Cem Aydin last order?", "2026-03-07"),
        ("when did Jose Vega first purchase", "2026-02-01"),
    ],
)
def test_the_last_time_is_no_last_name(question, day, music):
    assert _rows(music, question) == [(day,)]


def test_first_and_last_names_are_still_shown(music):
    assert ("Ann", "Ott") in _rows(music, "first and last names of the employees")


def test_a_name_is_found_with_and_without_its_accents(music):
    assert _rows(music, "total invoice amount of José Roca") == [(20.0,)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total invoice amount", [(74.0,)]),
        ("average invoice value", [(14.8,)]),
        ("invoice amount by country", [("Turkey", 46.0), ("Spain", 28.0)]),
    ],
)
def test_the_amount_of_an_invoice_is_its_total(question, rows, music):
    assert _rows(music, question) == rows


def test_what_stars_somebody_is_no_rating(music):
    assert _rows(music, "songs starring Mia Lund") == [("Dawn",), ("Dusk",)]


def test_two_hours_are_the_minutes_that_the_values_tell(music):
    analyst, con = music
    read = analyst.read("songs longer than 2 hours")
    assert isinstance(read, Understood)
    assert [row[0] for row in con.execute(analyst.sql(read.meaning))] == ["Dusk", "Noon"]
    assert "length is taken to be in minutes: 2 hours are 120" in read.assumptions


def test_a_number_that_fits_no_unit_is_asked_for(music):
    assert isinstance(music[0].read("songs longer than 200 weeks"), NotUnderstood)


def test_the_biggest_invoice_of_each_person_shows_whose_it_is(music):
    rows = _rows(music, "biggest invoice per client")
    assert ("Cem", "Aydin", 2) in [row[:3] for row in rows]
    assert len(rows) == 4
