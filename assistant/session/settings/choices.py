"""Choices on the settings page: what models may see, and the approval policy."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.agents.model.source_descriptions import describe_sources
from assistant.core.catalog import Catalog
from assistant.core.events import PolicyLevel
from assistant.record.memory.wording import Sees
from assistant.session.settings.setting_changes import SettingChanges
from assistant.session.sources.personal_values import PersonalValues
from assistant.settings.level_store import LevelStore
from assistant.settings.settings_store import SettingsStore

if TYPE_CHECKING:
    from assistant.settings.level_store import PolicyStore
    from assistant.sources.addresses import SourceAddress

NUMBERS = "numbers"
_PREVIEW_TOKENS = 3_000


class Choices:
    """The settings page's side of a workspace.

    Args:
        store: The settings.
        policies: What runs without asking, by source.
        catalogs: Gives the default sources as they are shown, with their catalogs.
        addresses: Gives where these are.
        dismissed: Gives the columns that a person said are nothing to hide.
        languages: How numbers and dates are written, kept under `NUMBERS`.
    """

    def __init__(
        self,
        store: SettingsStore,
        *,
        policies: PolicyStore,
        catalogs: Callable[[], Awaitable[Sequence[tuple[str, Catalog]]]],
        addresses: Callable[[], Awaitable[Sequence[SourceAddress]]],
        dismissed: Callable[[], Sequence[str]],
        languages: LevelStore[str],
    ) -> None:
        self._store = store
        self._is_shared = False
        self._policies = policies
        self._catalogs = catalogs
        self._addresses = addresses
        self._dismissed = dismissed
        self._written = languages

    @property
    def settings(self) -> SettingChanges:
        """The settings that are changed here.

        Callers: Anyone.
        """
        return SettingChanges(self._store, is_shared=self._is_shared)

    def of(self, *, is_shared: bool) -> Choices:
        """The same; where several people sign in, the settings are for whoever runs the server.

        Callers: The program.
        """
        choices = copy.copy(self)
        choices._is_shared = is_shared
        return choices

    async def preview(self, sees: Sees) -> str:
        """The words about the default data that a model's prompt holds, at a level of what it may see.

        Callers: Anyone.

        Raises:
            AssistantError: a source cannot be opened.
        """
        catalogs = tuple(catalog for _, catalog in await self._catalogs())

        async def known() -> Sequence[Catalog]:
            return catalogs

        personal = PersonalValues(
            catalogs=known, events=tuple, data=self._store.now.home / "data", dismissed=self._dismissed
        )
        withheld = await asyncio.to_thread(personal.without_values, catalogs)
        return await asyncio.to_thread(describe_sources, withheld, tokens_max=_PREVIEW_TOKENS, sees=sees)

    async def policies(self) -> Mapping[str, PolicyLevel]:
        """What runs without asking, by source, of all default sources and of those for which something was kept.

        Callers: Anyone.

        Raises:
            AssistantError: a source is not where it was.
        """
        stored = await asyncio.to_thread(lambda: self._policies.kept)
        addresses = await self._addresses()
        names = await asyncio.to_thread(lambda: [self._policies.name(a.display, a.all_files) for a in addresses])
        return {source: stored.get(source, "ask") for source in dict.fromkeys([*names, *stored])}

    async def set_policy(self, source: str, level: PolicyLevel) -> None:
        """Keep what runs without asking on a source; it holds in conversations that begin from now on.

        Callers: Anyone.

        Raises:
            ConfigError: It cannot be kept.
        """
        await asyncio.to_thread(self._policies.keep, [source], level)

    @property
    def language(self) -> str:
        """The language and country by which numbers and dates are written; empty for those of the browser.

        Callers: Anyone.
        """
        return self._written.kept.get(NUMBERS, "")

    async def set_language(self, code: str) -> None:
        """Keep how numbers and dates are written on the page; empty for as the browser has them.

        Callers: Anyone.

        Raises:
            ConfigError: It cannot be kept.
        """
        await asyncio.to_thread(self._written.keep, [NUMBERS], code)
