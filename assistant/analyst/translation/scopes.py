"""What the columns of a SELECT are: those of the rows' table and of tables joined to it, or outputs of a query."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlglot import exp

from assistant.analyst.algebra import Column, Figure, Output, Rows, RowSet, Term
from assistant.analyst.schema import Schema
from assistant.analyst.translation.joins import JoinedTables, column_of, owner_of
from assistant.analyst.translation.templates import Untranslatable

Value = Term | Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScope:
    """What may be read in one SELECT.

    Attributes:
        rows: Whose rows they are, without conditions.
        from_tables: The tables of its FROM.
        table_of: The table of the algebra by alias.
        values: What the columns of a query in its FROM are, by alias and name.
    """

    rows: RowSet
    from_tables: JoinedTables = field(default_factory=JoinedTables)
    table_of: dict[str, str] = field(default_factory=dict[str, str])
    values: dict[tuple[str, str], Value] = field(default_factory=dict[tuple[str, str], Value])

    @property
    def home(self) -> str:
        """The table whose rows they are; empty for the groups of a query."""
        return self.rows.table if isinstance(self.rows, Rows) else ""

    def value(self, node: exp.Column, schema: Schema) -> Value:
        """What a column is.

        Raises:
            Untranslatable: no table here has it.
        """
        if self.values:
            value = self.values.get((node.table.casefold(), node.name.casefold()))
            if value is None and not node.table:
                value = next((v for (_, name), v in self.values.items() if name == node.name.casefold()), None)
            if value is not None:
                return value
        alias = owner_of(node, self.from_tables, schema)
        column = column_of(schema, self.table_of[alias], node.name) if alias in self.table_of else None
        if column is None:
            raise Untranslatable(f"{node.sql()} is no column of the tables that it reads.")
        return column

    def with_values(self, alias: str, names: tuple[str, ...]) -> ReadScope:
        """With the outputs of a query, under their names."""
        outputs: dict[tuple[str, str], Value] = {(alias, name): Output(n) for n, name in enumerate(names)}
        return replace(self, values={**self.values, **outputs})

    def columns(self, schema: Schema) -> tuple[Column, ...]:
        """What a star stands for."""
        return tuple(column for table in self.table_of.values() for column in schema.tables[table].columns)
