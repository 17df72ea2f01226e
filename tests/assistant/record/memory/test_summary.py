from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from memory_sessions import answered_turn, sessions

from assistant.core.events import Event
from assistant.record.memory.summary import ExtractiveSummariser
from assistant.record.memory.tiers import fold_tiers
from assistant.record.memory.tokens import estimate


@given(sessions(), st.integers(0, 300))
def test_a_summary_never_exceeds_its_budget(log: tuple[Event, ...], tokens_max: int) -> None:
    digests = fold_tiers(log, turns_recent=0).older
    text = ExtractiveSummariser().summarise(digests, tokens_max=tokens_max)
    assert estimate(text) <= tokens_max


def test_the_newest_old_turns_are_served_first_and_the_rest_is_counted() -> None:
    log = [event for turn in range(1, 41) for event in answered_turn(turn, f"What about topic {turn}?")]
    text = ExtractiveSummariser().summarise(fold_tiers(log, turns_recent=1).older, tokens_max=200)
    assert "topic 38" in text
    assert "topic 1?" not in text
    assert "earlier turns left out" in text


def test_a_line_names_question_answer_and_what_is_left_in_the_kernel() -> None:
    log = answered_turn(1, "Revenue by region?", result="by_region", text="The North led with 12 k. More follows.")
    digests = fold_tiers([*log, *answered_turn(2, "x")], turns_recent=0).older
    text = ExtractiveSummariser().summarise(digests, tokens_max=200)
    assert text == "Turn 1: 'Revenue by region?'; left by_region; answer: The North led with 12 k."
    blind = ExtractiveSummariser(with_answers=False).summarise(digests, tokens_max=200)
    assert "North" not in blind
