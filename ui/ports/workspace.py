"""All sessions, and what they work on: the page begins here.

`assistant.bootstrap.open_workspace` gives a `Workspace`, and that a `Session`; the page uses nothing else. Coroutines
run on the one loop thread of `ui.session_hub`; everything that is not a coroutine may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from assistant.connections.descriptions import Starter
from ui.ports.boards import Boards
from ui.ports.choices import Choices
from ui.ports.connections import Connections
from ui.ports.health import Health, Masking
from ui.ports.history import History, SessionCard
from ui.ports.knowledge import Defined, Entries, Knowledge
from ui.ports.models import ListedModel, Tried
from ui.ports.session import Session


class Sharing(Protocol):
    """The links to one person's sessions. Raises AssistantError where that fails."""

    async def link(self, session_id: str) -> str:
        """Make a link to a session's answers. Gives its token."""
        ...

    async def revoke(self, session_id: str) -> object:
        """Let no link lead to a session any more."""
        ...

    async def count(self, session_id: str) -> int:
        """How many links lead to a session."""
        ...

    async def answers(self, token: str) -> bytes:
        """The answers that a link leads to, as one HTML file."""
        ...


class Workspace(Protocol):
    """All sessions, and what they work on."""

    @property
    def default_source(self) -> str:
        """What data is connected when nothing else is said, and how fresh it is."""
        ...

    def sessions(self) -> tuple[SessionCard, ...]:
        """All sessions, the last changed first."""
        ...

    def warm(self) -> None:
        """Begin to make kernels ready in the background. Called on the loop."""
        ...

    async def create(self, sources: Sequence[str] = (), *, bare: bool = False) -> Session:
        """Begin a session on these sources, else on the default ones; `bare` on none, for files that come next."""
        ...

    def of(self, person: str) -> Workspace:
        """The same for one person who signed in: their own sessions and boards alone."""
        ...

    @property
    def sharing(self) -> Sharing:
        """The links by which others read a session's answers."""
        ...

    async def connect_default(self, session: Any) -> None:
        """Connect a session to the default sources."""
        ...

    async def open(self, session_id: str) -> Session:
        """Open a session. Raises assistant.errors.SessionError when there is none of that id."""
        ...

    async def rename(self, session_id: str, title: str) -> object:
        """Give a session a name."""
        ...

    async def delete(self, session_id: str) -> object:
        """Delete a session and all it kept."""
        ...

    async def knowledge(self) -> Knowledge:
        """What the organisation means by the default data."""
        ...

    async def revoke(self, query: str) -> object:
        """Take back a verified query, by its id. Raises AssistantError where that fails."""
        ...

    async def define(self, word: str, meaning: str, *, instead_of: str = "") -> Defined:
        """Keep a person's definition of a word. Raises AssistantError where that fails; nothing changed then."""
        ...

    async def undefine(self, definition: str) -> object:
        """Remove a definition, by its id. Raises AssistantError where that fails."""
        ...

    async def decide_mask(self, column: str, *, mask: bool) -> Masking:
        """Mask a column, at once and everywhere, or suggest it no more. Raises AssistantError where that fails."""
        ...

    def models(self) -> Sequence[ListedModel]:
        """The language models of the settings."""
        ...

    async def try_model(self, name: str) -> Tried:
        """Ask a model for one word, without any data."""
        ...

    async def doctor(self) -> tuple[Health, ...]:
        """What works here and what does not."""
        ...

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

    async def report(self, session_id: str) -> bytes:
        """A session's answers as one HTML file."""
        ...

    async def script(self, session_id: str) -> bytes:
        """A session as a Python script."""
        ...

    def questions_of(self, notebook: bytes) -> tuple[str, ...]:
        """The questions of a notebook that was exported here."""
        ...


OpenWorkspace = Callable[[], AbstractAsyncContextManager[Workspace]]
