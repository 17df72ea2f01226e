"""Formats of numbers, money, percentages and dates in the person's locale. Pure; by Unicode's CLDR, through Babel.

A figure has one format everywhere: in the headline, the table, the chart and the file that is downloaded as shown. The
column decides the number of decimals, not the value, so that decimals align.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from assistant.output.presentation.columns import Column, number, parse_time

if TYPE_CHECKING:
    from babel import Locale

Scale = Literal["", "thousands", "millions"]
DEFAULT = "en-GB"
LANGUAGES = (
    *("en-GB", "en-US", "en-IN", "de-DE", "de-CH", "fr-FR", "fr-CH", "es-ES", "es-MX", "it-IT", "pt-BR", "pt-PT"),
    *("nl-NL", "da-DK", "sv-SE", "nb-NO", "fi-FI", "pl-PL", "cs-CZ", "tr-TR", "el-GR", "ja-JP", "ko-KR", "zh-CN"),
)  # fmt: skip
"""The languages and countries that a person may choose for numbers and dates, where the browser's is not the one."""
SCALES: dict[Scale, float] = {"": 1.0, "thousands": 1e3, "millions": 1e6}
WHOLE_FROM = 10_000
"""Money and other broken figures of columns that reach so far are shown without decimals."""
FINE_BELOW = 1
TOO_LARGE = 1e18
"""Beyond this a figure is written with an exponent: its digits would say nothing."""
EMPTY_TEXT = "–"


