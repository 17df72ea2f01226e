"""Claims of sentences hold or not by the tables, of each kind, with figures and without."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cells.tables import TableView
from assistant.claims.amounts import find_amounts
from assistant.claims.checking import check_claims
from assistant.claims.claim import Claim, ClaimAmount, Relation
from assistant.claims.evaluate import evaluate
from assistant.claims.facts import read_facts
from assistant.claims.reader import read_claims
from assistant.claims.typed_claims import ClaimReply, to_claim


def make_table(columns: Sequence[str], *rows: tuple[object, ...]) -> TableView:
    return TableView(columns=tuple(columns), rows=rows, total=len(rows))


def is_flagged(text: str, *tables: TableView, question: str = "", printed: str = "") -> bool:
    return bool(check_claims(text, facts=read_facts(tables, text), question=question, printed=printed).false_claims)


CUPS = make_table(("cup_year", "average_visitors"), ("yes", 3243), ("no", 3739))
P_OF_CUPS = make_table(("t", "p_value"), (-0.24, 0.81))
SEXES = make_table(("sex", "effect", "p_value"), ("men", 0.42, 0.21), ("women", 0.61, 0.0018))
STATUSES = make_table(("status", "orders"), ("completed", 8482), ("cancelled", 361))
CHANNELS = make_table(("channel", "orders"), ("store", 3988), ("online", 3870), ("phone", 985))


@pytest.mark.parametrize(
    ("sentence", "tables", "question"),
    [
        (
            "Yes: on average significantly more people came, more than twice as many.",
            (CUPS, P_OF_CUPS),
            "Did more people come in cup years?",
        ),
        ("The effect is not clearly significant for women.", (SEXES,), "Is there an effect?"),
        ("Roughly two thirds were cancelled, because customers disliked the shop.", (STATUSES,), "What was cancelled?"),
        ("Roughly two thirds were cancelled.", (STATUSES,), "What was cancelled?"),
        ("Most orders came through the store.", (CHANNELS,), "Through which channel do orders come?"),
        ("Orders were cancelled because customers disliked the shop.", (STATUSES,), "What was cancelled?"),
    ],
)
def test_false_sentences_without_a_digit_are_caught(
    sentence: str, tables: tuple[TableView, ...], question: str
) -> None:
    assert not any(letter.isdigit() for letter in sentence)
    assert is_flagged(sentence, *tables, question=question)


@pytest.mark.parametrize(
    ("sentence", "tables", "question"),
    [
        ("No: on average fewer people came in cup years, which may be chance.", (CUPS, P_OF_CUPS), ""),
        ("The effect is significant for women.", (SEXES,), ""),
        ("The effect is not significant for men.", (SEXES,), ""),
        ("Hardly any orders were cancelled, perhaps because customers like the shop.", (STATUSES,), ""),
        ("Most orders came through the store or online.", (CHANNELS,), ""),
        ("Why orders were cancelled, the data do not tell.", (STATUSES,), ""),
    ],
)
def test_their_true_counterparts_are_not(sentence: str, tables: tuple[TableView, ...], question: str) -> None:
    assert not is_flagged(sentence, *tables, question=question)


def name_groups(count: int) -> list[str]:
    return ["Kiel", "Ulm", "Bonn", "Mainz", "Trier", "Essen"][:count]


FIGURES = st.lists(st.integers(1, 100_000), min_size=2, max_size=6, unique=True)


def make_orders(figures: Sequence[int]) -> TableView:
    return make_table(("city", "orders"), *zip(name_groups(len(figures)), figures, strict=True))


@settings(max_examples=15)
@given(FIGURES)
def test_the_most_and_the_least_are_those_of_the_table(figures: list[int]) -> None:
    table = make_orders(figures)
    for name, figure in zip(name_groups(len(figures)), figures, strict=True):
        assert is_flagged(f"{name} has the most orders.", table) == (figure != max(figures))
        assert is_flagged(f"The fewest orders come from {name}.", table) == (figure != min(figures))


@settings(max_examples=15)
@given(FIGURES)
def test_larger_and_smaller_are_those_of_the_table(figures: list[int]) -> None:
    table = make_orders(figures)
    for (first, a), (second, b) in itertools.permutations(zip(name_groups(len(figures)), figures, strict=True), 2):
        assert is_flagged(f"{first} has more orders than {second}.", table) == (a <= b)
        assert is_flagged(f"{first} has fewer orders than {second}.", table) == (a >= b)


@settings(max_examples=15)
@given(FIGURES)
def test_most_is_more_than_half(figures: list[int]) -> None:
    table = make_orders(figures)
    for name, figure in zip(name_groups(len(figures)), figures, strict=True):
        assert is_flagged(f"Most orders came from {name}.", table) == (2 * figure <= sum(figures))


@settings(max_examples=15)
@given(st.lists(st.integers(1, 100_000), min_size=2, max_size=6, unique=True))
def test_a_trend_goes_from_first_to_last_or_at_each_step(figures: list[int]) -> None:
    table = make_table(("year", "orders"), *((2015 + n, figure) for n, figure in enumerate(figures)))
    steps = [b - a for a, b in itertools.pairwise(figures)]
    assert is_flagged("Orders rose.", table) == (figures[-1] < figures[0])
    assert is_flagged("Orders fell every year.", table) == any(step > 0 for step in steps)


@settings(max_examples=15)
@given(FIGURES, st.floats(0.0001, 0.9999))
def test_what_is_significant_is_below_five_percent(figures: list[int], p: float) -> None:
    tables = (make_orders(figures), make_table(("t", "p_value"), (1.0, p)))
    assert is_flagged("The difference is significant.", *tables) == (p >= 0.05)
    assert is_flagged("The difference is not significant.", *tables) == (p < 0.05)
    assert is_flagged("The difference may be chance.", *tables) == (p < 0.05)
    assert is_flagged("It cannot be explained by chance.", *tables) == (p >= 0.05)


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Store and online are almost equal.", True),
        ("Store and phone are almost equal.", False),
        ("All channels have the same number of orders.", False),
        ("The store has about four times as many orders as the phone.", True),
        ("The store has about twice as many orders as the phone.", False),
        ("Online is slightly behind the store.", True),
        ("The phone is slightly behind the store.", False),
        ("The store is far ahead of the phone.", True),
        ("The store is far ahead of online.", False),
        ("No orders came by phone.", False),
        ("Every channel had orders.", True),
        ("Online comes second.", True),
        ("Online comes third.", False),
        ("The ranking is store, online, phone.", True),
        ("The ranking is phone, online, store.", False),
        ("Two channels had more than 3,000 orders.", True),
        ("Every channel had more than 3,000 orders.", False),
        ("A large difference lies between store and phone.", True),
        ("There is a big difference between store and online.", False),
    ],
)
def test_other_relations_are_evaluated(sentence: str, holds: bool) -> None:
    assert is_flagged(sentence, CHANNELS) != holds


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Larger shops tend to have more orders.", True),
        ("Larger shops tend to have fewer orders.", False),
    ],
)
def test_what_goes_together_is_a_correlation_of_ranks(sentence: str, holds: bool) -> None:
    rows = [(name, 100 * n, 10 * n * n) for n, name in enumerate(name_groups(6), 1)]
    assert is_flagged(sentence, make_table(("shop", "floor_area", "orders"), *rows)) != holds


def test_years_in_columns_are_a_trend_too() -> None:
    table = make_table(("medium", "spend_2024", "spend_2025"), ("print", 46200, 35703), ("search", 124718, 134711))
    assert not is_flagged("Print was cut, and search grew.", table)
    assert not is_flagged("Print saw the sharpest drop.", table)
    assert is_flagged("Spending on print rose.", table)
    assert is_flagged("Search fell.", table)


def test_all_rows_are_looked_at_and_a_part_of_them_says_nothing() -> None:
    names = [f"City {n:03}" for n in range(200)]
    table = make_table(("city", "orders"), *((name, 200 - n) for n, name in enumerate(names)))
    assert is_flagged("City 150 has the most orders.", table)
    cut = TableView(columns=table.columns, rows=table.rows[:50], total=200)
    assert not is_flagged("City 050 has the most orders.", cut)


@pytest.mark.parametrize(
    ("sentence", "is_cause"),
    [
        ("Orders fell because of the rain.", True),
        ("The rain led to fewer orders.", True),
        ("Orders may have fallen because of the rain.", False),
        ("It is possible that the rain led to fewer orders.", False),
        ("No average is shown because values are missing.", False),
        ("This does not show that the rain is the cause.", False),
    ],
)
def test_a_cause_must_be_worded_as_a_possibility(sentence: str, is_cause: bool) -> None:
    claims = check_claims(sentence, facts=read_facts((CHANNELS,))).false_claims
    assert any(claim.claim.relation == "cause" for claim in claims) == is_cause


def test_a_cause_that_the_results_count_is_none_of_the_writer() -> None:
    reasons = make_table(("reason", "returns"), ("changed mind", 1400), ("damaged", 635), ("faulty", 590))
    assert not is_flagged("Most returns happened because of a change of mind.", reasons)
    assert is_flagged("Most returns happened because of faulty goods.", reasons)


def test_a_probability_that_a_cell_printed_is_known() -> None:
    assert is_flagged("The difference is significant.", CHANNELS, printed="t = -0.2, p = 0.81")
    assert not is_flagged("The difference is significant.", CHANNELS, printed="p-value: 2.3e-05")


@pytest.mark.parametrize(
    ("text", "kind", "inside", "outside"),
    [
        ("roughly two thirds", "share", 0.66, 0.5),
        ("more than half", "share", 0.51, 0.5),
        ("nearly half", "share", 0.48, 0.52),
        ("one in nine", "share", 0.111, 0.15),
        ("twice as many", "ratio", 2.05, 2.5),
        ("more than twice", "ratio", 2.4, 1.9),
        ("slightly", "change", 0.05, 0.3),
        ("by far", "change", 0.5, 0.05),
        ("a handful", "count", 4, 40),
        ("the vast majority", "share", 0.9, 0.6),
    ],
)
def test_vague_amounts_have_ranges(text: str, kind: str, inside: float, outside: float) -> None:
    (amount,) = find_amounts(text)
    assert amount.amount.kind == kind
    assert amount.amount.holds(inside)
    assert not amount.amount.holds(outside)


@pytest.mark.parametrize(
    ("relation", "subject", "other", "amount", "holds"),
    [
        ("larger", "store", "phone", "", True),
        ("larger", "phone", "store", "", False),
        ("larger", "store", "phone", "about four times", True),
        ("smaller", "phone", "store", "a third", False),
        ("equal", "store", "online", "", True),
        ("most", "store", "", "", True),
        ("least", "store", "", "", False),
        ("share", "phone", "", "most", False),
        ("existence", "phone", "", "", True),
    ],
)
def test_claims_that_a_model_types_are_evaluated(
    relation: Relation, subject: str, other: str, amount: str, holds: bool
) -> None:
    typed = ClaimReply.model_validate(
        {"relation": relation, "subject": subject, "counterpart": other, "amount": amount, "measure": "orders"}
    )
    assert evaluate(to_claim(typed), read_facts([CHANNELS])).holds is holds


def test_a_typed_claim_covers_no_false_sentence() -> None:
    claim = to_claim(ClaimReply(relation="most", subject="store", measure="orders"))
    report = check_claims("Most orders came by phone.", facts=read_facts((CHANNELS,)), typed=(claim,))
    assert [false_claim.sentence for false_claim in report.false_claims] == ["Most orders came by phone."]


def test_a_reason_tells_the_figures() -> None:
    (false_claim,) = check_claims("Most orders came through the store.", facts=read_facts((CHANNELS,))).false_claims
    assert str(false_claim) == "“Most orders came through the store.” (it is 45.1% of Orders)"


def test_what_cannot_be_looked_up_is_neither_true_nor_false() -> None:
    claim = Claim(relation="most", sentence="Mars leads.", subject="Mars")
    assert evaluate(claim, read_facts([CHANNELS])).holds is None
    assert evaluate(Claim(relation="share", sentence=""), read_facts([CHANNELS])).holds is None
    assert not is_flagged("Is the phone the strongest channel?", CHANNELS)


def test_names_of_rows_are_no_comparisons() -> None:
    table = make_table(("priority", "tickets"), ("low", 917), ("high", 854), ("most urgent", 324))
    claims = read_claims("Low tickets are more frequent than high ones.", read_facts([table]))
    assert [(claim.relation, claim.negated) for claim in claims] == [("larger", False)]
    assert not is_flagged("Most urgent tickets are the rarest.", table)


def test_an_amount_that_is_open_leaves_its_end_out() -> None:
    assert not ClaimAmount(kind="share", low=0.5, high=1, is_open=True).holds(0.5)
    assert ClaimAmount(kind="share", low=0.5, high=1).holds(0.5)


def test_rows_without_a_value_have_a_name_too() -> None:
    table = make_table(("reason", "returns"), ("damaged", 635), (None, 120))
    assert not is_flagged("The fewest returns have no reason.", table)
    assert is_flagged("The fewest returns are damaged goods.", table)


def test_the_name_behind_a_superlative_goes_before_those_in_front() -> None:
    table = make_table(("month", "orders"), ("2025-01", 10), ("2025-02", 30), ("2025-03", 20))
    assert not is_flagged("Orders: from 10 (January 2025) to 20 (March 2025), highest in February 2025.", table)
    assert is_flagged("Orders: from 10 (January 2025) to 20 (March 2025), highest in March 2025.", table)


def test_values_of_a_distribution_are_no_shares() -> None:
    table = make_table(("value", "tickets"), (3, 500), (4, 900))
    assert not is_flagged("Half of the 1,400 values lie between 3 and 4.", table)


CROSSING = make_table(
    ("topic", "priority", "tickets"),
    ("delivery", "low", 325),
    ("delivery", "urgent", 121),
    ("billing", "low", 132),
    ("billing", "urgent", 43),
)
SPEND = make_table(
    ("quarter", "spend"), ("2024-Q3", 80), ("2024-Q4", 93), ("2025-Q1", 78), ("2025-Q3", 81), ("2025-Q4", 96)
)
GROUPS = make_table(("segment", "orders", "orders_per_customer"), ("consumer", 6476, 4.5), ("corporate", 876, 12.9))
YEARS = make_table(("channel", "orders_2024", "orders_2025"), ("store", 3866, 3988), ("online", 3222, 3870))
GAPS = make_table(("field", "customers", "missing"), ("email", 2600, 180), ("phone", 2600, 280))


@pytest.mark.parametrize(
    ("sentence", "table", "holds"),
    [
        ("Almost three quarters of the urgent tickets concern delivery.", CROSSING, True),
        ("Half of the urgent tickets concern delivery.", CROSSING, False),
        ("The share of urgent tickets differs little between the topics.", CROSSING, True),
        ("Spend rose from the third to the fourth quarter of 2025.", SPEND, True),
        ("Spend fell from the third to the fourth quarter of 2025.", SPEND, False),
        ("After the peak at the end of 2024, spend fell back.", SPEND, True),
        ("Although corporate customers placed the fewest orders, each of them ordered more often.", GROUPS, True),
        (
            "A corporate customer ordered nearly 13 times on average, compared with 4.5 times for a consumer.",
            GROUPS,
            True,
        ),
        ("A consumer ordered more often on average than a corporate customer.", GROUPS, False),
        ("There are more corporate orders than consumer orders.", GROUPS, False),
        ("Fewer than one in ten customers lacks an email address.", GAPS, True),
        ("The email is more complete than the phone.", GAPS, True),
        ("Even though store orders increased, the store's share of all orders went down.", YEARS, True),
        ("The phone will be ahead of the store.", CHANNELS, True),
    ],
)
def test_what_a_sentence_may_mean_or_cannot_be_linked_to_is_not_false(
    sentence: str, table: TableView, holds: bool
) -> None:
    assert is_flagged(sentence, table) is not holds
