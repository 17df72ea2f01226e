"""Each choice of a chip type-checks, compiles and runs; other readings of the question come first."""

from __future__ import annotations

import pytest
from sample_analyst import meant, rows_of, sample_analyst

from assistant.analyst.checking import problems
from assistant.analyst.interpretation.chips import ChipKind
from assistant.analyst.interpretation.differences import difference, told_apart
from assistant.analyst.interpretation.interpretation import Interpretation, empty, interpret
from assistant.analyst.source import AnalystSource

QUESTIONS = ("net revenue by region", "how many orders per month in 2025", "list the customers in Oslo")
KINDS: tuple[ChipKind, ...] = ("Measure", "Group by", "Filter", "Period", "Sort", "Compare", "Top", "Chart")


def source() -> AnalystSource:
    return next(iter(sample_analyst().sources.values()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_every_choice_can_be_computed(question: str, kind: ChipKind) -> None:
    read = interpret(meant(question), source())
    offered = read.choices(kind)
    assert offered
    assert len({choice.text for choice in offered}) == len(offered)
    for number, choice in enumerate(offered):
        chosen = read.choose(kind, choice)
        assert chosen.query is not None
        assert not problems(chosen.query, source().schema), choice.text
        if number % 25 == 0:
            rows_of(chosen.sql)


@pytest.mark.parametrize("kind", ["Measure", "Group by"])
def test_choices_fill_what_is_empty(kind: ChipKind) -> None:
    nothing = empty(source())
    offered = nothing.choices(kind)
    assert len(offered) > 20
    for choice in offered[::15]:
        rows_of(nothing.choose(kind, choice).sql)


def test_a_choice_takes_the_place_of_its_chip() -> None:
    read = interpret(meant("net revenue by region in 2025"), source())
    chip = next(chip for chip in read.chips if chip.kind == "Group by")
    channel = next(choice for choice in read.choices(chip, search="channel") if "channel" in choice.text)
    replaced = read.choose(chip, channel)
    assert [c.text for c in replaced.chips if c.kind == "Group by"] == ["order channel"]
    added = read.choose("Group by", channel)
    assert [c.text for c in added.chips if c.kind == "Group by"] == ["region", "order channel"]


def test_search_finds_by_the_words_of_names() -> None:
    read = interpret(meant("net revenue by region"), source())
    assert [choice.text for choice in read.choices("Group by", search="customer seg")] == ["customer segment"]
    assert read.choices("Filter", search="online")[0].text in ("online order", "order channel is “online”")
    assert not read.choices("Measure", search="zebra")


def test_other_readings_of_the_question_come_first() -> None:
    read: Interpretation = interpret(
        meant("net revenue by region"), source(), alternatives=(meant("net revenue by customer city").query,)
    )
    offered = read.choices("Group by")
    assert (offered[0].text, offered[0].is_reading) == ("customer city", True)
    assert not any(choice.is_reading for choice in read.choices("Measure"))
    assert read.choose("Group by", offered[0]).query == meant("net revenue by customer city").query


def test_readings_differ_by_chips_and_not_by_sentences() -> None:
    one = interpret(meant("net revenue by region in 2025"), source())
    other = one.replace(group_by="customer city")
    assert difference(one, other) == ("Group by",)
    assert difference(one, one) == ()
    assert told_apart((one, other)) == ("Group by: region", "Group by: customer city")
    assert told_apart((one, one.replace(period=""))) == ("Period: order date in 2025", "Without: Period")
    orders = one.replace(measure="number of orders", group_by="")
    assert told_apart((one, orders)) == ("Measure: net revenue, Group by: region", "Measure: number of orders")
