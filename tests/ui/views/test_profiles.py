"""What the page of a column shows of its most frequent values."""

from __future__ import annotations

import pytest

from assistant.connections.descriptions import ColumnShown
from ui.screens.source_tables import has_repeats


@pytest.mark.parametrize(
    ("top", "rows", "nulls", "is_said"),
    [
        ((("North", 120), ("South", 80)), 300, 0, True),
        (((64.01, 2), (1.64, 1), (6.41, 1)), 300, 0, False),
        (((64.01, 2), (1.64, 1), (6.41, 1)), 300, 280, True),
        (((1, 1), (2, 1)), 2, 0, False),
        ((), 0, 0, False),
        (((None, 9),), 9, 9, False),
    ],
)
def test_values_are_drawn_where_the_most_frequent_ones_say_something_of_the_column(
    top: tuple[tuple[object, int], ...], rows: int, nulls: int, is_said: bool
) -> None:
    column = ColumnShown(name="x", type="REAL", kind="number", role="measure", guessed="measure", nulls=nulls, top=top)
    assert has_repeats(column, rows) is is_said


def test_counts_of_the_first_rows_alone_are_not_held_against_all_rows() -> None:
    column = ColumnShown(
        name="x", type="TEXT", kind="text", role="category", guessed="category", top=(("a", 400),), sampled=True
    )
    assert has_repeats(column, 1_000_000)
