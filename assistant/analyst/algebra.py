"""What a question can mean: a small, closed set of immutable values. Every reading is made of them alone.

Closed means: where a set of rows may stand any set of rows may (a table's, or the groups of another query), and where
a value may stand any value may (a column, a number, the single figure of another query).

    rows        Rows | Groups
    term        Column | Output | Constant | Days | Arithmetic | Grain | Band | Single | Defined   one value for a row
    condition   Compare | OneOf | Missing | Text | Within | Not | Both | Either | Related | Member | Defined
    figure      Count | Aggregate | Metric | Combined | Share | Window                   one value for a group
    query       Listing | Grouped

Conditions have three values, as in SQL: a comparison with a missing value is neither true nor false, and so is its
negation. Fields are positional: a value reads like a term of algebra, `Compare(amount, ">", Constant(5))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Quantifier = Literal["some", "none", "every", "at least", "at most", "exactly"]
Function = Literal["count", "distinct", "sum", "mean", "median", "percentile", "stddev", "min", "max"]
GrainName = Literal["decade", "year", "quarter", "month", "day", "quarter of year", "month of year", "weekday", "hour"]
"""A period that goes on (`month`: 2024-03), or a part that comes again (`month of year`: 3; `weekday`: 0 is Sunday)."""


# --- terms: one value for a row ---


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the rows' table, or of a table that each row has at most one row of."""

    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a query at a place, from 0; where the rows are its groups, or for conditions on its groups."""

    place: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that the question names."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days from one date to another."""

    start: Term
    end: Term


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two numbers of a row put together."""

    op: Literal["+", "-", "*", "/"]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Grain:
    """A date cut to a period, or a part of it."""

    of: Term
    grain: GrainName


@dataclass(frozen=True, slots=True)
class Band:
    """The interval of a width that a number lies in, by its lower end: 34 in bands of 10 is 30."""

    of: Term
    width: int


@dataclass(frozen=True, slots=True)
class Single:
    """The one figure of a query without keys, as in "above the average"."""

    query: Grouped


@dataclass(frozen=True, slots=True)
class Defined:
    """A value or a condition of a row that a person has defined: SQL over `columns`, each written `table.column`.

    A condition without a name belongs to a metric or a rule, which is named in its stead.
    """

    name: str
    sql: str
    columns: tuple[Column, ...]


Term: TypeAlias = Column | Output | Constant | Days | Arithmetic | Grain | Band | Single | Defined


# --- conditions: which rows ---


@dataclass(frozen=True, slots=True)
class Compare:
    """Two values compared."""

    left: Term
    op: Comparison
    right: Term


@dataclass(frozen=True, slots=True)
class OneOf:
    """A value among some."""

    term: Term
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """No value: NULL, or a marker such as `NA`."""

    term: Term


@dataclass(frozen=True, slots=True)
class Text:
    """A text that contains, starts or ends with another, in any case."""

    term: Term
    how: Literal["contains", "starts", "ends"]
    text: str


@dataclass(frozen=True, slots=True)
class Within:
    """A date from `start` on and before `end`; ISO days, empty where open."""

    term: Term
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of any condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """All of some conditions; none at all is true."""

    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some conditions."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """How many rows of another table, that meet a condition, a row of `table` has.

    `every` means that none of its rows fails the condition or leaves it open, and that it has one.
    """

    table: str
    rows: Rows
    quantifier: Quantifier = "some"
    n: int = 1


@dataclass(frozen=True, slots=True)
class Member:
    """A value that the first output of a query has: "customers who also ...", "never ..."."""

    term: Term
    query: Query


Condition: TypeAlias = Compare | OneOf | Missing | Text | Within | Not | Both | Either | Related | Member | Defined
NO_FILTER = Both()
"""The condition that every row meets."""


# --- rows ---


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table that meet a condition.

    `once`: only one of them for each value of that column. All that is read of them is the same on the others.
    """

    table: str
    where: Condition = NO_FILTER
    once: Column | None = None


@dataclass(frozen=True, slots=True)
class Groups:
    """The results of a query as rows: a term is one of its outputs."""

    query: Query
    where: Condition = NO_FILTER


RowSet: TypeAlias = Rows | Groups


# --- figures: one value for a group ---


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows of a group; those that meet `where`. `of`: rows of another table that belong to the group."""

    where: Condition = NO_FILTER
    of: Rows | None = None


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function of a term over a group. `fraction` is the percentile's, 0 to 1. `of` as for `Count`."""

    function: Function
    term: Term
    where: Condition = NO_FILTER
    fraction: float = 0.5
    of: Rows | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that a person has defined: SQL of aggregates over `columns`, each written `table.column`.

    `table` is whose rows it is computed from, `date` the column by which it has a time. `of` as for `Count`.
    """

    name: str
    table: str
    sql: str
    columns: tuple[Column, ...]
    date: Column | None = None
    unit: str = ""
    where: Condition = NO_FILTER
    of: Rows | None = None


@dataclass(frozen=True, slots=True)
class Combined:
    """Two figures put together. `growth` is from left to right: `right / left - 1`."""

    how: Literal["ratio", "difference", "growth"]
    left: Figure
    right: Figure


@dataclass(frozen=True, slots=True)
class Share:
    """A group's part of the total of a figure over all groups that agree on the keys at `within`."""

    figure: Figure
    within: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """A figure seen along the groups, in the order of the key at `along`, for each value of the keys at `within`.

    `running`: its total so far. `moving`: its mean over the last `n` groups. `lag`: its value `n` groups before.
    `rank`: its place from the greatest, 1 first, equal ones alike; `along` does not count.
    """

    how: Literal["running", "moving", "lag", "rank"]
    figure: Figure
    along: int = 0
    within: tuple[int, ...] = ()
    n: int = 1


