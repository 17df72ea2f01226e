"""The configured language models, and the form in which a person changes one; it shows no key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from assistant.models.listing import ListedModel, TrialResult
    from assistant.settings.settings import Settings

KeyPlace = Literal["none", "environment", "keyring"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelForm:
    """One language model.

    Attributes:
        name: What the settings call it, its table `[models.NAME]`.
        provider: The provider's short name.
        model: The model's name at the endpoint.
        address: The endpoint's address; the provider's own if empty.
        key_place: Where its key is.
        variable: The environment variable that holds it.
        key: The key as it was typed, for the keyring; empty to leave the one that is kept.
        fixed: Why the model cannot be changed; empty where it can.
    """

    name: str
    provider: str = "openai"
    model: str = ""
    address: str = ""
    key_place: KeyPlace = "none"
    variable: str = ""
    key: str = field(default="", repr=False)
    fixed: str = ""
