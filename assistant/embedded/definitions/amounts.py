"""Amounts: what the parts of a formula are, and how they are put together without counting anything twice.

An amount is an expression over one table's rows, either of each row ("quantity * price") or of many ("SUM(total)").
Two of different tables are put on the finer one, if the other can be told apart there by its key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.embedded.definitions.expressions import Expressions, Unreadable
from assistant.embedded.source.joins import Joins
from assistant.embedded.source.schema import Entity
from assistant.embedded.sql.temporal import days_between
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from sqlglot import exp


_RATES = word_set("pric price rate percent ratio score age average level rank year")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An expression whose columns are bound to their tables. `table`: whose rows it goes over, "" for a plain number.

    `whole`: it is one figure over many rows. `filters` are conditions in SQL that all its rows fulfil. `adds_up`: the
    sum over rows says something; `percent`: it counts in hundredths.
    """

    tree: exp.Expr
    table: str = ""
    whole: bool = False
    filters: tuple[str, ...] = ()
    adds_up: bool = False
    percent: bool = False


@dataclass(frozen=True)
class Amounts:
    """Puts amounts of one source together. With `days`, times of day may be left for days with decimals."""

    expressions: Expressions
    joins: Joins
    days: bool = False

    def of_tree(self, tree: exp.Expr, near: str = "") -> Amount:
        """An expression as an amount. `near` is the table whose rows a lone COUNT(*) counts.

        Raises:
            Unreadable: no table of it reaches all the others, or what it adds up would be repeated.
        """
        from sqlglot import exp

        tree = self._dated(tree)
        tables = {c.table for c in tree.find_all(exp.Column)} or ({near} if near else set[str]())
        tables = {self._entity(table).name for table in tables}
        whole = tree.find(exp.AggFunc) is not None
        if not tables and (whole or tree.find(exp.Star)):
            raise Unreadable(tree.sql())
        base = self._finest(tables) if tables else ""
        for node in tree.find_all(exp.AggFunc):
            inside = {self._entity(c.table).name for c in node.find_all(exp.Column)}
            repeats = isinstance(node, exp.Sum | exp.Avg | exp.Count) and not node.find(exp.Distinct)
            if node.find_ancestor(exp.AggFunc) or (repeats and inside and base not in inside):
                raise Unreadable(tree.sql())
        loose = whole and any(not c.find_ancestor(exp.AggFunc) for c in tree.find_all(exp.Column))
        if loose:
            raise Unreadable(tree.sql())
        return Amount(tree=tree, table=base, whole=whole, adds_up=not whole and self._adds_up(tree))

    def _dated(self, tree: exp.Expr) -> exp.Expr:
        """An expression in which a difference of two dates is the days between them.

        Raises:
            Unreadable: a date is computed with otherwise, or it is not said in what times are counted.
        """
        from sqlglot import exp

        holder = exp.Paren(this=tree)
        for column in list(holder.find_all(exp.Column)):
            attribute = self.expressions.attribute_of(column)
            parent = column.parent
            if attribute.role != "date" or not isinstance(parent, exp.Binary) or isinstance(parent, exp.Predicate):
                continue
            other = parent.expression if parent.this is column else parent.this
            kinds = {attribute.column.kind}
            if isinstance(parent, exp.Sub) and isinstance(other, exp.Column):
                kinds.add(self.expressions.attribute_of(other).column.kind)
                if self.days or kinds == {"date"}:
                    made = days_between(parent.expression, parent.this, self.expressions.schema.dialect)
                    parent.replace(exp.Paren(this=made))
                    return self._dated(holder.this)
            if not parent.find_ancestor(exp.Paren) or not _is_days(parent):
                raise Unreadable(tree.sql())
        return holder.this

    def count(self, table: str, conditions: tuple[str, ...] = ()) -> Amount:
        """How many rows of a table fulfil some conditions."""
        from sqlglot import exp

        return Amount(tree=exp.Count(this=exp.Star()), table=table, whole=True, filters=conditions)

    def summed(self, amount: Amount) -> Amount:
        """The amount over all rows.

        Raises:
            Unreadable: adding it up says nothing.
        """
        from sqlglot import exp

        if amount.whole or not amount.table:
            return amount
        if not amount.adds_up:
            raise Unreadable(amount.tree.sql())
        return replace(amount, tree=exp.Sum(this=amount.tree), whole=True, adds_up=False)

    def pooled(self, amount: Amount) -> Amount:
        """A ratio that each row has, over all rows: what is above, added up, by what is below.

        Raises:
            Unreadable: it is no ratio, or one of its parts does not add up.
        """
        from sqlglot import exp

        holder = exp.Paren(this=amount.tree.copy())
        ratio = holder.find(exp.Div)
        if ratio is None or any(not c.find_ancestor(exp.Div) for c in holder.find_all(exp.Column)):
            raise Unreadable(amount.tree.sql())
        above = ratio.this.expression if isinstance(ratio.this, exp.Mul) else ratio.this
        below = ratio.expression.this if isinstance(ratio.expression, exp.Nullif) else ratio.expression
        if not (self._adds_up(above) and self._adds_up(below)):
            raise Unreadable(amount.tree.sql())
        ratio.replace(divided(exp.Sum(this=_bare(above)), exp.Sum(this=_bare(below))))
        return replace(amount, tree=holder.this, whole=True, adds_up=False)

    def combined(self, operator: str, left: Amount, right: Amount) -> Amount:
        """Two amounts put together by +, -, * or /.

        Raises:
            Unreadable: they go over rows that cannot be put side by side.
        """
        from sqlglot import exp

        if left.whole != right.whole and left.table and right.table:
            left, right = (self._beside_sum(part, operator) for part in (left, right))
        whole = left.whole or right.whole
        if left.table and right.table and left.table != right.table:
            base = self._finest({left.table, right.table})
            if whole:
                left, right = self._moved(left, base, right), self._moved(right, base, left)
        else:
            base = left.table or right.table
        filters = left.filters or right.filters
        if left.filters != right.filters and left.table and right.table:
            left, right, filters = pushed(left, self.expressions), pushed(right, self.expressions), ()
        parts = [_wrapped(part.tree) for part in (left, right)]
        match operator:
            case "+":
                tree: exp.Expr = exp.Add(this=parts[0], expression=parts[1])
            case "-":
                tree = exp.Sub(this=parts[0], expression=parts[1])
            case "*":
                tree = exp.Mul(this=parts[0], expression=parts[1])
            case _:
                tree = divided(parts[0], parts[1])
        tree = self._dated(tree)
        return Amount(tree=tree, table=base, whole=whole, filters=filters, adds_up=not whole and self._adds_up(tree))

    def _beside_sum(self, amount: Amount, operator: str) -> Amount:
        """An amount of each row, added up because a figure over all rows stands beside it."""
        if operator in "+-" and not amount.whole and not self._is_rate(amount.tree):
            amount = replace(amount, adds_up=True)
        return self.summed(amount)

    def _moved(self, amount: Amount, base: str, beside: Amount | None = None) -> Amount:
        """The same figure from the rows of a finer table: counted by its key."""
        from sqlglot import exp

        if amount.table == base:
            return amount
        entity = self._entity(amount.table)
        if len(entity.key) != 1 or not self._all_met(base, entity):
            raise Unreadable(amount.table)
        step = self.joins.best(base, entity.name)[0].steps[0]
        if beside is not None and any(
            d.find(exp.Column) and {c.name for c in d.find_all(exp.Column)} == set(step.left_columns)
            for d in beside.tree.find_all(exp.Distinct)
        ):
            raise Unreadable(amount.table)  # there, both would always be the same
        key = self.expressions.column(entity.attributes[entity.key[0]])
        tree = exp.Paren(this=pushed(amount, self.expressions, counted=key).tree)
        for node in list(tree.find_all(exp.AggFunc)):
            if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
                node.replace(exp.Count(this=exp.Distinct(expressions=[key.copy()])))
            elif isinstance(node, exp.Sum | exp.Avg | exp.Count) and not node.find(exp.Distinct):
                raise Unreadable(amount.tree.sql())
        return Amount(tree=tree.this, table=base, whole=True)

    def _all_met(self, base: str, entity: Entity) -> bool:
        """Whether no row of the coarser table is missing among what the finer one refers to, as far as is known."""
        way = self.joins.best(base, entity.name)[0].steps
        if len(way) != 1:
            return False
        attribute = self.expressions.schema.find(base, way[0].left_columns[0])
        profile = attribute.column.profile if attribute else None
        rows = entity.table.rows
        return profile is None or profile.sampled or rows is None or profile.distinct >= rows

    def _finest(self, tables: set[str]) -> str:
        """The table among some whose rows each have one of all the others."""
        found: list[str] = []
        for base in tables:
            ways = [self.joins.best(base, other) for other in tables if other != base]
            if all(len(way) == 1 and not way[0].multiplies for way in ways):
                found.append(base)
        if len(found) != 1:
            raise Unreadable(", ".join(sorted(tables)))
        return found[0]

    def _entity(self, table: str) -> Entity:
        entity = self.expressions.schema.find_entity(table)
        if entity is None:
            raise Unreadable(table)
        return entity

    def is_time(self, amount: Amount) -> bool:
        """Whether an amount is the time between two dates."""
        from sqlglot import exp

        columns = list(amount.tree.find_all(exp.Column))
        return bool(columns) and all(self.expressions.attribute_of(c).role == "date" for c in columns)

    def _is_rate(self, tree: exp.Expr) -> bool:
        """Whether a price, a rate or a plain number stands in an expression by itself."""
        from sqlglot import exp

        columns = [self.expressions.attribute_of(c) for c in tree.find_all(exp.Column)]
        return not columns or any(_RATES & set(c.stems) and not c.adds_up for c in columns)

    def _adds_up(self, tree: exp.Expr) -> bool:
        """Whether the sum of an expression over rows says something: amounts added, or an amount times a price."""
        from sqlglot import exp

        match tree:
            case exp.Paren() | exp.Coalesce() | exp.Cast() | exp.Neg():
                return self._adds_up(tree.this)
            case exp.Column():
                return self.expressions.attribute_of(tree).adds_up
            case exp.Add() | exp.Sub():  # what is added to an amount, or taken from it, is one as well
                sides = tree.this, tree.expression
                return any(map(self._adds_up, sides)) and not any(map(self._is_rate, sides))
            case exp.Mul():
                return self._adds_up(tree.this) or self._adds_up(tree.expression)
            case exp.Div():
                return self._adds_up(tree.this) and not list(tree.expression.find_all(exp.Column))
            case _:
                return False


