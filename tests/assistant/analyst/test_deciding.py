"""The analyst answers, asks with options that differ, or declines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from assistant.analyst.algebra import Column, Compare, Constant, Count, Grouped, Listing, Query, Rows
from assistant.analyst.confidence import RUN_MAX, ResultSummary
from assistant.analyst.deciding import QueryRuns, decide
from assistant.analyst.ranking import Features, Trust, Weights

POOLED = Trust(weights={"pooled": 4.0, "bias": -2.5}, answer=0.7, ask=0.3)
ALONE = Trust(weights={"margin": 1.0, "bias": -2.0}, answer=0.7, ask=0.3)
BY = Weights(rank={}, ran=POOLED, unrun=ALONE)
ORDERS = Listing(Rows("orders"), (Column("orders", "channel"),))
ONE, TWO, THREE = (ResultSummary.of(((n,),)) for n in (1, 2, 3))


@dataclass
class Reading:
    score: float = 1.0
    features: Features = field(default_factory=lambda: {"unread": 1.0, "left out": 1.0})
    query: Query = ORDERS


def _always(bias: float) -> Weights:
    return Weights(rank={}, ran=Trust(weights={"bias": bias}, answer=0.7, ask=0.3), unrun=ALONE)


def test_readings_that_agree_are_answered() -> None:
    decision = decide([Reading(), Reading(), Reading()], [ONE, ONE, ONE], BY)
    assert (decision.kind, decision.options) == ("answer", (0,))


def test_readings_that_differ_are_offered_unless_they_are_far() -> None:
    decision = decide([Reading(), Reading(0.9), Reading(-9.0)], [ONE, TWO, THREE], BY)
    assert (decision.kind, decision.options) == ("ask", (0, 1))


def test_the_first_reading_that_runs_is_answered() -> None:
    assert decide([Reading(), Reading(), Reading()], [None, ONE, ONE], BY).options == (1,)


def test_what_is_unlikely_or_does_not_run_is_neither_answered_nor_offered() -> None:
    unread = Reading(features={"untold": 1.0})
    assert decide([unread, unread], [ONE, TWO], _always(-3.0)).kind == "decline"
    assert decide([Reading()], [None], BY).kind == "decline"
    assert decide([], [], BY).kind == "decline"


def test_what_leaves_only_light_words_unread_is_offered_however_unlikely() -> None:
    whole = Reading(features={"unread": 0.1})
    assert decide([whole, Reading()], [ONE, TWO], _always(-3.0)).kind == "ask"


def test_a_value_of_two_columns_is_asked_about_however_far_the_other_is() -> None:
    ada = [Compare(Column(table, "name"), "=", Constant("Ada")) for table in ("tracks", "artists")]
    near, far = (Reading(features={}, query=Grouped(Rows("tracks", where), (), (Count(),))) for where in ada)
    other = replace(far, query=Grouped(Rows("tracks", Compare(ada[1].left, "=", Constant("Bo"))), (), (Count(),)))
    sure = Weights(rank={}, ran=Trust(weights={"bias": 0.5}, answer=0.7, ask=0.3), unrun=ALONE)
    assert decide([near, far], [ONE, TWO], sure).kind == "ask"
    assert decide([near, other], [ONE, TWO], sure).kind == "answer"


def test_one_option_alone_is_no_question() -> None:
    assert decide([Reading(), Reading()], [ONE, ONE], _always(0.0)).kind == "answer"
    assert decide([Reading(), Reading()], [ONE, ONE], _always(-1.0)).kind == "decline"


def test_options_differ_in_their_result_and_are_at_most_four() -> None:
    told = [((1,),), ((1,),), None, ((2, "a"), (3, "b")), (("b", 3), ("a", 2)), ((4,),)]
    results = [ResultSummary.of(rows) if rows is not None else None for rows in told]
    decision = decide([Reading() for _ in results], results, _always(0.0))
    assert (decision.kind, decision.options) == ("ask", (0, 3, 5))


def test_readings_that_are_not_run_are_decided_by_what_was_learned_of_such() -> None:
    assert decide([Reading(4.0), Reading(0.0)], None, BY).kind == "answer"
    assert decide([Reading(4.0), Reading(3.5)], None, BY).kind == "ask"
    unread = Reading(4.0, features={"untold": 1.0})
    assert decide([unread, Reading(3.5)], None, BY).kind == "decline"


def test_results_that_are_not_there_are_wanted_once_and_of_so_many_readings_alone() -> None:
    runs, queries = QueryRuns(), [f"q{n}" for n in range(9)]
    assert runs.results("shop", queries) is None
    assert runs.results("shop", queries) is None
    assert runs.wanted == [("shop", f"q{n}") for n in range(RUN_MAX)]
    runs.add({("shop", f"q{n}"): ONE if n else None for n in range(RUN_MAX)})
    assert runs.wanted == []
    assert runs.results("shop", queries) == [None, *[ONE] * (RUN_MAX - 1)]


def test_a_source_that_is_too_slow_to_try_readings_is_decided_without() -> None:
    runs = QueryRuns()
    assert runs.results("slow", ["SELECT 1"]) is None
    runs.add({("slow", "SELECT 1"): None})
    assert runs.results("slow", ["SELECT 1"]) == [None]  # it failed: that reading is no good
    runs.is_out_of_time = True
    assert runs.results("slow", ["SELECT 1", "SELECT 2"]) is None
    assert runs.wanted == []


WHOLE: Features = {"unread": 0.1}
BY_CHANNEL = Grouped(Rows("orders"), (Column("orders", "channel"),), (Count(),))


@pytest.mark.parametrize(
    "other",
    [
        Reading(features=WHOLE, query=Listing(Rows("orders"), (Column("returns", "reason"),))),
        Reading(features=WHOLE | {"dropped things": 1.0}, query=BY_CHANNEL),
        Reading(features=WHOLE, query=ORDERS),
        Reading(features=WHOLE | {"left out": 1.0}, query=replace(BY_CHANNEL, figures=(Count(), Count()))),
    ],
    ids=["goes farther", "drops a thing", "says less", "leaves a word unread"],
)
def test_a_likely_reading_that_is_read_whole_is_answered_where_no_other_is_as_near(other: Reading) -> None:
    first = Reading(features=WHOLE, query=BY_CHANNEL)
    decision = decide([first, other], [ONE, TWO], _always(0.5))
    assert (decision.kind, decision.options) == ("answer", (0,))


def test_a_likely_reading_is_asked_about_where_another_is_as_near_or_a_word_is_unread() -> None:
    near = replace(BY_CHANNEL, figures=(Count(), Count()))
    first, other = Reading(features=WHOLE, query=BY_CHANNEL), Reading(features=WHOLE, query=near)
    assert decide([first, other], [ONE, TWO], _always(0.5)).kind == "ask"
    unread = replace(first, features={"unread": 1.0, "untold": 1.0})
    assert decide([unread, Reading(features=WHOLE, query=ORDERS)], [ONE, TWO], _always(0.5)).kind == "ask"
    assert decide([first, replace(other, query=ORDERS)], [ONE, TWO], _always(-0.5)).kind == "ask"


def test_what_no_result_can_change_is_made_once_for_a_question() -> None:
    runs, made = QueryRuns(), list[str]()

    def make() -> None:
        made.append("made")

    for key in ("a study", "a study", "another"):
        assert runs.once(key, make) is None
    assert made == ["made", "made"]


def test_all_values_together_or_each_of_them_is_asked_about_however_sure() -> None:
    sex = Column("birds", "sex")
    together = Reading(features={}, query=Grouped(Rows("birds"), (), (Count(),)))
    each = Reading(features={"shape by values": 1.0}, query=Grouped(Rows("birds"), (sex,), (Count(),)))
    others = Reading(features={"shape by values": 1.0}, query=Grouped(Rows("nests"), (sex,), (Count(),)))
    assert decide([together, each], [ONE, TWO], _always(3.0)).kind == "ask"
    assert decide([together, others], [ONE, TWO], _always(3.0)).kind == "answer"
