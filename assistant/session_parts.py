"""A session's parts, put together: what `assistant.bootstrap` imports when the first session is made.

So a command that lists sessions, or reads settings, imports no engine, no SQL parser and no participant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assistant.cells.first_cell import render_prelude
from assistant.core.events import Entry, PinScope
from assistant.core.values import Budget
from assistant.functions.library import FunctionLibrary
from assistant.functions.testing import run_tests
from assistant.lessons.library import LessonLibrary
from assistant.packages.store import PACKAGES
from assistant.query.cells import render_cell
from assistant.query.functions import AllowedFunctions
from assistant.record.history.history import History
from assistant.record.memory.recall import Compare
from assistant.record.store.database import Database
from assistant.record.store.leases import Leases, SessionLease, read_holder
from assistant.record.store.log import EventLog
from assistant.record.store.people import PeopleStore
from assistant.record.store.sent_calls import SentCalls
from assistant.record.store.withholding import NO_QUESTION
from assistant.runtime.cages import MachineCages
from assistant.runtime.kernels import KernelRuntime
from assistant.runtime.spare_kernels import open_spare_kernel
from assistant.session.answers.answers import Answers
from assistant.session.answers.presenting import Presentation
from assistant.session.answers.verifying import Verification
from assistant.session.knowledge.data_folders import (
    find_personal_folder,
    is_data_file,
    list_knowledge_files,
    list_statement_folders,
)
from assistant.session.knowledge.knowledge_bases import KnowledgeBases, VerifiedQueries
from assistant.session.knowledge.ledger import StatementLedger, StoredPins
from assistant.session.knowledge.lessons import SessionLessons
from assistant.session.knowledge.written_functions import WrittenFunctionStore
from assistant.session.roles.analysts import Analysts
from assistant.session.roles.context import OpenSessionContext
from assistant.session.roles.model_use import ModelUse
from assistant.session.roles.other_sessions import OtherSessions
from assistant.session.roles.participants import Roles
from assistant.session.runs.conversing import CellCheck, Conversation
from assistant.session.runs.runs import Runs
from assistant.session.session import Outputs, Resources, Session
from assistant.session.sources.personal_values import PersonalValues
from assistant.session.sources.raw_files import RawFiles
from assistant.session.sources.source_additions import SourceAdder
from assistant.session.sources.sources import SessionSources
from assistant.session.sources.stored_values import StoredValues
from assistant.settings.config import Settings
from assistant.settings.credentials import Credentials
from assistant.settings.level_store import PolicyStore
from assistant.settings.masks import MaskStore, masks_decided
from assistant.settings.settings_store import SettingsStore
from assistant.sources.address_file import copy_addresses
from assistant.sources.addresses import SourceAddress
from assistant.sources.broker import Broker
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.mask_changes import MaskChanges
from assistant.trust.requester import Requester
from assistant.trust.rights import Rights
from knowledge.documents import Metric
from sandbox.limits import MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedParts:
    """What all sessions share.

    Attributes:
        settings: As they were when the workspace was opened.
        granted: By which sources are judged that the settings or the data page connect.
        rights: What somebody may name, by the settings as they are now.
        person: The name of who uses the program.
        compare: Compares texts by meaning.
    """

    settings: Settings
    store: SettingsStore
    database: Database
    cages: MachineCages
    catalogs: Catalogs
    credentials: Credentials
    knowledge_bases: KnowledgeBases
    analysts: Analysts
    masks: MaskStore
    policies: PolicyStore
    granted: Callable[[], Rights]
    rights: Callable[[Requester], Rights]
    person: Callable[[], str]
    compare: Compare

    def masked(self) -> tuple[str, ...]:
        """What is masked now."""
        return self.masks.entries

    def session(self, session_id: str, folder: Path) -> Session:
        """A session's parts, put together. Nothing is started."""
        log = EventLog(self.database, session_id)
        leases = Leases(self.database, holder=read_holder(self.settings.home))
        lease = partial(SessionLease, leases, log, folder / "lock")
        sources = SessionSources(
            folder,
            catalogs=self.catalogs,
            loaded=self.settings.home / "loaded",
            credentials=self.credentials,
            rights=lambda: self.granted().within(folder),
            mask=self.masked,
            functions=AllowedFunctions.of(self.settings.functions, self.settings.functions_without_tables),
        )
        personal = PersonalValues(
            catalogs=sources.catalogs,
            events=lambda: log.events,
            data=folder / "data",
            dismissed=lambda: masks_decided(self.settings.home).dismissed,
            stored=StoredValues(sources.sources),
        )
        raw = RawFiles(sources, personal=personal, mask=self.masked)
        runtime = self._runtime(log, sources, folder, raw)
        context = OpenSessionContext(
            sources=sources,
            open_library=self.knowledge_bases.of,
            stamp=self.knowledge_bases.stamp,
            events=lambda: log.events,
            data=folder / "data",
            clock=lambda: self.settings.today,
            knowledge_files=partial(self._list_knowledge_files, session_id),
            elsewhere=OtherSessions(
                self.database,
                session=session_id,
                person=lambda: PeopleStore(self.database).find_owner(session_id) or self.person(),
                hidden=lambda: History(
                    self.database,
                    folder=lambda _: folder,
                    copy_sources=partial(copy_addresses, credentials=self.credentials),
                ).list_binned_ids(),
                masked=self.masked,
                list_personal=personal.list_values,
                folder=lambda other: folder.parent / other,
            ).turns,
        )

        def list_folders() -> tuple[Path, ...]:
            return self.knowledge_bases.folders(self._list_knowledge_files(session_id, sources.addresses))

        library = FunctionLibrary(list_folders)
        lessons = LessonLibrary(list_folders, library.list_functions)
        sent = SentCalls(folder)
        stored_pins = StoredPins(
            knowledge=partial(self._find_knowledge_folder, session_id, sources),
            statements=lambda scope: self._list_statement_folders(session_id, sources, scope),
            person=self.settings.person,
            today=lambda: self.settings.today,
        )
        roles = Roles(
            lambda: self.store.now,
            context=context,
            check=CellCheck(session_id, sources, library),
            log=log,
            make_analyst=partial(self.analysts.of, list_functions=library.list_functions),
            personal=personal,
            sent_calls=sent,
            compare=self.compare,
            read_pins=stored_pins.list_pins,
            list_functions=library.list_functions,
            lessons=lessons,
            run_tests=partial(run_tests, kernel=partial(open_spare_kernel, self.cages)),
        )

        mask_changes = MaskChanges(
            masks=lambda: asyncio.to_thread(self.masks.refresh),
            log=log,
            runtime=runtime,
            sources=sources,
            folder=folder,
            lease=lease,
            no_question=NO_QUESTION,
        )
        verifying = Verification(
            log=log,
            queries=VerifiedQueries(
                self.knowledge_bases,
                files=lambda: self._list_knowledge_files(session_id, sources.addresses),
                data_files=lambda name: [
                    file
                    for file in self._list_knowledge_files(session_id, [a for a in sources.addresses if a.name == name])
                    if is_data_file(file, home=self.settings.home)
                ],
            ),
            person=self.settings.person,
            today=lambda: self.settings.today,
            dialect=sources.dialect,
            stands_alone=roles.stands_alone,
        )
        presenting = Presentation(
            log=log,
            metrics=partial(_metrics, context),
            dialect=sources.dialect,
            keys=sources.keys,
            person=self.settings.person,
            today=lambda: self.settings.today,
            render=_cell,
        )
        runs = Runs(
            session_id,
            log=log,
            lease=lease,
            converse=Conversation(
                log=log,
                runtime=runtime,
                roles=roles,
                context=context,
                packages=self.settings.home / PACKAGES,
                find_functions=library.find_sources,
                keep_functions=WrittenFunctionStore(
                    library,
                    place=partial(self._find_knowledge_folder, session_id, sources),
                    person=self.settings.person,
                    today=lambda: self.settings.today,
                ).keep,
            ),
            apply_masks=mask_changes.apply,
            read_anew=sources.read_anew,
        )
        return Session(
            session_id,
            log=log,
            folder=folder,
            runs=runs,
            resources=Resources(data=sources, runtime=runtime, roles=roles),
            sources=SourceAdder(
                log=log,
                sources=sources,
                folder=folder,
                policies=self.policies,
                rights=lambda: self.rights(self._requester(session_id)),
                require_undamaged=runs.require_whole,
                write=runs.write,
            ),
            answers=Answers(runs, verifying=verifying, presenting=presenting),
            ledger=StatementLedger(log=log, runs=runs, stored=stored_pins),
            lessons=SessionLessons(
                log=log,
                runs=runs,
                library=lessons,
                catalogs=sources.catalogs,
                place=partial(self._find_knowledge_folder, session_id, sources),
                person=self.settings.person,
                today=lambda: self.settings.today,
            ),
            models=ModelUse(roles, sent_calls=sent.read),
            outputs=Outputs(presenting=presenting, notebook=partial(_export_notebook, loaded_in=sources.loaded_in)),
        )

    def _list_statement_folders(self, session_id: str, sources: SessionSources, scope: PinScope) -> tuple[Path, ...]:
        """The folders for what a person said beyond a session. Blocks."""
        owner = PeopleStore(self.database).find_owner(session_id)
        if scope == "always":
            return (find_personal_folder(self.settings.home, owner=owner),)
        return list_statement_folders(sources.addresses, home=self.settings.home, owner=owner)

    def _find_knowledge_folder(self, session_id: str, sources: SessionSources) -> Path:
        """The knowledge folder of a session's data. Blocks.

        Raises:
            KnowledgeError: there is none, and no file beside which to make one.
        """
        return self.knowledge_bases.place(self._list_knowledge_files(session_id, sources.addresses))

    def _list_knowledge_files(self, session_id: str, addresses: Sequence[SourceAddress]) -> tuple[Path, ...]:
        """The files beside which the knowledge of a session's sources lies. Blocks."""
        owner = PeopleStore(self.database).find_owner(session_id)
        return list_knowledge_files(addresses, home=self.settings.home, owner=owner)

    def _runtime(self, log: EventLog, sources: SessionSources, folder: Path, raw: RawFiles) -> KernelRuntime:
        return KernelRuntime(
            cages=self.cages,
            broker=Broker(sources.opened, folder=folder / "data", budget=self._budget),
            open_sources=sources.sources,
            log=log,
            folder=folder,
            prelude=render_prelude(),
            cell_seconds_max=lambda: self.store.now.cell_seconds_max,
            find_file=raw.find,
            packages=self.settings.home / PACKAGES,
        )

    def _budget(self) -> Budget:
        """What one query may take now."""
        now = self.store.now
        return Budget(rows_max=now.rows_max, limit_bytes=now.megabytes_max * MIB, timeout_s=now.query_seconds_max)

    def _requester(self, session_id: str) -> Requester:
        """Who asks in a session: somebody who signed in, or whoever is at the machine. Blocks."""
        return "member" if PeopleStore(self.database).find_owner(session_id) else "person"


async def _metrics(context: OpenSessionContext) -> tuple[Metric, ...]:
    """The metrics of the knowledge base."""
    return tuple(document for document in await context.documents() if isinstance(document, Metric))


def _cell(name: str, sql: str, source: str | None) -> str:
    """The cell of a query."""
    return render_cell(name, sql, source)


def _export_notebook(
    entries: Sequence[Entry], addresses: Sequence[SourceAddress], *, loaded_in: Callable[[SourceAddress], Path]
) -> bytes:
    """The notebook of a session: only its export needs the notebook library and the renderer of charts."""
    from assistant.session.answers.export import notebook_of

    return notebook_of(entries, addresses, loaded_in=loaded_in)
