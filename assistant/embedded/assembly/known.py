"""Answers that are known from the question: "the friends of Bob" are not Bob, and he is not counted among them.

Such a reading is not refused, for people do ask whether there is such a row, but another one goes before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.embedded.meaning import ColumnRef, JoinStep, Meaning
from assistant.embedded.source.schema import Schema

_OWN_NAME = 0.15
"""What it costs that rows are counted by their own name: "how many albums does Iron Maiden have"."""
_SAID_AGAIN = 0.2
_COUNTED_AGAIN = 0.25

_Place = tuple[str, str]


def said_again(meaning: Meaning, schema: Schema) -> float:
    """What it costs that the question says already what a reading answers; nothing where it does not."""
    fixed = _fixed(meaning)
    if any(m.aggregate == "distinct" and m.column and _is_fixed(m.column, fixed) for m in meaning.measures):
        return _COUNTED_AGAIN
    shown = [column.column for column in meaning.columns if not column.context]
    if shown and all(_is_fixed(ref, fixed) for ref in shown):
        return _SAID_AGAIN
    label = schema.entities[meaning.base].label
    named = any(
        f.column.table == meaning.base and f.column.column in label and f.operator == "=" for f in meaning.filters
    )
    return _OWN_NAME if named and any(m.aggregate == "count" for m in meaning.measures) else 0.0


def _fixed(meaning: Meaning) -> set[_Place]:
    """The columns that a condition leaves one value, those among them that keys make equal to it."""
    found: set[_Place] = set()
    for condition in meaning.filters if not meaning.either else ():
        if condition.operator == "=" and condition.other is None:
            found.add((condition.column.table, condition.column.column))
            _backwards(found, condition.column.steps)
    for related in meaning.related:
        for condition in related.filters if related.count > 0 else ():
            if condition.operator == "=" and not condition.column.steps:
                found.add((condition.column.table, condition.column.column))
                _backwards(found, related.steps)
    return found


def _backwards(found: set[_Place], steps: Iterable[JoinStep]) -> None:
    for step in reversed(tuple(steps)):
        for left, right in zip(step.left_columns, step.right_columns, strict=True):
            if (step.right, right) in found:
                found.add((step.left, left))


def _is_fixed(ref: ColumnRef, fixed: set[_Place]) -> bool:
    reached = set(fixed)
    for step in ref.steps:
        for left, right in zip(step.left_columns, step.right_columns, strict=True):
            if (step.left, left) in reached:
                reached.add((step.right, right))
    return (ref.table, ref.column) in reached
