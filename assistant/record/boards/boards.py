"""The boards of a home folder: pin answers, refresh them under their approval, export a board as one file.

A refresh runs the query that a person approved in its session, through the guard and under the query limits. When the
session is deleted, its tile keeps its last result and says so.
"""

from __future__ import annotations

import asyncio
import copy
import re
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue, ValidationError

from assistant.cells.tables import TableView, to_json_value
from assistant.core.events import Entry
from assistant.core.turns import fold_session
from assistant.errors import AssistantError, ConfigError, SessionError
from assistant.output.notebook.drawing import png_of
from assistant.output.presentation.columns import FigureProperties, columns_of
from assistant.output.presentation.drawing import draw
from assistant.output.presentation.shaping import shape
from assistant.output.presentation.styling import find_right_aligned, in_words, make_standalone
from assistant.output.reports.document import Section, build_document
from assistant.record.boards.board import Board, Tile
from assistant.settings.json_files import write_model

FOLDER = "boards"
ROWS_MAX = 200
_SLUG = re.compile(r"[^\w]+")


class Pinnable(Protocol):
    """A session, as far as boards need it."""

    @property
    def id(self) -> str: ...
    def events(self, after: int = 0) -> tuple[Entry, ...]: ...
    def table(self, execution: str, *, rows_max: int = 1000) -> TableView | None: ...
    async def rerun(self, execution: str, *, rows_max: int) -> TableView: ...
    async def facts(self, execution: str) -> Known: ...


class Known(Protocol):
    """What is known of a result's figures."""

    @property
    def properties(self) -> Mapping[str, FigureProperties]: ...


