"""Language models: which are used, what they are sent and may see, and what of their limits is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

Seen = Literal["names", "values", "results", "rows"]


class SentCall(Protocol):
    """One call of a model, as it was made or would be."""

    @property
    def endpoint(self) -> str:
        """Host and port."""
        ...

    @property
    def sees(self) -> str:
        """The level of what the model may see."""
        ...

    @property
    def text(self) -> str:
        """All that was sent, as one text."""
        ...

    @property
    def reply(self) -> str:
        """What came back."""
        ...


class Disclosure(Protocol):
    """What the person chooses before a question is sent to a model elsewhere."""

    @property
    def endpoints(self) -> Sequence[str]:
        """Host and port of the endpoints that nobody has chosen for."""
        ...

    @property
    def models(self) -> Sequence[str]:
        """The models that are asked there."""
        ...

    @property
    def suggested(self) -> Seen:
        """The level to begin with."""
        ...

    @property
    def adds(self) -> Mapping[Seen, str]:
        """What each level adds to the one before."""
        ...

    @property
    def first(self) -> Mapping[Seen, SentCall]:
        """The first call of the question, by level."""
        ...


class Account(Protocol):
    """One limit on models, and what of it is used."""

    @property
    def setting(self) -> str:
        """The setting, as `budgets.turn.calls`."""
        ...

    @property
    def unit(self) -> str:
        """Calls, tokens, dollars or seconds."""
        ...

    @property
    def used(self) -> float | None:
        """How many of them; None where a price is unknown."""
        ...

    @property
    def limit(self) -> float:
        """How many there may be."""
        ...


class ListedModel(Protocol):
    """A language model that some role uses."""

    @property
    def name(self) -> str:
        """The name that the settings use for it."""
        ...

    @property
    def endpoint(self) -> str:
        """Host and port."""
        ...

    @property
    def use(self) -> str:
        """What it is used for, in words."""
        ...


class Tried(Protocol):
    """How the test of a model went."""

    @property
    def ok(self) -> bool:
        """Whether it replied."""
        ...

    @property
    def text(self) -> str:
        """How it went, in a sentence or two."""
        ...
