"""Chips are edited in the words of the data, and what cannot be computed says why."""

from __future__ import annotations

import pytest
from sample_analyst import meant, rows_of, sample_analyst

from assistant.analyst.interpretation.chips import ChipKind
from assistant.analyst.interpretation.interpretation import Interpretation, empty, interpret
from assistant.analyst.outcomes import Ambiguous
from assistant.analyst.source import AnalystSource
from assistant.errors import InterpretationError

RULE = "Filter: Cancelled orders never count"


def source() -> AnalystSource:
    return next(iter(sample_analyst().sources.values()))


@pytest.fixture
def top() -> Interpretation:
    return interpret(meant("Top 3 categories by net revenue in 2025"), source())


def chips(of: Interpretation) -> set[str]:
    return set(map(str, of.chips))


def first(of: Interpretation) -> tuple[object, ...]:
    return rows_of(of.sql)[0]


def test_the_parts_are_printed_in_plain_words_one_a_line(top: Interpretation) -> None:
    assert str(top).splitlines() == [
        "Measure: net revenue",
        "Group by: category",
        "Period: order date in 2025",
        RULE,
        "Sort: net revenue, highest first",
        "Top: first 3",
    ]


def test_another_group_keeps_all_else(top: Interpretation) -> None:
    region = top.replace(group_by="region")
    assert chips(region) == (chips(top) - {"Group by: category"}) | {"Group by: region"}
    assert first(region)[0] == "North"


def test_several_groups_and_none(top: Interpretation) -> None:
    assert {"Group by: region", "Group by: month of order date"} <= chips(top.replace(group_by=["region", "month"]))
    whole = top.replace(group_by="")
    assert len(rows_of(whole.sql)) == 1
    assert not {chip.kind for chip in whole.chips} & {"Group by", "Sort", "Top"}


def test_another_measure_goes_to_its_own_rows_and_the_order_follows_it(top: Interpretation) -> None:
    orders = top.replace(measure="number of orders")
    assert {"Measure: number of orders", "Sort: number of orders, highest first", "Group by: category"} <= chips(orders)
    spent = top.replace(measure="marketing spend", group_by="region")
    assert "Period: spend month in 2025" in chips(spent)
    assert first(spent)


def test_two_measures_stand_side_by_side(top: Interpretation) -> None:
    both = top.replace(measure=["net revenue", "number of orders"])
    assert {"Measure: net revenue", "Measure: number of orders"} <= chips(both)
    assert len(first(both)) == 3


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("2024", "order date in 2024"),
        ("last quarter", "order date in Q3 2026"),
        ("March 2025", "order date in March 2025"),
        ("since 2025", "order date on or after 2025-01-01"),
        ("2025-12-24", "order date on 2025-12-24"),
    ],
)
def test_a_period_is_said_as_in_a_question(top: Interpretation, said: str, shown: str) -> None:
    assert f"Period: {shown}" in chips(top.replace(period=said))


def test_an_empty_period_means_all_times(top: Interpretation) -> None:
    assert not any(chip.kind == "Period" for chip in top.replace(period="").chips)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("online", "order channel is “online”"),
        ("channel is online", "order channel is “online”"),
        ("quantity above 2", "quantity is above 2"),
        ("online order", "online order"),
        ("Nordic", ""),
    ],
)
def test_filters_are_values_terms_and_comparisons(top: Interpretation, said: str, shown: str) -> None:
    if not shown:
        with pytest.raises(InterpretationError, match="Filter: there is no"):
            top.replace(filters=said)
        return
    filtered = top.replace(filters=said)
    assert f"Filter: {shown}" in chips(filtered)
    assert {"Period: order date in 2025", RULE} <= chips(filtered)
    assert rows_of(filtered.sql) != rows_of(top.sql)


def test_a_filter_on_what_a_rule_is_about_takes_its_place(top: Interpretation) -> None:
    cancelled = top.replace(filters="order status is “cancelled”")
    assert RULE not in chips(cancelled)
    assert first(cancelled)[1]


def test_order_and_size(top: Interpretation) -> None:
    least = top.replace(sort="net revenue, lowest first", top=2)
    assert {"Sort: net revenue, lowest first", "Top: first 2"} <= chips(least)
    assert len(rows_of(least.sql)) == 2
    assert first(least) != first(top)
    assert len(rows_of(top.replace(top=0).sql)) > 3
    by_count = empty(source()).replace(measure="number of orders", group_by="channel", top=1)
    assert "Sort: number of orders, highest first" in chips(by_count)


def test_comparisons_among_the_groups_and_of_two_sides(top: Interpretation) -> None:
    share = top.replace(compare="share of the total")
    assert "Compare: share of the total" in chips(share)
    assert 0 < float(str(first(share)[1])) < 1
    years = top.replace(compare="2024 and 2025", top=0)
    assert "Compare: 2024 and 2025, growth" in chips(years)
    assert len(first(years)) == 4
    channels = top.replace(compare="online and phone, difference")
    assert "Compare: order channel is “online” and order channel is “phone”, difference" in chips(channels)
    assert top.replace(compare="share of the total").replace(compare="") == top


def test_a_comparison_along_a_time_follows_its_group(top: Interpretation) -> None:
    running = top.replace(group_by="month", top=0, sort="").replace(compare="running total by month of order date")
    assert len(rows_of(running.sql)) == 12
    with pytest.raises(InterpretationError, match="no group any more"):
        running.replace(group_by="region")


