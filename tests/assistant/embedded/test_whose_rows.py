"""Whose rows are meant: those of two tables that share a column's values, of somebody's own, of a verb; by hand."""

from __future__ import annotations

import pytest

_CHOIRS = """
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tutors (tutor_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, wage REAL NOT NULL,
    hall_id INTEGER NOT NULL REFERENCES halls (hall_id));
CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL,
    paying TEXT NOT NULL, tutor_id INTEGER NOT NULL REFERENCES tutors (tutor_id), joined DATE NOT NULL);
CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, format TEXT NOT NULL,
    singer_id INTEGER NOT NULL REFERENCES singers (singer_id), released DATE NOT NULL);
CREATE TABLE lists (list_id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE list_songs (list_id INTEGER NOT NULL REFERENCES lists (list_id),
    song_id INTEGER NOT NULL REFERENCES songs (song_id), PRIMARY KEY (list_id, song_id));
INSERT INTO halls VALUES (1, 'Dome'), (2, 'Barn');
INSERT INTO tutors VALUES (1, 'Ulla', 'Bonn', 30, 1), (2, 'Vito', 'Kiel', 50, 2), (3, 'Wim', 'Jena', 20, 1);
INSERT INTO singers VALUES (1, 'Ada', 'Bonn', 'Y', 1, '2020-01-01'), (2, 'Bo', 'Ulm', 'N', 1, '2021-01-01'),
    (3, 'Cleo', 'Kiel', 'N', 2, '2022-02-02'), (4, 'Dirk', 'Trier', 'Y', 3, '2022-03-03');
INSERT INTO songs VALUES (1, 'Rain', 'wav', 1, '2020-05-05'), (2, 'Snow', 'mp3', 1, '2021-05-05'),
    (3, 'Hail', 'mp3', 2, '2022-05-05'), (4, 'Fog', 'mp3', 3, '2022-06-06');
INSERT INTO lists VALUES (1, 'Dawn'), (2, 'Dusk'), (3, 'Noon');
INSERT INTO list_songs VALUES (1, 1), (2, 2), (2, 3), (3, 1);
"""


@pytest.fixture(scope="module")
def choirs(opened):
    return opened("choirs", _CHOIRS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which towns are home to singers but to no tutor?", [("Trier",), ("Ulm",)]),
        ("How many towns have singers but no tutors?", [(2,)]),
        ("How many towns have both singers and tutors?", [(2,)]),
        ("Which towns have both tutors and paying singers?", [("Bonn",)]),
        ("Which towns have tutors but no paying singers?", [("Jena",), ("Kiel",)]),
        ("Find the names of singers who live in the same town as their tutor.", [("Ada",), ("Cleo",)]),
        ("How many singers live in a different town than their tutor?", [(2,)]),
        ("What is the name of the singer whose songs are in the most lists?", [("Ada",)]),
        ("What is the name of the hall whose tutors have the highest average wage?", [("Barn",)]),
        ("Which hall pays the highest average wage to its tutors?", [("Barn",)]),
        ("For each format, how many singers released songs?", [("mp3", 3), ("wav", 1)]),
        ("Which singers released songs in at least 2 different formats?", [("Ada",)]),
        ("How many singers have songs in more than one format?", [(1,)]),
        ("Show the number of singers who joined by town.", [("Bonn", 1), ("Kiel", 1), ("Trier", 1), ("Ulm", 1)]),
    ],
)
def test_rows_are_found_by_what_they_share_or_belong_to(choirs, question, rows, first_rows):
    found, _, sql = first_rows(choirs, question)
    assert sorted(found) == rows, sql
