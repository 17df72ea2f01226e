"""The analyst answers, asks with options that differ, or declines."""

from __future__ import annotations

from assistant.analyst.algebra import Count, Grouped, Rows
from assistant.analyst.deciding import decide, different, likely
from assistant.analyst.ranking import RUN_MAX, Weights
from assistant.analyst.reading import Reading

BY = Weights(rank={}, trust={"pooled": 4.0, "bias": -2.5}, answer=0.7, ask=0.3)
ONE, TWO = ((1,),), ((2,),)


def reading(name: str, score: float = 1.0) -> Reading:
    query = Grouped(Rows(name), (), (Count(),))
    return Reading(query=query, sql=name, features={}, score=score)


def test_so_many_readings_are_run() -> None:
    assert likely([]) == ()
    assert [r.sql for r in likely([reading(f"r{i}") for i in range(9)])] == [f"r{i}" for i in range(RUN_MAX)]


def test_readings_that_agree_are_answered() -> None:
    decision = decide([reading("a"), reading("b"), reading("c")], [ONE, ONE, ONE], BY)
    assert decision.kind == "answer"
    assert [found.sql for found, _ in decision.options] == ["a"]


def test_readings_that_differ_are_offered_unless_they_are_far() -> None:
    decision = decide([reading("a"), reading("b", 0.9), reading("far", -9.0)], [ONE, TWO, ((3,),)], BY)
    assert decision.kind == "ask"
    assert [found.sql for found, _ in decision.options] == ["a", "b"]


def test_what_is_unlikely_or_does_not_run_is_neither_answered_nor_offered() -> None:
    unsure = Weights(rank={}, trust={"bias": -3.0}, answer=0.7, ask=0.3)
    assert decide([reading("a"), reading("b")], [ONE, TWO], unsure).kind == "decline"
    assert decide([reading("a")], [None], BY).kind == "decline"
    assert decide([], [], BY).kind == "decline"


def test_one_option_alone_is_no_question() -> None:
    unsure = Weights(rank={}, trust={"bias": 0.0}, answer=0.7, ask=0.3)
    assert decide([reading("a"), reading("b")], [ONE, ONE], unsure).kind == "decline"


def test_options_differ_in_their_result_and_are_at_most_four() -> None:
    results = [((1,),), ((1,),), None, ((2,), (3,)), ((3,), (2,)), ((4,),), ((5,),), ((6,),)]
    found = different([reading(f"r{i}") for i in range(8)], results)
    assert [kept.sql for kept, _ in found] == ["r0", "r3", "r5", "r6"]
