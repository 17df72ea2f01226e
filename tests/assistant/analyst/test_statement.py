"""The statement that a person approves gives what its query means, whichever way it is laid out."""

from __future__ import annotations

import pytest
from little_shop import SHOP

from assistant.analyst.algebra import Aggregate, Column, Compare, Constant, Count, Grouped, Order, Output, Rows
from assistant.analyst.meaning import Meaning
from assistant.analyst.presenting.headings import statement
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql

FREIGHT, REGION = Column("orders", "freight"), Column("customers", "region")
KEPT = Compare(Output(1), ">", Constant(1))


@pytest.mark.parametrize(
    "query",
    [
        Grouped(Rows("orders"), (REGION,), (Aggregate("median", FREIGHT),), having=KEPT, shown=(0,)),
        Grouped(Rows("orders"), (REGION,), (Aggregate("median", FREIGHT),), having=KEPT, order=(Order(1),)),
        Grouped(Rows("orders"), (REGION,), (Count(),), having=KEPT, shown=(0,), order=(Order(1),)),
    ],
    ids=["a median under a condition", "in order", "a count under a condition"],
)
def test_a_statement_gives_the_rows_of_its_query(query: Grouped) -> None:
    schema = Schema.of(SHOP.catalog())
    database = SHOP.sqlite()
    laid_out = database.execute(statement(Meaning(source="shop", query=query), schema)).fetchall()
    assert sorted(map(repr, laid_out)) == sorted(map(repr, database.execute(to_sql(query, schema)).fetchall()))
    assert laid_out
