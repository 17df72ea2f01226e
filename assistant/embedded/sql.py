"""From a meaning to SQL in the source's dialect, by way of sqlglot's tree.

Deterministic: one meaning gives one text. A condition on rows that a join would repeat becomes EXISTS, so it chooses
rows and never multiplies them. Names are quoted only where they must be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.lexicon import spoken
from assistant.embedded.meaning import ColumnRef, Dimension, JoinStep, Meaning, Measure
from assistant.embedded.schema import Schema
from assistant.embedded.tables import Tables, path_of
from assistant.embedded.temporal import truncated
from assistant.embedded.ties import extreme_groups, keeps_ties, only_extreme
from assistant.embedded.where import Where, compare

if TYPE_CHECKING:
    from sqlglot import exp


def to_sql(meaning: Meaning, schema: Schema, *, context: bool = True) -> str:
    """The SQL of a meaning, pretty-printed.

    Args:
        meaning: What is asked.
        schema: The source it is asked of.
        context: Whether to show figures and columns that were not asked for but explain the choice of rows.
    """
    if meaning.verified_sql is not None:
        return meaning.verified_sql
    tables = Tables(schema=schema, base=meaning.base)
    writer = _Writer(meaning, tables, Where(meaning, tables), context)
    return writer.write().sql(dialect=schema.dialect, pretty=True)


def column_names(meaning: Meaning, *, context: bool = True) -> tuple[str, ...]:
    """The result's column names, in order: dimensions (or listed columns) first, then measures."""
    names: list[str] = []
    for dimension in (*meaning.dimensions, *(c for c in meaning.columns if context or not c.context)):
        names += dimension_names(dimension)
    names += [slug(m.label) for m in meaning.measures if context or not m.context]
    return _unique(names)


def asked_names(meaning: Meaning) -> tuple[str, ...]:
    """Those of the result's column names that were asked for; nothing where all were."""
    if not any(part.context for part in (*meaning.columns, *meaning.measures)) or meaning.verified_sql is not None:
        return ()
    asked: list[bool] = []
    for dimension in (*meaning.dimensions, *meaning.columns):
        asked += [not dimension.context] * len(dimension_names(dimension))
    asked += [not measure.context for measure in meaning.measures]
    return tuple(name for name, wanted in zip(column_names(meaning), asked, strict=True) if wanted)


def dimension_names(dimension: Dimension) -> list[str]:
    """The names of a dimension's columns; a person's two names keep theirs."""
    if dimension.more:
        return [slug(spoken(ref.column)) for ref in (dimension.column, *dimension.more)]
    return [slug(dimension.label)]


def slug(label: str) -> str:
    """A label as a column name: lower case, words joined by underscores."""
    return re.sub(r"\W+", "_", label.lower()).strip("_") or "value"


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    out: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return tuple(out)


