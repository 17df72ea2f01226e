"""Several tables of one name: the one whose schema a question names, else a question back; never one of them unsaid."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Ambiguous, Outcome, Understood
from assistant.core.catalog import Catalog, Column, Table


def visits(schema: str, rows: int) -> Table:
    columns = (
        Column(name="id", type="INTEGER", kind="integer", nullable=False),
        Column(name="ward", type="VARCHAR", kind="text"),
        Column(name="fee", type="DOUBLE", kind="number"),
    )
    return Table(name="visits", schema=schema, columns=columns, primary_key=("id",), rows=rows)


CLINICS = Catalog(source="clinics", dialect="duckdb", tables=(visits("north", 60), visits("south", 90)))


def read(question: str) -> Outcome:
    return Analyst([CLINICS], (), date(2026, 6, 1)).read(question)


@pytest.mark.parametrize("schema", ["north", "south"])
@pytest.mark.parametrize("question", ["How many rows are in {}.visits?", "total fee by ward in the {}"])
def test_a_schema_that_is_named_is_read(question: str, schema: str) -> None:
    outcome = read(question.format(schema))
    assert isinstance(outcome, Understood), outcome
    sql = Analyst([CLINICS], (), date(2026, 6, 1)).sql(outcome.meaning)
    assert f'FROM "{schema}"."visits"' in sql
    assert ({"north", "south"} - {schema}).pop() not in sql


@pytest.mark.parametrize("question", ["How many visits are there?", "total fee by ward", "average fee"])
def test_where_none_is_named_it_is_asked(question: str) -> None:
    outcome = read(question)
    assert isinstance(outcome, Ambiguous), outcome
    labels = " ".join(label for label, _ in outcome.options)
    assert "north.visits" in labels
    assert "south.visits" in labels
