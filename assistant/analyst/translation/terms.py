"""Expressions as terms and conditions of the algebra."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.sql.dialects import Dialect, dialect_of
from assistant.analyst.sql.portable import WRITTEN
from assistant.analyst.translation.joins import ReadScope
from assistant.analyst.translation.templates import Untranslatable, conjuncts, operands, text_of
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from assistant.analyst.schema import Schema
    from assistant.analyst.source import AnalystSource

_COMPARISONS: dict[type[exp.Expr], al.Comparison] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_TURNED: dict[al.Comparison, al.Comparison] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_ARITHMETIC: dict[type[exp.Expr], Literal["+", "-", "*"]] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
_DAY_LENGTH = 10
_NUMBERS = frozenset(("year", "decade", "month of year", "quarter of year", "hour", "weekday"))
"""Parts of dates that are numbers."""


@dataclass
class TermReader:
    """Reads expressions. `remarks` collects what chips compute a little otherwise."""

    data: AnalystSource
    remarks: list[str] = field(default_factory=list[str])

    @property
    def schema(self) -> Schema:
        """The tables."""
        return self.data.schema

    @cached_property
    def dialect(self) -> Dialect:
        """The compiler's templates."""
        return dialect_of(self.schema.dialect)

    @cached_property
    def _grains(self) -> dict[al.GrainName, tuple[str, ...]]:
        """The templates by which a date is cut: the compiler's, then those that people write as well."""
        also = self.dialect.also
        return {grain: (own, *also.get(grain, ())) for grain, own in self.dialect.grains.items()}

    def operands(self, template: str, node: exp.Expr) -> tuple[exp.Expr, ...] | None:
        """What stands in the holes of a template."""
        return operands(template, node, self.dialect.written or self.schema.dialect)

    def remark(self, text: str) -> None:
        """Say once what chips compute otherwise."""
        if text not in self.remarks:
            self.remarks.append(text)

    # --- terms ---

    def term(self, node: exp.Expr, scope: ReadScope) -> al.Term:
        """An expression as a value of a row."""
        node = node.unnest()
        match node:
            case exp.Literal() | exp.Neg() | exp.Boolean() | exp.Null():
                return al.Constant(constant(node))
            case exp.Column():
                return self._column(node, scope)
            case _ if (part := self._part_of_date(node, scope)) is not None:
                return part
            case exp.Add() | exp.Sub() | exp.Mul():
                left, right = self.term(node.this, scope), self.term(node.expression, scope)
                return al.Arithmetic(_ARITHMETIC[type(node)], left, right)
            case _:
                raise Untranslatable(f"{text_of(node)} is no value that chips have.")

    def _column(self, node: exp.Column, scope: ReadScope) -> al.Term:
        value = scope.value(node, self.schema)
        if isinstance(value, al.Column) and (markers := self.schema.typed[value].missing):
            self.remark(f"{', '.join(map(repr, markers))} in {value.name!r} counts as no value.")
        return value

    def _part_of_date(self, node: exp.Expr, scope: ReadScope) -> al.Grain | None:
        for grain, templates in self._grains.items():
            for template in templates:
                if (of := self.operands(template, node)) is not None:
                    return al.Grain(self.term(of[0], scope), grain)
        return None

    # --- conditions ---

    def where(self, nodes: Iterable[exp.Expr], scope: ReadScope) -> al.Condition:
        """Conditions that all must hold, as one: a period in one piece."""
        conditions: list[al.Condition] = []
        for node in nodes:
            for condition in al.conditions_of(self.condition(node, scope)):
                last = conditions[-1] if conditions else None
                match last, condition:
                    case al.Within(term, start, ""), al.Within(same, "", end) if term == same and start and end:
                        conditions[-1] = al.Within(term, start, end)
                    case _:
                        conditions.append(condition)
        return conditions[0] if len(conditions) == 1 else al.Both(tuple(conditions))

    def condition(self, node: exp.Expr, scope: ReadScope) -> al.Condition:
        """An expression as a condition on a row."""
        if (defined := self._defined(node, scope)) is not None:
            return defined
        node = node.unnest()
        match node:
            case exp.And():
                return self.where(conjuncts(node), scope)
            case exp.Or():
                return al.Either(tuple(self.condition(side, scope) for side in node.flatten()))
            case exp.Not():
                return al.Not(self.condition(node.this, scope))
            case exp.Is() if node.args.get("negate"):
                plain = node.copy()
                plain.set("negate", None)
                return al.Not(self.condition(plain, scope))
            case exp.Is() if isinstance(node.expression, exp.Null):
                return al.Missing(self.term(node.this, scope))
            case exp.In():
                return self._member(node, scope)
            case exp.Between():
                low, high = (self._comparison(node.this, op, node.args[end], scope) for op, end in _ENDS)
                return al.Within(low.term, low.start, high.end) if _is_span(low, high) else al.Both((low, high))  # type: ignore[union-attr]
            case _ if type(node) in _COMPARISONS:
                return self._comparison(node.this, _COMPARISONS[type(node)], node.expression, scope)
            case _:
                raise Untranslatable(f"{text_of(node)} is no condition that chips have.")

    def _defined(self, node: exp.Expr, scope: ReadScope) -> al.Defined | None:
        """The term or rule of the knowledge base that an expression is, word for word."""
        known = self.data.known
        for defined in (*(term.value for term in known.terms), *(rule.condition for rule in known.rules)):
            if isinstance(defined, al.Defined) and self.is_written(defined.sql, node, scope):
                return defined
        return None

    def is_written(self, sql: str, node: exp.Expr, scope: ReadScope) -> bool:
        """Whether an expression is what a person has defined, under whatever aliases."""
        tree = parse_one(sql, self.schema.dialect).unnest()
        if self.dialect.engine:
            tree = parse_one(tree.sql(dialect=WRITTEN), WRITTEN).unnest()
        if type(tree) is not type(node.unnest()):
            return False
        return self._with_tables(tree, None) == self._with_tables(node.unnest(), scope)

    def _with_tables(self, node: exp.Expr, scope: ReadScope | None) -> exp.Expr:
        """A tree whose columns name their tables, in lower case, and that has no needless brackets."""

        plain = node.copy()
        for brackets in list(plain.find_all(exp.Paren)):
            brackets.replace(brackets.this)

        def change(part: exp.Expr) -> exp.Expr:
            if not isinstance(part, exp.Column):
                return part
            table, name = part.table, part.name
            if scope is not None:
                value = scope.value(part, self.schema)
                table = value.table if isinstance(value, al.Column) else ""
            return exp.column(exp.to_identifier(name.casefold()), exp.to_identifier(table.casefold()))

        return plain.transform(change)

    def _compared(self, node: exp.Expr, scope: ReadScope) -> al.Term:
        """A value that is compared: a period that is written as its first day is no period as chips write it."""
        term = self.term(node, scope)
        is_own = not isinstance(term, al.Grain) or self.operands(self.dialect.grains[term.grain], node) is not None
        if not is_own and isinstance(node.unnest(), exp.TimestampTrunc | exp.DateTrunc):
            raise Untranslatable(f"{text_of(node)} is compared as a day.")
        return term

    def _member(self, node: exp.In, scope: ReadScope) -> al.Condition:
        term = self._compared(node.this, scope)
        if not node.expressions:
            raise Untranslatable(f"{text_of(node)} names no values.")
        values = (_as_number(term, al.Constant(constant(value))) for value in node.expressions)
        return al.OneOf(term, tuple(value.value for value in values if isinstance(value, al.Constant)))

    def _comparison(self, left: exp.Expr, op: al.Comparison, right: exp.Expr, scope: ReadScope) -> al.Condition:
        if isinstance(left.unnest(), exp.Literal) and not isinstance(right.unnest(), exp.Literal):
            left, op, right = right, _TURNED[op], left
        left, right = left.unnest(), right.unnest()
        if (period := self._period(left, op, right, scope)) is not None:
            return period
        terms = (self._compared(left, scope), self._compared(right, scope))
        return al.Compare(terms[0], op, _as_number(terms[0], terms[1]))

    def _period(self, left: exp.Expr, op: al.Comparison, right: exp.Expr, scope: ReadScope) -> al.Within | None:
        """A day of a date compared with a day; None for any other comparison."""
        day = right.this if isinstance(right, exp.Literal) and right.is_string else ""
        term = self.term(left, scope) if _is_day(day) and isinstance(left, exp.Column) else None
        if term is None or not self._is_date(term):
            return None
        after = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        has_days = self._has_days(term)
        match op:
            case ">=":
                return al.Within(term, day, "")
            case "<":
                return al.Within(term, "", day)
            case "<=" if has_days:
                return al.Within(term, "", after)
            case ">" if has_days:
                return al.Within(term, after, "")
            case "=" if has_days:
                return al.Within(term, day, after)
            case _:
                return None

    def _is_date(self, term: al.Term) -> bool:
        return isinstance(term, al.Column) and self.schema.typed[term].role == "date"

    def _has_days(self, term: al.Term) -> bool:
        """Whether the values of a column are days, without a time."""
        profile = self.schema.profiled[term].profile if isinstance(term, al.Column) else None
        ends = (profile.low, profile.high) if profile is not None else ()
        return bool(ends) and all(len(str(end)) == _DAY_LENGTH for end in ends)


