"""SQL as people put it into prose: read only where every name is known and nothing stands in it but plain arithmetic.

Columns come back with their tables, so that an expression can be used anywhere in its source. What is not read for
certain is `Unreadable`, and the definition that holds it is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.sql.tables import identifier
from assistant.embedded.words.lexicon import fold

if TYPE_CHECKING:
    from sqlglot import exp


class Unreadable(Exception):
    """Words of a definition that cannot be read to the end. It is no fault: the definition is not used."""


_SQL_MARKS = re.compile(r"[()=<>*/+]|\w\.\w| - |\b(?:IS NOT NULL|IS NULL|LIKE|BETWEEN|CASE WHEN)\b|\b(?i:in) \(")


_BRACKETS_MAX = 30


def looks_like_sql(text: str) -> bool:
    """Whether words hold anything that prose does not."""
    return _SQL_MARKS.search(text) is not None


@dataclass(frozen=True)
class Expressions:
    """Reads SQL over one source."""

    schema: Schema

    def parsed(self, text: str, near: Iterable[str] = ()) -> exp.Expr:
        """An expression or condition with every column bound to its table.

        Args:
            text: What is written.
            near: Tables that are spoken of: a name that several tables have means their column.

        Raises:
            Unreadable: it is no SQL, or names something that the source does not have, or that several tables have.
        """
        import sqlglot
        from sqlglot.errors import SqlglotError

        if text.count("(") > _BRACKETS_MAX:
            raise Unreadable(text)
        written = text.replace("≥", ">=").replace("≤", "<=").replace("≠", "<>").replace("×", "*").replace("÷", "/")
        try:
            tree = sqlglot.parse_one(written.replace("−", "-").replace(" == ", " = "), read=self.schema.dialect)
        except SqlglotError:
            raise Unreadable(text) from None
        if any(not isinstance(node, _allowed()) for node in tree.walk()):
            raise Unreadable(text)
        return self._bound(tree, set(near))

    def _bound(self, tree: exp.Expr, near: set[str]) -> exp.Expr:
        from sqlglot import exp

        tree = self._texts(exp.Paren(this=tree)).this  # so that even a lone column has a parent
        columns = list(tree.find_all(exp.Column))
        found = [self._candidates(column) for column in columns]
        bound = self.chosen(found, near)
        holder = exp.Paren(this=tree)
        for column, attribute in zip(columns, bound, strict=True):
            column.replace(self.column(attribute))
        return holder.this

    def chosen(self, found: Sequence[Sequence[Attribute]], near: set[str]) -> list[Attribute]:
        """One attribute for each list of candidates; what is sure decides about the others.

        Raises:
            Unreadable: a name is not known, or may mean several columns.
        """
        sure = near | {options[0].table for options in found if len(options) == 1}
        shared = set[str].intersection(*({a.table for a in options} for options in found)) if found else set[str]()
        if not sure and len(shared) == 1:
            sure = shared
        return [_only(options, sure) for options in found]

    def qualified(self, sql: str, table: str) -> exp.Expr:
        """SQL of the knowledge base whose bare columns are those of its table.

        Raises:
            Unreadable: it cannot be parsed.
        """
        import sqlglot
        from sqlglot import exp
        from sqlglot.errors import SqlglotError

        try:
            tree = exp.Paren(this=sqlglot.parse_one(sql, read=self.schema.dialect))
        except SqlglotError:
            raise Unreadable(sql) from None
        for column in list(tree.find_all(exp.Column)):
            attribute = self.schema.find(column.table or table, column.name)
            if attribute is not None and not column.find_ancestor(exp.Subquery, exp.Exists):
                column.replace(self.column(attribute))
        return tree.this

    def column(self, attribute: Attribute) -> exp.Column:
        """A column with its table, quoted only where it must be."""
        from sqlglot import exp

        table = attribute.table.rpartition(".")[2]
        dialect = self.schema.dialect
        return exp.Column(this=identifier(attribute.name, dialect), table=identifier(table, dialect))

    def attribute_of(self, column: exp.Column) -> Attribute:
        """The attribute of a bound column."""
        found = self.schema.find(column.table, column.name)
        if found is None:
            raise Unreadable(column.sql())
        return found

    def _candidates(self, column: exp.Column) -> list[Attribute]:
        if column.table:
            found = self.schema.find(column.table, column.name)
            return [found] if found else []
        return self.by_name(column.name)

    def by_name(self, name: str) -> list[Attribute]:
        """Every column of just this name."""
        return list(self._by_name.get(name.lower(), ()))

    @cached_property
    def _by_name(self) -> dict[str, list[Attribute]]:
        found: dict[str, list[Attribute]] = {}
        for attribute in self.schema.attributes:
            found.setdefault(attribute.name.lower(), []).append(attribute)
        return found

    def _texts(self, tree: exp.Expr) -> exp.Expr:
        """`status = active` and `status = "active"`: a text that is no column, beside a column that holds it."""
        from sqlglot import exp

        for node in list(tree.find_all(exp.EQ, exp.NEQ)):
            left, right = node.this, node.expression
            if isinstance(left, exp.Column) and isinstance(right, exp.Column) and not self._candidates(right):
                quoted = bool(right.this.args.get("quoted"))
                held = any(value_of(a, right.name) is not None for a in self._candidates(left))
                if not right.table and (quoted or held):
                    right.replace(exp.Literal.string(right.name))
        return tree


def value_of(attribute: Attribute, text: str) -> str | None:
    """The column's value that a text names, as the source writes it; None where it is not known to hold it."""
    profile = attribute.column.profile
    if profile is None or attribute.column.kind != "text":
        return None
    known = profile.values if profile.values is not None else [v for v, _ in profile.top if isinstance(v, str)]
    folded = fold(text)
    return next((value for value in known if value == text), next((v for v in known if fold(v) == folded), None))


def _only(options: Sequence[Attribute], near: set[str]) -> Attribute:
    """The one that is meant: the only one, that of a table spoken of, or the key that the others refer to."""
    if len(options) == 1:
        return options[0]
    inside = [a for a in options if a.table in near]
    if len(inside) == 1:
        return inside[0]
    keys = [a for a in options if a.role == "key"]
    if len(keys) == 1 and all(a.role in ("key", "reference") for a in options):
        return keys[0]
    raise Unreadable("It may mean several columns." if options else "There is no such column.")


def _allowed() -> tuple[type[exp.Expr], ...]:
    """What may stand in an expression: nothing that names a table, runs a function of the engine or holds a query."""
    from sqlglot import exp

    return (
        *(exp.Column, exp.Identifier, exp.Literal, exp.Star, exp.Paren, exp.Neg, exp.Null, exp.Boolean, exp.Tuple),
        *(exp.Sum, exp.Count, exp.Avg, exp.Min, exp.Max, exp.Distinct, exp.Add, exp.Sub, exp.Mul, exp.Div),
        *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.And, exp.Or, exp.Not, exp.In, exp.Between, exp.Is),
        *(exp.Like, exp.ILike, exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Abs, exp.Lower, exp.Upper, exp.Round),
        *(exp.Cast, exp.DataType),
    )


def is_condition(tree: exp.Expr) -> bool:
    """Whether an expression is true or false."""
    from sqlglot import exp

    while isinstance(tree, exp.Paren):
        tree = tree.this
    return isinstance(tree, exp.Predicate | exp.Connector | exp.Not)
