"""What a person edits is bound as it will run."""

from __future__ import annotations

import pytest

from assistant.core.approval.gate import gate_code, hash_code, make_decision
from assistant.core.events import DecisionRequested, Proposal, Question, Review

_QUESTION = Question(turn=1, text="t")
_PROPOSAL = Proposal(turn=1, id="1.1.1", step=1, revision=1, language="python", title="t", code="x = 1\ny = 2")
_REVIEW = Review(turn=1, proposal="1.1.1", verdict="ok")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_an_edit_has_the_line_ends_that_run(end: str) -> None:
    waiting = gate_code((), _PROPOSAL, _REVIEW, cage="zygote")
    assert isinstance(waiting, DecisionRequested)
    decision = make_decision((_QUESTION, _PROPOSAL), waiting, "edit", code=f"x = 1{end}y = 3{end}")
    assert (decision.action, decision.code) == ("edit", "x = 1\ny = 3\n")
    assert decision.sha256 == hash_code("x = 1\ny = 3\n")


def test_an_edit_of_line_ends_alone_is_an_approval() -> None:
    waiting = gate_code((), _PROPOSAL, _REVIEW, cage="zygote")
    assert isinstance(waiting, DecisionRequested)
    decision = make_decision((_QUESTION, _PROPOSAL), waiting, "edit", code="x = 1\r\ny = 2")
    assert (decision.action, decision.sha256) == ("approve", hash_code(_PROPOSAL.code))