_ENDS: tuple[tuple[al.Comparison, str], ...] = ((">=", "low"), ("<=", "high"))


def _is_span(low: al.Condition, high: al.Condition) -> bool:
    return isinstance(low, al.Within) and isinstance(high, al.Within) and low.term == high.term


def _as_number(of: al.Term, value: al.Term) -> al.Term:
    """A part of a date that is compared with a text, as the number that the part is."""
    is_number = isinstance(of, al.Grain) and of.grain in _NUMBERS
    if is_number and isinstance(value, al.Constant) and isinstance(value.value, str) and value.value.isdecimal():
        return al.Constant(int(value.value))
    return value


def _is_day(text: str) -> bool:
    try:
        return len(text) == _DAY_LENGTH and bool(date.fromisoformat(text))
    except ValueError:
        return False


def constant(node: exp.Expr) -> al.Scalar:
    """The value that an expression names.

    Raises:
        Untranslatable: it is computed.
    """
    node = node.unnest()
    match node:
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(node.this)
        case exp.Literal() if node.is_string:
            return str(node.this)
        case exp.Literal():
            return int(node.this) if node.is_int else float(node.this)
        case exp.Neg():
            value = constant(node.this)
            if isinstance(value, int | float):
                return -value
        case _:
            pass
    raise Untranslatable(f"{text_of(node)} is no plain value.")
