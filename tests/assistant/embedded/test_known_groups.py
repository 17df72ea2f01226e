"""What comes first in a ranking is something: rows that belong to no group are no group, however many they are."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title TEXT NOT NULL, composer TEXT, genre TEXT NOT NULL, aired DATE);
INSERT INTO songs VALUES (1, 'A', NULL, 'pop', NULL), (2, 'B', NULL, 'pop', NULL), (3, 'C', NULL, 'folk', NULL),
    (4, 'D', 'Orff', 'folk', '2026-01-05'), (5, 'E', 'Orff', 'folk', '2026-02-07'), (6, 'F', 'Bizet', 'pop', '2026-02-09');
"""


@pytest.fixture(scope="module")
def songs(opened):
    return opened("songs", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which composer has the most songs", "Orff"),
        ("top 1 composer by number of songs", "Orff"),
        ("in which month were the most songs aired", "2026-02-01"),
    ],
)
def test_rows_without_one_are_not_the_first(question, first, songs):
    analyst, con = songs
    read = analyst.read(question)
    assert isinstance(read, Understood), read
    assert con.execute(analyst.sql(read.meaning)).fetchall()[0][0] == first


def test_that_they_are_left_out_is_said(songs):
    analyst, _ = songs
    assert "where composer is known" in analyst.read("which composer has the most songs").restated
    assert "known" not in analyst.read("which genre has the most songs").restated


def test_a_list_of_all_groups_keeps_them(songs):
    analyst, con = songs
    read = analyst.read("number of songs by composer")
    assert (None, 3) in con.execute(analyst.sql(read.meaning)).fetchall()
