"""What a term may read in one place of a statement: tables under their aliases, or the outputs of a query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from assistant.analyst.links import Link
from assistant.analyst.schema import Schema
from assistant.analyst.sql.dialects import Dialect


class CompileError(Exception):
    """A query asks for what the tables cannot give; the text says what. Type-checked queries never raise it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What all parts of one statement share."""

    schema: Schema
    dialect: Dialect
    numbers: count[int] = field(default_factory=lambda: count(0))

    def alias(self) -> str:
        """A table alias that the statement does not have yet."""
        return f"t{next(self.numbers)}"

    def table(self, name: str) -> str:
        """The table whose rows a table, or an alias, has: its quoted name, with its schema where SQL needs that."""
        return ".".join(map(self.dialect.name, self.schema.tables[self.schema.tables[name].of or name].place))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Aliases of tables; or, for the groups of a query, the SQL of its outputs. `home` is the rows' own table."""

    home: str = ""
    aliases: dict[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()

    def alias(self, table: str) -> str:
        """The alias of a table.

        Raises:
            CompileError: the table is not joined here.
        """
        if table not in self.aliases:
            raise CompileError(f"Table {table!r} cannot be read for one row of {self.home!r}.")
        return self.aliases[table]


def joined(
    context: Context, home: str, tables: Iterable[str], *, required: frozenset[str] = frozenset()
) -> tuple[str, Scope]:
    """The FROM clause that reads `home` and, for each of its rows, at most one of each further table.

    Rows without one of the `required` tables are left out: a condition does not keep them anyway.

    Raises:
        CompileError: a table has several rows for one of `home`.
    """
    name = context.table
    scope = Scope(home=home, aliases={home: context.alias()})
    clauses = [f"{name(home)} AS {scope.aliases[home]}"]
    for table in sorted(tables, key=lambda table: table not in required):
        path = context.schema.path(home, table)
        if path is None or not context.schema.reaches_one(home, table):
            raise CompileError(f"A row of {home!r} has no single row of {table!r}.")
        for link in path:
            if link.table not in scope.aliases:
                start = scope.aliases[link.start[0].table]
                end = scope.aliases[link.table] = context.alias()
                join = "JOIN" if table in required else "LEFT JOIN"
                clauses.append(f"{join} {name(link.table)} AS {end} ON {link_condition(context, link, start, end)}")
    return "\n".join(clauses), scope


def link_condition(context: Context, link: Link, start: str, end: str) -> str:
    """The equality of the columns of a link between two aliases."""
    name = context.dialect.name
    pairs = zip(link.start, link.end, strict=True)
    return " AND ".join(f"{start}.{name(a.name)} = {end}.{name(b.name)}" for a, b in pairs)
