"""Changes of settings on the page: single values, and the list of language models.

Where several people sign in, only whoever runs the server may change settings: nothing is changed here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from assistant.errors import ConfigError
from assistant.models.clients import CLIENTS
from assistant.models.listing import ROLES, TrialResult, try_out
from assistant.models.role_models import find_choice, list_names
from assistant.session.settings.configured_models import ModelForm
from assistant.settings.level_store import DisclosureLevelStore
from assistant.settings.models import ModelSettings
from assistant.settings.own_file import Value
from assistant.settings.settings import Settings
from assistant.settings.settings_store import SettingChange, SettingsStore, value_at
from assistant.settings.system_keyring import keep_key, key_of

PROVIDERS = tuple(CLIENTS)
_NAME = re.compile(r"[\w.:/@-]{1,60}")


class SettingChanges:
    """The settings as they can be changed on the page.

    Args:
        store: The settings.
        is_shared: Whether several people sign in.
    """

    def __init__(self, store: SettingsStore, *, is_shared: bool = False) -> None:
        self._store = store
        self._is_shared = is_shared
        self._seeing = DisclosureLevelStore(store.now.home)

    @property
    def file(self) -> str:
        """Where changes are kept.

        Callers: Anyone.
        """
        return str(self._store.file)

    def value(self, place: Sequence[str]) -> Any:
        """What a setting is now; None where it is not set.

        Callers: Anyone.
        """
        return value_at(self._store.now, place)

    def fixed(self, place: Sequence[str]) -> str:
        """Why a setting cannot be changed here; empty where it can.

        Callers: Anyone.
        """
        if self._is_shared:
            return f"Several people use this server: whoever runs it sets this in {self.file}."
        return self._store.fixed(place)

    async def change(self, place: Sequence[str], value: Value, *, was: object, consents: bool = False) -> None:
        """Change a setting; `consents` says that the person let models see more.

        Callers: An administrator.

        Raises:
            ConfigError: It is fixed, does not fit, was changed meanwhile or cannot be kept. Nothing changed.
        """
        self._require_own(place)
        await asyncio.to_thread(self._store.change, place, value, was=was, consents=consents)

    def changes(self) -> tuple[SettingChange, ...]:
        """What was changed on the page, the last first.

        Callers: Anyone.
        """
        return self._store.changes()

    def endpoints(self) -> Mapping[str, str]:
        """What endpoints may see as the person chose when they were asked, by host and port.

        Callers: Anyone.
        """
        return self._seeing.kept

    async def ask_again(self, endpoint: str) -> None:
        """Forget what an endpoint may see: nothing is sent there before the person chose anew.

        Callers: An administrator.

        Raises:
            ConfigError: It is not for this person to change, or the file cannot be written.
        """
        self._require_own(("sees",))
        await asyncio.to_thread(self._seeing.keep, [endpoint], None)

    # --- language models -------------------------------------------------------------------------------------

    @property
    def providers(self) -> tuple[str, ...]:
        """The providers that have a short name.

        Callers: Anyone.
        """
        return PROVIDERS

    def forms(self) -> tuple[ModelForm, ...]:
        """The language models of the settings, as their forms are filled in.

        Callers: Anyone.
        """
        now = self._store.now
        return tuple(self._form(now, name) for name in now.models)

    async def keep_model(self, form: ModelForm) -> None:
        """Add a language model, or change it; its key goes to the keyring.

        Callers: An administrator.

        Raises:
            ConfigError: It does not fit, is fixed, or cannot be kept. Nothing changed.
        """
        place = ("models", form.name)
        self._require_own(place)
        now = self._store.now
        table = _table(form)
        choice = find_choice(_with(now, form), form.name)
        if form.key_place == "keyring":
            address = choice.address or choice.provider
            if form.key:
                await asyncio.to_thread(keep_key, address, form.key)
            elif not await asyncio.to_thread(key_of, address):
                raise ConfigError(f"The keyring holds no key for {choice.endpoint!r} yet. Enter it.")
        await asyncio.to_thread(self._store.change, place, table, was=now.models.get(form.name))

    async def remove_model(self, name: str) -> None:
        """Remove a language model from the settings.

        Callers: An administrator.

        Raises:
            ConfigError: A role uses it, it is fixed, or the file cannot be written. Nothing changed.
        """
        now = self._store.now
        used = [role for role in ROLES if name in list_names(now, role)]
        if used:
            raise ConfigError(f"{name!r} is used as {', '.join(used)}. Choose another there first.")
        await self.change(("models", name), None, was=now.models.get(name))

    async def try_form(self, form: ModelForm) -> TrialResult:
        """Ask a model for one word before it is kept. It is sent no data.

        Callers: An administrator.

        Raises:
            ConfigError: The form cannot be used.
        """
        self._require_own(("models", form.name))
        _table(form)
        key = form.key if form.key_place == "keyring" and form.key else None
        return await try_out(_with(self._store.now, form), form.name, key=key)

    def _form(self, now: Settings, name: str) -> ModelForm:
        choice, model_settings = find_choice(now, name), now.models[name]
        where = "keyring" if model_settings.key_in == "keyring" else "environment" if choice.api_key_env else "none"
        return ModelForm(
            name=name,
            provider=model_settings.provider,
            model=model_settings.model,
            address=model_settings.base_url,
            key_place=where,
            variable=choice.api_key_env if where == "environment" else "",
            fixed=self.fixed(("models", name)),
        )

    def _require_own(self, place: Sequence[str]) -> None:
        if self._is_shared:
            raise ConfigError(self.fixed(place))


def _table(form: ModelForm) -> Mapping[str, Value]:
    """The table of a form; None takes a line out.

    Raises:
        ConfigError: The form cannot be used; the text names the field.
    """
    if not _NAME.fullmatch(form.name):
        raise ConfigError("Give it a name of letters, digits and . : / @ _ - without spaces.")
    if not form.model:
        raise ConfigError("Enter the model's name at its endpoint.")
    parts = urlsplit(form.address)
    if form.address and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ConfigError("The address must start with http:// or https:// and name a host.")
    if parts.username or parts.password:
        raise ConfigError("An address with a password is not kept in a file. Enter the address alone, and a key.")
    if form.key_place == "environment" and not form.variable:
        raise ConfigError("Enter the name of the environment variable that holds the key.")
    variable = {"none": "", "environment": form.variable, "keyring": None}[form.key_place]
    return {
        "provider": None if form.provider == "openai" else form.provider,
        "model": form.model,
        "base_url": form.address or None,
        "api_key_env": variable,
        "key_in": "keyring" if form.key_place == "keyring" else None,
    }


def _with(settings: Settings, form: ModelForm) -> Settings:
    """The settings with the model of a form."""
    existing = settings.models.get(form.name) or ModelSettings()
    values = {name: value for name, value in _table(form).items() if value is not None}
    left = set(_table(form))
    model_settings = ModelSettings.model_validate({**existing.model_dump(exclude=left), **values})
    return settings.model_copy(update={"models": {**settings.models, form.name: model_settings}})
