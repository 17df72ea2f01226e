"""What the person says, as events: each only where the log waits for it."""

from __future__ import annotations

from assistant.core.events import (
    Clarification,
    ClarificationAnswered,
    Failed,
    PolicyChanged,
    Question,
    Resumed,
    Stopped,
)
from assistant.session.runs import inputs

ASKED = Question(turn=1, text="Revenue?")
BACK = Clarification(turn=1, id="1.c1", text="Which?", options=("net", "gross"))


def test_a_question_comes_after_what_it_lets_go_ahead() -> None:
    log = (Question(turn=2, text="Orders?"), PolicyChanged(approve=()))
    assert inputs.make_question(log, "Revenue?", files=["a.csv"], approve=("query", "plan", "query")) == [
        PolicyChanged(turn=3, approve=("plan", "query")),
        Question(turn=3, text="Revenue?", files=("a.csv",)),
    ]
    assert inputs.make_question((), "Revenue?", files=(), approve=()) == [ASKED]


def test_only_the_question_back_that_waits_is_answered() -> None:
    let = PolicyChanged(turn=1, approve=("plan",))
    said = [ClarificationAnswered(turn=1, clarification="1.c1", text="net")]
    assert inputs.answer_back([ASKED, BACK], "1.c1", "net") == said
    assert inputs.answer_back([ASKED, BACK, let], "1.c1", "net") == said  # a policy is no answer
    assert inputs.answer_back([ASKED, BACK], "1.c0", "net") is None
    assert inputs.answer_back([ASKED, BACK, *said], "1.c1", "net") is None
    assert inputs.answer_back([], "1.c1", "net") is None


def test_only_a_turn_that_was_stopped_or_failed_goes_on() -> None:
    for end in (Stopped(turn=1), Failed(turn=1, message="lost")):
        assert inputs.make_resumption([ASKED, end], ()) == [Resumed(turn=1)]
    assert inputs.make_resumption([ASKED, Stopped(turn=1)], ("plan",)) == [
        PolicyChanged(turn=1, approve=("plan",)),
        Resumed(turn=1),
    ]
    assert inputs.make_resumption([ASKED], ()) is None
    assert inputs.make_resumption([], ()) is None


def test_a_policy_that_holds_already_is_not_said_again() -> None:
    holds = PolicyChanged(approve=("plan", "query"))
    assert inputs.allow_in_session([], ("query", "plan")) == [holds]
    assert inputs.allow_in_session([holds], ("query", "plan")) == []
    assert inputs.allow_in_session([holds], ()) == [PolicyChanged()]
