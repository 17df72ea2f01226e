"""A session's turns, folded from its events: the one reading of the log that everything else reads.

A turn holds its question, its plan as decided, its proposals with what became of each, what is due or waits for the
person, and how it ended. Pure and total: any sequence of events gives a `Transcript`, and one that is read after a
restart equals one that saw it all happen. The order of speakers is `assistant.core.flow`; nothing is drawn or decided
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, assert_never

from assistant.core.events import (
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
    Event,
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
    QueryRun,
    Question,
    Resumed,
    Review,
    Revoked,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Step,
    StepSkipped,
    Stopped,
    UncagedAccepted,
    Usage,
    Verified,
    Withheld,
)

Phase = Literal["planning", "coding", "reviewing", "adding", "starting", "running", "diagnosing", "answering"]
End = Literal["answered", "partial", "declined", "failed", "stopped"]
Outcome = Literal["answered", "partial", "declined", "needs_decision", "needs_clarification", "failed"]


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

    event: KernelRestarted | StepSkipped | Looked | Judgement | Usage | PackageAdded | Stopped | Resumed | Failed


@dataclass(slots=True, kw_only=True)
class PackageItem:
    """A package that a cell lacks, and what the person said of it."""

    proposal: PackageProposed
    decision: Decision | None = None


Pending = DecisionRequested | Clarification
Item = PlanItem | ProposalItem | PackageItem | ExchangeItem | NoticeItem


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequest:
    """What waits for the person: a decision on a plan, on code or on a package, or a question back."""

    request: Pending
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
    """One question and all that followed, in the order in which it came. `number` counts from 1."""

    number: int
    question: str
    files: tuple[str, ...] = ()
    started_at: datetime | None = None
    updated_at: datetime | None = None
    items: list[Item] = field(default_factory=list[Item])
    phase: Phase = "planning"
    phase_started_at: datetime | None = None
    answer: Answer | None = None
    failed: Failed | None = None
    stopped: Stopped | None = None
    pending: Pending | None = None
    decisions: list[Decision] = field(default_factory=list[Decision])
    executions: list[Execution] = field(default_factory=list[Execution])
    model_calls: list[Usage] = field(default_factory=list[Usage])
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    verified: Verified | None = None
    disputed: Disputed | None = None
    appearance: Appearance = field(default_factory=Appearance)
    appearance_changes: int = 0

    @property
    def tokens(self) -> int:
        """Tokens that models were sent and replied."""
        return sum(call.input_tokens + call.output_tokens for call in self.model_calls)

    @property
    def end(self) -> End | None:
        """How it ended; None while it goes on or waits."""
        if self.answer is not None:
            return self.answer.status
        if self.failed is not None:
            return "failed"
        return "stopped" if self.stopped is not None else None

    @property
    def outcome(self) -> Outcome:
        """How it stands once its run has settled."""
        if self.answer is not None:
            return self.answer.status
        if self.pending is None or self.end is not None:
            return "failed"
        return "needs_decision" if isinstance(self.pending, DecisionRequested) else "needs_clarification"

    @property
    def queries(self) -> tuple[QueryRun, ...]:
        """All queries that ran, in order."""
        return tuple(query for execution in self.executions for query in execution.queries)

    @property
    def results(self) -> list[ProposalItem]:
        """The proposals that ran well, in order."""
        return [item for item in self.proposals if item.execution is not None and item.execution.status == "ok"]

    @property
    def plan(self) -> Plan | None:
        """The latest plan."""
        return next((item.plan for item in reversed(self.items) if isinstance(item, PlanItem)), None)

    @property
    def plan_decision(self) -> Decision | None:
        """What was decided about the latest plan."""
        return next((item.decision for item in reversed(self.items) if isinstance(item, PlanItem)), None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the latest plan, as the person left them."""
        decision = self.plan_decision
        if decision is not None and decision.steps is not None:
            return decision.steps
        return self.plan.steps if self.plan is not None else ()

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
    def exchanges(self) -> list[ExchangeItem]:
        """The questions back, in order."""
        return [item for item in self.items if isinstance(item, ExchangeItem)]

    @property
    def running(self) -> ProposalItem | None:
        """The proposal whose execution has begun and not ended."""
        if self.end is not None:
            return None
        open_ = (p for p in reversed(self.proposals) if p.started is not None and p.execution is None)
        return next((p for p in open_ if not p.interrupted), None)

    @property
    def waiting(self) -> PendingRequest | None:
        """What waits for the person, if the turn has not ended."""
        if self.pending is None or self.end is not None:
            return None
        if isinstance(self.pending, Clarification):
            return PendingRequest(request=self.pending)
        ref = self.pending.ref
        plan = next((i.plan for i in reversed(self.items) if isinstance(i, PlanItem) and i.plan.id == ref), None)
        item = next((p for p in reversed(self.proposals) if p.proposal.id == ref), None)
        package = self.package(ref)
        about = {"plan": plan, "code": item, "package": package}
        if about[self.pending.subject] is None:
            return None  # a request for something the log does not hold cannot be shown, so it cannot be decided
        proposed = None if package is None else package.proposal
        return PendingRequest(request=self.pending, plan=plan, item=item, package=proposed)

    def package(self, id_: str) -> PackageItem | None:
        """The latest proposal of a package of that id."""
        return next((i for i in reversed(self.items) if isinstance(i, PackageItem) and i.proposal.id == id_), None)

    def proposal(self, id_: str) -> ProposalItem | None:
        """The latest proposal of that id."""
        return next((p for p in reversed(self.proposals) if p.proposal.id == id_), None)


