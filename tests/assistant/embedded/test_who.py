""" "Who" asks for people, and is never answered with a figure or a flag."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood, Understood


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    path = tmp_path / "staff.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE staff (employee TEXT, department TEXT, salary INTEGER, city TEXT, remote TEXT)")
        con.executemany(
            "INSERT INTO staff VALUES (?, ?, ?, ?, ?)",
            [
                ("Ann", "Sales", 52000, "Bern", "yes"),
                ("Cleo", "IT", 81000, "Bern", "yes"),
                ("Dan", "IT", 81000, "Zug", "no"),
                ("Eve", "HR", None, "Basel", "no"),
            ],
        )
    return path


def test_who_has_the_highest_names_people(staff: Path, catalog_of: Callable[[Path], Catalog]) -> None:
    analyst = Analyst((catalog_of(staff),), (), date(2026, 11, 21))
    outcome = analyst.read("who has the highest salary?")
    assert isinstance(outcome, Understood)
    with closing(sqlite3.connect(staff)) as con:
        rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert {row[0] for row in rows} == {"Cleo", "Dan"}
    figure = analyst.read("what is the highest salary?")
    assert isinstance(figure, Understood)
    with closing(sqlite3.connect(staff)) as con:
        assert con.execute(analyst.sql(figure.meaning)).fetchall() == [(81000,)]


@pytest.mark.parametrize("question", ["who is remote?", "who is yes?"])
def test_who_is_never_answered_with_a_flag(staff: Path, catalog_of: Callable[[Path], Catalog], question: str) -> None:
    analyst = Analyst((catalog_of(staff),), (), date(2026, 11, 21))
    outcome = analyst.read(question)
    if isinstance(outcome, Understood):
        with closing(sqlite3.connect(staff)) as con:
            rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
        assert {row[0] for row in rows} == {"Ann", "Cleo"}
    else:
        assert isinstance(outcome, NotUnderstood) or outcome.options


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            """
            CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT, town TEXT);
            CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
            CREATE TABLE client_orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients,
                employee_id INTEGER REFERENCES employees, order_date DATE, remark TEXT, total REAL);
            INSERT INTO clients VALUES (1, 'Abel', 'Bern'), (2, 'Bruno', 'Zug'), (3, 'Carla', 'Bern');
            INSERT INTO employees VALUES (1, 'Mia', 'Moser'), (2, 'Noah', 'Nef');
            INSERT INTO client_orders VALUES (1, 1, 1, '2024-02-01', 'gift', 40), (2, 1, 2, '2025-01-05', NULL, 25),
                (3, 2, 2, '2025-03-01', 'fast', 90);
            """
        )
    return path


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who spent the most?", {"Bruno"}),
        ("who ordered something in 2024", {"Abel"}),
        ("Who spent the most in 2024?", {"Abel"}),
        ("who lives in Bern", {"Abel", "Carla"}),
    ],
)
def test_who_did_it_is_told_by_what_was_done(
    shop: Path, catalog_of: Callable[[Path], Catalog], question: str, people: set[str]
) -> None:
    analyst = Analyst((catalog_of(shop),), (), date(2026, 11, 21))
    meaning = analyst.candidates(question)[0].meaning
    with closing(sqlite3.connect(shop)) as con:
        assert {row[0] for row in con.execute(analyst.sql(meaning))} == people


def test_where_two_kinds_of_people_may_be_meant_both_are_offered(
    shop: Path, catalog_of: Callable[[Path], Catalog]
) -> None:
    analyst = Analyst((catalog_of(shop),), (), date(2026, 11, 21))
    found = analyst.candidates("Who has the most orders?")[:3]
    assert {"clients", "employees"} <= {d.column.table for c in found for d in c.meaning.dimensions}


def test_rows_are_no_people_because_people_made_them(shop: Path, catalog_of: Callable[[Path], Catalog]) -> None:
    analyst = Analyst((catalog_of(shop),), (), date(2026, 11, 21))
    for candidate in analyst.candidates("Who made the latest order?"):
        with closing(sqlite3.connect(shop)) as con:
            rows = con.execute(analyst.sql(candidate.meaning)).fetchall()
        assert {"gift", "fast"}.isdisjoint(row[0] for row in rows), candidate.meaning


def test_who_spent_the_most_somewhere(shop: Path, catalog_of: Callable[[Path], Catalog]) -> None:
    analyst = Analyst((catalog_of(shop),), (), date(2026, 11, 21))
    meaning = analyst.candidates("Which client spent the most in Bern in 2025?")[0].meaning
    with closing(sqlite3.connect(shop)) as con:
        assert con.execute(analyst.sql(meaning)).fetchall() == [("Abel", 25.0)]


@pytest.mark.parametrize(
    ("question", "person"),
    [
        ("Who solved the most high priority tickets?", "Mia"),
        ("Which agent has the most high priority tickets?", "Mia"),
        ("who handled the most tickets", "Noah"),
    ],
)
def test_in_a_file_people_are_a_column(
    tmp_path: Path, catalog_of: Callable[[Path], Catalog], question: str, person: str
) -> None:
    path = tmp_path / "helpdesk.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            """
            CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, customer TEXT, agent TEXT, status TEXT, priority TEXT);
            INSERT INTO tickets VALUES (1, 'Bolt', 'Mia', 'solved', 'high'), (2, 'Bolt', 'Mia', 'solved', 'high'),
                (3, 'Bolt', 'Noah', 'open', 'low'), (4, 'Core', 'Noah', 'solved', 'low'), (5, 'Core', 'Noah', 'open', 'low');
            """
        )
    analyst = Analyst((catalog_of(path),), (), date(2026, 11, 21))
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    with closing(sqlite3.connect(path)) as con:
        assert con.execute(sql).fetchall() == [(person,)]


def test_what_somebody_placed_is_no_place(tmp_path: Path, catalog_of: Callable[[Path], Catalog]) -> None:
    path = tmp_path / "orders.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            """
            CREATE TABLE addresses (address_id INTEGER PRIMARY KEY, street TEXT);
            CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT,
                address_id INTEGER REFERENCES addresses);
            CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers);
            INSERT INTO addresses VALUES (1, 'Lake Road'), (2, 'High Street');
            INSERT INTO customers VALUES (1, 'Abel', 1), (2, 'Bruno', NULL);
            INSERT INTO orders VALUES (1, 1), (2, 2), (3, 2);
            """
        )
    analyst = Analyst((catalog_of(path),), (), date(2026, 11, 21))
    meaning = analyst.candidates("Which customer placed the most orders?")[0].meaning
    assert "addresses" not in meaning.tables()
    with closing(sqlite3.connect(path)) as con:
        assert con.execute(analyst.sql(meaning, context=False)).fetchall() == [("Bruno",)]
