"""Adjectives and verbs that name their column: "most populous", "best attended", "owing"; and a number that is a code."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE villages (
    village_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, population INTEGER NOT NULL, area INTEGER NOT NULL);
CREATE TABLE fairs (
    fair_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, village_id INTEGER NOT NULL REFERENCES villages (village_id),
    attendance INTEGER NOT NULL, stalls INTEGER NOT NULL);
CREATE TABLE tenants (
    tenant_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, tenant_number TEXT NOT NULL, balance INTEGER NOT NULL);
INSERT INTO villages VALUES (1, 'Zell', 400, 12), (2, 'Auen', 900, 7), (3, 'Moor', 650, 30);
INSERT INTO fairs VALUES (1, 'Apple Day', 1, 70, 9), (2, 'Cheese Day', 2, 300, 4), (3, 'Wine Day', 2, 120, 6);
INSERT INTO tenants VALUES (1, 'Ada', 'T-300', 50), (2, 'Bo', 'T-900', 0), (3, 'Cy', 'T-100', 240);
"""


@pytest.fixture(scope="module")
def country(opened):
    analyst, con = opened("country", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("the most populous village", [("Auen",)]),
        ("Which village is the least populated?", [("Zell",)]),
        ("village names, starting with the most populous and going down", [("Auen",), ("Moor",), ("Zell",)]),
        ("names of villages, with the largest area first", [("Moor",), ("Zell",), ("Auen",)]),
        ("the best attended fair", [("Cheese Day",)]),
        ("titles of the fairs, with the best attended one first", [("Cheese Day",), ("Wine Day",), ("Apple Day",)]),
        ("tenants owing more than 100", [("Cy",)]),
        ("tenants who owe between 20 and 100", [("Ada",)]),
        ("tenant names, highest tenant number first", [("Bo",), ("Ada",), ("Cy",)]),
    ],
)
def test_word_names_the_column_that_it_goes_by(question, rows, country):
    assert country(question) == rows


def test_what_nothing_is_known_of_is_not_taken_for_the_population(opened):
    analyst, _ = opened("plain", "CREATE TABLE inns (inn_id INTEGER PRIMARY KEY, name TEXT NOT NULL, beds INTEGER NOT NULL);"
                                 "INSERT INTO inns VALUES (1, 'Krone', 9), (2, 'Adler', 4);")  # fmt: skip
    found = analyst.candidates("the most populous inn")
    assert not [c for c in found if c.whole and c.confidence > 0.68]
