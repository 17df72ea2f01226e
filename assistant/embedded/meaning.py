"""What a question means, before any SQL: the typed intermediate form that reading makes and everything else uses.

A meaning belongs to one source and one base table, whose rows are counted, added up or listed. Every column knows the
way to it from the base (`ColumnRef.steps`), so nothing is searched for again later. Values only: no behaviour but
small questions about themselves. Serialised as JSON it travels in the event log.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict

from assistant.embedded.words.lexicon import singular

Aggregate = Literal["count", "distinct", "sum", "average", "minimum", "maximum"]
Grain = Literal["day", "week", "month", "quarter", "year"]
DatePart = Literal["weekday", "hour", "calendar month"]
Operator = Literal[
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "between",
    "not between",
    "in",
    "not in",
    "contains",
    "starts",
    "ends",
    "missing",
    "present",
    "not contains",
    "not starts",
    "not ends",
]
OPPOSITE: dict[Operator, Operator] = {
    ">": "<=",
    ">=": "<",
    "<": ">=",
    "<=": ">",
    "=": "!=",
    "!=": "=",
    "between": "not between",
    "not between": "between",
    "in": "not in",
    "not in": "in",
    "missing": "present",
    "contains": "not contains",
    "starts": "not starts",
    "ends": "not ends",
    "not contains": "contains",
    "not starts": "starts",
    "not ends": "ends",
}
"""What holds where an operator does not."""
ChartKind = Literal["bar", "line", "area", "pie", "scatter", "none"]
Literal_ = str | int | float | bool


PERCENT = "%"
ALL_THE_REST = 2**31 - 1
"""A limit beyond any number of rows: all that come behind an offset, which not every engine takes by itself."""


def needs_several(operator: Operator, count: int) -> bool:
    """Whether so many rows are more than one: "more than 1", "at least 2", "exactly 3"."""
    return operator in (">", ">=", "=") and count + (operator == ">") > 1


class Form(BaseModel):
    """Base of all parts of a meaning: frozen, and closed against fields nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class JoinStep(Form):
    """One step along a key. `many`: a row on the left may meet several on the right; `optional`: or none."""

    left: str
    left_columns: tuple[str, ...]
    right: str
    right_columns: tuple[str, ...]
    many: bool = False
    optional: bool = False
    inferred: bool = False


class ColumnRef(Form):
    """A column and the way to it from the meaning's base table; no steps means it is the base's own."""

    table: str
    column: str
    steps: tuple[JoinStep, ...] = ()

    @property
    def of_own_table(self) -> bool:
        """Whether it belongs to another row of the same table, as an employee's manager does."""
        return bool(self.steps) and self.steps[-1].left == self.steps[-1].right

    @property
    def multiplies(self) -> bool:
        """Whether following the way may repeat rows of the base."""
        return any(step.many for step in self.steps)


class Measure(Form):
    """A figure: an aggregate of a column, a count of rows, or a metric of the knowledge base (`expression`).

    `context` marks a figure that was not asked for but shows why the rows were chosen. `share` asks for each group's
    part of the whole. `until` makes the figure one of the days from `column` to that date, `per` divides it by another
    figure, and `grain` counts the periods in which the column lies. `factor` brings it into the unit asked for.
    `needs` are the ways to further tables that a metric's expression speaks of, `requires` the metric's own conditions
    in SQL. Made of the rows that fulfil `only`, it may stand beside figures of all rows or of others; with
    `as_zero` a missing number counts as zero. With `or_none` the rows are counted that the way to the column leads to,
    and what has none of them counts as well.
    """

    aggregate: Aggregate | None = None
    column: ColumnRef | None = None
    metric: str | None = None
    expression: str | None = None
    requires: tuple[str, ...] = ()
    needs: tuple[tuple[JoinStep, ...], ...] = ()
    only: tuple[Filter, ...] = ()
    label: str
    unit: str = ""
    share: bool = False
    until: ColumnRef | None = None
    grain: Grain | None = None
    per: Measure | None = None
    factor: float = 1.0
    context: bool = False
    as_zero: bool = False
    or_none: bool = False

    @property
    def of_rows(self) -> ColumnRef | None:
        """The column whose values, one for each row, the figure is made of; None for days between dates and ratios."""
        return None if self.until or self.per or self.grain else self.column


