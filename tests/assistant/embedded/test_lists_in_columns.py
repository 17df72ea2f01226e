"""Columns whose texts are lists: whoever asks for one thing means every list that holds it."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import Understood
from assistant.embedded.source.listed import parts_of

_SCHEMA = """
CREATE TABLE huts (hut_id INTEGER PRIMARY KEY, hut_name TEXT NOT NULL, equipment TEXT);
INSERT INTO huts VALUES (1, 'Alm', 'Sauna'), (2, 'Bach', 'Stove, Sauna'), (3, 'Col', 'Stove'), (4, 'Dom', 'Hot Tub'),
    (5, 'Eck', 'Stove, Hot Tub'), (6, 'Firn', 'Stove, Sauna, Hot Tub'), (7, 'Grat', NULL), (8, 'Horn', 'Sauna, Hot Tub');
"""


@pytest.fixture(scope="module")
def huts(opened):
    return opened("huts", _SCHEMA, date(2026, 11, 22))


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("huts with a hot tub", (4, 5, 6, 8)),
        ("huts with a sauna and a stove", (2, 6)),
        ("huts with both sauna and hot tub", (6, 8)),
        ("huts with a sauna or a stove", (1, 2, 3, 5, 6, 8)),
        ("huts without a sauna", (3, 4, 5)),
        ("huts with a stove but not a sauna", (3, 5)),
    ],
)
def test_a_list_that_holds_the_value_is_meant(question, ids, huts):
    analyst, con = huts
    read = analyst.read(question)
    assert isinstance(read, Understood), read
    names = con.execute(f"SELECT hut_name FROM huts WHERE hut_id IN {ids} ORDER BY 1").fetchall()
    assert sorted(con.execute(analyst.sql(read.meaning, context=False)).fetchall()) == names


def test_rows_with_the_value_in_their_list_are_a_part_of_all(huts):
    analyst, con = huts
    read = analyst.read("share of huts with a stove")
    assert isinstance(read, Understood)
    assert con.execute(analyst.sql(read.meaning)).fetchone()[0] == pytest.approx(50.0)


def test_a_comma_within_a_value_makes_no_list():
    assert parts_of(["Bern, Bern", "Chur, Graubünden", "Aarau, Aargau"]) == frozenset()
    assert parts_of(["red", "red,blue"]) == frozenset()
    assert parts_of(["red", "blue", "red|blue"]) == {"red", "blue"}


def test_a_part_of_which_another_is_a_part_is_not_looked_for():
    assert parts_of(["car", "carpet", "car,carpet"]) == frozenset()
