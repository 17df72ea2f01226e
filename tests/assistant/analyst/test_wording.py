"""What a query gives is said in one sentence, and different queries are said differently."""

from __future__ import annotations

import pytest

from assistant.analyst.algebra import (
    Aggregate,
    Arithmetic,
    Column,
    Combined,
    Compare,
    Constant,
    Count,
    Grain,
    Grouped,
    Groups,
    Limit,
    Listing,
    Missing,
    Not,
    OneOf,
    Order,
    Output,
    Query,
    Related,
    Rows,
    Share,
    Single,
    Window,
    Within,
)
from assistant.analyst.presenting.headings import column_names
from assistant.analyst.wording import sentence

DAY, FREIGHT, REGION = Column("orders", "day"), Column("orders", "freight"), Column("customers", "region")
ORDERS = Rows("orders")
BY_REGION = Grouped(ORDERS, (REGION,), (Aggregate("sum", FREIGHT),), order=(Order(1, descending=True),), limit=Limit(3))

SAID: tuple[tuple[Query, str], ...] = (
    (Grouped(ORDERS, (), (Count(),)), "Number of orders"),
    (
        BY_REGION,
        "Top 3 customer regions by total freight of orders",
    ),
    (
        Listing(Rows("orders", Not(Compare(REGION, "=", Constant("North")))), (DAY,)),
        "Day of orders whose customer region is not “North”",
    ),
    (
        Listing(Rows("customers", Related("customers", Rows("orders", Missing(FREIGHT)), "at least", 2)), (REGION,)),
        "Region of customers that have at least 2 orders whose freight is missing",
    ),
    (
        Grouped(ORDERS, (Grain(DAY, "month"),), (Window("moving", Count(), n=3), Share(Count()))),
        "Moving average over 3 of the number of orders and share of the number of orders by month",
    ),
    (
        Grouped(Groups(BY_REGION), (), (Aggregate("mean", Output(1)),)),
        "Average total freight, of these results: (top 3 customer regions by total freight of orders)",
    ),
    (
        Listing(
            Rows("orders", Compare(FREIGHT, ">", Single(Grouped(ORDERS, (), (Aggregate("mean", FREIGHT),))))), (DAY,)
        ),
        "Day of orders whose freight is above the average freight of all orders",
    ),
    (
        Grouped(
            ORDERS,
            (),
            (
                Combined(
                    "growth",
                    Aggregate("sum", FREIGHT, Within(DAY, "2020-01-01", "2021-01-01")),
                    Aggregate("sum", FREIGHT, OneOf(REGION, ("North", "South"))),
                ),
            ),
        ),
        "Growth from total freight whose day is in 2020 to total freight whose customer region is “North” or “South”, of orders",
    ),
)


@pytest.mark.parametrize(("query", "said"), SAID)
def test_a_query_is_said_in_one_sentence(query: Query, said: str) -> None:
    assert sentence(query) == said


def test_the_condition_on_groups_speaks_of_outputs_that_are_not_shown() -> None:
    query = Grouped(ORDERS, (REGION,), (Count(),), having=Compare(Output(1), ">", Constant(3)), shown=(0,))
    assert sentence(query) == "Each customer region of orders, where number of orders is above 3"


def test_different_queries_are_said_differently() -> None:
    assert len({sentence(query) for query, _ in SAID}) == len(SAID)


def test_a_column_is_named_by_all_that_its_figure_is_made_of() -> None:
    price, quantity, discount = (Column("order_lines", name) for name in ("unit_price", "quantity", "discount"))
    kept = Arithmetic("-", Constant(1), discount)
    revenue = Aggregate("sum", Arithmetic("*", Arithmetic("*", price, quantity), kept))
    query = Grouped(Rows("order_lines"), (), (revenue,))
    assert sentence(query) == "Revenue (unit price × quantity, less discount) of order lines"
    assert column_names(query) == ("revenue",)
