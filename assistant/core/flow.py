"""Who speaks next: a pure function from a session's events to a participant, or to a stop.

The order of a turn is decided here and nowhere else. Agents are free in what they say, never in when. The function
reads only the current turn (the events since the last `Question`) and takes no input but the log, so a run can end at
any event and go on, in another process, a week later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.core.events import (
    Answer,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Event,
    Execution,
    ExecutionStarted,
    Failed,
    Finding,
    Judgement,
    PackageAdded,
    PackageProposed,
    Plan,
    Proposal,
    Question,
    Resumed,
    Review,
    Step,
    StepSkipped,
    Stopped,
)

Speaker = Literal["planner", "coder", "reviewer", "human", "executor"]
State = Literal["idle", "working", "waiting"]

REPAIRS_MAX = 3
"""Failed executions of one step after which the planner answers with what there is."""

REVISIONS_MAX = 3
"""Times the reviewer may send one step's code back before the person is asked."""

REPLANS_MAX = 2
"""Times a failure may send the turn back to its plan before the planner answers with what there is."""

MESSAGES_MAX = 60
"""Messages since the person's last word after which the planner answers with what there is."""

TURNS_MAX = 2 * MESSAGES_MAX
"""A fuse behind that one: a run of so many messages is ended."""

_ASIDE = (ExecutionStarted, Resumed)
"""Events that do not change whose turn it is to speak (an execution that started is the executor's own note)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a turn stands. `step` counts from 1; `steps` is the plan as decided."""

    steps: tuple[Step, ...]
    step: int
    plan: Plan | None
    proposal: Proposal | None


