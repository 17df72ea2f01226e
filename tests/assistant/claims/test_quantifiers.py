"""Of how many rows something is said: every, no, only some, all but one; figures beside figures, moments and losses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.cells.tables import TableView
from assistant.claims.checking import ClaimsReport, check_claims
from assistant.claims.facts import read_facts

CITIES = ("Kiel", "Ulm", "Bonn", "Mainz", "Trier", "Essen")


def make_table(columns: Sequence[str], *rows: tuple[object, ...]) -> TableView:
    return TableView(columns=tuple(columns), rows=rows, total=len(rows))


def check(text: str, *tables: TableView, question: str = "") -> ClaimsReport:
    return check_claims(text, facts=read_facts(tables, text), question=question)


def is_flagged(text: str, *tables: TableView) -> bool:
    return bool(check(text, *tables).false_claims)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(10, 400), min_size=3, max_size=6, unique=True), st.integers(20, 380))
def test_quantities_are_those_of_the_rows(figures: list[int], bound: int) -> None:
    table = make_table(("city", "orders"), *zip(CITIES, figures, strict=False))
    above = [city for city, figure in zip(CITIES, figures, strict=False) if figure > bound]
    assert is_flagged(f"Every city had more than {bound} orders.", table) == (len(above) < len(figures))
    assert is_flagged(f"No city had more than {bound} orders.", table) == bool(above)
    assert is_flagged(f"Not every city had more than {bound} orders.", table) == (len(above) == len(figures))
    assert is_flagged(f"Only Kiel had more than {bound} orders.", table) == (above != ["Kiel"])
    assert is_flagged(f"At least two cities had more than {bound} orders.", table) == (len(above) < 2)
    remaining = [city for city, figure in zip(CITIES[1:], figures[1:], strict=False) if figure > bound]
    is_right = len(remaining) == len(figures) - 1 and "Kiel" not in above
    assert is_flagged(f"Every city except Kiel had more than {bound} orders.", table) != is_right


LINES = make_table(
    ("line", "scrap_before_percent", "scrap_after_percent"),
    ("Line A", 4.8, 3.1),
    ("Line B", 3.9, 3.8),
    ("Line C", 6.2, 3.0),
    ("Line D", 2.7, 3.4),
)
PLANS = make_table(("country", "basic", "pro"), ("Austria", 310, 120), ("Italy", 720, 260), ("Poland", 540, 610))
BRANCHES = make_table(("branch", "profit_eur"), ("Graz", 84200), ("Linz", -12400), ("Villach", -45100), ("Wels", 2100))
RATINGS = make_table(("country", "mean_rating"), ("Malta", None), ("Norway", 3.7), ("Sweden", 4.0))
NOTHING = make_table(("machine", "failures"))


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        (LINES, "Scrap fell on three of the four lines.", "Scrap fell on every line."),
        (LINES, "Line D is the only one that got worse.", "No line got worse."),
        (LINES, "Line C improved the most.", "Line B improved the most."),
        (LINES, "Before the change, Line C had the highest scrap.", "Before the change, Line D had the highest scrap."),
        (PLANS, "Poland is the only country where Pro beats Basic.", "Pro beats Basic in every country."),
        (PLANS, "In Italy, Basic is ahead of Pro.", "In Italy, Pro is ahead of Basic."),
        (BRANCHES, "Two branches made a loss.", "No branch made a loss."),
        (BRANCHES, "Villach made the largest loss.", "Linz made the largest loss."),
        (BRANCHES, "Overall, a profit was made.", "Overall, a loss was made."),
        (BRANCHES, "It is not the case that no branch made a loss.", "It is not true that Linz made a loss."),
        (RATINGS, "No rating is available for Malta.", "A rating is available for every country."),
        (RATINGS, "Norway has the lowest rating.", "Malta has the lowest rating."),
        (NOTHING, "No machine failed more than ten times.", "Several machines failed more than ten times."),
        (BRANCHES, "Graz comes first. It is followed by Wels.", "Graz comes first. It is followed by Linz."),
    ],
)
def test_a_right_sentence_passes_and_its_contrary_does_not(table: TableView, right: str, wrong: str) -> None:
    assert not is_flagged(right, table)
    assert is_flagged(wrong, table)


def test_a_claim_about_what_no_column_tells_is_unproved_and_no_fault() -> None:
    report = check("Older branches tend to be smaller. Graz comes first.", BRANCHES)
    assert report.unproved == ("Older branches tend to be smaller.",)
    assert not report.false_claims


def test_names_of_few_values_are_known_beside_a_column_with_many() -> None:
    rows = [(f"o-{n}", "North" if n % 3 else "South", 1) for n in range(5_000)]
    table = make_table(("order_id", "region", "orders"), *rows)
    assert is_flagged("South has the most orders.", table)
    assert not is_flagged("North has the most orders.", table)
