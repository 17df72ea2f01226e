"""Everyday words for what a source calls otherwise: alone, as a part of a phrase, and for the name of a thing."""

from __future__ import annotations

import pytest

from assistant.embedded.words.thesaurus import synonyms

_SCHEMA = """
CREATE TABLE physicians (physician_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, birth_date DATE NOT NULL,
    salary INTEGER NOT NULL, hire_date DATE NOT NULL);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    phone TEXT NOT NULL, blood_type TEXT NOT NULL, physician_id INTEGER NOT NULL REFERENCES physicians (physician_id));
CREATE TABLE trucks (truck_id INTEGER PRIMARY KEY, license_plate TEXT NOT NULL UNIQUE, fuel_type TEXT NOT NULL,
    top_speed INTEGER NOT NULL);
CREATE TABLE wards (ward_id INTEGER PRIMARY KEY, ward_details TEXT NOT NULL, floor INTEGER NOT NULL);
INSERT INTO physicians VALUES (1, 'Ada Korn', '1970-02-03', 900, '2001-04-05'), (2, 'Bo Lind', '1985-06-07', 700, '2015-08-09');
INSERT INTO patients VALUES (1, 'Cy', 'Moor', '555-1', 'A', 1), (2, 'Di', 'Nett', '555-2', 'B', 1),
    (3, 'Ed', 'Orr', '555-3', 'A', 2);
INSERT INTO trucks VALUES (1, 'K-1', 'diesel', 90), (2, 'K-2', 'gas', 110), (3, 'K-3', 'diesel', 100);
INSERT INTO wards VALUES (1, 'bright', 2), (2, 'quiet', 3);
"""


@pytest.fixture(scope="module")
def clinic(opened):
    analyst, con = opened("clinic", _SCHEMA)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many medics are there?", [(2,)]),
        ("How many lorries run on each type of petrol?", [("diesel", 2), ("gas", 1)]),
        ("What is the average pay of the doctors?", [(800,)]),
        ("plate numbers of the lorries with a maximum speed over 95", [("K-2",), ("K-3",)]),
    ],
)
def test_everyday_word_names_the_table_or_the_column(question, rows, clinic):
    assert clinic(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("the contact number of the patient with the family name Moor", [("555-1",)]),
        ("patient contact numbers", [("555-1",), ("555-2",), ("555-3",)]),
        ("How many sick people have each blood group?", [("A", 2), ("B", 1)]),
        (
            "the doctor's date of birth and employment date",
            [("1970-02-03", "2001-04-05"), ("1985-06-07", "2015-08-09")],
        ),
    ],
)
def test_part_of_a_phrase_is_said_in_other_words(question, rows, clinic):
    assert clinic(question) == rows


def test_title_is_a_name_where_nothing_else_is_called_so(clinic):
    assert clinic("titles and salaries of the physicians") == [("Ada Korn", 900), ("Bo Lind", 700)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show the information of the wards", [("bright",), ("quiet",)]),
        ("Show all information about the wards", [(1, "bright", 2), (2, "quiet", 3)]),
        ("Show the information of the trucks on gas", [(2, "K-2", "gas", 110)]),
    ],
)
def test_information_is_the_column_of_details_where_there_is_one(question, rows, clinic):
    assert clinic(question) == rows


def test_only_known_words_are_tried_and_the_changed_parts_are_counted():
    known = {"custom", "birthdat", "name"}
    assert synonyms(("client", "birthday"), {"customer", "birthdat"}) == {("customer", "birthdat"): 2}
    assert synonyms(("client", "name"), {"customer", "name"}) == {("customer", "name"): 1}
    assert synonyms(("client", "name"), known) == {}


def test_thing_whose_name_ends_like_a_verb_is_a_thing(clinic):
    assert clinic("average speed of the lorries") == [(100.0,)]


_WORKS = """
CREATE TABLE plants (plant_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, founder TEXT NOT NULL,
    authorised INTEGER NOT NULL);
CREATE TABLE mishaps (mishap_id INTEGER PRIMARY KEY, plant_id INTEGER NOT NULL REFERENCES plants (plant_id),
    injured INTEGER NOT NULL, description TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, plant_id INTEGER NOT NULL REFERENCES plants (plant_id),
    payment_method_code TEXT NOT NULL);
CREATE TABLE contracts (contract_id INTEGER PRIMARY KEY, contract_type_code TEXT NOT NULL);
INSERT INTO plants VALUES (1, 'Nord', 'Ada Korn', 40), (2, 'Sued', 'Bo Lind', 60);
INSERT INTO mishaps VALUES (1, 1, 3, 'slip', 'wet'), (2, 2, 5, 'fall', 'dark');
INSERT INTO payments VALUES (1, 1, 'cash'), (2, 2, 'card'), (3, 2, 'card');
INSERT INTO contracts VALUES (1, 'long'), (2, 'short');
"""


@pytest.fixture(scope="module")
def works(opened):
    analyst, con = opened("works", _WORKS)
    return lambda question: sorted(
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many people were wounded?", [(8,)]),
        ("the total authorized", [(100,)]),
        ("Who is the establisher of Nord?", [("Ada Korn",)]),
        ("the describing content of the mishaps", [("fall",), ("slip",)]),
        ("Give all detail regarding the contracts", [(1, "long"), (2, "short")]),
    ],
)
def test_other_form_of_the_word_names_the_column(question, rows, works):
    assert works(question) == rows


def test_two_words_for_one_column_are_not_cut_into_two_things(works):
    assert works("Which payment type is used the most often?") == [("card",)]


def test_thing_beside_its_name_stays_the_thing(works):
    assert works("Show the factory name with the number of mishaps") == [("Nord", 1), ("Sued", 1)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("license plates of trucks faster than 95", [("K-2",), ("K-3",)]),
        ("How many lorries are slower than the average?", [(1,)]),
        ("license plate of the fastest lorry", [("K-2",)]),
        ("What is the license plate of the slowest truck?", [("K-1",)]),
        ("names of the medics recruited in 2001", [("Ada Korn",)]),
    ],
)
def test_adjective_or_verb_says_which_column(question, rows, clinic):
    assert [row[:1] for row in clinic(question)] == rows


def test_highest_paid_is_one_thing_and_a_letter_behind_its_column_a_value(clinic):
    assert clinic("Who is the highest paid doctor?")[0][0] == "Ada Korn"
    assert clinic("How many patients have blood group A?") == [(2,)]
