"""People's own functions, operators, types, views and computed columns on real servers: none gives a masked value."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import psycopg
import pytest
from mariadb_server import NoMariaDB
from mariadb_server import served as mariadb_served
from postgres import QUOTED, NoPostgres, served
from rights_of_person import PERSON

from assistant.core.data_errors import QueryError, QueryRefused
from assistant.query.functions import AllowedFunctions
from assistant.query.guard import check
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

pytestmark = pytest.mark.server

MARKER = "planted.secret"
MASK = ("customer.email",)
POSTGRES = f"""
    CREATE TABLE customer (id int, name varchar, email varchar,
        login text GENERATED ALWAYS AS (lower(email)) STORED, short text GENERATED ALWAYS AS (name || '!') STORED);
    INSERT INTO customer (id, name, email) VALUES (1, 'Ann', 'Ann@{MARKER}.example'), (2, 'Bob', 'bob@{MARKER}.example');
    CREATE TABLE sale (id int, customer_id int, amount int, note varchar);
    INSERT INTO sale VALUES (1, 1, 10, 'a'), (2, 2, 20, 'b');
    CREATE TABLE former (CHECK (id > 0)) INHERITS (customer);
    CREATE TABLE visit (id int, email text) PARTITION BY RANGE (id);
    CREATE TABLE visit_one PARTITION OF visit FOR VALUES FROM (1) TO (10);
    INSERT INTO visit VALUES (1, 'v@{MARKER}.example');
    CREATE VIEW contact AS SELECT id, email AS reach FROM customer;
    CREATE VIEW again (number, once_more) AS SELECT c.id, c.reach FROM contact c;
    CREATE VIEW people AS SELECT id, name FROM customer;
    CREATE VIEW shouted AS SELECT id, upper(email) AS loud FROM customer;
    CREATE VIEW whole AS SELECT id, c AS row FROM customer c;
    CREATE MATERIALIZED VIEW copied AS SELECT id, email AS reach FROM customer;
    CREATE FUNCTION leak() RETURNS SETOF text LANGUAGE sql AS 'SELECT email FROM customer';
    CREATE FUNCTION leak_of(sale) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE FUNCTION amount_of(sale) RETURNS int LANGUAGE sql AS 'SELECT $1.amount';
    CREATE FUNCTION upper(varchar) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE FUNCTION abs(smallint, text) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE FUNCTION net(int) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 0.8';
    CREATE FUNCTION tell(int, int) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE FUNCTION tell(text, text) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE OPERATOR |+| (LEFTARG = int, RIGHTARG = int, FUNCTION = tell);
    CREATE OPERATOR + (LEFTARG = text, RIGHTARG = text, FUNCTION = tell);
    CREATE FUNCTION fail(text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '%', (SELECT max(email) FROM public.customer); END $$;
    CREATE DOMAIN telling AS text CHECK (fail(VALUE));
    CREATE TYPE pair AS (a int, b text);
    CREATE FUNCTION pair_of(int) RETURNS pair LANGUAGE sql AS 'SELECT 1, max(email)::text FROM customer';
    CREATE CAST (int AS pair) WITH FUNCTION pair_of(int);
    CREATE FUNCTION gather(text, int) RETURNS text LANGUAGE sql AS 'SELECT max(email) FROM customer';
    CREATE AGGREGATE sum_up (int) (SFUNC = gather, STYPE = text, INITCOND = '');
    CREATE VIEW leaking AS SELECT leak() AS told;
    CREATE TABLE plain (id int, note text);
    INSERT INTO plain VALUES (1, 'open');
    ANALYZE;
    CREATE EXTENSION pageinspect;
    CREATE EXTENSION citext;
    CREATE EXTENSION pg_trgm;
"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of a server whose customers have an address to hide, with a login that may do everything."""
    try:
        with served() as at:
            url = f"postgresql://owner:{QUOTED}@{at}"
            with psycopg.connect(url, autocommit=True) as con:
                con.execute(POSTGRES)
            yield url
    except NoPostgres as missing:
        pytest.skip(str(missing))


def answers(
    url: str, queries: list[str], *, mask: tuple[str, ...] = MASK, functions: AllowedFunctions | None = None
) -> dict[str, str]:
    """What each query gives behind guard and mask, as text; why not, where it gives nothing."""

    async def work() -> dict[str, str]:
        allowed = functions or AllowedFunctions()
        source = await open_source(parse_addresses(url, PERSON)[0], folder=Path("unused"), mask=mask, functions=allowed)
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


def only(url: str, sql: str, *, mask: tuple[str, ...] = MASK, functions: AllowedFunctions | None = None) -> str:
    return answers(url, [sql], mask=mask, functions=functions)[sql]


THEIRS = (
    "SELECT leak() AS x", "SELECT * FROM leak() AS x", "SELECT * FROM ROWS FROM (leak()) AS x", "SELECT leak_of(s) AS x FROM sale s",
    "SELECT s.leak_of FROM sale s", "SELECT (s).leak_of FROM sale s", "SELECT upper(note) AS x FROM sale",
    "SELECT public.upper(note) AS x FROM sale", "SELECT id |+| amount AS x FROM sale", "SELECT id OPERATOR(public.|+|) amount FROM sale",
    "SELECT 'x'::telling AS x", "SELECT CAST('x' AS telling) AS x", "SELECT 'x'::public.telling AS x", "SELECT telling 'x'",
    "SELECT id::pair AS x FROM sale", "SELECT sum_up(id) AS x FROM sale", "SELECT id, sum_up(id) OVER () AS x FROM sale",
    "SELECT sale.leak_of FROM sale", "EXPLAIN SELECT net(1)", "SELECT ARRAY(SELECT leak())", "SELECT array_agg(leak_of(s)) FROM sale s",
    "SELECT note + note AS x FROM sale", "SELECT note+'a' FROM sale",
    "SELECT abs(1::smallint, 'a')", "SELECT (SELECT max(x) FROM leak() AS l(x))", "WITH w AS (SELECT leak() AS x) SELECT * FROM w",
    "SELECT get_raw_page('customer', 0)", "SELECT * FROM heap_page_items(get_raw_page('customer', 0))",
    "SELECT tuple_data_split('customer'::regclass, t_data, 0, 0, '') FROM heap_page_items(get_raw_page('customer', 0))",
)  # fmt: skip


def test_what_people_made_does_not_run_even_without_masks(postgres: str) -> None:
    given = answers(postgres, list(THEIRS), mask=())
    assert not [sql for sql, text in given.items() if MARKER in text]
    assert not [sql for sql, text in given.items() if text.startswith("[")], given


WORDS = """
    CREATE FUNCTION hush(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT max(email) > 1::text FROM customer';
    CREATE FUNCTION hush(text, int) RETURNS boolean LANGUAGE sql AS 'SELECT max(email) > 1::text FROM customer';
    CREATE OPERATOR ~~ (LEFTARG = int, RIGHTARG = int, FUNCTION = hush);
    CREATE OPERATOR !~~ (LEFTARG = int, RIGHTARG = int, FUNCTION = hush);
    CREATE OPERATOR ~~* (LEFTARG = int, RIGHTARG = int, FUNCTION = hush);
    CREATE OPERATOR = (LEFTARG = text, RIGHTARG = int, FUNCTION = hush);
    CREATE FUNCTION number_of(json) RETURNS int LANGUAGE sql AS 'SELECT length(max(email)) FROM customer';
    CREATE CAST (json AS int) WITH FUNCTION number_of(json);
"""
NAMED_BY_WORDS = (
    "SELECT id LIKE amount AS x FROM sale", "SELECT id NOT LIKE amount AS x FROM sale", "SELECT id ILIKE amount AS x FROM sale",
    "SELECT id FROM sale WHERE note IN (1, 2)", "SELECT NULLIF(note, 1) AS x FROM sale", "SELECT CASE note WHEN 1 THEN 2 END AS x FROM sale",
    "SELECT note IS DISTINCT FROM 1 AS x FROM sale", "SELECT to_json(id)::int FROM sale", "SELECT CAST(to_json(id) AS int) AS x FROM sale",
    """SELECT * FROM json_to_record('{"a": "x"}') AS x(a telling)""", """SELECT * FROM json_to_record('{"+": "x"}') AS x("+" telling)""",
    "SELECT * FROM XMLTABLE('/a' PASSING '<a>x</a>' COLUMNS a telling PATH '.')", "SELECT pg_input_is_valid('x', 'telling')",
)  # fmt: skip
UNNAMED = {
    "CREATE FUNCTION doc_of(int) RETURNS jsonb LANGUAGE sql AS 'SELECT to_jsonb(max(email)) FROM public.customer';"
    "CREATE CAST (int AS jsonb) WITH FUNCTION doc_of(int) AS IMPLICIT": "SELECT jsonb_pretty(id) AS x FROM sale",
    "CREATE FUNCTION doc_of(json, json) RETURNS int LANGUAGE sql AS 'SELECT length(max(email)) FROM public.customer';"
    "CREATE OPERATOR CLASS docs FOR TYPE json USING btree AS FUNCTION 1 doc_of(json, json)": "SELECT id FROM sale",
}


def test_functions_do_not_run_by_words_that_stand_for_operators_and_types(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as con:
        con.execute(WORDS.encode())
        try:
            given = answers(postgres, list(NAMED_BY_WORDS), mask=())
        finally:
            con.execute("DROP FUNCTION hush(int, int), hush(text, int), number_of(json) CASCADE")
    refused = [sql for sql, text in given.items() if "somebody made" in text or "one of the database's own" in text]
    assert refused == list(NAMED_BY_WORDS), given


@pytest.mark.parametrize("made", UNNAMED)
def test_functions_do_not_run_where_nothing_names_them(postgres: str, made: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as con:
        con.execute(made.encode())
        try:
            refusal = only(postgres, UNNAMED[made], mask=())
            allowed = only(
                postgres, "SELECT sum(amount) AS x FROM sale", mask=(), functions=AllowedFunctions.of(["doc_of"], ())
            )
        finally:
            con.execute("DROP FUNCTION doc_of CASCADE")
    assert "can allow 'public.doc_of' by name" in refusal
    assert "30" in allowed


def test_the_servers_own_functions_run_beside_them(postgres: str) -> None:
    given = answers(
        postgres,
        [
            "SELECT pg_catalog.upper(note) AS x FROM sale ORDER BY 1",
            "SELECT lower(note), round(amount), s.amount FROM sale s",
            "SELECT similarity(note, 'a'), note::citext, replace(note::citext, 'A'::citext, 'b'), note % 'a' FROM sale",
            "SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[1, 2])) AS x(a, b)",
            "SELECT to_jsonb(s), row_to_json(s) FROM sale s",
            "SELECT reach FROM contact",
        ],
        mask=(),
    )
    assert all(text.startswith("[") for text in given.values()), given


def test_a_person_allows_a_function_by_its_name(postgres: str) -> None:
    sql = "SELECT net(10) AS x"
    assert "one of the database's own" in only(postgres, sql, mask=())
    assert "8.0" in only(postgres, sql, mask=(), functions=AllowedFunctions.of(["net"], ()))
    assert "may read any table" in only(postgres, sql, functions=AllowedFunctions.of(["net"], ()))
    assert "8.0" in only(postgres, sql, functions=AllowedFunctions.of((), ["net"]))
    shadow = AllowedFunctions.of(["public.upper"], ())
    assert MARKER in only(postgres, "SELECT public.upper(note) FROM sale", mask=(), functions=shadow)
    assert "may read any table" in only(postgres, "SELECT public.upper(note) FROM sale", functions=shadow)


ORIGINS = {
    "customer": ("email", "login"),
    "former": ("email",),
    "visit_one": ("email",),
    "contact": ("reach",),
    "again": ("once_more",),
    "copied": ("reach",),
    "shouted": ("loud",),
    "whole": ("row",),
    "leaking": ("told",),
}
EXPRESSIONS = (
    "{c}", "t.*", "t", "t::text", "(t).{c}", "(t.*)::text", "row_to_json(t)", "to_jsonb(t)", "to_jsonb(t) ->> '{c}'", "{c} || ''",
    "max({c})", "array_agg({c})", "left({c}, 20)", "ROW({c})", "md5({c})", "lower({c})", "leak()", "upper({c})", "format('%s', t)",
    "json_agg(t)", "string_agg({c}, ',')", "xmlforest({c})", "(SELECT {c})", "ARRAY[{c}]", "COALESCE({c}, '')",
)  # fmt: skip
SHAPES = (
    "SELECT {e} AS x FROM {o} AS t",
    "SELECT x FROM (SELECT {e} AS x FROM {o} AS t) AS s",
    "WITH w AS (SELECT * FROM {o}) SELECT {e} AS x FROM w AS t",
    "SELECT l.x FROM sale s, LATERAL (SELECT {e} AS x FROM {o} AS t) AS l",
    "SELECT s.id, (SELECT {e} FROM {o} AS t LIMIT 1) AS x FROM sale s",
    "SELECT amount::text FROM sale UNION ALL SELECT {e} FROM {o} AS t",
    "SELECT DISTINCT {e} AS x FROM {o} AS t",
    "SELECT {e}::int AS x FROM {o} AS t",
)
STRAIGHT = (
    *THEIRS, "TABLE customer", "TABLE ONLY customer", "SELECT most_common_vals FROM pg_stats", "SELECT histogram_bounds::text FROM pg_stats",
    "SELECT * FROM pg_statistic", "SELECT query FROM pg_stat_activity", "SELECT * FROM ROWS FROM (json_to_record('{}')) AS x(a int)",
    "SELECT * FROM json_to_record('{}') AS x(a int)", "SELECT * FROM ROWS FROM (generate_series(1, 2)) AS g, customer",
    "SELECT * FROM json_populate_record(NULL::customer, '{}')", "SELECT t FROM visit t", "SELECT pg_get_viewdef('contact'::regclass)",
    "SELECT * FROM customer t(a, b, c, d)", "SELECT ctid, t FROM customer t", "SELECT xmin, email FROM customer",
    "SELECT * FROM (VALUES ((SELECT max(email) FROM customer))) v", "SELECT query_to_xml('TABLE customer', true, true, '')",
    "SELECT * FROM customer TABLESAMPLE SYSTEM (100)", "SELECT id FROM sale ORDER BY (SELECT max(email) FROM customer)",
    "SELECT sum(amount) FROM sale GROUP BY CUBE ((SELECT max(email) FROM customer))", "SELECT enum_range(NULL::pair)",
)  # fmt: skip


def test_no_shape_of_a_query_gives_a_value_of_a_masked_column(postgres: str) -> None:
    every = [
        shape.format(e=expression.format(c=column), o=origin)
        for (origin, columns), expression, shape in product(ORIGINS.items(), EXPRESSIONS, SHAPES)
        for column in columns
    ]
    queries = every[::7]  # each expression and each shape on each table, not all of them together
    given = answers(postgres, list(dict.fromkeys((*queries, *STRAIGHT))), mask=(*MASK, "visit.email"))
    assert len(given) > 250
    assert not [sql for sql, text in given.items() if MARKER in text.lower()]
    assert sum("•••" in text for text in given.values()) >= 5


def test_what_shows_a_masked_column_arrives_covered_and_the_rest_as_it_is(postgres: str) -> None:
    covered = [
        "SELECT reach FROM contact",
        "SELECT once_more FROM again",
        "SELECT login FROM customer",
        "SELECT reach FROM copied",
    ]
    given = answers(postgres, covered)
    assert all("•••" in text for text in given.values()), given
    assert "Ann!" in only(postgres, "SELECT short FROM customer")
    assert "Ann" in only(postgres, "SELECT name FROM people")
    assert "open" in only(postgres, "SELECT p.note, lower(p.note) FROM plain p")


def test_lists_of_rows_are_refused_in_words(postgres: str) -> None:
    for sql in ("SELECT * FROM ROWS FROM (json_to_record('{}')) AS x(a int)", "SELECT s.leak_of FROM sale s"):
        assert only(postgres, sql).startswith("QueryRefused: This source has masked columns"), sql


MARIADB = (
    "CREATE DATABASE shop",
    "CREATE TABLE shop.customer (id INT, name VARCHAR(50), email VARCHAR(50), login VARCHAR(50) AS (lower(email)) STORED,"
    " copy VARCHAR(50) DEFAULT (email), note VARCHAR(50) DEFAULT 'email')",
    f"INSERT INTO shop.customer (id, name, email) VALUES (1, 'Ann', 'Ann@{MARKER}.example')",
    "CREATE TABLE shop.sale (id INT, amount INT)",
    "INSERT INTO shop.sale VALUES (1, 10)",
    "CREATE VIEW shop.contact AS SELECT id, email AS reach FROM shop.customer",
    "CREATE VIEW shop.people AS SELECT id, name FROM shop.customer",
    "CREATE VIEW shop.shouted AS SELECT id, upper(email) AS loud FROM shop.customer",
    "CREATE FUNCTION shop.leak() RETURNS TEXT READS SQL DATA RETURN (SELECT max(email) FROM shop.customer)",
    "CREATE FUNCTION shop.count(x INT) RETURNS TEXT READS SQL DATA RETURN (SELECT max(email) FROM shop.customer)",
    "CREATE FUNCTION shop.net(x INT) RETURNS INT NO SQL RETURN x * 8",
    "CREATE USER reader@'%' IDENTIFIED BY 'reader'",
    "GRANT ALL ON shop.* TO reader@'%'",
)


@pytest.fixture(scope="module")
def mariadb() -> Iterator[str]:
    """The address of a database whose customers have an address to hide."""
    try:
        with mariadb_served(MARIADB) as at:
            yield f"mysql://reader:reader@{at}/shop"
    except NoMariaDB as missing:
        pytest.skip(str(missing))


def test_stored_functions_of_mariadb_do_not_run(mariadb: str) -> None:
    queries = [
        "SELECT leak() AS x", "SELECT shop.leak() AS x", "SELECT `leak` () AS x", "SELECT count (id) AS x FROM sale",
        "SELECT shop.count(1) AS x", "SELECT `count` (id) AS x FROM sale", "SELECT max(leak()) AS x FROM sale",
    ]  # fmt: skip
    for mask in ((), MASK):
        given = answers(mariadb, queries, mask=mask)
        assert not [sql for sql, text in given.items() if MARKER in text or text.startswith("[")], given
    assert "8" in only(mariadb, "SELECT net(1) AS x", mask=(), functions=AllowedFunctions.of(["net"], ()))
    assert "10" in only(mariadb, "SELECT sum(amount) AS x FROM sale", mask=())


def test_views_computed_columns_and_defaults_of_mariadb_inherit(mariadb: str) -> None:
    given = answers(
        mariadb,
        [
            "SELECT reach FROM contact",
            "SELECT login FROM customer",
            "SELECT copy FROM customer",
            "SELECT loud FROM shouted",
        ]
        + [f"SELECT {e} AS x FROM customer c" for e in ("concat(login, '')", "hex(copy)", "json_object('a', email)")]
        + ["SELECT * FROM information_schema.column_statistics", "SELECT group_concat(reach) FROM contact"],
    )
    assert not [sql for sql, text in given.items() if MARKER in text.lower()], given
    assert sum("•••" in text for text in given.values()) == 3
    assert "Ann" in only(mariadb, "SELECT name FROM people")
    assert "email" in only(mariadb, "SELECT note FROM customer")


def test_the_refusal_says_what_was_made_and_how_it_is_allowed(postgres: str) -> None:
    async def work() -> None:
        source = await open_source(parse_addresses(postgres, PERSON)[0], folder=Path("unused"))
        with pytest.raises(QueryRefused, match=r"Write pg_catalog\.upper .* allow 'public\.upper' by name"):
            await source.run("SELECT upper(note) FROM sale")
        await source.close()

    asyncio.run(work())
