"""What the columns of a SELECT are: those of the rows' table, of tables joined to it, or results of its groups."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from assistant.analyst.algebra import Column, Output, Rows
from assistant.analyst.schema import Schema
from assistant.analyst.translation.joins import JoinedTables, column_of, owner_of
from assistant.analyst.translation.templates import Untranslatable


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