@dataclass(slots=True, kw_only=True)
class Transcript:
    """A whole session.

    Attributes:
        name: What the person called it; empty where they did not.
        approve: What the session's policy approves.
        uncaged: Whether the person agreed to run code without a cage.
        withheld: How often something was withheld because columns were masked.
        seq: The number of the last entry.
    """

    name: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    approve: tuple[Approvable, ...] = ()
    uncaged: bool = False
    withheld: int = 0
    seq: int = 0
    _unasked: list[SourceAdded] = field(default_factory=list[SourceAdded])

    @property
    def title(self) -> str:
        """Its name, else its first question."""
        return self.name or next((turn.question for turn in self.turns), "")

    @property
    def current(self) -> Turn | None:
        """The last turn."""
        return self.turns[-1] if self.turns else None

    @property
    def waiting(self) -> PendingRequest | None:
        """What waits for the person now."""
        return self.current.waiting if self.current is not None else None

    def add_source(self, event: SourceAdded) -> None:
        """Add a source, or the newer state of one: to the turn in progress, or for the next question."""
        self.sources = [source for source in self.sources if source.name != event.name] + [event]
        if self.current is not None and self.current.end is None:
            self.current.sources.append(event)
        else:
            self._unasked.append(event)

    def take_sources(self, question: Question) -> list[SourceAdded]:
        """The sources that came with a question: those added since the last one, where it has files."""
        sources, self._unasked = self._unasked, []
        return sources if question.files else []


def fold_session(entries: Iterable[Entry]) -> Transcript:
    """Fold a session's log."""
    transcript = Transcript()
    for entry in entries:
        _add(transcript, entry.event, entry.at)
        transcript.seq = entry.seq
    return transcript


def fold_events(events: Iterable[Event]) -> Transcript:
    """Fold a session's events where it does not matter when they came."""
    transcript = Transcript()
    for event in events:
        _add(transcript, event, None)
        transcript.seq += 1
    return transcript


def fold_turn(events: Sequence[Event], number: int | None = None) -> Turn | None:
    """Fold the events of one turn, by default the one that was asked last; None where there is no such question."""
    if number is None:
        number = next((event.turn for event in reversed(events) if isinstance(event, Question)), None)
    return fold_events(event for event in events if event.turn == number and event.turn).current


def _add(transcript: Transcript, event: Event, at: datetime | None) -> None:  # noqa: C901  one arm for each kind of event
    """Add one event: to the session, to the turn that it names, or to the turn that was asked last."""
    turn = transcript.current
    match event:
        case SessionOpened() | HistorySummarised():
            return  # a summary is for models: everybody else reads the turns themselves
        case UncagedAccepted():
            transcript.uncaged = True
        case SessionRenamed():
            transcript.name = event.title
        case SourceAdded():
            transcript.add_source(event)
        case PolicyChanged():
            if event.turn == 0:
                transcript.approve = event.approve
        case Withheld():
            transcript.withheld += bool(event.columns)  # what it withholds is not in the log any more
        case Presented() | Disputed() | Verified() | Revoked():
            for judged in transcript.turns:
                if judged.number == event.turn:
                    _judge(judged, event)
        case Question():
            turn = Turn(
                number=event.turn or len(transcript.turns) + 1,
                question=event.text,
                files=event.files,
                sources=transcript.take_sources(event),
                started_at=at,
                phase_started_at=at,
            )
            transcript.turns.append(turn)
            turn.updated_at = at
        case _:
            if turn is not None:
                _continue(turn, event, at)
                turn.updated_at = at


def _judge(turn: Turn, event: Presented | Disputed | Verified | Revoked) -> None:
    """What a person said or chose of an answer that was given."""
    match event:
        case Presented():
            turn.appearance, turn.appearance_changes = event.look, turn.appearance_changes + 1
        case Disputed():
            turn.disputed = event if event.stands else None
        case Verified():
            turn.verified = event
        case Revoked():
            turn.verified = None
        case _:
            assert_never(event)


