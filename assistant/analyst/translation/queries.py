"""A statement as a query of the algebra, or why it is none. Pure: nothing runs, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst import algebra as al
from assistant.analyst.checking import problems
from assistant.analyst.sql.figures import INTERPOLATED
from assistant.analyst.sql.portable import WRITTEN
from assistant.analyst.sql.terms import needed
from assistant.analyst.translation.figures import FigureReader, is_aggregated, ordered
from assistant.analyst.translation.joins import add_edges, pairs_of, read_tables, tables_from
from assistant.analyst.translation.parts import read_parts
from assistant.analyst.translation.scopes import ReadScope, Value
from assistant.analyst.translation.templates import Untranslatable, allow_only, check_clauses, conjuncts, text_of
from assistant.analyst.translation.terms import TermReader
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from assistant.analyst.source import AnalystSource

_CLAUSES = (
    "expressions",
    "from_",
    "joins",
    "where",
    "group",
    "having",
    "distinct",
    "order",
    "limit",
    "offset",
    "with_",
)
_NOTHING = exp.select(exp.alias_(exp.Literal.number(1), "k"))
"""What the compiler groups where there is no key and no figure of the rows themselves."""
_SETS = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """What a statement computes. `remarks` say what its chips compute a little otherwise."""

    query: al.Query
    remarks: tuple[str, ...] = ()


def translate(sql: str, data: AnalystSource) -> Translation:
    """A statement in a source's own dialect as a query of the algebra.

    Raises:
        Untranslatable: it says what chips do not; the text names it.
    """
    dialect = data.schema.dialect
    try:
        tree = parse_one(sql, dialect)
        reader = _Reader(data)
        if reader.terms.dialect.engine:
            tree = parse_one(tree.sql(dialect=WRITTEN), WRITTEN)
    except SqlglotError:
        raise Untranslatable("It cannot be taken apart.") from None
    if dialect != "mysql":  # where it is that of a population
        for deviation in list(tree.find_all(exp.Stddev)):
            deviation.replace(exp.StddevSamp(this=deviation.this))
    check_clauses(tree)
    query = reader.query(tree)
    if reasons := problems(query, data.schema):
        raise Untranslatable(" ".join(reasons))
    return Translation(query=query, remarks=tuple(reader.terms.remarks))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A query with the names of its results, in lower case. `numbered`: the column that numbers its rows, if any."""

    query: al.Query
    names: tuple[str, ...]
    numbered: str = ""


