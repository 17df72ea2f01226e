"""What is chosen and checked on the settings page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from assistant.core.events import PolicyLevel
from assistant.session.model_forms import ModelForm
from ui.ports.models import Tried


class Change(Protocol):
    """A change of a setting that was made on the page."""

    @property
    def at(self) -> datetime:
        """When, in UTC."""
        ...

    @property
    def setting(self) -> str:
        """Which, as `budgets.turn.calls`."""
        ...

    @property
    def was(self) -> str:
        """What it was, as text."""
        ...

    @property
    def now(self) -> str:
        """What it became, as text."""
        ...


class SettingChanges(Protocol):
    """The settings as they are changed on the page. What changes something raises AssistantError where that fails."""

    @property
    def file(self) -> str:
        """Where changes are kept."""
        ...

    def value(self, place: Sequence[str]) -> Any:
        """What a setting is now; None where it is not set."""
        ...

    def fixed(self, place: Sequence[str]) -> str:
        """Why a setting cannot be changed here; empty where it can."""
        ...

    async def change(self, place: Sequence[str], value: Any, *, was: object, consents: bool = False) -> object:
        """Change a setting; `consents` says that the person let models see more."""
        ...

    def changes(self) -> Sequence[Change]:
        """What was changed on the page, the last first."""
        ...

    def endpoints(self) -> Mapping[str, str]:
        """What endpoints may see as the person chose when they were asked, by host and port."""
        ...

    async def ask_again(self, endpoint: str) -> object:
        """Forget what an endpoint may see: nothing is sent there before the person chose anew."""
        ...

    @property
    def providers(self) -> Sequence[str]:
        """The providers that have a short name."""
        ...

    def forms(self) -> Sequence[ModelForm]:
        """The language models of the settings, as their forms are filled in."""
        ...

    async def keep_model(self, form: ModelForm) -> object:
        """Add a language model, or change it."""
        ...

    async def remove_model(self, name: str) -> object:
        """Remove a language model from the settings."""
        ...

    async def try_form(self, form: ModelForm) -> Tried:
        """Ask a model for one word before it is kept."""
        ...


class Choices(Protocol):
    """What is chosen and checked on the settings page."""

    @property
    def settings(self) -> SettingChanges:
        """The settings that are changed here."""
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
