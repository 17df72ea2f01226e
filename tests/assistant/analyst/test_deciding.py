"""The analyst answers, asks with options that differ, or declines."""

from __future__ import annotations

from assistant.analyst.algebra import Count, Grouped, Rows
from assistant.analyst.deciding import different, likely
from assistant.analyst.ranking import Weights
from assistant.analyst.reading import Reading

BY = Weights(rank={}, trust={}, answer=0.7, ask=0.3)


def reading(name: str, score: float = 1.0, confidence: float = 0.0) -> Reading:
    query = Grouped(Rows(name), (), (Count(),))
    return Reading(query=query, sql=name, features={}, score=score, confidence=confidence)


def names(readings: tuple[Reading, ...]) -> list[str]:
    return [found.sql for found in readings]


def test_a_sure_reading_stands_alone() -> None:
    assert names(likely([reading("a", confidence=0.8), reading("b")], BY)) == ["a"]


def test_near_readings_are_offered_where_the_first_is_not_sure() -> None:
    found = likely([reading("a", confidence=0.5), reading("b", 0.5), reading("far", -9.0)], BY)
    assert names(found) == ["a", "b"]


def test_an_unlikely_reading_is_neither_answered_nor_offered() -> None:
    assert likely([reading("a", confidence=0.1)], BY) == ()
    assert likely([], BY) == ()


def test_options_differ_in_their_result_and_are_at_most_four() -> None:
    results = [((1,),), ((1,),), None, ((2,), (3,)), ((3,), (2,)), ((4,),), ((5,),), ((6,),)]
    found = different([reading(f"r{i}") for i in range(8)], results)
    assert [kept.sql for kept, _ in found] == ["r0", "r3", "r5", "r6"]
