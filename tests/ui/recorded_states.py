"""The states that the recorded session alone does not show: boards, empty rooms, faults, cards before a question.

Run as a program: `recorded_states.py PORT ROOMS`, at a time that stands still. `ROOMS` is `full`, `first` (the sample
company, and nobody has asked anything), `empty` (nothing is asked, pinned, known or connected yet), `broken` (whatever is
asked for fails) or `closed` (the workspace cannot be opened).
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import recorded
import recorded_rooms
from recorded import ALL, BEGAN, CITED, FIRST, MARK, OPENED, PYTHON, SQL, STEPS

from assistant.connections.descriptions import SourceShown
from assistant.core.events import (
    Answer,
    AnyEvent,
    Cell,
    DecisionRequested,
    Disputed,
    Execution,
    Failure,
    Finding,
    Plan,
    Question,
    Withheld,
)
from assistant.errors import AssistantError, ConfigError
from assistant.record.boards.board import Board, Tile
from assistant.record.store.withholding import hide_withheld

NOW = BEGAN + timedelta(hours=2, minutes=5)
"""What time it is: so long after the recorded session that no figure on the page ticks while a picture is taken."""

LONG = "Which of our customers in the northern region bought garden furniture in 2025 and nothing at all since then?"
_ANSWERED = next(n for n, event in enumerate(ALL, 1) if event.kind == "answer")


def _ended(status: str, text: str, hint: str = "") -> tuple[AnyEvent, ...]:
    answer = Answer.model_validate({"turn": 1, "status": status, "text": text, "hint": hint})
    return (*OPENED, Question(turn=1, text=LONG), answer)


def _run_all() -> tuple[AnyEvent, ...]:
    """A plan whose code is known: it is approved together with the plan."""
    ok = (Finding(level="ok", text="Read-only: a single SELECT"),)
    plan = FIRST[2]
    assert isinstance(plan, Plan)
    cells = (
        Cell(step=1, language="sql", code=SQL, operations=("Sum net revenue by region and month",), findings=ok),
        Cell(step=2, language="python", code=PYTHON, operations=("Draw one line per region",)),
    )
    asked = DecisionRequested(turn=1, id="1?", subject="plan", ref="1", reason="Is this the right plan?")
    return (*OPENED, FIRST[0], plan.model_copy(update={"cells": cells}), asked)


def _figure() -> tuple[AnyEvent, ...]:
    """An answer of one row, in words alone, with a source that a person cited."""
    plan = Plan(turn=1, id="1", restated="Net revenue in 2025", steps=STEPS[:1], tables=("orders",), citations=(CITED,))
    answer = Answer(
        turn=1, status="answered", text="Net revenue in 2025: **2,104,377 EUR**.", table="1.1.9", trust="new"
    )
    ran = Execution(turn=1, id="1.1.9", step=1, language="sql", code=SQL, status="ok", seconds=0.3)
    return (*OPENED, Question(turn=1, text="Net revenue in 2025"), plan, ran, answer)


def _broken_cell() -> tuple[AnyEvent, ...]:
    """A query whose source went away."""
    failure = Failure(kind="raised", name="RequestRefused", message="The database 'shop' cannot be reached.")
    ran = Execution(turn=1, id="1.1.2", step=1, language="sql", code=SQL, status="failed", failure=failure)
    answer = Answer(
        turn=1,
        status="failed",
        text="The query could not run: the database 'shop' cannot be reached.",
        hint="Look at its address on the data page, or ask again when it is back.",
    )
    before = ALL[: next(n for n, event in enumerate(ALL) if event.kind == "execution")]
    return (*before, ran, answer)


LOGS: dict[str, tuple[AnyEvent, ...]] = {
    "blank": OPENED,
    "asked": (*OPENED, Question(turn=1, text=LONG)),
    "run-all": _run_all(),
    "figure": _figure(),
    "partial": _ended("partial", "I found the customers, but not whether they bought since.", "Name the column."),
    "failed-answer": _broken_cell(),
    "verified": (*ALL[:_ANSWERED], MARK),
    "disputed": (
        *ALL[:_ANSWERED],
        Disputed(turn=1, by="Ana Berg", on=BEGAN.date(), note="Returned orders must not count"),
    ),
    "withheld": (*ALL[:_ANSWERED], Withheld(turn=1, columns=("shop.customers.email",), question=False)),
    "long": (*OPENED, *(e.model_copy(update={"text": LONG}) if e.kind == "question" else e for e in FIRST)),
    "damaged": ALL[:_ANSWERED],
    "unwritten": ALL[:_ANSWERED],
    "refusing": OPENED,
    "disclosing": OPENED,
    "unreadable": OPENED,
}
"""What each session's log holds, by the session's id."""


@dataclass
class Session(recorded.Session):
    """A session that refuses, asks first, or tells of damage, as its id says."""

    def __post_init__(self) -> None:
        self.state_of = self.id.split("~")[0]
        if self.state_of == "damaged":
            self.damage = "Entry 41 of its log cannot be read. Everything before it is shown."
        if self.state_of == "unwritten":
            self.fault = "The end of this answer could not be written: the disk is full. Free some space and ask again."
        if self.state_of == "disclosing":
            self.told = recorded.disclosure()

    def table(self, execution: str, *, rows_max: int = 1000) -> recorded.Table | None:
        if execution == "1.1.9":
            return recorded.Table(columns=("net_revenue",), rows=((2104376.87,),), total=1)
        return super().table(execution, rows_max=rows_max)

    async def ask(self, text: str, *, files: Sequence[str] = (), approve: Sequence[str] = ()) -> None:
        if self.state_of == "refusing":
            raise AssistantError("The model at models.example:443 cannot be reached. Check its address, or ask again.")
        await super().ask(text, files=files, approve=approve)

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        raise AssistantError("'notes.csv' holds no table: its lines have no columns in common. Check the file.")


def _tile(n: int, title: str, columns: tuple[str, ...], rows: tuple[tuple[str | float, ...], ...]) -> Tile:
    return Tile(
        id=f"{n}",
        session="at-42",
        turn=1,
        execution="1.1.2",
        title=title,
        text="**North** leads with **124,327 EUR**." if n == 1 else "",
        source="shop",
        sql="SELECT 1",
        columns=columns,
        rows=rows,
        total=len(rows),
        at=NOW - timedelta(days=n),
    )


BY_REGION = (("North", 124327.46), ("East", 123083.01), ("West", 119212.47), ("Central", 75435.73), ("South", 61613.33))
BOARD = Board(
    name="Monday",
    tiles=(
        _tile(1, "Net revenue by region last quarter", ("region", "net_revenue"), BY_REGION),
        _tile(2, "Orders by status", ("status", "orders"), (("paid", 812.0), ("cancelled", 61.0))).model_copy(
            update={"changed": ((0, 1),)}
        ),
        _tile(3, LONG, ("customer", "city", "orders"), (("Berg Ltd", "Oslo", 4.0),)).model_copy(
            update={"fault": "The database 'shop' cannot be reached. These are the rows of the last refresh."}
        ),
    ),
)


class Boards(recorded_rooms.Boards):
    """Two boards, one of them empty."""

    async def all(self) -> tuple[Board, ...]:
        return (BOARD, Board(name="Quarterly review"))

    async def open(self, name: str) -> Board:
        return BOARD if name == BOARD.name else Board(name=name)


class Workspace(recorded.Workspace):
    """The recorded workspace, with boards and the states of `LOGS`."""

    def __init__(self) -> None:
        super().__init__()
        self.boards = Boards()

    def sessions(self) -> tuple[recorded.Card, ...]:
        cards = super().sessions()
        ages = (timedelta(minutes=3), timedelta(hours=2), timedelta(hours=5), timedelta(hours=26))
        return tuple(replace(card, updated=NOW - age) for card, age in zip(cards, ages, strict=True))

    async def open(self, session_id: str) -> recorded.Session:
        if session_id not in self.opened:
            name, *_ = session_id.split("~")  # what follows makes it one of its own, which nobody has touched yet
            log = LOGS.get(name.removesuffix("-working"))
            if log is None:
                found = await super().open(name)
                self.opened[session_id] = Session(session_id, found.log, working=found.working)
            else:
                working = name.endswith("-working")
                self.opened[session_id] = Session(session_id, hide_withheld(recorded.entries(log)), working=working)
        return self.opened[session_id]


class EmptyConnections(recorded_rooms.Connections):
    """Nothing is connected."""

    async def all(self) -> tuple[SourceShown, ...]:
        return ()


class EmptyHistory(recorded_rooms.History):
    """Nothing was asked."""

    def labels(self) -> dict[str, recorded_rooms.Labelled]:
        return {}

    async def list_binned(self) -> tuple[recorded_rooms.Binned, ...]:
        return ()


class Empty(recorded.Workspace):
    """Nothing is asked, pinned, known or connected yet; the first visit."""

    default_source = ""

    def __init__(self) -> None:
        super().__init__()
        self.connections = EmptyConnections()
        self.history = EmptyHistory()

    def sessions(self) -> tuple[recorded.Card, ...]:
        return ()

    async def read(self) -> recorded.Known:
        return recorded.Known(folder="", cards=(), problems=(), embedded=0, to_embed=0)

    def all(self) -> tuple[recorded.ListedModel, ...]:
        return ()


class FirstVisit(Empty):
    """The sample company is connected, and nobody has asked anything."""

    default_source = recorded.Workspace.default_source

    def __init__(self) -> None:
        super().__init__()
        self.connections = recorded_rooms.Connections()


class _Fails:
    """A room in which whatever is asked for fails."""

    def __init__(self, room: object, names: Sequence[str], message: str) -> None:
        self._room, self._names, self._message = room, frozenset(names), message

    def __getattr__(self, name: str) -> object:
        if name not in self._names:
            return getattr(self._room, name)

        async def fail(*_: object, **__: object) -> object:
            raise AssistantError(self._message)

        return fail


class Broken(Workspace):
    """Whatever a room is asked for fails."""

    def __init__(self) -> None:
        super().__init__()
        why = "The folder '/srv/tandem' cannot be read. Let your account read it, and reload the page."
        self.connections = _Fails(self.connections, ("all", "sample"), why)  # type: ignore[assignment]
        self.boards = _Fails(self.boards, ("all",), why)  # type: ignore[assignment]
        self.choices = _Fails(self.choices, ("policies", "preview"), why)  # type: ignore[assignment]

    async def read(self) -> recorded.Known:
        raise AssistantError("knowledge/metrics.yaml cannot be read: line 4 is no YAML. Fix it, then reload the page.")


ROOMS: dict[str, Callable[[], recorded.Workspace]] = {
    "full": Workspace,
    "first": FirstVisit,
    "empty": Empty,
    "broken": Broken,
}


def main(port: int, rooms: str) -> None:
    """Serve one of the workspaces."""
    import os

    from ui import clock
    from ui.authentication import Key
    from ui.serve import serve

    clock.now = lambda: NOW

    @asynccontextmanager
    async def open_workspace() -> AsyncGenerator[recorded.Workspace]:
        if rooms == "closed":
            raise ConfigError("The home folder '/srv/tandem' cannot be written. Name another one as TANDEM_HOME.")
        yield ROOMS[rooms]()

    serve(open_workspace, Key(token=os.environ["TANDEM_TOKEN"], port=port))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