def _continue(turn: Turn, event: Event, at: datetime | None) -> None:  # noqa: C901  one arm for each kind of event
    """Add one event to the turn in progress."""
    item = turn.proposal(event.id) if isinstance(event, ExecutionStarted | Execution) else None
    match event:
        case Plan():
            turn.items.append(PlanItem(plan=event))
            _enter(turn, "coding", at)
        case Proposal():
            turn.items.append(ProposalItem(proposal=event))
            _enter(turn, "reviewing", at)
        case PackageProposed():
            turn.items.append(PackageItem(proposal=event))
            _enter(turn, "reviewing", at)
        case PackageAdded():
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "reviewing", at, pending=turn.pending)
        case Review():
            _review(turn, event)
            _enter(turn, "coding" if event.verdict == "revise" else "reviewing", at, pending=turn.pending)
        case Clarification():
            turn.items.append(ExchangeItem(clarification=event))
            turn.pending = event
        case ClarificationAnswered():
            for exchange in turn.exchanges:
                if exchange.clarification.id == event.clarification:
                    exchange.reply = event.text
            _enter(turn, "planning", at)
        case DecisionRequested():
            turn.pending = event
        case Decision():
            _decide(turn, event, at)
        case ExecutionStarted():
            if item is not None:
                item.started, item.started_at, item.interrupted = event, at, False
            _enter(turn, "running", at)
        case Execution():
            turn.executions.append(event)
            if item is not None:
                item.execution, item.ended_at = event, at
            _enter(turn, "answering" if event.status == "ok" else "diagnosing", at, pending=turn.pending)
        case Diagnosis():
            if (failed := turn.proposal(event.execution)) is not None and (
                failed.execution is None or failed.execution.status == "failed"
            ):
                failed.diagnosis = event  # else it says why no later step came, as the answer does
            _enter(turn, "coding", at, pending=turn.pending)
        case Answer():
            turn.answer, turn.failed, turn.stopped, turn.pending = event, None, None, None
            turn.appearance = _first_appearance(event)
        case Judgement():
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "coding" if event.verdict == "go_on" else "answering", at, pending=turn.pending)
        case KernelRestarted() | StepSkipped() | Looked():
            turn.items.append(NoticeItem(event=event))
        case Usage():
            turn.model_calls.append(event)
            if event.note:
                turn.items.append(NoticeItem(event=event))
        case Stopped():
            turn.items.append(NoticeItem(event=event))
            turn.stopped = event
            for cell in turn.proposals:
                cell.interrupted = cell.interrupted or (cell.started is not None and cell.execution is None)
        case Resumed():
            turn.items.append(NoticeItem(event=event))
            turn.stopped = turn.failed = turn.answer = None
            _enter(turn, turn.phase, at, pending=turn.pending)
        case Failed():
            turn.items.append(NoticeItem(event=event))
            turn.failed = event
        case _:
            pass


def _review(turn: Turn, event: Review) -> None:
    item = turn.proposal(event.proposal)
    if item is not None and event.of_edit:
        item.edit_review = event
    elif item is not None:
        item.review = event


def _first_appearance(answer: Answer) -> Appearance:
    """How an answer is shown at first: what was read for a declined one is no answer, so no chart is made of it."""
    is_plain = answer.status == "declined" and answer.chart is None
    return answer.appearance.model_copy(update={"chart": "none"}) if is_plain else answer.appearance


def _decide(turn: Turn, event: Decision, at: datetime | None) -> None:
    turn.decisions.append(event)
    pending = turn.pending
    if isinstance(pending, DecisionRequested) and pending.id == event.request:
        pending = None
    rejected = event.action == "reject"
    match event.subject:
        case "plan":
            for item in turn.items:
                if isinstance(item, PlanItem) and item.plan.id == event.ref:
                    item.decision = event
            _enter(turn, "planning" if rejected else "coding", at, pending=pending)
        case "package":
            if (package := turn.package(event.ref)) is not None:
                package.decision = event
            _enter(turn, "coding" if rejected else "adding", at, pending=pending)
        case "code":
            if (cell := turn.proposal(event.ref)) is not None:
                cell.decision = event
            _enter(turn, "coding" if rejected else "starting", at, pending=pending)
        case _:
            assert_never(event.subject)


def _enter(turn: Turn, phase: Phase, at: datetime | None, *, pending: Pending | None = None) -> None:
    """Enter a phase of the work; by default nothing waits for the person any more."""
    turn.phase, turn.phase_started_at, turn.pending = phase, at, pending
