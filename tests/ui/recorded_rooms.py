"""The further rooms of the recorded workspace: sources, earlier questions and boards that never change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from assistant.connections.descriptions import (
    ColumnShown,
    FileReading,
    LinkShown,
    Login,
    Sample,
    SourceShown,
    Starter,
    TableShown,
    Tried,
)
from assistant.core.events import PolicyLevel
from assistant.models.listing import TrialResult as Replied
from assistant.record.boards.board import Board
from assistant.record.history.searching import Binned, Labelled, SearchMatch, TurnTitle, UsedIn
from assistant.session.knowledge.entries import Effect, Entry, EntryValue, Outcome
from assistant.session.settings.configured_models import ModelForm
from assistant.settings.settings_store import SettingChange

AMOUNT = ColumnShown(
    name="amount", type="DOUBLE", kind="number", role="measure", guessed="measure", distinct=3, low=1.0, high=9.5
)
REGION = ColumnShown(
    name="region", type="TEXT", kind="text", role="category", guessed="name", nulls=2, distinct=2, top=(("North", 2),)
)
SHOP = SourceShown(
    name="shop",
    display="The sample company, data to 13 March 2026",
    origin="sample",
    dialect="sqlite",
    tables=(
        TableShown(name="orders", columns=(AMOUNT, REGION), rows=21_480),
        TableShown(
            name="order_lines",
            columns=(AMOUNT,),
            rows=60_112,
            links=(LinkShown(columns=("order_id",), table="orders", target_columns=("id",), inferred=False),),
        ),
    ),
    period=("2023-03-14", "2026-03-13"),
    changed="2026-03-14T08:00:00",
    notes=("orders.region is empty in 12% of the rows",),
)


STARTERS = (
    Starter(kind="total", text="What was net revenue by region last quarter?"),
    Starter(kind="trend", text="Net revenue per month"),
    Starter(kind="ranking", text="Top 5 products by net revenue"),
    Starter(kind="share", text="Share of net revenue by category"),
    Starter(kind="comparison", text="Net revenue in 2026 compared with 2025"),
    Starter(kind="quality", text="How many orders have no region?"),
)


class Connections:
    """One source that can be looked at."""

    can_name_places = True
    hosts: tuple[str, ...] = ()

    async def all(self) -> tuple[SourceShown, ...]:
        return (SHOP,)

    async def sample(self, source: str, table: str) -> Sample:
        return Sample(columns=("amount", "region"), rows=((1.0, "North"), (9.5, None)), total=21_480)

    async def correct(self, source: str, table: str, column: str, role: str) -> None:
        return None

    async def readings(self, source: str) -> tuple[FileReading, ...]:
        return ()

    async def read_as(self, source: str, file: str, said: Mapping[str, object]) -> None:
        return None

    async def try_out(self, login: Login) -> Tried:
        return Tried(ok=True, text="Connected.")

    async def connect(self, login: Login) -> tuple[str, ...]:
        return ("shop",)

    async def connect_address(self, address: str, name: str = "") -> tuple[str, ...]:
        return ("shop",)

    async def connect_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
        return ("shop",)

    async def disconnect(self, name: str) -> None:
        return None

    def refresh(self) -> None:
        return None


class History:
    """Earlier questions: one is pinned, one was deleted."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def labels(self) -> Mapping[str, Labelled]:
        return {"at-57": Labelled(pinned=True, tags=("support",))}

    async def find(self, wanted: str) -> Mapping[str, Sequence[SearchMatch]]:
        return {"at-42": (SearchMatch(turn=1, place="code", excerpt=f"SELECT {wanted} FROM orders"),)}

    async def find_uses(self, document: str) -> tuple[UsedIn, ...]:
        return ()

    async def turns(self, session: str) -> tuple[TurnTitle, ...]:
        return (TurnTitle(n=1, question="Which region?"), TurnTitle(n=2, question="And by month?"))

    async def pin(self, session: str, *, pinned: bool) -> None:
        self.calls.append(("pin", session, pinned))

    async def tag(self, session: str, tags: Sequence[str]) -> None:
        self.calls.append(("tag", session, tuple(tags)))

    async def bin(self, session: str) -> None:
        self.calls.append(("bin", session))

    async def restore(self, session: str) -> None:
        self.calls.append(("restore", session))

    async def list_binned(self) -> tuple[Binned, ...]:
        return (Binned(id="at-1", title="Deleted by mistake", at=datetime.now(UTC)),)

    async def copy(self, session: str, *, upto: int = 0, title: str = "") -> str:
        self.calls.append(("copy", session, upto))
        return "at-6"


