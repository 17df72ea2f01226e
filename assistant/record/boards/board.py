"""A board and its tiles, as stored and as shown. Values only."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from assistant.core.events import Appearance
from assistant.output.presentation.columns import FigureProperties


class Kept(BaseModel):
    """Base of what a board's file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Tile(Kept):
    """A pinned answer.

    Attributes:
        id: What it is known by on its board.
        session: The conversation that it comes from, which holds its approval.
        turn: The turn that it answers.
        execution: The execution that gave its table.
        title: Its heading.
        text: The answer as it was pinned.
        source: The source that its query reads.
        sql: The query that was approved.
        columns: The table's columns.
        rows: The table's first rows.
        total: How many rows it has.
        at: When its rows were read.
        changed: Cells that were otherwise before the last refresh, as row and column numbers.
        fault: Why the last refresh failed; empty where it did not.
        look: How the answer was shown when it was pinned.
        told: What was known of its figures then, by column: their units and currency.
    """

    id: str
    session: str
    turn: int
    execution: str
    title: str
    text: str
    source: str
    sql: str
    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    total: int
    at: datetime
    changed: tuple[tuple[int, int], ...] = ()
    fault: str = ""
    look: Appearance = Appearance()
    told: dict[str, FigureProperties] = Field(default_factory=dict[str, FigureProperties])

    @property
    def shown(self) -> Appearance:
        """How it is shown: as pinned, but with all rows in their own order where cells are marked as changed."""
        return self.look.model_copy(update={"sort": None, "top": None}) if self.changed else self.look


class Board(Kept):
    """Tiles under a name, in order. With `refresh_on_open` its queries run again whenever it is opened on the page."""

    name: str
    tiles: tuple[Tile, ...] = ()
    refresh_on_open: bool = False
