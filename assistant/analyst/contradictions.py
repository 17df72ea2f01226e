"""Conditions that no row can meet together: such a query has an answer, empty, that nobody asks for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from assistant.analyst.algebra import ALL, Both, Compare, Constant, Related, Within
from assistant.analyst.schema import Schema


def contradictions(both: Both, schema: Schema) -> Iterator[str]:
    """Conditions of which no row can meet both: periods apart, two values, no rows and rows beyond them."""
    for one, other in combinations(both.conditions, 2):
        match one, other:
            case (Within(), Within()) if one.term == other.term and _are_apart(one, other):
                yield "No row is in two periods that do not meet."
            case (Compare(op="=", right=Constant()), Compare(op="=", right=Constant())) if one.left == other.left:
                if one.right != other.right:
                    yield "No row has two values in one column."
            case (Related() as one, Related() as other) if _lacks(one, other, schema) or _lacks(other, one, schema):
                yield "Rows that have none of something have nothing that it leads to."
            case _:
                continue


def _lacks(one: Related, other: Related, schema: Schema) -> bool:
    """Whether the first says that there are no rows at all of a table through which the second goes."""
    through = {link.table for link in schema.path(other.table, other.rows.table) or ()}
    none = one.quantifier == "none" and one.table == other.table and one.rows.where == ALL
    return none and other.quantifier in ("some", "every", "at least") and one.rows.table in through


def _are_apart(one: Within, other: Within) -> bool:
    return bool(one.end and other.start and one.end <= other.start) or bool(
        other.end and one.start and other.end <= one.start
    )
