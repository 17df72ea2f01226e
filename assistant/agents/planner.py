"""The planner: turns a question into a plan, and what the steps gave into an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Planner
from assistant.agents.source_notes import add_source_notes, add_unread_notes
from assistant.core.events import Answer, AnyEvent, Cell, Clarification, Event, Judgement, Plan
from assistant.core.flow import is_judgement_due, is_plan_due

Draft = Callable[[Sequence[Event], Plan], Awaitable[tuple[Cell, ...]]]
"""Writes the code of a plan's steps as far as it can be known before anything ran, with what a review finds in it."""

Unread = Callable[[], Awaitable[Sequence[str]]]
"""Gives what of the knowledge folder cannot be read, in words."""

PartialPeriods = Callable[[Answer], Awaitable[Sequence[str]]]
"""Gives which periods of an answer's table the data hold only in part, in words."""


class PlannerAgent(Participant):
    """Plays the planner's part in the group chat."""

    def __init__(
        self,
        *,
        log: Log,
        role: Planner,
        unread: Unread,
        draft: Draft | None = None,
        partial_periods: PartialPeriods | None = None,
    ) -> None:
        super().__init__(
            "planner",
            "Plans the analysis and words the answer.",
            log=log,
            says=(Plan, Clarification, Judgement, Answer),
        )
        self._role = role
        self._unread = unread
        self._draft = draft
        self._partial_periods = partial_periods

    async def speak(self) -> AnyEvent:
        """Plan where a plan is due, judge a step's result where that is due, else answer."""
        log = self.log.events
        turn = self.turn
        if is_judgement_due(turn):
            return await self._role.judge(log)
        event = await (self._role.plan(log) if is_plan_due(turn) else self._role.answer(log))
        if isinstance(event, Plan) and self._draft is not None and len(event.steps) > 1 and not event.cells:
            return event.model_copy(update={"cells": await self._draft(log, event)})
        if not isinstance(event, Answer):
            return event
        noted = await asyncio.to_thread(add_source_notes, event, log)  # it reads the SQL that ran
        if self._partial_periods is not None:
            noted = noted.model_copy(update={"notes": (*noted.notes, *await self._partial_periods(noted))})
        return add_unread_notes(noted, await self._unread())
