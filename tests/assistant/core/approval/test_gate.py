"""The gate: what the policy approves, and what it never does."""

from __future__ import annotations

import itertools

import pytest

from assistant.core.approval.gate import find_pending_request, gate_code, gate_plan, hash_code, make_decision
from assistant.core.events import (
    Answer,
    Decision,
    DecisionRequested,
    Event,
    Finding,
    Plan,
    PolicyChanged,
    Proposal,
    Question,
    Resumed,
    Review,
    Step,
    Stopped,
    UncagedAccepted,
)
from assistant.errors import SessionError

ALL = PolicyChanged(turn=1, approve=("plan", "query", "python"))


def proposal(language: str = "sql") -> Proposal:
    return Proposal(turn=1, id="1.1.1", step=1, revision=1, language=language, title="t", code="x = 1")  # pyright: ignore


def review(*findings: Finding, verdict: str = "ok") -> Review:
    return Review(turn=1, proposal="1.1.1", verdict=verdict, findings=findings)  # pyright: ignore


def gated(events: tuple[Event, ...], *, language: str = "sql", cage: str = "zygote", by: Review | None = None) -> str:
    outcome = gate_code(events, proposal(language), by or review(), cage=cage)
    return outcome.kind


def test_without_a_policy_everything_is_asked_about() -> None:
    assert gated(()) == "decision_requested"
    assert gated((), language="python") == "decision_requested"


def test_policy_approves_clean_code_and_binds_its_bytes() -> None:
    outcome = gate_code((ALL,), proposal(), review(), cage="zygote")
    assert isinstance(outcome, Decision)
    assert (outcome.action, outcome.by, outcome.sha256) == ("approve", "policy", hash_code("x = 1"))


@pytest.mark.parametrize("language", ["sql", "python"])
@pytest.mark.parametrize("level", ["warning", "danger"])
def test_a_fault_always_asks(language: str, level: str) -> None:
    faulty = review(Finding(level=level, text="Reads 90 million rows"))  # pyright: ignore
    outcome = gate_code((ALL,), proposal(language), faulty, cage="zygote")
    assert isinstance(outcome, DecisionRequested)
    assert outcome.reason == "Reads 90 million rows"


@pytest.mark.parametrize("verdict", ["concerns", "revise"])
def test_a_doubting_review_always_asks(verdict: str) -> None:
    assert gated((ALL,), by=review(verdict=verdict)) == "decision_requested"


def test_python_without_a_cage_is_never_approved_by_policy() -> None:
    for approve in itertools.chain.from_iterable(
        itertools.permutations(("plan", "query", "python"), n) for n in range(4)
    ):
        events = (PolicyChanged(turn=0, approve=approve), PolicyChanged(turn=1, approve=approve))  # pyright: ignore
        assert gated(events, language="python", cage="process") == "decision_requested"


def test_without_a_cage_the_person_consents_once() -> None:
    outcome = gate_code((ALL,), proposal(), review(), cage="process")
    assert isinstance(outcome, DecisionRequested)
    assert "without a cage" in outcome.reason
    assert gate_code((ALL, UncagedAccepted()), proposal(), review(), cage="process").kind == "decision"


def test_a_turns_policy_ends_with_the_turn() -> None:
    assert gated((PolicyChanged(turn=2, approve=("query",)),)) == "decision_requested"
    assert gated((PolicyChanged(turn=0, approve=("query",)),)) == "decision"


def test_the_last_word_on_the_session_holds() -> None:
    assert gated((PolicyChanged(approve=("query",)), PolicyChanged(approve=()))) == "decision_requested"


def test_a_refused_edit_is_asked_about_with_its_text() -> None:
    outcome = gate_code(
        (ALL,),
        proposal(),
        review(Finding(level="danger", text="DROP is not a read."), verdict="revise"),
        cage="zygote",
        edited="y",
    )
    assert isinstance(outcome, DecisionRequested)
    assert outcome.code == "y"
    assert "DROP is not a read." in outcome.reason


def test_an_edit_of_a_plan_leaves_the_steps_that_have_run() -> None:
    steps = tuple(Step(title=title, language="sql") for title in ("Read", "Join", "Sum"))
    plan = Plan(turn=1, id="p", restated="", steps=steps, begins=2)
    request = DecisionRequested(turn=1, id="p?", subject="plan", ref="p")
    log = (Question(turn=1, text="?"), plan, request)
    with pytest.raises(SessionError, match="have run"):
        make_decision(log, request, "edit", steps=steps[1:])
    assert make_decision(log, request, "edit", steps=(steps[0], steps[2])).steps == (steps[0], steps[2])


def test_plans_of_one_step_go_ahead() -> None:
    one = Plan(turn=1, id="1.plan.1", restated="r", steps=(Step(title="a", language="sql"),))
    two = one.model_copy(update={"steps": (*one.steps, Step(title="b", language="python"))})
    assert gate_plan((), one).kind == "decision"
    assert gate_plan((), two).kind == "decision_requested"
    assert gate_plan((ALL,), two).kind == "decision"


def test_requests_are_numbered_and_found_until_decided() -> None:
    first = gate_code((), proposal(), review(), cage="zygote")
    assert isinstance(first, DecisionRequested)
    put = (Question(turn=1, text="How many?"), proposal())
    second = gate_code((*put, first), proposal(), review(), cage="zygote")
    assert isinstance(second, DecisionRequested)
    assert first.id != second.id
    assert (
        find_pending_request(
            (
                *put,
                first,
            )
        )
        == first
    )
    decided = Decision(turn=1, request=first.id, subject="code", ref="1.1.1", action="reject", by="person")
    assert find_pending_request((*put, first, decided)) is None
    assert find_pending_request((*put, first, decided, second)) == second
    assert find_pending_request((*put, first, Answer(turn=1, status="declined", text=""))) is None


def test_a_stopped_request_waits_again_once_the_turn_is_resumed() -> None:
    asked = DecisionRequested(turn=1, id="1.1.1?", subject="code", ref="1.1.1")
    put = (Question(turn=1, text="How many?"), proposal())
    assert find_pending_request((*put, asked, Stopped(turn=1))) is None
    assert find_pending_request((*put, asked, Stopped(turn=1), Resumed(turn=1))) == asked
    assert find_pending_request((*put, asked, Stopped(turn=1), Question(turn=2, text="else"), Resumed(turn=2))) is None
