"""The fold of a session's events into turns, one event after the other. Pure and total."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from operator import is_
from typing import assert_never

from assistant.core.events import (
    Answer,
    Appearance,
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
    FunctionsKept,
    FunctionsProposed,
    HistorySummarised,
    Judgement,
    KernelRestarted,
    LessonDecided,
    Looked,
    PackageAdded,
    PackageProposed,
    PinChanged,
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
    Subject,
    UncagedAccepted,
    Usage,
    Verified,
    Withheld,
)
from assistant.core.turns.items import (
    ExchangeItem,
    FunctionsItem,
    Moment,
    NoticeItem,
    PackageItem,
    Pending,
    Phase,
    PlanItem,
    ProposalItem,
    Stage,
)
from assistant.core.turns.transcript import Transcript
from assistant.core.turns.turn import Turn


def fold_session(entries: Iterable[Entry]) -> Transcript:
    """Fold a session's log."""
    transcript = Transcript()
    for entry in entries:
        _add(transcript, entry.event, entry.at)
        transcript.seq = entry.seq
    return transcript


def fold_events(events: Iterable[Event]) -> Transcript:
    """Fold a session's events where it does not matter when they came. To be read, not changed: it is folded once."""
    return _fold(_SameEvents(tuple(events)))


class _SameEvents:
    """Events that are equal to others only if they are the same objects: comparing their contents costs more."""

    __slots__ = ("_hash", "events")

    def __init__(self, events: tuple[Event, ...]) -> None:
        self.events = events
        self._hash = hash(tuple(map(id, events)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SameEvents) or len(self.events) != len(other.events):
            return False
        return all(map(is_, self.events, other.events))


@lru_cache(maxsize=8)  # between two events a log and its last turn are folded some ten times
def _fold(key: _SameEvents) -> Transcript:
    transcript = Transcript()
    for event in key.events:
        _add(transcript, event, None)
        transcript.seq += 1
    return transcript


def fold_turn(events: Sequence[Event], number: int | None = None) -> Turn | None:
    """Fold the events of one turn, by default the one that was asked last; None where there is no such question."""
    if number is None:
        number = next((event.turn for event in reversed(events) if isinstance(event, Question)), None)
    return fold_events(event for event in events if event.turn == number and event.turn).current


def current_turn(events: Sequence[Event]) -> Turn:
    """Fold the turn that was asked last, of a log that holds a question."""
    turn = fold_turn(events)
    assert turn is not None, "nothing was asked yet"
    return turn


def turn_before_clarification(turn: Turn) -> Turn | None:
    """The turn as it stood when its last question back was asked; None where it holds none."""
    last = turn.exchanges[-1].clarification if turn.exchanges else None
    at = next((n for n, moment in enumerate(turn.story) if moment.event is last), None)
    return fold_events(moment.event for moment in turn.story[:at]).current if at is not None else None


def _add(transcript: Transcript, event: Event, at: datetime | None) -> None:  # noqa: C901  one arm for each kind of event
    """Add one event: to the session, to the turn that it names, or to the turn that was asked last."""
    turn = transcript.current
    match event:
        case SessionOpened():
            transcript.by = event.by
        case HistorySummarised():
            transcript.summary = event  # for models: everybody else reads the turns themselves
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
            if (withheld := transcript.turn(event.turn)) is not None:
                withheld.is_withheld = True
        case LessonDecided():
            if (learned_turn := transcript.turn(event.turn)) is not None:
                learned_turn.lesson_decisions[event.lesson] = event
        case PinChanged():
            if (pinned_turn := transcript.turn(event.turn)) is not None:
                pinned_turn.pin_changes[event.pin] = event
        case Presented() | Disputed() | Verified() | Revoked():
            for judged in transcript.turns:
                if judged.number == event.turn:
                    _judge(judged, event)
        case Question():
            turn = Turn(
                number=event.turn or len(transcript.turns) + 1,
                question=event.text,
                files=event.files,
                question_meaning=event.meaning,
                sources=transcript.take_sources(event),
                started_at=at,
                phase_started_at=at,
            )
            transcript.turns.append(turn)
            turn.story.append(Moment(event=event))
            turn.updated_at = at
        case _:
            if isinstance(event, Execution):
                transcript.kernel.add(event)
            elif isinstance(event, KernelRestarted):
                transcript.kernel.restart(event)
            elif isinstance(event, PackageAdded):
                transcript.packages.append(event)
            if turn is not None:
                place = turn.place
                _continue(turn, event, at)
                # A plan and a proposal begin what they belong to; a result ends it, and belongs to it all the same.
                begins = type(event) in (Plan, Proposal)
                turn.story.append(Moment(event=event, step=turn.place if begins else place))
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
    _set_stage(turn, event)
    match event:
        case Plan():
            turn.items.append(PlanItem(plan=event))
            turn.step_position, turn.open_proposal, turn.place = event.begins, None, None
            _enter(turn, "coding", at)
        case Proposal():
            turn.open_proposal = ProposalItem(proposal=event)
            turn.items.append(turn.open_proposal)
            turn.step_position = turn.place = event.step
            _enter(turn, "reviewing", at)
        case PackageProposed():
            turn.items.append(PackageItem(proposal=event))
            _enter(turn, "reviewing", at)
        case PackageAdded():
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "reviewing", at, pending=turn.pending)
        case FunctionsProposed():
            turn.items.append(FunctionsItem(proposal=event))
            _enter(turn, "coding", at)
        case FunctionsKept():
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "coding", at, pending=turn.pending)
        case Review():
            turn.reviews.append(event)
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
            turn.requests.append(event)
            turn.pending = event
        case Decision():
            _decide(turn, event, at)
        case ExecutionStarted():
            if (item := turn.proposal(event.id)) is not None:
                item.started, item.started_at, item.interrupted = event, at, False
            _enter(turn, "running", at)
        case Execution():
            turn.executions.append(event)
            if event.status == "ok":
                turn.step_position = turn.place = event.step + 1
            if (item := turn.proposal(event.id)) is not None:
                item.execution, item.ended_at = event, at
            _enter(turn, "answering" if event.status == "ok" else "diagnosing", at, pending=turn.pending)
        case Diagnosis():
            turn.diagnoses.append(event)
            if (failed := turn.proposal(event.execution)) is not None and (
                failed.execution is None or failed.execution.status == "failed"
            ):
                failed.diagnosis = event  # else it says why no later step came, as the answer does
            _enter(turn, "coding", at, pending=turn.pending)
        case Answer():
            turn.answer, turn.failed, turn.stopped, turn.pending = event, None, None, None
            turn.appearance = _first_appearance(event)
        case Judgement():
            turn.judgement = event
            turn.items.append(NoticeItem(event=event))
            _enter(turn, "coding" if event.verdict == "go_on" else "answering", at, pending=turn.pending)
        case StepSkipped():
            turn.items.append(NoticeItem(event=event))
            turn.skips.append(event)
            turn.step_position = turn.place = event.step + 1
        case KernelRestarted() | Looked():
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


