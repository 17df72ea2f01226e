"""What holds for all that something has: only, nothing but, all of whose; checked by hand."""

from __future__ import annotations

import pytest

_DEPOT = """
CREATE TABLE haulers (hauler_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, state TEXT NOT NULL);
CREATE TABLE loads (load_id INTEGER PRIMARY KEY, hauler_id INTEGER NOT NULL REFERENCES haulers (hauler_id),
    goods TEXT NOT NULL, tons REAL NOT NULL, state TEXT NOT NULL, sent DATE NOT NULL);
INSERT INTO haulers VALUES (1, 'Adler', 'idle'), (2, 'Biber', 'busy'), (3, 'Dachs', 'busy'), (4, 'Elch', 'idle');
INSERT INTO loads VALUES (1, 1, 'sand', 5, 'lost', '2024-01-01'), (2, 1, 'sand', 9, 'busy', '2025-01-01'),
    (3, 2, 'sand', 8, 'busy', '2024-02-01'), (4, 2, 'coal', 4, 'busy', '2024-03-01'),
    (5, 3, 'coal', 9, 'lost', '2025-04-01');
"""


@pytest.fixture(scope="module")
def depot(opened):
    return opened("depot", _DEPOT)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which haulers carried only sand loads?", ["Adler"]),
        ("Which haulers have nothing but lost loads?", ["Dachs"]),
        ("Which haulers have all of their loads lost?", ["Dachs"]),
        ("Show the names of haulers whose loads are all lost.", ["Dachs"]),
        ("Find the haulers all of whose loads are busy.", ["Biber"]),
        ("Show the haulers whose every load was lost.", ["Dachs"]),
        ("Find the haulers whose loads all have over 6 tons.", ["Dachs"]),
        ("Which haulers have only one load?", ["Dachs"]),
        ("Show only the idle haulers.", ["Adler", "Elch"]),
        ("Which haulers only have loads that were sent in 2024?", ["Biber"]),
    ],
)
def test_none_is_otherwise(depot, question, names, first_rows):
    rows, _, sql = first_rows(depot, question)
    assert sorted(name for (name,) in rows) == names, sql
