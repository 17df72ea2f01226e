"""A list of campaigns: counts are added up, one number goes by another, and the rates that marketing speaks of are known."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from knowledge.documents import Metric

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
List = tuple[Analyst, sqlite3.Connection]

_CAMPAIGNS = """
CREATE TABLE campaigns (
    Campaign TEXT, Channel TEXT, "Start Date" DATE, Budget REAL, Spend REAL, Impressions INTEGER, Clicks INTEGER,
    Leads INTEGER, Conversions INTEGER, Revenue REAL);
INSERT INTO campaigns VALUES
    ('Spring', 'Search', '2026-03-01', 500, 400, 8000, 200, 20, 4, 1000),
    ('Summer', 'Social', '2026-06-01', 900, 600, 20000, 400, 40, 5, 900),
    ('Autumn', 'Search', '2026-09-01', 300, 200, 4000, 100, 10, 4, 900);
"""


@pytest.fixture(scope="module")
def campaigns(opened: Opened) -> List:
    return opened("campaigns", _CAMPAIGNS, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("question", "expected", "title"),
    [
        ("leads by channel", [("Search", 30), ("Social", 40)], "Total leads by channel"),
        ("cost per lead", [(1200 / 70,)], "Spend per lead"),
        ("average revenue per lead", [(2800 / 70,)], "Revenue per lead"),
        ("revenue per euro spent", [(2800 / 1200,)], "Revenue per spend"),
        ("cpl by channel", [("Search", 20.0), ("Social", 15.0)], "Cost per lead by channel"),
        ("roi by channel", [("Search", 100 * 1300 / 600), ("Social", 50.0)], "Return on investment by channel"),
        ("click through rate", [(100 * 700 / 32000,)], "Click rate"),
        ("conversion rate by channel", [("Search", 800 / 300), ("Social", 1.25)], "Conversion rate by channel"),
        ("customer acquisition cost", [(1200 / 13,)], "Cost per conversion"),
    ],
)
def test_one_number_goes_by_another(
    campaigns: List, question: str, expected: list[tuple[object, ...]], title: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = campaigns
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning, context=False)).fetchall(), expected)
    assert outcome.restated == title


def test_the_worst_return_is_not_the_least_revenue(campaigns: List) -> None:
    analyst, con = campaigns
    outcome = analyst.read("which channel has the worst roi")
    assert isinstance(outcome, Understood)
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == [("Social",)]


def test_a_rate_that_the_company_defines_comes_first(campaigns: List) -> None:
    analyst, _ = campaigns
    own = Metric(
        name="conversion rate", expression="100.0 * SUM(Conversions) / SUM(Leads)", table="campaigns", unit="percent",
        origin="metrics.yaml",
    )  # fmt: skip
    outcome = Analyst(analyst.catalogs, (own,), analyst.today).read("conversion rate")
    assert isinstance(outcome, Understood)
    assert outcome.meaning.measures[0].expression == own.expression
