"""Rows against the average of their like, rows of which two things hold at once, and counts that are only pointed at."""

from __future__ import annotations

import pytest

from assistant.embedded.wording.phrases import restated

_SCHEMA = """
CREATE TABLE kennels (
    kennel_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shire TEXT NOT NULL, opened INTEGER NOT NULL,
    has_yard INTEGER NOT NULL);
CREATE TABLE posters (
    poster_id INTEGER PRIMARY KEY, caption TEXT NOT NULL, motif TEXT NOT NULL, year_printed INTEGER NOT NULL,
    kennel_id INTEGER NOT NULL REFERENCES kennels (kennel_id));
CREATE TABLE dogs (
    dog_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, breed TEXT NOT NULL, weight REAL NOT NULL,
    kennel_id INTEGER NOT NULL REFERENCES kennels (kennel_id));
CREATE TABLE walkers (
    walker_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wage REAL NOT NULL, years_of_service INTEGER NOT NULL,
    kennel_id INTEGER NOT NULL REFERENCES kennels (kennel_id));
CREATE TABLE dog_walkers (
    dog_id INTEGER NOT NULL REFERENCES dogs (dog_id), walker_id INTEGER NOT NULL REFERENCES walkers (walker_id),
    turn INTEGER NOT NULL);
INSERT INTO kennels VALUES (1, 'Oakside', 'Devon', 1970, 1), (2, 'Riverbank', 'Devon', 2015, 0),
    (3, 'Hilltop', 'Dorset', 2004, 1), (4, 'Mill Lane', 'Dorset', 1999, 1);
INSERT INTO dogs VALUES (1, 'Bramble', 'Setter', 30, 1), (2, 'Clover', 'Setter', 20, 1), (3, 'Dusty', 'Beagle', 11, 1),
    (4, 'Ember', 'Beagle', 13, 2), (5, 'Fern', 'Collie', 19, 2), (6, 'Gorse', 'Setter', 27, 3);
INSERT INTO walkers VALUES (1, 'Ida', 2000, 4, 1), (2, 'Jem', 2600, 12, 1), (3, 'Kit', 1500, 15, 2),
    (4, 'Lou', 1700, 2, 2), (5, 'Max', 3100, 20, 3);
INSERT INTO posters VALUES (1, 'Adopt', 'dog', 1988, 1), (2, 'Open day', 'house', 2011, 1), (3, 'Fair', 'dog', 2001, 3);
INSERT INTO dog_walkers VALUES (1, 1, 1), (2, 1, 2), (4, 3, 1), (6, 5, 1);
"""


@pytest.fixture(scope="module")
def kennels(opened):
    return opened("kennels", _SCHEMA)


@pytest.fixture(scope="module")
def answer(kennels):
    analyst, con = kennels
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which dogs weigh more than the average of their breed?", ["Bramble", "Ember", "Gorse"]),
        ("dogs whose weight is above the average weight of their kennel", ["Bramble", "Fern"]),
        ("Which walkers have a higher wage than the average in their kennel?", ["Jem", "Lou"]),
        ("Which walkers earn less than the average wage of the same kennel?", ["Ida", "Kit"]),
        ("walkers with more years of service than the average of all walkers", ["Jem", "Kit", "Max"]),
        ("Names of walkers who earn less than the average but have more than 10 years of service", ["Kit"]),
    ],
)
def test_rows_stand_against_the_average_of_their_like(question, names, answer):
    assert answer(question) == [(name,) for name in names]


def test_whose_average_it_is_stands_in_the_words(kennels):
    analyst, _ = kennels
    meaning = analyst.candidates("Which dogs weigh more than the average of their kennel?")[0].meaning
    assert "above its average for the same kennel" in restated(meaning)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which kennels have Setter dogs but no Beagle dogs?", ["Hilltop"]),
        ("Which kennels have dogs of the breed Setter but none of the breed Beagle?", ["Hilltop"]),
        ("Which shires have both a kennel with a yard and a kennel without a yard?", ["Devon"]),
        ("Which shires have kennels opened before 1980 and also kennels opened after 2010?", ["Devon"]),
        ("dogs walked by Ida that are not walked by Kit", ["Bramble", "Clover"]),
        ("Who are the walkers of the kennel Oakside?", ["Ida", "Jem"]),
    ],
)
def test_two_things_hold_of_different_rows(question, names, answer):
    assert answer(question) == [(name,) for name in names]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which kennels have neither dogs nor walkers?", ["Mill Lane"]),
        ("kennels without walkers or posters", ["Mill Lane"]),
        ("Which kennels neither are in Devon nor have a dog?", ["Mill Lane"]),
        ("Which motifs does Oakside print that Hilltop does not?", ["house"]),
        ("captions of posters printed before 1990 or of the motif house", ["Adopt", "Open day"]),
    ],
)
def test_what_is_denied_twice_is_neither(question, names, answer):
    assert answer(question) == [(name,) for name in names]


def test_what_is_theirs_stands_beside_their_name(answer):
    assert answer("Find the walkers with at least 2 dogs and their wage") == [("Ida", 2000.0)]


@pytest.mark.parametrize(
    "question",
    [
        "Which kennels have at least 2 dogs, and how many do they have?",
        "Which kennels have at least 2 dogs? Show the name and the count.",
        "Find the kennels with at least 2 dogs, together with how many there are.",
    ],
)
def test_count_that_is_pointed_at_is_of_the_rows_there_must_be(question, answer):
    assert answer(question) == [("Oakside", 3), ("Riverbank", 2)]


@pytest.mark.parametrize(
    "question",
    [
        "How many dogs does each kennel have? List the kennel name and the count in descending order of the count.",
        "For each kennel, count the dogs and list the most frequent kennel first.",
        "Show each kennel and its number of dogs, most dogs first.",
    ],
)
def test_most_of_them_come_first(question, kennels):
    analyst, con = kennels
    meaning = analyst.candidates(question)[0].meaning
    rows = con.execute(analyst.sql(meaning, context=False)).fetchall()
    assert rows == [("Oakside", 3), ("Riverbank", 2), ("Hilltop", 1)]


def test_longest_serving_came_first(opened):
    analyst, con = opened(
        "lighthouse",
        """CREATE TABLE wardens (warden_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hire_date DATE NOT NULL);
        INSERT INTO wardens VALUES (1, 'Una', '2019-04-01'), (2, 'Vic', '2003-09-15'), (3, 'Wyn', '2011-01-20');""",
    )
    meaning = analyst.candidates("Who is the longest-serving warden?")[0].meaning
    assert con.execute(analyst.sql(meaning, context=False)).fetchall() == [("Vic",)]
