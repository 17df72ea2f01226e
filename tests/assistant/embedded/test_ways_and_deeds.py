"""By which way two things belong together, and what was done that only says so: "climbers who joined no trip"."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE lodge (lodge_id INTEGER PRIMARY KEY, lodge_name TEXT NOT NULL, valley TEXT NOT NULL);
CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY, staff_name TEXT NOT NULL, field TEXT NOT NULL, YearsExp INTEGER NOT NULL,
    pay INTEGER NOT NULL, lodge_id INTEGER REFERENCES lodge (lodge_id), boss_id INTEGER REFERENCES staff (staff_id));
CREATE TABLE course (
    course_id INTEGER PRIMARY KEY, course_title TEXT NOT NULL, state TEXT NOT NULL,
    leader_id INTEGER NOT NULL REFERENCES staff (staff_id), rank_order INTEGER NOT NULL);
CREATE TABLE enrolment (
    staff_id INTEGER NOT NULL REFERENCES staff (staff_id), course_id INTEGER NOT NULL REFERENCES course (course_id),
    hours INTEGER NOT NULL, PRIMARY KEY (staff_id, course_id));
CREATE TABLE hobby (
    staff_id INTEGER NOT NULL REFERENCES staff (staff_id), hobby_name TEXT NOT NULL, started_on DATE NOT NULL);
INSERT INTO lodge VALUES (1, 'Larch', 'Upper'), (2, 'Pine', 'Lower'), (3, 'Fir', 'Lower');
INSERT INTO staff VALUES (1, 'Ute Horn', 'Geology', 20, 90, 1, NULL), (2, 'Jan Falk', 'Botany', 4, 60, 1, 1),
    (3, 'Mia Lund', 'Geology', 12, 95, 2, 1), (4, 'Rolf Dorn', 'History', 2, 40, 2, 2);
INSERT INTO course VALUES (1, 'Ropes', 'open', 1, 3), (2, 'Maps', 'closed', 1, 1), (3, 'Snow', 'closed', 2, 2);
INSERT INTO enrolment VALUES (1, 3, 9), (2, 1, 4), (2, 2, 12), (2, 3, 3), (3, 2, 5);
INSERT INTO hobby VALUES (1, 'chess', '2020-01-01'), (2, 'chess', '2021-01-01'), (3, 'chess', '2021-02-01'),
    (3, 'judo', '2022-01-01'), (4, 'judo', '2022-05-01');
"""


@pytest.fixture(scope="module")
def lodges(opened):
    return opened("lodges", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the titles of the courses led by Ute Horn?", [("Maps",), ("Ropes",)]),
        ("Find the names of the staff who are not enrolled in any course.", [("Rolf Dorn",)]),
        ("Names of the staff who spent more than 8 hours on a closed course", [("Jan Falk",), ("Ute Horn",)]),
        ("Which course has the largest number of enrolled staff?", [("Maps",), ("Snow",)]),
        ("Which course has the most staff enrolled?", [("Maps",), ("Snow",)]),
        ("Names of the staff who are enrolled in neither Maps nor Snow", [("Rolf Dorn",)]),
        ("What is the most popular hobby?", [("chess",)]),
        ("Show the names of the lodges in which nobody works.", [("Fir",)]),
        ("How many geologists are there?", [(2,)]),
        ("Names of the staff with more than 10 years of experience", [("Mia Lund",), ("Ute Horn",)]),
        ("Names of the staff whose pay exceeds the average pay of all staff", [("Mia Lund",), ("Ute Horn",)]),
        (
            "Show the state and the number of courses of each state, ordered from the most to the least",
            [("closed", 2), ("open", 1)],
        ),
        (
            "Show the staff names and the names of the lodges they live in, sorted by staff name.",
            [("Jan Falk", "Larch"), ("Mia Lund", "Pine"), ("Rolf Dorn", "Pine"), ("Ute Horn", "Larch")],
        ),
    ],
)
def test_what_was_done_says_by_which_way_things_belong(question, rows, lodges, first_rows, same_rows):
    found, _, sql = first_rows(lodges, question)
    assert same_rows(found, rows), sql


