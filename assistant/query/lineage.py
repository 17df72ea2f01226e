"""Lineage of a query's figures: tables, joins, conditions, and how each column is computed. Pure.

Read from the SQL that ran, by sqlglot; what it cannot read has no lineage, and nothing is guessed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlglot import expressions as exp
from sqlglot.errors import SqlglotError

from knowledge.parsing import limit_work, parse_one

Aggregate = Literal["sum", "count", "distinct", "average", "least", "greatest", "ratio", "other", ""]
_AGGREGATES: tuple[tuple[type[exp.Expr], Aggregate], ...] = (
    (exp.Sum, "sum"),
    (exp.Count, "count"),
    (exp.Avg, "average"),
    (exp.Min, "least"),
    (exp.Max, "greatest"),
)
EFFECTS: dict[str, str] = {
    "": "only rows that have a match on both sides",
    "INNER": "only rows that have a match on both sides",
    "LEFT": "all rows of what stands before it, with a match where there is one",
    "RIGHT": "all rows of this table, with a match where there is one",
    "FULL": "all rows of both sides",
    "CROSS": "every pair of rows",
}
"""What a join keeps, by its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A join: the table that it brings in, on what, and what it keeps."""

    table: str
    kind: str
    on: str

    @property
    def effect(self) -> str:
        """Which rows the join keeps, as text."""
        return EFFECTS.get(self.kind, EFFECTS[""])


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageColumn:
    """A column of the result: what it is computed from, and how it is added up, if it is; `is_plain` where it is a
    table's column as it stands there, `is_group` where the rows are grouped by it."""

    name: str
    expression: str
    aggregate: Aggregate
    sources: tuple[str, ...]
    is_plain: bool = False
    is_group: bool = False

    @property
    def additive(self) -> bool | None:
        """Whether its figures may be added up; None where it is no aggregate."""
        return None if self.aggregate == "" else self.aggregate in ("sum", "count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """A query's tables, joins, conditions and columns."""

    tables: tuple[str, ...]
    joins: tuple[Joined, ...]
    filters: tuple[str, ...]
    groups: tuple[str, ...]
    outputs: tuple[LineageColumn, ...]
    limit: int | None = None

    @property
    def by_name(self) -> Mapping[str, LineageColumn]:
        """The columns by their names."""
        return {output.name: output for output in self.outputs}


def trace_lineage(sql: str, dialect: str) -> Lineage | None:
    """The lineage of a query; None where it cannot be read, or only with too much work."""
    try:
        tree = parse_one(sql, _dialect(dialect))
        with limit_work():
            return _follow(tree, dialect)
    except SqlglotError:
        return None


def find_columns_read(sql: str, dialect: str, tables: Mapping[str, Collection[str]]) -> Mapping[str, frozenset[str]]:
    """The tables that a query reads and the columns of each that it may read, all in lower case.

    A column without its table is taken to be of each table that has one of that name; where the query cannot be read,
    every column of every table is taken.

    Args:
        sql: The query.
        dialect: sqlglot's name of its dialect.
        tables: The columns of the source's tables, by the tables' names.
    """
    columns_of_table = {table.casefold(): frozenset(map(str.casefold, columns)) for table, columns in tables.items()}
    try:
        tree = parse_one(sql, _dialect(dialect))
    except SqlglotError:
        return columns_of_table
    aliases: dict[str, str] = {}
    for table in tree.find_all(exp.Table):
        name = next(
            (n for n in (f"{table.db}.{table.name}".casefold(), table.name.casefold()) if n in columns_of_table), ""
        )
        if name:
            aliases |= {table.alias_or_name.casefold(): name}
    columns_of_query: dict[str, set[str]] = {name: set() for name in aliases.values()}
    if any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star)):
        return {name: columns_of_table[name] for name in columns_of_query}
    for column in tree.find_all(exp.Column):
        owner = aliases.get(column.table.casefold())
        for name in (owner,) if owner is not None else columns_of_query:
            columns_of_query[name] |= {column.name.casefold()} & columns_of_table[name]
    return {name: frozenset(columns) for name, columns in columns_of_query.items()}


