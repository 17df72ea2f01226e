"""What the chart holds: meanings with the words they were read from. Shared by linking and grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from assistant.analyst.algebra import Column, Comparison, Condition, Figure, GrainName, Scalar, Term

# --- meanings of phrases that are not yet algebra ---


@dataclass(frozen=True, slots=True)
class Thing:
    """What can be counted and listed: a table's rows, or what a column of it names (`key`)."""

    table: str
    key: Column | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a column holds."""

    column: Column
    value: Scalar


@dataclass(frozen=True, slots=True)
class Period:
    """From a day on and before another; empty where open."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Recurring:
    """A part of a date that comes again: a month of the year, a weekday."""

    grain: GrainName
    value: int


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with a number."""

    op: Comparison
    n: float | int


@dataclass(frozen=True, slots=True)
class When:
    """A condition on a date column that the question does not name; `negated`: not then."""

    period: Period | Recurring
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """What to group by. A grain without a term is of a date column that the question does not name."""

    term: Term | None
    grain: GrainName | None = None
    thing: Thing | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure and the table whose rows it is computed from."""

    figure: Figure
    table: str


@dataclass(frozen=True, slots=True)
class Top:
    """The first `n` by something: a column, a figure, how often, or what the question names besides."""

    descending: bool
    n: int = 1
    by: Column | Measured | Thing | None = None
    by_count: bool = False


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a figure of each group."""

    measured: Measured | Thing
    bound: Bound


@dataclass(frozen=True, slots=True)
class Sort:
    """An order by a column or a figure, or by what is shown."""

    by: Column | Measured | None
    descending: bool = False


@dataclass(frozen=True, slots=True)
class NotThing:
    """Rows without related rows."""

    thing: Thing
    where: tuple[Condition | When, ...] = ()


@dataclass(frozen=True, slots=True)
class Flag:
    """An operator that only the whole question gives a place: share, growth, running, ..."""

    name: str
    value: str = ""


Meaning: TypeAlias = object


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A meaning of a category, with the words it uses (`mask`, a bit each), their span and how sure the links are."""

    category: str
    meaning: Meaning
    mask: int
    start: int
    end: int
    score: float
    rules: tuple[str, ...] = ()
