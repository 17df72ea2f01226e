"""Figures and names of an answer stand in its results or follow from them; others are found out."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pytest

from assistant.agents.model.grounding import not_found
from assistant.cells.tables import TableView

SALES = TableView(
    columns=("genre", "revenue", "orders"),
    rows=(("Rock", 61.38, 1240), ("Jazz", Decimal("20.10"), 310), ("Latin", 18.52, 250)),
    total=3,
)


def missing(text: str, *said: str) -> tuple[str, ...]:
    return not_found(text, tables=(SALES,), said=said)


@pytest.mark.parametrize(
    "text",
    [
        "Rock brought **61.38 EUR**, about 61.4.",
        "All three genres brought 100.00 EUR in 1,800 orders.",
        "Rock has 61.4 % of the revenue, and 61 percent when rounded.",
        "Rock brought 41.28 EUR more than Jazz, 3.05 times as much, or 205.4 % more.",
        "On average a genre brought 33.33 EUR.",
        "The two largest, **Rock** and **Jazz**, brought 81.48 EUR.",
        "Rock leads with 1.24k orders.",
    ],
)
def test_figures_that_follow_from_the_results_are_known(text: str) -> None:
    assert missing(text) == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Rock brought 999,999.99 EUR.", ("999,999.99",)),
        ("Rock brought 61.39 EUR.", ("61.39",)),
        ("Rock brought 61.38 million EUR.", ("61.38 million",)),
        ("**Techno** brought 61.38 EUR.", ("Techno",)),
        ("In 1987 Rock brought 61.38 EUR.", ("1987",)),
    ],
)
def test_figures_and_names_that_do_not_are_found_out(text: str, wrong: tuple[str, ...]) -> None:
    assert missing(text) == wrong


KEPT = TableView(
    columns=("segment", "customers", "came_again"),
    rows=(("corporate", 6, 6), ("small business", 33, 22), ("consumer", 215, 125)),
    total=3,
)


def test_a_share_of_two_totals_follows_from_the_results() -> None:
    assert not_found("Of 254 customers 60.2 % came again.", tables=(KEPT,), said=()) == ()
    assert not_found("Of 254 customers 63.2 % came again.", tables=(KEPT,), said=()) == ("63.2 %",)


TESTED = TableView(columns=("statistic", "p_value"), rows=((0.58, 0.0002),), total=1)


@pytest.mark.parametrize("text", ["p < 0.001", "a p-value below 0.001", "a p-value of less than 0.01"])
def test_a_power_of_ten_may_bound_a_smaller_figure(text: str) -> None:
    assert not_found(f"The statistic is 0.58 ({text}).", tables=(TESTED,), said=()) == ()
    assert not_found(f"The statistic is 0.58 ({text}).", tables=(SALES,), said=("p-value: 2.3e-31, r: 0.58",)) == ()


@pytest.mark.parametrize(("sign", "bound"), [("<", "0.0001"), ("=", "0.001"), (">", "0.001"), ("<", "0.003")])
def test_a_bound_that_no_figure_is_below_is_found_out(sign: str, bound: str) -> None:
    assert not_found(f"The statistic is 0.58 (p {sign} {bound}).", tables=(TESTED,), said=()) == (bound,)


def test_what_the_person_or_the_plan_said_is_known() -> None:
    assert missing("In 1987 **Techno** fans bought Rock for 61.38 EUR.", "How did Techno fans buy in 1987?") == ()


DAYS = TableView(
    columns=("day", "revenue"),
    rows=((datetime(2026, 1, 5), 12.5), ("2025-12-24", 7.0)),
    total=2,
    numeric=frozenset({"revenue"}),
)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("On 2026-01-05 it was 12.5.", ()),
        ("On 5 January 2026 it was 12.5.", ()),
        ("January 5, 2026 and December 24, 2025 lead.", ()),
        ("In January 2026, and in 2026-01, and in 2026 as a whole.", ()),
        ("From January to March 2026, that is until 31 March 2026, before 2026-04-01.", ()),
        ("On 2026-03-09 it was 12.5.", ("2026-03-09",)),
        ("On 9 March 2026 it was 12.5.", ("9 March 2026",)),
        ("In July 2026 it was 12.5.", ("July 2026",)),
        ("In 2019 it was 12.5.", ("2019",)),
        ("As of 2026-11-25, which you named.", ()),
    ],
)
def test_dates_are_looked_for_in_the_results_and_in_what_was_said(text: str, missing: tuple[str, ...]) -> None:
    assert not_found(text, tables=[DAYS], said=["Today is 2026-11-25", "day < '2026-04-01'"]) == missing
