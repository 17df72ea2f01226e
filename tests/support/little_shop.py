"""A shop of four tables for the algebra's tests."""

from __future__ import annotations

from row_tables import RowTables
from rows_evaluator import Parent

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
SHOP = RowTables(
    name="shop",
    tables=TABLES,
    parents=(
        Parent("orders", "customer_id", "customers", "id"),
        Parent("lines", "order_id", "orders", "id"),
        Parent("lines", "sku", "products", "sku"),
    ),
    types={"day": "DATE", "shipped": "DATE", "joined": "DATE", "freight": "DOUBLE", "price": "DOUBLE"},
    missing=frozenset({"NA"}),
)
DATABASE = SHOP.database
catalog, sqlite, in_duckdb, type_of = SHOP.catalog, SHOP.sqlite, SHOP.duckdb, SHOP.type_of
