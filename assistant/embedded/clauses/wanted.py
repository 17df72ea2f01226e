"""What the clauses ask for: figures, conditions, related rows, periods. A draft gathers them for `assembly`.

Mutable like the draft itself: a later clause may say more of what an earlier one found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.embedded.dates import Period
from assistant.embedded.linking.options import Option, ToColumn, ToValue
from assistant.embedded.meaning import Aggregate, Grain, Literal_, Operator
from assistant.embedded.source.schema import Attribute, Entity

if TYPE_CHECKING:
    from assistant.embedded.clauses.draft import Draft
    from knowledge.documents import Metric


@dataclass(slots=True)
class Wanted:
    """A figure asked for. Exactly one of `attribute`, `entity` (its rows are counted) and `metric` is set.

    With `until` the figure is of the days from the attribute to that date; with `per` it is divided by another figure,
    or by the number of periods (`grain`, and nothing else is set). It is shown in `unit`, if one was asked for. It is
    of those rows alone that fulfil `only`, whatever other figures are of. `distinct`: "different customers" are those
    that the other figures speak of. `own`: it is a number of the group itself, one for all of its rows.
    """

    aggregate: Aggregate | None = None
    attribute: Attribute | None = None
    entity: Entity | None = None
    metric: Metric | None = None
    until: Attribute | None = None
    grain: Grain | None = None
    per: Wanted | None = None
    context: bool = False
    unit: str = ""
    only: list[FilterWanted] = field(default_factory=list)
    distinct: bool = False
    own: bool = False


@dataclass(slots=True)
class FilterWanted:
    """A condition on a column: against values, or against another column of the same row.

    With `denied` the operator is the opposite of the one that was said to hold for none; with `some` one row for which
    it holds is enough. Those of one `side` hold together, and one side is enough. With `days` it lies no more than so
    many days behind the other column's day. Where a share is asked for it binds the `whole` of which the share is,
    rather than the part. One with `every` holds for all rows, where there may be several. With `above`, a key of the
    table to itself, the other column is of the row that it names.
    """

    attribute: Attribute
    operator: Operator
    values: tuple[Literal_, ...]
    known: bool = True
    piece: int = -1
    other: Attribute | None = None
    denied: bool = False
    some: bool = False
    side: int | None = None
    days: int | float | None = None
    whole: bool = False
    above: Attribute | None = None
    every: bool = False


@dataclass(slots=True)
class RelatedWanted:
    """A condition on the number of related rows. `at` says which filters and periods belong to it.

    `several` demands that there can be more than one such row: it is one of two that must both be there. With `shared`
    the rows are those of the same table that have the same value there: "years shared by teams A and B"; with `other`
    they are those that have it in that column, of whatever table. `owner` says whose rows they are, where words do:
    "repeat customers" have several orders. An `alternative` is one of those of which one is enough.
    Their period goes by the date `dated`, if one was named. Rows that tie two of one table are had `along` the first
    of two keys, and the conditions are on what the second names. With `values` the different ones of these are counted.
    With `every` there are no others than these.
    """

    entity: Entity
    operator: Operator
    count: int
    at: int
    filters: list[FilterWanted] = field(default_factory=list)
    period: Period | None = None
    several: bool = False
    shared: Attribute | None = None
    other: Attribute | None = None
    owner: Entity | None = None
    alternative: bool = False
    dated: Attribute | None = None
    along: tuple[Attribute, Attribute] | None = None
    values: Attribute | None = None
    every: bool = False


@dataclass(slots=True)
class PairWanted:
    """Two choices of rows by the same columns, and the kind of word between them; `sure`: both must be there."""

    first: list[FilterWanted]
    second: list[FilterWanted]
    link: str
    sure: bool = False


@dataclass(slots=True)
class ComparedWanted:
    """A column compared with a figure of its own over the whole table: above average, the highest there is.

    With `of` the figure is that of certain rows, read as a question of its own; with `shared` it is that of the rows
    which have the same value there: "above the average of their album". It is taken `factor` times: "twice the
    average".
    """

    attribute: Attribute
    operator: Operator
    aggregate: Aggregate = "average"
    of: Draft | None = None
    shared: Attribute | None = None
    factor: float = 1.0


@dataclass(slots=True)
class FirstWanted:
    """A ranking, read as a question of its own: the rows must belong to what comes first in it.

    A `settled` one has periods of its own; another has those of the question that it stands in.
    """

    draft: Draft
    settled: bool = False


@dataclass(slots=True)
class BelongsWanted:
    """Rows, read as a question of their own: what is asked for has a `column` that one of them names."""

    draft: Draft
    column: Attribute


@dataclass(slots=True)
class KinWanted:
    """Rows whose `column` is among the `shown` of chosen rows of the same table, and the condition in words."""

    column: Attribute
    shown: Attribute
    filters: list[FilterWanted]
    label: str


@dataclass(slots=True)
class PeriodWanted:
    """A period, with the date column it speaks of if the words say so, or the table it stands next to.

    `newcomers` is what those are called who came in it, where that makes them new. With `every` it is that of all rows
    that there are.
    """

    period: Period
    attribute: Attribute | None = None
    near: Entity | None = None
    at: int = -1
    newcomers: str = ""
    every: bool = False


def kind_said(option: Option | None, at: int) -> FilterWanted | None:
    """The condition that a value or a yes-or-no column says by itself: "open tickets", "managers"."""
    match option:
        case ToValue():
            return FilterWanted(option.attribute, "=", (option.value,), option.known, at)
        case ToColumn() if option.attribute.true_value is not None:
            return FilterWanted(option.attribute, "=", (option.attribute.true_value,), piece=at)
        case _:
            return None
