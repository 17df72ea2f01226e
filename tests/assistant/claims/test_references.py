"""Figures that an answer refers to are written by the program, as the table shows them."""

from __future__ import annotations

import pytest

from assistant.cells.tables import TableView
from assistant.claims.references import hide_references, render_references

SALES = TableView(
    columns=("region", "year", "revenue_eur", "return_percent"),
    rows=(("North", 2024, 1500.0, 4.5), ("South", 2024, 500.5, 5.25)),
    total=2,
    numeric=frozenset({"year", "revenue_eur", "return_percent"}),
)
KPI = TableView(columns=("orders",), rows=((8843,),), total=1, numeric=frozenset({"orders"}))


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("[[kpi.orders]]", "8,843"),
        ("[[sales.revenue_eur | region=North]]", "€1,500.00"),
        ("[[sales.return_percent | region=south, year=2024]]", "5.2%"),
        ("[[sum sales.revenue_eur]]", "€2,000.50"),
        ("[[max sales.revenue_eur]]", "€1,500.00"),
        ("[[count sales.region]]", "2"),
        ("[[share sales.revenue_eur | region=North]]", "75.0%"),
    ],
)
def test_a_reference_is_written_as_the_table_shows_it(reference: str, text: str) -> None:
    rendered = render_references(f"It is {reference}.", {"sales": SALES, "kpi": KPI})
    assert (rendered.text, rendered.problems) == (f"It is {text}.", ())


def test_figures_are_written_in_the_locale() -> None:
    rendered = render_references("[[sum sales.revenue_eur]]", {"sales": SALES}, code="de-DE")
    assert rendered.text.replace("\N{NO-BREAK SPACE}", " ") == "2.000,50 €"


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("[[costs.revenue_eur]]", "There is no result 'costs'; there are sales."),
        ("[[sales.profit]]", "It has no column 'profit'; it has region, year, revenue_eur, return_percent."),
        ("[[sales.revenue_eur]]", "2 rows match, and it must be one. Name a row, or sum, mean, min or max."),
        (
            "[[sales.revenue_eur | region=West]]",
            "0 rows match, and it must be one. Name a row, or sum, mean, min or max.",
        ),
        ("[[median sales.revenue_eur]]", "'median' is not known; sum, mean, min, max, count and share are."),
        ("[[sum sales.region]]", "There is no figure in these rows."),
    ],
)
def test_a_reference_that_names_no_figure_stays_and_says_why(reference: str, problem: str) -> None:
    rendered = render_references(reference, {"sales": SALES})
    assert rendered.text == reference
    assert rendered.problems == (f"{reference}: {problem}",)


def test_what_is_still_being_written_shows_no_reference() -> None:
    assert hide_references("North brought [[sales.revenue_eur | region=North]] and [[sal") == "North brought … and …"
