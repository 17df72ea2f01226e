"""Rows and what belongs to them: what there is none of, names that only lead somewhere, several tables at once."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL);
CREATE TABLE bakers (
    baker_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, wage REAL NOT NULL,
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id));
CREATE TABLE recipes (recipe_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, style TEXT NOT NULL);
CREATE TABLE trained_in (
    baker_id INTEGER NOT NULL REFERENCES bakers (baker_id), recipe_id INTEGER NOT NULL REFERENCES recipes (recipe_id),
    season TEXT NOT NULL, PRIMARY KEY (baker_id, recipe_id));
CREATE TABLE deliveries (
    delivery_id INTEGER PRIMARY KEY, branch_id INTEGER NOT NULL REFERENCES branches (branch_id),
    mill TEXT NOT NULL, sacks INTEGER NOT NULL, delivered_on DATE NOT NULL);
CREATE TABLE notes_of_complaint (
    note_id INTEGER PRIMARY KEY, branch_id INTEGER NOT NULL REFERENCES branches (branch_id), subject TEXT NOT NULL,
    writer TEXT NOT NULL);
CREATE TABLE apprent (
    apprent_id INTEGER PRIMARY KEY, name TEXT NOT NULL, home TEXT NOT NULL,
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id));
CREATE TABLE shifts (
    shift_id INTEGER PRIMARY KEY, opened_by INTEGER NOT NULL REFERENCES bakers (baker_id),
    closed_by INTEGER NOT NULL REFERENCES bakers (baker_id));
CREATE TABLE masters (
    baker_id INTEGER PRIMARY KEY REFERENCES bakers (baker_id), since INTEGER NOT NULL, guild TEXT NOT NULL);
CREATE TABLE contests (
    branch_id INTEGER NOT NULL REFERENCES branches (branch_id), year INTEGER NOT NULL, prize TEXT NOT NULL,
    PRIMARY KEY (branch_id, year));
INSERT INTO branches VALUES (1, 'Harbour', 'Kiel'), (2, 'Market', 'Kiel'), (3, 'Mill Lane', 'Bonn'),
    (4, 'Station', 'Trier');
INSERT INTO bakers VALUES (1, 'Ada', 'Korn', 2400, 1), (2, 'Bo', 'Roggen', 2600, 1), (3, 'Cleo', 'Hafer', 2900, 2),
    (4, 'Dirk', 'Weizen', 2200, 3), (5, 'Ada', 'Hafer', 3000, 4);
INSERT INTO recipes VALUES (1, 'Rye Loaf', 'dark'), (2, 'Baguette', 'light'), (3, 'Brioche', 'sweet'),
    (4, 'Pumpernickel', 'dark');
INSERT INTO trained_in VALUES (1, 1, 'spring'), (1, 2, 'autumn'), (2, 2, 'spring'), (3, 1, 'autumn'), (3, 3, 'spring');
INSERT INTO deliveries VALUES (1, 1, 'Elbmill', 30, '2024-03-01'), (2, 1, 'Sunmill', 12, '2024-05-01'),
    (3, 2, 'Elbmill', 8, '2025-01-10'), (4, 3, 'Oldmill', 9, '2025-02-01'), (5, 3, 'Sunmill', 40, '2025-04-01');
INSERT INTO notes_of_complaint VALUES (1, 1, 'late', 'Uli'), (2, 3, 'stale', 'Vera');
INSERT INTO apprent VALUES (1, 'Finn', 'Bonn', 2), (2, 'Greta', 'Ulm', 4);
INSERT INTO shifts VALUES (1, 1, 2), (2, 2, 3), (3, 1, 3);
INSERT INTO masters VALUES (1, 2001, 'North'), (3, 2010, 'South'), (4, 2012, 'North');
INSERT INTO contests VALUES (1, 2022, 'gold'), (1, 2023, 'silver'), (3, 2023, 'bronze');
"""


@pytest.fixture(scope="module")
def bakery(opened):
    return opened("bakery", _SCHEMA)


