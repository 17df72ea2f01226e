"""Follow-ups edit the last meaning: each against what the same question in full, or SQL, gives."""

from __future__ import annotations

import pytest
from sample_analyst import answered, columns, meant, restated, rows_of, sample_analyst

from assistant.analyst.outcomes import Declined, Understood

SAME = [
    (("net revenue by region", "only 2024"), "net revenue by region in 2024"),
    (("net revenue by region in 2023", "what about 2024"), "net revenue by region in 2024"),
    (("net revenue by region", "by category instead"), "net revenue by category"),
    (("net revenue by region", "and by channel"), "net revenue by region and order channel"),
    (("net revenue in 2025", "what about gross margin?"), "gross margin in 2025"),
    (("net revenue in 2025", "by month"), "net revenue by month in 2025"),
    (("top 5 products by units sold", "top 3"), "top 3 products by units sold"),
    (("how many customers are there", "by region"), "how many customers are there by region"),
    (("how many customers are there by region", "altogether"), "how many customers are there"),
    (("how many customers are there", "what about churned customers"), "how many churned customers are there"),
    (("average satisfaction by topic", "median instead"), "median satisfaction by topic"),
]


@pytest.mark.parametrize(("dialogue", "alone"), SAME)
def test_a_follow_up_means_what_the_full_question_means(dialogue: tuple[str, ...], alone: str) -> None:
    assert sorted(map(repr, answered(*dialogue))) == sorted(map(repr, answered(alone)))


def test_without_a_value_leaves_it_out_and_keeps_all_else() -> None:
    before = answered("net revenue by category in 2025")
    after = answered("net revenue by category in 2025", "without Furniture")
    assert after == [row for row in before if row[0] != "Furniture"]
    assert len(after) == len(before) - 1


def test_shares_add_up_to_one() -> None:
    assert sum(columns(answered("net revenue by region", "as percentages"), 1)) == pytest.approx(1)  # type: ignore


def test_a_ranking_sorted_by_name_holds_the_same_rows() -> None:
    before = answered("top 5 products by units sold")
    after = answered("top 5 products by units sold", "sort by name")
    assert sorted(after) == sorted(before)
    assert columns(after, 0) == sorted(columns(after, 0))  # type: ignore
    assert len(answered("top 5 products by units sold", "sort by name", "top 3")) == 3


def test_a_period_is_compared_with_another_one() -> None:
    ((before, now, growth),) = answered("net revenue in 2025", "compare it with 2024")
    assert [(now,)] == answered("net revenue in 2025")
    assert [(before,)] == answered("net revenue in 2024")
    assert growth == pytest.approx(now / before - 1)  # type: ignore


def test_conditions_pile_up_over_several_turns() -> None:
    said = restated("how many orders are there", "only 2025", "only online orders", "by month")
    assert said == "Number of orders by month, where order date is in 2025 and they count as “online order”"


def test_show_all_gives_every_row_again() -> None:
    count = rows_of("SELECT COUNT(DISTINCT product_id) FROM order_lines")[0][0]
    assert len(answered("top 5 products by units sold", "show all")) == count


def test_a_chart_is_asked_for_and_the_query_stays() -> None:
    first, second = meant("net revenue by region"), meant("net revenue by region", "as a pie chart")
    assert (second.chart, second.query) == ("pie", first.query)


@pytest.mark.parametrize("question", ["how many orders were cancelled?", "top 5 products by units sold"])
def test_a_question_of_its_own_is_no_follow_up(question: str) -> None:
    assert meant("net revenue by region", question).query == meant(question).query


def test_the_first_of_named_things_are_no_edit_of_the_answer_before() -> None:
    question = "show me the 3 largest orders"
    assert sample_analyst().read(question, meant("net revenue by region")) == sample_analyst().read(question)


def test_what_cannot_be_told_is_declined_with_what_to_do() -> None:
    outcome = sample_analyst().read("and by blorbness", meant("net revenue by region"))
    assert isinstance(outcome, Declined)
    assert outcome.hint


@pytest.mark.parametrize(
    "question",
    [
        "how many were ordered online in March",
        "what did North order in 2025",
        "which orders were online",
        "did North order in 2025",
        "in which month did North order",
        "North ordered in 2025",
        "show online orders in March",
    ],
)
def test_a_question_with_its_own_verb_or_question_word_inherits_no_filter(question: str) -> None:
    before = meant("net revenue in 2024")
    assert sample_analyst().read(question, before) == sample_analyst().read(question)


@pytest.mark.parametrize(
    "question", ["in 2025?", "and in 2025?", "what about 2025", "what was it in 2025", "the same in 2025"]
)
def test_words_without_a_verb_and_words_that_point_back_go_on(question: str) -> None:
    assert sorted(answered("net revenue by region in 2024", question)) == sorted(
        answered("net revenue by region in 2025")
    )  # type: ignore


def test_what_is_asked_of_these_is_asked_of_the_rows_before() -> None:
    whole = meant("how many orders were there in 2025 by region")
    online = meant("how many online orders were there in 2025")
    outcome = sample_analyst().read("how many of these were online orders", whole)
    assert isinstance(outcome, Understood)
    assert rows_of(sample_analyst().sql(outcome.meaning)) == rows_of(sample_analyst().sql(online))


def test_what_cannot_be_asked_of_these_is_not_asked_of_all() -> None:
    assert isinstance(sample_analyst().read("how many of these were blorped", meant("net revenue in 2024")), Declined)


NEW = [
    "why did net revenue drop last month",
    "how many customers are there",
    "what is the average order value by category",
    "Who are our best customers?",
]
CHANGES = [
    "leave out returned orders",
    "only the North",
    "use gross margin instead",
    "by month",
    "what about 2024?",
    "which regions are these?",
    "don't count cancelled orders",
    "do not include returns",
    "is this net of refunds?",
    "group by customer instead of region",
    "no, I meant net revenue by category",
    "can you add the share?",
]


@pytest.mark.parametrize(("text", "is_new"), [(t, True) for t in NEW] + [(t, False) for t in CHANGES])
def test_a_whole_question_is_told_from_a_change_of_what_waits(text: str, is_new: bool) -> None:
    assert sample_analyst().is_new_question(text) == is_new
