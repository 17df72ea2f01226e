"""Two results: what agrees, and the likely cause of what does not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from assistant.migration.comparing import Cell, ColumnsDiffer, ResultTable, compare_tables, find_cause, make_cell

INFINITE = float("inf")


def table(*rows: tuple[Cell, ...], is_text: bool = False) -> ResultTable:
    return ResultTable(columns=tuple(f"c{n}" for n in range(len(rows[0]))), rows=rows, is_text=is_text)


@pytest.mark.parametrize(
    ("recorded", "result", "cause"),
    [
        (1, 1.0, None),
        ("1.50", 1.5, "value"),
        (1.0, "1", "value"),
        (True, True, None),
        (True, 1, "value"),
        (10_000_000_001, 10_000_000_004, "value"),
        (10_000_000_001.0, 10_000_000_004, "value"),
        (10_000_000_001.5, 10_000_000_004, "value"),
        (2**53, 2**53 + 1, "value"),
        (10**400, 1.5, "value"),
        (1e23, 10**23, None),
        (INFINITE, INFINITE, None),
        (INFINITE, -INFINITE, "value"),
        (INFINITE, 5, "value"),
        (float("nan"), float("nan"), "value"),
        ("+nan", "nan", "value"),
        (0.1 + 0.2, 0.3, None),
        (None, None, None),
        (None, 0, "NULL"),
        ("", None, "NULL"),
        (33.333, 33.33, "rounding"),
        (7.5, 7, "rounding"),
        (7, 8, "value"),
        ("North", "NORTH ", "case or spaces"),
        ("2026-01-05", "2026-01-05 00:00:00", "date"),
        ("2026-01-05", "2026-01-06", "value"),
        ("a", "b", "value"),
    ],
)
def test_a_difference_has_a_likely_cause(recorded: Cell, result: Cell, cause: str | None) -> None:
    assert find_cause(recorded, result) == cause


@pytest.mark.parametrize(
    ("recorded", "result", "cause"),
    [
        ("", None, None),
        ("", "", None),
        ("Null", None, "NULL"),
        ("Null", "Null", None),
        ("", "nan", "value"),
        ("", 0, "NULL"),
        ("1.50", 1.5, None),
        ("1.0", 1, None),
        (".5", 0.5, None),
        ("2.5e-7", 2.5e-7, None),
        ("1e23", 1e23, None),
        ("01", 1, "value"),
        ("1_0", 10, "value"),
        ("+4930", 4930, "value"),
        ("1E5", 100_000, "value"),
        ("True", 1, "value"),
        ("1", True, "value"),
        ("true", True, None),
        ("01", "1", "value"),
        ("10000000001", "10000000004", "value"),
        ("10000000001", 10_000_000_004, "value"),
        ("9" * 6_000, 1.5, "value"),
        ("1e999", 5, "value"),
        ("1e999", INFINITE, "value"),
        ("-inf", -INFINITE, None),
        ("+nan", float("nan"), "value"),
    ],
)
def test_a_text_of_a_file_stands_for_a_number_only_where_the_result_is_one(
    recorded: Cell, result: Cell, cause: str | None
) -> None:
    assert find_cause(recorded, result, is_text=True) == cause


def test_rows_of_a_file_are_found_by_what_they_stand_for() -> None:
    recorded = table(("", "10"), ("9", "1e999"), ("Inf", "2.5"), is_text=True)
    assert [d.cause for d in compare_tables(recorded, table((9, INFINITE), (None, 10), ("Inf", 2.5)))] == ["value"]


def test_a_column_with_another_name_is_a_difference() -> None:
    first = ResultTable(columns=("net", "Gross"), rows=((1, 2),))
    second = ResultTable(columns=("gross", "GROSS"), rows=((1, 2),))
    (difference,) = compare_tables(first, second)
    assert (difference.recorded, difference.result, difference.cause) == ("net", "gross", "name")
    assert compare_tables(first, second, unnamed=(-2,)) == ()


def test_rows_in_another_order_agree_unless_the_order_is_fixed() -> None:
    first, second = table(("a", 1), ("b", 2)), table(("b", 2), ("a", 1))
    assert compare_tables(first, second) == ()
    assert [d.cause for d in compare_tables(first, second, is_ordered=True)] == ["order"]


def test_rows_go_together_by_their_texts() -> None:
    (difference,) = compare_tables(table(("a", 1), ("b", 2)), table(("b", 5), ("a", 1)))
    assert (difference.place, difference.recorded, difference.result) == ("b, c1", 2, 5)


def test_rows_of_one_side_are_named() -> None:
    causes = [d.cause for d in compare_tables(table(("a", 1), ("b", 2)), table(("a", 1), ("c", 2)))]
    assert causes == ["missing row", "extra row"]
    assert [d.cause for d in compare_tables(table((1,), (2,)), table((1,), (2,), (3,)))] == ["extra row"]
    assert [d.cause for d in compare_tables(table(("a", 1), ("a", 1)), table(("a", 1), is_text=True))] == [
        "missing row"
    ]


def test_other_columns_cannot_be_compared() -> None:
    with pytest.raises(ColumnsDiffer, match="2 columns"):
        compare_tables(table((1, 2)), table((1,)))


def test_values_of_engines_are_compared_as_numbers_and_texts() -> None:
    assert (make_cell(Decimal("2.50")), make_cell(Decimal(2)), make_cell(date(2026, 1, 5))) == (2.5, 2, "2026-01-05")
    assert make_cell(float("nan")) is None
    assert (make_cell(Decimal("NaN")), make_cell(Decimal("-Infinity"))) == (None, -INFINITE)