_LEAGUE = """
CREATE TABLE team (team_code TEXT PRIMARY KEY, team_name TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE person (
    person_id INTEGER PRIMARY KEY, person_name TEXT NOT NULL, age INTEGER NOT NULL, salary INTEGER NOT NULL,
    is_coach TEXT NOT NULL, team_code TEXT REFERENCES team (team_code), boss_id INTEGER REFERENCES person (person_id));
CREATE TABLE game (
    game_id INTEGER PRIMARY KEY, stage TEXT NOT NULL, home_team TEXT NOT NULL REFERENCES team (team_code),
    guest_team TEXT NOT NULL REFERENCES team (team_code), played_on DATE NOT NULL);
CREATE TABLE pass (pass_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES person (person_id), kind TEXT);
INSERT INTO team VALUES ('OW', 'Owls', 'Ulm'), ('FX', 'Foxes', 'Bonn'), ('EL', 'Elks', 'Ulm');
INSERT INTO person VALUES (1, 'Ute', 51, 90, 'Y', 'OW', NULL), (2, 'Jan', 24, 95, 'N', 'OW', 1),
    (3, 'Mia', 33, 60, 'Y', 'FX', 1), (4, 'Rolf', 19, 70, 'N', 'FX', 3);
INSERT INTO game VALUES (1, 'group', 'OW', 'FX', '2025-01-05'), (2, 'final', 'FX', 'OW', '2025-02-05');
INSERT INTO pass VALUES (1, 1, 'Max'), (2, 2, 'Max'), (3, 2, 'Mini'), (4, 3, 'Mini');
"""


@pytest.fixture(scope="module")
def league(opened):
    return opened("league", _LEAGUE)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which people earn more than their boss?", [("Jan",), ("Rolf",)]),
        ("Names of the people who are older than their boss", []),
        ("How many coaches are there?", [(2,)]),
        ("Find the name and age of every coach.", [("Mia", 33), ("Ute", 51)]),
        (
            "Show the stage, the home team and the guest team of every game.",
            [("group", "Owls", "Foxes"), ("final", "Foxes", "Owls")],
        ),
        (
            "List the names and ages of the people sorted from the oldest to the youngest.",
            [("Ute", 51), ("Mia", 33), ("Jan", 24), ("Rolf", 19)],
        ),
        ("How many people have the Max pass?", [(2,)]),
    ],
)
def test_two_ends_and_rows_above_are_shown_by_name_and_compared(question, rows, league, first_rows, same_rows):
    found, _, sql = first_rows(league, question)
    assert same_rows(found, rows), sql


def test_a_verb_that_nothing_is_called_by_may_be_the_one_thing_that_happens(opened, first_rows):
    fleet = opened(
        "fleet",
        """CREATE TABLE rider (rider_id INTEGER PRIMARY KEY, rider_name TEXT NOT NULL);
        CREATE TABLE outcome (rider_id INTEGER NOT NULL REFERENCES rider (rider_id), seconds INTEGER NOT NULL);
        INSERT INTO rider VALUES (1, 'Ute'), (2, 'Jan'); INSERT INTO outcome VALUES (1, 60), (1, 58);""",
    )
    found, _, sql = first_rows(fleet, "Show the names of riders that have never competed.")
    assert found == [("Jan",)], sql


_LAKES = """
CREATE TABLE lake (lake_code TEXT PRIMARY KEY, lake_name TEXT NOT NULL, land TEXT NOT NULL, area_km2 INTEGER NOT NULL);
CREATE TABLE warden (
    warden_id INTEGER PRIMARY KEY, warden_name TEXT NOT NULL, lake_code TEXT NOT NULL REFERENCES lake (lake_code));
CREATE TABLE fish (fish_id INTEGER PRIMARY KEY, breed TEXT NOT NULL);
CREATE TABLE catch (
    catch_id INTEGER PRIMARY KEY, fish_id INTEGER NOT NULL REFERENCES fish (fish_id), total INTEGER NOT NULL,
    state TEXT NOT NULL);
INSERT INTO lake VALUES ('EMP', 'Dry Lake', 'Bavaria', 9), ('SER', 'Clear Lake', 'Tyrol', 4), ('NAK', 'Old Lake',
    'Tyrol', 2);
INSERT INTO warden VALUES (1, 'Ute', 'SER'), (2, 'Jan', 'SER'), (3, 'Mia', 'NAK');
INSERT INTO fish VALUES (1, 'pike'), (2, 'carp'), (3, 'tench');
INSERT INTO catch VALUES (1, 1, 5, 'kept'), (2, 1, 9, 'freed'), (3, 2, 20, 'kept'), (4, 1, 3, 'freed');
"""


@pytest.fixture(scope="module")
def lakes(opened):
    return opened("lakes", _LAKES)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which lake employs the most wardens?", [("Clear Lake",)]),
        ("What are the names of the lakes that are larger than every lake in Tyrol?", [("Dry Lake",)]),
        ("How many catches have a total above the average total of freed catches?", [(2,)]),
    ],
)
def test_keys_of_named_rows_are_no_words_and_standards_take_their_own_conditions(
    question, rows, lakes, first_rows, same_rows
):
    found, _, sql = first_rows(lakes, question)
    assert same_rows(found, rows), sql
