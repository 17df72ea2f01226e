"""Phrases that say how many related rows a row has: some, none, every one, at least so many."""

from __future__ import annotations

from dataclasses import replace

from assistant.analyst.algebra import Column, Quantifier, Related, here
from assistant.analyst.grammar.building import columns_in
from assistant.analyst.grammar.rule import Rulebook
from assistant.analyst.parts import Bound, Has, Pending, Thing
from assistant.analyst.schema import Schema

RULES = Rulebook()
_FEW = 20
_MANY: dict[str, tuple[Quantifier, int]] = {
    **{">=": ("at least", 0), ">": ("at least", 1), "=": ("exactly", 0), "<=": ("at most", 0), "<": ("at most", -1)}
}


@RULES.add("thing", "thing", "thing", gap=0)
def compound(schema: Schema, of: Thing, t: Thing) -> Thing | None:
    """ "product category": the categories, which products have; "manager's department" """
    alias = schema.alias(of.table)
    if alias is not None:
        return alias.named(t) if t.table in alias.names else None
    plain = of.key is None and t.key is None and of.table != t.table
    return t if plain and schema.reaches_one(of.table, t.table) else None


@RULES.add("condition", "past", "~thing", gap=0)
def done(schema: Schema, of: Thing, t: Thing) -> Has | None:
    """ "returned orders": orders that have returns"""
    return Has(of, anchor=t) if t.key is None and schema.path(t.table, of.table) else None


# --- tables under the name of a key ---


@RULES.add("column", "thing", "column|thing", gap=0.1)
def alias_column(schema: Schema, t: Thing, c: Column | Thing) -> Column | None:
    """ "the manager's salary": of the row that the key leads to"""
    alias = schema.alias(t.table)
    return alias.named(c) if alias and isinstance(c, Column) and c.table in alias.names else None


@RULES.add("column", "column", "of", "thing", gap=0.3)
def column_of_alias(schema: Schema, c: Column, _o: str, t: Thing) -> Column | None:
    """ "the salary of their manager"; "positions of players", of the rows that have both: nothing of the players"""
    return c if t.key is not None and t.key != c and t.table == c.table else alias_column(schema, t, c)


@RULES.add("condition", "thing|lead", "condition", gap=0.6)
def led_condition(schema: Schema, t: Thing | Column, p: Pending) -> Pending | None:
    """ "whose manager is Ada", "who report to Ada", "flights to Bonn": of the row that a key leads to"""
    tables = {part.table for part in here(p) if isinstance(part, Column | Related)}
    if isinstance(t, Column):
        return p if set(columns_in(p)) == {t} else None
    alias = schema.alias(t.table)
    return alias.named(p) if alias and tables and tables <= alias.names.keys() else None


@RULES.add("thing", "thing", "of", "thing", gap=0)
def of_thing(schema: Schema, t: Thing, _o: str, container: Thing) -> Thing | None:
    """ "orders from customers": the orders, which customers have"""
    plain = t.key is None and container.key is None and t.table != container.table
    return t if plain and schema.has_one(t.table, container.table) else None


@RULES.add("has", "not", "thing|deed", gap=0.3)
def none_of(schema: Schema, _n: str, t: Thing) -> Has | None:
    """ "customers without orders" """
    return Has(t, "none") if t.key is None else None


@RULES.add("has", "not", "some", "thing", gap=1.2)
def not_any(schema: Schema, _n: str, _s: str, t: Thing) -> Has | None:
    """ "that are not on any committee" """
    return none_of(schema, "", t)


@RULES.add("has", "some", "thing", gap=0.15)
def some_of(schema: Schema, _s: str, t: Thing) -> Has | None:
    """ "customers that have any orders" """
    return Has(t) if t.key is None else None


@RULES.add("has", "bound", "thing", gap=0.15)
def so_many(schema: Schema, b: Bound, t: Thing) -> Has | None:
    """ "customers with at least 10 orders" """
    if t.key is not None or b.op not in _MANY or b.n != int(b.n):
        return None
    quantifier, more = _MANY[b.op]
    return Has(t, quantifier, int(b.n) + more) if b.n + more >= 0 else None


@RULES.add("has", "bound", "condition", "thing", gap=0.15)
def so_many_such(schema: Schema, b: Bound, p: Pending, t: Thing) -> Has | None:
    """ "at least 3 open tickets" """
    condition = so_many(schema, b, t)
    return such_things(schema, condition, p) if condition else None


@RULES.add("has", "number", "thing", gap=0.05)
def exactly_so_many(schema: Schema, n: float, t: Thing) -> Has | None:
    """ "employees with three titles" """
    return Has(t, "exactly", int(n)) if t.key is None and n == int(n) and 0 < n < _FEW else None


@RULES.add("has", "every", "thing", "condition", gap=0.3)
def every_one(schema: Schema, _e: str, t: Thing, p: Pending) -> Has | None:
    """ "where every order has a freight over 10" """
    return Has(t, "every", where=(p,)) if t.key is None else None


@RULES.add("has", "has", "condition", gap=0.3)
def such_things(schema: Schema, h: Has, p: Pending) -> Has | None:
    """ "without orders in 2020" """
    return replace(h, where=(p,)) if not h.where and not isinstance(p, Has) else None


@RULES.add("condition", "has")
def has(schema: Schema, h: Has) -> Has:
    """ "with at least 10 orders" """
    return h


@RULES.add("condition", "of", "thing", "has", gap=0.15)
def of_things_with(schema: Schema, _o: str, t: Thing, h: Has) -> Has | None:
    """ "orders of customers without returns": it is the customers that have none"""
    return replace(h, anchor=t) if t.key is None and h.thing.table != t.table else None
