"""Constructs the participants of the group chat: planner, coder, reviewer, person and executor.

A role is a model where the settings name one, else the embedded analyst. Only this package and the composition root,
which calls it, construct participants.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from assistant.agents.analyst.chip_roles import ChipCoder, ChipPlanner, ChipReviewer
from assistant.agents.analyst.coder import AnalystCoder
from assistant.agents.analyst.planner import AnalystPlanner
from assistant.agents.analyst.reading import MakeAnalyst, Reader
from assistant.agents.analyst.reviewer import Check, EmbeddedReviewer
from assistant.agents.coder import CoderAgent
from assistant.agents.drafting import draft_cells
from assistant.agents.executor import ExecutorAgent, Table
from assistant.agents.human import HumanAgent
from assistant.agents.installing import Packages
from assistant.agents.participant import Participant
from assistant.agents.planner import PartialPeriods, PlannerAgent, Unread
from assistant.agents.reviewer import ReviewerAgent
from assistant.agents.roles import Coder, Planner, Reviewer
from assistant.agents.verified.matching import VerifiedAnswers
from assistant.agents.verified.playing import VerifiedCoder, VerifiedPlanner, VerifiedReviewer
from assistant.core.events import Question, Role
from assistant.core.flow import find_last_turn
from assistant.core.turns import Turn
from assistant.models.budget import Account, list_accounts, require_budget
from assistant.models.providers import Model, build
from assistant.models.role_models import find_choice, list_names
from assistant.record.store.log import EventLog
from assistant.record.store.sent_calls import SentCall, SentCalls
from assistant.session.roles.context import OpenSessionContext
from assistant.session.roles.disclosing import ADDS, Disclosure, find_least, find_level, unchosen
from assistant.settings.config import Settings
from assistant.settings.level_store import LEVELS, DisclosureLevelStore, Sees

if TYPE_CHECKING:
    from assistant.agents.keeping_functions import KeepFunctions
    from assistant.agents.model.dialogue import Dialogue
    from assistant.agents.model.function_writing import RunFunctionTests
    from assistant.analyst.analyst import Analyst
    from assistant.cells.functions import FindFunctions
    from assistant.functions.matching import ListFunctions
    from assistant.lessons.library import LessonLibrary
    from assistant.record.memory.pins import Pin
    from assistant.record.memory.recall import Compare
    from assistant.runtime.kernels import KernelRuntime
    from assistant.session.sources.personal_values import PersonalValues


class Roles:
    """Who plays planner, coder and reviewer in a session: a model where one is named, else the embedded analyst."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        *,
        context: OpenSessionContext,
        check: Check,
        log: EventLog,
        make_analyst: MakeAnalyst,
        personal: PersonalValues,
        sent_calls: SentCalls,
        compare: Compare,
        read_pins: Callable[[], Awaitable[Sequence[Pin]]],
        list_functions: ListFunctions,
        run_tests: RunFunctionTests,
        lessons: LessonLibrary,
    ) -> None:
        self._read_settings = settings
        self._made_with: Settings | None = None
        self._context = context
        self._check = check
        self._log = log
        self._make_analyst = make_analyst
        self._chosen: tuple[Planner, Coder, Reviewer] | None = None
        self._reader: Reader | None = None
        self._models: dict[str, Model] = {}
        self._personal = personal
        self._sent = sent_calls
        self._compare = compare
        self._read_pins = read_pins
        self._list_functions = list_functions
        self._run_tests = run_tests
        self._lessons = lessons
        self._seeing = DisclosureLevelStore(settings().home)
        self._levels: Mapping[str, Sees] = {}

    @property
    def _settings(self) -> Settings:
        """The settings as they hold now."""
        return self._read_settings()

    @property
    def reader(self) -> Reader:
        """The embedded analyst at this session's context."""
        if self._reader is None:
            self._reader = Reader(self._context, make=self._make_analyst, on_look=self._log.append)
        return self._reader

    async def analyst(self) -> Analyst:
        """The embedded analyst of this session's data."""
        return await self.reader.get_analyst()

    @property
    def has_model(self) -> bool:
        """Whether a language model plays a role."""
        roles: tuple[Role, ...] = ("planner", "coder", "reviewer")
        return any(self._settings.model_of(role) for role in roles)

    async def chosen(self) -> tuple[Planner, Coder, Reviewer]:
        """The roles, made once.

        Raises:
            ConfigError: a model is named that cannot be reached as configured.
        """
        levels, settings = await asyncio.to_thread(lambda: self._seeing.kept), self._settings
        if levels != self._levels or settings is not self._made_with:
            await self.close()  # somewhere it was chosen anew what an endpoint may see, or the settings were changed
            self._levels, self._made_with = levels, settings
        if self._chosen is None:
            self._chosen = await asyncio.to_thread(self._choose)
        return self._chosen

    def _choose(self) -> tuple[Planner, Coder, Reviewer]:
        """Planner, coder and reviewer; before them stand those who put forward what was marked right."""
        planner, coder, reviewer = self._planner(), self._coder(), self._reviewer()
        review = EmbeddedReviewer(check=self._check)
        if self.has_model:
            planner = ChipPlanner(planner, embedded=AnalystPlanner(context=self._context, reader=self.reader))
            coder = ChipCoder(coder, embedded=AnalystCoder(context=self._context, reader=self.reader))
            reviewer = ChipReviewer(reviewer, embedded=review)
        answers = VerifiedAnswers(
            self._context, reader=self.reader, reads_queries=getattr(planner, "reads_verified_queries", False)
        )
        return (
            VerifiedPlanner(planner, answers=answers, context=self._context, review=review),
            VerifiedCoder(coder),
            VerifiedReviewer(reviewer, review=review),
        )

    async def stands_alone(self, turn: Turn) -> bool:
        """Whether a turn's question means the same without those before it.

        Where the embedded analyst did not read the question itself, its words tell: they must name something to count,
        to measure or to list, and refer to nothing before.
        """
        if turn.meaning:
            return await self.reader.is_independent(turn)
        analyst = await self.reader.get_analyst()
        return not await asyncio.to_thread(analyst.depends_on_previous, turn.question)

    def _planner(self) -> Planner:
        if self._settings.model_of("planner"):
            from assistant.agents.model.history_summary import Summariser
            from assistant.agents.model.lessons_told import LessonTeller
            from assistant.agents.model.planner import ModelPlanner

            dialogue = self._dialogue("planner")
            return ModelPlanner(
                dialogue,
                context=self._context,
                summariser=Summariser(dialogue, keep=self._log.append),
                find_faults=self._check,
                writes_cells=self._has_same_coder(),
                list_functions=self._list_functions,
                lessons=LessonTeller(dialogue, role="planner", library=self._lessons),
            )
        return AnalystPlanner(context=self._context, reader=self.reader)

    def _has_same_coder(self) -> bool:
        """Whether the planner's model is the coder's too, so that a plan of one step comes with its code."""
        return list_names(self._settings, "planner") == list_names(self._settings, "coder")

    def _coder(self) -> Coder:
        if self._settings.model_of("coder"):
            from assistant.agents.model.coder import ModelCoder
            from assistant.agents.model.function_writing import FunctionWriter
            from assistant.agents.model.lessons_told import LessonTeller

            dialogue = self._dialogue("coder")
            return ModelCoder(
                dialogue,
                context=self._context,
                find_faults=self._check,
                list_functions=self._list_functions,
                writer=FunctionWriter(dialogue, list_functions=self._list_functions, run_tests=self._run_tests),
                lessons=LessonTeller(dialogue, role="coder", library=self._lessons),
            )
        return AnalystCoder(context=self._context, reader=self.reader)

    def _reviewer(self) -> Reviewer:
        if self._settings.model_of("reviewer"):
            from assistant.agents.model.reviewer import ModelReviewer

            return ModelReviewer(self._dialogue("reviewer"), context=self._context, check=self._check)
        return EmbeddedReviewer(check=self._check)

    def _dialogue(self, role: Role) -> Dialogue:
        from assistant.agents.model.dialogue import Dialogue

        settings = self._settings
        names = list_names(settings, role)
        for name in names:
            if name not in self._models:
                self._models[name] = build(find_choice(settings, name), home=settings.home)
        model, *fallbacks = (self._models[name] for name in names)

        def may_ask(asking: Role) -> Account | None:
            if undecided := self._undecided(names):
                raise unchosen(undecided)
            return require_budget(self._settings.budgets, self._log.events, asking)

        levels: list[Sees | None] = [
            find_level(settings.sees, participant.choice.endpoint, self._seeing) for participant in (model, *fallbacks)
        ]
        return Dialogue(
            model,
            role=role,
            sees=find_least(levels),
            fallbacks=fallbacks,
            may_ask=may_ask,
            keep=lambda call: asyncio.to_thread(self._sent.keep, call),
            on_usage=self._log.append,
            on_look=self._log.append,
            on_text=self._log.say,
            personal=self._personal,
            compare=self._compare,
            read_pins=self._read_pins,
        )

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent to a model; None where nothing is left to choose."""
        roles: tuple[Role, ...] = ("planner", "coder", "reviewer")
        names = tuple(dict.fromkeys(name for role in roles for name in list_names(self._settings, role)))
        if not (endpoints := self._undecided(names)):
            return None
        choices = [find_choice(self._settings, name) for name in names]
        return Disclosure(
            endpoints=endpoints,
            models=tuple(c.model or c.name for c in choices if c.endpoint in endpoints),
            adds=ADDS,
            first=await self._first_calls(question) if self._settings.model_of("planner") else {},
        )

    async def choose(self, endpoints: Sequence[str], level: Sees) -> None:
        """Keep what endpoints may see; from the next call on it holds, in this session and in those opened after.

        Raises:
            ConfigError: it cannot be written.
        """
        await asyncio.to_thread(self._seeing.keep, endpoints, level)
        await self.close()

    def _undecided(self, names: Sequence[str]) -> tuple[str, ...]:
        """The endpoints of these models of which nobody has said what they may see."""
        endpoints = dict.fromkeys(find_choice(self._settings, name).endpoint for name in names)
        return tuple(
            endpoint for endpoint in endpoints if find_level(self._settings.sees, endpoint, self._seeing) is None
        )

    async def _first_calls(self, question: str) -> dict[Sees, SentCall]:
        """The first call that a question would make, by level: it is made up to the point of being sent."""
        from assistant.agents.model.dialogue import Dialogue
        from assistant.agents.model.planner import ModelPlanner

        turn = find_last_turn(self._log.events) + 1
        log = (*self._log.events, Question(turn=turn, text=question))
        settings = self._settings
        choice = find_choice(settings, list_names(settings, "planner")[0])
        model = await asyncio.to_thread(build, choice, home=settings.home)
        calls: dict[Sees, SentCall] = {}

        def shown(call: SentCall) -> None:
            calls[dialogue.sees] = call
            raise NotSent

        try:
            for level in LEVELS:
                dialogue = Dialogue(
                    model, role="planner", sees=level, before=shown, personal=self._personal, compare=self._compare
                )
                with suppress(NotSent):
                    await ModelPlanner(dialogue, context=self._context, writes_cells=self._has_same_coder()).plan(log)
        finally:
            await model.close()
        return calls

    def accounts(self) -> tuple[Account, ...]:
        """The limits of models that are set, and what this session and its last turn have used of them."""
        return tuple(list_accounts(self._settings.budgets, self._log.events))

    async def close(self) -> None:
        """Close the models' connections."""
        for model in self._models.values():
            await model.close()
        self._models.clear()
        self._chosen = None


