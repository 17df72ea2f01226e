"""Who or what comes first: the one with the highest number, what there is most of, extremes of a column, an order."""

from __future__ import annotations

import pytest

from assistant.data import guard
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

_SCHEMA = """
CREATE TABLE harbour (harbour_id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL, depth INTEGER NOT NULL,
    max_berths INTEGER NOT NULL);
CREATE TABLE captain (captain_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, age INTEGER NOT NULL, wage REAL NOT NULL,
    hometown TEXT NOT NULL, tutor INTEGER NOT NULL);
CREATE TABLE sailor (sailor_id INTEGER PRIMARY KEY, hobby TEXT NOT NULL,
    captain_id INTEGER NOT NULL REFERENCES captain (captain_id));
CREATE TABLE vessel (vessel_id INTEGER PRIMARY KEY, name TEXT NOT NULL, hull TEXT NOT NULL,
    captain_id INTEGER NOT NULL REFERENCES captain (captain_id));
CREATE TABLE landing (landing_id INTEGER PRIMARY KEY, vessel_id INTEGER NOT NULL REFERENCES vessel (vessel_id),
    harbour_id INTEGER NOT NULL REFERENCES harbour (harbour_id), crates INTEGER NOT NULL, fee REAL NOT NULL);
INSERT INTO harbour VALUES (1, 'Eiderby', 'West', 9, 4), (2, 'Norrvik', 'East', 12, 7), (3, 'Sundal', 'West', 12, 2);
INSERT INTO captain VALUES (1, 'Anna Brandt', 61, 410.0, 'Kiel', 8), (2, 'Bo Dahl', 61, 380.0, 'Lund', 8),
    (3, 'Cara Elm', 34, 510.5, 'Kiel', 9);
INSERT INTO sailor VALUES (1, 'chess', 1), (2, 'darts', 2), (3, 'yoga', 3);
INSERT INTO vessel VALUES (1, 'Plover', 'steel', 1), (2, 'Heron', 'oak', 1), (3, 'Tern', 'steel', 3);
INSERT INTO landing VALUES (1, 1, 1, 30, 12.5), (2, 1, 2, 10, 8.0), (3, 2, 2, 20, 9.5), (4, 3, 2, 25, 7.0),
    (5, 1, 1, 5, 3.0);
"""


@pytest.fixture(scope="module")
def coast(opened):
    return opened("coast", _SCHEMA)


def in_order(coast, question):
    """The rows of the likeliest reading, as asked for."""
    analyst, con = coast
    outcome = analyst.read(question)
    assert not isinstance(outcome, NotUnderstood), outcome
    assert isinstance(outcome, Understood | Ambiguous)
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    return con.execute(analyst.sql(meaning, context=False)).fetchall()


def rows_of(coast, question):
    return sorted(in_order(coast, question), key=repr)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the minimum and maximum number of crates of the landings?", [(5, 30)]),
        ("What is the average and largest wage of all captains?", [(1300.5 / 3, 510.5)]),
        ("What is the minimum, maximum and average depth for every harbour?", [(9, 12, 11.0)]),
        ("the lowest and highest fee of the landings", [(3.0, 12.5)]),
        ("Return the maximum number of crates for landings with a fee under 9", [(25,)]),
    ],
)
def test_several_extremes_of_a_column_are_figures(question, rows, coast):
    assert rows_of(coast, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the id and full name of the captain with maximum wage", [(3, "Cara Elm")]),
        ("Which captain earns the minimum wage?", [("Bo Dahl",)]),
        ("the names of the harbours whose depth is the greatest", [("Norrvik",), ("Sundal",)]),
        ("What is the name of the harbour with the maximum berths?", [("Norrvik",)]),
        ("What is the hometown of the oldest captains?", [("Kiel",), ("Lund",)]),
        ("In which region is the average depth the lowest?", [("West",)]),
    ],
)
def test_the_one_with_the_extreme_is_found(question, rows, coast):
    assert rows_of(coast, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which hometown is the most common?", [("Kiel",)]),
        ("the hometown that is most common among captains", [("Kiel",)]),
        ("Which hull appears most frequently in the vessels?", [("steel",)]),
        ("What is the most common kind of hull?", [("steel",)]),
        ("Which tutor has the most captains?", [(8,)]),
        ("What is the age of the captain who has the most vessels?", [(61,)]),
        ("Which captain owned the most vessels? Show the id of the captain and the wage", [(1, 410.0)]),
    ],
)
def test_what_there_is_most_of_is_counted(question, rows, coast):
    assert rows_of(coast, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Sort all harbours by depth. Just show the names", [("Eiderby",), ("Norrvik",), ("Sundal",)]),
        ("Sort the captains by wage from large to small", [("Cara Elm",), ("Anna Brandt",), ("Bo Dahl",)]),
        (
            "Show the full names of captains sorted by age in descending order",
            [("Anna Brandt",), ("Bo Dahl",), ("Cara Elm",)],
        ),
        ("List the names of harbours sorted by depth and berths", [("Eiderby",), ("Sundal",), ("Norrvik",)]),
        ("Show the hulls of vessels in descending order of the count", [("steel",), ("oak",)]),
        ("What are the different hulls of the vessels, ordered by frequency descending?", [("steel",), ("oak",)]),
        ("Show the regions in descending order of the number of harbours", [("West",), ("East",)]),
    ],
)
def test_rows_come_in_the_order_that_was_said(question, rows, coast):
    assert in_order(coast, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many vessels does the captain with the highest wage have?", [(1,)]),
        ("What is the average fee of landings in the harbour with the lowest depth?", [(7.75,)]),
        ("What is the total number of crates landed in the harbour with the greatest depth?", [(55,)]),
        ("What is the average wage of the oldest captains?", [(395.0,)]),
        ("Show the full names of captains whose wage is lower than the highest wage", [("Anna Brandt",), ("Bo Dahl",)]),
    ],
)
def test_an_extreme_chooses_the_rows_of_a_figure(question, rows, coast):
    assert rows_of(coast, question) == rows