class Boards:
    """No board yet."""

    async def all(self) -> tuple[Board, ...]:
        return ()

    async def open(self, name: str) -> Board:
        return Board(name=name)

    async def refresh(self, name: str) -> Board:
        return Board(name=name)

    async def pin(self, name: str, session_id: str, turn: int) -> Board:
        return Board(name=name)

    async def unpin(self, name: str, tile: str) -> Board:
        return Board(name=name)

    async def render_html(self, name: str) -> bytes:
        return b"<html>"


class Entries:
    """The entries of the knowledge folder: any can be changed, and a formula of nothing is wrong."""

    def __init__(self) -> None:
        self.kept: dict[str, Mapping[str, EntryValue]] = {}

    async def entry(self, id_: str) -> Entry:
        return Entry(id=id_, kind=id_.partition(":")[0], values=self.kept.get(id_, {"name": "net revenue"}))

    async def try_out(self, id_: str, said: Mapping[str, EntryValue]) -> Outcome:
        if not said.get("expression", "-"):
            return Outcome(faults={"expression": "This must say something."})
        return Outcome(effects=(Effect(text="net revenue over all rows", columns=("a",), rows=((9.5,),), total=1),))

    async def keep(self, id_: str, said: Mapping[str, EntryValue]) -> Outcome:
        tried = await self.try_out(id_, said)
        if tried.faults:
            return tried
        self.kept[id_] = said
        return replace(tried, id=id_)

    async def remove(self, id_: str) -> None:
        return None

    async def take_back(self, id_: str) -> None:
        return None


class SettingChanges:
    """Settings that can be changed, but for one that the environment sets."""

    file = "/home/me/.local/share/tandem/tandem.toml"
    providers = ("openai", "ollama")

    def __init__(self) -> None:
        self.values: dict[tuple[str, ...], object] = {
            ("model",): "house",
            ("sees",): "results",
            ("budgets", "turn", "calls"): 60,
            ("rows_max",): 1_000_000,
            ("megabytes_max",): 512,
            ("query_seconds_max",): 60.0,
            ("cell_seconds_max",): 120.0,
            ("memory_megabytes_max",): 4096,
        }

    def value(self, place: Sequence[str]) -> Any:
        return self.values.get(tuple(place))

    def fixed(self, place: Sequence[str]) -> str:
        return "Set by the environment variable TANDEM_MEGABYTES_MAX." if place[0] == "megabytes_max" else ""

    async def change(self, place: Sequence[str], value: object, *, was: object, consents: bool = False) -> None:
        self.values[tuple(place)] = value

    def changes(self) -> tuple[SettingChange, ...]:
        return (SettingChange(at=datetime(2026, 3, 13, 9, 30, tzinfo=UTC), setting="sees", was="", now="results"),)

    def endpoints(self) -> dict[str, str]:
        return {"a.example": "results"}

    async def ask_again(self, endpoint: str) -> None:
        return None

    def forms(self) -> tuple[ModelForm, ...]:
        return (ModelForm(name="house", model="m", address="https://a.example/v1"),)

    async def keep_model(self, form: ModelForm) -> None:
        return None

    async def remove_model(self, name: str) -> None:
        return None

    async def try_form(self, form: ModelForm) -> Replied:
        return Replied(ok=True, text="Replied: “ready” after 0.3 s, in pieces.")


class Choices:
    """The embedded analyst, and one source that asks."""

    def __init__(self) -> None:
        self.settings = SettingChanges()

    async def preview(self, sees: str) -> str:
        return f"Source 'shop': {sees}"

    async def policies(self) -> dict[str, PolicyLevel]:
        return {"shop": "ask"}

    async def set_policy(self, source: str, level: PolicyLevel) -> None:
        return None

    language = ""

    async def set_language(self, code: str) -> None:
        return None
