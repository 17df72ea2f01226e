"""A database as rows in Python: as a catalog, in SQLite, in DuckDB, and for the evaluator without SQL."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass

import duckdb
from rows_evaluator import Database, Parent

from assistant.core import catalog as found

_KINDS: dict[str, found.ColumnKind] = {"DATE": "date", "DOUBLE": "number", "INTEGER": "integer", "TEXT": "text"}


@dataclass(frozen=True, kw_only=True)
class RowTables:
    """Tables with their first column as the key, the types of their columns, and which rows refer to which.

    `types` tells those that the values do not tell: `DATE` and `DOUBLE`, by the column's name.
    """

    name: str
    tables: dict[str, list[dict[str, object]]]
    parents: tuple[Parent, ...]
    types: dict[str, str]
    missing: frozenset[str] = frozenset()

    @property
    def database(self) -> Database:
        aliases = {p.alias: self.tables[p.table] for p in self.parents if p.alias}
        parents = tuple(Parent(p.child, p.column, p.alias or p.table, p.key) for p in self.parents)
        return Database(tables=self.tables | aliases, parents=parents, missing=self.missing)

    def type_of(self, table: str, name: str) -> str:
        texts = any(isinstance(row[name], str) for row in self.tables[table])
        return self.types.get(name) or ("TEXT" if texts else "INTEGER")

    def catalog(self, dialect: str = "sqlite") -> found.Catalog:
        """The catalog as an adapter reads it, keys declared."""
        tables = [
            found.Table(
                name=name,
                columns=tuple(self._column(name, column) for column in rows[0]),
                primary_key=(next(iter(rows[0])),),
                foreign_keys=tuple(
                    found.ForeignKey(columns=(p.column,), table=p.table, target_columns=(p.key,))
                    for p in self.parents
                    if p.child == name
                ),
                rows=len(rows),
            )
            for name, rows in self.tables.items()
        ]
        return found.Catalog(source=self.name, dialect=dialect, tables=tuple(tables))

    def _column(self, table: str, name: str) -> found.Column:
        values = [row[name] for row in self.tables[table] if row[name] is not None]
        type_ = self.type_of(table, name)
        profile = found.Profile(
            distinct=len(set(values)),
            nulls=len(self.tables[table]) - len(values),
            low=min(values),  # type: ignore
            high=max(values),  # type: ignore
            top=tuple(Counter(values).most_common(found.TOP_MAX)),  # type: ignore
            values=tuple(sorted({str(v) for v in values})) if type_ == "TEXT" else None,
        )
        return found.Column(name=name, type=type_, kind=_KINDS[type_], profile=profile)

    def sqlite(self) -> sqlite3.Connection:
        """The tables in SQLite, in memory."""
        connection = sqlite3.connect(":memory:")
        self._fill(connection)
        return connection

    def duckdb(self) -> duckdb.DuckDBPyConnection:
        """The tables in DuckDB, in memory."""
        connection = duckdb.connect(":memory:")
        self._fill(connection)
        return connection

    def _fill(self, connection: sqlite3.Connection | duckdb.DuckDBPyConnection) -> None:
        for table, rows in self.tables.items():
            columns = ", ".join(f'"{name}" {self.type_of(table, name)}' for name in rows[0])
            connection.execute(f'CREATE TABLE "{table}" ({columns})')
            marks = ", ".join("?" for _ in rows[0])
            connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', [tuple(row.values()) for row in rows])