class Boards:
    """All boards.

    Args:
        home: The home folder.
        open_session: Opens a session by its id.
        clock: The time, with its zone.
    """

    def __init__(
        self,
        home: Path,
        *,
        open_session: Callable[[str], Awaitable[Pinnable]],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._folder = home / FOLDER
        self._open = open_session
        self._clock = clock
        self._writing = asyncio.Lock()

    def for_person(self, person: str, open_session: Callable[[str], Awaitable[Pinnable]]) -> Boards:
        """The boards of one person, apart from those of others, over the sessions that the person can open.

        Callers: The program.
        """
        boards = copy.copy(self)
        boards._folder = self._folder / sha256(person.encode()).hexdigest()[:32]
        boards._open = open_session
        return boards

    async def all(self) -> tuple[Board, ...]:
        """The boards by name.

        Callers: Anyone.

        Raises:
            ConfigError: One cannot be read.
        """
        return await asyncio.to_thread(
            lambda: tuple(sorted(map(_read, self._folder.glob("*.json")), key=lambda board: board.name.casefold()))
        )

    async def get(self, name: str) -> Board:
        """The board of that name.

        Callers: The owner.

        Raises:
            SessionError: There is none.
        """
        match = next((board for board in await self.all() if board.name.casefold() == name.strip().casefold()), None)
        if match is None:
            names = ", ".join(repr(board.name) for board in await self.all()) or "none yet"
            raise SessionError(f"There is no board {name!r}. The boards are: {names}.")
        return match

    async def open(self, name: str) -> Board:
        """A board to be shown: what was withheld in its conversations since is not on it any more.

        Callers: The owner.
        """
        async with self._writing:
            board = await self.get(name)
            tiles = tuple([tile if await self._may_show(tile) else _make_blank(tile) for tile in board.tiles])
            return board if tiles == board.tiles else await self._write(board.model_copy(update={"tiles": tiles}))

    async def apply_masks(self) -> None:
        """Let go of all that was withheld in the conversations since it was pinned, on the boards of all people.

        Callers: The program.
        """
        for folder in (self._folder, *await asyncio.to_thread(lambda: [*self._folder.glob("*/")])):
            boards = copy.copy(self)
            boards._folder = folder
            for board in await boards.all():
                await boards.open(board.name)

    async def pin(self, name: str, session_id: str, turn: int) -> Board:
        """Put the answer of a turn on a board, which is made if there is none of that name.

        Callers: The owner.

        Raises:
            AssistantError: The turn has no answer with a table of a query, or it cannot be kept.
        """
        session = await self._open(session_id)
        tile = await asyncio.to_thread(_make_tile, session, turn, self._clock())
        facts = await session.facts(tile.execution)
        figures = {name: properties for name, properties in facts.properties.items() if name in tile.columns}
        tile = tile.model_copy(update={"told": figures})
        async with self._writing:
            boards = await self.all()
            board = next(
                (candidate for candidate in boards if candidate.name.casefold() == name.strip().casefold()), None
            )
            target = board or Board(name=" ".join(name.split())[:80] or "Board")
            return await self._write(target.model_copy(update={"tiles": (*target.tiles, tile)}))

    async def unpin(self, name: str, tile: str) -> Board:
        """Take a tile off a board; a board without tiles goes.

        Callers: The owner.
        """
        async with self._writing:
            board = await self.get(name)
            return await self._write(
                board.model_copy(
                    update={"tiles": tuple(pinned_tile for pinned_tile in board.tiles if pinned_tile.id != tile)}
                )
            )

    async def refresh(self, name: str) -> Board:
        """Run the queries of a board again; what fails keeps its rows and says why.

        Callers: The owner.
        """
        board = await self.open(name)
        fresh = {tile.id: await self._refresh_tile(tile) for tile in board.tiles}
        async with self._writing:  # a tile may have been taken off meanwhile
            board = await self.get(name)
            tiles = tuple(fresh.get(tile.id, tile) for tile in board.tiles)
            return await self._write(board.model_copy(update={"tiles": tiles}))

    async def refresh_on_open(self, name: str, *, enabled: bool) -> Board:
        """Keep whether a board is refreshed whenever it is opened.

        Callers: The owner.

        Raises:
            AssistantError: There is no such board, or it cannot be written.
        """
        async with self._writing:
            board = await self.get(name)
            return await self._write(board.model_copy(update={"refresh_on_open": enabled}))

    async def render_html(self, name: str) -> bytes:
        """A board as one HTML file.

        Callers: The owner.
        """
        board = await self.open(name)
        caption = f"Board of {self._clock().astimezone():%-d %B %Y, %H:%M}"
        sections = await asyncio.to_thread(lambda: [_make_section(tile) for tile in board.tiles])
        return build_document(board.name, sections, caption=caption)

    async def _may_show(self, tile: Tile) -> bool:
        try:
            session = await self._open(tile.session)
        except SessionError:
            return True  # it was deleted: nothing was withheld in it when it went
        turn = fold_session(session.events()).turn(tile.turn)
        return turn is None or not turn.is_withheld

    async def _refresh_tile(self, tile: Tile) -> Tile:
        try:
            session = await self._open(tile.session)
            table = await session.rerun(tile.execution, rows_max=ROWS_MAX)
        except AssistantError as error:
            return tile.model_copy(update={"fault": str(error), "changed": ()})
        rows = _json_rows(table)
        return tile.model_copy(
            update={
                "columns": table.columns,
                "rows": rows,
                "total": table.total,
                "at": self._clock(),
                "changed": find_changes(tile, table.columns, rows),
                "fault": "",
            }
        )

    async def _write(self, board: Board) -> Board:
        await asyncio.to_thread(self._write_file, board)
        return board

    def _write_file(self, board: Board) -> None:
        path = self._folder / f"{_SLUG.sub('-', board.name.casefold()).strip('-') or 'board'}.json"
        try:
            if not board.tiles:
                path.unlink(missing_ok=True)
                return
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_model(path, board)
        except OSError as error:
            raise ConfigError(f"{path} cannot be written ({error.strerror}). Nothing was changed.") from error


def find_changes(
    before: Tile, columns: Sequence[str], rows: Sequence[Sequence[JsonValue]]
) -> tuple[tuple[int, int], ...]:
    """The cells that are not what they were; all of a new row. Pure.

    A row that stood there before is the same row. Any other is compared with one of those before that has the same
    names, times and codes, where one is left.
    """
    if tuple(columns) != before.columns:
        return tuple((n, m) for n in range(len(rows)) for m in range(len(columns)))
    label_columns = [n for n, column in enumerate(columns_of(before, before.told)) if column.role != "measure"]
    row_counts = Counter(map(repr, before.rows))
    changed_rows: list[int] = []
    for n, row in enumerate(rows):
        if row_counts[repr(tuple(row))]:
            row_counts[repr(tuple(row))] -= 1
        else:
            changed_rows.append(n)
    left: dict[str, list[Sequence[JsonValue]]] = {}
    for row in reversed(before.rows):
        if row_counts[repr(row)]:
            row_counts[repr(row)] -= 1
            left.setdefault(_make_row_name(row, label_columns), []).append(row)
    cells: list[tuple[int, int]] = []
    for n in changed_rows:
        like = left.get(_make_row_name(rows[n], label_columns))
        old = like.pop() if like else None
        cells += [(n, m) for m, value in enumerate(rows[n]) if old is None or old[m] != value]
    return tuple(cells)


def _make_blank(tile: Tile) -> Tile:
    return tile.model_copy(
        update={
            "rows": (),
            "text": "",
            "changed": (),
            "fault": "It used columns that were masked since. Ask its question anew, and pin the new answer.",
        }
    )


def _make_row_name(row: Sequence[JsonValue], label_columns: Sequence[int]) -> str:
    return repr([row[place] for place in label_columns])


def _make_tile(session: Pinnable, turn: int, now: datetime) -> Tile:
    folded = fold_session(session.events()).turn(turn)
    answer = folded.answer if folded is not None else None
    execution = folded.execution(answer.table) if folded is not None and answer is not None else None
    table = session.table(execution.id, rows_max=ROWS_MAX) if execution is not None else None
    if (
        folded is None
        or folded.is_withheld
        or answer is None
        or execution is None
        or table is None
        or not execution.queries
    ):
        raise SessionError("Only an answer with the table of a query can be pinned. Ask for a table, and pin that.")
    return Tile(
        id=secrets.token_hex(4),
        session=session.id,
        turn=turn,
        execution=execution.id,
        title=folded.question,
        text=answer.text,
        source=execution.queries[-1].source,
        sql=execution.queries[-1].sql,
        columns=table.columns,
        rows=_json_rows(table),
        total=table.total,
        at=now,
        look=folded.look,
    )


def _json_rows(table: TableView) -> tuple[tuple[JsonValue, ...], ...]:
    return tuple(tuple(to_json_value(value) for value in row) for row in table.rows[:ROWS_MAX])


def _make_section(tile: Tile) -> Section:
    columns = columns_of(tile, tile.told, dict(tile.shown.names))
    chart = draw(shape(tile, columns, tile.shown), tile.shown) if tile.rows else None
    when = f"As of {tile.at.astimezone():%-d %B %Y, %H:%M}, from {tile.source}."
    return Section(
        heading=tile.title,
        text="" if tile.changed else tile.text,  # its figures would be those of before
        columns=[column.label for column in columns],
        rows=in_words(columns, tile.rows),
        total=tile.total,
        right=find_right_aligned(columns),
        changed=frozenset(tile.changed),
        picture=png_of(make_standalone(chart.specification)) if chart is not None else None,
        picture_alt=chart.alt if chart is not None else "",
        notes=(when, *([f"Not refreshed: {tile.fault}"] if tile.fault else [])),
        code=(tile.sql,),
    )


def _read(path: Path) -> Board:
    try:
        return Board.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ConfigError(f"{path} cannot be read ({type(error).__name__}). Fix or move the file.") from error
