"""A shop of four tables for the algebra's tests: as rows in Python, as a catalog, and in SQLite and DuckDB."""

from __future__ import annotations

import sqlite3

import duckdb
from rows_evaluator import Database, Parent

from assistant.data import catalog as found

REGIONS = ("North", "South", None, "NA")
CUSTOMERS = [
    {"id": i, "name": f"Customer {i}", "region": REGIONS[i % 4], "joined": f"20{19 + i % 3}-0{1 + i % 9}-15"}
    for i in range(1, 9)
]
PRODUCTS = [{"sku": f"p{i}", "kind": ("food", "book", "toy")[i % 3], "price": 2.5 * i} for i in range(1, 7)]
ORDERS = [
    {
        "id": 100 + i,
        "customer_id": None if i % 11 == 10 else 1 + i * i % 7,
        "day": f"{2020 + i % 3}-{1 + i * 5 % 12:02}-{1 + i * 7 % 28:02}",
        "shipped": None if i % 5 == 4 else f"{2020 + i % 3}-12-{28 + i % 3:02}",
        "freight": None if i % 7 == 3 else float(i * 3 % 17),
    }
    for i in range(24)
]
LINES = [
    {"id": n, "order_id": 100 + n * 7 % 22, "sku": f"p{1 + n * n % 5}", "quantity": 1 + n * 3 % 9} for n in range(40)
]
TABLES: dict[str, list[dict[str, object]]] = {
    "customers": CUSTOMERS,
    "products": PRODUCTS,
    "orders": ORDERS,
    "lines": LINES,
}
DATABASE = Database(
    tables=TABLES,
    parents=(
        Parent("orders", "customer_id", "customers", "id"),
        Parent("lines", "order_id", "orders", "id"),
        Parent("lines", "sku", "products", "sku"),
    ),
    missing=frozenset({"NA"}),
)
_TYPES = {"day": "DATE", "shipped": "DATE", "joined": "DATE", "freight": "DOUBLE", "price": "DOUBLE"}
_KINDS: dict[str, found.ColumnKind] = {"DATE": "date", "DOUBLE": "number", "INTEGER": "integer", "TEXT": "text"}


def type_of(table: str, name: str) -> str:
    return _TYPES.get(name) or ("TEXT" if any(isinstance(r[name], str) for r in TABLES[table]) else "INTEGER")


def catalog(dialect: str = "sqlite") -> found.Catalog:
    """The catalog as an adapter reads it, keys declared."""
    keys = {
        "orders": (found.ForeignKey(columns=("customer_id",), table="customers", target_columns=("id",)),),
        "lines": (
            found.ForeignKey(columns=("order_id",), table="orders", target_columns=("id",)),
            found.ForeignKey(columns=("sku",), table="products", target_columns=("sku",)),
        ),
    }
    tables = [
        found.Table(
            name=name,
            columns=tuple(_column(name, column) for column in rows[0]),
            primary_key=("sku",) if name == "products" else ("id",),
            foreign_keys=keys.get(name, ()),
            rows=len(rows),
        )
        for name, rows in TABLES.items()
    ]
    return found.Catalog(source="shop", dialect=dialect, tables=tuple(tables))


def _column(table: str, name: str) -> found.Column:
    values = [row[name] for row in TABLES[table] if row[name] is not None]
    kind = _KINDS[type_of(table, name)]
    texts = tuple(sorted({str(v) for v in values})) if kind == "text" else None
    profile = found.Profile(
        distinct=len(set(values)),
        nulls=len(TABLES[table]) - len(values),
        low=min(values),  # type: ignore
        high=max(values),  # type: ignore
        values=texts,
    )
    return found.Column(name=name, type=type_of(table, name), kind=kind, profile=profile)


def sqlite() -> sqlite3.Connection:
    """The shop in SQLite, in memory."""
    connection = sqlite3.connect(":memory:")
    _fill(connection)
    return connection


def in_duckdb() -> duckdb.DuckDBPyConnection:
    """The shop in DuckDB, in memory."""
    connection = duckdb.connect(":memory:")
    _fill(connection)
    return connection


def _fill(connection: sqlite3.Connection | duckdb.DuckDBPyConnection) -> None:
    for table, rows in TABLES.items():
        columns = ", ".join(f'"{name}" {type_of(table, name)}' for name in rows[0])
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        marks = ", ".join("?" for _ in rows[0])
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', [tuple(row.values()) for row in rows])