class _Reader:
    """Reads one statement."""

    def __init__(self, data: AnalystSource) -> None:
        self.data = data
        self.schema = data.schema
        self.terms = TermReader(data, self)
        self._ctes: dict[str, exp.Expr] = {}

    def query(self, node: exp.Expr) -> al.Query:
        """A query by itself."""
        return self.named(node).query

    def named(self, node: exp.Expr) -> _Named:
        """A query with the names of its results."""
        node = node.unnest()
        for cte in node.args["with_"].expressions if node.args.get("with_") else ():
            self._ctes[cte.alias.casefold()] = cte.this
        match node:
            case exp.Subquery():
                allow_only(node, "this", "alias")
                return self.named(node.this)
            case exp.Union() | exp.Intersect() | exp.Except():
                return self._set(node)
            case exp.Select():
                return self._select(node)
            case _:
                raise Untranslatable("It is no query.")

    def _set(self, node: exp.Union | exp.Intersect | exp.Except) -> _Named:
        if not node.args.get("distinct"):
            raise Untranslatable("It puts results one below the other.")
        allow_only(node, "this", "expression", "distinct", "with_")
        left, right = self.named(node.this), self.named(node.expression)
        return replace(left, query=al.SetOf(_SETS[type(node)], left.query, right.query))  # type: ignore[arg-type]

    # --- one SELECT ---

    def _select(self, node: exp.Select) -> _Named:
        allow_only(node, *_CLAUSES)
        if node.args.get("from_") is None:
            raise Untranslatable("It reads no table.")
        where = list(conjuncts(node.args["where"].this)) if node.args.get("where") else []
        if (ranked := self._ranked(node)) is not None:
            return ranked
        derived = self._derived(node)
        if len(derived) == 1 and not self._looks_across(node):
            ((alias, inner),) = derived.items()
            return self._over(node, alias, inner, where)
        if derived:
            allow_only(node, "expressions", "from_", "joins", "order", "limit", "offset", "with_")
            query, values = read_parts(
                node,
                [named.query for named in derived.values()],
                self.terms.dialect.same,
                self.terms.dialect.written or self.schema.dialect,
            )
            columns: dict[tuple[str, str], Value] = {}
            for (alias, inner), outputs in zip(derived.items(), values, strict=True):
                columns |= {(alias, name): value for name, value in zip(inner.names, outputs, strict=True)}
            scope = ReadScope(rows=query.of, values=columns)
            return self._with_figures(
                node, scope, query.keys, FigureReader(terms=self.terms, scope=scope, keys=query.keys)
            )
        scope, where = self._scope(node, where)
        return self._of_rows(node, scope, where)

    @staticmethod
    def _looks_across(node: exp.Select) -> bool:
        """Whether it computes figures over the groups of the query that it reads, rather than numbers its rows."""
        windows = [window for item in node.expressions for window in item.find_all(exp.Window)]
        return bool(windows) and not any(map(_is_star, node.expressions))

    def _ranked(self, node: exp.Select) -> _Named | None:
        """A percentile as the compiler writes it: of values that are numbered in order."""
        last = node.expressions[-1].unalias() if node.expressions else node
        of = self.terms.operands(INTERPOLATED, last)
        rows = node.args["from_"].this.this
        if of is None or not isinstance(rows, exp.Select):
            return None
        *by, value, _, _ = (item.unalias() for item in rows.expressions)
        where = list(conjuncts(rows.args["where"].this))
        scope, remaining = self._scope(rows, [c for c in where if not self._is_there(c, value)])
        scope = replace(scope, rows=replace(scope.rows, where=self._where(scope, remaining)))
        keys = tuple(self.terms.term(key, scope) for key in by)
        fraction = float(of[0].name)
        figure = al.Aggregate(
            "median" if fraction == 0.5 else "percentile", self.terms.term(value, scope), fraction=fraction
        )
        names = tuple(item.alias_or_name for item in node.expressions)
        return _Named(query=al.Grouped(scope.rows, keys, (figure,)), names=names)

    def _is_there(self, condition: exp.Expr, value: exp.Expr) -> bool:
        """Whether a condition is that there is a value."""
        return self.terms.operands("{0} IS NOT NULL", condition) == (value.unnest(),)

    def _derived(self, node: exp.Select) -> dict[str, _Named]:
        """The queries in its FROM, by alias; none where it reads tables."""
        derived: dict[str, _Named] = {}
        sources = (node.args["from_"].this, *(join.this for join in node.args.get("joins") or ()))
        for source in sources:
            cte = self._ctes.get(source.name.casefold()) if isinstance(source, exp.Table) and not source.db else None
            if isinstance(source, exp.Subquery) and source.this == _NOTHING:
                derived[source.alias_or_name.casefold()] = _Named(query=al.Grouped(al.Rows(""), (), ()), names=())
            elif isinstance(source, exp.Subquery) or cte is not None:
                derived[source.alias_or_name.casefold()] = self.named(source if cte is None else cte)
        if derived and len(derived) < len(sources):
            raise Untranslatable("It joins a table to the result of another query.")
        return derived

    def _scope(self, node: exp.Select, where: Sequence[exp.Expr]) -> tuple[ReadScope, list[exp.Expr]]:
        """The tables that it reads, as rows of one of them, and its conditions without those that join."""
        from_tables = read_tables(node, self.schema)
        remaining = add_edges(from_tables, [*from_tables.conditions, *where], self.schema)
        for home in from_tables.stored:
            if home in from_tables.inner and (table_of := tables_from(home, from_tables, self.schema)) is not None:
                return ReadScope(
                    rows=al.Rows(from_tables.stored[home]), from_tables=from_tables, table_of=table_of
                ), remaining
        raise Untranslatable("It joins tables otherwise than by their keys, or so that rows count several times.")

    def _where(self, scope: ReadScope, where: Sequence[exp.Expr]) -> al.Condition:
        """Its conditions; with those of joins that leave rows out."""
        condition = self.terms.where(where, scope)
        open_tables = [
            table
            for alias, table in scope.table_of.items()
            if alias in scope.from_tables.inner
            and table != scope.home
            and table not in needed(condition)
            and not self.schema.has_one(scope.home, table)
        ]
        keys = [self.schema.path(scope.home, table)[-1].end[0] for table in open_tables]  # type: ignore[index]
        return al.both(condition, *(al.Not(al.Missing(key)) for key in keys)) if keys else condition

    def _of_rows(self, node: exp.Select, scope: ReadScope, where: Sequence[exp.Expr]) -> _Named:
        condition = self._where(scope, where)
        rows = replace(scope.rows, where=condition)
        if node.args.get("group") or any(map(is_aggregated, node.expressions)):
            return self._grouped(node, replace(scope, rows=rows))
        return self._listing(node, replace(scope, rows=rows))

    # --- over a query ---

    def _over(self, node: exp.Select, alias: str, inner: _Named, where: Sequence[exp.Expr]) -> _Named:
        """A SELECT over a query: its order and limit, its groups, or a query of its own."""
        if inner.numbered:
            return self._cut(node, inner, where)
        scope = ReadScope(rows=al.Groups(inner.query)).with_values(alias, inner.names)
        condition = self.terms.where(where, scope) if where else al.NO_FILTER
        if node.args.get("group") or any(map(is_aggregated, node.expressions)):
            return self._grouped(node, replace(scope, rows=al.Groups(inner.query, condition)))
        if (numbered := self._numbered(node, scope, inner)) is not None:
            return numbered
        query = inner.query
        if isinstance(query, al.Grouped) and query.shown is None and not query.limit and where:
            query, condition = replace(query, having=al.both(query.having, condition)), al.NO_FILTER
        if condition == al.NO_FILTER and (finished := self._finish(node, query, inner.names, scope)) is not None:
            return finished
        return self._listing(node, replace(scope, rows=al.Groups(query, condition)))

    def _finish(self, node: exp.Select, query: al.Query, names: tuple[str, ...], scope: ReadScope) -> _Named | None:
        """A query in order, cut, and with some of its outputs; None where the SELECT is more than that."""
        items = [item for item in node.expressions if not _is_star(item)]
        if not items and not any(node.args.get(c) for c in ("order", "limit", "offset", "distinct")):
            return _Named(query=query, names=names)
        if isinstance(query, al.SetOf) or query.order or query.limit or node.args.get("distinct"):
            return None
        if query.shown is not None:
            return None
        outputs = [self._output(item, scope) for item in items] if items else list(map(al.Output, range(len(names))))
        places = [output.place for output in outputs if isinstance(output, al.Output)]
        steps = self._order(node, scope, items)
        if len(places) < len(outputs) or not all(isinstance(term, al.Output) for term, _ in steps):
            return None
        new_names = tuple(item.alias_or_name.casefold() for item in items) or names
        order = tuple(al.Order(term.place, down) for term, down in steps if isinstance(term, al.Output))
        return _Named(query=_shown(query, places, order, self._limit(node)), names=new_names)

    def _output(self, item: exp.Expr, scope: ReadScope) -> Value | None:
        inner = item.unalias().unnest()
        return scope.value(inner, self.schema) if isinstance(inner, exp.Column) else None

    def _numbered(self, node: exp.Select, scope: ReadScope, inner: _Named) -> _Named | None:
        """The rows of a query, each with its place in an order: the limit of each group."""
        *stars, last = node.expressions
        window = last.unalias() if isinstance(last, exp.Alias) else None
        if not isinstance(window, exp.Window) or not all(map(_is_star, stars)) or not stars:
            return None
        kinds = {exp.RowNumber: (False, False), exp.Rank: (True, False), exp.DenseRank: (True, True)}
        if type(window.this) not in kinds or isinstance(inner.query, al.SetOf) or inner.query.order:
            return None
        within = [self.terms.term(part, scope) for part in window.args.get("partition_by") or ()]
        steps = [(self.terms.term(o.this, scope), bool(o.args.get("desc"))) for o in ordered(window.args.get("order"))]
        if not all(isinstance(term, al.Output) for term in (*within, *(term for term, _ in steps))):
            return None
        order = tuple(al.Order(term.place, down) for term, down in steps if isinstance(term, al.Output))
        ties, _ = kinds[type(window.this)]
        limit = al.Limit(0, tuple(term.place for term in within if isinstance(term, al.Output)), ties)
        return _Named(query=replace(inner.query, order=order, limit=limit), names=inner.names, numbered=last.alias)

    def _cut(self, node: exp.Select, inner: _Named, where: Sequence[exp.Expr]) -> _Named:
        """The first few of each group, by the places of their rows."""
        first, skip = 0, 0
        for condition in where:
            test = condition.unnest()
            is_place = isinstance(test, exp.LTE | exp.GT | exp.EQ | exp.LT) and test.this.name == inner.numbered
            if not is_place or not isinstance(test.expression, exp.Literal):
                raise Untranslatable(f"{text_of(condition)} cuts a ranking as chips do not.")
            n = int(test.expression.this)
            if isinstance(test, exp.GT):
                skip = n
            else:
                first = n - isinstance(test, exp.LT)
        query = inner.query
        assert isinstance(query, al.Grouped | al.Listing), "only these are numbered"
        assert query.limit is not None, "that is how it is numbered"
        limit = replace(query.limit, n=first - skip, skip=skip)
        scope = ReadScope(rows=al.Groups(query)).with_values(_alias(node), inner.names)
        items = [item for item in node.expressions if not _is_star(item)]
        outputs = (
            [self._output(item, scope) for item in items] if items else list(map(al.Output, range(len(inner.names))))
        )
        places = [output.place for output in outputs if isinstance(output, al.Output)]
        names = tuple(item.alias_or_name.casefold() for item in items) or inner.names
        return _Named(query=_shown(query, places, query.order, limit), names=names)

    # --- rows and groups ---

    def _listing(self, node: exp.Select, scope: ReadScope) -> _Named:
        items: list[exp.Expr] = []
        outputs: list[al.Term] = []
        for item in node.expressions:
            if _is_star(item):
                terms = scope.columns(self.schema) or tuple(map(al.Output, range(len(scope.values))))
                outputs.extend(terms)
                items.extend(exp.column(getattr(term, "name", "")) for term in terms)
            else:
                outputs.append(self.terms.term(item.unalias(), scope))
                items.append(item)
        visible = len(outputs)
        steps = self._order(node, scope, items, outputs)
        for term, _ in steps:
            if term not in outputs:
                outputs.append(term)  # type: ignore[arg-type]
        order = tuple(al.Order(outputs.index(term), down) for term, down in steps)  # type: ignore[arg-type]
        is_distinct = node.args.get("distinct") is not None
        shown = visible if visible < len(outputs) else None
        query = al.Listing(scope.rows, tuple(outputs), is_distinct, order, self._limit(node), shown)
        return _Named(query=query, names=tuple(item.alias_or_name.casefold() for item in items))

    def _grouped(self, node: exp.Select, scope: ReadScope) -> _Named:
        if node.args.get("distinct"):
            raise Untranslatable("It drops equal groups.")
        by: list[exp.Expr] = []
        if (group := node.args.get("group")) is not None:
            by = [self._meant(term, node.expressions) for term in group.expressions]
        keys = tuple(dict.fromkeys(self.terms.term(term, scope) for term in by))
        return self._with_figures(node, scope, keys, FigureReader(terms=self.terms, scope=scope, keys=keys))

    def _with_figures(
        self, node: exp.Select, scope: ReadScope, keys: tuple[al.Term, ...], reader: FigureReader
    ) -> _Named:
        figures: list[al.Figure] = []

        def place(expression: exp.Expr) -> int:
            key = self._key(expression, scope, keys)
            if key is not None:
                return key
            figure = reader.figure(expression)
            if figure not in figures:
                figures.append(figure)
            return len(keys) + figures.index(figure)

        if any(map(_is_star, node.expressions)):
            raise Untranslatable("It shows every column of grouped rows.")
        visible = [place(item.unalias()) for item in node.expressions]
        having = self._having(node, scope, place)
        steps = [(place(self._meant(o.this, node.expressions)), bool(o.args.get("desc"))) for o in _steps(node)]
        order = tuple(al.Order(at, down) for at, down in steps)
        size = len(keys) + len(figures)
        shown = None if visible == list(range(size)) else tuple(visible)
        query = al.Grouped(scope.rows, keys, tuple(figures), having, order, self._limit(node), shown)
        return _Named(query=query, names=tuple(item.alias_or_name.casefold() for item in node.expressions))

    def _key(self, expression: exp.Expr, scope: ReadScope, keys: tuple[al.Term, ...]) -> int | None:
        if is_aggregated(expression) or expression.find(exp.Window):
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
        test = node.args["having"].this.copy()
        values: dict[tuple[str, str], Value] = {}

        def change(part: exp.Expr) -> exp.Expr:
            is_value = not isinstance(part, exp.Predicate | exp.Connector | exp.Not | exp.Paren | exp.Query)
            is_plain = (
                isinstance(part, exp.Literal | exp.Null | exp.Neg | exp.Boolean) or self.terms.day(part) is not None
            )
            if not is_value or is_plain:
                return part
            at = place(self._meant(part, node.expressions))
            values["", f"output {at}"] = al.Output(at)
            return exp.column(exp.to_identifier(f"output {at}", quoted=True))

        return self.terms.where(conjuncts(_changed(test, change)), ReadScope(rows=scope.rows, values=values))

    # --- order and limit ---

    def _meant(self, node: exp.Expr, items: Sequence[exp.Expr]) -> exp.Expr:
        """What a number or a name of a result stands for in GROUP BY and ORDER BY."""
        if isinstance(node, exp.Literal) and node.is_int and 0 < int(node.this) <= len(items):
            return items[int(node.this) - 1].unalias()
        if isinstance(node, exp.Column) and not node.table:
            alias = next(
                (i for i in items if isinstance(i, exp.Alias) and i.alias.casefold() == node.name.casefold()), None
            )
            return alias.this if alias is not None else node
        return node

    def _order(
        self, node: exp.Select, scope: ReadScope, items: Sequence[exp.Expr], outputs: Sequence[al.Term] = ()
    ) -> list[tuple[Value, bool]]:
        return [
            (self.terms.term(self._meant(step.this, items), scope), bool(step.args.get("desc")))
            for step in _steps(node)
        ]

    def _limit(self, node: exp.Select) -> al.Limit | None:
        limit, offset = node.args.get("limit"), node.args.get("offset")
        if limit is None and offset is None:
            return None
        size = limit.args.get("expression") if isinstance(limit, exp.Limit) else None
        if isinstance(limit, exp.Fetch) and not limit.args.get("limit_options"):
            size = limit.args.get("count")
        skip = offset.expression if offset is not None else exp.Literal.number(0)
        if not isinstance(size, exp.Literal) or not isinstance(skip, exp.Literal):
            raise Untranslatable("It is cut as chips do not cut.")
        return al.Limit(int(size.this), skip=int(skip.this))

    # --- related rows ---

    def related(self, node: exp.Select, scope: ReadScope) -> tuple[str, al.Rows]:
        """The rows of another table that belong to a row of a scope, and the table of that row.

        Raises:
            Untranslatable: they belong to it by no known key.
        """
        allow_only(node, "expressions", "from_", "joins", "where")
        where = list(conjuncts(node.args["where"].this)) if node.args.get("where") else []
        from_tables = read_tables(node, self.schema)
        remaining = add_edges(from_tables, [*from_tables.conditions, *where], self.schema)
        for far in from_tables.stored:
            table_of = tables_from(far, from_tables, self.schema)
            if table_of is None:
                continue
            inner = ReadScope(rows=al.Rows(from_tables.stored[far]), from_tables=from_tables, table_of=table_of)
            for alias, start in scope.table_of.items():
                if (bound := self._bound(remaining, inner, alias, start)) is not None:
                    conditions = [condition for condition in remaining if condition not in bound]
                    return start, al.Rows(inner.home, self.terms.where(conditions, inner))
        raise Untranslatable("It asks for rows of another table that belong together by no known key.")

    def _bound(self, conditions: Sequence[exp.Expr], inner: ReadScope, alias: str, start: str) -> list[exp.Expr] | None:
        """The conditions by which rows of the inner table belong to a row of an outer one; None where none do."""
        path = self.schema.path(start, inner.home)
        if not path:
            return None
        first = path[0]
        near = [a for a, table in inner.table_of.items() if table == first.table]
        is_direct = [c for c in conditions if self._is_edge(c, alias, near[0] if near else "")]
        pairs = frozenset(self._pair(condition, alias) for condition in is_direct)
        if near and pairs == pairs_of(first):
            return is_direct
        for condition in conditions:
            if isinstance(condition.unnest(), exp.Exists) and self._leads(condition.unnest().this, inner, alias, start):
                return [condition]
        return None

    def _is_edge(self, condition: exp.Expr, outer: str, inner: str) -> bool:
        condition = condition.unnest()
        sides = (condition.this, condition.expression) if isinstance(condition, exp.EQ) else ()
        return {side.table.casefold() for side in sides if isinstance(side, exp.Column)} == {outer, inner} != {""}

    def _pair(self, condition: exp.Expr, outer: str) -> tuple[str, str]:
        test = condition.unnest()
        first, second = test.this, test.expression
        if first.table.casefold() != outer:
            first, second = second, first
        return first.name.casefold(), second.name.casefold()

    def _leads(self, node: exp.Expr, inner: ReadScope, alias: str, start: str) -> bool:
        """Whether a query finds a row for each way by the known keys through the tables between two tables."""
        path = self.schema.path(start, inner.home) or ()
        if not isinstance(node, exp.Select):
            return False
        from_tables = read_tables(node, self.schema)
        far = next(iter(inner.table_of))
        pairs: set[frozenset[tuple[str, str]]] = set()
        stored = {**from_tables.stored, alias: start, far: inner.home}
        for condition in conjuncts(node.args["where"].this) if node.args.get("where") else ():
            test = condition.unnest()
            if not isinstance(test, exp.EQ):
                return False
            sides = [s for s in (test.this, test.expression) if isinstance(s, exp.Column)]
            pairs.add(frozenset((stored.get(s.table.casefold(), ""), s.name.casefold()) for s in sides))
        expected = {
            frozenset({(self._stored(a.table), a.name.casefold()), (self._stored(b.table), b.name.casefold())})
            for link in path
            for a, b in zip(link.start, link.end, strict=True)
        }
        named = {frozenset((self._stored(table), name) for table, name in pair) for pair in pairs}
        return named == expected

    def _stored(self, table: str) -> str:
        return (self.schema.tables[table].of or table) if table in self.schema.tables else table


def _steps(node: exp.Select) -> list[exp.Ordered]:
    return list(ordered(node.args.get("order")))


def _alias(node: exp.Select) -> str:
    return node.args["from_"].this.alias_or_name.casefold()


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))


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


def _shown(
    query: al.Listing | al.Grouped, places: Sequence[int], order: tuple[al.Order, ...], limit: al.Limit | None
) -> al.Listing | al.Grouped:
    """A query of which some outputs are shown, in order, and cut."""
    if isinstance(query, al.Grouped):
        size = len(query.keys) + len(query.figures)
        return replace(
            query, order=order, limit=limit, shown=None if list(places) == list(range(size)) else tuple(places)
        )
    new = [*places, *(at for at in range(len(query.outputs)) if at not in places)]
    used = [at for at in new if at in places or any(o.place == at for o in order) or (limit and at in limit.within)]
    return replace(
        query,
        outputs=tuple(query.outputs[at] for at in used),
        order=tuple(replace(o, place=used.index(o.place)) for o in order),
        limit=replace(limit, within=tuple(map(used.index, limit.within))) if limit else None,
        shown=len(places) if len(places) < len(used) else None,
    )
