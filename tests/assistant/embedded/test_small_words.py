"""What small words decide: whose, by whom, which of two, one of several or each: a shipyard, checked by hand."""

from __future__ import annotations

import pytest

_YARD = """
CREATE TABLE docks (dock_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, quay TEXT NOT NULL, chief_id INTEGER
    REFERENCES persons (person_id));
CREATE TABLE persons (person_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    born_town TEXT NOT NULL, wage INTEGER NOT NULL);
CREATE TABLE welders (person_id INTEGER PRIMARY KEY REFERENCES persons (person_id),
    dock_id INTEGER NOT NULL REFERENCES docks (dock_id), torch TEXT NOT NULL);
CREATE TABLE hull_kinds (hull_kind_code TEXT PRIMARY KEY, hull_kind_description TEXT NOT NULL);
CREATE TABLE hulls (
    hulno INTEGER PRIMARY KEY, hull_kind_code TEXT NOT NULL REFERENCES hull_kinds (hull_kind_code),
    dock_id INTEGER NOT NULL REFERENCES docks (dock_id), launch_date DATE NOT NULL, delivery_date DATE NOT NULL,
    front_cabins INTEGER NOT NULL, rear_cabins INTEGER NOT NULL, lowest_rate REAL NOT NULL, crane_rate REAL NOT NULL,
    summary TEXT NOT NULL, tow_firm_id INTEGER NOT NULL REFERENCES tow_firms (tow_firm_id), deck TEXT NOT NULL);
CREATE TABLE tow_firms (tow_firm_id INTEGER PRIMARY KEY, tow_firm_name TEXT NOT NULL);
CREATE TABLE rivets (dock_id INTEGER NOT NULL REFERENCES docks (dock_id), year INTEGER NOT NULL,
    rivets INTEGER NOT NULL);
CREATE TABLE inspections (hulno INTEGER NOT NULL REFERENCES hulls (hulno),
    person_id INTEGER NOT NULL REFERENCES persons (person_id), PRIMARY KEY (hulno, person_id));
INSERT INTO persons VALUES (1, 'Ilka', 'Voss', 'Emden', 3100), (2, 'Jost', 'Harms', 'Emden', 2800),
    (3, 'Kuno', 'Ahlers', 'Leer', 4200), (4, 'Lene', 'Voss', 'Husum', 2500);
INSERT INTO docks VALUES (1, 'North', 'outer', 3), (2, 'South', 'inner', 1), (3, 'Town', 'outer', 1);
INSERT INTO welders VALUES (1, 1, 'blue'), (2, 1, 'red'), (4, 2, 'red');
INSERT INTO hull_kinds VALUES ('T', 'tanker'), ('C', 'coaster');
INSERT INTO tow_firms VALUES (1, 'Tow'), (2, 'Brix');
INSERT INTO hulls VALUES
    (7, 'T', 1, '2019-01-02', '2019-03-01', 4, 9, 2.5, 7.5, 'wide', 1, 'one'),
    (8, 'C', 1, '2020-05-06', '2020-08-01', 2, 3, 1.5, 9.5, 'slim', 2, 'two'),
    (12, 'T', 2, '2021-07-08', '2021-09-01', 6, 5, 3.5, 6.5, 'long', 2, 'two');
INSERT INTO rivets VALUES (1, 2019, 500), (1, 2020, 400), (2, 2019, 1300), (2, 2020, 90), (3, 2021, 90);
INSERT INTO inspections VALUES (7, 1), (7, 4), (12, 2);
"""


@pytest.fixture(scope="module")
def yard(opened):
    """An analyst over the yard's data, and a connection to it."""
    return opened("yard", _YARD)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What is the last name and torch of the welders from the North dock?",
         "SELECT last_name, torch FROM welders JOIN persons USING (person_id) WHERE dock_id = 1"),
        ("How many hulls were inspected by some persons?", "SELECT 2"),
        ("What are the summaries of hulls towed by tow firm 2?", "SELECT summary FROM hulls WHERE tow_firm_id = 2"),
        ("How many hulls were towed by Brix?", "SELECT 2"),
        ("What are the names of docks led by a chief born in the town 'Leer'?", "SELECT 'North'"),
    ],
)  # fmt: skip
def test_words_say_whose_and_by_whom(yard, question, gold, first_rows):
    rows, con, sql = first_rows(yard, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("List the summary of all hulls, sorted by the ones with the highest crane rate first.",
         "SELECT summary FROM hulls ORDER BY crane_rate DESC"),
        ("List the summary and crane rate of the hulls sorted by the crane rate from the highest to the lowest.",
         "SELECT summary, crane_rate FROM hulls ORDER BY crane_rate DESC"),
        ("Select the last name of the persons, sorted by wage from the lowest to the highest.",
         "SELECT last_name FROM persons ORDER BY wage"),
    ],
)  # fmt: skip
def test_what_comes_first_is_an_order_and_no_choice(yard, question, gold, first_rows):
    rows, con, sql = first_rows(yard, question)
    assert rows == con.execute(gold).fetchall(), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What are the launch and delivery dates of all hulls?", "SELECT launch_date, delivery_date FROM hulls"),
        ("Show the hull kind code and description and the hull number of each hull.",
         "SELECT hull_kind_code, hull_kind_description, hulno FROM hulls JOIN hull_kinds USING (hull_kind_code)"),
        ("What is the number of front and rear cabins of hull number 12?", "SELECT 6, 5"),
        ("What is the largest crane rate and smallest front cabins and rear cabins of all hulls?",
         "SELECT 9.5, 2, 3"),
        ("Show the hull number and summary of the hulls.", "SELECT hulno, summary FROM hulls"),
    ],
)  # fmt: skip
def test_words_that_hold_for_both(yard, question, gold, first_rows):
    rows, con, sql = first_rows(yard, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What is the average crane rate of each dock's hulls?",
         "SELECT name, AVG(crane_rate) FROM hulls JOIN docks USING (dock_id) GROUP BY 1"),
        ("What are the name, id and number of hulls for each dock?",
         "SELECT name, dock_id, COUNT(*) FROM hulls JOIN docks USING (dock_id) GROUP BY 1, 2"),
        ("What are the full names and ids of all persons, and how many inspections does each have?",
         "SELECT first_name, last_name, person_id, COUNT(*) FROM inspections JOIN persons USING (person_id)"
         " GROUP BY 1, 2, 3"),
        ("What are the different decks, and how many launches of each have taken place?",
         "SELECT deck, COUNT(*) FROM hulls GROUP BY 1"),
        ("Which dock has the most rivets?", "SELECT 'South'"),
        ("How many decks are there?", "SELECT 2"),
    ],
)  # fmt: skip
def test_each_and_how_many(yard, question, gold, first_rows):
    rows, con, sql = first_rows(yard, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which persons have a higher wage than some persons born in Emden?", "SELECT first_name, last_name"
         " FROM persons WHERE wage > 2800"),
        ("What are the first names of persons who earn more than at least one person born in Emden?",
         "SELECT first_name FROM persons WHERE wage > 2800"),
        ("What are the first names of persons with a wage greater than the average of all wages?",
         "SELECT first_name FROM persons WHERE wage > (SELECT AVG(wage) FROM persons)"),
    ],
)  # fmt: skip
def test_more_than_some(yard, question, gold, first_rows):
    rows, con, sql = first_rows(yard, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql
