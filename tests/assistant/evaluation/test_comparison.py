"""What counts as the same result: laws of the comparison, and the cases that engines differ in."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evaluation.comparison import are_equal, contains_result, is_ordered

CELLS = st.one_of(
    st.none(),
    st.integers(-(10**5), 10**5),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 2)),
    st.sampled_from(["", "north", "south", "0042"]),
    st.dates(),
)
TABLES = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=8))


@given(TABLES, st.randoms(use_true_random=False))
def test_permuted_rows_and_columns_are_equal(rows, random) -> None:
    order = list(range(len(rows[0])))
    random.shuffle(order)
    turned = [tuple(row[i] for i in order) for row in rows]
    assert are_equal(turned, rows, ordered=True)
    random.shuffle(turned)
    assert are_equal(turned, rows, ordered=False)


@given(TABLES, st.data())
def test_a_changed_cell_differs(rows, data) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[0]) - 1))
    changed = [list(row) for row in rows]
    changed[at][column] = "a value that stands nowhere else"
    assert not are_equal(changed, rows, ordered=False)
    assert not are_equal(rows, changed, ordered=False)


@given(TABLES, st.integers(0, 3), st.randoms(use_true_random=False))
def test_noise_below_the_tolerance_changes_nothing(rows, seed, random) -> None:
    noisy = [tuple(cell * (1 + 1e-12 * seed) if isinstance(cell, float) else cell for cell in row) for row in rows]
    random.shuffle(noisy)
    assert are_equal(noisy, rows, ordered=False)


@given(TABLES)
def test_a_further_column_is_held_but_not_the_same(rows) -> None:
    wide = [("further", *row) for row in rows]
    assert contains_result(wide, rows, ordered=True)
    assert not are_equal(wide, rows, ordered=True)
    assert not contains_result(rows, wide, ordered=False)


def test_columns_that_look_alike_are_told_apart_by_their_rows() -> None:
    gold = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    assert are_equal([(c, a, b) for a, b, c in gold], gold, ordered=False)
    # Each column holds 1, 2 and 3, as the gold's do; but the rows are others.
    assert not are_equal([(1, 1, 1), (2, 2, 2), (3, 3, 3)], gold, ordered=False)


def test_many_alike_columns_on_many_rows_come_to_an_end() -> None:
    gold = [tuple((row + column) % 97 for column in range(9)) for row in range(97)]
    odd = [tuple((row + column * column) % 97 for column in range(9)) for row in range(97)]
    assert not are_equal(odd, gold, ordered=False)


def test_duplicate_rows_count() -> None:
    assert not are_equal([(1,), (1,), (2,)], [(1,), (2,), (2,)], ordered=False)
    assert not are_equal([(1,)], [(1,), (1,)], ordered=False)


def test_order_counts_where_the_gold_orders() -> None:
    assert not are_equal([(2,), (1,)], [(1,), (2,)], ordered=True)
    assert are_equal([(2,), (1,)], [(1,), (2,)], ordered=False)


def test_dense_numbers_are_not_melted_together() -> None:
    gold = [(1_000_000 + 10 * i, f"n{i}") for i in range(50)]
    assert are_equal(list(reversed(gold)), gold, ordered=False)
    assert not are_equal([(number, f"n{49 - i}") for i, (number, _) in enumerate(gold)], gold, ordered=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Decimal("12.50"), 12.5),
        (True, 1),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1), date(2026, 3, 1)),
        (datetime(2026, 3, 1, 9, 30), "2026-03-01 09:30:00"),
        ("2013", 2013),
        (1e9, 1e9 + 100),
        (0.0, 1e-12),
    ],
)
def test_what_engines_write_differently_is_equal(one: object, other: object) -> None:
    assert are_equal([(one,)], [(other,)], ordered=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [(None, 0), (None, ""), ("0042", 42), (1.0, 1.00001), ("North", "north"), (b"1", "1"), (date(2026, 3, 1), 2026)],
)
def test_what_differs_is_not_equal(one: object, other: object) -> None:
    assert not are_equal([(one,)], [(other,)], ordered=False)


def test_empty_results_are_equal_whatever_their_columns() -> None:
    assert are_equal([], [], ordered=True)
    assert not are_equal([(1,)], [], ordered=True)


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("SELECT a FROM t ORDER BY a", True),
        ("SELECT a FROM t UNION SELECT b FROM t ORDER BY 1", True),
        ("SELECT a FROM t WHERE b = (SELECT b FROM t ORDER BY b LIMIT 1)", False),
        ("SELECT a FROM (SELECT a FROM t ORDER BY a) AS s", False),
        ("SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t", False),
    ],
)
def test_only_the_outermost_order_counts(sql: str, ordered: bool) -> None:
    assert is_ordered(sql, dialect="sqlite") is ordered
