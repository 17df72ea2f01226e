"""Names whose words are said in another order, tables of details, and conditions that stand behind their column."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE guild_details (
    guild_id INTEGER PRIMARY KEY, guild_name TEXT NOT NULL UNIQUE, town_code TEXT NOT NULL, founder TEXT NOT NULL);
CREATE TABLE banner (banner_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, season INTEGER NOT NULL);
CREATE TABLE grants (
    grant_id INTEGER PRIMARY KEY, guild_id INTEGER NOT NULL REFERENCES guild_details (guild_id),
    banner_id INTEGER NOT NULL REFERENCES banner (banner_id), verdict_code TEXT NOT NULL,
    date_of_last_review DATE NOT NULL, date_proposed DATE NOT NULL, date_approved DATE NOT NULL, sum_claimed REAL NOT NULL);
CREATE TABLE guild_orders (
    order_id INTEGER PRIMARY KEY, guild_id INTEGER NOT NULL REFERENCES guild_details (guild_id), cloth TEXT NOT NULL);
INSERT INTO guild_details VALUES (1, 'Coopers', 'KI', 'Ulf'), (2, 'Dyers', 'BO', 'Vera'), (3, 'Smiths', 'KI', 'Wim');
INSERT INTO banner VALUES (1, 'Heron', 'silk', 2009), (2, 'Crane', 'wool', 2010), (3, 'Gull', 'felt', 2012);
INSERT INTO grants VALUES
    (1, 1, 1, 'won', '2025-01-01', '2024-01-01', '2024-02-01', 10), (2, 1, 2, 'won', '2025-01-02', '2024-01-05', '2024-02-03', 30),
    (3, 2, 1, 'won', '2025-01-03', '2024-01-07', '2024-02-05', 50), (4, 2, 3, 'lost', '2025-01-04', '2024-01-09', '2024-02-07', 20);
INSERT INTO guild_orders VALUES (1, 1, 'linen');
"""


@pytest.fixture(scope="module")
def hall(opened):
    analyst, con = opened("hall", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the names of guilds that have banners of kind 'felt'", [("Dyers",)]),
        ("What are the names and ids of the different guilds, and how many grants are for each?",
         [("Coopers", 1, 2), ("Dyers", 2, 2)]),
        ("Find the names and kinds of all banners and order by the kind",
         [("Gull", "felt"), ("Heron", "silk"), ("Crane", "wool")]),
        ("What is the last review date of grant 2?", [("2025-01-02",)]),
        ("What is the approval date of the grants with a claimed sum over 40?", [("2024-02-05",)]),
        ("List the date the grant was proposed and the date it was approved for grants over 40",
         [("2024-01-07", "2024-02-05")]),
    ],
)  # fmt: skip
def test_words_of_a_name_may_be_said_in_any_order(question, rows, hall):
    assert hall(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of guilds with at least 2 grants with the verdict code 'won'", [("Coopers",)]),
        ("names of guilds who are not in the town with code KI", [("Dyers",)]),
        ("names of guilds whose founder did not grow up in KI", [("Dyers",)]),
        ("names and founders of guilds without grant information", [("Smiths", "Wim")]),
        ("How many banners were made after season 2010?", [(1,)]),
    ],
)
def test_condition_stands_behind_what_it_is_of(question, rows, hall):
    assert hall(question) == rows


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("names of guilds with at least 2 grants or more than 5 guild orders", ["Coopers", "Dyers"]),
        ("names of guilds without grants or with exactly 1 guild order", ["Coopers", "Smiths"]),
        ("names of guilds from BO or with at least 1 guild order", ["Coopers", "Dyers"]),
    ],
)
def test_one_of_several_kinds_of_related_rows_is_enough(question, names, hall):
    assert hall(question) == [(name,) for name in names]


_TIES = """
CREATE TABLE person (
    person_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, joined_on DATE NOT NULL);
CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE club_cooks_and_guards (helper_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, street TEXT NOT NULL);
CREATE TABLE sport (sport_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
CREATE TABLE engages_in (
    person_id INTEGER NOT NULL REFERENCES person (person_id), sport_id INTEGER NOT NULL REFERENCES sport (sport_id));
CREATE TABLE coach_engages_in (
    coach_id INTEGER NOT NULL REFERENCES coach (coach_id), sport_id INTEGER NOT NULL REFERENCES sport (sport_id));
CREATE TABLE planned_visits (planned_visit_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (person_id));
CREATE TABLE actual_visits (
    actual_visit_id INTEGER PRIMARY KEY,
    planned_visit_id INTEGER NOT NULL REFERENCES planned_visits (planned_visit_id), mood TEXT NOT NULL);
CREATE TABLE hall_key (key_id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE loans (
    loan_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (person_id),
    key_id INTEGER NOT NULL REFERENCES hall_key (key_id), lent_on DATE NOT NULL, phone TEXT NOT NULL);
INSERT INTO person VALUES (1, 'Ada', 'Kiel', '2019-01-01'), (2, 'Bo', 'Bonn', '2024-01-01'), (3, 'Cy', 'Kiel', '2020-01-01');
INSERT INTO coach VALUES (1, 'Moe'), (2, 'Nia');
INSERT INTO club_cooks_and_guards VALUES (1, 'Dee', 'Elm Way'), (2, 'Eli', 'Oak Row');
INSERT INTO sport VALUES (1, 'Golf'), (2, 'Judo'), (3, 'Polo');
INSERT INTO engages_in VALUES (1, 1), (1, 2), (2, 2);
INSERT INTO coach_engages_in VALUES (1, 1), (1, 3), (2, 1);
INSERT INTO planned_visits VALUES (1, 1), (2, 2);
INSERT INTO actual_visits VALUES (11, 2, 'merry'), (12, 1, 'grim');
INSERT INTO hall_key VALUES (1, 'north'), (2, 'south');
INSERT INTO loans VALUES (1, 1, 1, '2025-01-01', '11'), (2, 3, 1, '2025-05-01', '33'), (3, 2, 1, '2025-02-01', '22'), (4, 1, 1, '2025-03-01', '44');
"""


@pytest.fixture(scope="module")
def club(opened):
    analyst, con = opened("club_of_ties", _TIES)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many coaches engage in a sport?", [(2,)]),
        ("How many sports does Nia engage in?", [(1,)]),
        ("titles of the sports that Moe engages in", [("Golf",), ("Polo",)]),
        (
            "names of coaches who engaged in at least 1 sport and the number of sports they engaged in",
            [("Moe", 2), ("Nia", 1)],
        ),
        ("How many persons engage in each sport?", [("Judo", 2), ("Golf", 1)]),
        ("Find the ids of visits whose mood is 'merry'", [(11,)]),
        ("Find the name of the person who made a loan most recently", [("Cy",)]),
        ("labels of the hall keys that have never been used", [("south",)]),
        ("What are the phones of the person with the most loans?", [("11",), ("44",)]),
        ("names of persons whose name has 'd' in it", [("Ada",)]),
        ("What is the street of each club cook or guard?", [("Elm Way",), ("Oak Row",)]),
        ("streets of the club cooks whose name is Eli", [("Oak Row",)]),
    ],
)
def test_table_is_the_one_that_ties_or_holds_what_is_said(question, rows, club):
    assert club(question) == rows
