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

from assistant.query.functions import FOLDER, load_sections
from assistant.query.guard import check
from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source


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
        source = await open_source(addresses(str(path), PERSON)[0], folder=tmp_path)
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


def test_a_refusal_points_at_its_cause_and_says_how_to_ask_differently() -> None:
    sql = "EXPLAIN\n  SELECT a, load_extension('x') FROM t"
    refusal = check(sql, dialect="sqlite")
    assert refusal is not None
    assert refusal.text == "load_extension"
    assert refusal.span == (sql.index("load_extension"), sql.index("("))
    assert "Select from tables" in refusal.message


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
