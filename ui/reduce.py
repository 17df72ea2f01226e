"""From a session's entries to what the page shows. Pure and total: any sequence of events gives a view.

Nothing is drawn, read or decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import assert_never

from assistant.events import (
    Answer,
    Appearance,
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
from ui.view_model import ExchangeItem, NoticeItem, PackageItem, Phase, PlanItem, ProposalItem, Turn, View


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
        turn.look, turn.looks = event.look, turn.looks + 1
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
            if item is not None and (item.execution is None or item.execution.status == "failed"):
                item.diagnosis = event  # else it says why no later step came, as the answer does
            _enter(turn, "coding", at)
        case Answer():
            turn.answer, turn.failed, turn.stopped, turn.pending = event, None, None, None
            turn.look = _look(event)
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


def _look(answer: Answer) -> Appearance:
    """How an answer is shown at first: what was read for a declined one is no answer, so no chart is made of it."""
    is_plain = answer.status == "declined" and answer.chart is None
    return answer.appearance.model_copy(update={"chart": "none"}) if is_plain else answer.appearance


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
