"""Beside a language model: a question that a person put together from chips has its query, and the embedded analyst
plays the roles in its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.core.turns import current_turn

if TYPE_CHECKING:
    from assistant.agents.roles import Coder, Planner, Reviewer
    from assistant.core.events import (
        Answer,
        Clarification,
        Diagnosis,
        Event,
        Execution,
        FunctionsProposed,
        Judgement,
        Plan,
        Proposal,
        Review,
        StepSkipped,
    )


def is_of_chips(log: Sequence[Event]) -> bool:
    """Whether the current turn's question was put together from chips."""
    return bool(current_turn(log).question_meaning)


class ChipPlanner:
    """Plans and answers what was put together from chips by `embedded`, all else by `planner`."""

    def __init__(self, planner: Planner, *, embedded: Planner) -> None:
        self._planner, self._embedded = planner, embedded
        self.reads_verified_queries = getattr(planner, "reads_verified_queries", False)

    def _player(self, log: Sequence[Event]) -> Planner:
        return self._embedded if is_of_chips(log) else self._planner

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """The plan of whoever plays."""
        return await self._player(log).plan(log)

    async def judge(self, log: Sequence[Event]) -> Plan | Judgement:
        """The judgement of whoever plays."""
        return await self._player(log).judge(log)

    async def answer(self, log: Sequence[Event]) -> Plan | Answer:
        """The answer of whoever plays."""
        return await self._player(log).answer(log)


class ChipCoder:
    """Writes the code of what was put together from chips by `embedded`, all else by `coder`."""

    def __init__(self, coder: Coder, *, embedded: Coder) -> None:
        self._coder, self._embedded = coder, embedded
        self.is_free = getattr(coder, "is_free", False)

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped | FunctionsProposed:
        """The code of whoever plays."""
        coder = self._embedded if is_of_chips(log) else self._coder
        return await coder.propose(log, step=step, revision=revision)


class ChipReviewer:
    """Reviews what was put together from chips by `embedded`, all else by `reviewer`."""

    def __init__(self, reviewer: Reviewer, *, embedded: Reviewer) -> None:
        self._reviewer, self._embedded = reviewer, embedded
        self.is_free = getattr(reviewer, "is_free", False)

    def _player(self, log: Sequence[Event]) -> Reviewer:
        return self._embedded if is_of_chips(log) else self._reviewer

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """The review of whoever plays."""
        return await self._player(log).review(log, proposal, code=code, of_edit=of_edit)

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """The diagnosis of whoever plays."""
        return await self._player(log).diagnose(log, execution)
