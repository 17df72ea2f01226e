"""One meaning in every dialect: DuckDB gives what SQLite gives, the others parse; names and values never break out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime

import duckdb
import pytest
import sqlglot

from assistant.data.catalog import Catalog, Column, Profile, Table
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood

TODAY = date(2026, 11, 21)
QUESTIONS = [
    "How many customers per country?",
    "average age of customers from France or Spain",
    "freight per month in 2025",
    "How many orders per quarter since January 2025?",
    "orders per week in 2026",
    "orders per year",
    "number of orders per day in October 2026",
    "top 3 products by quantity",
    "the 3 cheapest products",
    "products more expensive than average",
    'products whose name contains "lamp"',
    "customers without orders",
    "how many customers have more than 8 orders",
    "how many customers ordered in 2026",
    "How many products are there per tag?",
    "share of customers by region",
    "What percentage of orders were cancelled?",
    "how many active customers are there",
    "Which region has the most customers?",
]


def _in_dialect(catalog: Catalog, dialect: str) -> Catalog:
    """The same catalog as an engine with real dates would give it."""
    tables = tuple(
        replace(t, columns=tuple(replace(c, stored_as_text=False) for c in t.columns)) for t in catalog.tables
    )
    return replace(catalog, dialect=dialect, tables=tables)


@pytest.fixture(scope="module")
def duck(shop_file):
    con = duckdb.connect()
    with closing(sqlite3.connect(shop_file)) as shop:
        for (statement,) in shop.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall():
            name = statement.split()[2]
            con.execute(statement)
            rows = shop.execute(f"SELECT * FROM {name}").fetchall()
            con.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    yield con
    con.close()


def _plain(rows):
    def value(v):
        if isinstance(v, date | datetime):
            return v.isoformat()[:10]
        return f"{v:.6g}" if isinstance(v, int | float) else str(v)

    return sorted(tuple(value(v) for v in row) for row in rows)


@pytest.mark.parametrize("question", QUESTIONS)
def test_duckdb_gives_what_sqlite_gives(question, catalog, plain, understood, shop, duck):
    other = Analyst([_in_dialect(catalog, "duckdb")], (), TODAY)
    ours = shop.execute(plain.sql(understood(plain, question).meaning)).fetchall()
    sql = other.sql(understood(other, question).meaning)
    assert _plain(duck.execute(sql).fetchall()) == _plain(ours), sql


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_sql_is_one_select_in_its_dialect(question, dialect, catalog, understood):
    analyst = Analyst([_in_dialect(catalog, dialect)], (), TODAY)
    statements = sqlglot.parse(analyst.sql(understood(analyst, question).meaning), read=dialect)
    assert [type(s).__name__ for s in statements] == ["Select"]


def test_same_meaning_gives_the_same_text(plain, understood):
    meaning = understood(plain, "top 3 products by quantity").meaning
    assert len({plain.sql(meaning) for _ in range(3)}) == 1


def test_missing_values_never_come_first_in_a_ranking(tmp_path):
    analyst, con = _single(tmp_path, "CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT, weight REAL)",
                           [(1, "a", None), (2, "b", 3.0), (3, "c", 1.0)])  # fmt: skip
    outcome = analyst.read("Which box has the lowest weight?")
    assert isinstance(outcome, Understood)
    with closing(con):
        assert con.execute(analyst.sql(outcome.meaning)).fetchall() == [("c", 1.0)]


def test_hostile_names_and_values_stay_data(tmp_path):
    name = 'odd "table"; DROP TABLE x; --'
    quoted = '"' + name.replace('"', '""') + '"'
    con = sqlite3.connect(tmp_path / "odd.sqlite")
    con.execute(f'CREATE TABLE {quoted} (id INTEGER PRIMARY KEY, "select" TEXT)')
    con.execute(f"INSERT INTO {quoted} VALUES (1, 'O''Brien; DROP')")
    con.commit()
    columns = (
        Column(name="id", type="INTEGER", kind="integer", profile=Profile(distinct=1, nulls=0, low=1, high=1)),
        Column(
            name="select", type="TEXT", kind="text", profile=Profile(distinct=1, nulls=0, values=("O'Brien; DROP",))
        ),
    )
    table = Table(name=name, columns=columns, primary_key=("id",), rows=1)
    analyst = Analyst([Catalog(source="odd", dialect="sqlite", tables=(table,))], (), TODAY)
    outcome = analyst.read('how many odd table drop table x with "O\'Brien; DROP"')
    with closing(con):
        if isinstance(outcome, Understood):
            assert con.execute(analyst.sql(outcome.meaning)).fetchall() == [(1,)]
        assert con.execute(f"SELECT COUNT(*) FROM {quoted}").fetchone() == (1,)


def _single(tmp_path, create, rows):
    con = sqlite3.connect(tmp_path / "one.sqlite")
    con.execute(create)
    con.executemany(f"INSERT INTO boxes VALUES ({', '.join('?' * len(rows[0]))})", rows)
    con.commit()
    columns = (
        Column(
            name="id",
            type="INTEGER",
            kind="integer",
            nullable=False,
            profile=Profile(distinct=3, nulls=0, low=1, high=3),
        ),
        Column(name="name", type="TEXT", kind="text", profile=Profile(distinct=3, nulls=0, values=("a", "b", "c"))),
        Column(name="weight", type="REAL", kind="number", profile=Profile(distinct=2, nulls=1, low=1.0, high=3.0)),
    )
    table = Table(name="boxes", columns=columns, primary_key=("id",), rows=3)
    return Analyst([Catalog(source="one", dialect="sqlite", tables=(table,))], (), TODAY), con
