"""Values that repeat: an export of order lines tells the freight of an order on each of them.

A total adds up every row. What it is where each order counts once is another question, offered beside the answer. The
profile of the source says which columns these are (`determined_by`), from the values when the source was opened.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.analyst.algebra import NO_FILTER, Aggregate, Column, Grouped, Leaf, Query, Rows, Term, parts
from assistant.analyst.schema import Schema
from assistant.analyst.sql.figures import leaves

REPEATED = frozenset(("sum", "mean", "median", "percentile", "stddev"))
"""Functions that give something else where a value stands there several times."""


def whole_of(query: Query, schema: Schema) -> Column | None:
    """What the values of a query's figures belong to, where they repeat on its rows and each row is counted."""
    if not isinstance(query, Grouped) or not isinstance(query.of, Rows) or query.of.once:
        return None
    wholes = (_whole(leaf, schema) for figure in query.figures for leaf in leaves(figure))
    return next((unit for unit in wholes if unit is not None), None)


def counted_once(query: Query, schema: Schema) -> Query | None:
    """A query that counts each value of a whole once.

    Returns:
        None where nothing repeats, or where a part of the whole has no part of the value: the freight of an order by
        product.
    """
    unit = whole_of(query, schema)
    if unit is None or not isinstance(query, Grouped) or not isinstance(query.of, Rows):
        return None
    leaves_used = [leaf for figure in query.figures for leaf in leaves(figure)]
    plain = all(_whole(leaf, schema) == unit and leaf.of is None and leaf.where == NO_FILTER for leaf in leaves_used)
    is_whole = plain and all(_belongs(key, unit, schema) for key in query.keys)
    return replace(query, of=replace(query.of, once=unit)) if is_whole else None


def _whole(leaf: Leaf, schema: Schema) -> Column | None:
    """What the value of a figure belongs to, where it stands on each of its parts."""
    if not isinstance(leaf, Aggregate) or leaf.function not in REPEATED or not isinstance(leaf.term, Column):
        return None
    return schema.whole_of(leaf.term)


def _belongs(key: Term, unit: Column, schema: Schema) -> bool:
    """Whether a key has one value for each whole."""
    columns = (column for column in parts(key) if isinstance(column, Column))
    return all(column == unit or schema.whole_of(column) == unit for column in columns)
