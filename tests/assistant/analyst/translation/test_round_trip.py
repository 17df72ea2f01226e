"""Plain SQL that the compiler writes is read as the query that it was written from, or refused; never as another."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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
from assistant.analyst.translation.templates import Untranslatable

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


def plain_ones(data: AnalystSource, statements: Iterable[tuple[al.Query, str]]) -> int:
    """How many are read: each as it was meant."""
    read = 0
    for query, sql in statements:
        with suppress(Untranslatable):
            assert_same(query, sql, data)
            read += 1
    return read


@pytest.mark.slow
@pytest.mark.parametrize("name", [*MEASURED, *LEARNT])
@pytest.mark.parametrize("engine", ENGINES)
def test_composed_queries_are_read_from_their_sql(name: str, engine: str) -> None:
    data = source(name, engine)
    composed = list(questions(name, 80 if engine == "sqlite" else 24, seed=7))
    read = plain_ones(data, ((one.query, to_sql(one.query, data.schema)) for one in composed))
    assert read * 8 >= len(composed)


@pytest.mark.parametrize("name", MEASURED)
def test_composed_queries_are_read_from_the_statement_that_a_person_sees(name: str) -> None:
    data = source(name, "sqlite")
    statements = (
        (in_order(one.query, data.schema), statement(Meaning(source=data.name, query=one.query), data.schema))
        for one in questions(name, 60, seed=5)
    )
    assert plain_ones(data, statements) > 0
