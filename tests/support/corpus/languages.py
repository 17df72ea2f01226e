"""Values as languages, scripts, spreadsheets and accountants write them, and columns that say how others are to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta

from assistant.core.catalog import ColumnKind
from assistant.core.doubts import DoubtKind
from corpus.fields import Fields
from corpus.texts import lines, text_case
from corpus.values import Case, Field, Value, expect

_ROWS = 24
_PLACES = range(_ROWS)


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _flags()
    yield from _times()
    yield from _numerals()
    yield from _months()
    yield from _amounts()
    yield from _marks()
    yield from _pages()


def _case(
    shape: str,
    variant: str,
    column: Field,
    cells: Sequence[str],
    *,
    doubts: Sequence[DoubtKind | tuple[DoubtKind, ...]] = (),
    delimiter: str = ",",
) -> Case:
    """A column, written as the cells say, between a town and a number."""
    make = Fields(f"{shape} {variant}", len(cells))
    town, units = make.word("town"), make.integer("units")
    rows = [(str(first), cell, str(last)) for first, cell, last in zip(town.values, cells, units.values, strict=True)]
    text = lines([("town", str(column.name), "units"), *rows], delimiter)
    return text_case("delimited", shape, variant, text, expect(town, column, units, doubts=doubts))


def _field(name: str, kind: ColumnKind, values: Sequence[Value]) -> Field:
    return Field(name=name, kinds=(kind,), values=tuple(values))


def _flags() -> Iterator[Case]:
    pairs = {
        "german": ("aktiv", "ja", "nein", ";"),
        "french": ("payé", "Oui", "Non", ";"),
        "russian": ("оплачено", "да", "нет", "\t"),
        "spanish": ("activo", "sí", "no", ","),
        "japanese": ("会員", "はい", "いいえ", ","),
        "polish": ("aktywny", "TAK", "NIE", ";"),
        "english": ("member", "Yes", "No", ","),
    }
    values = [place % 3 > 0 for place in _PLACES]
    for language, (name, yes, no, delimiter) in pairs.items():
        cells = [yes if value else no for value in values]
        yield _case("yes and no", language, _field(name, "boolean", values), cells, delimiter=delimiter)
    for yes, no in (("Y", "N"), ("J", "N")):
        cells = [yes if value else no for value in values]
        column = _field("member", "boolean", values)
        yield _case("yes and no", f"{yes} and {no}", column, cells, doubts=("column_type",))


def _times() -> Iterator[Case]:
    start = datetime(2023, 11, 14, 22, 13, 20)
    moments = [start + timedelta(seconds=86_437 * place) for place in _PLACES]
    factors = {"seconds": 1, "milliseconds": 1000, "microseconds": 1_000_000}
    for (unit, factor), name in zip(factors.items(), ("created", "updatedAt", "Zeitstempel"), strict=True):
        cells = [str((1_700_000_000 + 86_437 * place) * factor) for place in _PLACES]
        yield _case("times as numbers", unit, _field(name, "datetime", moments), cells, doubts=("column_type",))
    days = [date(2023, 7, 16) + timedelta(days=place) for place in _PLACES]
    for name, delimiter in (("date", ","), ("Belegdatum", ";"), ("日付", "\t")):
        cells = [str(45_123 + place) for place in _PLACES]
        column = _field(name, "date", days)
        yield _case("times as numbers", f"days {name}", column, cells, doubts=("column_type",), delimiter=delimiter)
    numbers = [1_700_000_000 + 61 * place for place in _PLACES]
    column = _field("ticket_no", "integer", numbers)
    yield _case("times as numbers", "codes", column, [str(number) for number in numbers])


def _numerals() -> Iterator[Case]:
    zeros = {"arabic": "٠", "persian": "۰", "devanagari": "०", "full width": "０"}
    numbers = [1200 + 7 * place for place in _PLACES]
    for script, zero in zeros.items():
        cells = ["".join(chr(ord(zero) + int(digit)) for digit in str(number)) for number in numbers]
        yield _case("digits of scripts", script, _field("amount", "integer", numbers), cells)


def _months() -> Iterator[Case]:
    days = [date(2024, 1 + place % 12, 1 + place) for place in _PLACES]
    names = {
        "german": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "french": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "russian": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "spanish": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    }
    forms = {
        "german": "{d}. {m} {y}",
        "french": "{d} {m} {y}",
        "russian": "{d} {m} {y} г.",
        "spanish": "{d} de {m} de {y}",
    }
    for language, months in names.items():
        cells = [forms[language].format(d=day.day, m=months.split()[day.month - 1], y=day.year) for day in days]
        yield _case("months in words", language, _field("day", "date", days), cells)
    cells = [f"{day.year}年{day.month}月{day.day}日" for day in days]
    yield _case("months in words", "japanese", _field("日付", "date", days), cells)
    cells = [f"{day.day:02d}/{day.month:02d}/{day.year + 543}" for day in days]
    column = _field("day", "text", cells)
    yield _case("months in words", "Buddhist years", column, cells, doubts=("column_type",))


def _amounts() -> Iterator[Case]:
    amounts = [(-1 if place % 4 == 0 else 1) * (100.25 + place) for place in _PLACES]
    forms: dict[str, Callable[[float], str]] = {
        "brackets": lambda amount: f"({-amount:.2f})" if amount < 0 else f"{amount:.2f}",
        "a minus behind": lambda amount: f"{-amount:.2f}-" if amount < 0 else f"{amount:.2f}",
        "dollars in brackets": lambda amount: f"(${-amount:,.2f})" if amount < 0 else f"${amount:,.2f}",
    }
    for name, form in forms.items():
        cells = [form(amount) for amount in amounts]
        yield _case("negative", name, _field("amount", "number", amounts), cells, doubts=("number_format",))
    shares = [(10 + place) / 100 for place in _PLACES]
    for name, ending in (("in words", " percent"), ("of German", " Prozent"), ("with a sign", " %")):
        cells = [f"{10 + place}{ending}" for place in _PLACES]
        yield _case("shares", name, _field("share", "number", shares), cells)
    cells = [f"%{10 + place}" for place in _PLACES]
    yield _case("shares", "a sign before", _field("share", "number", shares), cells)
    limits = [f"<{place}.5" if place % 8 == 0 else f"{place}.5" for place in _PLACES]
    yield _case("limits", "below the least", _field("lead", "text", limits), limits, doubts=("column_type",))
    notes = [f"{place}.5*" if place % 8 == 0 else f"{place}.5" for place in _PLACES]
    yield _case("limits", "with stars", _field("lead", "text", notes), notes, doubts=("column_type",))


def _marks() -> Iterator[Case]:
    marks = {
        "currency": ("currency", ("EUR", "USD", "JPY")),
        "unit": ("unit", ("kg", "g")),
        "debit and credit": ("type", ("DR", "CR")),
        "Soll und Haben": ("Soll/Haben", ("S", "H")),
    }
    for name, (column, values) in marks.items():
        cells = [values[place % len(values)] for place in _PLACES]
        yield _case("marks of rows", name, _field(column, "text", cells), cells, doubts=("number_format",))


def _pages() -> Iterator[Case]:
    make = Fields("pages", 40)
    fields = [make.serial("no"), make.word("material"), make.number("amount")]
    rows = [tuple(map(str, row)) for row in zip(*(field.values for field in fields), strict=True)]
    names = tuple(str(field.name) for field in fields)
    parts = [lines([names, *rows[start : start + 10]], ";") for start in range(0, 40, 10)]
    expected = expect(*fields, doubts=("rows_left_out",))
    yield text_case("delimited", "pages", "a blank line and the names", "\n".join(parts), expected)
    ruler = "-" * 30
    text = "".join(f"{ruler}\n{part}" for part in parts)
    yield text_case("delimited", "pages", "a ruler and the names", text, expected)
