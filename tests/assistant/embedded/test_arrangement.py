"""In which order rows are wanted, said at length: from the one to the other, from Z to A, the dearest first."""

from __future__ import annotations

import pytest

from assistant.embedded.words.arrangement import arranged

_SCHEMA = """
CREATE TABLE brewery (
    brewery_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, vats INTEGER NOT NULL);
CREATE TABLE beer (
    beer_id INTEGER PRIMARY KEY, brewery_id INTEGER NOT NULL REFERENCES brewery (brewery_id),
    name TEXT NOT NULL UNIQUE, price REAL NOT NULL, brewed_on DATE NOT NULL);
CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE taster (
    taster_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL UNIQUE REFERENCES person (person_id), total REAL NOT NULL);
INSERT INTO brewery VALUES (1, 'Anker', 'Kiel', 7), (2, 'Bock', 'Ulm', 3), (3, 'Cask', 'Bonn', 5);
INSERT INTO beer VALUES
    (1, 1, 'Amber', 4.0, '2025-03-01'), (2, 1, 'Bitter', 3.0, '2025-01-01'), (3, 1, 'Cream', 4.0, '2025-02-01'),
    (4, 2, 'Dark', 6.0, '2025-05-01'), (5, 3, 'Export', 5.0, '2025-04-01'), (6, 3, 'Festive', 2.0, '2025-06-01');
INSERT INTO person VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
INSERT INTO taster VALUES (1, 3, 20), (2, 1, 30), (3, 2, 10);
"""


@pytest.fixture(scope="module")
def cellar(opened):
    analyst, con = opened("cellar", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("names of breweries, going from the brewery with the fewest vats to the one with the most", "Bock Cask Anker"),
        ("names of breweries from the one with the most vats to the one with the fewest", "Anker Cask Bock"),
        ("brewery names, starting with the one that has the most beers", "Anker Cask Bock"),
        ("breweries in descending order of beers", "Anker Cask Bock"),
        ("names of breweries, Z to A", "Cask Bock Anker"),
        ("breweries, names only, Z to A", "Cask Bock Anker"),
        ("List the names of breweries, with the names running from A to Z", "Anker Bock Cask"),
        ("Sort the breweries by vats, lowest value first, and give me their names.", "Bock Cask Anker"),
        ("Please sort the breweries by how many beers they have, most first, and show the name of each.", "Anker Cask Bock"),
        ("brewery names, put in order of their vats", "Bock Cask Anker"),
        ("names of beers over 3.5, from the earliest brewing date on", "Cream Amber Export Dark"),
        ("names of beers that cost at least 4, the dearest first and, at equal price, in alphabetical order of name",
         "Dark Export Amber Cream"),
        ("beer names, oldest first by brewing date", "Bitter Cream Amber Export Dark Festive"),
        ("breweries by vats, names only", "Bock Cask Anker"),
        ("tasters' names, highest total first", "Ada Cy Bo"),
    ],
)  # fmt: skip
def test_order_may_be_said_at_length(question, names, cellar):
    assert cellar(question) == [(name,) for name in names.split()]


def test_busiest_on_top_is_an_order_by_what_is_counted(cellar):
    rows = [("Anker", 3), ("Cask", 2), ("Bock", 1)]
    assert cellar("number of beers of each brewery, with the busiest ones on top") == rows


@pytest.mark.parametrize(
    "question",
    [
        "trains from the town with the most stations",
        "beers from the brewery with the fewest vats",
        "which brewery has the lowest price?",
        "number of beers by town, highest first",
        "beers priced from 2 to 4",
    ],
)
def test_what_is_no_order_stays(question):
    assert arranged(question) == question
