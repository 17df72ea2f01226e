"""Figures said one by one, orders and lists by name said in few words: read as the same said at length."""

from __future__ import annotations

import pytest

from assistant.embedded.words.several_figures import together

_SCHEMA = """
CREATE TABLE rower (
    rower_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, age INTEGER NOT NULL,
    wage REAL NOT NULL, town TEXT NOT NULL);
CREATE TABLE boat (
    boat_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, berths INTEGER NOT NULL,
    length REAL NOT NULL, num_of_oars INTEGER NOT NULL, port TEXT NOT NULL);
CREATE TABLE trip (
    trip_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boat (boat_id),
    rower_id INTEGER NOT NULL REFERENCES rower (rower_id), pier TEXT NOT NULL, started_on DATE NOT NULL,
    distance REAL NOT NULL);
CREATE TABLE regatta (regatta_id INTEGER PRIMARY KEY, regatta TEXT NOT NULL, prize REAL NOT NULL, date TEXT NOT NULL);
INSERT INTO rower VALUES
    (1, 'Ada', 'Moor', 31, 900, 'Kiel'), (2, 'Bo', 'Lund', 24, 1200, 'Ulm'), (3, 'Cy', 'Aman', 52, 700, 'Kiel'),
    (4, 'Di', 'Roth', 25, 1500, 'Bonn');
INSERT INTO boat VALUES
    (1, 'Gull', 'skiff', 4, 6.5, 2, 'Kiel'), (2, 'Heron', 'barge', 9, 14, 8, 'Ulm'), (3, 'International', 'barge', 6, 11, 6, 'Kiel'),
    (4, 'Database', 'skiff', 2, 5, 4, 'Bonn');
INSERT INTO trip VALUES
    (1, 1, 1, 'North', '2025-02-01', 4), (2, 2, 3, 'South', '2025-01-01', 9), (3, 2, 1, 'West', '2025-03-01', 5),
    (4, 2, 2, 'East', '2025-04-01', 7), (5, 3, 1, 'North', '2025-05-01', 3), (6, 1, 4, 'Mole', '2025-06-01', 8);
INSERT INTO regatta VALUES (1, 'Spring Cup', 50, 'May 3rd'), (2, 'Autumn Cup', 70, 'October 4th');
"""


@pytest.fixture(scope="module")
def club(opened):
    return opened("club", _SCHEMA)


def _rows(club, question):
    analyst, con = club
    found = [candidate for candidate in analyst.candidates(question) if candidate.whole]
    assert found, analyst.read(question)
    return con.execute(analyst.sql(found[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("trip distance: lowest, average and highest", [(3, 6, 9)]),
        ("boat length: max, min", [(14, 5)]),
        ("wages of rowers from Kiel: average and sum", [(800, 1600)]),
        ("Taking all rowers together, how old is the youngest, what is the average age, and how old is the oldest?",
         [(24, 33, 52)]),
        ("For rowers from Kiel, how old is the oldest and how old is the youngest?", [(52, 31)]),
        ("Among all the boats, what are the top length, the smallest berths and the largest berths?", [(14, 2, 9)]),
        ("Going through all trips, I would like the smallest, the mean and the largest distance.", [(3, 6, 9)]),
        ("If you add up the oars of all the boats, how many do you get?", [(20,)]),
        ("Break down the number of boats by kind.", [("barge", 2), ("skiff", 2)]),
        ("Break the number of boats down by port", [("Kiel", 2), ("Bonn", 1), ("Ulm", 1)]),
        ("Average length of boats, kind by kind", [("barge", 12.5), ("skiff", 5.75)]),
        ("boat kinds with the number of boats in each", [("barge", 2), ("skiff", 2)]),
        ("most common kind of boat and how many of that kind", [("barge", 2), ("skiff", 2)]),
    ],
)  # fmt: skip
def test_figures_said_one_by_one_are_those_of_one_number(question, rows, club):
    assert _rows(club, question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("boats, fewest trips first, names only", [("International",), ("Gull",), ("Heron",)]),
        ("boat names, most berths first", [("Heron",), ("International",), ("Gull",), ("Database",)]),
        ("barges by name, fewest berths first", [("International",), ("Heron",)]),
        ("boats by name, from the highest length to the lowest", [("Heron",), ("International",), ("Gull",), ("Database",)]),
        ("boat names by length, low to high", [("Database",), ("Gull",), ("International",), ("Heron",)]),
        ("trip piers, latest trip first", [("Mole",), ("North",), ("East",), ("West",), ("North",), ("South",)]),
        ("List the kinds of boats from A to Z, leaving out duplicates.", [("barge",), ("skiff",)]),
        ("full boat records, shortest first", [
            (4, "Database", "skiff", 2, 5, 4, "Bonn"), (1, "Gull", "skiff", 4, 6.5, 2, "Kiel"),
            (3, "International", "barge", 6, 11, 6, "Kiel"), (2, "Heron", "barge", 9, 14, 8, "Ulm")]),
        ("Which boats have three or more trips? List them by name.", [("Heron",)]),
        ("boat names with an e in them", [("Database",), ("Heron",), ("International",)]),
        ("boats with international in their name", [("International",)]),
        ("length of the boat called Database", [(5,)]),
        ("wages of rowers aged 25 or younger", [(1200,), (1500,)]),
        ("Bo Lund is one of our rowers. Which pier did this rower start from?", [("East",)]),
        ("each regatta with prize", [("Spring Cup", 50), ("Autumn Cup", 70)]),
    ],
)  # fmt: skip
def test_orders_and_lists_in_few_words(question, rows, club):
    found = _rows(club, question)
    assert [set(row) for row in found] == [set(row) for row in rows]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Rowers below the average age: list their first names.", [("Ada",), ("Bo",), ("Di",)]),
        ("first names of rowers older than average", [("Cy",)]),
        ("rowers who earn more than the average wage of their town, first names", [("Ada",)]),
    ],
)
def test_a_wish_behind_an_average_does_not_say_whose_average(question, rows, club):
    assert sorted(row[:1] for row in _rows(club, question)) == rows