@lru_cache(maxsize=64)
def locale_of(code: str) -> Locale:
    """The locale of a browser's or person's code (`de-DE`); English where there is none of that code."""
    from babel import Locale, UnknownLocaleError

    for candidate in (code, code.split("-", maxsplit=1)[0], DEFAULT):
        try:
            return Locale.parse(candidate.replace("_", "-"), sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")


def decimals_of(column: Column, *, scale: Scale = "", decimals: int | None = None) -> int:
    """How many decimals the figures of a column are shown with."""
    if decimals is not None:
        return decimals
    largest = column.largest / SCALES[scale]
    if column.unit in ("percent", "share"):
        return 1
    if scale:
        return 0 if largest >= 1000 else 1
    if column.unit in ("currency", "money"):
        return 0 if largest >= WHOLE_FROM or column.is_integer else 2
    if column.is_integer:
        return 0
    return 0 if largest >= WHOLE_FROM * 10 else 2 if largest >= FINE_BELOW else 4


def is_scaled(column: Column, scale: Scale) -> bool:
    """Whether the figures of a column are large enough to be shown in thousands or millions, and no ratio."""
    return bool(scale) and column.unit not in ("percent", "share") and column.largest >= SCALES[scale] / 10


def figure(
    value: object, column: Column, *, code: str = DEFAULT, scale: Scale = "", decimals: int | None = None
) -> str:
    """A figure of a column, with its unit."""
    from babel.numbers import format_currency, format_decimal, format_percent, get_currency_symbol

    converted = number(value)
    if converted is None:
        return EMPTY_TEXT if value is None else str(value)
    if abs(converted) >= TOO_LARGE:
        return f"{converted:.4g}"
    if column.mixed and decimals is None:
        return _as_needed(converted, locale_of(code))
    scale = scale if is_scaled(column, scale) else ""
    locale, places = locale_of(code), decimals_of(column, scale=scale, decimals=decimals)
    if column.role in ("identifier", "category") or (column.role == "time" and column.grain == "year"):
        return str(int(converted)) if converted.is_integer() else str(converted)
    converted = round(converted / SCALES[scale], places + 2 if column.unit == "share" else places) + 0.0
    mark = {"": "", "thousands": " k", "millions": " m"}[scale]
    pattern = "#,##0" + ("." + "0" * places if places else "")
    if column.unit == "share":
        return format_percent(
            converted, f"{pattern}\N{NO-BREAK SPACE}%" if _spaced(locale) else f"{pattern}%", locale=locale
        )
    if column.unit == "percent":
        return f"{format_decimal(converted, pattern, locale=locale)}{' ' if _spaced(locale) else ''}%"
    if column.unit == "currency":
        if scale:
            money = get_currency_symbol(column.symbol, locale=locale)
            return f"{format_decimal(converted, pattern, locale=locale)}{mark} {money}"
        return format_currency(converted, column.symbol, _money(locale, places), locale=locale, currency_digits=False)
    unit = f" {column.symbol}" if column.symbol and column.unit not in ("money", "count") else ""
    return f"{format_decimal(converted, pattern, locale=locale)}{mark}{unit}"


def shown(value: object, column: Column, *, code: str = DEFAULT, scale: Scale = "", decimals: int | None = None) -> str:
    """Any value of a column, as it is shown."""
    if value is None:
        return EMPTY_TEXT
    if column.role == "measure" or (isinstance(value, int | float) and not isinstance(value, bool)):
        return figure(value, column, code=code, scale=scale if column.role == "measure" else "", decimals=decimals)
    if column.role == "time":
        return time(value, column, code=code)
    return str(value)


def time(value: object, column: Column, *, code: str = DEFAULT) -> str:
    """A time, as fine as its column."""
    from babel.dates import format_date, format_datetime, format_skeleton

    iso, locale = parse_time(value), locale_of(code)
    if iso is None:
        return str(value)
    instant = datetime.fromisoformat(iso)
    match column.grain:
        case "year":
            return str(instant.year)
        case "quarter":
            return f"Q{(instant.month + 2) // 3} {instant.year}"
        case "month":
            return format_skeleton("yMMM", instant, locale=locale)
        case _ if len(iso) > 10 and not iso.endswith("T00:00:00"):
            return format_datetime(instant, "medium", locale=locale)
        case _:
            return format_date(instant.date(), "medium", locale=locale)


def round_value(value: object, column: Column, *, decimals: int | None = None) -> object:
    """A value as a file that is downloaded as shown holds it: a number still, rounded as the page shows it."""
    if column.role != "measure" or isinstance(value, bool | str | date):
        return value
    converted = number(value)
    if converted is None:
        return value
    places = decimals_of(column, decimals=decimals) + (2 if column.unit == "share" else 0)
    return round(converted) if places == 0 else round(converted, places)


def vega_locale(code: str) -> dict[str, dict[str, object]]:
    """The locale as Vega takes it, so that the axes of a chart read like the page."""
    from babel.dates import get_day_names, get_month_names

    locale = locale_of(code)
    symbols = locale.number_symbols.get("latn", {})
    days, short_days = get_day_names("wide", locale=locale), get_day_names("abbreviated", locale=locale)
    months, short_months = get_month_names("wide", locale=locale), get_month_names("abbreviated", locale=locale)
    week = (6, 0, 1, 2, 3, 4, 5)
    return {
        "number": {
            "decimal": symbols.get("decimal", "."),
            "thousands": symbols.get("group", ","),
            "grouping": [3],
            "currency": ["", ""],
        },
        "time": {
            "dateTime": "%x, %X",
            "date": "%d/%m/%Y",
            "time": "%H:%M:%S",
            "periods": ["AM", "PM"],
            "days": [days[n] for n in week],
            "shortDays": [short_days[n] for n in week],
            "months": [months[n] for n in range(1, 13)],
            "shortMonths": [short_months[n] for n in range(1, 13)],
        },
    }


def _as_needed(figure: float, locale: Locale) -> str:
    """A figure with the decimals that it needs: four digits of a small one, two of a large one."""
    from babel.numbers import format_decimal

    fine = round(figure, 2) if abs(figure) >= 1 else float(f"{figure:.4g}")
    return format_decimal(fine, "#,##0.########", locale=locale)


def _spaced(locale: Locale) -> bool:
    return locale.percent_formats[None].pattern.endswith(("\N{NO-BREAK SPACE}%", " %"))


def _money(locale: Locale, places: int) -> str:
    """The locale's pattern for money, with so many decimals."""
    import re

    pattern = locale.currency_formats["standard"].pattern.split(";")[0]
    return re.sub(r"0(\.0+)?", lambda _: "0" + ("." + "0" * places if places else ""), pattern, count=1)
