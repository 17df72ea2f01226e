"""The parts of a turn, each with its outcome. Values alone: `fold` makes and changes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from assistant.core.events import (
    Clarification,
    Decision,
    DecisionRequested,
    Diagnosis,
    Event,
    Execution,
    ExecutionStarted,
    Failed,
    FunctionsKept,
    FunctionsProposed,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    Plan,
    Proposal,
    Resumed,
    Review,
    StepSkipped,
    Stopped,
    Usage,
)

Phase = Literal["planning", "coding", "reviewing", "adding", "starting", "running", "diagnosing", "answering"]
End = Literal["answered", "partial", "declined", "failed", "stopped"]
Outcome = Literal["answered", "partial", "declined", "needs_decision", "needs_clarification", "failed"]
Stage = Literal[
    "question",
    "reply",
    "plan",
    "proposal",
    "review",
    "package",
    "package_added",
    "functions",
    "functions_kept",
    "waiting",
    "plan_decision",
    "code_decision",
    "package_decision",
    "functions_decision",
    "execution",
    "failure",
    "skip",
    "judgement",
    "diagnosis",
    "end",
]
"""What the last message of a turn was: who speaks next follows from it."""


@dataclass(slots=True, kw_only=True)
class PlanItem:
    """A plan, and what became of it."""

    plan: Plan
    decision: Decision | None = None


@dataclass(slots=True, kw_only=True)
class ProposalItem:
    """A proposal, and what became of it. `edit_review` judges the person's edit, `review` the code as proposed."""

    proposal: Proposal
    review: Review | None = None
    edit_review: Review | None = None
    decision: Decision | None = None
    started: ExecutionStarted | None = None
    started_at: datetime | None = None
    execution: Execution | None = None
    ended_at: datetime | None = None
    diagnosis: Diagnosis | None = None
    interrupted: bool = False

    @property
    def is_ok(self) -> bool:
        """Whether its code ran well."""
        return self.execution is not None and self.execution.status == "ok"

    @property
    def is_edited(self) -> bool:
        """Whether the person changed its code by hand; an edit that was given up again does not count."""
        return self.decision is not None and self.decision.action == "edit"

    @property
    def code(self) -> str:
        """The code that ran, will run, or is put forward: the latest of the three that is known."""
        if self.execution is not None:
            return self.execution.code
        if self.started is not None:
            return self.started.code
        if self.decision is not None and self.decision.code is not None:
            return self.decision.code
        return self.proposal.code


@dataclass(slots=True, kw_only=True)
class ExchangeItem:
    """A question back to the person, and what they answered."""

    clarification: Clarification
    reply: str | None = None


@dataclass(slots=True, kw_only=True)
class NoticeItem:
    """Something that happened to the turn and belongs in its story."""

    event: (
        KernelRestarted
        | StepSkipped
        | Looked
        | Judgement
        | Usage
        | PackageAdded
        | FunctionsKept
        | Stopped
        | Resumed
        | Failed
    )


@dataclass(slots=True, kw_only=True)
class PackageItem:
    """A package that a cell lacks, and what the person said of it."""

    proposal: PackageProposed
    decision: Decision | None = None


@dataclass(slots=True, kw_only=True)
class FunctionsItem:
    """Functions that were written by test, and what the person said of them."""

    proposal: FunctionsProposed
    decision: Decision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An event in the order of the turn. `step` is the step that it belongs to; None where it belongs to none yet."""

    event: Event
    step: int | None = None


Pending = DecisionRequested | Clarification
Item = PlanItem | ProposalItem | PackageItem | FunctionsItem | ExchangeItem | NoticeItem


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequest:
    """What waits for the person: a decision on a plan, on code, on a package or on functions, or a question back."""

    request: Pending
    plan: Plan | None = None
    item: ProposalItem | None = None
    package: PackageProposed | None = None
    functions: FunctionsProposed | None = None

    @property
    def id(self) -> str:
        """The request's or clarification's id: what the decision will name."""
        return self.request.id

    @property
    def kind(self) -> Literal["plan", "code", "package", "functions", "clarification"]:
        """Which of them it is."""
        return "clarification" if isinstance(self.request, Clarification) else self.request.subject

    @property
    def decision(self) -> DecisionRequested | None:
        """The decision that is asked for; None for a question back."""
        return self.request if isinstance(self.request, DecisionRequested) else None

    @property
    def clarification(self) -> Clarification | None:
        """The question back; None for a decision."""
        return self.request if isinstance(self.request, Clarification) else None

    @property
    def code(self) -> str:
        """The code that the request is about: the proposal's, or the person's edit that its review sent back."""
        if isinstance(self.request, DecisionRequested) and self.request.code is not None:
            return self.request.code
        return self.item.proposal.code if self.item is not None else ""

    @property
    def is_refused_edit(self) -> bool:
        """Whether the person's own edit came back from its review."""
        return self.item is not None and self.code != self.item.proposal.code
