"""What is chosen and checked on the settings page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from assistant.events import PolicyLevel


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

    @property
    def language(self) -> str:
        """The language and country by which numbers and dates are written; empty for those of the browser."""
        ...

    async def set_language(self, code: str) -> object:
        """Keep how numbers and dates are written."""
        ...

    def limits(self) -> Sequence[tuple[str, str]]:
        """The limits of queries and cells."""
        ...
