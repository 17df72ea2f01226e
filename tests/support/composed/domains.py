"""Databases of three shapes, made with their data by a seed. What they hold and the words for it are in `domains.yaml`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

import yaml
from row_tables import RowTables
from rows_evaluator import Parent

Role = Literal[
    "key", "label", "category", "flag", "date", "measure", "rate", "duration", "reference", "named reference"
]
LEARNT = ("calls", "museums", "freight", "ferries")
"""The domains that weights may be learned on."""
MEASURED = ("rides", "orchards", "lessons", "parcels")
"""The domains that figures are reported on."""
_FIRST, _LAST = date(2019, 1, 1), date(2023, 1, 1)


@dataclass(frozen=True, kw_only=True)
class Field:
    """A column with the words for it. `lost` is how many of ten values are missing."""

    table: str
    name: str
    role: Role
    said: str
    many: str = ""
    values: tuple[str, ...] = ()
    high: int = 0
    digits: int = 0
    lost: int = 0
    verb: str = ""
    to: str = ""

    @property
    def leads_to(self) -> str:
        """The name of the table that a key leads to, under the name of the key."""
        return self.said if self.to == self.table else f"{self.said} {self.to}"

    @property
    def adds(self) -> bool:
        """Whether totals of it make sense."""
        return self.role in ("measure", "duration")


@dataclass(frozen=True, kw_only=True)
class Noun:
    """A table with the words for its rows."""

    table: str
    one: str
    many: str
    fields: tuple[Field, ...]
    size: int

    @property
    def label(self) -> Field:
        """What names a row."""
        return next((f for f in self.fields if f.role == "label"), self.fields[0])

    def of_role(self, *roles: Role) -> list[Field]:
        """The columns of some roles."""
        return [field for field in self.fields if field.role in roles]

    @property
    def measured(self) -> list[Field]:
        """The columns that hold quantities."""
        return self.of_role("measure", "rate", "duration")


@dataclass(frozen=True, kw_only=True)
class Domain:
    """The tables of one database, those that others refer to first."""

    name: str
    nouns: tuple[Noun, ...]

    @property
    def is_led(self) -> bool:
        """Whether keys lead to tables under names of their own."""
        return any(noun.of_role("named reference") for noun in self.nouns)

    def noun(self, table: str) -> Noun:
        """The table of a name."""
        return next(noun for noun in self.nouns if noun.table == table)

    def above(self, noun: Noun) -> list[Noun]:
        """The tables of which each row of a noun has one, over as many steps as it takes."""
        direct = [self.noun(field.to) for field in noun.of_role("reference")]
        return [*direct, *(far for near in direct for far in self.above(near))]

    def below(self, noun: Noun) -> list[Noun]:
        """The tables of which a row of a noun has many."""
        return [other for other in self.nouns if noun in self.above(other)]


@cache
def domain(name: str) -> Domain:
    """A domain as declared."""
    declared = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))[name]
    return Domain(name=name, nouns=tuple(_noun(table, words) for table, words in declared.items()))


def _noun(table: str, words: dict[str, Any]) -> Noun:
    fields = tuple(_field(table, name, said) for name, said in words["fields"].items())
    return Noun(table=table, one=words["one"], many=words["many"], size=words["size"], fields=fields)


def _field(table: str, name: str, said: dict[str, Any]) -> Field:
    both = product(said.pop("first", ()), said.pop("second", ()))
    values = tuple(said.pop("values", ())) or tuple(f"{a} {b}" for a, b in both)
    return Field(table=table, name=name, **{"said": name, **said}, values=values)


@cache
def made(name: str, seed: int = 0) -> RowTables:
    """A domain with its rows."""
    draw = random.Random(f"{name} {seed}")
    nouns = domain(name).nouns
    sizes = {noun.table: noun.size for noun in nouns}
    types = {
        f.name: "DATE" if f.role == "date" else "DOUBLE"
        for n in nouns
        for f in n.fields
        if f.role == "date" or f.digits
    }
    parents = tuple(Parent(n.table, f.name, f.to, "id") for n in nouns for f in n.of_role("reference"))
    named = tuple(Parent(n.table, f.name, f.to, "id", f.leads_to) for n in nouns for f in n.of_role("named reference"))
    return RowTables(
        name=name, tables={noun.table: _rows(noun, draw, sizes) for noun in nouns}, parents=parents + named, types=types
    )


def _rows(noun: Noun, draw: random.Random, sizes: dict[str, int]) -> list[dict[str, object]]:
    labels = iter(draw.sample(noun.label.values, noun.size) if noun.label.values else ())
    return [
        {field.name: _value(field, number, draw, sizes, labels) for field in noun.fields}
        for number in range(1, noun.size + 1)
    ]


def _value(field: Field, number: int, draw: random.Random, sizes: dict[str, int], labels: Iterator[str]) -> object:
    if draw.randrange(10) < field.lost:
        return None
    match field.role:
        case "key":
            return number
        case "label":
            return next(labels)
        case "category" | "flag":
            return draw.choice(field.values)
        case "date":
            return (_FIRST + timedelta(days=draw.randrange((_LAST - _FIRST).days))).isoformat()
        case "reference" | "named reference":
            return draw.randint(1, sizes[field.to] - 3)  # the last rows have none that refer to them
        case "measure" | "rate" | "duration":
            return round(draw.uniform(1, field.high), field.digits) if field.digits else draw.randint(1, field.high)
