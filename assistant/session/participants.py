"""Who is in the group chat: a model where one is named, else the embedded analyst; and the person, and the executor.

Only this room and the composition root, which calls it, construct participants.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from assistant.events import Event, Role
from assistant.session.context import OpenSessionContext
from assistant.settings.config import Settings
from assistant.store.log import EventLog

if TYPE_CHECKING:
    from assistant.agents.analyst.reading import MakeAnalyst as MakeNewAnalyst
    from assistant.agents.analyst.reading import Reader as NewReader
    from assistant.agents.embedded.reading import MakeAnalyst, Reader
    from assistant.agents.embedded.reviewer import Check
    from assistant.agents.executor import Table
    from assistant.agents.model.dialogue import Dialogue
    from assistant.agents.participant import Participant
    from assistant.agents.roles import Coder, Planner, Reviewer
    from assistant.memory.wording import Sees
    from assistant.models.budget import Account
    from assistant.models.providers import Model
    from assistant.runtime.kernels import KernelRuntime
    from assistant.session.personal_values import PersonalValues


class Roles:
    """Who plays planner, coder and reviewer in a session: a model where one is named, else the embedded analyst."""

    def __init__(
        self,
        settings: Settings,
        *,
        desk: OpenSessionContext,
        check: Check,
        log: EventLog,
        make_analyst: MakeAnalyst,
        make_new_analyst: MakeNewAnalyst,
        personal: PersonalValues,
    ) -> None:
        self._settings = settings
        self._desk = desk
        self._check = check
        self._log = log
        self._make_analyst = make_analyst
        self._chosen: tuple[Planner, Coder, Reviewer] | None = None
        self._reader: Reader | None = None
        self._new_reader: NewReader | None = None
        self._make_new_analyst = make_new_analyst
        self._models: dict[str, Model] = {}
        self._personal = personal

    @property
    def reader(self) -> Reader:
        """The embedded analyst at this session's desk."""
        from assistant.agents.embedded.reading import Reader

        if self._reader is None:
            self._reader = Reader(self._desk, make=self._make_analyst)
        return self._reader

    @property
    def new_reader(self) -> NewReader:
        """The new analyst at this session's desk."""
        from assistant.agents.analyst.reading import Reader

        if self._new_reader is None:
            self._new_reader = Reader(self._desk, make=self._make_new_analyst)
        return self._new_reader

    async def chosen(self) -> tuple[Planner, Coder, Reviewer]:
        """The roles, made once.

        Raises:
            ConfigError: a model is named that cannot be reached as configured.
        """
        if self._chosen is None:
            self._chosen = await asyncio.to_thread(lambda: (self._planner(), self._coder(), self._reviewer()))
        return self._chosen

    async def stands_alone(self, turn: Sequence[Event]) -> bool:
        """Whether a turn's question means the same without those before it. A language model cannot tell us."""
        if self._settings.model_of("planner"):
            return False
        if self._settings.analyst == "new":
            return await self.new_reader.stands_alone(turn)
        from assistant.agents.embedded.reading import meaning_of_turn
        from assistant.embedded.outcomes import Understood

        alone = await self.reader.question(turn)
        return isinstance(alone, Understood) and alone.meaning == meaning_of_turn(turn)

    def _planner(self) -> Planner:
        if self._settings.model_of("planner"):
            from assistant.agents.model.historian import Historian
            from assistant.agents.model.planner import ModelPlanner

            dialogue = self._dialogue("planner")
            return ModelPlanner(dialogue, desk=self._desk, historian=Historian(dialogue, keep=self._log.append))
        if self._settings.analyst == "new":
            from assistant.agents.analyst.planner import AnalystPlanner

            return AnalystPlanner(context=self._desk, reader=self.new_reader)
        from assistant.agents.embedded.planner import EmbeddedPlanner

        return EmbeddedPlanner(desk=self._desk, reader=self.reader)

    def _coder(self) -> Coder:
        if self._settings.model_of("coder"):
            from assistant.agents.model.coder import ModelCoder

            return ModelCoder(self._dialogue("coder"), desk=self._desk)
        if self._settings.analyst == "new":
            from assistant.agents.analyst.coder import AnalystCoder

            return AnalystCoder(context=self._desk, reader=self.new_reader)
        from assistant.agents.embedded.coder import EmbeddedCoder

        return EmbeddedCoder(desk=self._desk, reader=self.reader)

    def _reviewer(self) -> Reviewer:
        if self._settings.model_of("reviewer"):
            from assistant.agents.model.reviewer import ModelReviewer

            return ModelReviewer(self._dialogue("reviewer"), desk=self._desk, check=self._check)
        from assistant.agents.embedded.reviewer import EmbeddedReviewer

        return EmbeddedReviewer(check=self._check)

    def _dialogue(self, role: Role) -> Dialogue:
        from assistant.agents.model.dialogue import Dialogue
        from assistant.models.budget import check
        from assistant.models.choosing import choice_of, names_of
        from assistant.models.providers import build

        settings = self._settings
        names = names_of(settings, role)
        for name in names:
            if name not in self._models:
                self._models[name] = build(choice_of(settings, name), home=settings.home)
        model, *fallbacks = (self._models[name] for name in names)
        # What may go to one of them goes to each: the request is made before it is known which one takes it.
        levels: set[Sees] = {seen_by(settings.sees, one.choice.endpoint) for one in (model, *fallbacks)}
        sees: Sees = "results" if "results" in levels else levels.pop()
        return Dialogue(
            model,
            role=role,
            sees=sees,
            fallbacks=fallbacks,
            may_ask=lambda asking: check(settings.budgets, self._log.events, asking),
            on_usage=self._log.append,
            on_look=self._log.append,
            on_text=self._log.say,
            personal=self._personal,
        )

    def accounts(self) -> tuple[Account, ...]:
        """The limits of models that are set, and what this session and its last turn have used of them."""
        from assistant.models.budget import accounts

        return tuple(accounts(self._settings.budgets, self._log.events))

    async def close(self) -> None:
        """Close the models' connections."""
        for model in self._models.values():
            await model.close()
        self._models.clear()
        self._chosen = None


