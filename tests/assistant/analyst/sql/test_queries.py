"""Every operator with every other: compiled, run on two engines, and compared with a second meaning without SQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shop_queries as shop
from little_shop import DATABASE, catalog, in_duckdb, sqlite
from rows_evaluator import Evaluator

from assistant.analyst.algebra import (
    Aggregate,
    Compare,
    Condition,
    Constant,
    Count,
    Figure,
    Grouped,
    Listing,
    Not,
    Query,
    Rows,
    Term,
)
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.sql.scopes import CompileError
from assistant.evaluation.comparison import are_equal


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
            assert are_equal(rows, gold, ordered=ordered), f"{dialect}: {query}\n{sql}\n{rows}\nexpected {gold}"

    yield check
    for engine in engines.values():
        engine.close()


@pytest.mark.parametrize("condition", shop.OF_ORDERS)
def test_every_condition_negated_and_joined_with_every_other(condition: Condition, compare) -> None:  # type: ignore
    for query in shop.combined(condition):
        compare(query)


@pytest.mark.parametrize("condition", shop.OF_ORDERS)
def test_rows_that_meet_a_condition_fail_it_or_leave_it_open_are_all(condition: Condition) -> None:
    schema, engine = Schema.of(catalog()), sqlite()
    total = 0
    for where in (condition, Not(condition)):
        total += engine.execute(to_sql(Grouped(Rows("orders", where), (), (Count(),)), schema)).fetchone()[0]
    unknown = sum(Evaluator(DATABASE).holds(condition, h) is None for h in Evaluator(DATABASE).rows(Rows("orders")))
    assert total + unknown == len(DATABASE.tables["orders"])


@pytest.mark.parametrize(("keys", "figure"), shop.KINDS_OF_FIGURES)
def test_every_figure_with_all_keys_and_conditions(keys: tuple[Term, ...], figure: Figure, compare) -> None:  # type: ignore
    for query in shop.figured(keys, figure):
        compare(query)


@pytest.mark.parametrize("figure", shop.WINDOWED)
def test_every_window_over_every_figure(figure: Figure, compare) -> None:  # type: ignore
    for query in shop.windowed(figure):
        compare(query)


@pytest.mark.parametrize("figure", shop.FIGURES)
def test_groups_are_filtered_ordered_cut_and_counted_again(figure: Figure, compare) -> None:  # type: ignore
    for query, ordered in shop.regrouped(figure):
        compare(query, ordered=ordered)


def test_a_listing_orders_by_what_it_does_not_show(compare) -> None:  # type: ignore
    for query, ordered in shop.hidden_order():
        compare(query, ordered=ordered)


def test_a_sum_from_another_table_is_not_multiplied_by_a_join(compare) -> None:  # type: ignore
    both = (Aggregate("sum", shop.FREIGHT), Aggregate("sum", shop.SPENT, of=Rows("lines")))
    compare(Grouped(Rows("orders"), (shop.REGION,), both))


def test_a_table_with_many_rows_for_one_cannot_be_read_as_a_column() -> None:
    with pytest.raises(CompileError, match="no single row"):
        to_sql(Listing(Rows("customers"), (shop.FREIGHT,)), Schema.of(catalog()))


def test_names_and_texts_are_quoted() -> None:
    sql = to_sql(
        Listing(Rows("orders", Compare(shop.NAME, "=", Constant("O'Neil"))), (shop.NAME,)), Schema.of(catalog())
    )
    assert "'O''Neil'" in sql
    assert '"name"' in sql
