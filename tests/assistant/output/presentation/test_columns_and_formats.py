"""Columns are what they hold, and figures are written in their units, as the person writes them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest
from given_table import EUR, given

from assistant.output.presentation.columns import Column, FigureProperties, columns_of, heading
from assistant.output.presentation.formats import decimals_of, figure, round_value, shown, vega_locale


def one(name: str, values: list[object], told: FigureProperties | None = None) -> Column:
    table = given(name, [(value,) for value in values])
    return columns_of(table, {name: told} if told else {})[0]


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("region", ["North", "South", None], "category"),
        ("net_revenue", [1.5, 2, Decimal("3.25")], "measure"),
        ("price", ["1.5", "2", "3.25"], "measure"),
        ("order_id", [1, 2, 3], "identifier"),
        ("year", [2024, 2025], "time"),
        ("month", ["2025-01", "2025-02"], "time"),
        ("day", [date(2025, 1, 1), datetime(2025, 1, 2, 9, 30)], "time"),
        ("active", [True, False], "flag"),
        ("note", ["x" * 200, "short"], "text"),
        ("nothing", [None, None], "category"),
    ],
)
def test_a_column_is_what_its_values_and_name_say(name: str, values: list[object], role: str) -> None:
    assert one(name, values).role == role


@pytest.mark.parametrize(
    ("values", "grain"),
    [
        (["2024-01-01", "2025-01-01"], "year"),
        (["2025-01-01", "2025-04-01"], "quarter"),
        (["2025-01-01", "2025-02-01"], "month"),
        (["2025-01-01", "2025-01-02"], "day"),
        (["2025-01-01 09:00:00"], "day"),
    ],
)
def test_times_are_as_fine_as_they_are(values: list[object], grain: str) -> None:
    assert one("at", values).grain == grain


def test_texts_among_figures_are_counted_not_fatal() -> None:
    column = one("amount", [*range(20), "n/a"])
    assert (column.role, column.odd) == ("measure", 1)


@pytest.mark.parametrize(
    ("name", "additive"),
    [
        ("net_revenue", True),
        ("average_price", False),
        ("margin_pct", False),
        ("share_of_total", False),
        ("orders", True),
    ],
)
def test_ratios_and_averages_do_not_add_up(name: str, additive: bool) -> None:
    assert one(name, [0.1, 0.2]).additive is additive


@pytest.mark.parametrize(
    ("code", "money", "percent"),
    [
        ("en-US", "€708,804", "12.3%"),
        ("de-DE", "708.804\xa0€", "12,3 %"),
        ("fr-FR", "708\u202f804\xa0€", "12,3 %"),
        ("xx-nonsense", "€708,804", "12.3%"),
    ],
)
def test_money_and_percentages_read_as_the_person_writes_them(code: str, money: str, percent: str) -> None:
    assert figure(708803.6869999924, one("revenue", [708803.68, 3.0], EUR), code=code) == money
    assert figure(12.34, one("margin_pct", [12.34]), code=code) == percent


def test_a_share_is_written_as_a_percentage_and_small_money_with_cents() -> None:
    share = Column(name="s", label="S", role="measure", unit="share", largest=0.5)
    assert figure(0.1234, share) == "12.3%"
    assert figure(4.5, one("fee", [4.5, 12.25], EUR), code="en-GB") == "€4.50"


def test_thousands_leave_what_is_small_alone() -> None:
    assert figure(1_234_567, one("revenue", [1_234_567.0], EUR), scale="thousands", code="en-GB") == "1,235 k €"
    assert figure(12.5, one("price_each", [12.5]), scale="thousands") == "12.50"


def test_small_parts_beside_counts_are_not_rounded_away() -> None:
    column = one("value", [5000.0, -0.0125, 0.00016, 0.38, -0.0034])
    assert [figure(value, column) for value in (5000.0, 0.00016)] == ["5,000", "0.00016"]


def test_years_and_identifiers_are_written_bare() -> None:
    assert shown(2025, one("year", [2024, 2025])) == "2025"
    assert shown(1234567, one("order_id", [1234567])) == "1234567"


def test_times_are_written_as_fine_as_they_are() -> None:
    assert shown("2025-03-01", one("m", ["2025-02-01", "2025-03-01"]), code="de-DE") == "März 2025"
    assert shown(date(2025, 4, 1), one("q", [date(2025, 4, 1), date(2025, 7, 1)])) == "Q2 2025"
    assert shown(date(2025, 4, 3), one("d", [date(2025, 4, 3)]), code="en-GB") == "3 Apr 2025"


def test_a_file_as_shown_holds_rounded_numbers_and_raw_texts() -> None:
    money = one("revenue", [708803.6869999924, 5.0], EUR)
    assert round_value(708803.6869999924, money) == 708804
    assert round_value("North", one("region", ["North"])) == "North"
    assert decimals_of(one("fee", [4.5], EUR)) == 2


def test_headings_are_words() -> None:
    assert [heading(n) for n in ("net_revenue", "SKU", "orderId", "_")] == ["Net revenue", "SKU", "orderId", "_"]


def test_axes_speak_the_locale_too() -> None:
    made = vega_locale("de-DE")
    assert (made["number"]["decimal"], made["number"]["thousands"]) == (",", ".")
    assert made["time"]["shortMonths"][2] == "März"  # type: ignore[index]
    assert made["time"]["days"][0] == "Sonntag"  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("year", [1930, 2024], "time"),
        ("Jahr", [1930, 2024], "time"),
        ("release_year", [1930.0, 2024.0], "time"),
        ("YearBuilt", [1880, 2001], "time"),
        ("Baujahr", [1880, 2001], "time"),
        ("fiscal_year", [2023, 2024], "time"),
        ("FY", [2023, 2024], "time"),
        ("decade", [1930, 1990], "time"),
        ("season", [2019, 2020], "time"),
        ("season", [1, 2, 3, 4], "identifier"),
        ("last_year", [2024, 2025], "time"),
        ("zip_code", [1930, 8001], "identifier"),
        ("Postleitzahl", [1930, 8001], "identifier"),
        ("Kundennummer", [1930, 8001], "identifier"),
        ("last_order_id", [1930, 8001], "identifier"),
        ("id_customer", [1930, 8001], "identifier"),
        ("postcode", [1930, 8001], "identifier"),
        ("revenue_last_year", [1930, 2100], "measure"),
        ("orders_last_year", [1930, 2100], "measure"),
        ("orders_year_to_date", [1930, 2100], "measure"),
        ("orders_per_year", [1930, 2100], "measure"),
        ("visits_per_month", [1930, 2100], "measure"),
        ("years_of_service", [3, 20], "measure"),
        ("amount", [1930, 2024], "measure"),
        ("price", [1930, 2024], "measure"),
        ("paid", [1930, 2024], "measure"),
    ],
)
def test_what_names_something_is_never_added_up_or_grouped(name: str, values: list[object], role: str) -> None:
    column = one(name, values)
    assert column.role == role
    text = shown(values[0], column)
    assert ("," in text) == (role == "measure" and float(str(values[0])) >= 1000)
    if role != "measure":
        assert not column.additive


def test_an_average_of_years_is_not_added_up() -> None:
    assert not one("year", [1987.4, 2001.25]).additive


@pytest.mark.parametrize(
    ("told", "role"),
    [
        (FigureProperties(additive=False), "time"),  # the latest year
        (FigureProperties(identifies=True), "time"),
        (FigureProperties(unit="count", additive=True), "measure"),
        (FigureProperties(additive=True), "measure"),
        (FigureProperties(unit="currency", symbol="EUR"), "measure"),
    ],
)
def test_what_is_known_of_a_figure_goes_before_its_name(told: FigureProperties, role: str) -> None:
    (column,) = columns_of(given("year", [(1930,), (2024,)]), {"year": told})
    assert column.role == role


def test_a_heading_does_not_end_with_the_unit_that_its_figures_carry() -> None:
    assert one("total_sales_eur", [1.5, 2], EUR).label == "Total sales"
    assert one("eur", [1.5, 2], EUR).label == "Eur"
    assert one("total_sales_eur", [1.5, 2]).label == "Total sales"
    table = given("amount_eur amount_usd", [(1, 2), (3, 4)])
    properties = {"amount_eur": EUR, "amount_usd": FigureProperties(unit="currency", symbol="USD")}
    assert [column.label for column in columns_of(table, properties)] == ["Amount eur", "Amount usd"]
