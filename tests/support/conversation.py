"""A real session for tests: real group chat, kernel, broker, store; only the roles are told what to say."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path

from rights_of_person import person

from assistant.agents.analyst.reviewer import EmbeddedReviewer
from assistant.agents.coder import CoderAgent
from assistant.agents.executor import ExecutorAgent
from assistant.agents.human import HumanAgent
from assistant.agents.planner import PlannerAgent
from assistant.agents.reviewer import ReviewerAgent
from assistant.analyst.analyst import Analyst
from assistant.cells.functions import FindFunctions, find_none
from assistant.core.events import (
    Answer,
    Clarification,
    Event,
    Finding,
    Language,
    Plan,
    Proposal,
    Query,
    Step,
    StepSkipped,
)
from assistant.core.turns import Turn, current_turn
from assistant.core.values import Budget
from assistant.functions.matching import list_none
from assistant.lessons.library import LessonLibrary
from assistant.packages.package_offers import OfferedPackages
from assistant.query.cells import literal_queries, render_cell
from assistant.record.store.database import Database
from assistant.record.store.leases import Leases, SessionLease, read_holder
from assistant.record.store.log import EventLog
from assistant.record.store.withholding import NO_QUESTION
from assistant.runner import direct as without_model
from assistant.runner import group_chat as team
from assistant.runtime.cages import MachineCages
from assistant.runtime.capacity import KernelCapacity
from assistant.runtime.kernels import KernelRuntime
from assistant.session.answers.answers import Answers
from assistant.session.answers.presenting import Presentation
from assistant.session.answers.verifying import Verification
from assistant.session.knowledge.knowledge_bases import KnowledgeBases, VerifiedQueries
from assistant.session.knowledge.ledger import StatementLedger, StoredPins
from assistant.session.knowledge.lessons import SessionLessons
from assistant.session.roles.model_use import ModelUse
from assistant.session.runs.runs import Runs
from assistant.session.session import Outputs, Resources, Session
from assistant.session.sources.source_additions import SourceAdder
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.settings.level_store import PolicyStore
from assistant.sources.broker import Broker
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.mask_changes import MaskChanges
from knowledge.embedding import choose_embedder
from sandbox.limits import Limits

SQL = "SELECT region, SUM(amount) AS revenue FROM sales GROUP BY region ORDER BY region"
CELL = render_cell("revenue", SQL)


async def _no_metrics() -> tuple[()]:
    return ()


@dataclass
class Told:
    """Roles that say what the test tells them: one entry per step, a list where versions differ."""

    cells: Sequence[tuple[Language, str | Sequence[str]]] = (("sql", CELL),)
    plan_with: Callable[[Sequence[Event]], Plan | Clarification | Answer] | None = None

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        turn = current_turn(log)
        if self.plan_with is not None:
            return self.plan_with(log)
        number = 1 + len(turn.plans)
        steps = tuple(Step(title=f"Step {n}", language=lang) for n, (lang, _) in enumerate(self.cells, start=1))
        return Plan(turn=turn.number, id=f"{turn.number}.plan.{number}", restated="Revenue by region", steps=steps)

    async def answer(self, log: Sequence[Event]) -> Answer:
        turn = current_turn(log)
        good = turn.ran
        return Answer(
            turn=turn.number,
            status="answered" if good else "failed",
            text="Done." if good else "It failed.",
            table=good[-1].id if good else None,
        )

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped:
        turn = current_turn(log)
        language, code = self.cells[step - 1]
        if not isinstance(code, str):
            code = code[min(revision, len(code)) - 1]
        found = literal_queries(code)
        queries = tuple(Query(sql=q.sql, source=q.source) for q in found) if isinstance(found, tuple) else ()
        return Proposal(
            turn=turn.number,
            id=f"{turn.number}.{step}.{revision}",
            step=step,
            revision=revision,
            language=language,
            title=f"Step {step}",
            code=code,
            queries=queries,
            result="revenue",
        )


@dataclass
class Stage:
    """Where a test's session lives: close and open it as often as it likes."""

    home: Path
    told: Told = field(default_factory=Told)
    cell_seconds_max: float = 30.0
    budget: Budget = field(default_factory=Budget)
    masks: tuple[str, ...] = ()
    person: str = "Ana"
    stands_alone: bool = True
    knowledge: Path | None = None
    places: KernelCapacity | None = None
    with_team: bool = True
    find_functions: FindFunctions = find_none
    store: str = ""

    @property
    def shop(self) -> Path:
        path = self.home / "shop.sqlite"
        if not path.exists():
            connection = sqlite3.connect(path)
            connection.executescript(
                "CREATE TABLE sales (region TEXT, amount INTEGER);"
                "INSERT INTO sales VALUES ('North', 10), ('North', 5), ('South', 7);"
            )
            connection.commit()
            connection.close()
        return path

    def _verifying(self, log: EventLog, sources: SessionSources) -> Verification:
        libraries = KnowledgeBases(self.knowledge, index=self.home / "index", embedder=choose_embedder)

        async def alone(_turn: Turn) -> bool:
            return self.stands_alone

        return Verification(
            log=log,
            queries=VerifiedQueries(libraries, files=lambda: [file for one in sources.addresses for file in one.files]),
            person=lambda: self.person,
            today=lambda: date(2026, 9, 1),
            dialect=sources.dialect,
            stands_alone=alone,
        )

    async def _masks_now(self) -> tuple[str, ...]:
        return self.masks

    def _open_store(self) -> Database:
        if not self.store:
            return Database.open_file(self.home / "tandem.sqlite")
        database = Database(self.store)
        database.migrate()
        return database

    @asynccontextmanager
    async def session(self, session_id: str = "s1", *, check: object = None) -> AsyncGenerator[Session]:
        """The session, with a kernel of its own: what is in memory ends with the block, as a program would."""
        database = self._open_store()
        fresh = not database.exists(session_id)
        if fresh:
            database.create(session_id)
        log = EventLog(database, session_id)
        folder = self.home / "sessions" / session_id
        lease = partial(SessionLease, Leases(database, holder=read_holder(self.home)), log, folder / "lock")
        sources = SessionSources(
            folder,
            catalogs=Catalogs(lambda: self.masks),
            loaded=self.home / "loaded",
            mask=lambda: self.masks,
            credentials=Credentials(self.home),
            rights=person,
        )
        reviewer = EmbeddedReviewer(check=check or _clean)  # type: ignore[arg-type]
        cages = MachineCages(limits=Limits(), level=None, uncaged=False, ready=1, places=self.places)
        async with cages:
            from importlib import resources

            runtime = KernelRuntime(
                cages=cages,
                broker=Broker(sources.opened, folder=folder / "data", budget=lambda: self.budget),
                open_sources=sources.sources,
                log=log,
                folder=folder,
                prelude=resources.files("assistant.sources").joinpath("prelude.py.txt").read_text(),
                cell_seconds_max=lambda: self.cell_seconds_max,
                packages=self.home / "packages",
            )

            offered = OfferedPackages(self.home / "packages", on_progress=partial(log.say, "executor"))

            async def converse(said: Event) -> None:
                participants = (
                    PlannerAgent(log=log, role=self.told, unread=_all_is_read),
                    CoderAgent(log=log, role=self.told, find_functions=self.find_functions),
                    ReviewerAgent(log=log, role=reviewer),
                    HumanAgent(log=log, cage=runtime.cage),
                    ExecutorAgent(log=log, runtime=runtime, packages=offered, find_functions=self.find_functions),
                )
                with runtime.in_turn():
                    if self.with_team:
                        await team.run(participants, log=log, first_event=said)
                    else:
                        await without_model.run(participants, log=log)

            mask_changes = MaskChanges(
                masks=self._masks_now,
                log=log,
                runtime=runtime,
                sources=sources,
                folder=folder,
                lease=lease,
                no_question=NO_QUESTION,
            )
            runs = Runs(
                session_id,
                log=log,
                lease=lease,
                converse=converse,
                apply_masks=mask_changes.apply,
                read_anew=sources.read_anew,
            )
            presenting = Presentation(
                log=log,
                metrics=_no_metrics,
                keys=sources.keys,
                dialect=sources.dialect,
                person=lambda: self.person,
                today=lambda: date(2026, 9, 1),
                render=render_cell,
            )
            session = Session(
                session_id,
                log=log,
                folder=folder,
                runs=runs,
                resources=Resources(data=sources, runtime=runtime, roles=NoModels()),
                sources=SourceAdder(
                    log=log,
                    sources=sources,
                    folder=folder,
                    policies=PolicyStore(self.home),
                    rights=person,
                    require_undamaged=runs.require_whole,
                    write=runs.write,
                ),
                answers=Answers(runs, verifying=self._verifying(log, sources), presenting=presenting),
                ledger=StatementLedger(
                    log=log,
                    runs=runs,
                    stored=StoredPins(
                        knowledge=lambda: folder / "knowledge",
                        statements=lambda _: [folder / "said"],
                        person=str,
                        today=date.today,
                    ),
                ),
                lessons=SessionLessons(
                    log=log,
                    runs=runs,
                    library=LessonLibrary(lambda: [folder / "knowledge"], list_none),
                    catalogs=sources.catalogs,
                    place=lambda: folder / "knowledge",
                    person=str,
                    today=date.today,
                ),
                models=ModelUse(NoModels(), sent_calls=lambda _: None),
                outputs=Outputs(presenting=presenting, notebook=lambda _entries, _sources: b""),
            )
            await session.recover()
            if fresh:
                await session.sources.add(f"shop={self.shop}")
            try:
                yield session
            finally:
                await session.close()
                database.close()


async def _all_is_read() -> Sequence[str]:
    return ()


class NoModels:
    """The roles of a session whose planner, coder and reviewer are given: no model, and nobody asks for starters."""

    async def disclosure(self, question: str) -> None:
        return None

    async def choose(self, endpoints: Sequence[str], level: str) -> None:
        return None

    def accounts(self) -> tuple[()]:
        return ()

    async def analyst(self) -> Analyst:
        raise AssertionError("nobody asks for starters here")

    async def close(self) -> None:
        return None


async def _clean(_code: str, _language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
    return (Finding(level="ok", text="Read-only."),)


def kinds(session: Session) -> list[str]:
    return [entry.event.kind for entry in session.events()]


def last(session: Session, kind: type[Event]) -> Event:
    return next(entry.event for entry in reversed(session.events()) if isinstance(entry.event, kind))