def _follow(tree: exp.Expr, dialect: str) -> Lineage | None:
    if not isinstance(tree, exp.Query):
        return None
    cte_names = {cte.alias for cte in tree.find_all(exp.CTE)}
    tables = dict.fromkeys(table.name for table in tree.find_all(exp.Table) if table.name not in cte_names)
    outer = tree if isinstance(tree, exp.Select) else tree.find(exp.Select)
    if outer is None:
        return None
    aliases = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    limit = tree.args.get("limit")
    return Lineage(
        tables=tuple(tables),
        joins=tuple(_find_joins(tree, dialect)),
        filters=tuple(dict.fromkeys(_find_filters(tree, dialect))),
        groups=tuple(_name_group(outer, part, dialect) for part in _find_groups(outer)),
        outputs=tuple(
            _describe_output(column, aliases, dialect, is_group=_is_group(outer, column))
            for column in _expand_stars(outer)
        ),
        limit=_read_limit(limit),
    )


_DEPTH_MAX = 20
"""A query that reads itself is not followed for ever."""
LABEL_CHARACTERS, LABEL_LINES = 18, 3
"""How a name is broken into lines, so that the picture can be read on a phone."""


def draw_lineage(lineage: Lineage, *, rows: Mapping[str, int | None], result: str) -> str:
    """A small picture in DOT: tables on the left, what is kept of them in the middle, the result on the right.

    Args:
        lineage: what to draw.
        rows: how many rows each table holds, where that is known.
        result: what the result is called.
    """
    lines = [
        "digraph { rankdir=LR; bgcolor=transparent; pad=0.1; ranksep=0.25; nodesep=0.12;",
        'node [shape=box, style="rounded", fontname="Helvetica", fontsize=11, color="#7A8A84", fontcolor="#7A8A84"];',
        'edge [color="#7A8A84", arrowsize=0.6, fontname="Helvetica", fontsize=9, fontcolor="#7A8A84"];',
    ]
    target = "kept" if lineage.filters else "result"
    joins = {join.table: join for join in lineage.joins}
    for place, table in enumerate(lineage.tables):
        count = rows.get(table)
        label = _write_label(table, f"{count:,} rows" if count is not None else "")
        kind = joins[table].kind.lower() if table in joins and joins[table].kind else ""
        lines.append(f"t{place} [label={label}];")
        lines.append(f't{place} -> {target} [label="{kind} join"];' if kind else f"t{place} -> {target};")
    if lineage.filters:
        many = "1 condition" if len(lineage.filters) == 1 else f"{len(lineage.filters)} conditions"
        lines.append(f"kept [label={_write_label('Rows that meet', many)}, style=dashed]; kept -> result;")
    grouped = f"by {', '.join(lineage.groups)}" if lineage.groups else ""
    lines.append(f'result [label={_write_label(result, grouped)}, style="rounded,bold"];')
    return "\n".join([*lines, "}"])


def _write_label(first: str, second: str) -> str:
    lines = [line for part in (first, second) for line in textwrap.wrap(part, LABEL_CHARACTERS, max_lines=LABEL_LINES)]
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'


def _dialect(name: str) -> str | None:
    return name or None


def _read_limit(node: object) -> int | None:
    if not isinstance(node, exp.Limit) or not isinstance(node.expression, exp.Literal):
        return None
    return int(node.expression.this) if str(node.expression.this).isdecimal() else None


def _find_joins(tree: exp.Expr, dialect: str) -> Iterator[Joined]:
    for join in tree.find_all(exp.Join):
        table = join.this
        if isinstance(table, exp.Table):
            kind = str(join.args.get("side") or join.args.get("kind") or "").upper()
            on = join.args.get("on")
            using = ", ".join(str(part.name) for part in join.args.get("using") or ())
            condition = on.sql(dialect=_dialect(dialect), comments=False) if isinstance(on, exp.Expr) else using
            yield Joined(table=table.name, kind=kind, on=condition)


def _find_filters(tree: exp.Expr, dialect: str) -> Iterator[str]:
    for clause in (exp.Where, exp.Having):
        for node in tree.find_all(clause):
            condition = node.this
            parts = condition.flatten() if isinstance(condition, exp.And) else (condition,)
            for part in parts:
                yield part.sql(dialect=_dialect(dialect), comments=False)


def _find_groups(select: exp.Select) -> list[exp.Expr]:
    group = select.args.get("group")
    if not isinstance(group, exp.Group):
        return []
    return [resolve_group(select, part) for part in group.expressions]


