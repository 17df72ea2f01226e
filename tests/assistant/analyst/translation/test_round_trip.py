"""SQL that the compiler writes is read as the query that it was written from, on engines with templates and without."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest
from composed.domains import LEARNT, MEASURED, made
from composed.questions import questions

from assistant.analyst import algebra as al
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.headings import in_order, statement
from assistant.analyst.source import AnalystSource
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.translation.queries import translate

ENGINES = ("sqlite", "duckdb", "postgres", "mysql", "snowflake")


@cache
def source(name: str, engine: str) -> AnalystSource:
    return AnalystSource(replace(made(name).catalog(), dialect=engine), (), date(2023, 1, 1))


def normal(query: al.Query) -> al.Query:
    """A query whose conditions are a plain list: SQL has no other."""

    def flat(value: Any) -> Any:
        if not isinstance(value, al.Both):
            return value
        conditions = tuple(part for condition in value.conditions for part in al.conditions_of(condition))
        return conditions[0] if len(conditions) == 1 else al.Both(conditions)

    return al.mapped(query, flat)


def assert_same(query: al.Query, sql: str, data: AnalystSource) -> None:
    """The very query; or, where a table has two names of its own, one that is written alike."""
    translation = translate(sql, data)
    expected = normal(query)
    assert translation.query == expected or to_sql(translation.query, data.schema) == to_sql(expected, data.schema), sql
    assert not translation.remarks, sql


@pytest.mark.parametrize("name", [*MEASURED, *LEARNT])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_composed_query_is_read_from_its_sql(name: str, engine: str) -> None:
    data = source(name, engine)
    for composed in questions(name, 80 if engine == "sqlite" else 24, seed=7):
        assert_same(composed.query, to_sql(composed.query, data.schema), data)


@pytest.mark.parametrize("name", MEASURED)
def test_every_composed_query_is_read_from_the_statement_that_a_person_sees(name: str) -> None:
    data = source(name, "sqlite")
    for composed in questions(name, 60, seed=5):
        sql = statement(Meaning(source=data.name, query=composed.query), data.schema)
        assert_same(in_order(composed.query, data.schema), sql, data)
