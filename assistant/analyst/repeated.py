"""Figures of columns that repeat a value of the whole on each of its parts: an export of order lines with the freight.

Such a value counts once for each order, not once for each line: the query goes over one row for each order. The profile
of the source says which columns these are (`determined_by`), found from the values when the source was opened.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.analyst.algebra import ALL, Aggregate, Column, Grouped, Leaf, Query, Rows, RowSet, Term, parts
from assistant.analyst.schema import Schema
from assistant.analyst.sql.figures import leaves

REPEATED = frozenset(("sum", "mean", "median", "percentile", "stddev"))
"""Functions that give something else where a value stands there several times."""


def counted_once(query: Query, schema: Schema) -> Query | None:
    """A query that counts each value of a whole once.

    Returns:
        The query itself where nothing repeats; None where a part of the whole has no part of the value: the freight of
        an order by product.
    """
    if not isinstance(query, Grouped) or not isinstance(query.of, Rows) or query.of.once:
        return query
    found = [leaf for figure in query.figures for leaf in leaves(figure)]
    wholes = {_whole(leaf, schema) for leaf in found}
    if wholes <= {None}:
        return query
    whole = next(iter(wholes))
    plain = all(leaf.of is None and leaf.where == ALL for leaf in found)
    if len(wholes) > 1 or whole is None or not plain or not all(_belongs(key, whole, schema) for key in query.keys):
        return None
    return replace(query, of=replace(query.of, once=whole))


def is_repeated(leaf: Leaf, rows: RowSet, schema: Schema) -> bool:
    """Whether a figure would count the values of wholes once for each of their parts."""
    whole = _whole(leaf, schema)
    return whole is not None and isinstance(rows, Rows) and rows.once != whole


def _whole(leaf: Leaf, schema: Schema) -> Column | None:
    """What the value of a figure belongs to, where it stands on each of its parts."""
    if not isinstance(leaf, Aggregate) or leaf.function not in REPEATED or not isinstance(leaf.term, Column):
        return None
    return schema.whole_of(leaf.term)


def _belongs(key: Term, whole: Column, schema: Schema) -> bool:
    """Whether a key has one value for each whole."""
    read = (column for column in parts(key) if isinstance(column, Column))
    return all(column == whole or schema.whole_of(column) == whole for column in read)