_STAGES: dict[type[Event], Stage] = {
    Question: "question",
    ClarificationAnswered: "reply",
    Plan: "plan",
    Proposal: "proposal",
    Review: "review",
    PackageProposed: "package",
    PackageAdded: "package_added",
    FunctionsProposed: "functions",
    FunctionsKept: "functions_kept",
    Clarification: "waiting",
    DecisionRequested: "waiting",
    Execution: "execution",
    StepSkipped: "skip",
    Judgement: "judgement",
    Diagnosis: "diagnosis",
    Answer: "end",
    Stopped: "end",
    Failed: "end",
}
"""What a message leaves a turn at; of a decision and of a failed execution it depends on more. Other events change
nothing about whose turn it is to speak."""
_DECIDED: dict[Subject, Stage] = {
    "plan": "plan_decision",
    "code": "code_decision",
    "package": "package_decision",
    "functions": "functions_decision",
}


def _set_stage(turn: Turn, event: Event) -> None:
    """Say what was said last, and count what was said since the person's last word."""
    kind = type(event)  # a look-up, not a test for each kind: this runs for every event of a log
    if kind is Resumed:
        # A stop that was taken back no longer stops; one that comes later does.
        turn.stage, turn.stage_before_stop, turn.messages = turn.stage_before_stop or turn.stage, None, 0
        return
    stage = _DECIDED[event.subject] if isinstance(event, Decision) else _STAGES.get(kind)
    if stage is None:
        return
    if isinstance(event, Execution) and event.status == "failed":
        stage = "failure"
    turn.stage_before_stop = (turn.stage_before_stop or turn.stage) if kind is Stopped or kind is Failed else None
    turn.stage = stage
    is_word_of_person = stage == "reply" or (isinstance(event, Decision) and event.by == "person")
    turn.messages = 0 if is_word_of_person or stage == "end" else turn.messages + 1


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


def _decide(turn: Turn, event: Decision, at: datetime | None) -> None:  # noqa: C901  one arm for each subject
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
        case "functions":
            for functions_item in turn.functions:
                if functions_item.proposal.id == event.ref:
                    functions_item.decision = event
            _enter(turn, "coding", at, pending=pending)
        case "code":
            if (cell := turn.proposal(event.ref)) is not None:
                cell.decision = event
            _enter(turn, "coding" if rejected else "starting", at, pending=pending)
        case _:
            assert_never(event.subject)


def _enter(turn: Turn, phase: Phase, at: datetime | None, *, pending: Pending | None = None) -> None:
    """Enter a phase of the work; by default nothing waits for the person any more."""
    turn.phase, turn.phase_started_at, turn.pending = phase, at, pending
