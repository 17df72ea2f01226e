"""The language models that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.models.listing import ListedModel, TrialResult
    from assistant.settings.settings import Settings


class ConfiguredModels:
    """The language models of the settings as they are now, which `settings` gives."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings

    def all(self) -> tuple[ListedModel, ...]:
        """The language models that the settings give to the roles, each once; none where no role has one.

        Callers: Anyone.
        """
        from assistant.models.listing import list_models

        return list_models(self._settings()).models

    async def try_out(self, name: str) -> TrialResult:
        """Ask a model for one word, without any data; how it went is said in words.

        Callers: Anyone.
        """
        from assistant.models.listing import try_out

        return await try_out(self._settings(), name)
