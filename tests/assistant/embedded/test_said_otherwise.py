"""Numbers before what they are of, a bare count, nouns for what was done, and those by whom it was done."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE makers (maker_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT NOT NULL, age INTEGER NOT NULL);
CREATE TABLE cakes (
    cake_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, flavour TEXT NOT NULL, board_approved TEXT NOT NULL,
    weight INTEGER NOT NULL, maker_id INTEGER NOT NULL REFERENCES makers (maker_id));
CREATE TABLE tasters (taster_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE verdicts (
    verdict_id INTEGER PRIMARY KEY, taster_id INTEGER NOT NULL REFERENCES tasters (taster_id),
    cake_id INTEGER NOT NULL REFERENCES cakes (cake_id), points INTEGER NOT NULL, result TEXT NOT NULL);
CREATE TABLE oven_lens (lens_id INTEGER PRIMARY KEY, glass TEXT NOT NULL);
INSERT INTO makers VALUES (1, 'Ono', 'Kenya', 31), (2, 'Pia', 'Nepal', 44), (3, 'Rolf', 'Nepal', 52);
INSERT INTO cakes VALUES (1, 'Amber', 'lemon', 'Yes', 400, 1), (2, 'Bolt', 'cocoa', 'No', 900, 2),
    (3, 'Crown', 'lemon', 'Yes', 650, 3), (4, 'Dome', 'honey', 'No', 500, 3);
INSERT INTO tasters VALUES (1, 'Sven'), (2, 'Tova'), (3, 'Ugo');
INSERT INTO verdicts VALUES (1, 1, 1, 3, 'Nominated'), (2, 1, 2, 4, 'Rejected'), (3, 2, 1, 5, 'Nominated'),
    (4, 2, 3, 3, 'Rejected'), (5, 3, 3, 2, 'Rejected');
INSERT INTO oven_lens VALUES (1, 'clear'), (2, 'clear');
"""


@pytest.fixture(scope="module")
def bakery(opened):
    analyst, con = opened("bakery", _SCHEMA)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("names of tasters who gave 3 or 4 points", ["Sven", "Tova"]),
        ("titles of cakes with a 5 point verdict", ["Amber"]),
        ("names of tasters who did not give 3 points", ["Ugo"]),
        ("names of tasters who gave 3 points and 4 points", ["Sven"]),
        ("names of makers who are not 44 years old", ["Ono", "Rolf"]),
        ("titles of cakes with at least 1 verdict of 4 points or more", ["Amber", "Bolt"]),
    ],
)
def test_number_stands_before_what_it_is_of(question, names, bakery):
    assert bakery(question) == [(name,) for name in names]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the flavours of the cakes and the count", [("cocoa", 1), ("honey", 1), ("lemon", 2)]),
        ("flavours of cakes with a count over 1", [("lemon",)]),
        ("How many verdicts have each kind of result, sorted by count?", [("Nominated", 2), ("Rejected", 3)]),
        ("How many oven lenses are there?", [(2,)]),
    ],
)
def test_count_is_of_the_rows_of_each_kind(question, rows, bakery):
    assert bakery(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many different board approval statuses are there?", [(2,)]),
        ("titles and board approval status of the lemon cakes", [("Amber", "Yes"), ("Crown", "Yes")]),
        ("How many cakes were not approved by the board?", [(2,)]),
        ("titles of cakes with a nomination", [("Amber",)]),
        ("How many Nepalese makers are there?", [(2,)]),
    ],
)
def test_noun_names_what_was_done(question, rows, bakery):
    assert bakery(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("titles of cakes that are by the maker named Ono", [("Amber",)]),
        ("the average weight of cakes by makers who are older than 40", [(2050 / 3,)]),
        ("names of tasters that cannot be found in verdicts with result Nominated", [("Ugo",)]),
    ],
)
def test_those_by_whom_it_was_done_only_choose(question, rows, bakery):
    assert bakery(question) == rows


_STALLS = """
CREATE TABLE growers (name TEXT NOT NULL PRIMARY KEY, gender TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE plants (
    plant TEXT NOT NULL PRIMARY KEY, designer TEXT NOT NULL, named_on DATE NOT NULL, award TEXT, height INTEGER NOT NULL,
    grower TEXT NOT NULL REFERENCES growers (name));
CREATE TABLE ratings (
    rating_id INTEGER PRIMARY KEY, plant TEXT NOT NULL REFERENCES plants (plant), stars INTEGER NOT NULL);
INSERT INTO growers VALUES ('Ada', 'Female', 'Kent'), ('Bo', 'Male', 'Bath'), ('Cy', 'Male', 'Kent');
INSERT INTO plants VALUES ('Aster', 'Ruth Ono', '2020-03-01', 'Gold', 60, 'Ada'), ('Broom', 'Tim Pell', '2021-04-02', NULL,
    150, 'Bo'), ('Clove', 'Ruth Ono', '2022-05-03', 'Gold', 40, 'Ada'), ('Dill', 'Uma Wray', '2022-05-04', NULL, 90, 'Cy');
INSERT INTO ratings VALUES (1, 'Aster', 4), (2, 'Aster', 5), (3, 'Broom', 2), (4, 'Dill', 3);
"""


