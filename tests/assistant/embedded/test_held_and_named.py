"""Numbers and names that rows hold themselves, and names that they borrow: huts in a valley, checked by hand."""

from __future__ import annotations

import pytest

_VALLEY = """
CREATE TABLE people (
    people_id INTEGER PRIMARY KEY, name TEXT NOT NULL, job TEXT NOT NULL, gender TEXT NOT NULL, age INTEGER NOT NULL,
    height INTEGER NOT NULL);
CREATE TABLE huts (
    hut_id INTEGER PRIMARY KEY, hut_name TEXT NOT NULL, warden TEXT NOT NULL, left_post TEXT NOT NULL,
    built INTEGER NOT NULL, number_of_guests INTEGER NOT NULL, radio TEXT NOT NULL, rating_in_percent REAL NOT NULL);
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, age INTEGER NOT NULL);
CREATE TABLE hut_guests (
    hut_id INTEGER NOT NULL REFERENCES huts (hut_id), guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    has_paid CHAR(1) NOT NULL, PRIMARY KEY (hut_id, guest_id));
CREATE TABLE avalanches (
    avalanche_id INTEGER PRIMARY KEY, people_id INTEGER NOT NULL REFERENCES people (people_id), year INTEGER NOT NULL,
    slope TEXT NOT NULL, buried INTEGER NOT NULL);
CREATE TABLE tour (
    people_id INTEGER NOT NULL REFERENCES people (people_id), hut_id INTEGER NOT NULL REFERENCES huts (hut_id),
    time_of_day TEXT NOT NULL, PRIMARY KEY (people_id, hut_id));
CREATE TABLE rope_types (rope_type TEXT PRIMARY KEY, load_GiB REAL NOT NULL, weight REAL NOT NULL);
CREATE TABLE ropes (
    company_name TEXT NOT NULL, rope_model_name TEXT PRIMARY KEY, rope_type TEXT REFERENCES rope_types (rope_type));
INSERT INTO people VALUES
    (1, 'Anda', 'porter', 'female', 31, 170), (2, 'Bruno', 'porter', 'male', 44, 182),
    (3, 'Cilla', 'cook', 'female', 25, 165), (4, 'Dario', 'climber', 'male', 29, 177),
    (5, 'Egon', 'porter', 'male', 52, 190);
INSERT INTO huts VALUES
    (1, 'Kogel', 'Moser', '1958', 1931, 40, 'No', 61), (2, 'Spitz', 'Huber', '1963', 1949, 12, 'VHF', 82.5),
    (3, 'Grat', 'Lang', '1971', 1970, 85, 'UHF', 47), (4, 'Alm', 'Pichler', '1949', 1922, 30, 'No', 90);
INSERT INTO guests VALUES (1, 'Rita', 'Lienz', 30), (2, 'Sepp', 'Bozen', 61), (3, 'Toni', 'Lienz', 47);
INSERT INTO hut_guests VALUES (1, 1, 'T'), (1, 2, 'F'), (2, 1, 'T'), (2, 3, 'T'), (4, 3, 'F');
INSERT INTO avalanches VALUES (1, 1, 2009, 'north', 3), (2, 4, 2017, 'east', 0), (3, 2, 2021, 'north', 7);
INSERT INTO tour VALUES (1, 1, 'morning'), (1, 2, 'night'), (2, 3, 'night'), (4, 3, 'morning'), (4, 4, 'morning');
INSERT INTO rope_types VALUES ('static', 22, 75), ('dynamic', 9, 62), ('half', 6, 41);
INSERT INTO ropes VALUES
    ('Tendon', 'Ambition', 'dynamic'), ('Tendon', 'Lowe', 'dynamic'), ('Beal', 'Spelenium', 'static');
"""


