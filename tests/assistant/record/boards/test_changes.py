"""What changed on a board's tile is told cell by cell, whatever the order of the rows."""

from __future__ import annotations

from datetime import UTC, datetime

from assistant.record.boards.board import Tile
from assistant.record.boards.boards import find_changes

TILE = Tile(
    id="1", session="s", turn=1, execution="1.1.1", title="t", text="", source="shop", sql="SELECT 1",
    columns=("region", "total"), rows=(("North", 1.0), ("South", 2.0)), total=2, at=datetime(2026, 3, 1, tzinfo=UTC),
)  # fmt: skip


def test_a_changed_figure_is_marked_where_it_stands_now() -> None:
    assert find_changes(TILE, TILE.columns, (("South", 3.0), ("North", 1.0))) == ((0, 1),)


def test_a_new_row_is_marked_whole_and_the_same_rows_not_at_all() -> None:
    assert find_changes(TILE, TILE.columns, TILE.rows) == ()
    assert find_changes(TILE, TILE.columns, (*TILE.rows, ("West", 1.0))) == ((2, 0), (2, 1))


def test_other_columns_change_everything() -> None:
    assert len(find_changes(TILE, ("region", "amount"), TILE.rows)) == 4


def of(columns: str, *rows: tuple[str | int | float, ...]) -> Tile:
    return TILE.model_copy(update={"columns": tuple(columns.split()), "rows": rows, "total": len(rows)})


def test_rows_of_one_name_are_told_apart_by_their_years_and_codes() -> None:
    tile = of("region year orders", ("North", 2016, 3), ("North", 2017, 5), ("South", 2016, 4))
    assert find_changes(tile, tile.columns, tile.rows) == ()
    now = (("North", 2016, 3), ("North", 2017, 6), ("South", 2016, 4))
    assert find_changes(tile, tile.columns, now) == ((1, 2),)


def test_rows_that_nothing_tells_apart_are_the_same_rows_in_any_order() -> None:
    tile = of("price quantity", (1.5, 2), (1.5, 2), (2.5, 1))
    assert find_changes(tile, tile.columns, ((2.5, 1), (1.5, 2), (1.5, 2))) == ()
    assert find_changes(tile, tile.columns, ((1.5, 2), (1.5, 2), (2.5, 4))) == ((2, 1),)


def test_a_figure_alone_is_compared_with_what_it_was() -> None:
    tile = of("revenue", (10.0,))
    assert find_changes(tile, tile.columns, ((12.0,),)) == ((0, 0),)
