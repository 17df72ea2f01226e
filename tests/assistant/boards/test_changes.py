"""What changed on a board's tile is told cell by cell, whatever the order of the rows."""

from __future__ import annotations

from datetime import UTC, datetime

from assistant.boards.board import Tile
from assistant.boards.boards import changes

TILE = Tile(
    id="1", session="s", turn=1, execution="1.1.1", title="t", text="", source="shop", sql="SELECT 1",
    columns=("region", "total"), rows=(("North", 1.0), ("South", 2.0)), total=2, at=datetime(2026, 3, 1, tzinfo=UTC),
)  # fmt: skip


def test_a_changed_figure_is_marked_where_it_stands_now() -> None:
    assert changes(TILE, TILE.columns, (("South", 3.0), ("North", 1.0))) == ((0, 1),)


def test_a_new_row_is_marked_whole_and_the_same_rows_not_at_all() -> None:
    assert changes(TILE, TILE.columns, TILE.rows) == ()
    assert changes(TILE, TILE.columns, (*TILE.rows, ("West", 1.0))) == ((2, 0), (2, 1))


def test_other_columns_change_everything() -> None:
    assert len(changes(TILE, ("region", "amount"), TILE.rows)) == 4
