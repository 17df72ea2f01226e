"""What shows a masked column is masked with it, and what cannot be seen through is refused: on the engines themselves."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from itertools import product
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.core.catalog import UNREAD, Catalog, Column, Table
from assistant.core.data_errors import QueryError, QueryRefused
from assistant.query.functions import AllowedFunctions
from assistant.query.guard import check
from assistant.query.mask_inheritance import inherit_masks
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

MARKER = "planted.secret"
SCRIPT = f"""
    CREATE TABLE customer (
        id INTEGER, name VARCHAR, email VARCHAR,
        login VARCHAR GENERATED ALWAYS AS (lower(email)) VIRTUAL,
        short VARCHAR GENERATED ALWAYS AS (substr(login, 1, 30)) VIRTUAL,
        loud VARCHAR GENERATED ALWAYS AS (upper(name)) VIRTUAL
    );
    INSERT INTO customer (id, name, email) VALUES (1, 'Ann', 'Ann@{MARKER}.example'), (2, 'Bob', 'bob@{MARKER}.example');
    CREATE TABLE sale (id INTEGER, customer_id INTEGER, amount INTEGER);
    INSERT INTO sale VALUES (1, 1, 10), (2, 2, 20);
    CREATE VIEW contact AS SELECT id, email AS reach FROM customer;
    CREATE VIEW again AS SELECT c.reach AS once_more, c.id FROM contact AS c;
    CREATE VIEW people AS SELECT id, name FROM customer;
    CREATE VIEW shouted AS SELECT id, upper(email) AS loud_mail FROM customer;
    CREATE VIEW chosen AS SELECT id FROM customer WHERE email LIKE 'ann%';
"""
MACROS = """
    CREATE MACRO leak() AS (SELECT max(email) FROM customer);
    CREATE MACRO leaks() AS TABLE SELECT email FROM customer;
    CREATE MACRO net(x) AS x * 0.8;
    CREATE MACRO upper(x) AS (SELECT max(email) FROM customer);
"""
ORIGINS = {
    "customer": ("email", "login", "short"),
    "contact": ("reach",),
    "again": ("once_more",),
    "shouted": ("loud_mail",),
    "(SELECT * FROM customer)": ("email", "login"),
    "(SELECT * FROM contact)": ("reach",),
    "customer NATURAL JOIN contact": ("email", "reach"),
}
EXPRESSIONS = (
    "{c}", "t.{c}", "*", "t.*", "t", "{c} || ''", "max({c})", "substr({c}, 1, 20)", "(SELECT {c})", "[{c}]", "CAST(t AS VARCHAR)",
    "group_concat({c})", "json_object('a', {c})", "to_json(t)", "{c}.upper()", "coalesce({c}, 'x')", "leak()", "upper('x')",
    "CASE WHEN {c} > 'a' THEN {c} END", "first_value({c}) OVER ()", "count(*) FILTER (WHERE {c} LIKE 'ann%')",
)  # fmt: skip
SHAPES = (
    "SELECT {e} AS x FROM {o} AS t",
    "WITH w AS (SELECT * FROM {o} AS t) SELECT {e} AS x FROM w AS t",
    "SELECT x FROM (SELECT {e} AS x FROM {o} AS t) AS s",
    "SELECT DISTINCT {e} AS x FROM {o} AS t ORDER BY 1",
    "SELECT s.id, {e} AS x FROM sale AS s JOIN {o} AS t ON s.id = t.id",
    "SELECT s.id, (SELECT max({e}) FROM {o} AS t WHERE t.id = s.id) AS x FROM sale AS s",
    "SELECT id FROM sale UNION ALL SELECT {e} FROM {o} AS t",
    "SELECT {e} AS x FROM {o} AS t GROUP BY ALL",
    "SELECT x FROM sale, LATERAL (SELECT {e} AS x FROM {o} AS t) AS l",
    "EXPLAIN SELECT {e} FROM {o} AS t WHERE t.id = 1",
)
STRAIGHT = (
    "SELECT * FROM leaks()", "SELECT leak()", "FROM customer", "SUMMARIZE customer", "TABLE customer", "DESCRIBE contact",
    "SELECT * FROM pragma_storage_info('customer')", "SELECT stats(email) FROM customer", "SELECT * FROM query_table('customer')",
    "SELECT * FROM customer AS t(a, b, c, d, e, f)", "PIVOT customer ON email USING count(*)", "UNPIVOT customer ON email",
    "SELECT COLUMNS('e.*') FROM customer", "SELECT unnest(list(email)) FROM customer", "SELECT * FROM sqlite_master",
    "SELECT histogram(email) FROM customer", "SELECT * FROM duckdb_columns()", "SELECT upper('a')", "SELECT 'a'.upper()",
    "SELECT * FROM (VALUES (1)) AS v, customer", "SELECT sale.id FROM sale ORDER BY (SELECT max(email) FROM customer)",
)  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database whose customers have an address to hide."""
    path = tmp_path_factory.mktemp("shop") / f"shop.{request.param}"
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as con, con:
            con.executescript(SCRIPT + "CREATE VIRTUAL TABLE sought USING fts5(email, content='customer');")
            con.execute("INSERT INTO sought (sought) VALUES ('rebuild')")
    else:
        with duckdb.connect(str(path)) as con:
            con.execute(SCRIPT + MACROS)
    return path


def answers(path: Path, queries: list[str], functions: AllowedFunctions | None = None) -> dict[str, str]:
    """What each query gives behind guard and mask, as text; why not, where it gives nothing."""

    async def work() -> dict[str, str]:
        allowed = functions or AllowedFunctions()
        source = await open_source(
            parse_addresses(str(path), PERSON)[0], folder=path.parent, mask=("customer.email",), functions=allowed
        )
        given: dict[str, str] = {}
        for sql in queries:
            refusal = check(sql, dialect=source.dialect, functions=source.functions)
            try:
                given[sql] = refusal.message if refusal else repr((await source.run(sql)).table.to_pylist())
            except QueryError as refused:
                given[sql] = f"{type(refused).__name__}: {refused}"
        await source.close()
        return given

    return asyncio.run(work())


