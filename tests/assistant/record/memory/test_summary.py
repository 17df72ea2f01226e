from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_sessions import answered_turn, sessions

from assistant.core.events import Event
from assistant.record.memory.summary import ExtractiveSummariser, split_sentences
from assistant.record.memory.tiers import Digest, fold_tiers
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


def test_a_line_holds_what_was_asked_back_decided_and_how_it_ended() -> None:
    digests = [
        Digest(
            turn=1,
            question="Best\nplaces?",
            asked_back=(("Which\nfigure?", "both"),),
            decisions=("approved the plan", "rejected 'Sum' (too\nslow)"),
            status="stopped",
            answer="Not told.",
        ),
        Digest(turn=2, question="x", status="answered", answer="One! Two.", results=("a", "b")),
        Digest(turn=3, question="y" * 1000, status="failed"),
    ]
    lines = ExtractiveSummariser().summarise(digests, tokens_max=500).splitlines()
    assert lines[:2] == [
        "Turn 1: 'Best places?'; asked back 'Which figure?', they said 'both'; rejected 'Sum' (too slow); stopped",
        "Turn 2: 'x'; left a, b; answer: One!",
    ]
    assert lines[2].endswith("y […]")
    assert estimate(lines[2]) == 120
    shorter = [ExtractiveSummariser().summarise(digests[:2], tokens_max=tokens).splitlines()[0] for tokens in (27, 10)]
    assert shorter == ["(1 earlier turn left out.)", "(2 earlier turns left out.)"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Version 1.5 is out", ["Version 1.5 is out"]),
        ("一。 二", ["一。", "二"]),
        ("One.\n\nTwo", ["One.", "Two"]),
    ],
)
def test_sentences_end_where_a_mark_is_followed_by_a_gap(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences
