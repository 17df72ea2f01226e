"""No way round a mask: whatever a query calls a masked column, its values stay behind, and nothing tells them apart."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pytest
from rights_of_person import PERSON, person
from statements import golden

from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import QueryError, QueryRefused, SourceError
from assistant.query.cells import LiteralQuery
from assistant.query.mask_rules import find_masked_outputs
from assistant.query.masks import find_masks
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.sources.addresses import parse_addresses
from assistant.sources.broker import Broker
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.masked_source import MaskedSource
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

T = TypeVar("T")
SECRETS = ("ann@planted.example", "bob@planted.example")
MASK = ("customer.email",)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def written(path: Path) -> Path:
    """Customers with an address to hide, and what they ordered, as a file of the engine that its name ends in."""
    statements = (
        "CREATE TABLE customer (id INTEGER, name VARCHAR, email VARCHAR, city VARCHAR)",
        f"INSERT INTO customer VALUES (1, 'Ann', '{SECRETS[0]}', 'Rome'), (2, 'Bob', '{SECRETS[1]}', 'Oslo'),"
        " (3, 'Cy', NULL, 'Rome')",
        "CREATE TABLE sale (id INTEGER, customer_id INTEGER, amount INTEGER, email VARCHAR)",
        "INSERT INTO sale VALUES (1, 1, 10, 'shop'), (2, 2, 20, 'shop'), (3, 1, 30, 'web')",
        "CREATE VIEW contact AS SELECT id, email AS reach FROM customer",
    )
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as con, con:
            for statement in statements:
                con.execute(statement)
    else:
        with duckdb.connect(str(path)) as con:
            for statement in statements:
                con.execute(statement)
    return path


async def opened(path: Path, mask: tuple[str, ...] = MASK) -> Source:
    return await open_source(parse_addresses(str(path), PERSON)[0], folder=path.parent, mask=mask)


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The shop of one test."""
    return written(tmp_path / f"shop.{request.param}")


Answered = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def answered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """The rows that a query gives behind the mask, of a shop that is opened once: no query changes it."""
    path = written(tmp_path_factory.mktemp("shop") / f"shop.{request.param}")
    with asyncio.Runner() as runner:
        source = runner.run(opened(path))
        assert isinstance(source, MaskedSource)
        yield lambda sql: runner.run(source.run(sql)).table.to_pylist()
        runner.run(source.close())


VERDICTS = [(verdict, sql) for dialect, verdict, sql in golden("masks.sql") if dialect == "engines"]


@pytest.mark.parametrize("sql", [sql for verdict, sql in VERDICTS if verdict.startswith("pass")])
def test_a_masked_column_arrives_covered_under_any_name(answered: Answered, sql: str) -> None:
    rows = answered(sql)
    assert rows
    assert not any(secret in str(rows) for secret in SECRETS)
    assert "•••" in str(rows)


@pytest.mark.parametrize("sql", [sql for verdict, sql in VERDICTS if verdict.startswith("refuse")])
def test_whatever_would_tell_a_masked_value_is_refused(answered: Answered, sql: str) -> None:
    with pytest.raises(QueryRefused, match="mask"):
        answered(sql)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) AS n FROM customer", [{"n": 3}]),
        ("SELECT count(email) AS n FROM customer", [{"n": 2}]),
        ("SELECT count(DISTINCT email) AS n FROM customer", [{"n": 2}]),
        ("SELECT count(DISTINCT c.email) AS n, count(*) AS rows FROM customer AS c LIMIT 5", [{"n": 2, "rows": 3}]),
        ("SELECT name FROM customer WHERE email IS NULL", [{"name": "Cy"}]),
        ("SELECT city, count(email) AS n FROM customer GROUP BY city ORDER BY n, city", [{"city": "Oslo", "n": 1}]),
        ("SELECT email, sum(amount) AS n FROM sale WHERE email = 'web' GROUP BY email", [{"email": "web", "n": 30}]),
        ("SELECT email FROM customer WHERE id = 3", [{"email": None}]),
        (
            "SELECT c.name, sum(s.amount) AS n FROM sale s JOIN customer c ON c.id = s.customer_id"
            " GROUP BY c.name ORDER BY n DESC",
            [{"name": "Ann", "n": 40}],
        ),
        ("SELECT upper(name) AS name FROM customer WHERE id = 1", [{"name": "ANN"}]),
    ],
)
def test_an_honest_query_beside_a_masked_column_runs(answered: Answered, sql: str, rows: list[dict[str, Any]]) -> None:
    assert answered(sql)[: len(rows)] == rows


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "SELECT c FROM customer c"),
        ("postgres", "SELECT (c).email FROM customer c"),
        ("postgres", "SELECT email(c) FROM customer c"),
        ("postgres", "SELECT (c.*)::text FROM customer c"),
        ("postgres", "SELECT row_to_json(c) FROM customer c"),
        ("postgres", "SELECT array(SELECT email FROM customer)"),
        ("postgres", "SELECT array_agg(email) FROM customer"),
        ("postgres", "SELECT DISTINCT ON (email) name FROM customer"),
        ("postgres", "SELECT most_common_vals FROM pg_stats"),
        ("postgres", "SELECT most_common_vals FROM pg_catalog.pg_stats"),
        ("postgres", "SELECT email::int FROM customer"),
        ("postgres", "SELECT name FROM customer WHERE email ~ '^a'"),
        ("mysql", "SELECT name FROM customer WHERE email REGEXP '^a'"),
        ("mysql", "SELECT `email` + 0 FROM `customer`"),
        ("mysql", "SELECT histogram FROM information_schema.column_statistics"),
    ],
)
def test_what_only_a_server_understands_is_refused_too(dialect: str, sql: str) -> None:
    columns = tuple(Column(name=name, type="text", kind="text") for name in ("id", "name", "email"))
    catalog = Catalog(source="crm", dialect=dialect, tables=(Table(name="customer", columns=columns),))
    with pytest.raises(QueryRefused, match="mask"):
        find_masked_outputs(sql, dialect=dialect, catalog=catalog, masks=find_masks(MASK, catalog))


