"""Declared keys that the rows do not keep: doubted, said, and not used for joins until a person confirms them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import psycopg
import pytest
from mariadb_server import NoMariaDB
from mariadb_server import served as maria
from postgres import QUOTED, NoPostgres
from postgres import served as postgres
from rights_of_person import PERSON

from assistant.agents.model.source_descriptions import describe_table
from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Understood
from assistant.analyst.schema import Schema
from assistant.connections.describing import describe_tables
from assistant.core.catalog import Catalog, ForeignKey
from assistant.sources.addresses import addresses
from assistant.sources.catalog.corrections import corrected
from assistant.sources.catalog.declared import declared_doubts, doubt_by_profile
from assistant.sources.opening import open_source
from ui.screens import er_diagram

_TABLES = (
    "CREATE TABLE kinds (kind_id int PRIMARY KEY, label varchar(9))",
    "CREATE TABLE goods (good_id int PRIMARY KEY, kind_id int, price int{wrong})",
    "CREATE TABLE sales (sale_id int PRIMARY KEY, good_id int{right}, amount int)",
)
_WRONG = ", FOREIGN KEY (good_id) REFERENCES kinds (kind_id)"
_RIGHT = " REFERENCES goods (good_id)"


def _rows() -> Iterator[str]:
    yield "INSERT INTO kinds VALUES (1, 'Tea'), (2, 'Rice'), (3, 'Salt')"
    for good in range(1, 31):
        yield f"INSERT INTO goods VALUES ({good}, {good % 3 + 1}, {good})"
        yield f"INSERT INTO sales VALUES ({good}, {good}, {10 * good})"


def _sqlite(path: Path, statements: Sequence[str]) -> str:
    with closing(sqlite3.connect(path)) as con, con:
        for statement in statements:
            con.execute(statement)
    return str(path)


def _catalog(source: str, folder: Path) -> Catalog:
    async def work() -> Catalog:
        opened = await open_source(addresses(source, PERSON)[0], folder=folder)
        try:
            return await opened.catalog()
        finally:
            await opened.close()

    return asyncio.run(work())


@pytest.fixture
def shop(tmp_path: Path) -> Catalog:
    """SQLite, which checks no key: goods refer to kinds by the wrong column."""
    tables = [one.format(wrong=_WRONG, right=_RIGHT) for one in _TABLES]
    return _catalog(_sqlite(tmp_path / "shop.sqlite", [*tables, *_rows()]), tmp_path / "loaded")


def _keys(catalog: Catalog, table: str) -> list[ForeignKey]:
    found = catalog.table(table)
    assert found is not None
    return list(found.foreign_keys)


def test_a_key_that_rows_break_is_doubted_and_the_right_one_is_found(shop: Catalog) -> None:
    wrong, right = _keys(shop, "goods")
    assert (wrong.columns, wrong.doubt) == (("good_id",), "27 of 30 rows refer to no row of kinds")
    assert (right.columns, right.inferred, right.doubt) == (("kind_id",), True, "")
    assert _keys(shop, "sales")[0].doubt == ""


def test_tables_are_joined_by_the_key_that_holds(shop: Catalog) -> None:
    outcome = Analyst([shop], (), date(2026, 6, 1)).read("total amount by label")
    assert isinstance(outcome, Understood)
    sql = Analyst([shop], (), date(2026, 6, 1)).sql(outcome.meaning)
    assert '"goods"."kind_id" = "kinds"."kind_id"' in sql
    assert '"goods"."good_id" = "kinds"."kind_id"' not in sql


def test_it_is_said_to_people_and_to_models(shop: Catalog) -> None:
    (doubt,) = declared_doubts(shop.tables)
    assert (doubt.table, doubt.columns, doubt.rows, doubt.share) == ("goods", ("good_id",), 27, 27 / 30)
    assert doubt.sentence.startswith(
        "goods.good_id is declared to refer to kinds.kind_id, but 27 of 30 rows refer to no row"
    )
    goods = shop.table("goods")
    assert goods is not None
    assert "declared, but 27 of 30 rows refer to no row of kinds; do not join on it" in describe_table(
        goods, source="shop", sees="rows"
    )
    shown = describe_tables(shop, {})
    assert "style=dotted" in er_diagram.build_dot(shown, theme="light")
    assert any("not used" in line for line in er_diagram.describe_keys(shown).splitlines())


def test_a_person_confirms_it_by_the_role_of_its_column(shop: Catalog) -> None:
    confirmed = corrected(shop, {"shop.goods.good_id": "key"})
    assert declared_doubts(confirmed.tables) == ()
    assert any(
        link.table == "kinds" and link.start[0].name == "good_id" for link in Schema.of(confirmed).links["goods"]
    )


def test_few_orphans_leave_a_key_as_it_is(tmp_path: Path) -> None:
    tables = [one.format(wrong="", right=_RIGHT) for one in _TABLES]
    orphan = "INSERT INTO sales VALUES (99, 99, 5)"
    catalog = _catalog(_sqlite(tmp_path / "shop.sqlite", [*tables, *_rows(), orphan]), tmp_path / "loaded")
    assert [key.doubt for key in _keys(catalog, "sales")] == [""]


def test_a_key_to_rows_that_repeat_it_or_of_another_type_is_doubted(tmp_path: Path) -> None:
    statements = (
        "CREATE TABLE rates (currency TEXT, day TEXT, rate REAL)",
        "INSERT INTO rates VALUES ('EUR', '2024-01-01', 1.1), ('EUR', '2024-01-02', 1.2), ('USD', '2024-01-01', 1)",
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, currency TEXT REFERENCES rates (currency), place INTEGER,"
        " FOREIGN KEY (place) REFERENCES places (code))",
        "INSERT INTO bills VALUES (1, 'EUR', 1), (2, 'USD', 2), (3, 'EUR', 3)",
        "CREATE TABLE places (code TEXT PRIMARY KEY)",
        "INSERT INTO places VALUES ('North'), ('South')",
    )
    catalog = _catalog(_sqlite(tmp_path / "shop.sqlite", statements), tmp_path / "loaded")
    doubts = {key.columns: key.doubt for key in _keys(catalog, "bills")}
    assert doubts["currency",].startswith("1 value stands on several rows of rates")
    assert doubts["place",] == "place holds integer values and code text values"


def test_keys_of_several_columns_are_tested(tmp_path: Path) -> None:
    rows = ", ".join(f"({n}, {n % 2}, {n})" for n in range(1, 21))
    statements = (
        "CREATE TABLE shelves (hall INTEGER, shelf INTEGER, PRIMARY KEY (hall, shelf))",
        "INSERT INTO shelves VALUES " + ", ".join(f"({n % 2}, {n})" for n in range(1, 21)),
        "CREATE TABLE right_items (id INTEGER, hall INTEGER, shelf INTEGER,"
        " FOREIGN KEY (hall, shelf) REFERENCES shelves (hall, shelf))",
        f"INSERT INTO right_items VALUES {rows}",
        "CREATE TABLE wrong_items (id INTEGER, hall INTEGER, shelf INTEGER,"
        " FOREIGN KEY (shelf, hall) REFERENCES shelves (hall, shelf))",
        f"INSERT INTO wrong_items VALUES {rows}",
    )
    catalog = _catalog(_sqlite(tmp_path / "shop.sqlite", statements), tmp_path / "loaded")
    assert _keys(catalog, "right_items")[0].doubt == ""
    assert "refer to no row of shelves" in _keys(catalog, "wrong_items")[0].doubt


def test_postgres_keys_that_were_never_validated_are_tested(tmp_path: Path) -> None:
    tables = [one.format(wrong="", right=_RIGHT) for one in _TABLES]
    wrong = "ALTER TABLE goods ADD FOREIGN KEY (good_id) REFERENCES kinds (kind_id) NOT VALID"
    try:
        with postgres() as at, psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
            for statement in (*tables, *_rows(), wrong):
                con.execute(statement.encode())
            catalog = _catalog(f"shop=postgresql://owner:{QUOTED}@{at}", tmp_path / "loaded")
    except NoPostgres as problem:
        pytest.skip(str(problem))
    assert [key.doubt for key in _keys(catalog, "goods")] == ["27 of 30 rows refer to no row of kinds", ""]
    assert [key.doubt for key in _keys(catalog, "sales")] == [""]


def test_mysql_keys_that_were_loaded_without_checks_are_tested(tmp_path: Path) -> None:
    tables = [one.format(wrong=_WRONG, right="") for one in _TABLES]
    statements = ("CREATE DATABASE shop", "USE shop", "SET foreign_key_checks = 0", *tables, *_rows())
    reader = ("CREATE USER reader@'%' IDENTIFIED BY 'reads-here'", "GRANT SELECT ON shop.* TO reader@'%'")
    try:
        with maria((*statements, *reader)) as at:
            catalog = _catalog(f"mysql://reader:reads-here@{at}/shop", tmp_path / "loaded")
    except NoMariaDB as problem:
        pytest.skip(str(problem))
    assert [key.doubt for key in _keys(catalog, "goods")] == ["27 of 30 rows refer to no row of kinds", ""]


def test_a_primary_key_that_repeats_identifies_no_row(shop: Catalog) -> None:
    goods = shop.table("goods")
    assert goods is not None
    assert doubt_by_profile(goods, ("kind_id",)) == "27 rows of goods repeat a kind_id of another row"
    assert doubt_by_profile(goods, ("good_id",)) == ""
    told = replace(shop, tables=tuple(replace(t, primary_key=("kind_id",)) if t is goods else t for t in shop.tables))
    back = [link for link in Schema.of(told).links["kinds"] if link.table == "goods"]
    assert [link.cardinality for link in back] == ["many"]
