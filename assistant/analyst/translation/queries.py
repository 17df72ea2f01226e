"""A statement as a query of the algebra, or why it is none. Pure: nothing runs, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from assistant.analyst import algebra as al
from assistant.analyst.checking import problems
from assistant.analyst.sql.portable import WRITTEN
from assistant.analyst.sql.terms import needed
from assistant.analyst.translation.figures import FigureReader
from assistant.analyst.translation.joins import ReadScope, add_edges, read_tables, tables_from
from assistant.analyst.translation.plain import check_plain
from assistant.analyst.translation.templates import Untranslatable, allow_only, check_clauses, conjuncts
from assistant.analyst.translation.terms import TermReader
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from assistant.analyst.source import AnalystSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """What a statement computes. `remarks` say what its chips compute a little otherwise."""

    query: al.Query
    remarks: tuple[str, ...] = ()


def translate(sql: str, data: AnalystSource) -> Translation:
    """A plain statement in a source's own dialect as a query of the algebra.

    Raises:
        Untranslatable: it is not plain, or says what chips do not; the text names it.
    """
    dialect = data.schema.dialect
    columns = {column.name for table in data.schema.tables.values() for column in table.columns}
    remarks = check_plain(sql, dialect, columns)
    tree = parse_one(sql, dialect)
    reader = _Reader(data)
    if reader.terms.dialect.engine:
        tree = parse_one(tree.sql(dialect=WRITTEN), WRITTEN)
    check_clauses(tree)
    assert isinstance(tree, exp.Select), "a plain statement is one"
    query = reader.query(tree)
    if reasons := problems(query, data.schema):
        raise Untranslatable(" ".join(reasons))
    return Translation(query=query, remarks=(*reader.terms.remarks, *remarks))


class _Reader:
    """Reads one statement."""

    def __init__(self, data: AnalystSource) -> None:
        self.schema = data.schema
        self.terms = TermReader(data)

    def query(self, node: exp.Select) -> al.Query:
        """Its query."""
        allow_only(node, "expressions", "from_", "joins", "where", "group", "having", "order", "limit")
        if node.args.get("from_") is None:
            raise Untranslatable("It reads no table.")
        where = list(conjuncts(node.args["where"].this)) if node.args.get("where") else []
        scope, where = self._scope(node, where)
        scope = replace(scope, rows=replace(scope.rows, where=self._where(scope, where)))
        if node.args.get("group") or any(item.find(exp.AggFunc) for item in node.expressions):
            return self._grouped(node, scope)
        return self._listing(node, scope)

    def _scope(self, node: exp.Select, where: Sequence[exp.Expr]) -> tuple[ReadScope, list[exp.Expr]]:
        """The tables that it reads, as rows of one of them, and its conditions without those that join."""
        from_tables = read_tables(node, self.schema)
        remaining = add_edges(from_tables, [*from_tables.conditions, *where], self.schema)
        for home in from_tables.stored:
            if home in from_tables.inner and (table_of := tables_from(home, from_tables, self.schema)) is not None:
                rows = al.Rows(from_tables.stored[home])
                return ReadScope(rows=rows, from_tables=from_tables, table_of=table_of), remaining
        raise Untranslatable("It joins tables otherwise than by their keys, or so that rows count several times.")

    def _where(self, scope: ReadScope, where: Sequence[exp.Expr]) -> al.Condition:
        """Its conditions; with those of joins that leave rows out."""
        condition, home = self.terms.where(where, scope), scope.rows.table
        open_tables = [
            table
            for alias, table in scope.table_of.items()
            if alias in scope.from_tables.inner
            and table != home
            and table not in needed(condition)
            and not self.schema.has_one(home, table)
        ]
        keys = [self.schema.path(home, table)[-1].end[0] for table in open_tables]  # type: ignore[index]
        return al.both(condition, *(al.Not(al.Missing(key)) for key in keys)) if keys else condition

    def _listing(self, node: exp.Select, scope: ReadScope) -> al.Listing:
        outputs = [self.terms.term(item.unalias(), scope) for item in node.expressions]
        visible = len(outputs)
        steps = [
            (self.terms.term(_meant(step.this, node), scope), bool(step.args.get("desc"))) for step in _steps(node)
        ]
        outputs += [term for term in dict.fromkeys(term for term, _ in steps) if term not in outputs]
        order = tuple(al.Order(outputs.index(term), down) for term, down in steps)
        shown = visible if visible < len(outputs) else None
        return al.Listing(scope.rows, tuple(outputs), order=order, limit=_limit(node), shown=shown)

    def _grouped(self, node: exp.Select, scope: ReadScope) -> al.Grouped:
        group = node.args.get("group")
        by = [_meant(term, node) for term in group.expressions] if group is not None else []
        keys = tuple(dict.fromkeys(self.terms.term(term, scope) for term in by))
        reader = FigureReader(terms=self.terms, scope=scope)
        figures: list[al.Figure] = []

        def place(expression: exp.Expr) -> int:
            key = self._key(expression, scope, keys)
            if key is not None:
                return key
            figure = reader.figure(expression)
            if figure not in figures:
                figures.append(figure)
            return len(keys) + figures.index(figure)

        visible = [place(item.unalias()) for item in node.expressions]
        having = self._having(node, scope, place)
        order = tuple(al.Order(place(_meant(step.this, node)), bool(step.args.get("desc"))) for step in _steps(node))
        shown = None if visible == list(range(len(keys) + len(figures))) else tuple(visible)
        return al.Grouped(scope.rows, keys, tuple(figures), having, order, _limit(node), shown)

    def _key(self, expression: exp.Expr, scope: ReadScope, keys: tuple[al.Term, ...]) -> int | None:
        if expression.find(exp.AggFunc):
            return None
        try:
            term = self.terms.term(expression, scope)
        except Untranslatable:
            return None
        return keys.index(term) if term in keys else None

    def _having(self, node: exp.Select, scope: ReadScope, place: Callable[[exp.Expr], int]) -> al.Condition:
        """A condition on groups: what it compares is an output, shown or not."""
        if node.args.get("having") is None:
            return al.NO_FILTER
        outputs: dict[str, al.Output] = {}

        def change(part: exp.Expr) -> exp.Expr:
            is_value = not isinstance(part, exp.Predicate | exp.Connector | exp.Not | exp.Paren)
            if not is_value or isinstance(part, exp.Literal | exp.Null | exp.Neg | exp.Boolean):
                return part
            at = place(_meant(part, node))
            outputs[f"output {at}"] = al.Output(at)
            return exp.column(exp.to_identifier(f"output {at}", quoted=True))

        test = _changed(node.args["having"].this.copy(), change)
        return self.terms.where(conjuncts(test), ReadScope(rows=scope.rows, outputs=outputs))


def _meant(node: exp.Expr, select: exp.Select) -> exp.Expr:
    """What a number or a name of a result stands for in GROUP BY and ORDER BY."""
    items = select.expressions
    if isinstance(node, exp.Literal) and node.is_int and 0 < int(node.this) <= len(items):
        return items[int(node.this) - 1].unalias()
    if isinstance(node, exp.Column) and not node.table:
        aliases = (i for i in items if isinstance(i, exp.Alias) and i.alias.casefold() == node.name.casefold())
        return next((alias.this for alias in aliases), node)
    return node


def _limit(node: exp.Select) -> al.Limit | None:
    limit = node.args.get("limit")
    if limit is None:
        return None
    if not isinstance(limit, exp.Limit) or not isinstance(limit.expression, exp.Literal):
        raise Untranslatable("It is cut as chips do not cut.")
    return al.Limit(int(limit.expression.this))


def _steps(node: exp.Select) -> list[exp.Ordered]:
    order = node.args.get("order")
    return order.expressions if order is not None else []


def _changed(node: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    """A tree with its outermost parts changed: what was changed is not looked into."""
    new = change(node)
    if new is not node:
        return new
    for name, value in list(node.args.items()):
        if isinstance(value, exp.Expr):
            node.set(name, _changed(value, change))
        elif isinstance(value, list):
            node.set(name, [_changed(v, change) if isinstance(v, exp.Expr) else v for v in value])
    return node
