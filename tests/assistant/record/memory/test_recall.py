from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from memory_sessions import answered_turn
from numpy.typing import NDArray

from assistant.core.events import Event, HistorySummarised, Question
from assistant.record.memory.context import FoldedContext
from assistant.record.memory.recall import Compare, PastTurns, compare_nothing
from assistant.record.memory.summary import SUMMARY_TOKENS
from assistant.record.memory.tiers import Digest, digest_past_turns, fold_tiers
from assistant.record.memory.tokens import estimate
from knowledge.embedding import choose_embedder
from knowledge.similarity import Similarity

FACT = "The budget for Lisbon is 410,000 and Mrs Petrov owns it. What was revenue by region?"


def long_session(turns: int, *, told_in: int = 3) -> list[Event]:
    log: list[Event] = []
    for turn in range(1, turns + 1):
        log += answered_turn(turn, FACT if turn == told_in else f"What was revenue in month {turn}?")
    return log


def prompt_of(log: list[Event], compare: Compare = compare_nothing) -> str:
    messages = asyncio.run(FoldedContext(log, tokens_max=28_000, compare=compare).get_messages())
    return "\n".join(str(message.content) for message in messages)


def test_a_fact_said_in_passing_is_found_forty_turns_later_by_its_words() -> None:
    past = digest_past_turns([*long_session(40), Question(turn=41, text="Who owns the Lisbon budget?")])
    found = PastTurns(past).search("Lisbon budget owner")
    assert found[0].turn == 3


def test_a_turn_with_the_words_of_the_question_stands_in_the_prompt_however_old() -> None:
    log = long_session(150)
    assert "410,000" in prompt_of([*log, Question(turn=151, text="Who owns the Lisbon budget?")])
    assert "410,000" not in prompt_of([*log, Question(turn=151, text="Which customers left?")])


def test_a_plain_fact_comes_back_when_the_question_uses_other_words() -> None:
    log = [*long_session(150), Question(turn=151, text="Which woman is responsible for the money in Portugal?")]
    by_meaning = prompt_of(log, Similarity(lambda: choose_embedder("minilm")))
    assert "410,000" in by_meaning
    assert "410,000" not in prompt_of(log)
    assert estimate(by_meaning) < estimate(prompt_of(log)) + 600


def test_turns_with_the_same_words_and_turns_that_mean_the_same_are_both_given() -> None:
    past = digest_past_turns([*long_session(30), Question(turn=31, text="Anything?")])
    compare = Similarity(lambda: choose_embedder("minilm"))
    turns = [digest.turn for digest in PastTurns(past, compare=compare).search("Who pays in Portugal in month 12?")]
    assert {3, 12} <= set(turns)


def test_nothing_is_near_to_what_nobody_spoke_of() -> None:
    past = digest_past_turns([*long_session(5), Question(turn=6, text="Anything?")])
    assert PastTurns(past, compare=Similarity(lambda: choose_embedder("minilm"))).search("zebra stripes") == ()


def test_a_summary_stands_for_the_turns_it_covers_and_later_ones_keep_their_lines() -> None:
    log = [*long_session(30), HistorySummarised(turn=31, upto=10, text="Facts:\n- Petrov owns Lisbon (turn 3)")]
    log.append(Question(turn=31, text="Which customers left?"))
    tiers = fold_tiers(log)
    assert tiers.summary.startswith("Facts")
    assert [digest.turn for digest in tiers.older] == list(range(11, 19))
    text = prompt_of(log)
    assert "Petrov owns Lisbon" in text
    assert "What was revenue in month 12?" in text
    assert "What was revenue in month 4?" not in text


def test_a_summary_that_a_model_wrote_too_long_is_cut_to_the_share_of_the_history() -> None:
    base = [*long_session(30), Question(turn=31, text="Which customers left?")]
    with_summary = [*base[:-1], HistorySummarised(turn=31, upto=18, text="word " * 9_000), base[-1]]
    assert estimate(prompt_of(with_summary)) < estimate(prompt_of(base)) + SUMMARY_TOKENS


COSINES = {"a": 0.9, "b": 0.19, "c": 0.21, "d?": 0.8, "e.": 0.7}


def compare(texts: Sequence[str], queries: Sequence[str]) -> NDArray[np.float32]:
    """Cosines from a table: how near a sentence lies to any query."""
    return np.array([[COSINES.get(text, 0.0)] * len(queries) for text in texts], dtype=np.float32)


def test_statements_count_twice_and_what_is_hardly_near_is_not_found() -> None:
    past = [
        Digest(turn=1, question="a"),
        Digest(turn=2, question="b"),
        Digest(turn=3, question="Go on", asked_back=(("Which?", "c"),)),
        Digest(turn=4, question="d?"),
        Digest(turn=5, question="Zebra", answer="e. a"),
    ]
    turns = PastTurns(past, compare=compare)
    assert [digest.turn for digest in turns.search("nothing", k=9)] == [1, 3, 4, 5]
    assert [digest.turn for digest in turns.search("nothing", k=2)] == [1, 3]
    assert [digest.turn for digest in turns.search("zebra")] == [1, 5, 3]
    assert [digest.turn for digest in PastTurns(past).search("zebra")] == [5]
    assert PastTurns([], compare=compare).search("a") == ()


def test_at_most_ten_turns_are_near_in_meaning() -> None:
    past = [Digest(turn=turn, question="a") for turn in range(1, 15)]
    assert len(PastTurns(past, compare=compare).search("nothing", k=20)) == 10