def test_a_chart_is_one_of_those_there_are(top: Interpretation) -> None:
    assert top.replace(chart="bar").chart == "bar"
    with pytest.raises(InterpretationError) as error:
        top.replace(chart="spiral")
    assert "pie" in error.value.choices


@pytest.mark.parametrize(
    ("edit", "nearest"),
    [
        ({"group_by": "galaxy"}, ""),
        ({"group_by": "city"}, "customer city"),
        ({"measure": "average age"}, "average order value"),
        ({"sort": "weather"}, "net revenue, highest first"),
    ],
)
def test_what_is_unknown_or_ambiguous_lists_the_nearest(
    top: Interpretation, edit: dict[str, str], nearest: str
) -> None:
    with pytest.raises(InterpretationError) as error:
        top.replace(**edit)  # type: ignore[arg-type]
    assert error.value.choices
    assert not nearest or nearest in error.value.choices
    assert all(choice in str(error.value) for choice in error.value.choices)


def test_what_does_not_go_together_says_why(top: Interpretation) -> None:
    with pytest.raises(InterpretationError, match="no single row of"):
        top.replace(measure="average satisfaction")


@pytest.mark.parametrize("kind", ["Measure", "Group by", "Filter", "Period", "Sort", "Top"])
def test_every_chip_can_be_dropped(top: Interpretation, kind: ChipKind) -> None:
    chip = next(chip for chip in top.chips if chip.kind == kind)
    left = top.drop(chip)
    assert str(chip) not in chips(left)
    assert rows_of(left.sql)
    with pytest.raises(InterpretationError, match="There is no"):
        left.drop(chip)


def test_a_dropped_rule_stays_away_from_other_measures_of_the_same_rows(top: Interpretation) -> None:
    rule = next(chip for chip in top.chips if str(chip) == RULE)
    assert RULE not in chips(top.drop(rule).replace(measure="gross revenue"))


def test_a_filter_of_groups_goes_on_when_its_measure_is_replaced() -> None:
    outcome = sample_analyst().read("regions with more than 4000 orders")
    assert isinstance(outcome, Ambiguous)
    many = interpret(outcome.options[1][1], source())
    kept = [chip for chip in many.chips if chip.kind == "Filter" and "4000" in chip.text]
    assert kept
    changed = many.replace(measure="net revenue")
    assert kept[0].text in {chip.text for chip in changed.chips}
    assert len(rows_of(changed.sql)) == len(rows_of(many.sql))


def test_an_unread_word_is_placed_or_dropped(top: Interpretation) -> None:
    odd = interpret(meant("Top 3 categories by net revenue in 2025"), source(), unread=("online", "lately", "region"))
    placed = odd.place("online", "Filter")
    assert "Filter: order channel is “online”" in chips(placed)
    assert placed.unread == ("lately", "region")
    assert "Group by: region" in chips(placed.place("region", "Group by"))
    lately = next(chip for chip in placed.chips if chip.text == "lately")
    assert placed.drop(lately).unread == ("region",)
    with pytest.raises(InterpretationError, match="not among the unread words"):
        top.place("online", "Filter")


def test_a_query_is_built_from_nothing_by_edits_alone() -> None:
    built = empty(source()).replace(measure="net revenue", group_by="region", period="2025", top=2)
    asked = interpret(meant("top 2 regions by net revenue in 2025"), source())
    assert rows_of(built.sql) == rows_of(asked.sql)
    regions = empty(source()).replace(group_by="region")
    assert len(rows_of(regions.sql)) == 5
    assert len(rows_of(regions.replace(measure="number of orders").sql)) == 5


def test_what_is_computed_as_a_whole_is_not_changed_in_parts() -> None:
    from dataclasses import replace

    from assistant.analyst.meaning import Verbatim

    meaning = replace(meant("net revenue by region"), verbatim=Verbatim(question="net?", sql="SELECT 1", document="d"))
    whole = interpret(meaning, source())
    assert (str(whole), whole.sql) == ("Computed as: the verified query “net?”", "SELECT 1")
    with pytest.raises(InterpretationError, match="cannot be changed in parts"):
        whole.replace(group_by="region")
    assert whole.replace(chart="bar").chart == "bar"


def test_a_study_is_told_and_does_not_follow_another_query() -> None:
    study = interpret(meant("forecast net revenue for the next 3 months"), source())
    assert study.study is not None
    assert f"Computed as: {study.study.subject}" in chips(study)
    assert study.replace(measure="number of orders").study is None


def test_a_list_of_rows_is_built_by_the_columns_that_it_shows() -> None:
    built = empty(source()).replace(show=["list price", "category"]).replace(sort="list price, highest first", top=2)
    assert chips(built) == {
        "Show: product, list price and category of products",
        "Sort: list price, highest first",
        "Top: first 2",
    }
    sql = (
        "SELECT p.name, list_price, c.name FROM products p JOIN categories c USING (category_id)"
        " ORDER BY list_price DESC LIMIT 2"
    )
    assert rows_of(built.sql) == rows_of(sql)
    listed = next(chip for chip in built.chips if chip.kind == "Show")
    assert built.drop(listed).query is None
    totals = built.replace(measure="number of products")
    assert "Show" not in {chip.kind for chip in totals.chips}
    with pytest.raises(InterpretationError, match=r"there is no 'ordr date' that fits here. Did you mean"):
        built.replace(show="ordr date")


def test_a_name_that_is_not_there_is_answered_with_what_it_may_mean(top: Interpretation) -> None:
    with pytest.raises(
        InterpretationError, match=r"Group by: there is no 'reggun' .* Did you mean 'return'\? There are also 'region'"
    ):
        top.replace(group_by="reggun")
