"""Values that repeat: an export of order lines tells the freight of an order on each of them.

A total adds up every row. What it is where each order counts once is another question, offered beside the answer. The
profile of the source says which columns these are (`determined_by`), from the values when the source was opened.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.analyst.algebra import ALL, Aggregate, Column, Grouped, Leaf, Query, Rows, Term, parts
from assistant.analyst.schema import Schema
from assistant.analyst.sql.figures import leaves

REPEATED = frozenset(("sum", "mean", "median", "percentile", "stddev"))
"""Functions that give something else where a value stands there several times."""


def whole_of(query: Query, schema: Schema) -> Column | None:
    """What the values of a query's figures belong to, where they repeat on its rows and each row is counted."""
    if not isinstance(query, Grouped) or not isinstance(query.of, Rows) or query.of.once:
        return None
    wholes = (_whole(leaf, schema) for figure in query.figures for leaf in leaves(figure))
    return next((whole for whole in wholes if whole is not None), None)


def counted_once(query: Query, schema: Schema) -> Query | None:
    """A query that counts each value of a whole once.

    Returns:
        None where nothing repeats, or where a part of the whole has no part of the value: the freight of an order by
        product.
    """
    whole = whole_of(query, schema)
    if whole is None or not isinstance(query, Grouped) or not isinstance(query.of, Rows):
        return None
    found = [leaf for figure in query.figures for leaf in leaves(figure)]
    plain = all(_whole(leaf, schema) == whole and leaf.of is None and leaf.where == ALL for leaf in found)
    is_whole = plain and all(_belongs(key, whole, schema) for key in query.keys)
    return replace(query, of=replace(query.of, once=whole)) if is_whole else None


def _whole(leaf: Leaf, schema: Schema) -> Column | None:
    """What the value of a figure belongs to, where it stands on each of its parts."""
    if not isinstance(leaf, Aggregate) or leaf.function not in REPEATED or not isinstance(leaf.term, Column):
        return None
    return schema.whole_of(leaf.term)


def _belongs(key: Term, whole: Column, schema: Schema) -> bool:
    """Whether a key has one value for each whole."""
    read = (column for column in parts(key) if isinstance(column, Column))
    return all(column == whole or schema.whole_of(column) == whole for column in read)