async def test_no_profile_holds_a_masked_value(shop: Path) -> None:
    source = await opened(shop)
    try:
        catalog = await source.catalog()
    finally:
        await source.close()
    table = catalog.table("customer")
    assert table is not None
    email = table.column("email")
    assert email is not None
    assert email.profile is not None
    assert (email.profile.distinct, email.profile.nulls) == (2, 1)
    told = str([t for t in catalog.tables if not t.is_view])
    assert not any(secret in told for secret in SECRETS)


async def test_no_profile_of_a_view_holds_a_value_that_is_masked_below_it(shop: Path) -> None:
    source = await opened(shop)
    try:
        told = str(await source.catalog())
        assert not any(secret in told for secret in SECRETS)
    finally:
        await source.close()


def test_the_labels_of_a_masked_enumeration_are_told_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "moods.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(f"CREATE TYPE mood AS ENUM ('{SECRETS[0]}', '{SECRETS[1]}')")
        con.execute("CREATE TABLE customer (id INTEGER, email mood)")

    async def work() -> None:
        source = await opened(path)
        catalog = await source.catalog()
        assert not any(secret in repr(catalog) for secret in SECRETS)
        for sql in (
            "SELECT 'zz'::mood AS x",
            "SELECT TRY_CAST('zz' AS mood) AS x",
            "SELECT id FROM customer WHERE id = 'z'::mood",
        ):
            with pytest.raises(QueryRefused, match="type mood"):
                await source.run(sql)
        assert (await source.run("SELECT '1'::INTEGER AS x")).table.to_pylist() == [{"x": 1}]
        await source.close()

    run(work())


def test_no_profile_of_an_index_over_texts_holds_a_value(tmp_path: Path) -> None:
    path = tmp_path / "texts.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE VIRTUAL TABLE customer USING fts5(email)")
        con.execute("CREATE VIRTUAL TABLE word USING fts5vocab(customer, row)")
        con.execute("INSERT INTO customer VALUES ('planted words')")

    async def work() -> None:
        source = await opened(path)
        assert "planted" not in repr(await source.catalog())
        await source.close()

    run(work())


async def test_a_view_can_be_read_once_its_own_columns_are_masked(shop: Path) -> None:
    source = await opened(shop, (*MASK, "contact.reach"))
    try:
        result = await source.run("SELECT * FROM contact WHERE id = 1")
        assert result.table.to_pylist() == [{"id": 1, "reach": "•••"}]
        assert [note.split(" is masked")[0] for note in source.notes] == ["customer.email", "contact.reach"]
    finally:
        await source.close()


def test_a_mask_that_names_nothing_is_an_error_and_not_a_silence(shop: Path) -> None:
    async def work(entry: str) -> None:
        with pytest.raises(SourceError, match="mask"):
            await opened(shop, (entry,))

    for entry in ("customer.e_mail", "shop.client.email", "shop.customer.e_mail"):
        run(work(entry))


async def test_masks_of_other_sources_leave_a_source_as_it_is(shop: Path) -> None:
    source = await opened(shop, ("crm.customer.email", "elsewhere.email"))
    try:
        assert (await source.run("SELECT max(email) AS e FROM customer")).table.to_pylist() == [{"e": SECRETS[1]}]
    finally:
        await source.close()


async def test_the_broker_writes_and_records_nothing_in_clear(shop: Path, tmp_path: Path) -> None:
    source = await opened(shop)
    folder = tmp_path / "data"
    folder.mkdir()
    broker = Broker({source.name: source}, folder=folder)
    asked, oracle = "SELECT * FROM customer", "SELECT name FROM customer WHERE email LIKE 'a%'"
    await broker.open_grant("e", [LiteralQuery(sql=asked), LiteralQuery(sql=oracle)])
    await broker.serve("e", {"sql": asked})
    with pytest.raises(QueryError, match="masked"):
        await broker.serve("e", {"sql": oracle})
    await broker.close_grant("e")
    await source.close()
    files = list(folder.iterdir())
    assert len(files) == 1
    for secret in SECRETS:
        assert secret.encode() not in files[0].read_bytes()


async def test_a_session_with_a_mask_opens_every_source_behind_it(shop: Path, tmp_path: Path) -> None:
    for again in (False, True):  # added, and opened anew from the session's folder
        sources = SessionSources(
            tmp_path / "session",
            catalogs=Catalogs(),
            loaded=tmp_path / "loaded",
            mask=MASK,
            credentials=Credentials(tmp_path),
            rights=person,
        )
        try:
            if not again:
                await sources.add(str(shop), PERSON)
            (source,) = await sources.sources()
            assert sources.opened[source.name] is source
            assert (await source.run("SELECT email FROM customer WHERE id = 1")).table["email"].to_pylist() == ["•••"]
            told = str(await sources.catalogs())
            assert not any(secret in told for secret in SECRETS)
        finally:
            await sources.close()
