"""The knowledge of the organisation, and the entries of its folder to be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from assistant.session.entries import Entry, Outcome, Said


class KnowledgeCard(Protocol):
    """A document of the knowledge base."""

    @property
    def id(self) -> str:
        """What it is known by."""
        ...

    @property
    def kind(self) -> str:
        """term, metric, rule, query or note."""
        ...

    @property
    def title(self) -> str:
        """Its name."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...

    @property
    def origin(self) -> str:
        """The file it stands in."""
        ...

    @property
    def sql(self) -> str:
        """Of a verified query: what answers it."""
        ...

    @property
    def by(self) -> str:
        """Of a verified query, who marked it right; of a definition, who said it, where that is told."""
        ...

    @property
    def on(self) -> date | None:
        """The day on which they did."""
        ...

    @property
    def kept(self) -> bool:
        """Whether it stands as it was marked or defined on the page, so that it can be taken back or changed here."""
        ...

    @property
    def words(self) -> str:
        """Of a definition: the word, and after commas others for the same."""
        ...

    @property
    def meaning(self) -> str:
        """Of a definition: what it says of them."""
        ...


class Defined(Protocol):
    """A definition that was kept."""

    @property
    def word(self) -> str:
        """The word."""
        ...

    @property
    def sql(self) -> str:
        """What the embedded analyst makes of it; empty where it cannot be computed with."""
        ...


class Knowledge(Protocol):
    """What is known about the default data."""

    @property
    def embedded(self) -> int:
        """So many of the new documents are found by meaning already."""
        ...

    @property
    def to_embed(self) -> int:
        """So many documents were new at the last reading; the rest of them are found by their words."""
        ...

    @property
    def read(self) -> int:
        """Of them are read."""
        ...

    @property
    def to_read(self) -> int:
        """So many document files had to be read."""
        ...

    @property
    def folder(self) -> str:
        """Where it is kept; empty where there is none."""
        ...

    @property
    def cards(self) -> Sequence[KnowledgeCard]:
        """The documents."""
        ...

    @property
    def problems(self) -> Sequence[str]:
        """What could not be read."""
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
