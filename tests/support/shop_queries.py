"""Every operator of the analyst's algebra with every other, over the little shop: the queries that engines must agree on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from assistant.analyst.algebra import (
    NO_FILTER,
    Aggregate,
    Arithmetic,
    Band,
    Both,
    Column,
    Combined,
    Compare,
    Condition,
    Constant,
    Count,
    Days,
    Either,
    Figure,
    Grain,
    Grouped,
    Groups,
    Limit,
    Listing,
    Member,
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
    Term,
    Text,
    Window,
    Within,
    here,
)

ID, NAME, REGION = (Column("customers", name) for name in ("id", "name", "region"))
DAY, SHIPPED, FREIGHT = (Column("orders", name) for name in ("day", "shipped", "freight"))
KIND, PRICE, QUANTITY = Column("products", "kind"), Column("products", "price"), Column("lines", "quantity")
SPENT = Arithmetic("*", QUANTITY, PRICE)
NORTH = Compare(REGION, "=", Constant("North"))
IN_2021 = Within(DAY, "2021-01-01", "2022-01-01")
DEAR = Rows("orders", Compare(FREIGHT, ">", Constant(6)))
MEAN_FREIGHT = Grouped(Rows("orders"), (), (Aggregate("mean", FREIGHT),))
BUYERS_2021 = Listing(Rows("orders", IN_2021), (Column("orders", "customer_id"),), distinct=True)
KNOWN_BUYERS = Listing(
    Rows("orders", Both((IN_2021, Not(Missing(Column("orders", "customer_id")))))), (Column("orders", "customer_id"),)
)
FOOD = Rows("lines", Compare(KIND, "=", Constant("food")))

OF_ORDERS: tuple[Condition, ...] = (
    NO_FILTER,
    Compare(FREIGHT, ">=", Constant(5)),
    Compare(SHIPPED, ">", DAY),
    OneOf(REGION, ("North", "South")),
    Missing(FREIGHT),
    Missing(REGION),
    Text(NAME, "ends", "3"),
    Text(NAME, "contains", "OMER"),
    Text(NAME, "starts", "100%"),
    IN_2021,
    Within(SHIPPED, "", "2021-06-01"),
    Compare(Grain(DAY, "weekday"), "=", Constant(1)),
    Compare(Days(DAY, SHIPPED), "<", Constant(100)),
    Compare(FREIGHT, ">", Single(MEAN_FREIGHT)),
    Member(ID, BUYERS_2021),
    Member(ID, KNOWN_BUYERS),
    Related("orders", Rows("lines"), "some"),
    Related("orders", FOOD, "none"),
    Related("orders", FOOD, "every"),
    Related("customers", DEAR, "at least", 2),
    Related("customers", Rows("lines", Compare(QUANTITY, ">", Constant(4))), "at most", 1),
    Related("customers", Rows("orders"), "exactly", 3),
)
KEYS: tuple[tuple[Term, ...], ...] = (
    (),
    (REGION,),
    (Grain(DAY, "year"),),
    (Grain(DAY, "quarter"), REGION),
    (ID, NAME),
    (Band(FREIGHT, 5),),
    (Grain(DAY, "decade"), Grain(DAY, "month of year")),
)
FIGURES: tuple[Figure, ...] = (
    Count(),
    Count(where=IN_2021),
    Count(of=Rows("lines")),
    Aggregate("sum", FREIGHT),
    Aggregate("mean", FREIGHT, where=Not(NORTH)),
    Aggregate("median", FREIGHT),
    Aggregate("percentile", FREIGHT, fraction=0.9),
    Aggregate("stddev", FREIGHT),
    Aggregate("min", DAY),
    Aggregate("distinct", REGION),
    Aggregate("count", SHIPPED),
    Aggregate("sum", SPENT, of=FOOD),
    Combined("ratio", Aggregate("sum", SPENT, of=Rows("lines")), Count()),
    Combined("growth", Aggregate("sum", FREIGHT, where=IN_2021), Aggregate("sum", FREIGHT)),
    Combined("difference", Aggregate("max", FREIGHT), Aggregate("min", FREIGHT)),
    Share(Count()),
)

KINDS_OF_FIGURES = tuple(product(KEYS, FIGURES))
WINDOWED = tuple(f for f in FIGURES if not isinstance(f, Share) and DAY not in here(f))


def combined(condition: Condition) -> Iterator[Query]:
    """A condition negated, and joined with others."""
    for other in OF_ORDERS[OF_ORDERS.index(condition) % 4 :: 4]:
        for where in (condition, Not(condition), Either((condition, Not(other))), Both((Not(condition), other))):
            yield Listing(Rows("orders", where), (Column("orders", "id"),))


def figured(keys: tuple[Term, ...], figure: Figure) -> Iterator[Query]:
    """A figure for each group of the orders that meet conditions."""
    for where in OF_ORDERS[FIGURES.index(figure) % 7 :: 7]:
        yield Grouped(Rows("orders", where), keys, (figure, Count()))


def windowed(figure: Figure) -> Iterator[Query]:
    """Every window over a figure."""
    quarter, region = Grain(DAY, "quarter"), REGION
    for window in (
        Window("running", figure),
        Window("moving", figure, n=3),
        Window("lag", figure, n=2),
        Window("rank", figure),
        Combined("growth", Window("lag", figure), figure),
    ):
        yield Grouped(Rows("orders"), (quarter,), (window,))
    for how in ("running", "lag", "rank"):
        yield Grouped(Rows("orders"), (quarter, region), (figure, Window(how, figure, within=(1,))))
    yield Grouped(Rows("orders"), (quarter, region), (Share(Count(), (1,)), figure))


def regrouped(figure: Figure) -> Iterator[tuple[Query, bool]]:
    """Groups filtered, ordered, cut and counted again; and whether their order counts."""
    keys = (REGION, Grain(DAY, "year"))
    by = (Order(2, descending=True), Order(0), Order(1))
    base = Grouped(Rows("orders"), keys, (figure,))
    having = Grouped(Rows("orders"), keys, (figure, Count()), having=Compare(Output(3), ">", Constant(1)))
    yield Grouped(Rows("orders"), keys, (figure,), order=by), True
    yield Grouped(Rows("orders"), keys, (figure,), order=by, limit=Limit(3)), True
    yield Grouped(Rows("orders"), keys, (figure,), order=by[:1], limit=Limit(2, (0,), ties=True)), False
    yield Grouped(Rows("orders"), keys, (figure,), order=by, limit=Limit(1, (1,)), shown=(0,)), False
    yield Grouped(Rows("orders"), keys, (figure,), order=by[:1], limit=Limit(1, (0,), ties=True, skip=1)), False
    yield having, False
    yield Grouped(Groups(having), (Output(0),), (Aggregate("mean", Output(3)), Count())), False
    yield Grouped(Groups(base, Not(Missing(Output(0)))), (), (Count(), Aggregate("max", Output(2)))), False
    yield Listing(Groups(base), (Output(1),), distinct=True), False


def hidden_order() -> Iterator[tuple[Query, bool]]:
    """Listings in the order of what they do not show."""
    outputs = (NAME, FREIGHT, Column("orders", "id"))
    by = (Order(1, descending=True), Order(2))
    yield Listing(Rows("orders"), outputs, order=by, limit=Limit(4), shown=1), True
    yield Listing(Rows("orders"), outputs, order=by, limit=Limit(1, (0,)), shown=2), False
    yield Listing(Rows("orders"), outputs, order=by[:1], limit=Limit(2, (0,), ties=True, skip=1), shown=2), False


def every_query() -> Iterator[tuple[Query, bool]]:
    """All of them, each with whether its order counts."""
    for condition in OF_ORDERS:
        yield from ((query, False) for query in combined(condition))
    for keys, figure in KINDS_OF_FIGURES:
        yield from ((query, False) for query in figured(keys, figure))
    for figure in WINDOWED:
        yield from ((query, False) for query in windowed(figure))
    for figure in FIGURES:
        yield from regrouped(figure)
    yield from hidden_order()
