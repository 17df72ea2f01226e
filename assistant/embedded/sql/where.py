"""The conditions of a SELECT. What speaks of rows that a join would repeat becomes EXISTS: it chooses rows and never
multiplies them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.meaning import (
    AgainstAll,
    Among,
    ColumnRef,
    Condition,
    Filter,
    JoinStep,
    Meaning,
    Related,
    TimeRange,
    needs_several,
)
from assistant.embedded.sql.conditions import compare, compared, date_part, days_after, fulfilled, in_period
from assistant.embedded.sql.once import with_one_row
from assistant.embedded.sql.tables import Path, Tables, number_of, path_of

if TYPE_CHECKING:
    from sqlglot import exp


_Item = Filter | TimeRange | Condition | AgainstAll | Among


@dataclass
class Where:
    """Writes the conditions of one meaning over its tables."""

    meaning: Meaning
    tables: Tables
    inner: Callable[[Meaning], exp.Select] | None = None

    def conditions(self) -> list[exp.Expr]:
        """Every condition that rows must fulfil, those of metrics first."""
        meaning = self.meaning
        parts = [part for m in meaning.measures for part in (m, m.per) if part]
        made = list(dict.fromkeys(self._wrapped(sql) for part in parts for sql in part.requires))
        if not meaning.portion:
            return made + self._of(meaning.filters, meaning.times, meaning.conditions, own=True) + self._further()
        whole = [f for f in meaning.filters if f.whole]
        return made + self._of(whole, meaning.times, [c for c in meaning.conditions if c.rule])

    def chosen(self) -> list[exp.Expr]:
        """The conditions that choose a part of the rows; periods and standing rules bind the whole."""
        meaning = self.meaning
        part = [f for f in meaning.filters if not f.whole]
        return self._of(part, (), [c for c in meaning.conditions if not c.rule], own=True) + self._further()

    def _further(self) -> list[exp.Expr]:
        against = self._of((), (), (), (*self.meaning.compared, *self.meaning.among))
        return against + [self._related(related) for related in self.meaning.related if not related.alternative]

    def _of(
        self,
        filters: Sequence[Filter],
        times: Sequence[TimeRange],
        conditions: Sequence[Condition],
        against: Sequence[AgainstAll | Among] = (),
        *,
        within: bool = False,
        own: bool = False,
    ) -> list[exp.Expr]:
        """Conditions on columns: on joined tables as they are, on others as rows that must exist.

        `within` one of several sides they all hold. Beside the meaning's `own` stand the related rows that are
        alternatives to them.
        """
        tables = self.tables
        related = [r for r in self.meaning.related if r.alternative and own]
        made: list[exp.Expr] = []
        outside: dict[Path, list[_Item]] = {}
        if sided := [f for f in filters if f.side is not None]:
            made.append(self._sides(sided))
            filters = [f for f in filters if f.side is None]
        elif self.meaning.either and (filters or times or related) and not within:
            made.append(self._either((*filters, *times), related))
            filters, times = (), ()
        for item in (*filters, *times, *conditions, *against):
            steps = item.steps if isinstance(item, Condition) else item.column.steps
            if path_of(steps) in tables.aliases:
                made.append(self._condition(item, tables))
            else:
                outside.setdefault(self._leaves(steps), []).append(item)
        return made + [self._exists(path, items) for path, items in outside.items()]

    def _leaves(self, steps: Sequence[JoinStep]) -> Path:
        """Where a way leaves the tables that are joined."""
        inside = max(n for n in range(len(steps)) if path_of(steps[:n]) in self.tables.aliases)
        return path_of(steps[: inside + 1])

    def _either(self, filters: Sequence[Filter | TimeRange], related: Sequence[Related]) -> exp.Expr:
        """One of the conditions is enough; a row without what another one speaks of is not lost for it."""
        from sqlglot import exp

        parts = [
            self._condition(item, self.tables)
            if path_of(item.column.steps) in self.tables.aliases
            else self._exists(self._leaves(item.column.steps), [item])
            for item in filters
        ]
        return exp.paren(exp.or_(*parts, *(self._related(rows) for rows in related)))

    def _sides(self, filters: Sequence[Filter]) -> exp.Expr:
        """The conditions of one side are enough."""
        from sqlglot import exp

        plain = [f.model_copy(update={"side": None}) for f in filters]
        numbers = dict.fromkeys(f.side for f in filters)
        sides = [[p for p, f in zip(plain, filters, strict=True) if f.side == n] for n in numbers]
        return exp.paren(exp.or_(*(exp.and_(*self._of(side, (), (), within=True)) for side in sides)))

    def _wrapped(self, sql: str) -> exp.Expr:
        from sqlglot import exp

        tree = self.tables.parsed(sql)
        return exp.paren(tree) if isinstance(tree, exp.Or) else tree

    def _condition(self, item: _Item, tables: Tables) -> exp.Expr:
        from sqlglot import exp

        match item:
            case Filter() if item.other is not None and item.days is not None:
                return days_after(tables, item, item.other, item.days)
            case Filter() if item.other is not None:
                return compared(tables.number(item.column), item.operator, tables.number(item.other))
            case Filter() if item.part is not None:
                return compare(date_part(tables, item.column, item.part), item.operator, item.values)
            case Filter():
                return fulfilled(item, tables.number(item.column))
            case TimeRange():
                return in_period(tables, item, tables.column(item.column))
            case AgainstAll():
                return self._against(item, tables)
            case Among():
                assert self.inner is not None, "definitions hold no rankings"
                chosen = self._set_apart(self.inner(item.rows))
                return exp.In(this=tables.column(item.column), query=exp.Subquery(this=chosen))
            case Condition():
                tree = tables.parsed(item.sql, table=item.table, path=path_of(item.steps))
                wrapped = exp.paren(tree) if isinstance(tree, exp.Connector) else tree
                return exp.not_(exp.paren(tree)) if item.negated else wrapped

    def _set_apart(self, rows: exp.Select) -> exp.Select:
        """Rows that a column's value may be among; MySQL takes the first few of them only as a table of their own."""
        from sqlglot import exp

        if self.tables.schema.dialect != "mysql" or rows.args.get("limit") is None:
            return rows
        return (
            exp.Select()
            .select("*")
            .from_(exp.Subquery(this=rows, alias=exp.TableAlias(this=exp.to_identifier("chosen"))))
        )

    def _against(self, item: AgainstAll, tables: Tables) -> exp.Expr:
        from sqlglot import exp

        ref = item.column
        if item.of is not None:
            assert self.inner is not None, "definitions hold no figures of certain rows"
            return compared(tables.number(ref), item.operator, exp.Subquery(this=self.inner(item.of)))
        attribute = tables.schema.attribute(ref.table, ref.column)
        figure = {"maximum": exp.Max, "minimum": exp.Min}.get(item.aggregate, exp.Avg)
        if item.shared is not None:
            home = tables.inside().alias(ref.table)
            outside = tables.column(ref.model_copy(update={"column": item.shared}))
            inner = (
                exp.Select()
                .select(figure(this=number_of(tables.at(home, ref.column), attribute)))
                .from_(tables.table(ref.table, home))
                .where(tables.at(home, item.shared).eq(outside))
            )
            return compared(tables.number(ref), item.operator, exp.Subquery(this=inner))
        bare = ref.table.rpartition(".")[2]
        column = tables.at(bare, ref.column) if item.once else exp.Column(this=tables.name(ref.column))
        inner = exp.Select().select(figure(this=number_of(column, attribute))).from_(tables.table(ref.table, bare))
        if item.once:
            inner = with_one_row(inner, item.once, bare, tables.schema.dialect)
        bound: exp.Expr = exp.Subquery(this=inner)
        if item.factor != 1:
            bound = exp.Mul(this=exp.Literal.number(item.factor), expression=bound)
        return compared(tables.number(ref), item.operator, bound)

    def _exists(self, path: Path, items: Sequence[_Item]) -> exp.Expr:
        """Conditions on rows of another table that must exist; those that share a first step speak of the same row."""
        from sqlglot import exp

        steps_of = [item.steps if isinstance(item, Condition) else item.column.steps for item in items]
        select, inner = self._inner(len(path) - 1, steps_of)
        select = select.where(*(self._condition(item, inner) for item in items))
        return exp.Exists(this=select)

    def _inner(self, start: int, steps_of: Sequence[tuple[JoinStep, ...]]) -> tuple[exp.Select, Tables]:
        """SELECT 1 FROM the first step's table, joined on, tied to the row outside."""
        from sqlglot import exp

        inner = self.tables.inside()
        first = steps_of[0][start]
        outer = self.tables.aliases[path_of(steps_of[0][:start])]
        home = inner.alias(first.right)
        inner.aliases[path_of(steps_of[0][: start + 1])] = home
        here = {path_of(steps_of[0][: start + 1])}
        select = exp.Select().select(exp.Literal.number(1)).from_(inner.table(first.right, home))
        for steps in steps_of:
            for n in range(start + 2, len(steps) + 1):
                path = path_of(steps[:n])
                if path not in here:
                    here.add(path)
                    inner.aliases[path] = inner.alias(steps[n - 1].right)
                    on = inner.link(steps[n - 1], inner.aliases[path[:-1]], inner.aliases[path])
                    select = select.join(inner.table(steps[n - 1].right, inner.aliases[path]), on=on)
        return select.where(inner.link(first, outer, home)), inner

    def _related(self, related: Related) -> exp.Expr:
        from sqlglot import exp

        if _counts_sharers(related):
            return self._shared_by(related)
        beside = [item.column for item in (*related.filters, *([related.time] if related.time else []))]
        beside += [item.other for item in related.filters if item.other]
        select, inner = self._inner(0, [related.steps, *(ref.steps for ref in beside if ref.steps)])
        end = path_of(related.steps)
        alias = inner.aliases[end]

        def column(ref: ColumnRef) -> exp.Expr:
            return inner.at(inner.aliases[path_of(ref.steps)] if ref.steps else alias, ref.column)

        for item in related.filters:
            attribute = self.tables.schema.attribute(item.column.table, item.column.column)
            value = number_of(column(item.column), attribute)
            other = compared(value, item.operator, column(item.other)) if item.other else None
            select = select.where(other or fulfilled(item, value))
        for condition in related.conditions:
            select = select.where(inner.parsed(condition.sql, table=condition.table, path=end))
        if related.time:
            select = select.where(in_period(self.tables, related.time, column(related.time.column)))
        if (related.operator, related.count) in (("=", 0), ("<", 1), ("<=", 0)):
            return exp.not_(exp.Exists(this=select))
        if (related.operator, related.count) in ((">=", 1), (">", 0)):
            return exp.Exists(this=select)
        counted = self._counted_rows(related, alias)
        select.set("expressions", [counted])
        return compare(exp.Subquery(this=select), related.operator, (related.count,))

    def _shared_by(self, related: Related) -> exp.Expr:
        """The value is one of those that so many rows of the table share, found once for all."""
        from sqlglot import exp

        step, inner = related.steps[0], self.tables.inside()
        home = inner.alias(step.right)
        value = inner.at(home, step.right_columns[0])
        select = exp.Select().select(value).from_(inner.table(step.right, home)).group_by(value.copy())
        for item in related.filters:
            attribute = self.tables.schema.attribute(item.column.table, item.column.column)
            own = number_of(inner.at(home, item.column.column), attribute)
            select = select.where(fulfilled(item, own))
        select = select.having(compare(self._counted_rows(related, home), related.operator, (related.count,)))
        outer = self.tables.at(self.tables.aliases[()], step.left_columns[0])
        return exp.In(this=outer, query=exp.Subquery(this=select))

    def _counted_rows(self, related: Related, alias: str) -> exp.Expr:
        """Rows of the related table; told apart by their key where the way may meet one twice."""
        from sqlglot import exp

        entities = self.tables.schema.entities
        if related.values:
            return exp.Count(this=exp.Distinct(expressions=[self.tables.at(alias, related.values)]))
        key = entities[related.steps[-1].right].key
        many = [n for n, step in enumerate(related.steps) if step.many]
        again = any(not s.many and not entities[s.left].bridge for s in related.steps[many[0] + 1 :]) if many else False
        if (len(many) > 1 or again) and len(key) == 1:
            return exp.Count(this=exp.Distinct(expressions=[self.tables.at(alias, key[0])]))
        return exp.Count(this=exp.Star())


def _counts_sharers(related: Related) -> bool:
    """Whether more than one row of the base's own table must hold the same value, with conditions of their own only."""
    step = related.steps[0]
    same = len(related.steps) == 1 and step.left == step.right and step.left_columns == step.right_columns
    plain = not (related.time or related.conditions or any(f.other or f.column.steps for f in related.filters))
    return same and plain and len(step.left_columns) == 1 and needs_several(related.operator, related.count)
