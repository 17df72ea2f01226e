"""A small shop with two facts, a dimension, and a stock; as a database, a catalog and a model in the open format."""

from __future__ import annotations

import random
import sqlite3
from datetime import date, timedelta

from assistant.core.catalog import Catalog, Column, ColumnKind, Table
from knowledge.semantic.files import models_of
from knowledge.semantic.model import SemanticModel

MODEL = """
version: 0.2.0.dev0
semantic_model:
- name: shop
  datasets:
  - name: orders
    source: main.orders
    primary_key: [id]
    fields:
    - name: amount
      expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}
    - name: net
      expression: {dialects: [{dialect: ANSI_SQL, expression: amount - discount}]}
    - name: placed_on
      expression: {dialects: [{dialect: ANSI_SQL, expression: placed_on}]}
      dimension: {is_time: true}
  - name: clients
    source: customers
    primary_key: [id]
    ai_context: {synonyms: [buyers]}
    fields:
    - name: area
      expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}
      dimension: {is_time: false}
      ai_context: {synonyms: [territory]}
  - name: returns
    source: returns
    fields:
    - name: returned_on
      expression: {dialects: [{dialect: ANSI_SQL, expression: returned_on}]}
      dimension: {is_time: true}
  - name: balances
    source: balances
  relationships:
  - {name: r1, from: orders, to: clients, from_columns: [customer_id], to_columns: [id]}
  - {name: r2, from: returns, to: clients, from_columns: [customer_id], to_columns: [id]}
  - {name: r3, from: balances, to: clients, from_columns: [customer_id], to_columns: [id]}
  metrics:
  - name: revenue
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.net)}]}
    description: What was sold, less discounts.
    ai_context: {synonyms: [turnover]}
  - name: order_count
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]}
  - name: average_order
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.net) / COUNT(orders.id)}]}
  - name: active_clients
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT orders.customer_id)}]}
  - name: big_orders
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"filters": ["orders.amount >= 50"]}'}]
  - name: refunds
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(returns.refund)}]}
  - name: refund_rate
    expression: {dialects: [{dialect: ANSI_SQL, expression: refunds / revenue}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"type": "ratio"}'}]
  - name: kept
    expression: {dialects: [{dialect: ANSI_SQL, expression: revenue - refunds}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"type": "derived"}'}]
  - name: balance
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(balances.balance)}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"stock": true, "time": "balances.day"}'}]
  - name: running_revenue
    expression: {dialects: [{dialect: ANSI_SQL, expression: revenue}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"type": "cumulative", "of": "revenue"}'}]
  - name: revenue_of_three
    expression: {dialects: [{dialect: ANSI_SQL, expression: revenue}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"type": "cumulative", "of": "revenue", "periods": 3}'}]
  - name: revenue_growth
    expression: {dialects: [{dialect: ANSI_SQL, expression: revenue}]}
    custom_extensions: [{vendor_name: TANDEM, data: '{"type": "period_over_period", "of": "revenue", "periods": 1}'}]
"""


def model() -> SemanticModel:
    (found,), problems = models_of(MODEL, origin="shop.yaml")
    assert problems == ()
    return found


def table(name: str, key: tuple[str, ...] = (), **columns: ColumnKind) -> Table:
    made = tuple(Column(name=column, type=kind.upper(), kind=kind) for column, kind in columns.items())
    return Table(name=name, columns=made, primary_key=key, rows=100)


def catalog(dialect: str = "sqlite") -> Catalog:
    return Catalog(
        source="shop",
        dialect=dialect,
        tables=(
            table("customers", ("id",), id="integer", region="text"),
            table(
                "orders",
                ("id",),
                id="integer",
                customer_id="integer",
                amount="number",
                discount="number",
                placed_on="date",
            ),
            table("returns", (), customer_id="integer", refund="number", returned_on="date"),
            table("balances", (), customer_id="integer", day="date", balance="number"),
        ),
    )


def rows() -> dict[str, list[tuple[object, ...]]]:
    """Rows with gaps: a month without orders, a customer without a region, an area with returns and no orders."""
    draw = random.Random(5)
    customers: list[tuple[object, ...]] = [(n, ("North", "South", "West")[n % 3]) for n in range(1, 10)]
    customers += [(10, None), (11, "Island")]
    first = date(2023, 11, 3)
    orders: list[tuple[object, ...]] = []
    for n in range(1, 140):
        day = first + timedelta(days=draw.randrange(420))
        if (day.year, day.month) != (2024, 4):
            orders.append((n, draw.randint(1, 10), draw.randint(5, 90), draw.choice((0, 0, 5)), day.isoformat()))
    returns: list[tuple[object, ...]] = [
        (
            draw.choice((*range(1, 11), 11, 11)),
            draw.randint(1, 30),
            (first + timedelta(days=draw.randrange(420))).isoformat(),
        )
        for _ in range(40)
    ]
    balances: list[tuple[object, ...]] = [
        (customer, date(2024, month, day).isoformat(), draw.randint(0, 500))
        for customer in range(1, 11)
        for month in range(1, 7)
        for day in (1, 15, 28)
    ]
    return {"customers": customers, "orders": orders, "returns": returns, "balances": balances}


def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for found in catalog().tables:
        names = ", ".join(column.name for column in found.columns)
        connection.execute(f"CREATE TABLE {found.name} ({names})")
        marks = ", ".join("?" * len(found.columns))
        connection.executemany(f"INSERT INTO {found.name} VALUES ({marks})", rows()[found.name])
    connection.commit()
    return connection