@pytest.fixture(scope="module")
def valley(opened):
    """An analyst over the valley's data, and a connection to it."""
    return opened("valley", _VALLEY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Show the names of all huts sorted in the descending order using the number of guests.",
         "SELECT hut_name FROM huts ORDER BY number_of_guests DESC"),
        ("List the hut names sorted by the hut rating in descending order.",
         "SELECT hut_name FROM huts ORDER BY rating_in_percent DESC"),
        ("List the names of huts, ordering by built year.", "SELECT hut_name FROM huts ORDER BY built"),
        ("What are the wardens of huts ordered by the number of guests in ascending manner?",
         "SELECT warden FROM huts ORDER BY number_of_guests"),
        ("List the slopes of avalanches in descending order of the number of people buried.",
         "SELECT slope FROM avalanches ORDER BY buried DESC"),
        ("List the number of people buried by avalanches in ascending order.",
         "SELECT buried FROM avalanches ORDER BY buried"),
    ],
)  # fmt: skip
def test_rows_go_by_the_number_that_they_hold(valley, question, gold, first_rows):
    rows, con, sql = first_rows(valley, question)
    assert rows == con.execute(gold).fetchall(), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which hut has the most guests?",
         "SELECT hut_name FROM huts WHERE number_of_guests = (SELECT MAX(number_of_guests) FROM huts)"),
        ("What is the average number of people buried by avalanches?", "SELECT AVG(buried) FROM avalanches"),
        ("In which year did the most recent avalanche happen?", "SELECT MAX(year) FROM avalanches"),
        ("Which warden left post the latest?", "SELECT warden FROM huts WHERE left_post = '1971'"),
        ("Which hut was built most recently?", "SELECT hut_name FROM huts WHERE built = 1970"),
        ("Which wardens left post after 1965 or before 1955?",
         "SELECT warden FROM huts WHERE left_post > '1965' OR left_post < '1955'"),
        ("How many huts do not have a radio?", "SELECT COUNT(*) FROM huts WHERE radio = 'No'"),
    ],
)  # fmt: skip
def test_what_a_row_holds_is_not_counted_elsewhere(valley, question, gold, first_rows):
    rows, con, sql = first_rows(valley, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Show the names of the hut guests and the wardens of the huts.",
         "SELECT g.name, h.warden FROM hut_guests JOIN guests g USING (guest_id) JOIN huts h USING (hut_id)"),
        ("Show the radios of huts and the names of the hut guests.",
         "SELECT h.radio, g.name FROM hut_guests JOIN guests g USING (guest_id) JOIN huts h USING (hut_id)"),
        ("Which people have toured more than once? Show their age and height.",
         "SELECT age, height FROM people WHERE name IN ('Anda', 'Dario')"),
        ("Show all wardens and the huts they look after.", "SELECT warden, hut_name FROM huts"),
        ("List the names of ropes made by the company named \"Tendon\".",
         "SELECT rope_model_name FROM ropes WHERE company_name = 'Tendon'"),
        ("How many rope models are made by the company named \"Tendon\"?", "SELECT 2"),
        ("What is the average weight of the rope types that are not used by any rope?", "SELECT 41.0"),
        ("Which people tour both in the morning and at night?", "SELECT 'Anda'"),
        ("Return the hut name that is most common across all tours.", "SELECT 'Grat'"),
    ],
)  # fmt: skip
def test_names_belong_to_what_is_named(valley, question, gold, first_rows):
    rows, con, sql = first_rows(valley, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How old is each gender, on average?", "SELECT gender, AVG(age) FROM people GROUP BY 1"),
        ("How old is the average porter?", "SELECT AVG(age) FROM people WHERE job = 'porter'"),
        ("How many porters are older than 30?", "SELECT COUNT(*) FROM people WHERE job = 'porter' AND age > 30"),
        ("Who is the youngest porter?", "SELECT 'Anda'"),
        ("Show the names of people older 40.", "SELECT name FROM people WHERE age > 40"),
        ("Which job has the oldest average age?", "SELECT 'porter'"),
        ("Show the slopes that have both avalanches with a year after 2015 and avalanches before 2012.",
         "SELECT 'north'"),
        ("Show the name and height of every porter.", "SELECT name, height FROM people WHERE job = 'porter'"),
        ("Which people are under age 30?", "SELECT name FROM people WHERE age < 30"),
        ("How many people whose height is greater 175 are there?", "SELECT COUNT(*) FROM people WHERE height > 175"),
    ],
)  # fmt: skip
def test_a_kind_of_row_is_a_noun_as_well(valley, question, gold, first_rows):
    rows, con, sql = first_rows(valley, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_a_ranking_by_rows_of_two_tables_comes_to_an_end(valley, first_rows):
    rows, _, sql = first_rows(valley, "Return the name of the guest that is most common across all huts.")
    assert sorted(row[0] for row in rows) == ["Rita", "Toni"], sql


def test_two_names_are_listed_side_by_side(valley, first_rows):
    rows, con, sql = first_rows(valley, "Show the names of people and the names of the huts they toured.")
    gold = "SELECT p.name, h.hut_name FROM tour JOIN people p USING (people_id) JOIN huts h USING (hut_id)"
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_how_often_is_no_number_of_a_row(valley):
    analyst, _ = valley
    for found in analyst.candidates("Which people were in charge of avalanches once?"):
        assert not found.meaning.filters, analyst.sql(found.meaning)