def _rows(bakery, question):
    """What the likeliest reading gives, where it leaves no word out."""
    analyst, con = bakery
    best = analyst.candidates(question)[0]
    assert not best.left, best.ignored
    return sorted(con.execute(analyst.sql(best.meaning, context=False)).fetchall())


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of branches without deliveries", [("Station",)]),
        ("last names of bakers not trained in any recipe", [("Hafer",), ("Weizen",)]),
        ("last names of bakers that are not trained in recipes", [("Hafer",), ("Weizen",)]),
        ("How many branches are free of notes of complaint?", [(2,)]),
        ("names of branches that do not have a note of complaint record", [("Market",), ("Station",)]),
        ("names of branches without deliveries with sacks over 20", [("Market",), ("Station",)]),
        ("names of branches that never had more than 20 sacks", [("Market",), ("Station",)]),
        ("last names of bakers that never had more than 2500 wage", [("Korn",), ("Weizen",)]),
        ("last names of bakers without a dark recipe", [("Hafer",), ("Roggen",), ("Weizen",)]),
        ("Which mills never had more than 20 sacks?", [("Oldmill",)]),
        ("Show all mills without a delivery in 2024", [("Oldmill",)]),
        ("What are the towns no bakers work in?", []),
        ("What are the towns no deliveries go to?", [("Trier",)]),
    ],
)
def test_what_there_is_none_of(question, rows, bakery):
    assert _rows(bakery, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "Show the last names of bakers and the names of branches they work in",
            [("Hafer", "Market"), ("Hafer", "Station"), ("Korn", "Harbour"), ("Roggen", "Harbour"),
             ("Weizen", "Mill Lane")],
        ),
        (
            "names of branches and the mills of deliveries they had",
            [("Harbour", "Elbmill"), ("Harbour", "Sunmill"), ("Market", "Elbmill"), ("Mill Lane", "Oldmill"),
             ("Mill Lane", "Sunmill")],
        ),
    ],
)  # fmt: skip
def test_name_that_only_leads_to_a_column_is_no_condition(question, rows, bakery):
    assert _rows(bakery, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ('How many recipes is "Ada Korn" trained in?', [(2,)]),
        ('names of branches where "Ada Hafer" works', [("Station",)]),
        ("names of recipes that Ada Korn is trained in", [("Baguette",), ("Rye Loaf",)]),
    ],
)
def test_full_name_is_a_first_and_a_last_name_of_one(question, rows, bakery):
    assert _rows(bakery, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many apprentices are there?", [(2,)]),
        ("Show the subjects of the writers in branch Harbour", [("late",)]),
        ("How many deliveries were received by branches in Kiel?", [(3,)]),
    ],
)
def test_words_that_are_neither_shown_nor_grouped_by(question, rows, bakery):
    assert _rows(bakery, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("last names of bakers trained in Rye Loaf and Baguette", [("Korn",)]),
        ("last names of bakers trained in Rye Loaf or Baguette", [("Hafer",), ("Korn",), ("Roggen",)]),
        (
            "names of branches that had both a delivery with sacks over 20 and a delivery with sacks below 10",
            [("Mill Lane",)],
        ),
        ("Show the mills that had deliveries with sacks over 30 and deliveries with sacks below 20", [("Sunmill",)]),
        ("last names of bakers in branches in Kiel and Bonn", [("Hafer",), ("Korn",), ("Roggen",), ("Weizen",)]),
    ],
)
def test_both_must_be_there_where_no_row_can_be_both(question, rows, bakery):
    assert _rows(bakery, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("last names of bakers that never closed a shift", [("Hafer",), ("Korn",), ("Weizen",)]),
        ("last names of bakers that never opened a shift", [("Hafer",), ("Hafer",), ("Weizen",)]),
        ("Show the prizes of contests in 2023", [("bronze",), ("silver",)]),
        ("names of branches with an apprent from Bonn", [("Market",)]),
    ],
)
def test_words_choose_the_key_the_year_and_whose_value_it_is(question, rows, bakery):
    assert _rows(bakery, question) == rows


def test_one_that_is_another_has_what_belongs_to_that(bakery):
    assert _rows(bakery, "guilds of masters that closed shifts") == [("South",)]
    assert _rows(bakery, "guilds of masters without shifts closed") == [("North",), ("North",)]


def test_kind_before_its_own_column_is_counted_by_nothing_unread(bakery):
    analyst, _ = bakery
    for question in ("how many sweet style recipes are there?", "how many dark styles are there?"):
        analyst.candidates(question)  # it was read with a column behind the value, and fell