def test_behind_a_comma_a_figure_begins_and_is_not_compared(club):
    asked = "Counting only rowers with an age over 25, I would like the sum of wages by town."
    assert _rows(club, asked) == [("Kiel", 1600)]
    assert _rows(club, "for boats with a length over 6, sum of berths") == [(19,)]


def test_what_has_no_order_in_time_is_not_ordered_by_something_else(club):
    analyst, _ = club
    assert not analyst.candidates("regatta names, latest first")


@pytest.mark.parametrize(
    ("question", "not_read_as"),
    [
        ("boats with the most trips first", "boats in ascending order of trips"),
        ("trip distance by boat: average", "average trip distance"),
    ],
)
def test_what_only_looks_like_it_is_not_read_so(question, not_read_as, club):
    analyst, _ = club
    assert analyst.sql(analyst.candidates(question)[0].meaning) != analyst.sql(
        analyst.candidates(not_read_as)[0].meaning
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many rowers haven't made any of the trips we have recorded?", [(0,)]),
        ("How many boats don't have any of the trips?", [(1,)]),
        ("Which boats have nothing to do with any trip? Names only.", [("Database",)]),
        ("rower ages of those who live in Kiel", [(31,), (52,)]),
        ("last names of everyone living in Kiel", [("Moor",), ("Aman",)]),
        ("ports whose length averages over 10", [("Ulm",)]),
    ],
)
def test_what_there_is_none_of_and_those_who(question, rows, club):
    assert {row[0] for row in _rows(club, question)} == {row[0] for row in rows}


def test_the_most_people_are_a_population(opened):
    analyst, con = opened(
        "places",
        """
CREATE TABLE district (district_id INTEGER PRIMARY KEY, name TEXT NOT NULL, population INTEGER NOT NULL);
CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO district VALUES (1, 'North', 900), (2, 'South', 400), (3, 'East', 700);
INSERT INTO person VALUES (1, 'Ada'), (2, 'Bo');
""",
    )

    def first(question):
        return con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchone()[0]

    assert first("Which district has the most inhabitants?") == "North"
    assert first("district with the fewest residents living there") == "South"
    counted = analyst.candidates("Which district has the most people?")  # where people are rows, these may be meant
    assert not counted or "MAX(district.population)" not in analyst.sql(counted[0].meaning)


@pytest.mark.parametrize("said", ["Break it down by region", "trips: highest first", "how old is the oldest boat?"])
def test_what_is_said_of_an_answer_or_of_one_figure_stays_as_it_is(said):
    assert together(said) == said
