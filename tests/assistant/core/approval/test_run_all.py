"""Run all approves a plan with the bytes that stand beside it, and no others."""

from __future__ import annotations

import pytest

from assistant.core.approval.gate import gate_code, gate_plan, hash_code, make_decision, was_approved
from assistant.core.events import (
    Cell,
    Decision,
    DecisionRequested,
    Event,
    Finding,
    Plan,
    Proposal,
    Question,
    Review,
    Step,
)

SQL, PYTHON = 'rows = query("SELECT 1")', "rows.sum()"
PLAN = Plan(
    turn=1,
    id="1.plan.1",
    restated="x",
    steps=(Step(title="a", language="sql"), Step(title="b", language="python")),
    cells=(Cell(step=1, language="sql", code=SQL), Cell(step=2, language="python", code=PYTHON)),
)


def decided(*, cells: bool) -> list[Event]:
    events: list[Event] = [Question(turn=1, text="x"), PLAN]
    request = gate_plan(events, PLAN)
    assert isinstance(request, DecisionRequested)
    return [*events, request, make_decision([*events, request], request, "approve", cells=cells)]


def asked(events: list[Event], code: str, *findings: Finding, cage: str = "zygote") -> Decision | DecisionRequested:
    proposal = Proposal(turn=1, id="1.1.1", step=1, revision=1, language="sql", title="a", code=code)
    review = Review(turn=1, proposal=proposal.id, verdict="ok", findings=findings)
    return gate_code([*events, proposal, review], proposal, review, cage=cage)


def test_the_bytes_that_stood_beside_the_plan_run() -> None:
    decision = asked(decided(cells=True), SQL)
    assert isinstance(decision, Decision)
    assert (decision.action, decision.by, decision.sha256) == ("approve", "person", hash_code(SQL))


@pytest.mark.parametrize("code", [SQL + " ", SQL.replace("1", "2"), ""])
def test_any_other_bytes_are_asked_about(code: str) -> None:
    assert isinstance(asked(decided(cells=True), code), DecisionRequested)


def test_a_plan_that_was_only_started_approves_no_code() -> None:
    assert isinstance(asked(decided(cells=False), SQL), DecisionRequested)


def test_a_warning_is_asked_about_even_then() -> None:
    warning = Finding(level="warning", text="It reads 40 million rows.")
    assert isinstance(asked(decided(cells=True), SQL, warning), DecisionRequested)


def test_code_that_no_cage_holds_is_asked_about_even_then() -> None:
    assert isinstance(asked(decided(cells=True), SQL, cage="process"), DecisionRequested)


def test_an_older_plan_s_code_is_not_approved_by_a_newer_plan() -> None:
    events = decided(cells=True)
    newer = PLAN.model_copy(update={"id": "1.plan.2", "cells": ()})
    proposal = Proposal(turn=1, id="1.1.1", step=1, revision=1, language="sql", title="a", code=SQL)
    assert was_approved(events, proposal)
    assert not was_approved([*events, newer], proposal)
