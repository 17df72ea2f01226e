"""Every operator with every other: compiled, run on two engines, and compared with a second meaning without SQL."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from little_shop import DATABASE, catalog, in_duckdb, sqlite
from rows_evaluator import Evaluator

from assistant.analyst.algebra import (
    ALL,
    Aggregate,
    Arithmetic,
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
    SetOf,
    Share,
    Single,
    Term,
    Text,
    Window,
    Within,
    here,
)
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.sql.scopes import CompileError
from assistant.evaluation.comparison import same

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
    ALL,
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


@pytest.fixture(scope="module")
def compare() -> Iterator[object]:
    engines = {"sqlite": sqlite(), "duckdb": in_duckdb()}
    schema = Schema.of(catalog())
    meaning = Evaluator(DATABASE)

    def check(query: Query, *, ordered: bool = False) -> None:
        gold = meaning.run(query)
        for dialect, engine in engines.items():
            sql = to_sql(query, schema, dialect=dialect)
            rows = engine.execute(sql).fetchall()
            assert same(rows, gold, ordered=ordered), f"{dialect}: {query}\n{sql}\n{rows}\nexpected {gold}"

    yield check
    for engine in engines.values():
        engine.close()


@pytest.mark.parametrize("condition", OF_ORDERS)
def test_every_condition_negated_and_joined_with_every_other(condition: Condition, compare) -> None:  # type: ignore
    for other in OF_ORDERS[OF_ORDERS.index(condition) % 4 :: 4]:
        for where in (condition, Not(condition), Either((condition, Not(other))), Both((Not(condition), other))):
            compare(Listing(Rows("orders", where), (Column("orders", "id"),)))


@pytest.mark.parametrize("condition", OF_ORDERS)
def test_rows_that_meet_a_condition_fail_it_or_leave_it_open_are_all(condition: Condition) -> None:
    schema, engine = Schema.of(catalog()), sqlite()
    total = 0
    for where in (condition, Not(condition)):
        total += engine.execute(to_sql(Grouped(Rows("orders", where), (), (Count(),)), schema)).fetchone()[0]
    unknown = sum(Evaluator(DATABASE).holds(condition, h) is None for h in Evaluator(DATABASE).rows(Rows("orders")))
    assert total + unknown == len(DATABASE.tables["orders"])


@pytest.mark.parametrize(("keys", "figure"), [*product(KEYS, FIGURES)])
def test_every_figure_with_all_keys_and_conditions(keys: tuple[Term, ...], figure: Figure, compare) -> None:  # type: ignore
    for where in OF_ORDERS[FIGURES.index(figure) % 7 :: 7]:
        compare(Grouped(Rows("orders", where), keys, (figure, Count())))


@pytest.mark.parametrize("figure", [f for f in FIGURES if not isinstance(f, Share) and DAY not in here(f)])
def test_every_window_over_every_figure(figure: Figure, compare) -> None:  # type: ignore
    quarter, region = Grain(DAY, "quarter"), REGION
    for window in (
        Window("running", figure),
        Window("moving", figure, n=3),
        Window("lag", figure, n=2),
        Window("rank", figure),
        Combined("growth", Window("lag", figure), figure),
    ):
        compare(Grouped(Rows("orders"), (quarter,), (window,)))
    for how in ("running", "lag", "rank"):
        compare(Grouped(Rows("orders"), (quarter, region), (figure, Window(how, figure, within=(1,)))))
    compare(Grouped(Rows("orders"), (quarter, region), (Share(Count(), (1,)), figure)))


@pytest.mark.parametrize("figure", FIGURES)
def test_groups_are_filtered_ordered_cut_and_counted_again(figure: Figure, compare) -> None:  # type: ignore
    keys = (REGION, Grain(DAY, "year"))
    by = (Order(2, descending=True), Order(0), Order(1))
    base = Grouped(Rows("orders"), keys, (figure,))
    having = Grouped(Rows("orders"), keys, (figure, Count()), having=Compare(Output(3), ">", Constant(1)))
    compare(Grouped(Rows("orders"), keys, (figure,), order=by), ordered=True)
    compare(Grouped(Rows("orders"), keys, (figure,), order=by, limit=Limit(3)), ordered=True)
    compare(Grouped(Rows("orders"), keys, (figure,), order=by[:1], limit=Limit(2, (0,), ties=True)))
    compare(Grouped(Rows("orders"), keys, (figure,), order=by, limit=Limit(1, (1,)), shown=(0,)))
    compare(having)
    compare(Grouped(Groups(having), (Output(0),), (Aggregate("mean", Output(3)), Count())))
    compare(Grouped(Groups(base, Not(Missing(Output(0)))), (), (Count(), Aggregate("max", Output(2)))))
    compare(Listing(Groups(base), (Output(1),), distinct=True))


@pytest.mark.parametrize("how", ["union", "intersect", "except"])
def test_results_as_sets(how: str, compare) -> None:  # type: ignore
    dear = Listing(DEAR, (Column("orders", "customer_id"),))
    compare(SetOf(how, dear, BUYERS_2021))  # type: ignore
    compare(SetOf("union", SetOf(how, dear, BUYERS_2021), Listing(Rows("customers", NORTH), (ID,))))  # type: ignore


def test_a_listing_orders_by_what_it_does_not_show(compare) -> None:  # type: ignore
    outputs = (NAME, FREIGHT, Column("orders", "id"))
    by = (Order(1, descending=True), Order(2))
    compare(Listing(Rows("orders"), outputs, order=by, limit=Limit(4), shown=1), ordered=True)
    compare(Listing(Rows("orders"), outputs, order=by, limit=Limit(1, (0,)), shown=2))


def test_a_sum_from_another_table_is_not_multiplied_by_a_join(compare) -> None:  # type: ignore
    both = (Aggregate("sum", FREIGHT), Aggregate("sum", SPENT, of=Rows("lines")))
    compare(Grouped(Rows("orders"), (REGION,), both))


def test_a_table_with_many_rows_for_one_cannot_be_read_as_a_column() -> None:
    with pytest.raises(CompileError, match="no single row"):
        to_sql(Listing(Rows("customers"), (FREIGHT,)), Schema.of(catalog()))


def test_names_and_texts_are_quoted() -> None:
    sql = to_sql(Listing(Rows("orders", Compare(NAME, "=", Constant("O'Neil"))), (NAME,)), Schema.of(catalog()))
    assert "'O''Neil'" in sql
    assert '"name"' in sql
