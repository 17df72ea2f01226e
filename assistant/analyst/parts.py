"""What the chart holds: meanings with the words they were read from. Shared by linking and grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from assistant.analyst.algebra import (
    Column,
    Comparison,
    Condition,
    Figure,
    Function,
    GrainName,
    Quantifier,
    Scalar,
    Term,
)

# --- meanings of phrases that are not yet algebra ---


@dataclass(frozen=True, slots=True)
class Thing:
    """What can be counted and listed: a table's rows, or what a column of it names (`key`)."""

    table: str
    key: Column | None = None


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """A value that a column holds."""

    column: Column
    value: Scalar


@dataclass(frozen=True, slots=True)
class Values:
    """Values of one column, of which any will do. `each`: joined by "and", so that they may be compared."""

    column: Column
    values: tuple[Scalar, ...]
    each: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """From a day on and before another; empty where open."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Recurring:
    """A part of a date that comes again: a month of the year, a weekday, the days of the weekend."""

    grain: GrainName
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with a number."""

    op: Comparison
    n: float | int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit: "30 minutes"."""

    n: float | int
    unit: str


@dataclass(frozen=True, slots=True)
class When:
    """A condition on a date column that the question does not name."""

    period: Period | Recurring

    @property
    def grain(self) -> GrainName | None:
        """The grain of groups that several such times are: parts that come again, or whole years."""
        if isinstance(self.period, Recurring):
            return self.period.grain
        return "year" if self.period.start[4:] == self.period.end[4:] == "-01-01" else None


@dataclass(frozen=True, slots=True)
class Has:
    """How many related things, that meet conditions, a row has; `anchor`: a row of which things, if it was said."""

    thing: Thing
    quantifier: Quantifier = "some"
    n: int = 1
    where: tuple[Pending, ...] = ()
    anchor: Thing | None = None


@dataclass(frozen=True, slots=True)
class Negated:
    """Rows that a condition does not hold for."""

    of: Pending


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Rows that at least one condition holds for. `each`: said with "and", so that they may be compared."""

    of: tuple[Pending, ...]
    each: bool = False


Pending: TypeAlias = Condition | When | Has | Negated | Alternatives
"""A condition that may still need to know whose rows it is about."""


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What to group by. A grain without a term is of a date column that the question does not name.

    `is_first`: such a group is itself what comes first, as in "the windiest month".
    """

    term: Term | None
    grain: GrainName | None = None
    thing: Thing | None = None
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A figure and the table whose rows it is computed from.

    `of_periods`: a function of what it comes to in each period, as in "average monthly revenue".
    """

    figure: Figure
    table: str
    of_periods: tuple[Function, GrainName] | None = None


PERIODS: frozenset[GrainName] = frozenset(("decade", "year", "quarter", "month", "day"))
"""Grains that go on: what they come to can be averaged over them."""

RANKED = 10
"""How many come first of a ranking whose length is not said."""


@dataclass(frozen=True, slots=True)
class Top:
    """The first `n` by something: a column, a figure, how often, or what the question names besides.

    `skip`: so many are passed over first: one for "the second highest". `sized`: a word of size said so, as "highest".
    """

    descending: bool
    n: int = 1
    by: Term | MeasuredFigure | Thing | None = None
    by_count: bool = False
    skip: int = 0
    sized: bool = False


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a figure of each group; None: on how many rows it has."""

    measured: MeasuredFigure | Thing | None
    bound: Bound


@dataclass(frozen=True, slots=True)
class Sort:
    """An order by a column or a figure, or by what is shown."""

    by: Column | MeasuredFigure | None
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """An operator that only the whole question gives a place: share, growth, running, ..."""

    name: str
    value: str = ""
    n: int = 0


Meaning: TypeAlias = object


@dataclass(frozen=True, slots=True)
class WordGuess:
    """A word of a question that nothing links, the word of a name that it was taken for, and how near they are.

    `measure`: the column of quantities that the word was taken for; empty for any other name or value.
    """

    said: str
    meant: str
    nearness: float
    measure: str = ""


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
    guesses: tuple[WordGuess, ...] = ()

    @classmethod
    def over(
        cls, category: str, meaning: Meaning, start: int, end: int, score: float, *, rules: tuple[str, ...] = ()
    ) -> Part:
        """A part that uses every word from `start` up to `end`, which is not used."""
        return cls(category, meaning, ((1 << end) - 1) ^ ((1 << start) - 1), start, end, score, rules)