@pytest.fixture(scope="module")
def stalls(opened):
    analyst, con = opened("stalls", _STALLS)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who designed Broom?", [("Tim Pell",)]),
        ("Who are the designers who designed more than one plant?", [("Ruth Ono",)]),
        ("names of designers who designed one plant", [("Tim Pell",), ("Uma Wray",)]),
        ("names of growers who are from Kent and named a plant in 2022", [("Ada",), ("Cy",)]),
        ("How many growers are male and how many are female?", [("Female", 1), ("Male", 2)]),
        ("plants with a greater height than 80", [("Broom",), ("Dill",)]),
        ("towns of growers that have at least one plant of height above 100", [("Bath",)]),
        ("Which plant has been rated the most?", [("Aster",)]),
    ],
)
def test_verb_says_who_did_it(question, rows, stalls):
    assert stalls(question) == rows


_DEPOT = """
CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, founded INTEGER NOT NULL);
CREATE TABLE crates (
    crate_id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, goal TEXT NOT NULL, opened_on DATE,
    weight INTEGER NOT NULL, depot_id INTEGER NOT NULL REFERENCES depots (depot_id));
INSERT INTO depots VALUES (1, 'East', 1990), (2, 'West', 1985);
INSERT INTO crates VALUES (1, 'K1', 'Ulm', 'Jena', '2025-01-04', 30, 1), (2, 'K2', 'Ulm', 'Ulm', NULL, 50, 1),
    (3, 'K3', 'Bonn', 'Bonn', '2025-02-03', 20, 2), (4, 'K4', 'Jena', 'Ulm', NULL, 20, 2);
"""


@pytest.fixture(scope="module")
def depot(opened):
    analyst, con = opened("depot", _DEPOT)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("crates whose opened date is missing", ["K2", "K4"]),
        ("crates with an opened date that is not null", ["K1", "K3"]),
        ("depots that have crates with an empty opened date", ["East", "West"]),
        ("crates whose origin is the same as the goal", ["K2", "K3"]),
        ("crates whose origin is different from their goal", ["K1", "K4"]),
    ],
)
def test_column_is_missing_or_like_another(question, names, depot):
    assert sorted(depot(question)) == [(name,) for name in names]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the averge weight of crates?", [(30.0,)]),
        ("maximun weight of crates", [(50,)]),
        ("crates with a weight betwen 25 and 40", [("K1",)]),
    ],
)
def test_mistyped_word_still_says_what_is_to_be_done(question, rows, depot):
    assert depot(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the oldest depot?", [("West",)]),
        ("depots founded after 1986", [("East",)]),
        ("depots with crates that weigh more than 25 on average", [("East",)]),
        ("labels of crates with a weight of 30 or more", [("K1",), ("K2",)]),
        ("For the oldest depot, what is the average weight and its name?", [("West", 20.0)]),
        ("What is the maximum weight and the name of the youngest depot?", [("East", 50)]),
        ("Which depot has the highest average weight and what is that weight?", [("East", 40.0)]),
    ],
)
def test_figure_stands_beside_the_one_that_it_is_of(question, rows, depot):
    assert depot(question) == rows


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("List the labels of crates sorted first by weight, then by label", ["K3", "K4", "K1", "K2"]),
        ("labels of crates ordered by goal and lastly by weight in descending order", ["K3", "K1", "K2", "K4"]),
    ],
)
def test_rows_are_sorted_by_one_column_after_the_other(question, labels, depot):
    assert [row[0] for row in depot(question)] == labels


_STUDIO = """
CREATE TABLE bands (band_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, nationality TEXT NOT NULL, age INTEGER NOT NULL);
CREATE TABLE songs (
    song_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, release_date DATE NOT NULL, result TEXT NOT NULL,
    band_id INTEGER NOT NULL REFERENCES bands (band_id));
INSERT INTO bands VALUES (1, 'Fjord', 'Norway', 7), (2, 'Sierra', 'Chile', 12);
INSERT INTO songs VALUES (1, 'Ice', '2024-01-02', 'Won', 1), (2, 'Fog', '2025-03-04', 'Lost', 1), (3, 'Sun', '2025-05-06', 'Won', 2);
"""


@pytest.fixture(scope="module")
def studio(opened):
    analyst, con = opened("studio", _STUDIO)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the different outcomes of the songs?", [("Lost",), ("Won",)]),
        ("the name and nation of the oldest band", [("Sierra", "Chile")]),
        ("publish date of the song Fog", [("2025-03-04",)]),
        ("the age of all music bands", [(7,), (12,)]),
    ],
)
def test_everyday_synonym_names_the_column(question, rows, studio):
    assert studio(question) == rows
