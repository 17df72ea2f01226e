"""What-if questions: the assumptions that are read, the base case beside the scenario, and what is said of both."""

from __future__ import annotations

import pytest
from called_function import computed, described
from sample_analyst import AS_OF, meant, rows_of, sample_analyst

from assistant.agents.cell_review import review_cell
from assistant.analyst.interpretation.interpretation import Interpretation
from assistant.analyst.meaning import Meaning, from_json, to_json
from assistant.analyst.outcomes import Declined
from assistant.analyst.studies.cells import computation
from assistant.core.events import Variable
from assistant.errors import InterpretationError

TWO = "What if prices rise by 5 % and we lose 2 % of customers?"
EACH = {
    TWO: "scenario",
    "what if price +5 %": "scenario",
    "what if revenue grows by 3 % a month?": "scenario",
    "What if prices rise by 3 to 7 % in 2025?": "simulate",
    "how likely is it that we miss the target of 2.4 million?": "target_chance",
    "How sensitive is revenue to prices and customers?": "sensitivity",
    "what is the break-even with fixed costs of 500,000?": "break_even",
}


def changes(meaning: Meaning) -> list[str]:
    assert meaning.study is not None
    assert meaning.study.call is not None
    return [str(change) for change in meaning.study.call.changes]


def total(meaning: Meaning) -> dict[str, float]:
    return computed(meaning).iloc[0].to_dict()


@pytest.mark.parametrize(("question", "function"), EACH.items())
def test_a_scenario_is_computed_by_a_tested_function(question: str, function: str) -> None:
    meaning = meant(question)
    assert meaning.study is not None
    assert meaning.study.call is not None
    assert meaning.study.call.function == function
    code = computation(meaning, frame="rows_read", today=AS_OF)
    assert review_cell(code, (Variable(name="rows_read", type="DataFrame"),)) == ()
    assert "$" not in described(meaning)
    assert from_json(to_json(meaning)) == meaning


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (TWO, ["prices +5 %", "customers -2 %"]),
        ("what if price -3 %", ["prices -3 %"]),
        (
            "what would revenue be if we raise prices by 5 percent, but demand falls by 4 %",
            ["prices +5 %", "volume -4 %"],
        ),
        ("What if customers grow between 2 and 4 %", ["customers +2 % to +4 %"]),
        ("what if revenue grows by 3 % a month?", ["net revenue +3 % a month"]),
    ],
)
def test_assumptions_are_read_with_their_direction(question: str, read: list[str]) -> None:
    assert changes(meant(question)) == read


def test_the_base_case_is_the_last_twelve_whole_months_beside_the_scenario() -> None:
    meaning = meant(TWO)
    revenue = rows_of(sample_analyst().sql(meant("net revenue from 2025-11-01 to 2026-10-31")))[0][0]
    assert total(meaning)["base"] == pytest.approx(revenue)
    assert total(meaning)["scenario"] == pytest.approx(revenue * 1.05 * 0.98)  # type: ignore[operator]
    assert len(computed(meaning)) == 13


def test_what_is_assumed_is_said() -> None:
    said = " ".join(meant(TWO).assumptions)
    assert "no effect of prices on volume is assumed" in said
    assert "The base case is the last 12 whole months, 2025-11 to 2026-10." in said
    assert "No figure was named, so “net revenue” is used." in said
    assert "seed 1" in " ".join(meant("What if prices rise by 3 to 7 %?").assumptions)


def test_the_answer_before_is_the_base_case() -> None:
    meaning = meant("net revenue by region in 2025", "what if prices rise by 5 %?")
    revenue = dict(rows_of(sample_analyst().sql(meant("net revenue by region in 2025"))))
    table = computed(meaning).set_index("item")
    assert table["base"].drop("Total").to_dict() == pytest.approx(revenue)
    top = computed(meant("top 3 products by net revenue", "what if prices rise by 5 %?"))
    assert len(top) == 4


def test_a_chance_is_that_of_the_months_of_the_target() -> None:
    low, high = (total(meant(f"how likely is it that we miss the target of {n} million?")) for n in ("1", "9"))
    assert (low["miss_percent"], high["miss_percent"]) == (0, 100)
    table = computed(meant("how likely is it that we miss the target of 2.4 million this year?"))
    assert list(table["item"]) == ["Total", *(f"2026-{month:02}" for month in range(1, 13))]
    assert "number of orders" in described(meant("how likely is it that we reach 30000 orders in 2027"))


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("what would units sold be if prices rise by 5 %", "A change of prices does not change “units sold”"),
        ("what if the gross margin rate rises by 2 %", "is no sum"),
        ("what if the weather changes by 5 %", "“weather”"),
        ("what if revenue grows by 2 to 3 % a month", "cannot go together with a range"),
        ("what is the break-even?", "how high the fixed costs are"),
        ("how sensitive is revenue?", "which assumptions"),
    ],
)
def test_what_cannot_be_computed_is_said(question: str, reason: str) -> None:
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Declined)
    assert reason in outcome.reason


def test_a_condition_with_if_is_no_scenario() -> None:
    assert meant("orders where the discount is above 5 %").study is None


def interpreted() -> Interpretation:
    return sample_analyst().interpretation(meant(TWO))


def test_assumptions_are_chips_that_are_changed_and_computed_anew() -> None:
    other = interpreted().replace(assume=["prices +7 %", "customers -4 % to -1 %"])
    assert [str(chip) for chip in other.chips if chip.kind == "Assumption"] == [
        "Assumption: prices +7 %",
        "Assumption: customers -4 % to -1 %",
    ]
    meaning = other.meaning
    assert meaning is not None
    assert meaning.study is not None
    assert meaning.study.subject == "Net revenue if prices +7 % and customers -4 % to -1 %"
    row = total(meaning)
    assert row["low"] < row["scenario"] < row["high"]
    assert Interpretation.from_dict(other.to_dict(), other.data) == other


def test_a_chip_is_chosen_and_dropped() -> None:
    of = interpreted()
    chip = next(chip for chip in of.chips if chip.kind == "Assumption")
    choice = next(choice for choice in of.choices(chip) if choice.text == "prices +10 %")
    assert "Assumption: prices +10 %" in map(str, of.choose(chip, choice).chips)
    left = of.drop(chip)
    assert [chip.text for chip in left.chips if chip.kind == "Assumption"] == ["customers -2 %"]
    with pytest.raises(InterpretationError, match="needs an assumption"):
        left.drop(next(chip for chip in left.chips if chip.kind == "Assumption"))


@pytest.mark.parametrize("text", ["foo", "prices", "prices +5 % in the weather"])
def test_a_chip_that_is_no_assumption_is_refused(text: str) -> None:
    with pytest.raises(InterpretationError, match="is no assumption"):
        interpreted().replace(assume=text)
