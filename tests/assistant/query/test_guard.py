"""The guard lets nothing through that is not a read, and refuses no honest query."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rights_of_person import PERSON
from statements import golden, honest, setup

from assistant.query.functions import FOLDER, AllowedFunctions, is_function_allowed, load_sections
from assistant.query.guard import LIMIT_CHARS, check
from assistant.query.pivots import shorten_pivots
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from knowledge.parsing import tokenize


def test_the_honest_statements_are_many() -> None:
    assert len(set(honest())) >= 170
    assert {dialect for dialect, _ in honest()} == {"duckdb", "sqlite", "postgres"}


@pytest.mark.parametrize(("dialect", "sql"), honest())
def test_an_honest_statement_passes(dialect: str, sql: str) -> None:
    assert check(sql, dialect=dialect) is None


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_what_passes_as_honest_runs_under_the_locks_of_the_real_engine(dialect: str, tmp_path: Path) -> None:
    path = tmp_path / f"shop.{dialect}"
    if dialect == "duckdb":
        with duckdb.connect(str(path)) as con:
            con.execute(setup(dialect))
    else:
        with closing(sqlite3.connect(path)) as db, db:
            db.executescript(setup(dialect))

    async def work() -> None:
        source = await open_source(parse_addresses(str(path), PERSON)[0], folder=tmp_path)
        try:
            for one, sql in honest():
                if one == dialect:
                    result = await source.run(sql)
                    assert result.table.num_columns > 0, sql
                    if not sql.startswith(("EXPLAIN", "SUMMARIZE", "DESCRIBE", "SHOW")):
                        await source.explain(sql)
        finally:
            await source.close()

    asyncio.run(work())


@pytest.mark.parametrize(("dialect", "verdict", "sql"), golden())
def test_golden_verdicts(dialect: str, verdict: str, sql: str) -> None:
    refusal = check(sql, dialect=dialect)
    assert ("allow" if refusal is None else f"refuse: {refusal.rule}") == verdict, refusal


WORDS = ["SELECT", "FROM", "WHERE", "drop", "insert", "into", "update", "t", "u", "a", "b", "count(*)", "sum(a)"]
WORDS += [",", "(", ")", "*", "=", "1", "'x'", "--", "/*", "*/", ";", "\n", "WITH", "AS", "UNION", "DELETE", "SET"]
WORDS += ["INSERT INTO", "VALUES", "REPLACE", "PRAGMA", "query_only", "user_version", "ATTACH", "':memory:'", "m"]
WORDS += ["CREATE TABLE", "CREATE TEMP TABLE", "RETURNING *", "EXPLAIN", "VACUUM", "REINDEX", "ANALYZE", "BEGIN"]
WRITES = [
    "INSERT INTO t VALUES (1)",
    "DELETE FROM t",
    "UPDATE t SET a = 1",
    "DROP TABLE t",
    "CREATE TABLE u AS SELECT 1",
    "ALTER TABLE t ADD COLUMN z INT",
    "TRUNCATE TABLE t",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "GRANT ALL ON t TO x",
    "CALL p()",
    "SET x = 1",
]
blanks = st.sampled_from(["", " ", "\n", "/* x */", "-- y\n", ";", " ; "])
dialects = st.sampled_from(["sqlite", "duckdb", "postgres", "mysql"])
names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", exclude_characters="'\\\x00"), max_size=30)


@settings(max_examples=300, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
def test_what_passes_changes_nothing_in_an_unlocked_database(words: list[str]) -> None:
    sql = " ".join(words)
    if check(sql, dialect="sqlite") is not None:
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as con:
        con.executescript("CREATE TABLE t (a, b); CREATE TABLE u (a, b); INSERT INTO t VALUES (1, 2), (3, 4);")
        before = (list(con.iterdump()), con.execute("PRAGMA user_version").fetchone(), con.total_changes)
        with suppress(sqlite3.Error, sqlite3.Warning):
            con.execute(sql).fetchmany(5)
        after = (list(con.iterdump()), con.execute("PRAGMA user_version").fetchone(), con.total_changes)
        assert before == after
        assert len(con.execute("PRAGMA database_list").fetchall()) == 1


@settings(max_examples=300, deadline=None)
@given(write=st.sampled_from(WRITES), before=blanks, after=blanks, dialect=dialects, case=st.booleans())
def test_no_write_passes_however_it_is_dressed(write: str, before: str, after: str, dialect: str, case: bool) -> None:
    dressed = write.lower() if case else write
    for sql in (
        f"{before}{dressed}{after}",
        f"{before}EXPLAIN {dressed}",
        f"WITH q AS (SELECT 1) {dressed}",
        f"WITH q AS ({dressed}) SELECT * FROM q",
        f"SELECT 1;{before}{dressed}",
        f"SELECT * FROM ({dressed}) AS q",
    ):
        assert check(sql, dialect=dialect) is not None, sql


@settings(max_examples=200, deadline=None)
@given(column=names, table=names, text=texts, dialect=dialects)
def test_any_text_and_any_quoted_name_pass(column: str, table: str, text: str, dialect: str) -> None:
    mark = "`" if dialect == "mysql" else '"'
    sql = f"SELECT {mark}{column}{mark} AS x FROM {mark}{table}{mark} WHERE y = '{text}' -- {column}"
    assert check(sql, dialect=dialect) is None


@settings(max_examples=300, deadline=None)
@given(sql=st.text(max_size=60), dialect=dialects)
def test_any_text_has_a_verdict_and_a_span_within_it(sql: str, dialect: str) -> None:
    refusal = check(sql, dialect=dialect)
    if refusal is not None and refusal.span is not None:
        start, end = refusal.span
        assert 0 <= start <= end <= len(sql)
        assert refusal.text == sql[start:end]


@pytest.mark.parametrize(
    ("dialect", "rule", "marked"),
    [
        ("sqlite", "reads only", "  «DROP» TABLE t"),
        ("sqlite", "reads only", "EXPLAIN QUERY PLAN «DROP» TABLE t"),
        ("postgres", "reads only", "EXPLAIN «EXPLAIN» SELECT 1"),
        ("postgres", "reads only", "«123»"),
        ("sqlite", "reads only", "«PRAGMA» user_version = 3"),
        ("sqlite", "reads only", "«PRAGMA» main.writable_schema(t)"),
        ("sqlite", "reads only", "«PRAGMA» table_info = t"),
        ("duckdb", "reads only", "«PRAGMA» user_version"),
        ("postgres", "reads only", "«PRAGMA» table_info(t)"),
        ("mysql", "reads only", "«SHOW» CREATE USER u"),
        ("sqlite", "reads only", "«SHOW» TABLES"),
        ("postgres", "reads only", "WITH d AS («DELETE» FROM t RETURNING *) SELECT * FROM d"),
        ("postgres", "into", "SELECT a «INTO» x FROM t"),
        ("mysql", "into", "SELECT 1, @a «:=» 2"),
        ("postgres", "lock", "SELECT 1 FROM t «FOR» UPDATE"),
        ("mysql", "lock", "SELECT 1 FROM t «LOCK» IN SHARE MODE"),
        ("clickhouse", "settings", "SELECT 1 FROM t «SETTINGS» max_threads = 1"),
        ("sqlite", "function", "EXPLAIN\n  SELECT a, «load_extension»('x') FROM t"),
        ("sqlite", "function", 'SELECT «"load_extension"»(1)'),
        ("postgres", "function", 'SELECT "s".«"Leak"»(1)'),
        ("postgres", "function", "SELECT 1 «OPERATOR»(s.+) 2"),
        ("postgres", "function", "SELECT a FROM t TABLESAMPLE «LEAK» (1)"),
        ("duckdb", "function", "PIVOT_WIDER «leak»(1) ON a"),
        ("sqlite", "function", "SELECT * FROM «pragma_writable_schema»"),
        ("duckdb", "file", "SELECT * FROM «'x.csv'»"),
        ("duckdb", "file", "SUMMARIZE «'x.csv'»"),
        ("postgres", "system table", "EXPLAIN (ANALYZE) SELECT * FROM «pg_shadow»"),
        ("mysql", "system table", "SELECT * FROM mysql.«user»"),
        ("mysql", "comment", "SELECT 1 «/*! x */»"),
        ("postgres", "comment", "SELECT 1 «/* a /* b */» FROM t */"),
        ("postgres", "one statement", "SELECT ';'«;» SELECT 1; SELECT 2"),
        ("postgres", "parse", "SELECT FROM «WHERE»"),
        ("postgres", "parse", "SELECT b, c\nFROM t c\nWHERE a «b» c"),
        ("postgres", "parse", "SELECT 'a"),
        ("postgres", "empty", "-- a"),
        ("postgres", "empty", " "),
    ],
)
def test_a_refusal_points_at_its_cause(dialect: str, rule: str, marked: str) -> None:
    refusal = check(marked.replace("«", "").replace("»", ""), dialect=dialect)
    start, end = marked.find("«"), marked.find("»") - 1
    assert refusal is not None
    assert (refusal.rule, refusal.span) == (rule, (start, end) if start >= 0 else None)
    assert refusal.text == (marked[start + 1 : end + 1] if start >= 0 else marked.strip()[:80])


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("sqlite", "PRAGMA main.table_info(t);"),
        ("sqlite", "PRAGMA user_version"),
        ("duckdb", "PRAGMA table_info(t)"),
        ("duckdb", "(SELECT 1)"),
        ("duckdb", "SELECT * FROM (SHOW TABLES)"),
        ("mysql", "SHOW FULL TABLES;"),
        ("postgres", "EXPLAIN ANALYZE VERBOSE SELECT 1"),
        ("postgres", "DESCRIBE t"),
        ("sqlite", "SELECT * FROM pragma_table_info('t')"),
        ("postgres", "SELECT 1" + " " * (LIMIT_CHARS - 8)),
    ],
)
def test_what_describes_the_catalog_or_stands_at_a_limit_passes(dialect: str, sql: str) -> None:
    assert check(sql, dialect=dialect) is None


@pytest.mark.parametrize(
    ("sql", "short"),
    [
        ("SELECT 1 ORDER BY 1", "SELECT 1 ORDER BY 1"),
        ("pivot t ON a", "PIVOT t ON a"),
        ("PIVOT_LONGER t ON a, b", "UNPIVOT t ON a, b"),
        ("PIVOT_WIDER t ON a LIMIT 3", "SELECT * FROM (PIVOT t ON a \n) LIMIT 3"),
        ("PIVOT (SELECT 1 ORDER BY [1]) ON a order by {'a': 1} OFFSET 1", "SELECT * FROM (PIVOT (SELECT 1 ORDER BY [1]) ON a \n) order by {'a': 1} OFFSET 1"),
        ('PIVOT t ON "order"', 'PIVOT t ON "order"'),
        ("PIVOT t[(LIMIT)] ON {offset} OFFSET 1", "SELECT * FROM (PIVOT t[(LIMIT)] ON {offset} \n) OFFSET 1"),
    ],
)  # fmt: skip
def test_a_pivot_is_put_as_the_parser_reads_it(sql: str, short: str) -> None:
    assert shorten_pivots(sql, tokenize(sql, "duckdb")) == short


LISTED = {
    "postgres": "casefold _int_same halfvec rows st_whatever",
    "standard": "all_match a_i_forecast number inline_outer",
    "mysql": "hll_hash aes_decrypt against",
    "duckdb": "array_aggr hugeint duckdb_columns",
    "sqlite": "likely raise jsonb_tree",
    "clickhouse": "adddays decimal128 sumifornull quantileforeachstate",
}
"""Functions of each list that no other list has, of each of its sections."""


@pytest.mark.parametrize(
    ("engine", "lists"),
    [
        *((engine, (engine,)) for engine in ("postgres", "mysql", "duckdb", "sqlite", "clickhouse")),
        *((engine, ("postgres", "standard")) for engine in ("redshift", "materialize", "risingwave")),
        *((engine, ("mysql", "standard")) for engine in ("singlestore", "doris", "starrocks")),
        *((engine, ("standard",)) for engine in ("tsql", "snowflake", "", "unknown")),
    ],
)
def test_an_engine_has_the_functions_of_its_lists_and_no_others(engine: str, lists: tuple[str, ...]) -> None:
    for name, functions in LISTED.items():
        assert {is_function_allowed(f, engine) for f in functions.split()} == {name in lists}, name
    assert is_function_allowed("count_big", engine) == (engine == "tsql")
    assert not is_function_allowed("leakif", engine)
    catalog = check(
        "SELECT pg_catalog.lower(a), 1 OPERATOR(pg_catalog.+) 2 FROM t", dialect=engine if engine != "unknown" else ""
    )
    assert (catalog is None) == ("postgres" in lists)


def test_functions_that_a_person_allows_are_read_from_the_settings() -> None:
    allowed = AllowedFunctions.of([" Net_Price() ", "shop.margin"], ["VAT()"])
    assert allowed == AllowedFunctions(
        names=frozenset({"net_price", "shop.margin", "vat"}), tableless=frozenset({"vat"})
    )


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql", "clickhouse"])
@pytest.mark.parametrize("sql", ["SELECT 1 \x00", "SELECT 'a\x00b'", "SELECT 1 -- \x00", "SELECT \x00 1"])
def test_a_nul_character_is_refused_by_name_wherever_it_stands(sql: str, dialect: str) -> None:
    """Engines read a statement up to the first NUL character, so what stands behind it would be seen by no check."""
    violation = check(sql, dialect=dialect)
    assert violation is not None
    assert "NUL" in violation.message


def test_deep_nesting_and_great_length_are_refused_not_crashed_on() -> None:
    deep = check("SELECT " + "(" * 5000 + "1" + ")" * 5000, dialect="sqlite")
    assert deep is not None
    long = check("SELECT " + "1," * 100_000 + "1", dialect="sqlite")
    assert long is not None
    assert long.rule == "length"


def test_names_of_dialects_from_elsewhere_are_understood() -> None:
    for name in ("postgresql", "mariadb", "mssql", "PostgreSQL"):
        assert check("SELECT 1", dialect=name) is None
    with pytest.raises(ValueError, match="nosuch"):
        check("SELECT 1", dialect="nosuch")


def test_what_a_person_allows_by_name_may_be_called_and_nothing_else() -> None:
    allowed = frozenset({"net_price", "shop.margin"})
    for sql in ("SELECT net_price(a) FROM t", "SELECT Net_Price (a) FROM t", "SELECT shop.margin(a) FROM t"):
        assert check(sql, dialect="postgres", functions=allowed) is None, sql
        assert check(sql, dialect="postgres") is not None, sql
    for sql in ("SELECT margin(a)", "SELECT other.net_price(a)", "SELECT other.margin(a)", "SELECT net_prices(a)"):
        assert check(sql, dialect="postgres", functions=allowed) is not None, sql


def test_nothing_is_listed_that_its_own_list_leaves_out() -> None:
    for path in FOLDER.glob("*.txt"):
        parts = load_sections(path.stem)
        patterns = [re.compile(pattern) for pattern in parts.get("refused", ())]
        listed = {
            name for title, names in parts.items() if title not in ("refused", "added", "extensions") for name in names
        }
        assert not [name for name in listed if any(pattern.fullmatch(name) for pattern in patterns)], path.name


@pytest.mark.parametrize(
    "dialect", ["postgres", "duckdb", "mysql", "sqlite", "clickhouse", "snowflake", "bigquery", "tsql", ""]
)
def test_the_usual_functions_are_known_everywhere(dialect: str) -> None:
    for call in ("sum(a)", "count(*)", "min(a)", "max(a)", "avg(a)", "abs(a)", "round(a, 2)", "lower(a)", "upper(a)"):
        assert check(f"SELECT {call} FROM t", dialect=dialect) is None, call
    for call in ("row_number()", "rank()", "lag(a)", "first_value(a)"):
        assert check(f"SELECT {call} OVER (PARTITION BY b ORDER BY c) FROM t", dialect=dialect) is None, call


@settings(max_examples=200, deadline=None)
@given(name=st.from_regex(r"zz_[a-z_]{1,8}", fullmatch=True), dialect=dialects, place=st.integers(0, 8))
def test_a_function_that_nobody_knows_is_refused_wherever_it_stands(name: str, dialect: str, place: int) -> None:
    sql = (
        "SELECT {}(a) FROM t",
        "SELECT a FROM t WHERE {}(a) = 1",
        "SELECT a FROM t ORDER BY {} (a)",
        "SELECT a FROM t GROUP BY a HAVING max({}(a)) > 1",
        "WITH w AS (SELECT {}(1) AS a) SELECT a FROM w",
        "SELECT a FROM t JOIN u ON {}/* */(t.a) = u.a",
        "SELECT CASE WHEN a IN (SELECT {}(b) FROM u) THEN 1 END FROM t",
        "SELECT sum(a) OVER (ORDER BY {}(b)) FROM t",
        "SELECT x.{}(a) FROM t AS x",
    )[place].format(name)
    refusal = check(sql, dialect=dialect)
    assert refusal is not None, sql
    assert refusal.rule == "function", refusal


def test_every_function_of_duckdb_that_leaves_the_data_is_refused() -> None:
    with closing(duckdb.connect()) as con:
        rows = con.execute(
            "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro')"
            " AND regexp_matches(function_name,"
            " 'read|scan|glob|sniff|copy|query|secret|log|parquet|import|execute|enable|disable|checkpoint|external')"
        ).fetchall()
    leaving = [name for (name,) in rows]
    assert len(leaving) > 30
    for name in leaving:
        assert check(f"SELECT * FROM {name}('x')", dialect="duckdb") is not None, name
