"""It asks where readings of the same words are as near to the rows, and not where the others only go farther."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sample_analyst import AS_OF, asked, sample_analyst

from assistant.analyst.outcomes import Ambiguous, Declined, Understood
from assistant.analyst.presenting.answers import AnswerRows, word_answer
from assistant.analyst.presenting.headings import column_names
from knowledge.documents import Term, VerifiedQuery


@pytest.mark.parametrize("question", ["orders by channel", "orders by status", "how many orders were there in 2025"])
def test_a_reading_of_the_named_table_is_not_doubted_for_readings_that_go_farther(question: str) -> None:
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood)
    assert outcome.meaning.tables == ("orders",)


def test_two_readings_that_are_as_near_are_offered() -> None:
    outcome = sample_analyst().read("How many products cost more than 100?")
    assert isinstance(outcome, Ambiguous)
    assert {label for label, _ in outcome.options} >= {
        "Number of products, where list price is above 100",
        "Number of products, where unit cost is above 100",
    }


def test_a_kind_of_chart_in_a_question_is_how_its_answer_is_shown_and_no_unread_word() -> None:
    plain = sample_analyst().read("net revenue by region")
    shown = sample_analyst().read("pie chart of net revenue by region")
    assert isinstance(plain, Understood)
    assert isinstance(shown, Understood)
    assert shown.meaning.chart == "pie"
    assert (shown.meaning.query, shown.meaning.assumptions) == (plain.meaning.query, plain.meaning.assumptions)


def test_a_box_plot_is_of_the_single_values() -> None:
    for question in ("box plot of refund amount by reason", "refund amount by reason as a boxplot"):
        outcome = sample_analyst().read(question)
        assert isinstance(outcome, Understood)
        assert (outcome.meaning.chart, outcome.restated) == ("box", "Reason and refund amount of returns")
        rows = [("damaged", float(n)) for n in range(20)]
        schema = sample_analyst().schema_of(outcome.meaning)
        said = word_answer(
            outcome.meaning, AnswerRows(columns=("reason", "refund_amount"), rows=rows, total=20), schema
        )
        assert said == "Reason and refund amount of returns: **20** rows."


@pytest.mark.parametrize(
    "question", ["how many whale orders are there", "whale orders by region", "number of leviathans in 2025"]
)
def test_a_word_whose_definition_was_not_understood_is_known_and_said(question: str) -> None:
    whale = Term(name="whale order", synonyms=("leviathan",), definition="an order with a magic score above 10")
    outcome = sample_analyst(whale).read(question)
    assert isinstance(outcome, Declined)
    assert "is defined in your knowledge, but I did not understand" in outcome.reason
    assert "page Knowledge" in outcome.hint
    assert isinstance(sample_analyst(whale).read("how many orders are there"), Understood)


def test_a_word_whose_definition_is_understood_is_computed_with() -> None:
    large = Term(name="whale order", definition="an order with more than 3 order lines")
    outcome = sample_analyst(large).read("how many whale orders are there")
    assert isinstance(outcome, Understood)


def test_a_verified_answer_has_the_currency_of_its_metric() -> None:
    question, rows = "net revenue by region", [("North", 30_000.0), ("South", 20_000.0)]
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood)
    verified = VerifiedQuery(
        question=question,
        sql=sample_analyst().sql(outcome.meaning),
        source="company",
        tables=("order_lines",),
        verifier="Ada",
        verified_on=AS_OF,
    )
    again = sample_analyst(verified).read(question)
    assert isinstance(again, Understood)
    assert again.trust == "verified"
    schema = sample_analyst().schema_of(again.meaning)
    names = column_names(outcome.meaning.query)
    assert len(names) == 2
    said = word_answer(again.meaning, AnswerRows(columns=names, rows=rows, total=2), schema)
    assert "**North** (30,000 EUR)" in said
    assert said.endswith("In total 50,000 EUR.")
    other = word_answer(again.meaning, AnswerRows(columns=("place", "units"), rows=rows, total=2), schema)
    assert "EUR" not in other, "what a person computed under other names need not be money"


def test_another_value_in_a_verified_question_is_found_without_listing_all_values_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which took seconds on data that list thousands of values."""
    question = "how many customers are in the North region"
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood)
    sql = sample_analyst().sql(outcome.meaning)
    analyst = sample_analyst(
        VerifiedQuery(question=question, sql=sql, source="company", tables=(), verifier="Ada", verified_on=AS_OF)
    )
    monkeypatch.delattr("assistant.analyst.linking.linker.values_held")
    again = analyst.read("how many customers are in the South region")
    assert isinstance(again, Understood)
    assert again.meaning.verbatim is not None
    assert again.meaning.verbatim.is_adapted
    assert again.meaning.verbatim.sql == sql.replace("North", "South")


def test_an_answer_over_a_part_of_the_rows_says_so() -> None:
    read = sample_analyst().read("net revenue by customer")
    assert isinstance(read, Understood)
    rows = [("Ada", 30.0), ("Bo", 20.0), ("Cy", 10.0)]
    schema = sample_analyst().schema_of(read.meaning)
    said = word_answer(read.meaning, AnswerRows(columns=("name", "net_revenue"), rows=rows, total=5_009), schema)
    assert "(the first 3 of 5,009 rows): highest for **Ada**" in said
    whole = word_answer(read.meaning, AnswerRows(columns=("name", "net_revenue"), rows=rows, total=3), schema)
    assert "the first" not in whole


def test_the_words_that_mean_nothing_are_named_once_and_the_first_of_many() -> None:
    once = sample_analyst().read(f"net revenue by region {'blorp ' * 40}")
    said = once.text if isinstance(once, Ambiguous) else getattr(once, "reason", "")
    assert said.count("“blorp”") <= 1
    many = sample_analyst().read(" ".join(f"blorp{letter}" for letter in "abcdefghijklmnopqrst"))
    assert isinstance(many, Declined)
    assert "“blorpf” and 14 more words" in many.reason


@pytest.mark.parametrize(
    "question", ["Revenue and marketing spend by month", "marketing spend and gross margin in 2025"]
)
def test_a_metric_that_is_named_is_never_left_out_of_an_answer(question: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Ambiguous | Declined)
    said = outcome.text if isinstance(outcome, Ambiguous) else outcome.reason
    assert "cannot answer it together with the rest" in said


def test_a_name_inside_another_one_that_is_read_is_not_left_out() -> None:
    assert isinstance(asked("net revenue by region"), Understood)


def test_exact_decimals_are_worded_as_the_numbers_that_they_are() -> None:
    read = sample_analyst().read("net revenue by region")
    assert isinstance(read, Understood)
    schema, columns = sample_analyst().schema_of(read.meaning), ("name", "net_revenue")
    exact = [("North", Decimal("30.50")), ("South", Decimal("20.00")), ("East", None)]
    plain = [("North", 30.5), ("South", 20), ("East", None)]
    said, wanted = (word_answer(read.meaning, AnswerRows.of(columns, rows, 3), schema) for rows in (exact, plain))
    assert said == wanted
    assert "highest for **North** (30.50" in said
