"""From a meaning to SQL in the source's dialect, by way of sqlglot's tree.

Deterministic: one meaning gives one text. A condition on rows that a join would repeat becomes EXISTS, so it chooses
rows and never multiplies them. Names are quoted only where they must be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.meaning import ColumnRef, Dimension, Having, Meaning
from assistant.embedded.source.schema import Schema
from assistant.embedded.sql.conditions import compare, compared, fulfilled
from assistant.embedded.sql.headings import column_names, dimension_names, slug
from assistant.embedded.sql.measuring import Figures
from assistant.embedded.sql.noted import with_days
from assistant.embedded.sql.once import with_one_row
from assistant.embedded.sql.ranges import range_name, range_number
from assistant.embedded.sql.tables import Tables
from assistant.embedded.sql.temporal import part_name, part_number, truncated
from assistant.embedded.sql.ties import extreme_groups, first_within, only_extreme
from assistant.embedded.sql.together import Part, together
from assistant.embedded.sql.ways import joined_ways, may_lack
from assistant.embedded.sql.where import Where

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
    parts = [_Writer.of(part, schema, context) for part in (meaning, *meaning.beside)]
    if not meaning.beside:
        return with_days(parts[0].select(), meaning, schema).sql(dialect=schema.dialect, pretty=True)
    names = [parts[0].tables.name(name) for name in column_names(meaning, context=context)]
    periods = any(d.grain or d.part for d in meaning.dimensions)
    groups = sum(len(dimension_names(d)) for d in meaning.dimensions)
    select = together(
        [part.grouped() for part in parts],
        names,
        order=_order_of_all(meaning, groups, context=context),
        groups=groups,
        divided=meaning.divided,
        percent=meaning.percent,
        periods=periods,
    )
    return with_days(select, meaning, schema).sql(dialect=schema.dialect, pretty=True)


def _order_of_all(meaning: Meaning, groups: int, *, context: bool) -> tuple[int, bool] | None:
    """The column by which figures side by side are ordered, by its place, and whether downwards; None if not shown."""
    for order in meaning.order:
        if order.by == "measure":
            shown = [n for n, m in enumerate(meaning.figures) if context or not m.context]
            return (groups + shown.index(order.index), order.descending) if order.index in shown else None
        return sum(len(dimension_names(d)) for d in meaning.dimensions[: order.index]), order.descending
    return None


@dataclass
class _Writer:
    """Writes one SELECT."""

    meaning: Meaning
    tables: Tables
    where: Where
    context: bool

    def __post_init__(self) -> None:
        self.figures = Figures(self.meaning, self.tables, self.where)

    @classmethod
    def of(cls, meaning: Meaning, schema: Schema, context: bool) -> _Writer:
        alone = meaning.model_copy(update={"beside": (), "divided": False})
        if meaning.beside:
            alone = alone.model_copy(update={"order": ()})  # what stands side by side is ordered as a whole
        tables = Tables(schema=schema, base=meaning.base)

        def ranked(inner: Meaning) -> exp.Select:
            select = cls.of(inner, schema, context=False).write()
            if select.args.get("limit") is None:
                select.set("order", None)  # the tied are taken together
            return select

        return cls(alone, tables, Where(alone, tables, ranked), context)

    def grouped(self) -> Part:
        """The SELECT as one of several that stand side by side: unordered, with what tells its groups apart."""
        from sqlglot import exp

        select = self.select()
        select.set("order", None)
        keys = [value for d in self.meaning.dimensions for value in self._key(d)]
        return Part(
            select=select.select(*(exp.alias_(value, f"key_{n}") for n, value in enumerate(keys, start=1))),
            figures=sum(self.context or not m.context for m in self.meaning.measures),
            keys=len(keys),
        )

    def select(self) -> exp.Select:
        """The SELECT over what the meaning counts once."""
        once, alias = self.meaning.once, self.tables.aliases[()]
        return with_one_row(self.write(), once, alias, self.tables.schema.dialect) if once else self.write()

    def write(self) -> exp.Select:
        from sqlglot import exp

        meaning = self.meaning
        for steps in joined_ways(meaning):
            self.tables.join(steps)
        needed = set(self.tables.joined)
        for measure in meaning.measures:
            for item in measure.only:
                self.tables.join(item.column.steps)
        select = exp.Select()
        group: list[exp.Expr] = []
        tied = meaning.keeps_ties
        context = self.context or ((tied or meaning.within > 0) and bool(meaning.measures))
        names = iter(column_names(meaning, context=context))
        shown: list[exp.Expr] = []
        for dimension in meaning.dimensions:
            for ref in (dimension.column, *dimension.more):
                value = self._grained(ref, dimension)
                if context or not dimension.context:
                    shown.append(exp.alias_(value, self.tables.name(next(names))))
                group.append(value.copy())
            group += self._key(dimension)
        for column in meaning.columns:
            if column.context and not self.context:
                continue
            for ref in (column.column, *column.more):
                shown.append(exp.alias_(self.tables.column(ref), self.tables.name(next(names))))
        for measure in meaning.measures:
            if context or not measure.context:
                shown.append(exp.alias_(self.figures.of(measure), self.tables.name(next(names))))
        select = select.select(*shown).from_(self.tables.table(meaning.base, self.tables.aliases[()]))
        for path, step in self.tables.joined.items():
            on = self.tables.link(step, self.tables.aliases[path[:-1]], self.tables.aliases[path])
            kind = "left" if path not in needed or may_lack(meaning, self.tables, path) else ""
            select = select.join(self.tables.table(step.right, self.tables.aliases[path]), on=on, join_type=kind)
        conditions = dict.fromkeys(self.where.conditions())  # a metric may ask for what a rule says anyway
        if conditions:
            select = select.where(*conditions)
        if group and meaning.measures:
            select = select.group_by(*group)
        if meaning.having:
            select = select.having(*(self._having(h, select) for h in meaning.having))
        if meaning.distinct:
            select = select.distinct()
        if meaning.within:
            return self._within(select)
        if tied:
            return self._tied(select)
        order = self._order()
        if order:
            select = select.order_by(*order)
        if not meaning.limit:
            return select
        select = select.limit(meaning.limit)
        return select.offset(meaning.offset) if meaning.offset else select

    def _having(self, having: Having, select: exp.Select) -> exp.Expr:
        """A condition on a figure of each group."""
        from sqlglot import exp

        value = self.figures.of(self.meaning.measures[having.measure])
        if not having.overall:
            return compare(value, having.operator, (having.value,))
        if having.than is not None:
            return compared(value, having.operator, self.figures.of(self.meaning.measures[having.than]))
        if having.typical:
            figure = self.tables.name("figure")
            groups = select.copy()
            groups.set("expressions", [exp.alias_(value.copy(), figure)])
            average: exp.Expr = exp.Avg(this=exp.Column(this=figure.copy()))
            if having.part != 1.0:
                average = exp.Mul(this=exp.Literal.number(f"{having.part:.12g}"), expression=average)
            return compared(
                value, having.operator, exp.Subquery(this=exp.select(average).from_(groups.subquery("all_groups")))
            )
        whole = exp.Select().select(value.copy()).from_(select.args["from_"].this.copy())
        whole.set("joins", [join.copy() for join in select.args.get("joins") or []])
        if (conditions := select.args.get("where")) is not None:
            whole.set("where", conditions.copy())
        if having.against is not None:
            whole = whole.where(fulfilled(having.against, self.tables.column(having.against.column)))
        bound: exp.Expr = exp.Subquery(this=whole)
        if having.part != 1.0:
            bound = exp.Mul(this=exp.Literal.number(f"{having.part:.12g}"), expression=bound)
        return compared(value, having.operator, bound)

    def _key(self, dimension: Dimension) -> list[exp.Expr]:
        """What tells groups apart, or puts them in order, beside what is shown of them."""
        if dimension.part == "weekday":
            return [self._part_number(dimension)]
        if dimension.edges:
            return [range_number(self.tables.number(dimension.column), dimension.edges)]
        return [self.tables.column(ref) for ref in dimension.key]

    def _within(self, select: exp.Select) -> exp.Select:
        """The first so many of each group, in the order of the groups."""
        from sqlglot import exp

        meaning = self.meaning
        order = meaning.order[0]
        grouped = (meaning.dimensions or meaning.columns)[: meaning.within]
        parts = [v for d in grouped for v in (self._grained(d.column, d), *(self.tables.column(r) for r in d.key))]
        value = (
            self.figures.of(meaning.measures[order.index])
            if meaning.measures
            else self.tables.number(meaning.columns[order.index].column)
        )
        rest = [] if meaning.ties else [self.tables.column(d.column) for d in meaning.dimensions[meaning.within :]]
        ranks = [self._sorted(value, descending=order.descending, decisive=True), *(self._sorted(v) for v in rest)]
        columns = [self.tables.name(n) for n in column_names(meaning, context=self.context)]
        firsts = [self.tables.name(n) for d in grouped for n in dimension_names(d)]
        if meaning.measures:
            figure = self.tables.name(self._measure_names()[order.index])
            by = [self._sorted(exp.Column(this=figure), descending=order.descending)]
        else:
            by = []
        last = columns[len(firsts) : sum(len(dimension_names(d)) for d in (meaning.dimensions or meaning.columns[:1]))]
        by += [self._sorted(exp.Column(this=i.copy())) for i in last]
        place = self.tables.name("place")
        made = first_within(
            select,
            parts,
            ranks,
            place,
            columns,
            limit=meaning.limit or 1,
            offset=meaning.offset,
            tied=meaning.ties,
            at=meaning.place,
        )
        return made.order_by(*(self._sorted(exp.Column(this=i.copy())) for i in firsts), *by)

    def _tied(self, select: exp.Select) -> exp.Select:
        """All that share the extreme, in the order of their names."""
        from sqlglot import exp

        meaning = self.meaning
        order = meaning.order[0]
        if not meaning.measures:
            value = self._ordered_by("column", order.index)[0]
            select = only_extreme(select, value, highest=order.descending, place=meaning.place)
            rest = [c.column for n, c in enumerate(meaning.columns) if n != order.index and not c.context]
            return select.order_by(*(self._sorted(self.tables.column(ref)) for ref in rest)) if rest else select
        name = self.tables.name(f"per_{slug(meaning.dimensions[0].label)}")
        figure = self.tables.name(self._measure_names()[order.index])
        shown = [self.tables.name(n) for n in column_names(meaning, context=self.context)]
        select = extreme_groups(select, name, shown, figure, highest=order.descending, place=meaning.place)
        named = shown[: sum(len(dimension_names(d)) for d in meaning.dimensions)]
        return select.order_by(*(self._sorted(exp.Column(this=i.copy())) for i in named))

    def _measure_names(self) -> tuple[str, ...]:
        return column_names(self.meaning)[-len(self.meaning.measures) :]

    def _grained(self, ref: ColumnRef, dimension: Dimension) -> exp.Expr:
        column = self.tables.column(ref)
        stored_as_text = self.tables.schema.attribute(ref.table, ref.column).column.stored_as_text
        if dimension.part is not None:
            number = self._part_number(dimension)
            return part_name(number) if dimension.part == "weekday" else number
        if dimension.edges:
            whole = self.tables.schema.attribute(ref.table, ref.column).column.kind == "integer"
            return range_name(self.tables.number(ref), dimension.edges, whole=whole)
        if dimension.grain is None:
            return column
        return truncated(column, dimension.grain, self.tables.schema.dialect, stored_as_text=stored_as_text)

    def _part_number(self, dimension: Dimension) -> exp.Expr:
        assert dimension.part is not None, "only asked of parts"
        attribute = self.tables.schema.attribute(dimension.column.table, dimension.column.column)
        return part_number(
            self.tables.column(dimension.column),
            dimension.part,
            self.tables.schema.dialect,
            stored_as_text=attribute.column.stored_as_text,
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
            timed = [d for d in meaning.dimensions if d.grain or d.part or d.edges or d.label == "year"]
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
                    if n not in listed and not column.context:
                        made.append(self._sorted(self.tables.column(column.column)))
        return made

    def _period(self, dimension: Dimension) -> exp.Expr:
        """A period in ORDER BY, by its column's name."""
        from sqlglot import exp

        if dimension.part == "weekday" or dimension.edges:
            return self._key(dimension)[0]
        at = self.meaning.dimensions.index(dimension)
        before = sum(len(dimension_names(d)) for d in self.meaning.dimensions[:at])
        return exp.Column(this=self.tables.name(column_names(self.meaning)[before]))

    def _figure(self, index: int) -> exp.Expr:
        """A figure in ORDER BY: by its column's name where it is shown."""
        from sqlglot import exp

        measure = self.meaning.measures[index]
        if measure.context and not self.context:
            return self.figures.of(measure)
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
            if dimension.grain or dimension.part or dimension.edges:
                return [self._period(dimension)]
            return [self._grained(ref, dimension) for ref in (dimension.column, *dimension.more)]
        column = meaning.columns[index]
        return [self.tables.number(column.column)]