def test_the_age_of_another_is_not_taken_for_ones_own(coast):
    assert isinstance(coast[0].read("What is the hull of the oldest vessel?"), NotUnderstood)


def test_the_extreme_is_said_among_the_conditions(coast):
    analyst, _ = coast
    outcome = analyst.read("How many vessels does the captain with the highest wage have?")
    assert isinstance(outcome, Understood)
    assert "wage is the highest" in outcome.restated


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which region has the fewest members?", [("East",)]),
        ("What are the names of the 2 vessels with the most crates?", [("Plover",), ("Tern",)]),
        ("What is the name of the vessel with the hull 'steel' that has the most landings?", [("Plover",)]),
        ("Which vessel has the most landings? Show the name and the number", [("Plover", 3)]),
        ("Show the hull of the vessel with the oldest captain", [("oak",), ("steel",)]),
        ("What is the hobby of the oldest sailor?", [("chess",), ("darts",)]),
    ],
)
def test_what_is_ranked_is_told_from_what_only_says_which(question, rows, coast):
    assert rows_of(coast, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        (
            "What are the names of vessels that landed in the harbour with the most landings?",
            [("Heron",), ("Plover",), ("Tern",)],
        ),
        ("Show the names of the vessels of the captain with the most landings", [("Heron",), ("Plover",)]),
        ("How many landings were made by vessels with the most common hull?", [(4,)]),
        (
            "What are the full names of captains who live in the most common hometown?",
            [("Anna Brandt",), ("Cara Elm",)],
        ),
        ("What is the total fee of landings of the vessel with the most landings?", [(23.5,)]),
        ("Which crates were landed in the harbour with the most berths?", [(10,), (20,), (25,)]),
    ],
)
def test_rows_belong_to_what_comes_first_among_others(question, rows, coast):
    assert rows_of(coast, question) == rows


def test_what_comes_first_is_said_among_the_conditions(coast):
    analyst, _ = coast
    outcome = analyst.read("What is the total fee of landings of the vessel with the most landings?")
    assert isinstance(outcome, Understood)
    assert "vessel is the one with the highest number of landings" in outcome.restated
    assert guard.check(analyst.sql(outcome.meaning), dialect="sqlite") is None


_SOLD = (
    "SELECT p.name, SUM(l.quantity) AS n FROM order_lines l JOIN products p USING (product_id) GROUP BY p.name ORDER BY"
)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which product sells the most?", f"{_SOLD} n DESC LIMIT 1"),
        ("products that sold the least", f"{_SOLD} n LIMIT 1"),
        (
            "What is the most popular product?",
            "SELECT p.name, COUNT(*) AS n FROM order_lines l JOIN products p USING (product_id) GROUP BY p.name"
            " ORDER BY n DESC LIMIT 1",
        ),
    ],
)
def test_what_sells_best_goes_by_what_was_sold(question, gold, plain, shop, understood):
    outcome = understood(plain, question)
    assert any("goes by" in text for text in outcome.assumptions)
    assert shop.execute(plain.sql(outcome.meaning)).fetchall() == shop.execute(gold).fetchall()


def test_the_best_of_something_goes_by_the_one_number_it_has(opened):
    analyst, con = opened(
        "theatre",
        """CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars REAL NOT NULL);
        CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, name TEXT NOT NULL, seats INTEGER NOT NULL,
            volume REAL NOT NULL);
        CREATE TABLE usher (usher_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO play VALUES (1, 'Gulls', 3.5), (2, 'Ashes', 4.5), (3, 'Tides', 4.0);
        INSERT INTO hall VALUES (1, 'Great Hall', 900, 4000.0), (2, 'Studio', 80, 5000.0);
        INSERT INTO usher VALUES (1, 'Ida');""",
    )
    outcome = analyst.read("What is the best play?")
    assert isinstance(outcome, Understood)
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == [("Ashes",)]
    assert any("stars" in assumption for assumption in outcome.assumptions)
    several = analyst.read("Which is the largest hall?")
    assert isinstance(several, Ambiguous)
    firsts = [con.execute(analyst.sql(meaning, context=False)).fetchall() for _, meaning in several.options]
    assert firsts == [[("Great Hall",)], [("Studio",)]]
    assert isinstance(analyst.read("Who is the best usher?"), NotUnderstood)