class Dimension(Form):
    """What rows are grouped by, or a listed column. `key` are further columns that tell groups apart, not shown.

    A date is grouped by the period it lies in (`grain`) or by what it is within every period (`part`), a number by the
    range between two `edges`. `context` marks one that was not asked for but shows why the rows were chosen, or which
    of those that are alike come first.
    """

    column: ColumnRef
    label: str
    grain: Grain | None = None
    part: DatePart | None = None
    edges: tuple[float, ...] = ()
    more: tuple[ColumnRef, ...] = ()
    key: tuple[ColumnRef, ...] = ()
    context: bool = False


class Filter(Form):
    """A condition on one column. `fold_case`: the value is not known to be in it; `flag`: it says yes or no.

    Conditions of one `side` hold together, where one of several sides is enough.

    With `other` the column is compared with another one of the same row, and there are no values; with `days` both
    hold dates, and the column's lies no more than so many days behind the other's: whole days, or a part of days that
    is counted from moment to moment where it is no whole number by its type. With `part` the
    values are numbers of weekdays, hours or months. `whole`: it binds the whole of a share rather than the part.
    """

    column: ColumnRef
    operator: Operator
    values: tuple[Literal_, ...] = ()
    other: ColumnRef | None = None
    other_label: str = ""
    label: str = ""
    fold_case: bool = False
    flag: bool = False
    side: int | None = None
    days: int | float | None = None
    part: DatePart | None = None
    whole: bool = False


class Condition(Form):
    """A condition in the knowledge base's SQL, over columns of `table`; `rule`: a standing rule, nobody asked."""

    table: str
    sql: str
    steps: tuple[JoinStep, ...] = ()
    label: str
    document: str = ""
    negated: bool = False
    rule: bool = False


class Related(Form):
    """How many rows of another table belong to a row of the base: "customers with more than 5 orders", "without".

    Columns of those rows have no steps in `filters` and `time`; columns of tables beside them have all from the base.
    An `alternative` is one of those of which one is enough. With `values` the different values of that column of theirs
    are counted rather than the rows.
    """

    steps: tuple[JoinStep, ...]
    operator: Operator
    count: int
    label: str
    filters: tuple[Filter, ...] = ()
    time: TimeRange | None = None
    conditions: tuple[Condition, ...] = ()
    alternative: bool = False
    values: str = ""


class AgainstAll(Form):
    """The column compared with its own average, highest or lowest value over the whole table, over the rows that have
    the same value in the column `shared` of that table, or with a figure `of` certain rows; with so many times the
    average, where there is a `factor`. Its rows with the same value in the column `once` are one.
    """

    column: ColumnRef
    operator: Operator
    label: str
    aggregate: Aggregate = "average"
    of: Meaning | None = None
    shared: str | None = None
    shared_label: str = ""
    factor: float = 1.0
    once: str = ""


class Among(Form):
    """The column's value is among those of other rows: "in the hall with the most rooms", "who report to Ada".

    The rows are what comes first in a ranking, or those under a condition of their own ("customers with more than 5
    orders"); with a `label`, which says the condition in words, they are rows of the column's own table.
    """

    column: ColumnRef
    rows: Meaning
    label: str = ""


class TimeRange(Form):
    """A half-open range of days on one column. `year_number` means that the column holds the year as a number.

    `newcomers` is what those are called who came in it, where that is what makes them new: "new customers".
    """

    column: ColumnRef
    start: date | None = None
    end: date | None = None
    label: str
    year_number: bool = False
    newcomers: str = ""


class Having(Form):
    """A condition on a figure of each group: against a value, or against the same figure over all rows (`overall`).

    With `part` it is against that part of the figure over all rows: more than a fifth of revenue. A `typical` one is
    against the average of the figure over all groups, or so many times that: more orders than customers have on
    average. With `against` it is that of the one group which the condition tells: more orders than Ada; with `than` it
    is against another figure.
    """

    measure: int
    operator: Operator
    value: float = 0.0
    overall: bool = False
    typical: bool = False
    part: float = 1.0
    against: Filter | None = None
    than: int | None = None


class Order(Form):
    """Order by the n-th measure, dimension or listed column."""

    by: Literal["measure", "dimension", "column"]
    index: int = 0
    descending: bool = False