class NotSent(Exception):
    """A call was shown instead of being made."""


def make_participants(
    log: EventLog,
    runtime: KernelRuntime,
    roles: tuple[Planner, Coder, Reviewer],
    *,
    table: Table,
    unread: Unread,
    partial_periods: PartialPeriods,
    packages: Packages,
    find_functions: FindFunctions,
    keep_functions: KeepFunctions,
) -> tuple[Participant, ...]:
    """Everyone in the group chat of a session, with who plays the roles.

    Args:
        log: The session's log.
        runtime: Where cells run.
        roles: Planner, coder and reviewer.
        table: Gives the table of an execution.
        unread: Gives what of the knowledge folder cannot be read.
        partial_periods: Gives which periods of an answer are not whole.
        packages: Where packages come from that the cage lacks.
        find_functions: Gives the functions that a cell imports.
        keep_functions: Keeps functions that a person approved.
    """
    planner, coder, reviewer = roles
    free = getattr(coder, "is_free", False) and getattr(reviewer, "is_free", False)
    draft = partial(draft_cells, coder=coder, reviewer=reviewer) if free else None
    return (
        PlannerAgent(log=log, role=planner, unread=unread, draft=draft, partial_periods=partial_periods),
        CoderAgent(log=log, role=coder, find_functions=find_functions),
        ReviewerAgent(log=log, role=reviewer),
        HumanAgent(log=log, cage=runtime.cage),
        ExecutorAgent(
            log=log,
            runtime=runtime,
            table=table,
            packages=packages,
            find_functions=find_functions,
            keep_functions=keep_functions,
        ),
    )
