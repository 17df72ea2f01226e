"""Terms and conditions as SQL. `Write` is how the parts that hold whole queries are written, handed in by `queries`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from assistant.analyst import algebra as al
from assistant.analyst.links import Link
from assistant.analyst.sql.custom_sql import placed, rejects_missing
from assistant.analyst.sql.dialects import literal
from assistant.analyst.sql.scopes import CompileError, Context, Scope, joined, link_condition

Write = Callable[[Context, al.Query], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes terms and conditions in one context."""

    context: Context
    write: Write

    def term(self, term: al.Term, scope: Scope) -> str:
        """A term as an expression."""
        match term:
            case al.Column():
                return self._column(term, scope)
            case al.Output():
                return scope.outputs[term.place]
            case al.Constant():
                return literal(term.value)
            case al.Single():
                return f"({self.write(self.context, term.query)})"
            case al.Defined():
                target_dialect = self.context.dialect.written
                return placed(term.sql, scope, dialect=self.context.schema.dialect, target_dialect=target_dialect)
            case al.Days():
                return self.context.dialect.days.format(self._date(term.start, scope), self._date(term.end, scope))
            case al.Grain():
                return self.context.dialect.grains[term.grain].format(self._date(term.of, scope))
            case al.Band():
                real = self.context.dialect.real.format(self.term(term.of, scope))
                return self.context.dialect.floor.format(f"({real} / {term.width})", term.width)
            case al.Arithmetic():
                left, right = self.term(term.left, scope), self.term(term.right, scope)
                return quotient(self.context, left, right) if term.op == "/" else f"({left} {term.op} {right})"
            case _:
                assert_never(term)

    def _date(self, term: al.Term, scope: Scope) -> str:
        """A date to be cut or compared: one that is stored as text, or as a month in text, is made a date first."""
        stored = self.context.schema.profiled.get(term) if isinstance(term, al.Column) else None
        text, profile = self.term(term, scope), stored.profile if stored is not None else None
        if stored is None or stored.kind != "text":
            return text
        is_month = profile is not None and len(str(profile.low)) == len(str(profile.high)) == len("2025-01")
        dialect = self.context.dialect
        return dialect.text_date.format(dialect.text_month.format(text) if is_month else text)

    def _column(self, column: al.Column, scope: Scope) -> str:
        place = f"{scope.alias(column.table)}.{self.context.dialect.name(column.name)}"
        column_type = self.context.schema.typed.get(column)
        if column_type is None:
            raise CompileError(f"There is no column {column.name!r} in {column.table!r}.")
        if conversion := self.context.dialect.conversions.get(self.context.schema.profiled[column].conversion):
            place = conversion.format(place, literal(self.context.schema.time_zone))
        if not column_type.missing:
            return place
        return f"CASE WHEN {place} IN ({', '.join(map(literal, column_type.missing))}) THEN NULL ELSE {place} END"

    def condition(self, condition: al.Condition, scope: Scope) -> str:
        """A condition as an expression; `Both()` is empty text."""
        match condition:
            case al.Both() | al.Either():
                return self._several(condition, scope)
            case al.Not():
                inner = self.condition(condition.condition, scope)
                return f"NOT ({inner})" if inner else "1 = 0"
            case al.Related():
                return self._related(condition, scope)
            case al.Member():
                subquery = self.write(self.context, condition.query)
                return f"{self.term(condition.term, scope)} IN (SELECT * FROM ({subquery}) AS {self.context.alias()})"
            case al.Defined():
                return self.term(condition, scope)
            case al.Compare() | al.OneOf() | al.Missing() | al.Text() | al.Within():
                return self._simple(condition, scope)
            case _:
                assert_never(condition)

    def _several(self, condition: al.Both | al.Either, scope: Scope) -> str:
        operands = [self.condition(part, scope) for part in condition.conditions]
        if isinstance(condition, al.Either):
            return "(" + " OR ".join(part or "1 = 1" for part in operands) + ")" if operands else "1 = 0"
        conditions = [part for part in operands if part]
        return conditions[0] if len(conditions) == 1 else f"({' AND '.join(conditions)})" if conditions else ""

    def _simple(self, condition: al.Compare | al.OneOf | al.Missing | al.Text | al.Within, scope: Scope) -> str:
        match condition:
            case al.Compare():
                return f"{self.term(condition.left, scope)} {condition.op} {self.term(condition.right, scope)}"
            case al.OneOf():
                values = ", ".join(map(literal, condition.values))
                return f"{self.term(condition.term, scope)} IN ({values})"
            case al.Missing():
                return f"{self.term(condition.term, scope)} IS NULL"
            case al.Text():
                return self.context.dialect.like.format(self.term(condition.term, scope), literal(_pattern(condition)))
            case al.Within():
                day = self.context.dialect.date.format(self._date(condition.term, scope))
                bounds = [(">=", condition.start), ("<", condition.end)]
                return " AND ".join(f"{day} {op} {self._day(to)}" for op, to in bounds if to) or f"{day} IS NOT NULL"
            case _:
                assert_never(condition)

    def _day(self, day: al.Scalar) -> str:
        return self.context.dialect.date.format(literal(day))

    def _related(self, related: al.Related, scope: Scope) -> str:
        """Related rows by EXISTS, or by counting them where a number is named."""
        match related.quantifier:
            case "some":
                return f"EXISTS ({self._far(related, scope, '1')})"
            case "none":
                return f"NOT EXISTS ({self._far(related, scope, '1')})"
            case "every":
                every = self._far(related, scope, "1", failing=True)
                has = self._far(al.Related(related.table, type(related.rows)(related.rows.table)), scope, "1")
                return f"(EXISTS ({has}) AND NOT EXISTS ({every}))"
            case "at least" | "at most" | "exactly":
                op = {"at least": ">=", "at most": "<=", "exactly": "="}[related.quantifier]
                return f"({self._far(related, scope, 'COUNT(*)')}) {op} {related.n}"

    def _far(self, related: al.Related, scope: Scope, selected: str, *, failing: bool = False) -> str:
        """The related rows of one row: the way to them backwards from their table, so that each is met once."""
        context, far = self.context, related.rows.table
        path = context.schema.path(related.table, far)
        if not path:
            raise CompileError(f"Rows of {related.table!r} have no rows of {far!r}.")
        where, first = related.rows.where, path[0].table
        near = frozenset({first} if self._leads_back(path, far) else ()) - {far}
        tables = [t for t in al.tables_here(where) if t != far and t not in near]
        clauses, inner = joined(context, far, [*near, *tables], required=near)
        test = self.condition(where, inner)
        if failing:
            test = f"CASE WHEN {test or '1 = 1'} THEN 0 ELSE 1 END = 1"
        start = scope.alias(related.table)
        if near or first == far:
            bound = link_condition(context, path[0], start, inner.aliases[first])
        else:
            bound = self._through(path, start, inner.aliases[far])
        return f"SELECT {selected} FROM {clauses} WHERE {bound}" + (f" AND {test}" if test else "")

    def _leads_back(self, path: tuple[Link, ...], far: str) -> bool:
        """Whether each far row has one row of the first table of a way, found by the same links."""
        schema = self.context.schema
        back = schema.path(far, path[0].table) or ()
        is_mirrored = [(link.end, link.start) for link in reversed(back)] == [
            (link.start, link.end) for link in path[1:]
        ]
        return is_mirrored and schema.reaches_one(far, path[0].table)

    def _through(self, path: tuple[Link, ...], start: str, end: str) -> str:
        """That a far row belongs to the row at hand through the tables between."""
        context = self.context
        between = {link.table: context.alias() for link in path[:-1]}
        aliases = [start, *between.values(), end]
        tables = ", ".join(f"{context.table(table)} AS {alias}" for table, alias in between.items())
        links = [link_condition(context, link, a, b) for link, (a, b) in zip(path, pairwise(aliases), strict=True)]
        return f"EXISTS (SELECT 1 FROM {tables} WHERE {' AND '.join(links)})"


def needed(where: al.Condition) -> frozenset[str]:
    """The tables without which a row fails a condition: those of comparisons that all must hold."""
    match where:
        case al.Both():
            return frozenset(table for part in where.conditions for table in needed(part))
        case al.Not(condition=al.Compare() | al.OneOf() | al.Text() | al.Within()):
            return needed(where.condition)
        case al.Compare() | al.OneOf() | al.Text() | al.Within():
            return frozenset(al.tables_here(where))
        case al.Defined() if rejects_missing(where.sql):
            return frozenset(al.tables_here(where))
        case _:
            return frozenset()


def quotient(context: Context, left: str, right: str) -> str:
    """A division of numbers, whole ones too; by zero it gives no value."""
    return f"({context.dialect.real.format(left)} / NULLIF({right}, 0))"


def _pattern(condition: al.Text) -> str:
    text = condition.text
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    match condition.how:
        case "contains":
            return f"%{text}%"
        case "starts":
            return f"{text}%"
        case "ends":
            return f"%{text}"
