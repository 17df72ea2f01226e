"""What the page shows of a session, as plain values: turns, what happened in them, and what waits for the person.

A turn is a list of items in the order in which they came; what waits for the person and how the turn ended are derived,
so that a page drawn after a refresh equals one that saw it all happen. `ui.reduce` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from assistant.events import (
    Answer,
    Appearance,
    Approvable,
    Clarification,
    Decision,
    DecisionRequested,
    Diagnosis,
    Disputed,
    Execution,
    ExecutionStarted,
    Failed,
    Judgement,
    KernelRestarted,
    Looked,
    PackageProposed,
    Plan,
    Proposal,
    Resumed,
    Review,
    SourceAdded,
    Step,
    StepSkipped,
    Stopped,
    Usage,
    Verified,
)

Phase = Literal["planning", "coding", "reviewing", "adding", "starting", "running", "diagnosing", "answering"]
End = Literal["answered", "partial", "declined", "failed", "stopped"]


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
    answer: str | None = None


@dataclass(slots=True, kw_only=True)
class NoticeItem:
    """Something that happened to the turn and belongs in its story."""

    event: KernelRestarted | StepSkipped | Looked | Judgement | Usage | Stopped | Resumed | Failed


@dataclass(slots=True, kw_only=True)
class PackageItem:
    """A package that a cell lacks, and what the person said of it."""

    proposed: PackageProposed
    decision: Decision | None = None


Item = PlanItem | ProposalItem | PackageItem | ExchangeItem | NoticeItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits for the person: a decision on a plan, on code or on a package, or a question back."""

    request: DecisionRequested | Clarification
    plan: Plan | None = None
    item: ProposalItem | None = None
    package: PackageProposed | None = None

    @property
    def id(self) -> str:
        """The request's or clarification's id: what the decision will name."""
        return self.request.id

    @property
    def kind(self) -> Literal["plan", "code", "package", "clarification"]:
        """Which of them it is."""
        return "clarification" if isinstance(self.request, Clarification) else self.request.subject

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


@dataclass(slots=True, kw_only=True)
class Turn:
    """One question and all that followed. `n` counts from 1, `looks` how often a person chose how it is shown."""

    n: int
    question: str
    files: tuple[str, ...] = ()
    began: datetime | None = None
    last: datetime | None = None
    items: list[Item] = field(default_factory=list[Item])
    phase: Phase = "planning"
    phase_since: datetime | None = None
    answer: Answer | None = None
    failed: Failed | None = None
    stopped: Stopped | None = None
    pending: DecisionRequested | Clarification | None = None
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    verified: Verified | None = None
    disputed: Disputed | None = None
    look: Appearance = field(default_factory=Appearance)
    looks: int = 0
    calls: int = 0
    sent: list[Usage] = field(default_factory=list["Usage"])
    tokens: int = 0

    @property
    def end(self) -> End | None:
        """How it ended; None while it goes on or waits."""
        if self.answer is not None:
            return self.answer.status
        if self.failed is not None:
            return "failed"
        return "stopped" if self.stopped is not None else None

    @property
    def plan(self) -> Plan | None:
        """The latest plan."""
        return next((item.plan for item in reversed(self.items) if isinstance(item, PlanItem)), None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the latest plan, as the person left them."""
        item = next((item for item in reversed(self.items) if isinstance(item, PlanItem)), None)
        if item is None:
            return ()
        edited = item.decision.steps if item.decision is not None else None
        return item.plan.steps if edited is None else edited

    @property
    def step(self) -> int:
        """Which of them is due, from 1."""
        due = 1
        for item in self.items:
            match item:
                case PlanItem(plan=plan):
                    due = plan.begins
                case ProposalItem(proposal=proposal, execution=Execution(status="ok")):
                    due = proposal.step + 1
                case NoticeItem(event=StepSkipped(step=step)):
                    due = step + 1
                case _:
                    pass
        return due

    @property
    def proposals(self) -> list[ProposalItem]:
        """All proposals, in order."""
        return [item for item in self.items if isinstance(item, ProposalItem)]

    @property
    def running(self) -> ProposalItem | None:
        """The proposal whose execution has begun and not ended."""
        if self.end is not None:
            return None
        open_ = (p for p in reversed(self.proposals) if p.started is not None and p.execution is None)
        return next((p for p in open_ if not p.interrupted), None)

    @property
    def waiting(self) -> Waiting | None:
        """What waits for the person, if the turn has not ended."""
        if self.pending is None or self.end is not None:
            return None
        if isinstance(self.pending, Clarification):
            return Waiting(request=self.pending)
        ref = self.pending.ref
        plan = next((i.plan for i in reversed(self.items) if isinstance(i, PlanItem) and i.plan.id == ref), None)
        item = next((p for p in reversed(self.proposals) if p.proposal.id == ref), None)
        package = self.package(ref)
        about = {"plan": plan, "code": item, "package": package}
        if about[self.pending.subject] is None:
            return None  # a request for something the log does not hold cannot be shown, so it cannot be decided
        proposed = None if package is None else package.proposed
        return Waiting(request=self.pending, plan=plan, item=item, package=proposed)

    def package(self, id_: str) -> PackageItem | None:
        """The latest proposal of a package of that id."""
        return next((i for i in reversed(self.items) if isinstance(i, PackageItem) and i.proposed.id == id_), None)

    def proposal(self, id_: str) -> ProposalItem | None:
        """The latest proposal of that id."""
        return next((p for p in reversed(self.proposals) if p.proposal.id == id_), None)


@dataclass(slots=True, kw_only=True)
class View:
    """A whole session, as the page shows it."""

    title: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    approve: tuple[Approvable, ...] = ()
    uncaged: bool = False
    withheld: int = 0
    seq: int = 0

    @property
    def current(self) -> Turn | None:
        """The last turn."""
        return self.turns[-1] if self.turns else None

    @property
    def waiting(self) -> Waiting | None:
        """What waits for the person now."""
        return self.current.waiting if self.current is not None else None
