"""Tables under the names of keys: rows that refer to their own table, and two keys to one table."""

from __future__ import annotations

import sqlite3
from datetime import date

import duckdb
import pytest
from row_tables import RowTables
from rows_evaluator import Evaluator, Parent

from assistant.analyst.algebra import Column, Compare, Constant, Count, Grouped, Listing, Query, Related, Rows
from assistant.analyst.analyst import Analyst
from assistant.analyst.checking import problems
from assistant.analyst.outcomes import Ambiguous
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.wording import sentence
from assistant.evaluation.comparison import are_equal

STAFF = RowTables(
    name="staff",
    tables={
        "offices": [{"office_id": n, "town": town} for n, town in enumerate(("Bonn", "Jena"), 1)],
        "employees": [
            {"employee_id": 1, "name": "Ada", "manager_id": None, "office_id": 1, "salary": 90},
            {"employee_id": 2, "name": "Bo", "manager_id": 1, "office_id": 2, "salary": 95},
            {"employee_id": 3, "name": "Cy", "manager_id": 1, "office_id": 1, "salary": 50},
            {"employee_id": 4, "name": "Di", "manager_id": 2, "office_id": 1, "salary": 60},
        ],
    },
    parents=(
        Parent("employees", "manager_id", "employees", "employee_id", "manager"),
        Parent("employees", "office_id", "offices", "office_id"),
    ),
    types={},
)
AIRPORTS = RowTables(
    name="air",
    tables={
        "airports": [{"airport_id": n, "city": city} for n, city in enumerate(("Bonn", "Jena", "Kiel"), 1)],
        "flights": [
            {"flight_id": 1, "origin_id": 1, "destination_id": 2},
            {"flight_id": 2, "origin_id": 1, "destination_id": 3},
            {"flight_id": 3, "origin_id": 2, "destination_id": 3},
        ],
    },
    parents=(
        Parent("flights", "origin_id", "airports", "airport_id", "origin airports"),
        Parent("flights", "destination_id", "airports", "airport_id", "destination airports"),
    ),
    types={},
)
READ = {
    "who reports to Ada": {("Bo",), ("Cy",)},
    "employees who do not report to Ada": {("Di",)},
    "who is the manager of Di": {("Bo",)},
    "who does Di report to": {("Bo",)},
    "how many people report to Ada": {(2,)},
    "employees with their manager": {("Ada", None), ("Bo", "Ada"), ("Cy", "Ada"), ("Di", "Bo")},
    "employees who earn more than their manager": {("Bo",)},
    "employees whose salary is below their manager's salary": {("Cy",), ("Di",)},
    "employees without a manager": {("Ada",)},
    "managers with more than 1 employee": {("Ada",)},
    "number of employees by manager": {(None, 1), ("Ada", 2), ("Bo", 1)},
    "employees whose manager works in Jena": {("Di",)},
}
FLOWN = {
    "flights from Bonn": {(1,), (2,)},
    "flights to Kiel": {(2,), (3,)},
    "flights from Bonn to Kiel": {(2,)},
    "number of flights by destination airport": {(2, 1), (3, 2)},
    "how many flights are not from Bonn": {(1,)},
    "where does flight 3 depart from": {(2,)},
}


@pytest.mark.parametrize(("tables", "question"), [*((STAFF, q) for q in READ), *((AIRPORTS, q) for q in FLOWN)])
def test_a_key_is_followed_under_its_name(tables: RowTables, question: str) -> None:
    first, *_ = QuestionReader(tables.catalog()).read(question)
    assert set(tables.sqlite().execute(first.sql).fetchall()) == (READ | FLOWN)[question], sentence(first.query)


QUERIES: tuple[tuple[RowTables, Query], ...] = (
    (STAFF, Listing(Rows("employees"), (Column("employees", "name"), Column("manager", "name")))),
    (
        STAFF,
        Grouped(
            Rows("employees", Compare(Column("employees", "salary"), ">", Column("manager", "salary"))),
            (Column("manager", "name"),),
            (Count(),),
        ),
    ),
    (
        STAFF,
        Listing(
            Rows(
                "manager",
                Related("manager", Rows("employees", Compare(Column("offices", "town"), "=", Constant("Bonn")))),
            ),
            (Column("manager", "name"),),
        ),
    ),
    (
        AIRPORTS,
        Grouped(
            Rows("flights"),
            (Column("origin airports", "city"), Column("destination airports", "city")),
            (Count(Compare(Column("destination airports", "city"), "=", Constant("Kiel"))),),
        ),
    ),
)


@pytest.mark.parametrize(("tables", "query"), QUERIES)
def test_an_alias_is_a_table_as_every_other_on_each_engine(tables: RowTables, query: Query) -> None:
    schema = Schema.of(tables.catalog())
    assert problems(query, schema) == ()
    engines: dict[str, sqlite3.Connection | duckdb.DuckDBPyConnection]
    engines = {"sqlite": tables.sqlite(), "duckdb": tables.duckdb()}
    for dialect, engine in engines.items():
        rows = engine.execute(to_sql(query, schema, dialect=dialect)).fetchall()
        assert are_equal(rows, Evaluator(tables.database).run(query), ordered=False)
    for dialect in ("postgres", "mysql", "tsql", "bigquery", "snowflake"):
        assert "manager" not in to_sql(query, schema, dialect=dialect).replace("manager_id", "")


def test_of_two_keys_to_one_table_it_is_asked_which_is_meant() -> None:
    outcome = Analyst((AIRPORTS.catalog(),), (), date(2026, 11, 21)).read("How many flights are there per city?")
    assert isinstance(outcome, Ambiguous)
    assert [text for text, _ in outcome.options[:2]] == [
        "Number of flights by origin airport city",
        "Number of flights by destination airport city",
    ]


def test_a_key_that_is_named_as_its_table_decides() -> None:
    films = RowTables(
        name="films",
        tables={
            "languages": [{"language_id": 1, "name": "Dutch"}, {"language_id": 2, "name": "Welsh"}],
            "films": [
                {"film_id": n, "title": f"F{n}", "language_id": 1, "original_language_id": 2} for n in range(1, 4)
            ],
        },
        parents=(
            Parent("films", "original_language_id", "languages", "language_id"),
            Parent("films", "language_id", "languages", "language_id"),
        ),
        types={},
    )
    reader = QuestionReader(films.catalog())
    assert "original" not in reader.read("number of films by language")[0].sql
    assert "original" in reader.read("number of films by original language")[0].sql


def test_an_alias_is_not_listed_among_the_tables() -> None:
    schema = Schema.of(STAFF.catalog())
    assert set(schema.tables) == {"offices", "employees"}
    assert {column.table for column in schema.typed} == {"offices", "employees"}
    assert schema.typed[Column("manager", "salary")] is schema.typed[Column("employees", "salary")]
