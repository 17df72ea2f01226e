"""The tables of one SELECT: which are joined under which alias, how names are quoted, how columns are bound.

Every table stands at a path from the base, so one table may be joined twice in different roles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.embedded.meaning import ColumnRef, JoinStep
from assistant.embedded.source.schema import Attribute, Schema, bare
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from sqlglot import exp

Path = tuple[tuple[str, tuple[str, ...]], ...]
"""Where a table stands in the tree of joins: the steps from the base, each by its table and key columns."""


def path_of(steps: Sequence[JoinStep]) -> Path:
    """The path that steps lead to."""
    return tuple((step.right, step.left_columns) for step in steps)


@dataclass
class Tables:
    """The tables of a SELECT and their aliases; the base is at the empty path."""

    schema: Schema
    base: str
    aliases: dict[Path, str] = field(default_factory=dict)
    joined: dict[Path, JoinStep] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if () not in self.aliases:
            self.aliases[()] = self.alias(self.base)

    def inside(self) -> Tables:
        """The tables as a subquery sees them: all of these, and room for its own."""
        return Tables(schema=self.schema, base=self.base, aliases=dict(self.aliases))

    def alias(self, table: str) -> str:
        """A free alias for a table: its own name if it is free."""
        name = table.rpartition(".")[2]
        taken = set(self.aliases.values())
        alias, n = name, 2
        while alias in taken:
            alias, n = f"{name}_{n}", n + 1
        return alias

    def table(self, table: str, alias: str) -> exp.Expr:
        """The table under an alias."""
        from sqlglot import exp

        entity = self.schema.entities[table]
        name, db = entity.table.name, entity.table.schema
        made = exp.Table(this=self.name(name), db=self.name(db) if db else None)
        return exp.alias_(made, self.name(alias), table=True) if alias != name else made

    def name(self, name: str) -> exp.Identifier:
        """A name, quoted only where it must be."""
        return identifier(name, self.schema.dialect)

    def join(self, steps: Sequence[JoinStep]) -> None:
        """Join every table on a way."""
        for n in range(1, len(steps) + 1):
            path = path_of(steps[:n])
            if path not in self.aliases:
                self.aliases[path] = self.alias(steps[n - 1].right)
                self.joined[path] = steps[n - 1]

    def link(self, step: JoinStep, left: str, right: str) -> exp.Expr:
        """The condition of a join."""
        from sqlglot import exp

        pairs = zip(step.left_columns, step.right_columns, strict=True)
        return exp.and_(*(self.at(left, one).eq(self.at(right, other)) for one, other in pairs))

    def at(self, alias: str, column: str) -> exp.Column:
        """A column of an alias."""
        from sqlglot import exp

        return exp.Column(this=self.name(column), table=self.name(alias))

    def column(self, ref: ColumnRef) -> exp.Expr:
        """A column at the end of its way."""
        return self.at(self.aliases[path_of(ref.steps)], ref.column)

    def number(self, ref: ColumnRef) -> exp.Expr:
        """A column to compute with: cast where its source holds numbers as text."""
        return number_of(self.column(ref), self.schema.attribute(ref.table, ref.column))

    def parsed(self, sql: str, *, table: str | None = None, path: Path = ()) -> exp.Expr:
        """SQL of the knowledge base with every column bound to its table's place in this query."""
        import sqlglot
        from sqlglot import exp

        tree = sqlglot.parse_one(sql, read=self.schema.dialect)
        by_table = {name.lower(): alias for name, alias in self.placed()}
        home = self.aliases[path]
        own_table = table or self.base

        def bind(node: exp.Expr) -> exp.Expr:
            if not isinstance(node, exp.Column) or node.find_ancestor(exp.Subquery, exp.Exists):
                return node
            own = not node.table or node.table.lower() == own_table.rpartition(".")[2].lower()
            alias = home if own else by_table.get(node.table.lower(), home)
            owner = node.table or own_table
            attribute = self.schema.find(owner, node.name)
            if attribute is None and not node.table:
                attribute = next((a for n, _ in self.placed() if (a := self.schema.find(n, node.name))), None)
                alias = by_table.get(attribute.table.rpartition(".")[2].lower(), home) if attribute else home
            return self.at(alias, attribute.name if attribute else node.name)

        return tree.transform(bind)

    def placed(self) -> list[tuple[str, str]]:
        """Tables with their aliases, the base first; the first place of a table counts."""
        placed: dict[str, str] = {self.base.rpartition(".")[2]: self.aliases[()]}
        for path, alias in self.aliases.items():
            if path:
                placed.setdefault(path[-1][0].rpartition(".")[2], alias)
        return list(placed.items())


def written(name: str, dialect: str) -> str:
    """A name as SQL of the dialect has it, quoted only where it must be."""
    return identifier(name, dialect).sql(dialect=dialect)


def qualified(attribute: Attribute, dialect: str) -> str:
    """A column with its table's name before it, as SQL of the dialect has it."""
    return f"{written(bare(attribute.table), dialect)}.{written(attribute.name, dialect)}"


def literal(value: object) -> str:
    """A text, number or truth value as SQL has it."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value).upper()


def identifier(name: str, dialect: str) -> exp.Identifier:
    """A name for a tree, quoted only where it must be."""
    from sqlglot import exp

    return exp.to_identifier(name, quoted=needs_quotes(name, dialect))


_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def needs_quotes(name: str, dialect: str) -> bool:
    """Whether a name must be quoted: it is no plain word, is reserved, or its case would be lost."""
    if not _PLAIN_NAME.match(name):
        return True
    if dialect == "postgres" and name != name.lower():
        return True
    return name.upper() in RESERVED


RESERVED = word_set(
    """ALL ALTER ANALYZE AND ANY AS ASC BETWEEN BY CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE CROSS DEFAULT
    DELETE DESC DISTINCT DROP ELSE END EXCEPT EXISTS FALSE FETCH FOR FOREIGN FROM FULL GRANT GROUP HAVING IN INDEX INNER
    INSERT INTERSECT INTERVAL INTO IS JOIN KEY LEFT LIKE LIMIT MATCH NATURAL NOT NULL OFFSET ON OR ORDER OUTER PRIMARY
    RANK REFERENCES RIGHT ROW ROWS SELECT SET TABLE THEN TO TRIGGER TRUE UNION UNIQUE UPDATE USER USING VALUES VIEW WHEN
    WHERE WINDOW WITH"""
)


def number_of(column: exp.Expr, attribute: Attribute) -> exp.Expr:
    """A column to compute with: cast where its source holds numbers as text, and nothing where that is empty."""
    from sqlglot import exp

    if not attribute.as_text:
        return column
    held = column
    for mark in attribute.marks:
        held = exp.Anonymous(this="REPLACE", expressions=[held, exp.Literal.string(mark), exp.Literal.string("")])
    if attribute.has_blanks or attribute.marks:
        held = exp.Nullif(this=exp.Trim(this=held), expression=exp.Literal.string(""))
    return exp.Cast(this=held, to=exp.DataType.build("double"))