def current_turn(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events since the last question, the question included; empty before the first question."""
    number = next((e.turn for e in reversed(events) if isinstance(e, Question)), None)
    if number is None:
        return ()
    return tuple(e for e in events if e.turn == number)


def last_turn(events: Iterable[Event]) -> int:
    """The number of the last turn; 0 before the first question."""
    return max((event.turn for event in events), default=0)


def position(turn: Iterable[Event]) -> Position:
    """Fold a turn's events into where it stands."""
    plan: Plan | None = None
    proposal: Proposal | None = None
    steps: tuple[Step, ...] = ()
    step = 1
    for event in turn:
        match event:
            case Plan():
                plan, steps, step, proposal = event, event.steps, event.begins, None
            case Decision(subject="plan", action="edit", steps=edited) if edited is not None:
                steps = edited
            case Proposal():
                proposal, step = event, event.step
            case Execution(status="ok") | StepSkipped():
                step = event.step + 1
            case _:
                pass
    return Position(steps=steps, step=min(step, max(len(steps), 1)), plan=plan, proposal=proposal)


def next_speaker(events: Sequence[Event]) -> Speaker | None:
    """Say who speaks next in the current turn; None where the run ends (waiting for the person, or done)."""
    turn = current_turn(events)
    resumed = any(isinstance(e, Resumed) for e in turn)
    spoken = [e for e in turn if isinstance(e, _SPOKEN) and not isinstance(e, _ASIDE)]
    if resumed:
        # A stop that was taken back no longer stops; one that came after the last resumption does.
        last_resumed = max(i for i, e in enumerate(turn) if isinstance(e, Resumed))
        later = set(map(id, turn[last_resumed:]))
        spoken = [e for e in spoken if not isinstance(e, Stopped | Failed) or id(e) in later]
    if not spoken:
        return None
    speaker = _after(spoken[-1], turn)
    return "planner" if speaker is not None and is_spent(turn) else speaker


def is_spent(turn: Sequence[Event]) -> bool:
    """Whether the turn has said so much since the person's last word that only the answer may follow."""
    said = 0
    for event in reversed(turn):
        match event:
            case Question() | ClarificationAnswered() | Resumed() | Decision(by="person"):
                break
            case Answer() | Stopped() | Failed():
                return False
            case _:
                said += isinstance(event, _SPOKEN) and not isinstance(event, _ASIDE)
    return said >= MESSAGES_MAX


def is_plan_due(turn: Sequence[Event]) -> bool:
    """Whether the planner, when it speaks next, plans; else it answers."""
    if is_spent(turn):
        return False
    for event in reversed(turn):
        match event:
            case Question() | ClarificationAnswered() | Decision(subject="plan", action="reject"):
                return True
            case Diagnosis():
                return event.category == "plan" and event.repairable and _replans(turn) <= REPLANS_MAX
            case Execution() | StepSkipped() | Proposal() | Judgement():
                return False
            case _:
                continue
    return True


def is_judgement_due(turn: Sequence[Event]) -> bool:
    """Whether the planner, when it speaks next, judges the result of a step that others follow."""
    last = next((e for e in reversed(turn) if isinstance(e, _SPOKEN) and not isinstance(e, _ASIDE)), None)
    if not isinstance(last, Execution) or last.status != "ok" or is_spent(turn):
        return False
    here = position(turn)
    return here.plan is not None and here.plan.judged and last.step < len(here.steps)


def is_repeated(proposal: Proposal, turn: Iterable[Event]) -> bool:
    """Whether this very code has failed by its own fault in this turn: it would fail again, so it is not run."""
    return any(
        isinstance(event, Execution)
        and event.failure is not None
        and event.failure.kind in ("raised", "refused")
        and event.id != proposal.id
        and event.code.strip() == proposal.code.strip()
        for event in turn
    )


def is_cut_short(turn: Sequence[Event]) -> bool:
    """Whether the turn comes to its answer before its plan has come to its end."""
    acts = (Execution, StepSkipped, Diagnosis, Proposal, Review, Decision)
    last = next((event for event in reversed(turn) if isinstance(event, acts)), None)
    return not (isinstance(last, StepSkipped) or (isinstance(last, Execution) and last.status == "ok"))


def _replans(turn: Sequence[Event]) -> int:
    return sum(1 for event in turn if isinstance(event, Diagnosis) and event.category == "plan" and event.repairable)


def state(events: Sequence[Event]) -> State:
    """Whether the session is idle, working, or waiting for the person, as far as its log says."""
    turn = current_turn(events)
    if next_speaker(events) is not None:
        return "working"
    last = next((e for e in reversed(turn) if isinstance(e, _SPOKEN) and not isinstance(e, _ASIDE)), None)
    return "waiting" if isinstance(last, DecisionRequested | Clarification) else "idle"


_SPOKEN = (
    Question,
    ClarificationAnswered,
    Plan,
    Clarification,
    Proposal,
    Review,
    PackageProposed,
    PackageAdded,
    DecisionRequested,
    Decision,
    ExecutionStarted,
    Execution,
    StepSkipped,
    Diagnosis,
    Judgement,
    Answer,
    Stopped,
    Failed,
    Resumed,
)


def _after(last: Event, turn: Sequence[Event]) -> Speaker | None:  # noqa: C901  one arm for each kind of event
    match last:
        case Question():
            return "planner"
        case ClarificationAnswered(clarification=asked):
            for event in turn:
                if isinstance(event, Clarification) and event.id == asked:
                    return event.asker
            return "planner"
        case Plan():
            return "human"
        case Proposal():
            return "planner" if is_repeated(last, turn) else "reviewer"
        case Review():
            return _after_review(last, turn)
        case PackageProposed():
            return "reviewer" if last.fault else "human"
        case PackageAdded():
            return "reviewer"
        case Decision():
            return _after_decision(last, turn)
        case Execution(status="failed"):
            return "reviewer"
        case Execution() | StepSkipped():
            if last.step >= len(position(turn).steps) or is_judgement_due(turn):
                return "planner"
            return "coder"
        case Judgement():
            return "coder" if last.verdict == "go_on" else "planner"
        case Diagnosis():
            return _after_diagnosis(last, turn)
        case _:  # Clarification, DecisionRequested, Answer, Stopped, Failed: the person's turn, or the end
            return None


def package_due(turn: Sequence[Event]) -> Finding | None:
    """The finding about a module that is missing and that was not proposed in this turn; None where none is due."""
    review = next((e for e in reversed(turn) if isinstance(e, Review)), None)
    if review is None or review.verdict == "revise":
        return None
    proposed = {e.module for e in turn if isinstance(e, PackageProposed)}
    return next((f for f in review.findings if f.missing and f.missing not in proposed), None)


def _after_review(review: Review, turn: Sequence[Event]) -> Speaker:
    if package_due(turn) is not None:
        return "executor"
    lacks = any(finding.missing for finding in review.findings)
    if review.of_edit:
        # The person already approved exactly these bytes: they run, unless the review found what must not.
        return "human" if review.verdict == "revise" or lacks else "executor"
    if review.verdict != "revise" and not lacks:
        return "human"
    step = position(turn).step
    of_step = {e.id for e in turn if isinstance(e, Proposal) and e.step == step}
    reviews = [e for e in turn if isinstance(e, Review) and e.proposal in of_step and not e.of_edit]
    sent_back = sum(1 for e in reviews if e.verdict == "revise" or any(f.missing for f in e.findings))
    return "coder" if sent_back <= REVISIONS_MAX else "human"


def _after_decision(decision: Decision, turn: Sequence[Event]) -> Speaker:
    match decision.subject, decision.action:
        case "package", "approve":
            return "executor"
        case "package", _:
            # A refused package of the person's own edit is for the person to settle, any other for the coder.
            review = next((e for e in reversed(turn) if isinstance(e, Review)), None)
            return "human" if review is not None and review.of_edit else "coder"
        case "plan", "reject":
            return "planner"
        case "plan", _:
            return "coder"
        case "code", "approve":
            return "executor"
        case "code", "edit":
            return "reviewer"
        case _:
            return "coder"


def _after_diagnosis(diagnosis: Diagnosis, turn: Sequence[Event]) -> Speaker:
    failed = next((e for e in turn if isinstance(e, Execution) and e.id == diagnosis.execution), None)
    step = failed.step if failed else 1
    failures = sum(1 for e in turn if isinstance(e, Execution) and e.status == "failed" and e.step == step)
    if not diagnosis.repairable or failures > REPAIRS_MAX:
        return "planner"
    return "planner" if diagnosis.category == "plan" else "coder"