class Meaning(Form):
    """A question, understood. Either `measures` are asked for (by `dimensions`) or rows are listed (`columns`).

    With `either` one of the filters, the periods and the related rows that are alternatives is enough, or of the sides
    of the filters, where they have any. With `portion`
    the conditions choose no rows but a part of them, and the figure is that part's share. `ties` goes with a limit of
    one that nobody named: all that share the extreme are meant, or with `place` the second, third or further value from
    there. The `offset` passes over so many places, and the limit counts from there. With `within` the limit holds for
    each value of the first so many groups or columns. What stands `beside` has figures of other tables by the same
    groups; with `divided` the first figure is divided by the second, and told in `percent`. Rows of the base with the
    same value in the column `once` are one: an order, in a file of its lines.
    """

    source: str
    base: str
    base_label: str
    measures: tuple[Measure, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    columns: tuple[Dimension, ...] = ()
    distinct: bool = False
    filters: tuple[Filter, ...] = ()
    either: bool = False
    conditions: tuple[Condition, ...] = ()
    related: tuple[Related, ...] = ()
    compared: tuple[AgainstAll, ...] = ()
    among: tuple[Among, ...] = ()
    times: tuple[TimeRange, ...] = ()
    having: tuple[Having, ...] = ()
    portion: bool = False
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    ties: bool = False
    place: int = 1
    within: int = 0
    beside: tuple[Meaning, ...] = ()
    divided: bool = False
    percent: bool = False
    once: str = ""
    chart: ChartKind | None = None
    verified_sql: str | None = None
    verified_by: str = ""
    title: str = ""

    @property
    def grouped(self) -> bool:
        """Whether the result has a row per group."""
        return bool(self.dimensions)

    @property
    def keeps_ties(self) -> bool:
        """Whether all that share the extreme are wanted: one order decides, and no number was asked for."""
        if not self.ties or self.limit != 1 or len(self.order) != 1:
            return False
        if self.measures and not self.dimensions:
            return False  # one row of figures: there is nothing that could share
        return self.order[0].by == ("measure" if self.measures else "column")

    @property
    def every_filter(self) -> tuple[Filter, ...]:
        """The conditions on columns, of its own rows and of the related ones."""
        return (*self.filters, *(item for related in self.related for item in related.filters))

    @property
    def over_time(self) -> Dimension | None:
        """The dimension that is a period of time, if there is one."""
        return next((dimension for dimension in self.dimensions if dimension.grain), None)

    @property
    def figures(self) -> tuple[Measure, ...]:
        """Every figure that the result shows, in order."""
        found = (*self.measures, *(m for other in self.beside for m in other.measures))
        if not self.divided:
            return found
        if self.percent:
            return (*found, Measure(label=f"{found[0].label} as % of {found[1].label}", unit=PERCENT))
        return (*found, Measure(label=f"{found[0].label} per {singular(found[1].label)}"))

    def tables(self) -> tuple[str, ...]:
        """Every table the meaning reads, the base first."""
        names = [self.base]
        for reference in self.references():
            names += [step.right for step in reference.steps]
        for condition in self.conditions:
            names += [step.right for step in condition.steps]
        for related in self.related:
            names += [step.right for step in related.steps]
        for measure in self.measures:
            needs = (*measure.needs, *(measure.per.needs if measure.per else ()))
            names += [step.right for way in needs for step in way]
        names += [name for other in self.beside for name in other.tables()]
        names += [name for one in self.among for name in one.rows.tables()]
        names += [name for item in self.compared if item.of for name in item.of.tables()]
        return tuple(dict.fromkeys(names))

    def references(self) -> tuple[ColumnRef, ...]:
        """Every column the meaning uses, without those inside related counts and metric expressions."""
        found: list[ColumnRef] = []
        for measure in self.measures:
            found += [ref for part in (measure, measure.per) if part for ref in (part.column, part.until) if ref]
            found += [item.column for item in measure.only]
        for dimension in self.dimensions + self.columns:
            found += [dimension.column, *dimension.more, *dimension.key]
        found += [ref for item in self.filters for ref in (item.column, item.other) if ref]
        found += [item.column for item in self.times]
        found += [item.column for item in (*self.compared, *self.among)]
        found += [ref for other in self.beside for ref in other.references()]
        return tuple(found)


AgainstAll.model_rebuild()
Among.model_rebuild()
Measure.model_rebuild()
Meaning.model_rebuild()
Related.model_rebuild()
