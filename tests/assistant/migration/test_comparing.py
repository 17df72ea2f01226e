"""Two results: what agrees, and the likely cause of what does not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from assistant.migration.comparing import Cell, ColumnsDiffer, ResultTable, compare_tables, find_cause, make_cell


def table(*rows: tuple[Cell, ...], is_text: bool = False) -> ResultTable:
    return ResultTable(columns=tuple(f"c{n}" for n in range(len(rows[0]))), rows=rows, is_text=is_text)


@pytest.mark.parametrize(
    ("recorded", "result", "cause"),
    [
        (1, 1.0, None),
        ("1.50", 1.5, None),
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


def test_an_empty_text_of_a_file_is_a_missing_value() -> None:
    assert find_cause("", None, is_text=True) is None


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
