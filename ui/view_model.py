"""From a session's entries to what the page shows. Pure and total: any sequence of events gives a view.

Nothing is drawn, read or decided here. A turn is a list of items in the order in which they came; what waits for the
person and how the turn ended are derived, so that a page drawn after a refresh equals one that saw it all happen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, assert_never

from assistant.events import (
    Answer,
    Appearance,
    Approvable,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Disputed,
    Entry,
    Execution,
    ExecutionStarted,
    Failed,
    HistorySummarised,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    Plan,
    PolicyChanged,
    Presented,
    Proposal,
    Question,
    Resumed,
    Review,
    Revoked,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    StepSkipped,
    Stopped,
    UncagedAccepted,
    Usage,
    Verified,
    Withheld,
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
    """One question and all that followed. `n` counts from 1."""

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


def reduce(entries: Iterable[Entry]) -> View:  # noqa: C901  one arm for each kind of event
    """What a session's entries show."""
    view = View()
    named = False
    before: list[SourceAdded] = []  # what was added since the last question: the files of the next one are among it
    for entry in entries:
        event, at = entry.event, entry.at
        view.seq = entry.seq
        turn = view.current
        match event:
            case SessionOpened() | UncagedAccepted():
                view.uncaged = view.uncaged or isinstance(event, UncagedAccepted)
                continue
            case SessionRenamed():
                view.title, named = event.title, True
                continue
            case SourceAdded():
                view.sources = [s for s in view.sources if s.name != event.name] + [event]
                if turn is not None and turn.end is None:
                    turn.sources.append(event)
                else:
                    before.append(event)
                continue
            case PolicyChanged():
                if event.turn == 0:
                    view.approve = event.approve
                continue
            case Withheld():
                view.withheld += bool(event.columns)  # what it withholds is not among the entries any more
                continue
            case Presented() | Disputed():
                for shown in view.turns:
                    if shown.n == event.turn:
                        _judge_or_show(shown, event)
                continue
            case Verified() | Revoked():
                for marked in view.turns:
                    if marked.n == event.turn:
                        marked.verified = event if isinstance(event, Verified) else None
                continue
            case PackageAdded():
                if turn is not None and event.turn:
                    _enter(turn, "reviewing", at)
                continue  # the notebook and the kernel hold it
            case HistorySummarised():
                continue  # for the model alone: the page shows the turns themselves
            case Usage():
                if turn is not None:
                    turn.calls += 1
                    if event.note:
                        turn.items.append(NoticeItem(event=event))
                    turn.sent.append(event)
                    turn.tokens += event.input_tokens + event.output_tokens
                continue
            case Question():
                view.turns.append(
                    Turn(n=len(view.turns) + 1, question=event.text, files=event.files, began=at, phase_since=at)
                )
                if event.files:
                    view.turns[-1].sources = before
                before = []
                if not named and not view.title:
                    view.title = event.text
            case _:
                if turn is not None:
                    _fold(turn, event, at)
        if view.current is not None:
            view.current.last = at
    return view


def _judge_or_show(turn: Turn, event: Presented | Disputed) -> None:
    if isinstance(event, Presented):
        turn.look = event.look
    else:
        turn.disputed = event if event.stands else None


_InTurn = (
    Plan
    | Clarification
    | ClarificationAnswered
    | Proposal
    | Review
    | PackageProposed
    | DecisionRequested
    | Decision
    | ExecutionStarted
    | Execution
    | StepSkipped
    | Looked
    | Judgement
    | Diagnosis
    | Answer
    | KernelRestarted
    | Stopped
    | Resumed
    | Failed
)


def _fold(turn: Turn, event: _InTurn, at: datetime) -> None:  # noqa: C901  one arm for each kind of event
    """Add one event to its turn."""
    match event:
        case Plan():
            turn.items.append(PlanItem(plan=event))
            turn.pending = None
            _enter(turn, "coding", at)
        case Proposal():
            turn.items.append(ProposalItem(proposal=event))
            turn.pending = None
            _enter(turn, "reviewing", at)
        case Review():
            item = turn.proposal(event.proposal)
            if item is not None and event.of_edit:
                item.edit_review = event
            elif item is not None:
                item.review = event
            _enter(turn, "coding" if event.verdict == "revise" else "reviewing", at)
        case Clarification():
            turn.items.append(ExchangeItem(clarification=event))
            turn.pending = event
        case ClarificationAnswered():
            for exchange in turn.items:
                if isinstance(exchange, ExchangeItem) and exchange.clarification.id == event.clarification:
                    exchange.answer = event.text
            turn.pending = None
            _enter(turn, "planning", at)
        case PackageProposed():
            turn.items.append(PackageItem(proposed=event))
            turn.pending = None
            _enter(turn, "reviewing", at)
        case DecisionRequested():
            turn.pending = event
        case Decision():
            _decide(turn, event, at)
        case ExecutionStarted():
            item = turn.proposal(event.id)
            if item is not None:
                item.started, item.started_at, item.interrupted = event, at, False
            turn.pending = None
            _enter(turn, "running", at)
        case Execution():
            item = turn.proposal(event.id)
            if item is not None:
                item.execution, item.ended_at = event, at
            _enter(turn, "answering" if event.status == "ok" else "diagnosing", at)
        case Diagnosis():
            item = turn.proposal(event.execution)
            if item is not None:
                item.diagnosis = event
            _enter(turn, "coding", at)
        case Answer():
            turn.answer, turn.failed, turn.stopped, turn.pending = event, None, None, None
            turn.look = event.appearance
        case KernelRestarted() | StepSkipped() | Looked():
            turn.items.append(NoticeItem(event=event))
        case Judgement():
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "coding" if event.verdict == "go_on" else "answering", at)
        case Stopped():
            turn.items.append(NoticeItem(event=event))
            turn.stopped = event
            for item in turn.proposals:
                item.interrupted = item.interrupted or (item.started is not None and item.execution is None)
        case Resumed():
            turn.items.append(NoticeItem(event=event))
            turn.stopped = turn.failed = turn.answer = None
            _enter(turn, turn.phase, at)
        case Failed():
            turn.items.append(NoticeItem(event=event))
            turn.failed = event
        case _:
            assert_never(event)


def _decide(turn: Turn, event: Decision, at: datetime) -> None:
    if isinstance(turn.pending, DecisionRequested) and turn.pending.id == event.request:
        turn.pending = None
    if event.subject == "plan":
        for item in turn.items:
            if isinstance(item, PlanItem) and item.plan.id == event.ref:
                item.decision = event
        _enter(turn, "planning" if event.action == "reject" else "coding", at)
        return
    if event.subject == "package":
        item = turn.package(event.ref)
        if item is not None:
            item.decision = event
        _enter(turn, "coding" if event.action == "reject" else "adding", at)
        return
    proposal = turn.proposal(event.ref)
    if proposal is not None:
        proposal.decision = event
    _enter(turn, "coding" if event.action == "reject" else "starting", at)


def _enter(turn: Turn, phase: Phase, at: datetime) -> None:
    turn.phase, turn.phase_since = phase, at
