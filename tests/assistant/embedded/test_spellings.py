"""One value in several spellings: whoever asks for it means all of them."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, region TEXT NOT NULL, guests INTEGER NOT NULL);
INSERT INTO visits VALUES (1, 'North', 1), (2, 'north', 2), (3, 'NORTH ', 4), (4, 'South', 8), (5, 'south', 16),
    (6, 'East', 32);
"""


@pytest.fixture(scope="module")
def visits(opened):
    return opened("visits", _SCHEMA, date(2026, 11, 22))


@pytest.mark.parametrize(
    ("question", "guests"),
    [
        ("total guests in the north", 7),
        ("total guests in the North", 7),
        ("total guests in north and south", 31),
        ("total guests in the east", 32),
        ("total guests except the north", 56),
        ("total guests excluding north and south", 32),
    ],
)
def test_all_spellings_of_a_value_are_meant(question, guests, visits):
    analyst, con = visits
    read = analyst.read(question)
    assert isinstance(read, Understood)
    assert con.execute(analyst.sql(read.meaning)).fetchall() == [(guests,)]


def test_that_they_are_taken_together_is_said(visits):
    analyst, _ = visits
    read = analyst.read("total guests in the south")
    assert "“South” is also written “south”; they are taken together" in read.assumptions
    assert not any("also written" in said for said in analyst.read("total guests in the east").assumptions)
