"""Queries as SQL. Each figure from another table is grouped by the same keys for itself before it is joined.

So no join multiplies the rows that a figure is computed from. The columns of every result are called `c0`, `c1`, ...
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from assistant.analyst import algebra as al
from assistant.analyst.schema import Schema
from assistant.analyst.sql.dialects import dialect_of
from assistant.analyst.sql.figures import INTERPOLATED, Over, aggregated, is_plain, is_ranked, last_if_missing, leaves
from assistant.analyst.sql.scopes import CompileError, Context, Scope, joined
from assistant.analyst.sql.terms import Writer, needed


def to_sql(query: al.Query, schema: Schema, *, dialect: str = "") -> str:
    """A query as one SELECT statement.

    Args:
        query: A query that type-checks.
        schema: The tables it speaks of.
        dialect: sqlglot's word for the engine; the schema's own by default.

    Raises:
        CompileError: the tables do not hang together as the query needs.
    """
    name = dialect or schema.dialect
    return dialect_of(name).own(written_sql(query, schema, dialect=name))


def written_sql(query: al.Query, schema: Schema, *, dialect: str = "") -> str:
    """A query as part of a larger statement, which `Dialect.own` then writes in the engine's SQL.

    Raises:
        CompileError: the tables do not hang together as the query needs.
    """
    return _write(Context(schema=schema, dialect=dialect_of(dialect or schema.dialect)), query)


def _write(context: Context, query: al.Query) -> str:
    match query:
        case al.Listing():
            return _listing(context, query)
        case al.Grouped():
            return _grouped(context, query)
        case _:
            assert_never(query)


@dataclass(frozen=True, slots=True, kw_only=True)
class _From:
    """The FROM and WHERE clauses of a set of rows, and what may be read there."""

    clauses: str
    test: str
    scope: Scope

    def sql(self, *tests: str) -> str:
        """The clauses, with further tests of a row."""
        conditions = [test for test in (self.test, *tests) if test]
        return self.clauses + (f"\nWHERE {' AND '.join(conditions)}" if conditions else "")

    @classmethod
    def rows(cls, context: Context, rows: al.RowSet, expressions: object) -> _From:
        """Reading `rows` so that all that `expressions` speaks of is at hand."""
        writer = Writer(context=context, write=_write)
        match rows:
            case al.Rows(once=al.Column() as unit):
                return cls.once(context, rows, unit, expressions)
            case al.Rows():
                tables = [t for t in al.tables_here((expressions, rows.where)) if t != rows.table]
                clauses, scope = joined(context, rows.table, tables, required=needed(rows.where))
            case al.Groups():
                alias = context.alias()
                clauses = f"(\n{_write(context, rows.query)}\n) AS {alias}"
                scope = Scope(outputs=tuple(f"{alias}.c{i}" for i in range(al.width(rows.query))))
            case _:
                assert_never(rows)
        test = writer.condition(rows.where, scope)
        return cls(clauses=clauses, test=test, scope=scope)

    @classmethod
    def once(cls, context: Context, rows: al.Rows, unit: al.Column, expressions: object) -> _From:
        """Reading one row for each value of `unit`: all that is read, each combination once.

        Raises:
            CompileError: another table is read, too.
        """
        if any(table != rows.table for table in al.tables_here(expressions)):
            raise CompileError(f"What is computed once for each {unit.name!r} reads {rows.table!r} alone.")
        inside = cls.rows(context, replace(rows, once=None), ())
        name = context.dialect.name
        columns = dict.fromkeys((unit, *(part for part in al.here(expressions) if isinstance(part, al.Column))))
        outputs = ", ".join(f"{inside.scope.alias(rows.table)}.{name(column.name)}" for column in columns)
        alias = context.alias()
        clauses = f"(\nSELECT DISTINCT {outputs}\nFROM {inside.sql()}\n) AS {alias}"
        return cls(clauses=clauses, test="", scope=Scope(home=rows.table, aliases={rows.table: alias}))


def _listing(context: Context, query: al.Listing) -> str:
    source = _From.rows(context, query.of, query.outputs)
    writer = Writer(context=context, write=_write)
    outputs = _named([writer.term(term, source.scope) for term in query.outputs], "c")
    sql = f"SELECT {'DISTINCT ' if query.distinct else ''}{outputs}\nFROM {source.sql()}"
    visible = tuple(range(al.width(query)))
    return _finished(context, sql, query, visible)


def _grouped(context: Context, query: al.Grouped) -> str:
    size = len(query.keys) + len(query.figures)
    visible = tuple(range(size)) if query.shown is None else query.shown
    plain = all(is_plain(figure) for figure in query.figures)
    sql = _in_one(context, query) if plain else _in_parts(context, query)
    return _finished(context, sql, query, visible)


def _in_one(context: Context, query: al.Grouped) -> str:
    """Grouping in one SELECT: every figure is an aggregate of the same rows."""
    writer = Writer(context=context, write=_write)
    source = _From.rows(context, query.of, (query.keys, query.figures))
    keys = tuple(writer.term(key, source.scope) for key in query.keys)
    sql_of_leaf: dict[al.Leaf, str] = {
        leaf: aggregated(leaf, source.scope, writer) for figure in query.figures for leaf in leaves(figure)
    }
    over = Over(writer=writer, leaves=sql_of_leaf, keys=keys)
    outputs = [*keys, *(over.figure(figure) for figure in query.figures)]
    sql = f"SELECT {_named(outputs, 'c')}\nFROM {source.sql()}{_group_by(query.keys)}"
    having = writer.condition(query.having, Scope(outputs=tuple(outputs)))
    return _filtered(context, sql, query) if having and not keys else sql + (f"\nHAVING {having}" if having else "")


def _in_parts(context: Context, query: al.Grouped) -> str:
    """Each set of rows grouped for itself; then joined on the keys; then what looks across groups."""
    writer = Writer(context=context, write=_write)
    needed = list(dict.fromkeys(leaf for figure in query.figures for leaf in leaves(figure)))
    own = [leaf for leaf in needed if leaf.of is None and not is_ranked(leaf)]
    first = context.alias()
    clauses = [f"(\n{_part(context, query, query.of, own)}\n) AS {first}"]
    sql_of_leaf = {leaf: f"{first}.f{i}" for i, leaf in enumerate(own)}
    for group in _parts(needed):
        alias = context.alias()
        rows = _rows_of(query.of, group[0])
        pairs = (context.dialect.same.format(f"{first}.k{i}", f"{alias}.k{i}") for i in range(len(query.keys)))
        on = " AND ".join(pairs) or "1 = 1"
        clauses.append(f"LEFT JOIN (\n{_part(context, query, rows, group)}\n) AS {alias} ON {on}")
        places = {leaf: f"{alias}.f{i}" for i, leaf in enumerate(group)}
        sql_of_leaf |= {leaf: f"COALESCE({at}, 0)" if al.is_count(leaf) else at for leaf, at in places.items()}
    keys = tuple(f"{first}.k{i}" for i in range(len(query.keys)))
    over = Over(writer=writer, leaves=sql_of_leaf, keys=keys)
    outputs = [*keys, *(over.figure(figure) for figure in query.figures)]
    joins = "\n".join(clauses)
    return _filtered(context, f"SELECT {_named(outputs, 'c')}\nFROM {joins}", query)


def _parts(needed: list[al.Leaf]) -> list[list[al.Leaf]]:
    """The aggregates that need a grouping of their own: those of one other table share it, ordered values never."""
    groups: dict[object, list[al.Leaf]] = {}
    for leaf in needed:
        if leaf.of is not None or is_ranked(leaf):
            groups.setdefault(leaf if is_ranked(leaf) else leaf.of, []).append(leaf)
    return list(groups.values())


def _rows_of(rows: al.RowSet, leaf: al.Leaf) -> al.RowSet:
    """The rows of an aggregate: the query's own; or another table's whose row of the query's table is among them."""
    if leaf.of is None:
        return rows
    where = rows.where if isinstance(rows, al.Rows) else al.NO_FILTER
    return al.Rows(leaf.of.table, al.Both((where, leaf.of.where)) if leaf.of.where != al.NO_FILTER else where)


