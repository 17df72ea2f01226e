"""Tables outside the default schema, tables of one name in two schemas, and engines that cannot run a query."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import duckdb
import psycopg
import pytest
from mariadb_server import NoMariaDB
from mariadb_server import served as maria
from postgres import QUOTED, NoPostgres
from postgres import served as postgres
from rights_of_person import PERSON

from assistant.agents.model.source_descriptions import describe_overview, describe_table, find_table
from assistant.bootstrap import open_workspace
from assistant.core.catalog import Catalog
from assistant.core.events import Answer, Clarification, Event, Execution, Plan, Proposal
from assistant.semantics.compiling import compile_step
from assistant.semantics.drafting import draft_model
from assistant.semantics.steps import MetricStep
from assistant.settings.settings import Settings
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

_SALES = (
    "CREATE SCHEMA sales",
    "CREATE TABLE sales.customers (id int PRIMARY KEY, country varchar(2))",
    "CREATE TABLE sales.orders (id int PRIMARY KEY, customer_id int REFERENCES sales.customers (id),"
    " state varchar(9), amount decimal(12, 2))",
    "INSERT INTO sales.customers VALUES (1, 'DE'), (2, 'FR')",
    "INSERT INTO sales.orders VALUES (1, 1, 'paid', 100.10), (2, 1, 'sent', 200.20), (3, 2, 'new', 300.30),"
    " (4, 2, 'paid', 400.40)",
)
_ODD = (
    'CREATE SCHEMA "Odd Schema.x"',
    'CREATE TABLE "Odd Schema.x"."Group" ("Order" varchar(9), "größe" int)',
    """INSERT INTO "Odd Schema.x"."Group" VALUES ('a', 1), ('b', 2), ('b', 5)""",
)
_ARCHIVE = (
    "CREATE SCHEMA archive",
    "CREATE TABLE archive.orders (id int PRIMARY KEY, state varchar(9), amount decimal(12, 2))",
    "INSERT INTO archive.orders VALUES (1, 'old', 5), (2, 'old', 6)",
)


def _duckdb(path: Path, statements: Sequence[str]) -> str:
    with closing(duckdb.connect(str(path))) as con:
        for statement in statements:
            con.execute(statement)
    return str(path)


def _asked(home: Path, source: str, *questions: str) -> list[tuple[Event, Sequence[Event]]]:
    """What ended each question's turn, and all its events."""
    found: list[tuple[Event, Sequence[Event]]] = []

    async def work() -> None:
        async with open_workspace(Settings(home=home, sources=(source,), embeddings="hashing")) as workspace:
            for question in questions:
                session = await workspace.create()
                await session.ask(question, approve=("plan", "query"))
                await session.settled()
                log = [entry.event for entry in session.events()]
                found.append((log[-1], log))

    asyncio.run(work())
    return found


def _answer(turn: tuple[Event, Sequence[Event]]) -> tuple[str, str]:
    """The answer in words, and the code that gave it."""
    last, log = turn
    assert isinstance(last, Answer), last
    assert last.status == "answered", last
    return last.text, next(event.code for event in log if isinstance(event, Proposal))


def _catalog(source: str, folder: Path) -> Catalog:
    async def work() -> Catalog:
        opened = await open_source(parse_addresses(source, PERSON)[0], folder=folder)
        try:
            return await opened.catalog()
        finally:
            await opened.close()

    return asyncio.run(work())


