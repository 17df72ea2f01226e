"""What stands out in a result is said to whoever goes on with it."""

from __future__ import annotations

from assistant.agents.model.observations import describe_oddities, describe_types
from assistant.cells.tables import TableView


def view(*rows: tuple[object, ...], total: int | None = None) -> TableView:
    return TableView(columns=("region", "revenue"), rows=rows, total=len(rows) if total is None else total)


def test_an_empty_result_one_row_and_columns_without_a_value_are_said() -> None:
    assert "empty" in describe_oddities(view())[0]
    assert "one row only" in describe_oddities(view(("North", 1.0)))[0]
    assert "Without a single value: revenue." in describe_oddities(view(("North", None), ("South", None)))
    assert describe_oddities(view(("North", 1.0), ("South", 2.0))) == ()


def test_rows_that_repeat_point_to_a_join_that_multiplies() -> None:
    assert "2 of 3 rows repeat" in describe_oddities(view(("North", 1.0), ("North", 1.0), ("North", 1.0)))[0]


def test_columns_are_told_with_type_and_gaps() -> None:
    assert describe_types(view(("North", 1.0), ("South", None))) == ("region (text)", "revenue (number, 1 empty)")
