"""What the analyst does not know it says: words, languages, kinds of questions, figures that would count twice."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many unicorns are there?", "unicorns"),
        ("weather in Berlin", "weather"),
        ("average happiness by region", "happiness"),
        ("share of orders by happiness", "happiness"),
    ],
)
def test_words_without_meaning_are_named(question, word, plain):
    outcome = plain.read(question)
    assert isinstance(outcome, NotUnderstood)
    assert any(word in w for w in outcome.words)
    assert word in outcome.reason


def test_a_why_at_the_end_is_said_to_be_left_open(plain):
    outcome = plain.read("Which region has the most customers, and why?")
    assert isinstance(outcome, Understood)
    assert any("why" in assumption for assumption in outcome.assumptions)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did freight fall in March?", "why"),
        ("Forecast the freight of next month", "forecast"),
        ("Is there a correlation between age and freight?", "statistics"),
        ("Which region grew the most?", "over time"),
        ("median price", "statistics"),
    ],
)
def test_kinds_of_questions_beyond_it_are_declined_with_the_reason(question, said, plain):
    outcome = plain.read(question)
    assert isinstance(outcome, NotUnderstood)
    assert said in outcome.reason


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie viele Kunden gibt es in Deutschland?", "German"),
        ("Combien de clients avons-nous dans le nord ?", "French"),
        ("¿Cuántos clientes hay en el norte?", "Spanish"),
        ("Сколько клиентов в Германии?", "Cyrillic"),
        ("有多少客户?", "Chinese"),
    ],
)
def test_other_languages_are_recognised(question, language, plain):
    outcome = plain.read(question)
    assert isinstance(outcome, NotUnderstood)
    assert language in outcome.reason


@pytest.mark.parametrize(
    "question", ["stores as big as a store", "stores as big as the store “la”", "a store, or a region"]
)
def test_small_words_that_other_languages_have_too_do_not_make_it_foreign(question, plain):
    outcome = plain.read(question)
    assert "only read English" not in getattr(outcome, "reason", "")


@pytest.mark.parametrize("question", ["", "   ", "\n", "???"])
def test_empty_question_is_called_empty(question, plain):
    outcome = plain.read(question)
    assert isinstance(outcome, NotUnderstood)
    assert "empty" in outcome.reason


def test_hint_holds_questions_on_this_very_schema(plain):
    outcome = plain.read("How many unicorns are there?")
    assert isinstance(outcome, NotUnderstood)
    assert "order lines" in outcome.hint or "orders" in outcome.hint


def test_sum_that_would_count_rows_twice_is_refused(plain):
    outcome = plain.read("total freight by category")
    assert isinstance(outcome, NotUnderstood)
    assert "several times" in outcome.reason


def test_keys_in_two_roles_are_offered_and_not_guessed(plain, shop):
    outcome = plain.read("seats by store")
    assert isinstance(outcome, Ambiguous)
    results = {tuple(shop.execute(plain.sql(meaning)).fetchall()) for _, meaning in outcome.options}
    assert len(results) == len(outcome.options) == 2
    assert len({label for label, _ in outcome.options}) == 2


def test_day_of_signing_up_is_not_taken_for_the_day_of_buying(plain, shop):
    outcome = plain.read("How many customers bought furniture in 2025?")
    assert isinstance(outcome, Ambiguous)
    assert any("order date" in label for label, _ in outcome.options)
    assert any("signup date" in label for label, _ in outcome.options)
    by_hand = shop.execute(
        "SELECT COUNT(DISTINCT o.customer_id) FROM orders o JOIN order_lines USING (order_id)"
        " JOIN products USING (product_id) WHERE category_id = 1 AND order_date LIKE '2025%'"
    )
    chosen = next(meaning for label, meaning in outcome.options if "order date" in label)
    assert shop.execute(plain.sql(chosen)).fetchall() == by_hand.fetchall()


def test_figure_of_today_has_no_history(catalog):
    from assistant.embedded.analyst import Analyst
    from knowledge.documents import Metric

    members = Metric(name="members", expression="COUNT(*)", table="customers", filters=("customers.active = 1",))
    outcome = Analyst([catalog], (members,), TODAY).read("members last year")
    assert isinstance(outcome, NotUnderstood)
    assert "no history" in outcome.reason


@pytest.mark.parametrize(
    "question",
    [
        "customers from France or older than 50 with more than 2 orders",
        "customers not from France or older than 50",
    ],
)
def test_alternatives_that_could_be_placed_in_two_ways_are_not_guessed(question, plain):
    outcome = plain.read(question)
    assert isinstance(outcome, NotUnderstood)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many customers live in the US?", "US"),
        ("customers who dislike lamps", "dislike"),
        ("How many churned customers are there?", "churned"),
        ("Which stores are not haunted?", "haunted"),
    ],
)
def test_what_is_left_out_is_said_and_never_answered_without_asking(question, word, plain):
    outcome = plain.read(question)
    match outcome:
        case Ambiguous():
            assert f"“{word}”" in outcome.text
        case _:
            assert isinstance(outcome, NotUnderstood)
            assert word in outcome.reason


def test_no_data_is_said(catalog):
    from assistant.embedded.analyst import Analyst

    outcome = Analyst([], (), date(2026, 1, 1)).read("How many orders?")
    assert isinstance(outcome, NotUnderstood)
    assert "no data" in outcome.reason


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE customers; --",
        "🙂🙂🙂",
        "a" * 5000,
        "\x00",
        "select * from customers",
        "?" * 300,
        "by by by by",
        "and or not",
        "customers orders products stores regions categories tags",
    ],
)
def test_nonsense_is_declined_and_never_raises(question, plain):
    assert not isinstance(plain.read(question), type(None))
    assert isinstance(plain.read(question), NotUnderstood | Ambiguous)
