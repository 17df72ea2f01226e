"""Conditions that no row can meet together: such a query has an answer, empty, that nobody asks for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from assistant.analyst.algebra import NO_FILTER, Both, Compare, Constant, Related, Within
from assistant.analyst.schema import Schema


def contradictions(conjunction: Both, schema: Schema) -> Iterator[str]:
    """Conditions of which no row can meet both: periods apart, two values, no rows and rows beyond them."""
    for first, second in combinations(conjunction.conditions, 2):
        match first, second:
            case (Within(), Within()) if first.term == second.term and _are_apart(first, second):
                yield "No row is in two periods that do not meet."
            case (Compare(op="=", right=Constant()), Compare(op="=", right=Constant())) if first.left == second.left:
                if first.right != second.right:
                    yield "No row has two values in one column."
            case (Related() as first, Related() as second) if _lacks(first, second, schema) or _lacks(
                second, first, schema
            ):
                yield "Rows that have none of something have nothing that it leads to."
            case _:
                continue


def _lacks(negative: Related, positive: Related, schema: Schema) -> bool:
    """Whether the first says that there are no rows at all of a table through which the second goes."""
    through = {link.table for link in schema.path(positive.table, positive.rows.table) or ()}
    is_none = negative.quantifier == "none" and negative.table == positive.table and negative.rows.where == NO_FILTER
    return is_none and positive.quantifier in ("some", "every", "at least") and negative.rows.table in through


def _are_apart(first: Within, second: Within) -> bool:
    return bool(first.end and second.start and first.end <= second.start) or bool(
        second.end and first.start and second.end <= first.start
    )
