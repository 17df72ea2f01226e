"""The sources that new conversations start with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from assistant.connections.descriptions import FileReading, KeyShown, Login, Sample, SourceShown, Tried
from assistant.core.doubts import Doubt


class Connections(Protocol):
    """The sources that new conversations start with. All raise AssistantError where they fail."""

    @property
    def can_name_places(self) -> bool:
        """Whether paths and addresses of this machine are the person's to connect."""
        ...

    @property
    def hosts(self) -> tuple[str, ...]:
        """The database servers that are the person's to connect where other places are not."""
        ...

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

    async def correct_doubt(self, source: str, doubt: Doubt) -> object:
        """Read a source by the other side of a doubt; where that fails, everything stays as it was."""
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

    async def keys_between(self, parts: Sequence[str]) -> tuple[KeyShown, ...]:
        """Columns of these sources whose values occur in another one's key."""
        ...

    async def combine(self, name: str, parts: Sequence[str], keys: Sequence[str]) -> object:
        """Put sources together: new conversations ask them as one."""
        ...

    async def take_apart(self, name: str) -> object:
        """Let new conversations ask the parts of a whole each by itself again."""
        ...

    async def disconnect(self, name: str) -> object:
        """Keep a source no more."""
        ...

    def refresh(self) -> None:
        """Look at everything anew when it is next asked for."""
        ...
