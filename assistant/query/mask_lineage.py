"""Follows masked columns through a query, from the tables outwards, scope by scope.

A column that only selects a masked column is masked too; anything that could reveal its values is refused. The tree
must be qualified by sqlglot; `mask_rules` decides which trees are examined.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.expressions.core import Expr
from sqlglot.optimizer.scope import Scope

from assistant.core.data_errors import QueryRefused

if TYPE_CHECKING:
    from assistant.query.masks import Masks

_HOW = "It may be selected as it is, counted (DISTINCT, too, over all rows of its table), or asked for IS NULL."


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What a query gives: its columns' names in lower case, and which of them are masked. No names: nothing is."""

    names: tuple[str, ...] = ()
    masked: tuple[bool, ...] = ()


def refuse_unclear(why: str) -> QueryRefused:
    """The refusal of a query that cannot be followed."""
    return QueryRefused(
        f"This source has masked columns, and it cannot be told what this query does with them: {why}. "
        "Write it with plain table and column names."
    )


class Tracing:
    """Follows masked columns from the tables outwards, scope by scope; every column of the tree must be met."""

    def __init__(self, masks: Masks, *, views: Collection[str] = ()) -> None:
        self._masks = masks
        self._views = views
        self._outputs: dict[int, tuple[bool, ...]] = {}
        self._met: set[int] = set()

    def of(self, tree: Expr, scopes: Sequence[Scope]) -> Covered:
        """What the outermost query gives."""
        for scope in scopes:
            self._outputs[id(scope.expression)] = self._scope(scope)
        self._require_reached(tree)
        root = scopes[-1].expression
        names = _names(root)
        masked = self._outputs[id(root)]
        if len(names) != len(masked):
            raise refuse_unclear("its columns cannot be told")
        return Covered(names=names, masked=masked)

    def _require_reached(self, tree: Expr) -> None:
        """Refuse what no scope has met: a column out of reach, a whole row, a part of a value, a hidden name."""
        for column in tree.find_all(exp.Column):
            if id(column) not in self._met and not _sorts_by_output(column):
                raise refuse_unclear(f"{column.sql()} is out of reach")
        if row := tree.find(exp.TableColumn):
            raise refuse_unclear(f"{row.name!r} means a whole row")
        if dotted := tree.find(exp.Dot):  # `email.upper()`, `(c).email`
            raise refuse_unclear(f"{dotted.sql()} reaches into a value")
        hidden = {name for names in self._masks.values() for name in names}
        for word in tree.find_all(exp.Identifier, exp.Var):
            is_name = isinstance(word.parent, exp.Column | exp.Alias | exp.TableAlias | exp.Table)
            if word.name.casefold() in hidden and not is_name:
                raise _refuse(word)
        for star in tree.find_all(exp.Star):
            if not isinstance(star.parent, exp.Count):
                raise refuse_unclear("a * is left that cannot be written out")

    def _scope(self, scope: Scope) -> tuple[bool, ...]:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            return self._set_operation(scope, query)
        if not isinstance(query, exp.Select):
            raise refuse_unclear("it holds something else than SELECT")
        self._forbid_borrowed_names(scope, query)
        projections = [(item.this if isinstance(item, exp.Alias) else item) for item in query.expressions]
        masked = [False] * len(projections)
        places = {id(item): place for place, item in enumerate(projections)}
        for column in scope.columns:
            self._met.add(id(column))
            if not column.table:
                if not _sorts_by_output(column):
                    raise refuse_unclear(f"{column.name} is another column's new name; write that column out")
            elif self._is_masked(column, scope):
                if id(column) in places:
                    masked[places[id(column)]] = True
                elif not _is_harmless(column) and not self._is_counted_whole(column, query, scope):
                    raise _refuse(column)
        if any(masked) and query.args.get("distinct"):
            raise QueryRefused(f"DISTINCT compares the values of a masked column. {_HOW}")
        self._forbid_giving_on(scope, query, masked)
        return tuple(masked)

    def _is_counted_whole(self, column: exp.Column, query: exp.Select, scope: Scope) -> bool:
        """`SELECT count(DISTINCT column) FROM table`, of all its rows: that one number the catalog tells as well.

        Of some of its rows, which a view or a WITH clause may choose, it would tell whether two of them hold the same.
        """
        distinct = column.parent
        if not isinstance(distinct, exp.Distinct) or len(distinct.expressions) != 1 or distinct.args.get("on"):
            return False
        count = distinct.parent
        if not isinstance(count, exp.Count) or not isinstance(count.parent, exp.Alias | exp.Select):
            return False
        origin = query.args.get("from_")
        parts = {part for part, value in query.args.items() if value}
        if origin is None or not isinstance(origin.this, exp.Table) or parts - {"expressions", "from_", "limit"}:
            return False
        table = scope.sources.get(origin.this.alias_or_name)
        if not isinstance(table, exp.Table) or table.name.casefold() in self._views:
            return False
        return {part for part, value in origin.this.args.items() if value} <= {"this", "alias"}

    def _forbid_giving_on(self, scope: Scope, query: exp.Query, masked: list[bool]) -> None:
        """Refuse to order by a masked column, or to give it to an expression."""
        if any(masked):
            self._forbid_order(query, masked)
            if scope.is_subquery:
                raise QueryRefused(f"A subquery gives a masked column to an expression. {_HOW}")

    def _set_operation(self, scope: Scope, query: exp.SetOperation) -> tuple[bool, ...]:
        sides = [self._outputs.get(id(side.unnest())) for side in (query.left, query.right)]
        left_columns, right_columns = sides
        if left_columns is None or right_columns is None or len(left_columns) != len(right_columns):
            raise refuse_unclear("the parts of its set operation cannot be matched")
        masked = [first or second for first, second in zip(left_columns, right_columns, strict=True)]
        self._met.update(id(column) for column in scope.columns)
        if any(masked) and (not isinstance(query, exp.Union) or query.args.get("distinct")):
            raise QueryRefused(f"Only UNION ALL does not compare the values of a masked column. {_HOW}")
        self._forbid_giving_on(scope, query, masked)
        return tuple(masked)

    def _is_masked(self, column: exp.Column, scope: Scope) -> bool:
        place: Scope | None = scope
        while place is not None and column.table not in place.sources:
            place = place.parent
        if place is None:
            raise refuse_unclear(f"{column.sql()} is unknown")
        source = place.sources[column.table]
        if isinstance(source, exp.Table):
            return column.name.casefold() in self._masks.get(source.name.casefold(), frozenset())
        outputs = self._outputs.get(id(source.expression))
        names = _names(source.expression)
        if outputs is None or len(names) != len(outputs) or column.name.casefold() not in names:
            raise refuse_unclear(f"{column.sql()} cannot be followed")
        return any(masked for name, masked in zip(names, outputs, strict=True) if name == column.name.casefold())

    def _forbid_borrowed_names(self, scope: Scope, query: exp.Select) -> None:
        """Nothing else is called by a masked column's name: engines differ in which of the two a clause then means."""
        hidden: set[str] = set()
        place: Scope | None = scope
        while place is not None:
            for source in place.sources.values():
                if isinstance(source, exp.Table):
                    hidden |= self._masks.get(source.name.casefold(), frozenset())
                else:
                    outputs = self._outputs.get(id(source.expression), ())
                    hidden |= {name for name, masked in zip(_names(source.expression), outputs, strict=False) if masked}
            place = place.parent
        for item in query.expressions:
            own = isinstance(item, exp.Alias) and isinstance(item.this, exp.Column) and item.this.name.casefold()
            if item.alias_or_name.casefold() in hidden and own != item.alias_or_name.casefold():
                raise refuse_unclear(
                    f"{item.alias_or_name!r} is the name of a masked column; give the other another name"
                )

    @staticmethod
    def _forbid_order(query: exp.Query, masked: Sequence[bool]) -> None:
        """No sorting or grouping by the name or place of a masked output."""
        names = {name.casefold() for name, hidden in zip(query.named_selects, masked, strict=True) if hidden}
        for part in ("order", "group", "having", "qualify", "sort", "cluster", "distribute"):
            clause = query.args.get(part)
            if clause is None:
                continue
            if clause.args.get("all") or clause.find(exp.Var):
                raise QueryRefused(f"ALL sorts or groups by a masked column. {_HOW}")
            for column in clause.find_all(exp.Column):
                if not column.table and column.name.casefold() in names:
                    raise _refuse(column)
            for number in clause.find_all(exp.Literal):
                if number.is_int and 0 < int(number.name) <= len(masked) and masked[int(number.name) - 1]:
                    raise _refuse(number)


def _sorts_by_output(column: exp.Column) -> bool:
    """Whether a bare name stands in the ORDER BY of a query that gives a column of this name."""
    order = column.find_ancestor(exp.Order)
    return not column.table and order is not None and column.name.casefold() in _names(order.parent)


def _names(query: object) -> tuple[str, ...]:
    return tuple(name.casefold() for name in query.named_selects) if isinstance(query, exp.Query) else ()


def _is_harmless(column: exp.Column) -> bool:
    """`column IS NULL` and `count(column)` tell only whether there is a value."""
    parent = column.parent
    if isinstance(parent, exp.Is):
        return parent.this is column and isinstance(parent.expression, exp.Null)
    return isinstance(parent, exp.Count) and parent.this is column and not parent.args.get("expressions")


def _refuse(node: Expr) -> QueryRefused:
    return QueryRefused(
        f"The column {node.name!r} is masked, so nothing may be computed, compared or sorted by it. {_HOW}"
    )