@dataclass
class _Writer:
    """Writes one SELECT."""

    meaning: Meaning
    tables: Tables
    where: Where
    context: bool

    def write(self) -> exp.Select:
        from sqlglot import exp

        meaning = self.meaning
        for steps in self._joined_ways():
            self.tables.join(steps)
        select = exp.Select()
        group: list[exp.Expr] = []
        tied = keeps_ties(meaning)
        context = self.context or (tied and bool(meaning.measures))
        names = iter(column_names(meaning, context=context))
        shown: list[exp.Expr] = []
        for dimension in meaning.dimensions:
            for ref in (dimension.column, *dimension.more):
                value = self._grained(ref, dimension)
                shown.append(exp.alias_(value, self.tables.name(next(names))))
                group.append(value.copy())
            group += [self.tables.column(ref) for ref in dimension.key]
        for column in meaning.columns:
            if column.context and not self.context:
                continue
            value = self.tables.column(column.column)
            shown.append(exp.alias_(value, self.tables.name(next(names))))
        for measure in meaning.measures:
            if context or not measure.context:
                shown.append(exp.alias_(self._measure(measure), self.tables.name(next(names))))
        select = select.select(*shown).from_(self.tables.table(meaning.base, self.tables.aliases[()]))
        for path, step in self.tables.joined.items():
            on = self.tables.link(step, self.tables.aliases[path[:-1]], self.tables.aliases[path])
            select = select.join(self.tables.table(step.right, self.tables.aliases[path]), on=on)
        conditions = self.where.conditions()
        if conditions:
            select = select.where(*conditions)
        if group and meaning.measures:
            select = select.group_by(*group)
        having = [compare(self._measure(meaning.measures[h.measure]), h.operator, (h.value,)) for h in meaning.having]
        if having:
            select = select.having(*having)
        if meaning.distinct:
            select = select.distinct()
        if tied:
            return self._tied(select)
        order = self._order()
        if order:
            select = select.order_by(*order)
        return select.limit(meaning.limit) if meaning.limit else select

    def _tied(self, select: exp.Select) -> exp.Select:
        """All that share the extreme, in the order of their names."""
        from sqlglot import exp

        meaning = self.meaning
        order = meaning.order[0]
        if not meaning.measures:
            value = self._ordered_by("column", order.index)[0]
            select = only_extreme(select, value, highest=order.descending)
            rest = [c.column for n, c in enumerate(meaning.columns) if n != order.index and not c.context]
            return select.order_by(*(self._sorted(self.tables.column(ref)) for ref in rest)) if rest else select
        name = self.tables.name(f"per_{slug(meaning.dimensions[0].label)}")
        figure = self.tables.name(self._measure_names()[order.index])
        shown = [self.tables.name(n) for n in column_names(meaning, context=self.context)]
        select = extreme_groups(select, name, shown, figure, highest=order.descending)
        named = shown[: sum(len(dimension_names(d)) for d in meaning.dimensions)]
        return select.order_by(*(self._sorted(exp.Column(this=i.copy())) for i in named))

    def _measure_names(self) -> tuple[str, ...]:
        return column_names(self.meaning)[-len(self.meaning.measures) :]

    def _joined_ways(self) -> list[tuple[JoinStep, ...]]:
        """The ways that are joined: of all that is shown, grouped by or computed, and of conditions that cannot
        repeat rows."""
        meaning = self.meaning
        ways: list[tuple[JoinStep, ...]] = []
        for measure in meaning.measures:
            ways += [measure.column.steps] if measure.column else []
            ways += measure.needs
        for dimension in (*meaning.dimensions, *meaning.columns):
            ways += [ref.steps for ref in (dimension.column, *dimension.more, *dimension.key)]
        joined = {path_of(way[:n]) for way in ways for n in range(len(way) + 1)}
        filters = () if meaning.either else meaning.filters
        others = [item.column.steps for item in (*filters, *meaning.times, *meaning.portion, *meaning.compared)]
        others += [condition.steps for condition in meaning.conditions]
        for way in others:
            inside = sum(1 for n in range(len(way)) if path_of(way[: n + 1]) in joined)
            if not any(step.many for step in way[inside:]):
                ways.append(way)
        return ways

    def _grained(self, ref: ColumnRef, dimension: Dimension) -> exp.Expr:
        column = self.tables.column(ref)
        if dimension.grain is None:
            return column
        attribute = self.tables.schema.attribute(ref.table, ref.column)
        return truncated(
            column, dimension.grain, self.tables.schema.dialect, stored_as_text=attribute.column.stored_as_text
        )

    # --- figures ---

    def _measure(self, measure: Measure) -> exp.Expr:
        from sqlglot import exp

        if self.meaning.portion:
            return self._portion()
        value = self._plain_measure(measure)
        if measure.share:
            total = exp.Window(this=exp.Sum(this=value.copy()))
            return exp.Div(
                this=exp.Mul(
                    this=exp.Literal.number("100.0"),
                    expression=exp.paren(value) if isinstance(value, exp.Binary) else value,
                ),
                expression=total,
            )
        return value

    def _plain_measure(self, measure: Measure) -> exp.Expr:
        from sqlglot import exp

        if measure.expression:
            return self.tables.parsed(measure.expression)
        if measure.aggregate == "count" or measure.column is None:
            repeated = (
                any(d.column.multiplies for d in self.meaning.dimensions)
                and len(self.tables.schema.entities[self.meaning.base].key) == 1
            )
            if repeated:
                key = self.tables.schema.entities[self.meaning.base].key[0]
                return exp.Count(this=exp.Distinct(expressions=[self.tables.at(self.tables.aliases[()], key)]))
            return exp.Count(this=exp.Star())
        column = self.tables.number(measure.column)
        match measure.aggregate:
            case "distinct":
                return exp.Count(this=exp.Distinct(expressions=[column]))
            case "sum":
                return exp.Sum(this=column)
            case "average":
                return exp.Avg(this=column)
            case "minimum":
                return exp.Min(this=column)
            case "maximum" | None:
                return exp.Max(this=column)

    def _portion(self) -> exp.Expr:
        """100 times the rows that fulfil the condition over all rows."""
        from sqlglot import exp

        measure = self.meaning.measures[0]
        condition = exp.and_(*(self.where.filter(f, self.tables.number(f.column)) for f in self.meaning.portion))
        amount = (
            self.tables.column(measure.column)
            if measure.column and measure.aggregate == "sum"
            else exp.Literal.number(1)
        )
        part = exp.Sum(this=exp.Case(ifs=[exp.If(this=condition, true=amount)], default=exp.Literal.number(0)))
        whole = exp.Sum(this=amount.copy()) if measure.aggregate == "sum" else exp.Count(this=exp.Star())
        return exp.Div(
            this=exp.Mul(this=exp.Literal.number("100.0"), expression=part),
            expression=exp.Nullif(this=whole, expression=exp.Literal.number(0)),
        )

    # --- order ---

    def _order(self) -> list[exp.Expr]:

        meaning = self.meaning
        if not meaning.dimensions and meaning.measures:
            return []
        made: list[exp.Expr] = []
        for order in meaning.order:
            for value in self._ordered_by(order.by, order.index):
                made.append(self._sorted(value, descending=order.descending, decisive=meaning.limit is not None))
        explicit = {order.index for order in meaning.order if order.by == "dimension"}
        if meaning.measures:
            timed = [d for d in meaning.dimensions if d.grain or d.label == "year"]
            if not made:
                first = timed
                made += [self._sorted(self._period(d)) for d in first]
                if not first and len(meaning.dimensions) == 1:
                    made.append(self._sorted(self._figure(0), descending=True))
            for n, dimension in enumerate(meaning.dimensions):
                if n not in explicit and dimension not in (timed if not meaning.order else ()):
                    made += [self._sorted(value) for value in self._ordered_by("dimension", n)]
        else:
            listed = {order.index for order in meaning.order if order.by == "column"}
            if not made or meaning.limit:
                for n, column in enumerate(meaning.columns):
                    if n not in listed:
                        made.append(self._sorted(self.tables.column(column.column)))
        return made

    def _period(self, dimension: Dimension) -> exp.Expr:
        """A period in ORDER BY, by its column's name."""
        from sqlglot import exp

        at = self.meaning.dimensions.index(dimension)
        before = sum(len(dimension_names(d)) for d in self.meaning.dimensions[:at])
        return exp.Column(this=self.tables.name(column_names(self.meaning)[before]))

    def _figure(self, index: int) -> exp.Expr:
        """A figure in ORDER BY: by its column's name where it is shown."""
        from sqlglot import exp

        measure = self.meaning.measures[index]
        if measure.context and not self.context:
            return self._measure(measure)
        return exp.Column(this=self.tables.name(self._measure_names()[index]))

    def _sorted(self, value: exp.Expr, *, descending: bool = False, decisive: bool = False) -> exp.Ordered:
        """An ORDER BY term. Where it decides which rows are kept, missing values come last in every engine."""
        from sqlglot import Dialect, exp

        small = Dialect.get_or_raise(self.tables.schema.dialect).NULL_ORDERING == "nulls_are_small"
        return exp.Ordered(this=value, desc=descending, nulls_first=small and not descending and not decisive)

    def _ordered_by(self, by: str, index: int) -> list[exp.Expr]:
        meaning = self.meaning
        if by == "measure":
            return [self._figure(index)]
        if by == "dimension":
            dimension = meaning.dimensions[index]
            if dimension.grain:
                return [self._period(dimension)]
            return [self._grained(ref, dimension) for ref in (dimension.column, *dimension.more)]
        column = meaning.columns[index]
        return [self.tables.number(column.column)]
