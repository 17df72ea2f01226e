"""The composition root: the only place where concrete parts are made and handed to each other.

Reads top to bottom as a parts list. `open_workspace` gives a workspace; everything the page and the command line do
starts there.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.connections.combined_store import CombinedSourceStore
from assistant.connections.connection_store import FOLDER, ConnectionStore
from assistant.core.events import Role
from assistant.errors import ConfigError
from assistant.record.history.history import History
from assistant.record.store.backups import Backups
from assistant.record.store.database import Database
from assistant.record.store.opening import (
    back_up_in_background,
    list_store_files,
    locate_store,
    make_backups,
    make_home,
    open_store,
)
from assistant.runtime.cages import MachineCages
from assistant.runtime.capacity import KernelCapacity
from assistant.runtime.spare_kernels import open_spare_kernel
from assistant.session.knowledge.data_folders import is_data_file
from assistant.session.knowledge.default_knowledge import DefaultKnowledge
from assistant.session.knowledge.defining import Definitions
from assistant.session.knowledge.knowledge_bases import KnowledgeBases
from assistant.session.knowledge.workspace_functions import WorkspaceFunctions
from assistant.session.knowledge.workspace_knowledge import WorkspaceKnowledge
from assistant.session.knowledge.workspace_lessons import WorkspaceLessons
from assistant.session.roles.analysts import Analysts
from assistant.session.settings.configured_models import ConfiguredModels
from assistant.session.sources.sample_company import sample_database, sample_text
from assistant.session.workspace import DefaultData, PageParts, Storage, Workspace
from assistant.settings.config import Settings, load
from assistant.settings.credentials import Credentials
from assistant.settings.level_store import LevelStore, PolicyStore
from assistant.settings.masks import MaskStore, masks_decided
from assistant.settings.reading_choices import ReadingChoices
from assistant.settings.settings_store import SettingsStore
from assistant.sources.address_file import copy_addresses, used_credentials
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.catalog.corrections import RoleStore
from assistant.sources.defaults import DefaultSources
from assistant.sources.workers.extracting import extract
from assistant.sources.workers.processes import forkserver
from assistant.trust.requester import Requester
from assistant.trust.rights import Rights
from knowledge.similarity import Similarity
from sandbox import cache, descriptors
from sandbox.limits import MIB, Limits
from sandbox.zygote import Zygote

if TYPE_CHECKING:
    from assistant.connections.connections import Connections
    from assistant.functions.library import FunctionLibrary
    from assistant.lessons.library import LessonLibrary
    from assistant.record.boards.boards import Boards
    from assistant.session.health.doctor import Health
    from assistant.session.knowledge.editing import Editing
    from assistant.session.session import Session
    from assistant.session.settings.choices import Choices
    from knowledge.embedding import EmbedderChoice

_LOG = logging.getLogger(__name__)


def home() -> Path:
    """The data folder that the settings name; it need not exist yet.

    Raises:
        AssistantError: the settings are wrong.
    """
    return load().home


_KEYS = ("*_API_KEY*", "AWS_*", "TANDEM_STORE")
"""Variables in which providers of models look for their keys by themselves, and that of the session store."""


@asynccontextmanager
async def open_workspace(
    settings: Settings | None = None,
    *,
    kernels_ready: int = 0,
    read_only: bool = False,
    begun: Zygote | None = None,
) -> AsyncGenerator[Workspace]:
    """Open the workspace of the settings' data folder.

    Args:
        settings: the settings; read from the environment and `tandem.toml` by default.
        kernels_ready: how many kernels wait for sessions that are still to come. A server keeps one; a command that
            asks one question would make the second for nobody.
        read_only: sessions are only listed; neither the file engines nor the SQL parser are made ready.
        begun: the zygote that `assistant.runtime.prestart` began; it is closed with the workspace.

    Raises:
        AssistantError: the settings are wrong or the session store cannot be used.
    """
    chosen = settings or load()
    descriptors.raise_limit()
    await asyncio.to_thread(make_home, chosen.home)
    if not read_only:
        await asyncio.to_thread(forkserver().start)  # it imports the file engines while the rest is put together
    database = await asyncio.to_thread(open_store, chosen)
    if not read_only:
        await asyncio.to_thread(_import_whole)
    limits = Limits(memory_bytes=chosen.memory_megabytes_max * MIB, wall_s=chosen.cell_seconds_max)
    cages = MachineCages(
        limits=limits,
        level=chosen.cage or None,
        uncaged=chosen.uncaged,
        ready=kernels_ready,
        slots=chosen.home / "sessions",
        places=KernelCapacity(kernels_max=chosen.kernels_max, idle_s=60 * chosen.kernel_idle_minutes),
        zygote=begun,
    )
    backups = None if chosen.store else make_backups(chosen)
    parts = Parts(chosen, database=database, cages=cages, backups=backups)
    async with (
        back_up_in_background(backups),
        cages,
        _closing(parts),
        Workspace(
            storage=Storage(
                home=chosen.home,
                database=database,
                make_session=parts.session,
                forget_backups=backups.forget if backups is not None else _nothing,
                forget_credentials=parts.forget_credentials,
                person=parts.person,
            ),
            cages=cages,
            data=DefaultData(sources=parts.defaults, decide_mask=parts.decide_mask),
            history=History(
                database,
                folder=lambda session: chosen.home / "sessions" / session,
                copy_sources=partial(copy_addresses, credentials=Credentials(chosen.home)),
            ),
            knowledge=parts.workspace_knowledge,
            models=parts.models,
            pages=PageParts(
                connections=lambda: parts.connections,
                choices=lambda: parts.choices,
                boards=parts.boards,
                examine=parts.examine,
            ),
        ) as workspace,
    ):
        yield workspace


def rights_of(settings: Settings, requester: Requester) -> Rights:
    """What somebody may name, by the lists of these settings."""
    return Rights(
        requester=requester,
        private=(settings.home, *list_store_files(settings), cache.locate_cache()),
        kept=(settings.home / FOLDER, settings.home / "sample"),
        hosts=settings.database_hosts,
        web_hosts=settings.web_hosts,
        downloads=settings.home / "downloads",
        variables=settings.password_variables,
        keys=frozenset(
            {
                *_KEYS,
                settings.api_key_env,
                *(model.api_key_env for model in settings.models.values() if model.api_key_env),
            }
        ),
    )


@asynccontextmanager
async def _closing(parts: Parts) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        await asyncio.to_thread(parts.close)


def _nothing(_session: str) -> None:
    """The server that keeps the store keeps its backups."""


def _import_whole() -> None:
    """Import sqlglot before sessions do, from threads of their own.

    Its modules import each other in a circle. Python lets two threads that come upon a circle from two sides see it
    half made, rather than wait for each other for ever: the first question then failed on an `ImportError`.
    """
    importlib.import_module("sqlglot")


class Parts:
    """Makes the parts of sessions, from the settings and what all sessions share."""

    def __init__(
        self, settings: Settings, *, database: Database, cages: MachineCages, backups: Backups | None = None
    ) -> None:
        self._settings = settings
        self._store = SettingsStore(settings)
        self._database = database
        self._cages = cages
        self._backups = backups
        self._embedder: EmbedderChoice | None = None
        self._masks = MaskStore(settings.home, settings.mask)
        self._role_store = RoleStore(settings.home)
        self._credentials = Credentials(settings.home)
        self._connection_store = ConnectionStore(settings.home, rights=self.granted)
        self._combined_store = CombinedSourceStore(settings.home, rights=self.granted)
        self._reading_choices = ReadingChoices(settings.home)
        self._catalogs = Catalogs(
            self.masked, self._role_store.roles, settings.time_zone, self._reading_choices.find_choices
        )
        self._defaults = DefaultSources(
            lambda: self._combined_store.arrange(self._apart()),
            sample=lambda: sample_database(settings.home, settings.today),
            sample_text=lambda: sample_text(settings.today),
            loaded=settings.home / "loaded",
            catalogs=self._catalogs,
            mask=self.masked,
            rights=self.granted,
        )
        roles: tuple[Role, ...] = ("planner", "coder", "reviewer")
        self._knowledge_bases = KnowledgeBases(
            settings.knowledge,
            index=settings.home / "knowledge",
            embedder=self.embedder,
            is_searched=lambda: any(self._store.now.model_of(role) for role in roles),
            read_file=extract,
            is_data_file=partial(is_data_file, home=settings.home),
            is_sample=lambda file: file.is_relative_to(settings.home / "sample"),
        )
        self.policies = PolicyStore(settings.home)
        self._analysts = Analysts(Similarity(self.embedder, settings.home / "knowledge"))
        self._compare = Similarity(self.embedder)  # in memory alone: what was said is no name of the data
        self.knowledge = DefaultKnowledge(
            self._defaults,
            knowledge_bases=self._knowledge_bases,
            analysts=self._analysts,
            home=settings.home,
            today=lambda: settings.today,
        )

    # --- a session --------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of what sessions shared."""
        self._knowledge_bases.close()

    def session(self, session_id: str, folder: Path) -> Session:
        """A session's parts, put together. Nothing is started."""
        from assistant.session_parts import SharedParts  # it imports engines, the SQL parser and who takes part

        parts = SharedParts(
            settings=self._settings,
            store=self._store,
            database=self._database,
            cages=self._cages,
            catalogs=self._catalogs,
            credentials=self._credentials,
            knowledge_bases=self._knowledge_bases,
            analysts=self._analysts,
            masks=self._masks,
            policies=self.policies,
            granted=self.granted,
            rights=self.rights,
            person=self.person,
            compare=self._compare,
        )
        return parts.session(session_id, folder)

    # --- what sessions share ----------------------------------------------------------------------------------

    def embedder(self) -> EmbedderChoice:
        """The embedder, chosen once."""
        from knowledge.embedding import choose_embedder

        if self._embedder is None:
            self._embedder = choose_embedder(self._settings.embeddings)
        return self._embedder

    def rights(self, requester: Requester) -> Rights:
        """What somebody may name, by the settings as they are now."""
        return rights_of(self._store.now, requester)

    def granted(self) -> Rights:
        """By which sources are judged that the settings or the data page connect."""
        return self.rights("administrator").granted()

    def forget_credentials(self) -> None:
        """Remove passwords that no session uses any more. Blocks."""
        sessions = self._settings.home / "sessions"
        try:
            self._credentials.remove_unused(lambda known: used_credentials(sessions, known))
        except ConfigError as error:
            _LOG.warning("passwords that no session uses any more were not removed: %s", error)

    @property
    def defaults(self) -> DefaultSources:
        """What a new session starts with."""
        return self._defaults

    def boards(self, open_session: Callable[[str], Awaitable[Session]]) -> Boards:
        """Pinned answers, of sessions that are opened so."""
        from assistant.record.boards.boards import Boards

        return Boards(self._settings.home, open_session=open_session)

    @property
    def choices(self) -> Choices:
        """What the settings page shows and changes."""
        from assistant.output.presentation.formats import LANGUAGES
        from assistant.session.settings.choices import Choices  # it imports what speaks to models

        return Choices(
            self._store,
            policies=self.policies,
            catalogs=self._defaults.catalogs,
            addresses=self._defaults.addresses,
            dismissed=lambda: masks_decided(self._settings.home).dismissed,
            languages=LevelStore(self._settings.home / "appearance.json", LANGUAGES, unsaid=""),
        )

    @property
    def connections(self) -> Connections:
        """The default sources, as the data page works with them."""
        from assistant.connections.connections import Connections, Services

        return Connections(
            Services(
                home=self._settings.home,
                store=self._connection_store,
                combined=self._combined_store,
                roles=self._role_store,
                choices=self._reading_choices,
                texts=self._defaults.read_entries,
                apart=lambda: self._apart() or self._defaults.read_entries(),
                configured=len(self._settings.sources),
                catalogs=self._catalogs,
                loaded=self._settings.home / "loaded",
                masks=self.masked,
                forget=self._forget_catalogs,
                rights=self.rights,
            )
        )

    def _apart(self) -> tuple[str, ...]:
        """The configured and kept sources, before any are put together."""
        return (*self._settings.sources, *self._connection_store.given())

    def _forget_catalogs(self) -> None:
        """Let go of what sessions share of the data."""
        self._catalogs.forget()
        self._analysts.forget()

    def person(self) -> str:
        """The name of who uses the program; empty where neither settings nor system know it."""
        try:
            return self._settings.person()
        except ConfigError:
            return ""

    def masked(self) -> tuple[str, ...]:
        """What is masked now."""
        return self._masks.entries

    async def decide_mask(self, column: str, mask: bool) -> Sequence[str]:
        """Keep what a person said of a column; where it is masked, nothing that sessions share tells its values.

        Gives all that is masked now.

        Raises:
            ConfigError: that cannot be written down.
        """
        await asyncio.to_thread(self._masks.decide, column, mask=mask)
        self._forget_catalogs()
        return self.masked()

    @property
    def models(self) -> ConfiguredModels:
        """The language models of the settings."""
        return ConfiguredModels(lambda: self._store.now)

    async def examine(self) -> tuple[Health, ...]:
        """What works here and what does not; of the data, what new conversations use."""
        from assistant.session.health.doctor import examine  # it imports what is examined
        from assistant.session.health.store_health import store_health

        given = {"mask": self.masked(), "sources": await asyncio.to_thread(self._apart)}
        return await examine(
            settings=self._store.now.model_copy(update=given),
            cages=self._cages,
            rights=self.granted(),
            choose_embedder=self.embedder,
            open_sources=self._defaults.catalogs,
            unread=self.knowledge.problems,
            store=await asyncio.to_thread(
                store_health,
                self._database,
                place=self._settings.store.partition("://")[0] or locate_store(self._settings),
                backups=self._backups,
            ),
        )

    @property
    def workspace_knowledge(self) -> WorkspaceKnowledge:
        """What people read and change of the default data's knowledge."""
        return WorkspaceKnowledge(
            self.knowledge,
            definitions=Definitions(
                place=self.knowledge.folder,
                analyst=self.knowledge.analyst,
                person=self._settings.person,
                today=lambda: self._settings.today,
            ),
            editing=self._editing,
            functions=WorkspaceFunctions(
                self._library,
                folder=self._functions_folder,
                kernel=partial(open_spare_kernel, self._cages),
                person=self._settings.person,
                today=lambda: self._settings.today,
            ),
            lessons=WorkspaceLessons(
                self._lesson_library, catalogs=self.knowledge.catalogs, folder=self.knowledge.folder
            ),
        )

    async def _lesson_library(self) -> LessonLibrary:
        """The lessons of the default data's knowledge."""
        from assistant.lessons.library import LessonLibrary

        folders, functions = await self.knowledge.folders(), await self._library()
        return LessonLibrary(lambda: folders, functions.list_functions)

    async def _library(self) -> FunctionLibrary:
        """The functions that ship and those of the default data's knowledge."""
        from assistant.functions.library import FunctionLibrary

        folders = await self.knowledge.folders()
        return FunctionLibrary(lambda: folders)

    async def _functions_folder(self) -> Path:
        """Where functions of the default data are kept."""
        from assistant.functions.folder import FOLDER as FUNCTIONS

        return await self.knowledge.folder() / FUNCTIONS

    def _editing(self) -> Editing:
        """What a person changes of the default data's knowledge folder."""
        from assistant.session.knowledge.editing import Editing  # it imports the compiler to SQL

        return Editing(
            place=self.knowledge.folder,
            catalogs=self.knowledge.catalogs,
            run=self._defaults.run,
            person=self._settings.person,
            today=lambda: self._settings.today,
        )