@pytest.mark.slow
def test_no_shape_of_a_query_gives_a_value_of_a_masked_column(shop: Path) -> None:
    every = [
        shape.format(e=expression.format(c=column), o=origin)
        for (origin, columns), expression, shape in product(ORIGINS.items(), EXPRESSIONS, SHAPES)
        for column in columns
    ]
    queries = every[::3]  # each expression and each shape on each table, not all of them together
    given = answers(shop, list(dict.fromkeys((*queries, *STRAIGHT))))
    assert len(given) > 500
    assert not [sql for sql, text in given.items() if MARKER in text.lower()]
    assert sum("•••" in text for text in given.values()) > 10


def test_what_shows_a_masked_column_arrives_covered_and_the_rest_as_it_is(shop: Path) -> None:
    covered = ("SELECT reach FROM contact", "SELECT once_more FROM again", "SELECT login, short FROM customer")
    plain = {
        "SELECT loud FROM customer ORDER BY id": "ANN",
        "SELECT name FROM people": "Bob",
        "SELECT amount FROM sale": "20",
    }
    if shop.suffix == ".duckdb":  # there `loud` is computed by a macro of the database's own
        plain.pop("SELECT loud FROM customer ORDER BY id")
    given = answers(shop, [*covered, *plain])
    assert all("•••" in given[sql] for sql in covered), given
    assert all(text in given[sql] for sql, text in plain.items()), given


def test_a_view_that_computes_or_compares_is_refused_in_words(shop: Path) -> None:
    for sql, text in answers(shop, ["SELECT id FROM shouted", "SELECT id FROM chosen"]).items():
        assert text.startswith("QueryRefused: This source has masked columns"), sql
        assert "is a view" in text


def test_an_index_over_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(SCRIPT + "CREATE VIRTUAL TABLE sought USING fts5(email, content='customer');")
        con.execute("INSERT INTO sought (sought) VALUES ('rebuild')")
    (text,) = answers(path, ["SELECT * FROM sought"]).values()
    assert "those of something else" in text


def test_a_macro_runs_only_where_a_person_allows_it_and_not_beside_a_mask(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(SCRIPT + MACROS)
    calls = ["SELECT net(10) AS x", "SELECT leak() AS x"]
    assert all("not one of the database's own" in text for text in answers(path, calls).values())
    named = answers(path, calls, AllowedFunctions.of(["net", "leak"], ()))
    assert all("may read any table" in text for text in named.values()), named
    tableless = answers(path, calls, AllowedFunctions.of((), ["net()"]))
    assert "8.0" in tableless["SELECT net(10) AS x"]


def test_a_macro_with_the_name_of_a_function_is_refused_without_any_mask(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(SCRIPT + MACROS)

    async def work() -> None:
        source = await open_source(parse_addresses(str(path), PERSON)[0], folder=tmp_path)
        for sql in ("SELECT upper('x')", "SELECT pg_catalog.upper('x')", "SELECT 'x'.upper()", "SELECT Upper ('x')"):
            with pytest.raises(QueryRefused, match="somebody made a function of their own"):
                await source.run(sql)
        assert (await source.run("SELECT lower('X') AS x")).table.to_pylist() == [{"x": "x"}]
        await source.close()

    asyncio.run(work())


def catalog(*columns: Column, views: dict[str, str] | None = None, routines: tuple[str, ...] = ()) -> Catalog:
    email = Column(name="email", type="text", kind="text")
    tables = [Table(name="customer", columns=(email, *columns))]
    for name, sql in (views or {}).items():
        tables.append(Table(name=name, columns=(Column(name="a", type="", kind="text"),), is_view=True, definition=sql))
    return Catalog(source="shop", dialect="postgres", tables=tuple(tables), routines=routines)


MASKS = {"customer": frozenset({"email"})}


@pytest.mark.parametrize(
    ("expression", "masked"),
    [
        ("lower(email)", True),
        ("lower(name)", False),
        ("net(name)", True),
        ("public.lower(name)", True),
        (UNREAD, True),
        ("((", True),
        ("'email'", False),
    ],
)
def test_a_computed_column_inherits_where_it_may_show_a_masked_one(expression: str, masked: bool) -> None:
    column = Column(name="made", type="text", kind="text", computed=expression)
    assert ("made" in inherit_masks(MASKS, catalog(column)).masks["customer"]) is masked


def test_a_view_that_calls_what_people_made_is_not_seen_through() -> None:
    views = {"v": "SELECT lower('x') AS a", "w": "SELECT net(1) AS a", "x": "SELECT 1 AS a FROM v", "y": ""}
    assert inherit_masks(MASKS, catalog(views=views)).clear == {"v", "x"}
    assert inherit_masks(MASKS, catalog(views=views, routines=("lower",))).clear == frozenset()


def test_a_table_and_its_partitions_inherit_from_each_other() -> None:
    email = (Column(name="email", type="text", kind="text"),)
    tables = tuple(
        Table(name=name, columns=email, part_of=whole)
        for name, whole in (("all", None), ("year", "all"), ("month", "year"), ("other", "all"))
    )
    found = inherit_masks({"month": frozenset({"email"})}, Catalog(source="s", dialect="postgres", tables=tables)).masks
    assert set(found) == {"all", "year", "month", "other"}


def test_nothing_masked_leaves_nothing_inherited() -> None:
    assert inherit_masks({}, catalog()).masks == {}
