"""Who speaks next: a pure function from a turn to a participant, or to a stop.

The order of a turn is decided here and nowhere else. Agents are free in what they say, never in when. The functions
read the folded turn (`assistant.core.turns`) and take no other input, so a run can end at any event and go on, in
another process, a week later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

from assistant.core.events import Diagnosis, Event, Finding, Review
from assistant.core.turns import Turn

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


def find_last_turn(events: Iterable[Event]) -> int:
    """The number of the last turn; 0 before the first question."""
    return max((event.turn for event in events), default=0)


def next_speaker(turn: Turn | None) -> Speaker | None:
    """Say who speaks next in the current turn; None where the run ends (waiting for the person, or done)."""
    speaker = _follow(turn) if turn is not None else None
    return "planner" if turn is not None and speaker is not None and is_spent(turn) else speaker


def find_state(turn: Turn | None) -> State:
    """Whether the session is idle, working, or waiting for the person, as far as its last turn says."""
    if next_speaker(turn) is not None:
        return "working"
    return "waiting" if turn is not None and turn.stage == "waiting" else "idle"


def is_spent(turn: Turn) -> bool:
    """Whether the turn has said so much since the person's last word that only the answer may follow."""
    return turn.messages >= MESSAGES_MAX


def is_plan_due(turn: Turn) -> bool:
    """Whether the planner, when it speaks next, plans; else it answers."""
    if is_spent(turn):
        return False
    if turn.stage == "diagnosis":
        replans = sum(1 for diagnosis in turn.diagnoses if _is_plan_sent_back(diagnosis))
        return _is_plan_sent_back(turn.diagnoses[-1]) and replans <= REPLANS_MAX
    is_rejected = turn.stage == "plan_decision" and turn.decisions[-1].action == "reject"
    return is_rejected or turn.stage in ("question", "reply")


def is_judgement_due(turn: Turn) -> bool:
    """Whether the planner, when it speaks next, judges the result of a step that others follow."""
    if turn.stage != "execution" or is_spent(turn):
        return False
    return turn.plan is not None and turn.plan.judged and turn.executions[-1].step < len(turn.steps)


def is_repeated(turn: Turn) -> bool:
    """Whether the very code put forward last has failed by its own fault: it would fail again, so it is not run."""
    item = turn.proposals[-1] if turn.proposals else None
    return item is not None and any(
        execution.failure is not None
        and execution.failure.kind in ("raised", "refused")
        and execution.id != item.proposal.id
        and execution.code.strip() == item.proposal.code.strip()
        for execution in turn.executions
    )


def is_cut_short(turn: Turn) -> bool:
    """Whether the turn comes to its answer before its plan has come to its end."""
    return turn.stage not in ("execution", "skip", "judgement")


def find_package_due(turn: Turn) -> Finding | None:
    """The finding about a module that is missing and that was not proposed in this turn; None where none is due."""
    review = turn.reviews[-1] if turn.reviews else None
    if review is None or review.verdict == "revise":
        return None
    proposed = {item.proposal.module for item in turn.packages}
    return next((f for f in review.findings if f.missing and f.missing not in proposed), None)


def _follow(turn: Turn) -> Speaker | None:  # noqa: C901  one arm for each stage
    match turn.stage:
        case "question":
            return "planner"
        case "reply":
            answered = [exchange for exchange in turn.exchanges if exchange.reply is not None]
            return answered[-1].clarification.asker if answered else "planner"
        case "plan":
            return "human"
        case "proposal":
            return "planner" if is_repeated(turn) else "reviewer"
        case "review":
            return _follow_review(turn, turn.reviews[-1])
        case "package":
            return "reviewer" if turn.packages[-1].proposal.fault else "human"
        case "functions":
            return "coder" if turn.functions[-1].proposal.fault else "human"
        case "functions_kept":
            return "coder"
        case "functions_decision":
            is_kept = turn.decisions[-1].action == "approve" and turn.functions[-1].proposal.doubt is None
            return "executor" if is_kept else "coder"
        case "package_added" | "failure":
            return "reviewer"
        case "plan_decision":
            return "planner" if turn.decisions[-1].action == "reject" else "coder"
        case "package_decision" | "code_decision":
            return _follow_decision(turn)
        case "execution":
            return "planner" if turn.executions[-1].step >= len(turn.steps) or is_judgement_due(turn) else "coder"
        case "skip":
            return "planner" if turn.skips[-1].step >= len(turn.steps) else "coder"
        case "judgement":
            return "coder" if turn.judgement is not None and turn.judgement.verdict == "go_on" else "planner"
        case "diagnosis":
            return _follow_diagnosis(turn, turn.diagnoses[-1])
        case "waiting" | "end":
            return None
        case _:
            assert_never(turn.stage)


def _follow_review(turn: Turn, review: Review) -> Speaker:
    if find_package_due(turn) is not None:
        return "executor"
    if review.of_edit:
        # The person already approved exactly these bytes: they run, unless the review found what must not.
        return "human" if _is_sent_back(review) else "executor"
    if not _is_sent_back(review) or _is_put_forward_again(turn):
        return "human"
    of_step = {item.proposal.id for item in turn.proposals if item.proposal.step == turn.step}
    reviews = [review for review in turn.reviews if review.proposal in of_step and not review.of_edit]
    return "coder" if sum(map(_is_sent_back, reviews)) <= REVISIONS_MAX else "human"


def _is_put_forward_again(turn: Turn) -> bool:
    """Whether the coder put the very code forward that a review had sent back: then the person decides."""
    codes = [item.proposal.code.strip() for item in turn.proposals if item.proposal.step == turn.step]
    return len(codes) > 1 and codes[-1] in codes[:-1] and turn.is_sent_back(codes[-1])


def _is_sent_back(review: Review) -> bool:
    """Whether code cannot run as it was reviewed."""
    return review.verdict == "revise" or any(finding.missing for finding in review.findings)


def _follow_decision(turn: Turn) -> Speaker:
    decision = turn.decisions[-1]
    if decision.action == "approve":
        return "executor"
    if decision.subject == "package":
        # A refused package of the person's own edit is for the person to settle, any other for the coder.
        return "human" if turn.reviews and turn.reviews[-1].of_edit else "coder"
    return "reviewer" if decision.action == "edit" else "coder"


def _is_plan_sent_back(diagnosis: Diagnosis) -> bool:
    return diagnosis.category == "plan" and diagnosis.repairable


def _follow_diagnosis(turn: Turn, diagnosis: Diagnosis) -> Speaker:
    step = next((ran.step for ran in turn.executions if ran.id == diagnosis.execution), 1)
    failures = sum(1 for ran in turn.executions if ran.status == "failed" and ran.step == step)
    if not diagnosis.repairable or failures > REPAIRS_MAX:
        return "planner"
    return "planner" if diagnosis.category == "plan" else "coder"
