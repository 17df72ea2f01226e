"""Queries that make no sense do not type-check, and the reason says why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from little_shop import catalog

from assistant.analyst.algebra import (
    Aggregate,
    Arithmetic,
    Both,
    Column,
    Compare,
    Constant,
    Count,
    Days,
    Figure,
    Grain,
    Grouped,
    Groups,
    Listing,
    Order,
    Output,
    Query,
    Related,
    Rows,
    Share,
    Single,
    Text,
    Window,
    Within,
)
from assistant.analyst.checking import problems
from assistant.analyst.schema import Schema
from assistant.core import catalog as found

DAY, FREIGHT, CUSTOMER = (Column("orders", name) for name in ("day", "freight", "customer_id"))
NAME, PRICE, QUANTITY = Column("customers", "name"), Column("products", "price"), Column("lines", "quantity")
ORDERS = Rows("orders")


IN_2024, IN_2025 = Within(DAY, "2024-01-01", "2025-01-01"), Within(DAY, "2025-01-01", "2026-01-01")


def said(query: Query) -> str:
    return " ".join(problems(query, Schema.of(catalog())))


def of_orders(*figures: Figure) -> Grouped:
    return Grouped(ORDERS, (Grain(DAY, "year"), NAME), figures)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (of_orders(Aggregate("sum", CUSTOMER)), "'customer_id' cannot be added up: it is a key"),
        (of_orders(Aggregate("mean", CUSTOMER)), "has no mean"),
        (
            Listing(
                Rows(
                    "customers",
                    Both((Related("customers", ORDERS, "none"), Related("customers", Rows("lines"), "some"))),
                ),
                (NAME,),
            ),
            "nothing that it leads to",
        ),
        (Listing(Rows("orders", Related("customers", ORDERS, "none")), (DAY,)), "is one of them itself"),
        (of_orders(Aggregate("sum", DAY)), "it is a date"),
        (of_orders(Aggregate("max", NAME)), "no least or greatest"),
        (Grouped(Rows("lines"), (), (Aggregate("sum", PRICE),)), "'price' cannot be added up: it is a rate"),
        (of_orders(Share(Aggregate("mean", FREIGHT))), "Only counts and sums have shares"),
        (of_orders(Window("running", Count(), along=1)), "no order to go along"),
        (of_orders(Window("running", Aggregate("mean", FREIGHT))), "running total"),
        (of_orders(Window("lag", Window("lag", Count()))), "of the groups alone"),
        (of_orders(Window("lag", Count(), along=2)), "needs a key"),
        (Listing(Rows("customers"), (FREIGHT,)), "no single row of 'orders'"),
        (of_orders(Count(of=Rows("products"))), "no single row"),
        (Listing(Rows("orders", Compare(NAME, ">", Constant(5))), (DAY,)), "'name' has no size"),
        (Listing(Rows("orders", Within(FREIGHT, "2020-01-01", "")), (DAY,)), "'freight' is no date"),
        (Listing(Rows("orders", Both((IN_2024, IN_2025))), (DAY,)), "two periods that do not meet"),
        (
            Listing(
                Rows("orders", Both((Compare(FREIGHT, "=", Constant(1)), Compare(FREIGHT, "=", Constant(2))))), (DAY,)
            ),
            "two values in one column",
        ),
        (
            Grouped(
                Rows("orders", Compare(FREIGHT, "=", Constant(1))), (), (Count(Compare(FREIGHT, "=", Constant(2))),)
            ),
            "two values in one column",
        ),
        (Listing(Rows("orders", Text(FREIGHT, "contains", "a")), (DAY,)), "is no text"),
        (Listing(Rows("orders", Related("orders", Rows("nowhere"))), (DAY,)), "have no rows"),
        (Listing(Rows("lines", Related("lines", ORDERS, "none")), (QUANTITY,)), "Each row of 'lines' has a row"),
        (Listing(ORDERS, (Grain(NAME, "year"),)), "'name' is no date"),
        (Listing(ORDERS, (Arithmetic("+", NAME, FREIGHT),)), "no quantity"),
        (Listing(ORDERS, (DAY,), order=(Order(1),)), "no output at place 1"),
        (Listing(Groups(of_orders(Count())), (Output(3),)), "no output at place 3"),
        (Listing(Rows("orders", Compare(FREIGHT, ">", Single(of_orders(Count())))), (DAY,)), "one figure"),
    ],
)
def test_what_makes_no_sense_does_not_type_check(query: Query, why: str) -> None:
    assert why in said(query)


@pytest.mark.parametrize(
    "query",
    [
        of_orders(Aggregate("sum", FREIGHT), Aggregate("sum", Arithmetic("*", QUANTITY, PRICE), of=Rows("lines"))),
        of_orders(Aggregate("mean", Days(DAY, Column("orders", "shipped"))), Share(Count(), (0,))),
        of_orders(Window("running", Count(), within=(1,)), Aggregate("max", DAY)),
        Grouped(Groups(of_orders(Count())), (Output(0),), (Aggregate("mean", Output(2)),)),
        Listing(Rows("customers", Related("customers", ORDERS, "none")), (NAME,)),
    ],
)
def test_what_makes_sense_type_checks(query: Query) -> None:
    assert said(query) == ""


def test_a_stock_is_added_up_over_things_but_not_over_time() -> None:
    def column(name: str, kind: found.ColumnKind, low: int | None, high: int | None) -> found.Column:
        return found.Column(
            name=name, type="", kind=kind, profile=found.Profile(distinct=9, nulls=0, low=low, high=high)
        )

    table = found.Table(
        name="countries",
        columns=(
            column("continent", "text", None, None),
            column("year", "integer", 1952, 2007),
            column("population", "integer", 10, 90),
        ),
        rows=90,
    )
    schema = Schema.of(found.Catalog(source="gapminder", dialect="duckdb", tables=(table,)))
    continent, year, population = schema.tables["countries"].columns
    total = (Aggregate("sum", population),)
    assert "over time" in problems(Grouped(Rows("countries"), (continent,), total), schema)[0]
    assert problems(Grouped(Rows("countries"), (continent, year), total), schema) == ()
    in_2007 = Rows("countries", Compare(year, "=", Constant(2007)))
    assert problems(Grouped(in_2007, (continent,), total), schema) == ()


def test_a_level_that_is_known_by_the_day_is_not_added_up_over_a_month() -> None:
    """One value a month is the month's; a value a day is none of the month's own, and a running total has no mean."""

    def daily(days: int) -> Schema:
        day = found.Profile(distinct=days, nulls=0, low="2024-10-01", high="2024-12-31")
        trips = found.Profile(distinct=days, nulls=0, low=10, high=900, running=True)
        columns = (
            found.Column(name="day", type="", kind="date", profile=day),
            found.Column(name="trips", type="", kind="integer", profile=trips),
        )
        return Schema.of(
            found.Catalog(
                source="rides", dialect="duckdb", tables=(found.Table(name="rides", columns=columns, rows=days),)
            )
        )

    day, trips = daily(92).tables["rides"].columns
    by_month = Grouped(Rows("rides"), (Grain(day, "month"),), (Aggregate("sum", trips),))
    assert "over time" in problems(by_month, daily(92))[0]
    assert problems(by_month, daily(3)) == ()
    assert problems(replace(by_month, keys=(day,)), daily(92)) == ()
    mean = replace(by_month, figures=(Aggregate("mean", trips),))
    assert "running total" in problems(mean, daily(92))[0]
