"""The tables of a FROM as rows of one of them, each with at most one row of the others, by the keys that are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from assistant.analyst.algebra import Column, Output, Rows
from assistant.analyst.links import Link
from assistant.analyst.schema import Schema
from assistant.analyst.translation.templates import Untranslatable, allow_only, conjuncts

Pairs = frozenset[tuple[str, str]]
"""Columns of one table, each with that of another one that it equals."""


@dataclass(slots=True)
class JoinedTables:
    """Tables by their aliases in a statement, in lower case, and what is known of how their rows go together.

    Attributes:
        stored: The table of the source that each alias reads.
        edges: The columns that two aliases have equal.
        inner: The aliases without whose row a row is left out.
        conditions: What else a join demands.
    """

    stored: dict[str, str] = field(default_factory=dict[str, str])
    edges: dict[tuple[str, str], set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    inner: set[str] = field(default_factory=set[str])
    conditions: list[exp.Expr] = field(default_factory=list[exp.Expr])


def read_tables(select: exp.Select, schema: Schema) -> JoinedTables:
    """The tables of a FROM and its joins.

    Raises:
        Untranslatable: they are joined as chips join none.
    """
    result = JoinedTables()
    joins: list[exp.Join] = select.args.get("joins") or []
    for table, join in ((select.args["from_"].this, None), *((join.this, join) for join in joins)):
        if not isinstance(table, exp.Table):
            raise Untranslatable("It joins a table to the result of another query.")
        alias = table.alias_or_name.casefold()
        if alias in result.stored:
            raise Untranslatable(f"It reads {table.name!r} twice under one name.")
        result.stored[alias] = _stored(table, schema)
        if join is not None:
            _read_join(join, alias, result, schema)
    result.inner.add(next(iter(result.stored)))
    return result


def _stored(table: exp.Table, schema: Schema) -> str:
    allow_only(table, "this", "alias", "db", "catalog")
    matches = [
        name
        for name, known in schema.tables.items()
        if (known.place or (name,))[-1].casefold() == table.name.casefold()
        and (not table.db or len(known.place) < 2 or known.place[-2].casefold() == table.db.casefold())
    ]
    if len(matches) != 1:
        raise Untranslatable(f"{table.name!r} is no table whose columns are known here.")
    return matches[0]


def _read_join(join: exp.Join, alias: str, result: JoinedTables, schema: Schema) -> None:
    allow_only(join, "this", "on", "using", "side", "kind")
    if join.side not in ("", "LEFT") or join.kind not in ("", "INNER", "OUTER", "CROSS"):
        raise Untranslatable(f"It uses {join.side} {join.kind} JOIN.".replace("  ", " "))
    if join.side != "LEFT":
        result.inner.add(alias)
    for name in join.args.get("using") or ():
        owners = [a for a, t in result.stored.items() if a != alias and column_of(schema, t, name.name)]
        if len(owners) != 1:
            raise Untranslatable(f"It joins by {name.name!r}, which several tables have.")
        _add_edge(result, owners[0], name.name, alias, name.name)
    for condition in conjuncts(join.args.get("on")):
        if (edge := edge_of(condition, result, schema)) is not None and alias in (edge[0], edge[2]):
            _add_edge(result, *edge)
        elif join.side == "LEFT":
            raise Untranslatable("A LEFT JOIN has a condition beside its keys.")
        else:
            result.conditions.append(condition)


def edge_of(condition: exp.Expr, from_tables: JoinedTables, schema: Schema) -> tuple[str, str, str, str] | None:
    """The two aliases and columns that a condition has equal; None where it is another condition."""
    condition = condition.unnest()
    if not isinstance(condition, exp.EQ):
        return None
    sides = (condition.this, condition.expression)
    if not all(isinstance(side, exp.Column) for side in sides):
        return None
    owners = [owner_of(side, from_tables, schema) for side in sides]
    if owners[0] is None or owners[1] is None or owners[0] == owners[1]:
        return None
    return owners[0], sides[0].name, owners[1], sides[1].name


def owner_of(column: exp.Column, from_tables: JoinedTables, schema: Schema) -> str | None:
    """The alias that a column is read from; None where no table here has it."""
    if column.table:
        return column.table.casefold() if column.table.casefold() in from_tables.stored else None
    owners = [alias for alias, table in from_tables.stored.items() if column_of(schema, table, column.name)]
    if len(owners) > 1:
        raise Untranslatable(f"Several tables have a column {column.name!r}.")
    return owners[0] if owners else None


def column_of(schema: Schema, table: str, name: str) -> Column | None:
    """A column of a table, in any case; None where it has none of that name."""
    return next((c for c in schema.tables[table].columns if c.name.casefold() == name.casefold()), None)


def _add_edge(from_tables: JoinedTables, first: str, column: str, second: str, second_column: str) -> None:
    from_tables.edges[first, second].add((column.casefold(), second_column.casefold()))
    from_tables.edges[second, first].add((second_column.casefold(), column.casefold()))


def add_edges(from_tables: JoinedTables, conditions: Iterable[exp.Expr], schema: Schema) -> list[exp.Expr]:
    """Take the equalities that join tables without a JOIN out of conditions; the other conditions."""
    remaining: list[exp.Expr] = []
    for condition in conditions:
        edge = edge_of(condition, from_tables, schema)
        if edge is not None and _is_key(edge, from_tables, schema) and not from_tables.edges.get((edge[0], edge[2])):
            _add_edge(from_tables, *edge)
        else:
            remaining.append(condition)
    return remaining


def _is_key(edge: tuple[str, str, str, str], from_tables: JoinedTables, schema: Schema) -> bool:
    first, column, second, second_column = edge
    pairs = frozenset({(column.casefold(), second_column.casefold())})
    return any(
        pairs <= pairs_of(link) for link in _links(schema, from_tables.stored[first], from_tables.stored[second])
    )


def _links(schema: Schema, start: str, stored: str) -> Iterator[Link]:
    """The links from a table, or an alias, to a stored table or an alias of it."""
    return (link for link in schema.links[start] if (schema.tables[link.table].of or link.table) == stored)


def pairs_of(link: Link) -> Pairs:
    """The columns that a link has equal."""
    return frozenset((a.name.casefold(), b.name.casefold()) for a, b in zip(link.start, link.end, strict=True))


def tables_from(home: str, from_tables: JoinedTables, schema: Schema) -> dict[str, str] | None:
    """By alias the table whose rows it gives for each row of `home`, at most one; None where a row may have several."""
    table_of = {home: from_tables.stored[home]}
    while len(table_of) < len(from_tables.stored):
        reached = next(_reached(table_of, from_tables, schema), None)
        if reached is None:
            return None
        table_of[reached[0]] = reached[1]
    return table_of


def _reached(table_of: dict[str, str], from_tables: JoinedTables, schema: Schema) -> Iterator[tuple[str, str]]:
    home = next(iter(table_of.values()))
    for (start, end), pairs in from_tables.edges.items():
        if start not in table_of or end in table_of:
            continue
        for link in _links(schema, table_of[start], from_tables.stored[end]):
            is_single = link.cardinality == "one" and link.table not in table_of.values()
            if (
                is_single
                and pairs_of(link) == frozenset(pairs)
                and (schema.path(home, link.table) or [None])[-1] == link
            ):
                yield end, link.table


# --- what may be read of them ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScope:
    """What may be read in one SELECT.

    Attributes:
        rows: Whose rows they are.
        from_tables: The tables of its FROM.
        table_of: The table of the algebra by alias.
        outputs: In a condition on groups, the results that it compares, by name.
    """

    rows: Rows
    from_tables: JoinedTables = field(default_factory=JoinedTables)
    table_of: dict[str, str] = field(default_factory=dict[str, str])
    outputs: dict[str, Output] = field(default_factory=dict[str, Output])

    def value(self, node: exp.Column, schema: Schema) -> Column | Output:
        """What a column is.

        Raises:
            Untranslatable: no table here has it.
        """
        if not node.table and (output := self.outputs.get(node.name)) is not None:
            return output
        alias = owner_of(node, self.from_tables, schema)
        column = column_of(schema, self.table_of[alias], node.name) if alias in self.table_of else None
        if column is None:
            raise Untranslatable(f"{node.sql()} is no column of the tables that it reads.")
        return column
