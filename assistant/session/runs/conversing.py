"""The group chat of one turn: constructs its participants and runs it, with or without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.agents.checks import check_cell
from assistant.core.events import Event, Finding, Language
from assistant.core.turns import fold_events
from assistant.packages.package_offers import OfferedPackages
from assistant.packages.store import modules_added
from assistant.record.store.log import EventLog
from assistant.session.roles.context import OpenSessionContext
from assistant.session.roles.participants import Roles, make_participants
from assistant.session.sources.sources import SessionSources

if TYPE_CHECKING:
    from assistant.agents.keeping_functions import KeepFunctions
    from assistant.cells.functions import FindFunctions
    from assistant.functions.review import FunctionCatalog
    from assistant.runtime.kernels import KernelRuntime


class Conversation:
    """`await conversation(said)` runs the participants of a session until the turn ends or a person must decide."""

    def __init__(
        self,
        *,
        log: EventLog,
        runtime: KernelRuntime,
        roles: Roles,
        context: OpenSessionContext,
        packages: Path,
        find_functions: FindFunctions,
        keep_functions: KeepFunctions,
    ) -> None:
        """
        Args:
            packages: The folder of approved packages.
            find_functions: Gives the functions that a cell imports.
            keep_functions: Keeps functions that a person approved.
        """
        self._log = log
        self._runtime = runtime
        self._roles = roles
        self._context = context
        self._packages = packages
        self._find_functions = find_functions
        self._keep_functions = keep_functions

    async def __call__(self, event: Event) -> None:
        """Answer what the person said."""
        offered = OfferedPackages(self._packages, on_progress=partial(self._log.say, "executor"))
        with self._runtime.in_turn():
            participants = make_participants(
                self._log,
                self._runtime,
                await self._roles.chosen(),
                table=self._context.table,
                unread=self._context.unread,
                partial_periods=self._context.partial_periods,
                packages=offered,
                find_functions=self._find_functions,
                keep_functions=self._keep_functions,
            )
            if self._roles.has_model:
                from assistant.runner import group_chat as team

                await team.run(participants, log=self._log, first_event=event)
            else:
                from assistant.runner import direct as without_model

                await without_model.run(participants, log=self._log)


class CellCheck:
    """The check of a proposed cell against a session's sources, variables, packages and functions."""

    def __init__(self, session: str, sources: SessionSources, library: FunctionCatalog) -> None:
        self._session = session
        self._sources = sources
        self._library = library

    async def __call__(self, code: str, language: Language, events: Sequence[Event]) -> tuple[Finding, ...]:
        """What is wrong with the code, as far as it shows without running it."""
        return await check_cell(
            code,
            language,
            self._sources,
            variables=fold_events(events).kernel.variables,
            added=modules_added(events),
            library=self._library,
            session=self._session,
        )
