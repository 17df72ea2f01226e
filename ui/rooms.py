"""What the screens beside the conversation need from the assistant, as they see it: the workspace's further rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from assistant.boards.board import Board
from assistant.connections.described import FileReading, Login, Sample, SourceShown, Starter, Tried
from assistant.events import PolicyLevel
from assistant.history.found import Binned, Found, Labelled, TurnTitle, UsedIn
from assistant.session.entries import Entry, Outcome, Said


class Connections(Protocol):
    """The sources that new conversations start with. All raise AssistantError where they fail."""

    async def all(self) -> tuple[SourceShown, ...]:
        """The sources; one that cannot be opened says why."""
        ...

    async def sample(self, source: str, table: str) -> Sample:
        """The first rows of a table."""
        ...

    async def correct(self, source: str, table: str, column: str, role: str) -> object:
        """Keep a role for a column; an empty one takes the correction back."""
        ...

    async def readings(self, source: str) -> tuple[FileReading, ...]:
        """How the files of a source are read."""
        ...

    async def read_as(self, source: str, file: str, said: Mapping[str, object]) -> object:
        """Read a file as the person says; where that fails, everything stays as it was."""
        ...

    async def try_out(self, login: Login) -> Tried:
        """Open a database, and say how that went."""
        ...

    async def connect(self, login: Login) -> tuple[str, ...]:
        """Keep a database."""
        ...

    async def connect_address(self, address: str, name: str = "") -> tuple[str, ...]:
        """Keep a file, a folder or a URL."""
        ...

    async def connect_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[str, ...]:
        """Keep files that were dropped on the page."""
        ...

    async def disconnect(self, name: str) -> object:
        """Keep a source no more."""
        ...

    def refresh(self) -> None:
        """Look at everything anew when it is next asked for."""
        ...


class Documents(Protocol):
    """Sessions as files to take along, and back."""

    async def report(self, session_id: str) -> bytes:
        """A session's answers as one HTML file."""
        ...

    async def script(self, session_id: str) -> bytes:
        """A session as a Python script."""
        ...

    def questions_of(self, notebook: bytes) -> tuple[str, ...]:
        """The questions of a notebook that was exported here."""
        ...


class History(Protocol):
    """Earlier questions. All that is awaited raises AssistantError where it fails."""

    def labels(self) -> Mapping[str, Labelled]:
        """Pins and tags by session."""
        ...

    async def find(self, wanted: str) -> Mapping[str, Sequence[Found]]:
        """The sessions that hold all these words, with where they do."""
        ...

    async def using(self, document: str) -> tuple[UsedIn, ...]:
        """The conversations whose answers rest on a document of the knowledge base."""
        ...

    async def turns(self, session: str) -> tuple[TurnTitle, ...]:
        """The questions of a session."""
        ...

    async def pin(self, session: str, *, pinned: bool) -> object:
        """Put a session at the top of the list, or back."""
        ...

    async def tag(self, session: str, tags: Sequence[str]) -> object:
        """Give a session these tags in place of those it had."""
        ...

    async def bin(self, session: str) -> object:
        """Delete a session, in a way that can be undone."""
        ...

    async def restore(self, session: str) -> object:
        """Bring a deleted session back."""
        ...

    async def binned(self) -> tuple[Binned, ...]:
        """The sessions that can be brought back."""
        ...

    async def copy(self, session: str, *, upto: int = 0, title: str = "") -> str:
        """Begin a session where another one stood after a turn. Gives its id."""
        ...


class Boards(Protocol):
    """Pinned answers. All raise AssistantError where they fail."""

    async def all(self) -> tuple[Board, ...]:
        """The boards by name."""
        ...

    async def opened(self, name: str) -> Board:
        """A board to be shown."""
        ...

    async def refresh(self, name: str) -> Board:
        """Run the queries of a board again."""
        ...

    async def pin(self, name: str, session_id: str, turn: int) -> Board:
        """Put the answer of a turn on a board."""
        ...

    async def unpin(self, name: str, tile: str) -> Board:
        """Take a tile off a board."""
        ...

    async def html(self, name: str) -> bytes:
        """A board as one HTML file."""
        ...


class Entries(Protocol):
    """The entries of the knowledge folder, to be changed. All raise AssistantError where they fail."""

    async def entry(self, id_: str) -> Entry:
        """An entry, with what its fields say."""
        ...

    async def try_out(self, id_: str, said: Mapping[str, Said]) -> Outcome:
        """What a change would come to on the data; nothing is kept."""
        ...

    async def keep(self, id_: str, said: Mapping[str, Said]) -> Outcome:
        """Make a change, unless something is wrong with it."""
        ...

    async def remove(self, id_: str) -> object:
        """Take an entry out of its file."""
        ...

    async def take_back(self, id_: str) -> object:
        """Undo the last change of an entry, also its removal."""
        ...


class Choices(Protocol):
    """What is chosen and checked on the settings page."""

    def budgets(self) -> Sequence[tuple[str, float]]:
        """The limits on the use of models that are set."""
        ...

    @property
    def sees(self) -> str:
        """What a model may see; empty where it depends on where the model runs."""
        ...

    async def preview(self, sees: Any) -> str:
        """The words about the default data that a model's prompt holds."""
        ...

    async def policies(self) -> Mapping[str, PolicyLevel]:
        """What runs without asking, by source."""
        ...

    async def set_policy(self, source: str, level: PolicyLevel) -> object:
        """Keep what runs without asking on a source."""
        ...

    def limits(self) -> Sequence[tuple[str, str]]:
        """The limits of queries and cells."""
        ...


class Rooms(Documents, Protocol):
    """The workspace's further rooms."""

    async def starters(self, session: Any = None, *, quick: bool = False) -> tuple[Starter, ...]:
        """Questions to begin with, made from the session's (or the default) data; `quick` ones were not tried."""
        ...

    @property
    def connections(self) -> Connections:
        """The default sources, as the data page works with them."""
        ...

    @property
    def entries(self) -> Entries:
        """The entries of the knowledge folder, as the knowledge page changes them."""
        ...

    @property
    def boards(self) -> Boards:
        """Pinned answers."""
        ...

    @property
    def choices(self) -> Choices:
        """What is chosen and checked on the settings page."""
        ...

    @property
    def history(self) -> History:
        """Earlier questions, as the questions page works with them."""
        ...
