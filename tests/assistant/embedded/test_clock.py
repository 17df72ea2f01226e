"""Durations that are kept as text are computed with as seconds, and shown as they are stored; checked by hand."""

from __future__ import annotations

import pytest

from assistant.data.catalog import Column, Profile
from assistant.embedded.source.clock import clock_of

_RIDES = """
CREATE TABLE tunes (tune_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, mood TEXT NOT NULL, duration TEXT);
CREATE TABLE films (film_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, runtime TEXT NOT NULL);
CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, town TEXT NOT NULL, duration TEXT NOT NULL, leaves_at TEXT NOT NULL);
INSERT INTO tunes VALUES (1, 'Dawn', 'calm', '4:27'), (2, 'Dusk', 'calm', '10:02'), (3, 'Noon', 'wild', '0:58'),
    (4, 'Rust', 'wild', '3:00'), (5, 'Hush', 'calm', NULL);
INSERT INTO films VALUES (1, 'Heron', '01:02:33'), (2, 'Gannet', '02:10:00'), (3, 'Tern', '01:59:59');
INSERT INTO trips VALUES (1, 'Ulm', '5:30', '07:15'), (2, 'Kiel', '2:05', '14:30'), (3, 'Jena', '11:00', '09:00');
"""


@pytest.fixture(scope="module")
def rides(opened):
    return opened("rides", _RIDES)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the title of the longest tune?", [("Dusk",)]),
        ("What is the title and the duration of the shortest tune?", [("Noon", "0:58")]),
        ("Which tunes last more than 4 minutes?", [("Dawn",), ("Dusk",)]),
        ("How many tunes are longer than 180 seconds?", [(2,)]),
        ("What is the average duration of the wild tunes?", [(119.0,)]),
        ("Which mood has the longest average duration?", [("calm",)]),
        ("Which tunes are shorter than the average tune?", [("Dawn",), ("Noon",), ("Rust",)]),
        ("Which films run longer than two hours?", [("Gannet",)]),
        ("Which film has the longest runtime?", [("Gannet",)]),
        ("How many trips are longer than 5 hours?", [(2,)]),
    ],
)
def test_durations_are_no_text(rides, question, rows, first_rows):
    found, _, sql = first_rows(rides, question)
    assert sorted(found) == rows, sql


@pytest.mark.parametrize(
    ("name", "low", "parts"),
    [
        ("duration", "4:27", ("minutes", "seconds")),
        ("lap_time", "00:01:30", ("hours", "minutes", "seconds")),
        ("leaves_at", "07:15", None),
        ("duration", "about 4:00", None),
    ],
)
def test_only_what_is_called_a_duration_is_one(name, low, parts):
    column = Column(name=name, type="TEXT", kind="text", profile=Profile(distinct=9, nulls=0, low=low, high=low))
    found = clock_of(column, "tunes")
    assert (found.parts if found else None) == parts


def test_what_it_is_read_as_is_said(rides, understood):
    analyst, _ = rides
    told = understood(analyst, "How many tunes are longer than 3 minutes?")
    assert any("minutes:seconds" in text for text in told.assumptions)
