"""Columns with values of our own, the same for the same seed, and how they are written in the styles of the world."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from corpus.values import Field, Value

TOWNS = ("Alder Bay", "Brinfield", "Corvale", "Dunmere", "Elmstead", "Farrow", "Glenrock", "Hartwick", "Islay Point")
PEOPLE = ("Ada Voss", "Ben Okoro", "Chloe Marr", "Dario Lenz", "Esme Falk", "Finn Adeyi", "Gita Rao", "Hugo Brandt")
GOODS = ("cable", "lamp", "desk", "chair", "kettle", "shelf", "clock", "mirror", "drill")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How values are written.

    Attributes:
        decimal: The decimal mark.
        group: What parts thousands; empty for nothing.
        places: Decimals of a number.
        day: The format of dates.
        moment: The format of dates with a time.
        truth: What is written for true and false.
        missing: What is written where there is no value.
        number: A pattern around numbers, such as "$%s".
    """

    decimal: str = "."
    group: str = ""
    places: int = 2
    day: str = "%Y-%m-%d"
    moment: str = "%Y-%m-%d %H:%M:%S"
    truth: tuple[str, str] = ("true", "false")
    missing: str = ""
    number: str = "%s"

    def write(self, value: Value) -> str:
        """A value as text."""
        match value:
            case None:
                return self.missing
            case bool():
                return self.truth[not value]
            case float():
                text = f"{value:,.{self.places}f}"
                text = text.replace(",", "\0").replace(".", self.decimal).replace("\0", self.group)
                return self.number.replace("%s", text)
            case datetime():
                return value.strftime(self.moment)
            case date():
                return value.strftime(self.day)
            case time():
                return value.strftime("%H:%M")
            case _:
                return str(value)


def grid(fields: Sequence[Field], style: Style = Style()) -> list[list[str]]:
    """The rows of fields as text."""
    return [[style.write(value) for value in row] for row in zip(*(field.values for field in fields), strict=True)]


def header(fields: Sequence[Field]) -> list[str]:
    """The names of fields."""
    return [field.names[0] for field in fields]


def without(field: Field, *rows: int) -> Field:
    """The field with no value in some rows."""
    return replace(field, values=tuple(None if number in rows else value for number, value in enumerate(field.values)))


def rename(field: Field, *names: str) -> Field:
    """The field under another name, or names."""
    return replace(field, name=names)


class Fields:
    """Makes columns of one length; the same calls with the same seed give the same values.

    Args:
        seed: A text; the name of the case does.
        rows: How long they are.
    """

    def __init__(self, seed: str, rows: int = 24) -> None:
        self._random = random.Random(seed)
        self.rows = rows

    def number(self, name: str, low: float = 5, high: float = 900, places: int = 2) -> Field:
        """Amounts; never whole, so that their decimals matter."""
        step = 10**-places
        return Field(
            name=name,
            kinds=("number",),
            values=tuple(
                round(round(self._random.uniform(low, high), places - 1) + step, places) for _ in range(self.rows)
            ),
        )

    def integer(self, name: str, low: int = 1, high: int = 90) -> Field:
        """Counts."""
        return Field(
            name=name, kinds=("integer",), values=tuple(self._random.randint(low, high) for _ in range(self.rows))
        )

    def serial(self, name: str, first: int = 1) -> Field:
        """1, 2, 3, ..."""
        return Field(name=name, kinds=("integer",), values=tuple(range(first, first + self.rows)))

    def word(self, name: str, words: Sequence[str] = TOWNS) -> Field:
        """Words, each where there are enough rows."""
        start = self._random.randrange(len(words))
        values = tuple(words[(start + number * 2 + number // len(words)) % len(words)] for number in range(self.rows))
        return Field(name=name, kinds=("text",), values=values)

    def code(self, name: str, width: int = 5) -> Field:
        """Codes of digits, of which some begin with zero."""
        values = [f"{self._random.randrange(10**width):0{width}}" for _ in range(self.rows)]
        values[1] = f"0{values[1][1:]}"
        return Field(name=name, kinds=("text",), values=tuple(values))

    def days(self, name: str, start: date = date(2023, 1, 27), step: int = 3) -> Field:
        """Days in equal steps; with the defaults some are later than the 12th of a month."""
        return Field(
            name=name,
            kinds=("date",),
            values=tuple(start + timedelta(days=step * number) for number in range(self.rows)),
        )

    def months(self, name: str, year: int = 2021, step: int = 1) -> Field:
        """First days of months."""
        return Field(
            name=name,
            kinds=("date",),
            values=tuple(date(year + step * number // 12, step * number % 12 + 1, 1) for number in range(self.rows)),
        )

    def moments(self, name: str, minutes: int = 397) -> Field:
        """Dates with a time."""
        start = datetime(2024, 2, 11, 6, 15)
        return Field(
            name=name,
            kinds=("datetime",),
            values=tuple(start + timedelta(minutes=minutes * number) for number in range(self.rows)),
        )

    def flag(self, name: str) -> Field:
        """True and false."""
        return Field(name=name, kinds=("boolean",), values=tuple(self._random.random() < 0.4 for _ in range(self.rows)))
