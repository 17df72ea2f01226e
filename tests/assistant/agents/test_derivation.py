"""How the last answer was computed is told from what the log holds of it."""

from __future__ import annotations

import pytest

from assistant.agents.derivation import describe_last_computation
from assistant.analyst.dialogue.replies import asks_how
from assistant.core.events import Answer, Plan, Question, Step

COMPUTED = (
    Question(turn=1, text="revenue by region"),
    Plan(turn=1, id="1.plan.1", restated="Revenue by region", steps=(Step(title="Query", language="sql"),)),
    Answer(
        turn=1, status="answered", text="North", how=("Group by region.", "shop: 4 rows in 0.02 s"), notes=("EUR.",)
    ),
)
THANKS = (Question(turn=2, text="thanks"), Answer(turn=2, status="answered", text="You are welcome."))
DECLINED = (Question(turn=3, text="foo"), Answer(turn=3, status="declined", text="No.", how=("Looked.",)))


def test_the_last_answer_that_was_computed_is_told_of() -> None:
    told = describe_last_computation((*COMPUTED, *THANKS, *DECLINED, Question(turn=4, text="explain")))
    assert told is not None
    assert told.splitlines() == [
        "This is how the last answer was computed: Revenue by region.",
        "",
        "- Group by region.",
        "- shop: 4 rows in 0.02 s",
        "- EUR.",
    ]


def test_without_a_computed_answer_there_is_nothing_to_tell() -> None:
    assert describe_last_computation((*THANKS, *DECLINED)) is None


@pytest.mark.parametrize("said", ["Explain this answer.", "explain", "How was this computed?"])
def test_questions_about_the_answer_ask_how(said: str) -> None:
    assert asks_how(said)


@pytest.mark.parametrize("said", ["explain the change in revenue", "how was revenue in May?", "why is North highest?"])
def test_questions_about_the_data_do_not(said: str) -> None:
    assert not asks_how(said)
