"""Engines that no server could be had of: what is compiled for them is their SQL, and holds nothing that they lack."""

from __future__ import annotations

import re

import pytest
import sqlglot
from little_shop import catalog
from shop_queries import every_query
from sqlglot import exp

from assistant.analyst.algebra import Column, Grouped, Rows, Text
from assistant.analyst.schema import Schema
from assistant.analyst.sql.portable import own_sql
from assistant.analyst.sql.queries import to_sql

_LACKING = {
    "snowflake": r"strftime|ILIKE|date_diff\(",
    "bigquery": r"strftime|ILIKE|ESCAPE|AS TEXT|DOUBLE\b",
    "redshift": r"strftime|IS NOT DISTINCT|date_diff\(",
    "databricks": r"strftime|\"",
    "trino": r"strftime|ILIKE|AS TEXT",
    "tsql": r"strftime|ILIKE|LIMIT|IS NOT DISTINCT|\|\||\bTRUE\b|EXTRACT",
    "oracle": r"strftime|ILIKE|LIMIT|IS NOT DISTINCT|\) AS t\d|QUARTER",
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", _LACKING)
def test_a_sixth_of_all_queries_is_the_engines_sql_and_holds_nothing_that_it_lacks(engine: str) -> None:
    schema, lacking = Schema.of(catalog(engine)), re.compile(_LACKING[engine])
    found: list[str] = []
    for query, _ in list(every_query())[::6]:
        sql = to_sql(query, schema)
        tree = sqlglot.parse_one(sql, read=engine)
        by_number = [one for group in tree.find_all(exp.Group) for one in group.expressions if one.is_number]
        if lacking.search(re.sub(r"'[^']*'", "''", sql)) or by_number:
            found.append(sql)
    assert found == []


@pytest.mark.parametrize("engine", ["tsql", "oracle"])
def test_nothing_is_ordered_by_a_truth_value(engine: str) -> None:
    sql = own_sql('SELECT t0."a" AS c0 FROM "x" AS t0 ORDER BY (t0."a" IS NULL), t0."a" DESC LIMIT 3', engine)
    ordered = list(sqlglot.parse_one(sql, read=engine).find_all(exp.Ordered))
    assert len(ordered) >= 2
    assert not any(isinstance(one.this.unnest(), exp.Is) for one in ordered)
    assert "TOP 3" in sql or "3 ROWS ONLY" in sql


@pytest.mark.parametrize(
    ("engine", "pattern"),
    [
        ("snowflake", r"LIKE '%50!%![a!!b%' ESCAPE '!'".replace("![", "[")),
        ("tsql", "LIKE '%50!%![a!!b%' ESCAPE '!'"),
        ("bigquery", r"LIKE '%50\\%[a!b%'"),
        ("clickhouse", r"LIKE '%50\\%[a!b%'"),
    ],
)
def test_signs_of_a_pattern_stand_for_themselves(engine: str, pattern: str) -> None:
    schema = Schema.of(catalog(engine))
    query = Grouped(Rows("customers", Text(Column("customers", "name"), "contains", "50%[A!b")), (), ())
    assert pattern in to_sql(query, schema)
