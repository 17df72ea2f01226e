"""Reading SQL costs what its length says, and never more than a budget of work."""

from __future__ import annotations

import ast
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import Dialect, exp, parser
from sqlglot.dialects.dialect import Dialects
from sqlglot.errors import SqlglotError

from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import QueryRefused
from assistant.query.guard import LIMIT_CHARS, check
from assistant.query.lineage import trace_lineage
from assistant.query.mask_rules import find_masked_outputs
from knowledge.parsing import DEPTH_MAX, NESTING_MAX, TOKENS_MAX, TooComplex, limit_work, parse, parse_one
from tests.support.hostile_sql import BURSTS, DIALECTS, burst

ROOT = Path(__file__).parents[2]
CPU_S = 30
"""Far more than all of them take together where each is bounded; without a budget one alone takes hours."""


def test_the_parser_is_python_whose_calls_are_counted() -> None:
    assert Path(parser.__file__).suffix == ".py"


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT a" + "[1]" * 700, "too much work"),
        ("SELECT a" + ".b(1)" * 600, "too much work"),
        ("SELECT * FROM a" + " LEFT JOIN b" * 60, "60 joins have no condition"),
        ("SELECT " + "ARRAY[" * 30 + "1" + "]" * 30, "too much work"),
        ("SELECT " + "(" * 120 + "1" + ")" * 120, f"nested 120 deep, of at most {NESTING_MAX}"),
        ("SELECT 1" + ", 1" * TOKENS_MAX, f"of at most {TOKENS_MAX:,}"),
        ("SELECT " + "a + b - " * DEPTH_MAX + "1", f"more than {DEPTH_MAX} levels"),
        ("SELECT " + "NOT " * 500 + "a", "nested"),
    ],
    ids=["subscripts", "methods", "joins", "arrays", "brackets", "length", "operators", "prefixes"],
)
def test_a_statement_that_takes_too_much_is_refused_in_words(sql: str, words: str) -> None:
    refusal = check(sql, dialect="duckdb")
    assert refusal is not None
    assert refusal.rule == "complexity"
    assert words in refusal.message


def test_a_refusal_points_at_the_bracket_that_is_one_too_deep() -> None:
    sql = "EXPLAIN SELECT " + "(" * 60 + "1" + ")" * 60
    refusal = check(sql, dialect="postgres")
    assert refusal is not None
    assert refusal.span is not None
    assert sql[: refusal.span[1]].count("(") == NESTING_MAX + 1


def _generated(models: int) -> str:
    parts = (
        f"m{number} AS (\n  SELECT\n    o.customer_id,\n    lower(o.month) AS month,\n"
        f"    sum(o.amount) AS amount_{number},\n    count(*) AS orders_{number}\n  FROM raw.orders AS o\n"
        f"  LEFT JOIN raw.customers AS c\n    ON o.customer_id = c.id\n  WHERE o.status <> 'void'\n"
        f"    AND o.kind = {number}\n  GROUP BY 1, 2\n)"
        for number in range(models)
    )
    return "WITH " + ",\n".join(parts) + "\nSELECT * FROM m0"


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres", "mysql", "clickhouse", "snowflake", "bigquery"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t WHERE a IN (" + ", ".join(map(str, range(5_000))) + ")",
        "SELECT a FROM t WHERE a IN (" + ", ".join(f"'id-{number:08}'" for number in range(5_000)) + ")",
        "SELECT " + ", ".join(f"t.c{number} AS x{number}" for number in range(300)) + " FROM t",
        "WITH c0 AS (SELECT a, b FROM t), "
        + ", ".join(f"c{n} AS (SELECT a, sum(b) AS b FROM c{n - 1} GROUP BY a)" for n in range(1, 40))
        + " SELECT * FROM c39",
        " UNION ALL ".join(f"SELECT {number} AS n, a, b FROM t{number} WHERE x > {number}" for number in range(300)),
        "SELECT CASE " + " ".join(f"WHEN a = {n} THEN 'n{n}'" for n in range(500)) + " END AS name FROM t",
        "SELECT a FROM t WHERE " + " OR ".join(f"a = {number}" for number in range(1_000)),
        "SELECT " + "(" * 30 + "a" + ")" * 30 + " FROM t",
        _generated(160),
    ],
    ids=["numbers", "texts", "columns", "ctes", "unions", "cases", "conditions", "brackets", "generated"],
)
def test_long_statements_that_people_and_programs_write_are_read(sql: str, dialect: str) -> None:
    assert check(sql, dialect=dialect) is None


