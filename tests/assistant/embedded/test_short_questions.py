"""Short, plain questions on one table or a few: several aggregates, orders by adjectives, bounds, a table called like a
verb. A circus, checked by hand."""

from __future__ import annotations

import pytest

_CIRCUS = """
CREATE TABLE show (show_id INTEGER PRIMARY KEY, title TEXT NOT NULL, town TEXT NOT NULL, premiere_on DATE NOT NULL,
    fans INTEGER NOT NULL, outdoors TEXT NOT NULL);
CREATE TABLE act (act_id INTEGER PRIMARY KEY, show_id INTEGER NOT NULL REFERENCES show (show_id),
    act_title TEXT NOT NULL, kind TEXT NOT NULL, length_min INTEGER NOT NULL, rehearsal_minutes INTEGER NOT NULL,
    downloads INTEGER NOT NULL);
CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, joined INTEGER NOT NULL,
    weight REAL NOT NULL, country TEXT NOT NULL);
CREATE TABLE prop (prop_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE act_prop (act_id INTEGER NOT NULL REFERENCES act (act_id), prop_id INTEGER NOT NULL REFERENCES prop
    (prop_id), PRIMARY KEY (act_id, prop_id));
CREATE TABLE tent (tent_id INTEGER PRIMARY KEY, colour TEXT NOT NULL, roof_height_m REAL NOT NULL, heated TEXT NOT NULL,
    rows_of_benches INTEGER NOT NULL);
CREATE TABLE lease (lease_id INTEGER PRIMARY KEY, tent_id INTEGER NOT NULL REFERENCES tent (tent_id),
    status_code TEXT NOT NULL, season INTEGER NOT NULL, stage INTEGER NOT NULL, price REAL NOT NULL, ground_ha REAL NOT NULL);
INSERT INTO show VALUES (1, 'Ember', 'Graz', '2024-03-01', 700, 'Y'), (2, 'Lumen', 'Graz', '2025-05-01', 900, 'N'),
    (3, 'Noctua', 'Linz', '2025-09-01', 400, 'N');
INSERT INTO act VALUES (1, 1, 'Fire ring', 'juggling', 12, 90, 400), (2, 1, 'High wire', 'balance', 25, 200, 300),
    (3, 2, 'Silk', 'balance', 18, 120, 900), (4, 3, 'Clubs', 'juggling', 9, 30, 150), (5, 2, 'Hoop', 'juggling', 30, 60, 150);
INSERT INTO artist VALUES (1, 'Ona', 31, 2019, 61.5, 'Latvia'), (2, 'Piet', 54, 2001, 80.0, 'Belgium'),
    (3, 'Quim', 22, 2023, 70.0, 'Portugal'), (4, 'Runa', 45, 2022, 58.0, 'Latvia');
INSERT INTO lease VALUES (1, 1, 'PAID', 2023, 1, 200, 1.5), (2, 1, 'REJ', 2024, 2, 650, 2.5),
    (3, 2, 'OPEN', 2024, 1, 420, 4.0), (4, 3, 'PAID', 2025, 2, 900, 0.5), (5, 4, 'REJ', 2024, 1, 380, 3.0),
    (6, 4, 'PAID', 2023, 1, 510, 2.0);
INSERT INTO prop VALUES (1, 'torch'), (2, 'hoop'), (3, 'rope');
INSERT INTO act_prop VALUES (1, 1), (1, 2), (2, 3), (3, 3), (5, 2);
INSERT INTO tent VALUES (1, 'red', 12.5, 'Y', 30), (2, 'blue', 9.0, 'N', 12), (3, 'red', 15.0, 'N', 44),
    (4, 'blue', 7.5, 'Y', 10);
"""