def _part(context: Context, query: al.Grouped, rows: al.RowSet, figures: list[al.Leaf]) -> str:
    """The keys `k0`, ... and the aggregates `f0`, ... of one set of rows."""
    writer = Writer(context=context, write=_write)
    source = _From.rows(context, rows, (query.keys, tuple(figures)))
    keys = [writer.term(key, source.scope) for key in query.keys]
    if figures and is_ranked(figures[0]):
        return _ranked(context, source, keys, figures[0])
    aggregates = [aggregated(leaf, source.scope, writer) for leaf in figures]
    outputs = [
        *(f"{key} AS k{i}" for i, key in enumerate(keys)),
        *(f"{sql} AS f{i}" for i, sql in enumerate(aggregates)),
    ]
    if not outputs:
        return "SELECT 1 AS k"  # no key, no figure: the one group of everything
    return f"SELECT {', '.join(outputs)}\nFROM {source.sql()}{_group_by(query.keys)}"


def _ranked(context: Context, source: _From, keys: list[str], leaf: al.Aggregate) -> str:
    """A percentile, interpolated between the two values next to its place.

    Values are numbered in order from 1; each counts by how near its number is to the place 1 + (n - 1) * fraction,
    which leaves the two next to it with weights that add up to 1.
    """
    writer = Writer(context=context, write=_write)
    term = writer.term(leaf.term, source.scope)
    partition = f"PARTITION BY {', '.join(keys)} " if keys else ""
    test = writer.condition(leaf.where, source.scope)
    inner = [
        *(f"{key} AS k{i}" for i, key in enumerate(keys)),
        f"{term} AS v",
        f"ROW_NUMBER() OVER ({partition}ORDER BY {term}) AS r",
        f"COUNT(*) OVER ({partition.strip()}) AS n",
    ]
    clauses = source.sql(f"{term} IS NOT NULL", test)
    rows = f"SELECT {', '.join(inner)}\nFROM {clauses}"
    value = INTERPOLATED.format(leaf.fraction)
    outputs = ", ".join([*(f"k{i}" for i in range(len(keys))), f"{value} AS f0"])
    group = f"\nGROUP BY {', '.join(f'k{i}' for i in range(len(keys)))}" if keys else ""
    return f"SELECT {outputs}\nFROM (\n{rows}\n) AS {context.alias()}{group}"


