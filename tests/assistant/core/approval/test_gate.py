"""The gate: what the policy approves, and what it never does."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.core.approval.gate import (
    Action,
    digest_cell,
    find_pending_request,
    gate_code,
    gate_package,
    hash_code,
    is_named,
    make_decision,
    package_digest,
)
from assistant.core.approval.policy import why_doubt
from assistant.core.events import (
    Answer,
    Cell,
    Decision,
    DecisionRequested,
    Event,
    Finding,
    FunctionSource,
    PackageProposed,
    PackageWheel,
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


def test_a_turns_policy_ends_with_the_turn() -> None:
    assert gated((PolicyChanged(turn=2, approve=("query",)),)) == "decision_requested"
    assert gated((PolicyChanged(turn=0, approve=("query",)),)) == "decision"


def test_the_last_word_on_the_session_holds() -> None:
    assert gated((PolicyChanged(approve=("query",)), PolicyChanged(approve=()))) == "decision_requested"


def test_an_edit_of_a_plan_leaves_the_steps_that_have_run() -> None:
    steps = tuple(Step(title=title, language="sql") for title in ("Read", "Join", "Sum"))
    plan = Plan(turn=1, id="p", restated="", steps=steps, begins=2)
    request = DecisionRequested(turn=1, id="p?", subject="plan", ref="p")
    log = (Question(turn=1, text="?"), plan, request)
    with pytest.raises(SessionError, match="have run"):
        make_decision(log, request, "edit", steps=steps[1:])
    assert make_decision(log, request, "edit", steps=(steps[0], steps[2])).steps == (steps[0], steps[2])


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


WHEEL = PackageWheel(name="bird", version="1", file="bird-1.whl", sha256="0", size_bytes=1)
BIRD = PackageProposed(
    turn=1,
    id="1.1.1:bird",
    proposal="1.1.1",
    module="bird",
    name="Bird",
    version="1",
    wheels=(WHEEL,),
    doubts=("New.",),
)


def test_an_approval_covers_code_and_functions_and_of_a_package_what_was_shown() -> None:
    functions = [FunctionSource(name=name, sha256="", code=code) for name, code in (("f", "a"), ("g", "b"))]
    with_functions = proposal().model_copy(update={"functions": tuple(functions)})
    assert digest_cell(proposal()) == hash_code("x = 1")
    assert digest_cell(with_functions) == hash_code("x = 1\0a\0b")
    covered = {"name": "Birds", "version": "2", "wheels": (), "doubts": ()}
    for field in set(PackageProposed.model_fields) - {"kind"}:
        other = BIRD.model_copy(update={field: covered.get(field, "else")})
        assert (package_digest(other) != package_digest(BIRD)) == (field in covered), field


def test_a_package_is_asked_about_in_two_steps_where_its_name_is_in_doubt() -> None:
    unknown = BIRD.model_copy(update={"wheels": (), "version": ""})
    log = (Question(turn=1, text="?"), BIRD)
    request = gate_package(log, BIRD)
    assert request == DecisionRequested(
        turn=1, id="1.1.1:bird?", subject="package", ref=BIRD.id, reason="Let this session import Bird 1?"
    )
    assert gate_package(log, unknown).reason == "New. Tell its name to the package index, to look it up?"
    assert gate_package((*log, request), BIRD).id == "1.1.1:bird?2"
    assert gate_package((*log, request, request), BIRD).id == "1.1.1:bird?3"
    assert gate_package((), BIRD).id == "1.1.1:bird?"


def test_a_package_in_doubt_is_added_once_its_name_was_typed_out() -> None:
    plain, unknown = (BIRD.model_copy(update=part) for part in ({"doubts": ()}, {"wheels": ()}))
    assert [is_named(of, "") for of in (plain, unknown, BIRD)] == [True, True, False]
    assert [is_named(BIRD, typed) for typed in ("bird", " BIRD ", "birds")] == [True, True, False]
    log = (Question(turn=1, text="?"), BIRD)
    request = gate_package(log, BIRD)
    decision = make_decision(log, request, "approve", typed=" bird ")
    assert (decision.sha256, decision.typed, decision.by) == (package_digest(BIRD), "bird", "person")
    with pytest.raises(SessionError, match="type its name out: Bird"):
        make_decision(log, request, "approve")
    with pytest.raises(SessionError, match="cannot be edited"):
        make_decision(log, request, "edit", typed="bird")
    refused = make_decision(log, request, "reject", typed="bird", reason=" no ")
    assert (refused.action, refused.reason, refused.sha256, refused.typed) == ("reject", "no", "", "")


def test_what_an_edit_decides() -> None:
    log = (Question(turn=1, text="?"), proposal(), proposal("python").model_copy(update={"id": "1.1.2", "code": "y"}))
    request = DecisionRequested(turn=1, id="1.1.1?", subject="code", ref="1.1.1")
    refused = request.model_copy(update={"code": "mine"})

    def decide(waiting: DecisionRequested, action: Action, **more: Any) -> tuple[object, ...]:
        decision = make_decision(log, waiting, action, **more)
        return decision.request, decision.ref, decision.action, decision.code, decision.sha256

    about = ("1.1.1?", "1.1.1")
    assert decide(request, "approve", code="ignored") == (*about, "approve", None, hash_code("x = 1"))
    assert decide(request, "edit", code="x = 1") == (*about, "approve", None, hash_code("x = 1"))
    assert decide(request, "edit", code="z") == (*about, "edit", "z", hash_code("z"))
    assert decide(refused, "approve") == (*about, "edit", "mine", hash_code("mine"))
    assert decide(refused, "reject") == (*about, "reject", None, "")
    with pytest.raises(SessionError, match="holds no code"):
        make_decision(log, refused, "edit")


def test_what_an_edit_of_a_plan_decides() -> None:
    one, blank = Step(title="a", language="sql"), Step(title="  ", language="sql")
    plan = Plan(turn=1, id="p", restated="", steps=(one,), cells=(Cell(step=1, language="sql", code="c"),))
    request = DecisionRequested(turn=1, id="p?", subject="plan", ref="p")
    log = (Question(turn=1, text="?"), plan.model_copy(update={"id": "q", "cells": ()}), plan, request)
    assert make_decision(log, request, "edit", steps=(blank, one)).steps == (one,)
    for steps in (None, (), (blank,)):
        with pytest.raises(SessionError, match="has no steps"):
            make_decision(log, request, "edit", steps=steps)
    assert make_decision(log, request, "approve").cells == ()
    assert make_decision(log, request, "approve", cells=True).cells == (hash_code("c"),)


@pytest.mark.parametrize(
    ("findings", "reason"),
    [
        ((), "it failed the review."),
        ((Finding(level="warning", text="slow"),), "it failed the review."),
        ((Finding(level="warning", text="lacks bird", missing="bird"),), "lacks bird"),
        ((Finding(level="ok", text="fine"), Finding(level="danger", text="It writes.")), "It writes."),
    ],
)
def test_a_refused_edit_says_why(findings: tuple[Finding, ...], reason: str) -> None:
    outcome = gate_code((ALL,), proposal(), review(*findings), cage="zygote", edited="y")
    assert isinstance(outcome, DecisionRequested)
    assert outcome.code == "y"
    assert (outcome.reason, outcome.ref, outcome.id) == (f"Your edit was not run: {reason}", "1.1.1", "1.1.1?")


QUERIES, PYTHON, BOTH = (PolicyChanged(approve=approve) for approve in (("query",), ("python",), ("query", "python")))


@pytest.mark.parametrize(
    ("events", "language", "cage", "reason"),
    [
        ((), "sql", "zygote", "Run this query?"),
        ((PYTHON,), "sql", "zygote", "Run this query?"),
        ((QUERIES,), "sql", "zygote", None),
        ((), "python", "zygote", "Run this Python?"),
        ((QUERIES,), "python", "zygote", "Run this Python?"),
        ((PYTHON,), "python", "zygote", None),
        ((BOTH,), "sql", "process", "Code cannot be caged on this machine. Run it without a cage, in this session?"),
        ((BOTH, UncagedAccepted()), "sql", "process", None),
        ((UncagedAccepted(),), "python", "process", "Run this Python?"),
        ((BOTH, UncagedAccepted()), "python", "process", "This Python would run without a cage on this machine, so it is never approved automatically."),
    ],
)  # fmt: skip
def test_why_code_is_asked_about(events: tuple[Event, ...], language: str, cage: str, reason: str | None) -> None:
    outcome = gate_code(events, proposal(language), review(), cage=cage)
    about = {"turn": 1, "subject": "code", "ref": "1.1.1"}
    by_policy = Decision(**about, request="1.1.1?", action="approve", by="policy", sha256=hash_code("x = 1"))  # pyright: ignore
    asked = DecisionRequested(**about, id="1.1.1?", reason=reason or "")  # pyright: ignore
    assert outcome == (by_policy if reason is None else asked)


@pytest.mark.parametrize(
    ("levels", "verdict", "doubt"),
    [
        ((), "ok", None),
        (("ok", "note"), "ok", None),
        ((), "concerns", "The reviewer has doubts about this code."),
        (("ok", "warning", "danger"), "revise", "1 warning"),
        (("danger",), "ok", "0 danger"),
    ],
)
def test_why_code_is_in_doubt(levels: tuple[str, ...], verdict: str, doubt: str | None) -> None:
    findings = [Finding.model_validate({"level": level, "text": f"{n} {level}"}) for n, level in enumerate(levels)]
    assert why_doubt(review(*findings, verdict=verdict)) == doubt