@pytest.fixture(scope="module")
def circus(opened):
    """An analyst over the circus's data, and a connection to it."""
    return opened("circus", _CIRCUS)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What are the names and ages of all artists, oldest first?", "SELECT name, age FROM artist ORDER BY age DESC"),
        ("List the names of the artists, youngest first.", "SELECT name FROM artist ORDER BY age"),
        ("Show the names of artists from Latvia, heaviest first.",
         "SELECT name FROM artist WHERE country = 'Latvia' ORDER BY weight DESC"),
        ("Which acts are there, shortest first?", "SELECT act_title FROM act ORDER BY length_min"),
    ],
)  # fmt: skip
def test_an_adjective_before_first_is_an_order(circus, question, gold, first_rows):
    rows, con, sql = first_rows(circus, question)
    assert rows == con.execute(gold).fetchall(), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What is the shortest, longest and average length of the acts?",
         "SELECT MIN(length_min), MAX(length_min), AVG(length_min) FROM act"),
        ("Show the heaviest and lightest weight of artists.", "SELECT MAX(weight), MIN(weight) FROM artist"),
        ("What is the largest tent roof height for each colour?",
         "SELECT colour, MAX(roof_height_m) FROM tent GROUP BY 1"),
        ("What is the average length and the total number of downloads of juggling acts?",
         "SELECT AVG(length_min), SUM(downloads) FROM act WHERE kind = 'juggling'"),
    ],
)  # fmt: skip
def test_each_of_several_figures_is_kept(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which towns have more than one show?", "SELECT 'Graz'"),
        ("Find the towns with more than 1 show.", "SELECT 'Graz'"),
        ("Which show has the most fans?", "SELECT 'Lumen'"),
        ("For each show, what is the title and the average length of its acts?",
         "SELECT title, AVG(length_min) FROM show JOIN act USING (show_id) GROUP BY 1"),
        ("Show the title of every show.", "SELECT title FROM show"),
    ],
)  # fmt: skip
def test_a_table_may_be_called_like_a_request(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which kinds of acts have an average length above 17?", "SELECT 'balance'"),
        ("Which kinds have an average length over 17 minutes?", "SELECT 'balance'"),
        ("Find the countries that do not have an average age over 40.", "SELECT 'Latvia' UNION SELECT 'Portugal'"),
    ],
)  # fmt: skip
def test_the_figure_of_a_bound_is_not_asked_for(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("List the title and the date of the shows in Graz.", "SELECT title, premiere_on FROM show WHERE town = 'Graz'"),
        ("List the colour and the roof height of every heated tent.",
         "SELECT colour, roof_height_m FROM tent WHERE heated = 'Y'"),
        ("Which acts contain a rope? Show their titles.", "SELECT 'High wire' UNION SELECT 'Silk'"),
    ],
)  # fmt: skip
def test_no_word_of_a_plain_question_is_lost(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which leases cost between 400 and 700? Show their ids.", "SELECT lease_id FROM lease WHERE price BETWEEN 400 AND 700"),
        ("List the ids of acts that last between 10 and 20 minutes.",
         "SELECT act_id FROM act WHERE length_min BETWEEN 10 AND 20"),
        ("List the stages in which the price of the status code PAID was above 450.",
         "SELECT stage FROM lease WHERE status_code = 'PAID' AND price > 450"),
        ("Which leases have a ground of more than 2 hectares? Return the ids.", "SELECT lease_id FROM lease WHERE ground_ha > 2"),
        ("Which colours have tents with more than 25 rows of benches in total?", "SELECT 'red'"),
        ("What is the average price of leases for the 2024 season?", "SELECT AVG(price) FROM lease WHERE season = 2024"),
        ("What are the ids of leases that were rejected?", "SELECT lease_id FROM lease WHERE status_code = 'REJ'"),
        ("Show the names of artists whose name contains 'n' or 'm'.",
         "SELECT name FROM artist WHERE name LIKE '%n%' OR name LIKE '%m%'"),
    ],
)  # fmt: skip
def test_conditions_of_plain_questions(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which status code was used the most?", "SELECT 'PAID'"),
        ("Give the number of stages of each colour.",
         "SELECT colour, COUNT(DISTINCT stage) FROM lease JOIN tent USING (tent_id) GROUP BY 1"),
    ],
)  # fmt: skip
def test_what_is_counted_by_a_column(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which act titles have a rehearsal longer than 100 minutes?",
         "SELECT act_title FROM act WHERE rehearsal_minutes > 100"),
        ("List the names of artists between 30 and 46 years old.", "SELECT name FROM artist WHERE age BETWEEN 30 AND 46"),
        ("List the titles of acts with downloads of 150 or more than 350.",
         "SELECT act_title FROM act WHERE downloads = 150 OR downloads > 350"),
        ("Show the colour, roof height and number of rows of benches of all tents.",
         "SELECT colour, roof_height_m, rows_of_benches FROM tent"),
    ],
)  # fmt: skip
def test_what_a_number_belongs_to(circus, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(circus, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql
