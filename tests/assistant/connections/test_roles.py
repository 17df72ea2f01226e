"""A role that a person gave a column holds over what the analyst would guess."""

from __future__ import annotations

from assistant.analyst.algebra import Column as At
from assistant.analyst.schema import Schema
from assistant.core.catalog import Catalog, Column, Profile, Table
from assistant.sources.catalog.corrections import corrected
from assistant.sources.combined.naming import combined

AMOUNT = Column(name="amount", type="DOUBLE", kind="number", profile=Profile(distinct=9, nulls=0, low=1.0, high=9.5))
CATALOG = Catalog(source="shop", dialect="duckdb", tables=(Table(name="sales", columns=(AMOUNT,), rows=9),))


def test_the_analyst_types_a_column_as_the_person_says() -> None:
    assert Schema.of(CATALOG).typed[At("sales", "amount")].role == "measure"
    said = corrected(CATALOG, {"shop.sales.amount": "rate", "other.sales.amount": "text"})
    assert Schema.of(said).typed[At("sales", "amount")].role == "rate"


def test_a_number_called_as_one_row_is_is_what_the_person_says() -> None:
    flight = Column(name="flight", type="BIGINT", kind="integer", profile=Profile(distinct=9, nulls=0, low=1, high=95))
    flights = Catalog(source="air", dialect="duckdb", tables=(Table(name="flights", columns=(flight,), rows=9),))
    assert Schema.of(flights).typed[At("flights", "flight")].role == "identifier"
    said = corrected(flights, {"air.flights.flight": "measure"})
    assert Schema.of(said).typed[At("flights", "flight")].role == "measure"


def test_what_was_said_of_a_column_holds_where_its_source_is_asked_together_with_another() -> None:
    other = Catalog(source="web", dialect="duckdb", tables=CATALOG.tables)
    together = combined("both", (CATALOG, other), ()).catalog
    assert [table.name for table in together.tables] == ["shop_sales", "web_sales"]

    def role(table: str, roles: dict[str, str]) -> str:
        return Schema.of(corrected(together, roles)).typed[At(table, "amount")].role

    said = {"shop.sales.amount": "rate"}
    assert (role("shop_sales", said), role("web_sales", said)) == ("rate", "measure")
    assert role("shop_sales", {**said, "both.shop_sales.amount": "stock"}) == "stock"