def _spend(dialects: str, lengths: str) -> dict[str, float]:
    """What hostile statements cost, measured in a process of their own that dies where there is no budget."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S * 10, CPU_S * 10))

    done = subprocess.run(
        [sys.executable, "-m", "tests.support.hostile_sql", dialects, lengths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_no_hostile_statement_takes_more_than_a_moment_of_the_processor() -> None:
    spent = _spend("duckdb", "2500")
    assert len(spent) == len(BURSTS)
    assert max(spent.values()) < 3, "several times the budget's half second, for a busy machine"


# `benchmarks/guard.py --work` takes every dialect at more lengths: it needs most of an hour.
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres", "mysql", "clickhouse", "snowflake", "bigquery"])
def test_no_hostile_statement_of_any_length_does_in_any_dialect(dialect: str) -> None:
    assert max(_spend(dialect, f"3000,{LIMIT_CHARS}").values()) < 3


_WORDS = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "JOIN",
        "ON",
        "USING",
        "UNION",
        "WITH",
        "AS",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "NOT",
        "AND",
        "IN",
        "BETWEEN",
        "LIKE",
        "IS",
        "NULL",
        "ARRAY",
        "MAP",
        "STRUCT",
        "CAST",
        "INTERVAL",
        "OVER",
        "PARTITION",
        "BY",
        "ORDER",
        "GROUP",
        "LATERAL",
        "UNNEST",
        "PIVOT",
        "a",
        "b",
        "1",
        "'x'",
        '"q"',
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        ";",
        ":",
        "::",
        "->",
        "->>",
        "=>",
        "||",
        "+",
        "-",
        "*",
        "/",
        "<",
        ">",
        "=",
        "<>",
        "?",
        "@",
        "$",
        "#",
        "%",
        "^",
        "~",
        "!",
        "&",
        "|",
    ]
)


@given(
    st.lists(_WORDS, max_size=12),
    st.lists(_WORDS, min_size=1, max_size=6),
    st.integers(1, 400),
    st.sampled_from(DIALECTS),
)
@settings(max_examples=60)
def test_whatever_is_repeated_is_judged_and_what_is_read_can_be_written_again(
    before: list[str], repeated: list[str], times: int, dialect: str
) -> None:
    sql = " ".join(["SELECT", *before, *repeated * times])
    check(sql, dialect=dialect)
    try:
        tree = parse_one(sql, dialect)
        with limit_work():
            tree.sql(dialect)
            tree.copy()
    except (SqlglotError, ValueError):
        pass  # no SQL, or too much of it, or what this dialect cannot write: never a crash


def test_what_is_read_is_shallow_enough_to_be_written() -> None:
    for sql in ("SELECT a" + "::int" * 100, "SELECT " + "- " * 100 + "1", "SELECT 1" + " + 1" * 5_000):
        assert parse_one(sql, "duckdb").sql("duckdb")


def test_a_budget_within_a_budget_is_part_of_it_and_ends_with_it() -> None:
    def read_many() -> None:
        with limit_work():
            for _ in range(100):
                parse_one("SELECT " + ", ".join("abcdefgh") * 20, "duckdb")

    with pytest.raises(TooComplex, match="too much work"):
        read_many()
    assert sys.getprofile() is None
    assert isinstance(parse_one("SELECT 1"), exp.Select), "the next statement has a budget of its own"


def test_aliases_that_double_are_bounded_after_the_guard() -> None:
    doubled = ", ".join(["secret AS c0", *(f"c{n - 1} || c{n - 1} AS c{n}" for n in range(1, 40))])
    sql = f"SELECT {doubled} FROM people"
    column = Column(name="secret", type="text", kind="text")
    catalog = Catalog(source="s", dialect="duckdb", tables=(Table(name="people", columns=(column,)),))
    assert check(sql, dialect="duckdb") is None
    with pytest.raises(QueryRefused):
        find_masked_outputs(sql, dialect="duckdb", catalog=catalog, masks={"people": frozenset({"secret"})})


def test_the_lineage_of_a_query_that_takes_too_much_is_none() -> None:
    columns = ", ".join(f"f(a, {number}) AS c{number}" for number in range(900))
    groups = ", ".join(f"f(a, {number})" for number in range(900))
    assert trace_lineage(f"SELECT {columns} FROM t GROUP BY {groups}", "duckdb") is None


def test_several_statements_are_told_from_one() -> None:
    assert isinstance(parse_one("SELECT 1"), exp.Select)
    assert len(parse("SELECT 1; SELECT 2", Dialect.get_or_raise("duckdb"))) == 2
    assert isinstance(parse_one("SELECT 1; SELECT 2"), exp.Block)


_DOORS = {"parse_one", "parse", "parse_into", "tokenize", "transpile", "qualify", "optimize", "maybe_parse", "lineage"}
_BOUNDED = {
    "knowledge/parsing.py",
    "assistant/query/mask_rules.py",
    "assistant/sources/combined/transfers.py",
    "assistant/sources/reading/formats/sql_dumps.py",
}
"""Two qualify a tree that was read through the door, within a budget of their own. Dumps are read in the caged worker,
whose processor time is limited, and by notebooks, which have nothing of Tandem."""


def test_nothing_reads_sql_past_the_budget() -> None:
    """Every module of the product takes sqlglot's readers from `knowledge.parsing`."""
    past: list[str] = []
    for path in (
        *ROOT.glob("assistant/**/*.py"),
        *ROOT.glob("knowledge/**/*.py"),
        *ROOT.glob("ui/**/*.py"),
        *ROOT.glob("tandem/**/*.py"),
    ):
        name = path.relative_to(ROOT).as_posix()
        if name in _BOUNDED:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlglot":
                past += [f"{name}:{node.lineno} {alias.name}" for alias in node.names if alias.name in _DOORS]
            match node:
                case ast.Attribute(value=ast.Name(id="sqlglot" | "exp" | "reader" as owner), attr=door):
                    past += [f"{name}:{node.lineno} {owner}.{door}"] if door in _DOORS else []
                case _:
                    pass
    assert not past


def test_all_dialects_are_tried() -> None:
    assert set(DIALECTS) == {dialect.value for dialect in Dialects}
    assert burst("subscripts", 300).startswith("SELECT a[1][1]")