def _is_days(tree: exp.Expr) -> bool:
    """Whether an expression is the days between two dates already."""
    from sqlglot import exp

    return not all(isinstance(side, exp.Column) for side in (tree.this, tree.args.get("expression")))


def divided(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """A division that is never one of whole numbers, and gives nothing where it would be by zero."""
    from sqlglot import exp

    numerator = exp.Mul(this=exp.Literal.number("1.0"), expression=left)
    if isinstance(right, exp.Literal | exp.Nullif):
        return exp.Div(this=numerator, expression=right, typed=True)
    if isinstance(right, exp.Paren):
        right = right.this
    return exp.Div(this=numerator, expression=exp.Nullif(this=right, expression=exp.Literal.number(0)), typed=True)


def real_divisions(tree: exp.Expr) -> exp.Expr:
    """An expression as it was written, with every division made one of decimals."""
    from sqlglot import exp

    def real(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Div):
            return node
        right = node.expression
        if isinstance(right, exp.Nullif):
            return exp.Div(
                this=exp.Mul(this=exp.Literal.number("1.0"), expression=node.this), expression=right, typed=True
            )
        return divided(node.this, right)

    return exp.Paren(this=tree).transform(real).this


def pushed(amount: Amount, expressions: Expressions, counted: exp.Column | None = None) -> Amount:
    """The same figure with its filters inside its aggregates, so that it can stand beside another one.

    Rows are counted by `counted` where that is given.
    """
    import sqlglot
    from sqlglot import exp

    if not amount.filters:
        return amount
    dialect = expressions.schema.dialect
    condition = exp.and_(*(sqlglot.parse_one(f, read=dialect) for f in amount.filters))
    tree = exp.Paren(this=amount.tree.copy())
    for node in list(tree.find_all(exp.AggFunc)):
        inner = node.this
        distinct = isinstance(inner, exp.Distinct) or (isinstance(inner, exp.Star) and counted is not None)
        value = inner.expressions[0] if isinstance(inner, exp.Distinct) else inner
        if isinstance(value, exp.Star):
            value = counted.copy() if counted is not None else exp.Literal.number(1)
        case = exp.Case(ifs=[exp.If(this=condition.copy(), true=value)])
        node.replace(type(node)(this=exp.Distinct(expressions=[case]) if distinct else case))
    return replace(amount, tree=tree.this, filters=())


def _bare(tree: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return tree.this if isinstance(tree, exp.Paren) else tree


def _wrapped(tree: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Paren(this=tree) if isinstance(tree, exp.Binary) else tree
