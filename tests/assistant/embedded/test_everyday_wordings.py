"""What people type every day: multiples of an average, an order by the number that is told, values left out of groups."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, size INTEGER, score REAL);
CREATE TABLE client_orders (order_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    status TEXT NOT NULL, ordered DATE NOT NULL, price REAL NOT NULL, cost REAL NOT NULL);
INSERT INTO clients VALUES (1, 'Amsler', 'Ulm', 10, 1.5), (2, 'Bolt', 'Ulm', 20, 3.5), (3, 'Cruz', 'Jena', 31, 2.5),
    (4, 'Dietz', 'Jena', 90, 3.0), (5, 'Emmerich', 'Bonn', 34, 4.0);
INSERT INTO client_orders VALUES (1, 1, 'settled', '2025-02-01', 10, 4), (2, 1, 'open', '2026-03-01', 20, 25),
    (3, 2, 'settled', '2025-05-01', 30, 10), (4, 2, 'settled', '2025-06-01', 10, 11), (5, 3, 'open', '2026-01-01', 5, 1);
"""


@pytest.fixture(scope="module")
def shop(opened):
    return opened("shop", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("clients with more than twice the average size", ["Dietz"]),
        ("clients with size less than half the average", ["Amsler"]),
        ("clients whose size is less than 80% of the average", ["Amsler", "Bolt"]),
        ("clients with double the average size", ["Dietz"]),
        ("clients whose size is within 10% of the average", ["Emmerich"]),
        ("clients with size more than 20% above average", ["Dietz"]),
        ("clients whose size is at least 50% below the average", ["Amsler"]),
        ("clients with twice the average size or more", ["Dietz"]),
        ("clients whose size is above average", ["Dietz"]),
    ],
)
def test_a_number_is_held_against_so_many_times_its_average(shop, question, names):
    analyst, con = shop
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    sql = analyst.sql(outcome.meaning, context=False)
    assert [name for (name,) in con.execute(sql)] == names, sql
    assert "average" in outcome.restated


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients and their size, highest first",
         [("Dietz", 90), ("Emmerich", 34), ("Cruz", 31), ("Bolt", 20), ("Amsler", 10)]),
        ("average size by town from low to high", [("Ulm", 15.0), ("Bonn", 34.0), ("Jena", 60.5)]),
        ("number of client orders by client, lowest first", [("Cruz", 1), ("Amsler", 2), ("Bolt", 2)]),
        ("names of clients from high to low", [("Emmerich",), ("Dietz",), ("Cruz",), ("Bolt",), ("Amsler",)]),
    ],
)  # fmt: skip
def test_highest_first_goes_by_the_number_that_is_told(shop, question, rows, first_rows):
    found, _, sql = first_rows(shop, question)
    assert found == rows, sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of clients per town except Ulm", [("Jena", 2), ("Bonn", 1)]),
        ("average size by town excluding Ulm and Bonn", [("Jena", 60.5)]),
        ("how many clients are not from town Ulm?", [(3,)]),
    ],
)
def test_a_value_left_out_leaves_the_groups(shop, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(shop, question)
    assert same_rows(found, rows), sql


def test_what_two_have_by_their_names_need_not_be_shared(shop, first_rows):
    found, _, sql = first_rows(shop, "score of Amsler and Bolt")
    assert found == [(1.5,), (3.5,)], sql
    analyst, con = shop
    told = analyst.sql(analyst.candidates("score of Amsler and Bolt")[0].meaning)
    assert set(con.execute(told).fetchall()) == {(1.5, "Amsler"), (3.5, "Bolt")}
    found, _, sql = first_rows(shop, "towns shared by Amsler and Bolt")
    assert found == [("Ulm",)], sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("clients whose size is not between 15 and 32", [("Amsler",), ("Dietz",), ("Emmerich",)]),
        ("how many clients do not have a size between 15 and 32", [(3,)]),
        ("which town appears only once among clients", [("Bonn",)]),
        ("towns that occur at least 2 times", [("Jena",), ("Ulm",)]),
        ("which town appears more than once in client orders", [("Ulm",)]),
        ("number of clients per town, highest first, only those above 1", [("Jena", 2), ("Ulm", 2)]),
        ("average price by status, only those with more than 13", [("settled", 50 / 3)]),
        ("show only those clients with size above 32", [("Dietz",), ("Emmerich",)]),
    ],
)
def test_bounds_of_numbers_of_values_and_of_groups(shop, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(shop, question)
    assert same_rows(found, rows), sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which client has the most client orders with status open", [("Amsler",), ("Cruz",)]),
        ("which clients have more client orders than Cruz", [("Amsler",), ("Bolt",)]),
        ("clients with fewer client orders than the client Bolt", [("Cruz",)]),
        ("are there more clients in Ulm or Bonn", [("Ulm", 2), ("Bonn", 1)]),
        ("is open more common than settled", [("settled", 3), ("open", 2)]),
        ("total price for status settled and open separately", [("settled", 50.0), ("open", 25.0)]),
        ("total price for status settled and open", [(75.0,)]),
        ("what is the range of size of clients", [(10, 90)]),
        ("client orders with the size of their client", [(1, 10), (2, 10), (3, 20), (4, 20), (5, 31)]),
        ("list the client orders with the name and the town of their client",
         [(1, "Amsler", "Ulm"), (2, "Amsler", "Ulm"), (3, "Bolt", "Ulm"), (4, "Bolt", "Ulm"), (5, "Cruz", "Jena")]),
    ],
)  # fmt: skip
def test_one_held_against_another(shop, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(shop, question)
    assert same_rows(found, rows), sql


def test_what_one_has_more_of_is_said(shop):
    analyst, _ = shop
    outcome = analyst.read("clients with fewer client orders than the client Bolt")
    assert isinstance(outcome, Understood), outcome
    assert "under that of Bolt" in outcome.restated
    assert "clients without any are left out" in outcome.assumptions


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which clients have more client orders with status settled than with status open", [("Bolt",)]),
        ("clients with more open than settled client orders", [("Cruz",)]),
        ("clients that have fewer settled client orders than open client orders", [("Cruz",)]),
        ("how many clients have size above 30 and how many below", [(3, 2)]),
        ("how many clients have a size over 30 and how many have less than 20?", [(3, 1)]),
        ("how many clients have size above 30", [(3,)]),
    ],
)
def test_kinds_and_sides_are_counted_apart(shop, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(shop, question)
    assert same_rows(found, rows), sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of client orders per client, including those with none",
         [("Amsler", 2), ("Bolt", 2), ("Cruz", 1), ("Dietz", 0), ("Emmerich", 0)]),
        ("how many client orders does each client have, including clients without any",
         [("Amsler", 2), ("Bolt", 2), ("Cruz", 1), ("Dietz", 0), ("Emmerich", 0)]),
        ("number of client orders per town, even those with zero", [("Ulm", 4), ("Jena", 1), ("Bonn", 0)]),
        ("number of client orders per client", [("Amsler", 2), ("Bolt", 2), ("Cruz", 1)]),
    ],
)  # fmt: skip
def test_those_without_any_are_counted_as_none(shop, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(shop, question)
    assert same_rows(found, rows), sql


def test_those_without_any_belong_to_a_count_for_each(shop):
    analyst, _ = shop
    said = analyst.read("number of client orders per client, including those with none")
    assert isinstance(said, Understood), said
    assert said.restated.endswith("and those without any")
    assert not isinstance(analyst.read("average price per client, including those with none"), Understood)


def test_what_two_share_is_no_part_of_a_whole(shop, first_rows):
    found, _, sql = first_rows(shop, "which towns do Amsler and Bolt share?")
    assert found == [("Ulm",)], sql


@pytest.mark.parametrize("question", ["talks whose title starts with B", 'talks whose title begins with "b"'])
def test_how_a_name_begins_is_not_when_something_starts(opened, question, first_rows):
    talks = opened(
        "talks",
        """CREATE TABLE talks (talk_id INTEGER PRIMARY KEY, title TEXT NOT NULL, start_hour INTEGER, begin_date DATE);
        INSERT INTO talks VALUES (1, 'Bees', 9, '2026-02-01'), (2, 'Ants', 10, '2026-02-01'),
            (3, 'Wasps', 11, '2026-02-02'), (4, 'Beetles', 9, '2026-02-02');""",
    )
    found, _, sql = first_rows(talks, question)
    assert sorted(found) == [("Bees",), ("Beetles",)], sql


@pytest.mark.parametrize(
    "question", ["clients with more than twice the average size in Ulm", "clients, including those with no size"]
)
def test_what_is_not_read_whole_is_not_answered(shop, question):
    analyst, _ = shop
    assert not isinstance(analyst.read(question), Understood)
