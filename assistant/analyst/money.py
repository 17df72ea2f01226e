"""What the rows of a table come to in money: a column that says so, else price times quantity."""

from __future__ import annotations

from assistant.analyst.algebra import Arithmetic, Column, Constant
from assistant.analyst.lexicon.files import listed
from assistant.analyst.schema import Schema


def is_revenue(schema: Schema, column: Column) -> bool:
    """Whether a column says what rows come to."""
    words = listed("operators", "worth of rows")
    return schema.typed[column].role == "measure" and not words.isdisjoint(schema.typed[column].words)


def revenue(schema: Schema, table: str) -> Column | Arithmetic | None:
    """What the rows of a table come to: its sales, its amount, or its price times its quantity."""
    return next((c for c in schema.tables[table].columns if is_revenue(schema, c)), None) or product(schema, table)


def money(schema: Schema, table: str) -> Column | Arithmetic | None:
    """What the rows of a table come to, or what they cost, where they bring nothing in."""
    words = listed("operators", "cost of rows")
    costs = (c for c in schema.tables[table].columns if not words.isdisjoint(schema.typed[c].words))
    return revenue(schema, table) or next((c for c in costs if schema.typed[c].role == "measure"), None)


def product(schema: Schema, table: str) -> Arithmetic | None:
    """Price times quantity, less a discount that is a fraction, of a table that holds no such product itself."""
    by: dict[str, Column] = {}
    for column in schema.tables[table].columns:
        typed = schema.typed[column]
        if typed.is_measured and typed.words:
            by.setdefault(typed.words[-1], column)
    if "price" not in by or "quantity" not in by or not listed("operators", "worth of sales").isdisjoint(by):
        return None
    amount = Arithmetic("*", by["price"], by["quantity"])
    profile = schema.profiled[by["discount"]].profile if "discount" in by else None
    if profile is not None and isinstance(profile.high, int | float) and profile.high <= 1:
        return Arithmetic("*", amount, Arithmetic("-", Constant(1), by["discount"]))
    return amount