def _group_by(keys: tuple[al.Term, ...]) -> str:
    return f"\nGROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else ""


def _filtered(context: Context, sql: str, query: al.Grouped) -> str:
    """The groups that the query keeps, once all figures are there."""
    alias = context.alias()
    size = len(query.keys) + len(query.figures)
    test = Writer(context=context, write=_write).condition(
        query.having, Scope(outputs=tuple(f"{alias}.c{i}" for i in range(size)))
    )
    return f"SELECT * FROM (\n{sql}\n) AS {alias}\nWHERE {test}" if test else sql


def _finished(context: Context, sql: str, query: al.Query, visible: tuple[int, ...]) -> str:
    """A result in order, cut, and without the outputs that only serve the order."""
    size = len(query.outputs) if isinstance(query, al.Listing) else len(query.keys) + len(query.figures)
    limit = query.limit
    if not query.order and limit is None and visible == tuple(range(size)):
        return sql
    alias = context.alias()
    outputs = ", ".join(f"{alias}.c{place} AS c{i}" for i, place in enumerate(visible))
    by = _order_by(query.order, alias)
    if limit is None or not (limit.within or limit.ties):
        cut = f"\nLIMIT {limit.n}" + (f" OFFSET {limit.skip}" if limit.skip else "") if limit else ""
        return f"SELECT {outputs} FROM (\n{sql}\n) AS {alias}{by}{cut}"
    inside = context.alias()
    partition = "PARTITION BY " + ", ".join(f"{inside}.c{i}" for i in limit.within) if limit.within else ""
    place = "ROW_NUMBER" if not limit.ties else "DENSE_RANK" if limit.skip else "RANK"
    window = f"{place}() OVER ({partition}{_order_by(query.order, inside)})"
    places = f"SELECT {inside}.*, {window} AS place FROM (\n{sql}\n) AS {inside}"
    after = f"{alias}.place > {limit.skip} AND " if limit.skip else ""
    return f"SELECT {outputs} FROM (\n{places}\n) AS {alias}\nWHERE {after}{alias}.place <= {limit.skip + limit.n}{by}"


def _order_by(order: tuple[al.Order, ...], alias: str) -> str:
    by = ", ".join(last_if_missing(f"{alias}.c{o.place}", descending=o.descending) for o in order)
    return f"\nORDER BY {by}" if by else ""


def _named(outputs: list[str], prefix: str) -> str:
    return ", ".join(f"{sql} AS {prefix}{i}" for i, sql in enumerate(outputs))