Leaf: TypeAlias = Count | Aggregate | Metric
"""A figure that is made of no other."""

Figure: TypeAlias = Count | Aggregate | Metric | Combined | Share | Window


# --- queries ---


@dataclass(frozen=True, slots=True)
class Order:
    """An order by an output. Missing values come last."""

    place: int
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """Only the first `n` in order, for each value of the outputs at `within`; with `ties`, all that equal the last.

    `skip`: so many are passed over first; with `ties`, so many different values.
    """

    n: int
    within: tuple[int, ...] = ()
    ties: bool = False
    skip: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Some values of each row. The first `shown` outputs are results; further ones serve the order."""

    of: RowSet
    outputs: tuple[Term, ...]
    distinct: bool = False
    order: tuple[Order, ...] = ()
    limit: Limit | None = None
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class Grouped:
    """Figures for each group of rows; without keys, for all of them. Outputs are the keys, then the figures.

    `having` is a condition on outputs. `shown` are the places of the results; None for all.
    """

    of: RowSet
    keys: tuple[Term, ...]
    figures: tuple[Figure, ...]
    having: Condition = NO_FILTER
    order: tuple[Order, ...] = ()
    limit: Limit | None = None
    shown: tuple[int, ...] | None = None


Query: TypeAlias = Listing | Grouped
Value: TypeAlias = Term | Condition | RowSet | Figure | Query | Order | Limit


def is_count(figure: object) -> bool:
    """Whether a figure says how many rows, values or different values there are."""
    return isinstance(figure, Count) or (isinstance(figure, Aggregate) and figure.function in ("count", "distinct"))


def is_share(figure: object) -> bool:
    """Whether a figure is the part of some rows that meets a condition."""
    return isinstance(figure, Combined) and isinstance(figure.left, Count) and figure.left != figure.right == Count()


def outputs_shown(query: Query) -> tuple[Term | Figure, ...]:
    """What each column of a query's result is."""
    match query:
        case Listing():
            return query.outputs[: query.shown]
        case Grouped():
            outputs = (*query.keys, *query.figures)
            return outputs if query.shown is None else tuple(outputs[i] for i in query.shown)


def width(query: Query) -> int:
    """How many columns a query's result has."""
    return len(outputs_shown(query))


def conditions_of(where: Condition) -> tuple[Condition, ...]:
    """The conditions that all must hold."""
    return where.conditions if isinstance(where, Both) else (where,)


def both(*conditions: Condition) -> Condition:
    """All of some conditions, nested ones taken apart, each once."""
    flat = tuple(dict.fromkeys(part for condition in conditions for part in conditions_of(condition)))
    return flat[0] if len(flat) == 1 else Both(flat)


def settled(rows: RowSet) -> set[Term]:
    """What a condition leaves rows one value of."""
    return {p.left for p in conditions_of(rows.where) if isinstance(p, Compare) and p.op == "="}


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a kind of value; none for a plain one."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _inside(value: object) -> Iterable[object]:
    """The values directly inside a value."""
    if isinstance(value, tuple):
        return value  # pyright: ignore[reportUnknownVariableType]
    return [getattr(value, name) for name in _fields(type(value))]


def _of_row(value: object) -> Iterable[object]:
    """The values directly inside a value that speak of the same row."""
    if isinstance(value, Member):
        return (value.term,)
    return () if isinstance(value, Related | Single | Rows | Groups) else reversed(tuple(_inside(value)))


def parts(value: object, inside: Callable[[object], Iterable[object]] = _inside) -> Iterator[object]:
    """A value and all values inside it, queries inside queries included."""
    waiting: list[object] = [value]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(inside(part))


def here(value: object) -> Iterator[object]:
    """A value and all values inside it that speak of the same row, in order: no related rows, no other queries."""
    return parts(value, _of_row)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value of the algebra with every part changed, the inner ones first."""
    if isinstance(value, tuple):
        return tuple(mapped(item, change) for item in value)
    names = _fields(type(value))
    return change(replace(value, **{name: mapped(getattr(value, name), change) for name in names})) if names else value


def tables_here(value: object) -> tuple[str, ...]:
    """The tables whose columns a value reads for one row, each once."""
    tables = [part.table for part in here(value) if isinstance(part, Column | Related)]
    return tuple(dict.fromkeys(tables))