def _name_group(select: exp.Select, group: exp.Expr, dialect: str) -> str:
    """A group by the name that it has in the result."""
    match = next((column for column in select.expressions if column.unalias() == group), None)
    return match.alias_or_name if match is not None else group.sql(dialect=_dialect(dialect), comments=False)


def resolve_group(select: exp.Select, part: exp.Expr) -> exp.Expr:
    """A part of GROUP BY, with a position (`GROUP BY 1`) or an alias read as the expression that it names."""
    columns = list(select.expressions)
    if isinstance(part, exp.Literal) and str(part.this).isdecimal() and 0 < int(part.this) <= len(columns):
        return columns[int(part.this) - 1].unalias()
    if isinstance(part, exp.Column) and not part.table:
        alias = next(
            (column for column in columns if isinstance(column, exp.Alias) and column.alias == part.name), None
        )
        if alias is not None:
            return alias.this
    return part


def _is_group(select: exp.Select, column: exp.Expr, *, depth: int = 0) -> bool:
    """Whether the rows are grouped by a column, here or in the subquery that it is taken from as it is."""
    inner = column.unalias()
    if select.args.get("group") is not None:
        return any(group == inner for group in _find_groups(select))
    if not isinstance(inner, exp.Column) or depth == _DEPTH_MAX:
        return False
    queries = _find_queries_read(select)
    owners = [query for alias, query in queries if inner.table in ("", alias)]
    return any(
        output.alias_or_name == inner.name and _is_group(query, output, depth=depth + 1)
        for query in owners
        for output in query.expressions
    )


def _expand_stars(select: exp.Select) -> Iterator[exp.Expr]:
    """The outputs of a query; those of a subquery by their names where it is selected as `*`."""
    for column in select.expressions:
        if not isinstance(column, exp.Star):
            yield column
            continue
        queries = list(_find_queries_read(select))
        tables = 1 + len(select.args.get("joins") or ())
        if len(queries) < tables or any(isinstance(o, exp.Star) for _, query in queries for o in query.expressions):
            yield column
        else:
            yield from (exp.column(o.alias_or_name, alias) for alias, query in queries for o in query.expressions)


def _find_queries_read(select: exp.Select) -> Iterator[tuple[str, exp.Select]]:
    """The subqueries and common table expressions in FROM and JOIN, each with its name."""
    scope: exp.Expr | None = select
    queries: dict[str, exp.Expr] = {}
    while scope is not None:
        parts = scope.args.get("with_")
        for cte in parts.expressions if isinstance(parts, exp.With) else ():
            queries.setdefault(cte.alias, cte.this)
        scope = scope.parent
    joins = [join.this for join in select.args.get("joins") or ()]
    source = select.args.get("from_")
    for table in (*([source.this] if isinstance(source, exp.From) else ()), *joins):
        query = queries.get(table.name) if isinstance(table, exp.Table) else table.this
        if isinstance(query, exp.Select):
            yield table.alias_or_name, query


def _describe_output(column: exp.Expr, aliases: Mapping[str, str], dialect: str, *, is_group: bool) -> LineageColumn:
    inner = column.unalias()
    sources = dict.fromkeys(
        ".".join(filter(None, (aliases.get(reference.table, reference.table), reference.name)))
        for reference in inner.find_all(exp.Column)
    )
    return LineageColumn(
        name=column.alias_or_name,
        expression=inner.sql(dialect=_dialect(dialect), comments=False),
        aggregate=_find_aggregate(inner),
        sources=tuple(sources),
        is_plain=isinstance(inner, exp.Column),
        is_group=is_group,
    )


def _find_aggregate(inner: exp.Expr) -> Aggregate:
    """How a column is added up: of `ROUND(SUM(x), 2)` the sum; of a quotient of aggregates the ratio."""
    if not list(inner.find_all(exp.AggFunc)):
        return ""
    node = inner
    while isinstance(node, exp.Round | exp.Cast | exp.Coalesce | exp.Paren):
        node = node.this
    if isinstance(node, exp.Count) and node.find(exp.Distinct):
        return "distinct"
    for kind, name in _AGGREGATES:
        if isinstance(node, kind):
            return name
    if isinstance(node, exp.Div | exp.SafeDivide):
        return "ratio"
    sums = isinstance(node, exp.Add | exp.Sub) and all(
        _find_aggregate(side) in ("sum", "count") for side in (node.this, node.expression)
    )
    return "sum" if sums else "other"
