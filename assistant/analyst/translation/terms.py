"""Expressions as terms and conditions of the algebra."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.sql.dialects import Dialect, dialect_of, literal
from assistant.analyst.sql.portable import WRITTEN
from assistant.analyst.translation.scopes import ReadScope
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
_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
_DAY_LENGTH = 10


class ReadQuery(Protocol):
    """Reads the statements inside a statement."""

    def query(self, node: exp.Expr) -> al.Query:
        """A query by itself."""
        ...

    def related(self, node: exp.Select, scope: ReadScope) -> tuple[str, al.Rows]:
        """The rows of another table that belong to a row of a scope, and the table of that row."""
        ...


@dataclass
class TermReader:
    """Reads expressions. `remarks` collects what chips compute a little otherwise."""

    data: AnalystSource
    queries: ReadQuery
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
        if (day := self.day(node)) is not None:
            return al.Constant(day)
        match node:
            case exp.Literal() | exp.Neg() | exp.Boolean() | exp.Null():
                return al.Constant(constant(node))
            case exp.Column():
                return self._column(node, scope)
            case exp.Subquery() | exp.Select():
                query = self.queries.query(node)
                if isinstance(query, al.Grouped) and not query.keys and al.width(query) == 1:
                    return al.Single(query)
            case _ if (special := self._by_template(node, scope)) is not None:
                return special
            case exp.Add() | exp.Sub() | exp.Mul():
                left, right = self.term(node.this, scope), self.term(node.expression, scope)
                return al.Arithmetic(_ARITHMETIC[type(node)], left, right)  # type: ignore[arg-type]
            case exp.Div() if (sides := self.quotient(node)) is not None:
                return al.Arithmetic("/", self.term(sides[0], scope), self.term(sides[1], scope))
            case _:
                pass
        raise Untranslatable(f"{text_of(node)} is no value that chips have.")

    def _column(self, node: exp.Column, scope: ReadScope) -> al.Term:
        value = scope.value(node, self.schema)
        if isinstance(value, al.Figure):
            raise Untranslatable(f"{node.sql()} is computed, and read as a value of a row.")
        if isinstance(value, al.Column) and (markers := self.schema.typed[value].missing):
            self.remark(f"{', '.join(map(repr, markers))} in {value.name!r} counts as no value.")
        return value

    def _by_template(self, node: exp.Expr, scope: ReadScope) -> al.Term | None:
        if isinstance(node, exp.Case) and (column := self._without_markers(node, scope)) is not None:
            return column
        for grain, templates in self._grains.items():
            for template in templates:
                if (of := self.operands(template, node)) is not None:
                    return al.Grain(self.term(of[0], scope), grain)
        if (of := self.operands(self.dialect.days, node)) is not None:
            return al.Days(self.term(of[0], scope), self.term(of[1], scope))
        if (of := self.operands(self.dialect.floor, node)) is not None and isinstance(of[1], exp.Literal):
            divided = of[0].unnest()
            real = self.operands(self.dialect.real, divided.this) if isinstance(divided, exp.Div) else None
            if real is not None and divided.expression == of[1]:
                return al.Band(self.term(real[0], scope), int(of[1].this))
        for conversion, template in self.dialect.conversions.items():
            of = self.operands(template.format("{0}", literal(self.schema.time_zone)), node)
            column = scope.value(of[0], self.schema) if of is not None and isinstance(of[0], exp.Column) else None
            if isinstance(column, al.Column) and self.schema.profiled[column].conversion == conversion:
                return column
        return None

    def _without_markers(self, node: exp.Case, scope: ReadScope) -> al.Term | None:
        """A column whose markers of missing values are no values."""
        default, (first, *more) = node.args.get("default"), node.args["ifs"]
        test = first.this.unnest()
        is_marked = isinstance(default, exp.Column) and isinstance(test, exp.In) and test.this == default
        if not is_marked or more or not isinstance(first.args["true"], exp.Null):
            return None
        column = scope.value(default, self.schema)  # type: ignore[arg-type]
        markers = tuple(constant(value) for value in test.expressions)
        is_known = isinstance(column, al.Column) and tuple(self.schema.typed[column].missing) == markers
        return column if is_known else None  # type: ignore[return-value]

    def quotient(self, node: exp.Div) -> tuple[exp.Expr, exp.Expr] | None:
        """The two sides of a division of real numbers; None where an engine divides whole ones."""
        left, right = node.this.unnest(), node.expression.unnest()
        if isinstance(right, exp.Nullif) and right.expression == exp.Literal.number(0):
            right = right.this
        if (real := self.operands(self.dialect.real, left)) is not None:
            return real[0], right
        if isinstance(left, exp.Mul):
            for factor, rest in ((left.this, left.expression), (left.expression, left.this)):
                if isinstance(factor, exp.Literal) and factor.this == "1.0":
                    return rest, right
        return (left, right) if self.schema.dialect in ("duckdb", "mysql") else None

    def day(self, node: exp.Expr) -> str | None:
        """The ISO day that an expression names; None where it names none."""
        for template in (self.dialect.date, "CAST({0} AS DATE)", "{0}"):
            of = operands(template, node, self.dialect.written or self.schema.dialect)
            if of is not None and isinstance(of[0], exp.Literal) and of[0].is_string and (template != "{0}"):
                return of[0].this
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
            case exp.Connector() | exp.Not():
                return self._connected(node, scope)
            case exp.Is() | exp.Like() | exp.ILike() if node.args.get("negate"):
                plain = node.copy()
                plain.set("negate", None)
                return al.Not(self.condition(plain, scope))
            case exp.Exists():
                return self._exists(node.this, scope)
            case exp.Is() if isinstance(node.expression, exp.Null):
                return al.Missing(self.term(node.this, scope))
            case exp.In():
                return self._member(node, scope)
            case exp.Between():
                low, high = (self._comparison(node.this, op, node.args[end], scope) for op, end in _ENDS)
                return al.Within(low.term, low.start, high.end) if _is_span(low, high) else al.Both((low, high))  # type: ignore[union-attr]
            case _ if type(node) in _COMPARISONS:
                return self._comparison(node.this, _COMPARISONS[type(node)], node.expression, scope)
            case exp.Like() | exp.ILike() | exp.Escape():
                return self._text(node, scope)
            case _:
                raise Untranslatable(f"{text_of(node)} is no condition that chips have.")

    def _connected(self, node: exp.Expr, scope: ReadScope) -> al.Condition:
        """Conditions that all must hold, or one of them, or the opposite of one."""
        match node:
            case exp.And():
                return self._every(node, scope) or self.where(conjuncts(node), scope)
            case exp.Or():
                return al.Either(tuple(self.condition(side, scope) for side in node.flatten()))
            case exp.Not():
                condition = self.condition(node.this, scope)
                is_some = isinstance(condition, al.Related) and condition.quantifier == "some"
                return replace(condition, quantifier="none") if is_some else al.Not(condition)  # type: ignore[arg-type]
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
        if type(tree) is not type(node.unnest()) or node.find(exp.Query):
            return False
        return self._with_tables(tree, None) == self._with_tables(node.unnest(), scope)

    def _with_tables(self, node: exp.Expr, scope: ReadScope | None) -> exp.Expr:
        """A tree whose columns name their tables, in lower case, and that has no needless brackets."""

        plain = node.copy()
        for brackets in list(plain.find_all(exp.Paren)):
            brackets.replace(brackets.this)

        def change(part: exp.Expr) -> exp.Expr:
            if not isinstance(part, exp.Column) or isinstance(part.this, exp.Star):
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
        if not is_own and isinstance(node.unnest(), exp.TimestampTrunc | exp.DateTrunc | exp.Cast):
            raise Untranslatable(f"{text_of(node)} is compared as a day.")
        return term

    def _member(self, node: exp.In, scope: ReadScope) -> al.Condition:
        term = self._compared(node.this, scope)
        if (inner := node.args.get("query")) is not None:
            return al.Member(term, self.queries.query(inner))
        if not node.expressions:
            raise Untranslatable(f"{text_of(node)} names no values.")
        values = (_as_number(term, al.Constant(constant(value))) for value in node.expressions)
        return al.OneOf(term, tuple(value.value for value in values if isinstance(value, al.Constant)))

    def _exists(self, node: exp.Expr, scope: ReadScope) -> al.Condition:
        if not isinstance(node, exp.Select):
            raise Untranslatable("It asks whether a combined query has rows.")
        table, rows = self.queries.related(node, scope)
        return al.Related(table, rows)

    def _every(self, node: exp.And, scope: ReadScope) -> al.Related | None:
        """Related rows of which there are some, and none that fails a condition or leaves it open."""
        some, none = node.this.unnest(), node.expression.unnest()
        inner = none.this.unnest() if isinstance(none, exp.Not) else None
        if not isinstance(some, exp.Exists) or not isinstance(inner, exp.Exists):
            return None
        failing = inner.this.copy()
        for condition in conjuncts(failing.args["where"].this if failing.args.get("where") else None):
            of = operands("CASE WHEN {0} THEN 0 ELSE 1 END = 1", condition, self.schema.dialect)
            if of is not None:
                condition.replace(of[0].copy())
                table, rows = self.queries.related(failing, scope)
                return al.Related(table, rows, "every")
        return None

    def _comparison(self, left: exp.Expr, op: al.Comparison, right: exp.Expr, scope: ReadScope) -> al.Condition:
        if isinstance(left.unnest(), exp.Literal) and not isinstance(right.unnest(), exp.Literal):
            left, op, right = right, _TURNED[op], left
        left, right = left.unnest(), right.unnest()
        if isinstance(left, exp.Literal) and isinstance(right, exp.Literal) and op == "=":
            return al.NO_FILTER if left == right else al.Not(al.NO_FILTER)
        if (counted := self._counted(left, op, right, scope)) is not None:
            return counted
        if (period := self._period(left, op, right, scope)) is not None:
            return period
        terms = (self._compared(left, scope), self._compared(right, scope))
        return al.Compare(terms[0], op, _as_number(terms[0], terms[1]))

    def _counted(self, left: exp.Expr, op: str, right: exp.Expr, scope: ReadScope) -> al.Related | None:
        """So many related rows."""
        select = left.this if isinstance(left, exp.Subquery) else left
        is_count = isinstance(select, exp.Select) and [*map(type, select.expressions)] == [exp.Count]
        if not is_count or not isinstance(right, exp.Literal) or not isinstance(select, exp.Select):
            return None
        if not self._is_correlated(select, scope):
            return None
        quantifiers: dict[str, al.Quantifier] = {">=": "at least", "<=": "at most", "=": "exactly"}
        n = int(right.this) + {">": 1, "<": -1}.get(op, 0)
        quantifier = quantifiers.get({">": ">=", "<": "<="}.get(op, op))
        if quantifier is None:
            return None
        table, rows = self.queries.related(select, scope)
        return al.Related(table, rows, quantifier, n)

    @staticmethod
    def _is_correlated(select: exp.Select, scope: ReadScope) -> bool:
        own = {table.alias_or_name.casefold() for table in select.find_all(exp.Table)}
        return any(column.table.casefold() in scope.table_of.keys() - own for column in select.find_all(exp.Column))

    def _period(self, left: exp.Expr, op: al.Comparison, right: exp.Expr, scope: ReadScope) -> al.Within | None:
        """A day of a date compared with a day; None for any other comparison."""
        of = self.operands(self.dialect.date, left) or operands(
            "CAST({0} AS DATE)", left, self.dialect.written or self.schema.dialect
        )
        term = self.term(of[0] if of else left, scope) if of or isinstance(left, exp.Column) else None
        day = self.day(right) or (right.this if isinstance(right, exp.Literal) and right.is_string else "")
        if term is None or not _is_day(day) or (of is None and not self._is_date(term)):
            return None
        after = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        has_days = of is not None or self._has_days(term)
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

    def _text(self, node: exp.Expr, scope: ReadScope) -> al.Condition:
        of = self.operands(self.dialect.like, node)
        is_plain = of is None and isinstance(node, exp.Like | exp.ILike)
        if is_plain:
            is_lower = isinstance(node.this, exp.Lower)
            of = (node.this.this if is_lower else node.this, node.expression)
            if is_lower and node.expression.name != node.expression.name.lower():
                raise Untranslatable(f"{text_of(node)} compares lower case with a text that has upper case.")
            if not is_lower and isinstance(node, exp.Like) and self.schema.dialect != "sqlite":
                self.remark("Upper and lower case count alike.")
        if of is None or not isinstance(of[1], exp.Literal):
            raise Untranslatable(f"{text_of(node)} compares with a pattern that chips do not have.")
        term, pattern = self.term(of[0], scope), str(of[1].this)
        if self._is_date(term) and (period := _period_of(pattern)) is not None:
            return al.Within(term, *period)
        starts, ends = (
            not pattern.startswith("%"),
            not pattern.endswith("%") or (pattern.endswith("!%") and not is_plain),
        )
        inner = pattern[0 if starts else 1 : None if ends else -1]
        text = inner if is_plain else _unescaped(inner)
        if (starts and ends) or (is_plain and {"%", "_"} & set(inner)) or text is None:
            raise Untranslatable(f"{text_of(node)} compares with a pattern that chips do not have.")
        return al.Text(term, "starts" if starts else "ends" if ends else "contains", text)


_ENDS: tuple[tuple[al.Comparison, str], ...] = ((">=", "low"), ("<=", "high"))


def _period_of(pattern: str) -> tuple[str, str] | None:
    """The year or month that the beginning of an ISO date names: `2025%`, `2025-03%`; None for another pattern."""
    parts = pattern.removesuffix("%").removesuffix("-").split("-")
    if not pattern.endswith("%") or not all(part.isdecimal() for part in parts) or len(parts) > 2 or len(parts[0]) != 4:
        return None
    year, month = int(parts[0]), int(parts[1]) if len(parts) == 2 else 0
    if len(parts) == 2 and (len(parts[1]) != 2 or not 1 <= month <= 12):
        return None
    end = (year + 1, 1) if month in (0, 12) else (year, month + 1)
    return f"{year:04}-{month or 1:02}-01", f"{end[0]:04}-{end[1]:02}-01"


def _is_span(low: al.Condition, high: al.Condition) -> bool:
    return isinstance(low, al.Within) and isinstance(high, al.Within) and low.term == high.term


def _as_number(of: al.Term, value: al.Term) -> al.Term:
    """A part of a date that is compared with a text, as the number that the part is."""
    is_number = isinstance(of, al.Grain) and of.grain in (
        "year",
        "decade",
        "month of year",
        "quarter of year",
        "hour",
        "weekday",
    )
    if is_number and isinstance(value, al.Constant) and isinstance(value.value, str) and value.value.isdecimal():
        return al.Constant(int(value.value))
    return value


def _is_day(text: str) -> bool:
    try:
        return len(text) == _DAY_LENGTH and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _unescaped(pattern: str) -> str | None:
    """A pattern's text without the signs that say that `%` is no pattern; None where it has a pattern inside."""
    text, letters = "", iter(pattern)
    for letter in letters:
        if letter in "%_":
            return None
        text += next(letters, "") if letter == "!" else letter
    return text


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