_LEVELS: dict[str, Sees] = {
    "names": "names",
    "values": "values",
    "results": "results",
    "rows": "rows",
    "nothing": "names",
    "statistics": "values",
    "sample": "rows",
}
"""The levels of what a model may see, by their names and by their former ones."""


def seen_by(sees: str, endpoint: str) -> Sees:
    """The level that a setting means for a model at an endpoint; without a setting, by where the endpoint is."""
    return _LEVELS.get(sees) or ("rows" if is_loopback(endpoint) else "results")


def is_loopback(endpoint: str) -> bool:
    """Whether a host, with or without a port, is this machine."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = urlsplit(f"//{endpoint}").hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def cast(
    log: EventLog, workbench: KernelRuntime, roles: tuple[Planner, Coder, Reviewer], *, table: Table
) -> tuple[Participant, ...]:
    """Everyone in the group chat of a session, with who plays the roles.

    Args:
        log: The session's log.
        workbench: Where cells run.
        roles: Planner, coder and reviewer.
        table: Gives the table of an execution.
    """
    from assistant.agents.coder import CoderAgent
    from assistant.agents.drafting import drafted
    from assistant.agents.executor import ExecutorAgent
    from assistant.agents.human import HumanAgent
    from assistant.agents.planner import PlannerAgent
    from assistant.agents.reviewer import ReviewerAgent

    planner, coder, reviewer = roles
    free = getattr(coder, "is_free", False) and getattr(reviewer, "is_free", False)
    draft = partial(drafted, coder=coder, reviewer=reviewer) if free else None
    return (
        PlannerAgent(log=log, role=planner, draft=draft),
        CoderAgent(log=log, role=coder),
        ReviewerAgent(log=log, role=reviewer),
        HumanAgent(log=log, cage=workbench.cage),
        ExecutorAgent(log=log, workbench=workbench, table=table),
    )
