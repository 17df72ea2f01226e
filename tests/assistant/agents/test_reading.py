"""What a turn meant is read back from the log, also from one that another version of Tandem wrote."""

from __future__ import annotations

import json

import pytest
from sample_analyst import sample_analyst

from assistant.agents.analyst.reading import find_meaning, read_turn
from assistant.analyst.algebra import Count, Grouped, Rows
from assistant.analyst.dialogue.replies import chosen, nearest
from assistant.analyst.meaning import Meaning, to_json
from assistant.analyst.outcomes import Ambiguous, Understood
from assistant.core.events import Clarification, ClarificationAnswered, Plan, Question, Step
from assistant.core.turns import Turn, current_turn

MEANING = Meaning(source="shop", query=Grouped(Rows("orders"), (), (Count(),)))


def _planned(meaning: str) -> Turn:
    steps = (Step(title="Count", language="sql"),)
    plan = Plan(turn=1, id="1.plan.1", restated="Orders", steps=steps, meaning=meaning)
    return current_turn((Question(turn=1, text="How many orders?"), plan))


def test_a_meaning_is_read_back_as_it_was_written_down() -> None:
    assert find_meaning(_planned(to_json(MEANING))) == MEANING


def test_a_meaning_of_another_version_is_none_and_no_fault() -> None:
    other = {**json.loads(to_json(MEANING)), "of_another_version": True}
    assert find_meaning(_planned(json.dumps(other))) is None


def _after(asked: str, reply: str) -> Turn:
    back = Clarification(turn=1, id="1.clarification.1", text="Which?")
    replied = ClarificationAnswered(turn=1, clarification=back.id, text=reply)
    return current_turn((Question(turn=1, text=asked), back, replied))


def test_a_whole_question_in_place_of_a_choice_is_read_alone() -> None:
    asked, reply = "revenue by", "how many orders by channel"
    analyst = sample_analyst()
    alone = analyst.read(reply)
    assert isinstance(alone, Understood)
    found = read_turn(_after(asked, reply), (), analyst)
    assert isinstance(found, Understood)
    assert found.meaning == alone.meaning


@pytest.mark.parametrize(
    "reply",
    [
        "distribution of unit price",
        "How many orders were there in 2025?",
        "how many orders were there in 2025",
        "list products with a list price over 500",
        "gross margin by region",
        "average satisfaction by topic",
    ],
)
def test_another_question_in_place_of_a_choice_is_no_part_of_the_one_before(reply: str) -> None:
    analyst = sample_analyst()
    alone = analyst.read(reply)
    assert isinstance(alone, Understood | Ambiguous)
    assert read_turn(_after("net revenue blorp", reply), (), analyst) == alone


@pytest.mark.parametrize("reply", ["what did Ada blorp in March", "who blorped in 2025", "profit of zorbs by region"])
def test_a_question_that_cannot_be_read_is_not_completed_by_the_one_before(reply: str) -> None:
    analyst = sample_analyst()
    assert read_turn(_after("net revenue blorp", reply), (), analyst) == analyst.read(reply)


def test_a_reply_that_shares_a_word_with_an_option_does_not_choose_it() -> None:
    options = ["Total sales by sub-category", "Number of orders by region"]
    assert chosen("profit margin by region", options) is None
    assert nearest("profit margin by region", options) is None
    assert nearest("by sub-category", options) == 0
    assert nearest("orders", options) == 1
    assert (chosen("the second", options), chosen("2", options), chosen(options[0].lower(), options)) == (1, 1, 0)


def test_a_part_of_a_question_completes_the_one_before() -> None:
    analyst = sample_analyst()
    found, whole = read_turn(_after("net revenue", "by region"), (), analyst), analyst.read("net revenue by region")
    assert isinstance(found, Understood)
    assert isinstance(whole, Understood)
    assert found.meaning == whole.meaning


def test_a_change_in_place_of_a_choice_changes_what_is_offered() -> None:
    analyst = sample_analyst()
    metric, count = (analyst.read(text) for text in ("net revenue by month", "number of orders by month"))
    assert isinstance(metric, Understood)
    assert isinstance(count, Understood)

    class Asks:
        """The analyst, but that it asks back for one question."""

        def __getattr__(self, name: str) -> object:
            return getattr(analyst, name)

        def read(self, question: str, previous: Meaning | None = None, runs: object = None) -> object:
            if question == "things by month":
                options = tuple((one.restated, one.meaning) for one in (metric, count))
                return Ambiguous(text="Which of these do you mean?", options=options)
            return analyst.read(question, previous)

    found = read_turn(_after("things by month", "leave out 2024"), (metric.meaning,), Asks())
    assert isinstance(found, Ambiguous)
    expected = [analyst.read("leave out 2024", one.meaning) for one in (metric, count)]
    assert [meaning for _, meaning in found.options] == [one.meaning for one in expected if isinstance(one, Understood)]
    assert all("2024" in label for label, _ in found.options)