@pytest.fixture(params=["duckdb", "postgres"])
def sales(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A source whose tables are in schemas other than the default one."""
    if request.param == "duckdb":
        yield _duckdb(tmp_path / "shop.duckdb", (*_SALES, *_ODD))
        return
    try:
        with postgres() as at, psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
            for statement in (*_SALES, *_ODD):
                con.execute(statement.encode())
            yield f"shop=postgresql://owner:{QUOTED}@{at}"
    except NoPostgres as problem:
        pytest.skip(str(problem))


@pytest.mark.slow
def test_a_question_names_the_schema_of_its_tables(sales: str, tmp_path: Path) -> None:
    states, countries, odd = _asked(
        tmp_path / "home",
        sales,
        "how many orders by state",
        "total amount by country",
        "total größe of group",
    )
    assert "**paid** is highest (2)" in _answer(states)[0]
    assert 'FROM "sales"."orders"' in _answer(states)[1]
    assert "**FR** is highest (700.70)" in _answer(countries)[0]
    assert 'JOIN "sales"."customers"' in _answer(countries)[1]
    assert "**8**" in _answer(odd)[0]
    assert 'FROM "Odd Schema.x"."Group"' in _answer(odd)[1]


async def test_a_model_is_told_names_that_run(sales: str, tmp_path: Path) -> None:
    source = await open_source(parse_addresses(sales, PERSON)[0], folder=tmp_path / "loaded")
    try:
        catalog = await source.catalog()
        for name in ("sales.orders", '"sales"."orders"', "shop.sales.orders", "orders"):
            found = find_table([catalog], name)
            assert found is not None, name
            assert found[1].name == "orders"
        place = {t.name: describe_table(t, source="shop", sees="rows").splitlines()[0] for t in catalog.tables}
        assert place["orders"].startswith("Table sales.orders of")
        assert place["Group"].startswith('Table "Odd Schema.x"."Group" of')
        assert "customer_id -> sales.customers" in describe_overview([catalog], tokens_max=1_000)
        for named in ("sales.orders", '"Odd Schema.x"."Group"'):
            assert (await source.run(f"SELECT count(*) AS n FROM {named}")).table.to_pylist()[0]["n"]
    finally:
        await source.close()


def test_tables_of_one_name_are_told_apart(tmp_path: Path) -> None:
    source = _duckdb(tmp_path / "shop.duckdb", (*_SALES, *_ARCHIVE))
    asked, old, new = _asked(
        tmp_path / "home",
        source,
        "how many orders by state",
        "how many archive orders by state",
        "how many sales orders by state",
    )
    assert isinstance(asked[0], Clarification)
    assert set(asked[0].options) == {"Number of sales.orders by state", "Number of archive.orders by state"}
    assert 'FROM "archive"."orders"' in _answer(old)[1]
    assert "**old**" in _answer(old)[0]
    assert 'FROM "sales"."orders"' in _answer(new)[1]
    assert next(event.tables for event in new[1] if isinstance(event, Plan)) == ("sales.orders",)


def test_the_default_schemas_table_keeps_its_plain_name(tmp_path: Path) -> None:
    plain = ("CREATE TABLE orders (id int, state varchar)", "INSERT INTO orders VALUES (1, 'open'), (2, 'open')")
    source = _duckdb(tmp_path / "shop.duckdb", (*plain, *_ARCHIVE))
    here, old = _asked(tmp_path / "home", source, "how many orders by state", "how many archive orders by state")
    assert "**open**" in _answer(here)[0]
    assert 'FROM "orders"' in _answer(here)[1]
    (notes,) = (event.notes for event in here[1] if isinstance(event, Answer))
    assert "orders is the one of the default schema; archive.orders has the same name." in notes
    assert 'FROM "archive"."orders"' in _answer(old)[1]


def test_a_semantic_model_reaches_both_tables_of_one_name(tmp_path: Path) -> None:
    source = _duckdb(tmp_path / "shop.duckdb", (*_SALES, *_ARCHIVE))
    catalog = _catalog(source, tmp_path / "loaded")
    model = draft_model(catalog)
    for dataset, schema in (("archive_orders", "archive"), ("sales_orders", "sales")):
        step = MetricStep(metrics=(f"total_{dataset}_amount",), dimensions=(f"{dataset}.state",))
        sql = compile_step(step, model, catalog).sql
        assert f'"{schema}"."orders"' in sql
        with closing(duckdb.connect(source, read_only=True)) as con:
            assert len(con.execute(sql).fetchall()) == (1 if schema == "archive" else 3)


def test_an_engines_error_is_shown_as_that(tmp_path: Path) -> None:
    try:
        with postgres() as at, psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
            con.execute("CREATE TABLE salary (id int PRIMARY KEY, wage int)")
            con.execute("CREATE TABLE parcel (id int PRIMARY KEY, carrier text)")
            con.execute("INSERT INTO parcel VALUES (1, 'DHL')")
            con.execute("CREATE ROLE reader LOGIN PASSWORD 'reads-here'; GRANT SELECT ON parcel TO reader")
            source = f"postgresql://reader:reads-here@{at}"
            (_, log), parcels = _asked(tmp_path / "home", source, "total wage of salary", "how many parcels")
    except NoPostgres as problem:
        pytest.skip(str(problem))
    words = " ".join(event.model_dump_json() for event in log)
    assert "permission denied for table salary" in words
    assert "could not read that as a question" not in words
    assert "reads-here" not in words
    assert not any(isinstance(event, Execution) and event.status == "ok" for event in log)
    assert "**1**" in _answer(parcels)[0]


def test_a_view_that_the_login_may_not_see_is_left_out_and_said(tmp_path: Path) -> None:
    statements = (
        "CREATE DATABASE shop",
        "CREATE DATABASE other",
        "USE shop",
        "CREATE TABLE film (id int PRIMARY KEY, title varchar(80))",
        "INSERT INTO film VALUES (1, 'Ash')",
        "CREATE VIEW recent AS SELECT title FROM film",
        "CREATE TABLE other.visit (id int PRIMARY KEY, pages int)",
        "INSERT INTO other.visit VALUES (1, 3), (2, 4)",
        "CREATE USER reader@'%' IDENTIFIED BY 'reads-here'",
        "GRANT SELECT ON shop.* TO reader@'%'",
        "GRANT SELECT ON other.* TO reader@'%'",
    )
    try:
        with maria(statements) as at:
            (films,) = _asked(tmp_path / "home", f"mysql://reader:reads-here@{at}/shop", "how many films")
            catalog = _catalog(f"mysql://reader:reads-here@{at}/shop", tmp_path / "loaded")
            (pages,) = _asked(tmp_path / "all", f"all=mysql://reader:reads-here@{at}", "total pages of visits")
    except NoMariaDB as problem:
        pytest.skip(str(problem))
    assert "**1**" in _answer(films)[0]
    assert [table.name for table in catalog.tables] == ["film"]
    (doubt,) = catalog.doubts
    assert doubt.kind == "not_read"
    assert doubt.sentence.startswith("recent is left out: ")
    assert "SHOW VIEW" in doubt.sentence
    assert "**7**" in _answer(pages)[0]
    assert "FROM `other`.`visit`" in _answer(pages)[1]
