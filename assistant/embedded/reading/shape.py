"""Shape: what kinds of things a meaning is made of, and how many of each.

Part of the evidence on a reading: what is rarer, or holds more, is read wrongly more often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.embedded.meaning import JoinStep, Meaning

NAMES: tuple[str, ...] = (
    "columns", "figures", "groups", "dimensions", "keyed", "grain", "orders", "places", "ties",
    "joins", "many", "inferred", "having", "related", "absent", "among", "compared", "portion",
    "conditions", "filtered", "filters", "equal", "values", "texts", "guessed_case", "either", "periods",
)  # fmt: skip
"""What each number of `shape` is."""

_PLACES_MAX = 10


def shape(meaning: Meaning) -> dict[str, float]:
    """What a meaning is made of, by the names in `NAMES`."""
    return _of_table(meaning) | _of_ways(meaning) | _of_conditions(meaning)


def _of_table(meaning: Meaning) -> dict[str, float]:
    """What the answer's table shows, and in which order."""
    return {
        "columns": min(len(meaning.columns), 5) / 2,
        "figures": min(len([m for m in meaning.measures if not m.context]), 3),
        "groups": min(len(meaning.dimensions) - meaning.within, 1),
        "dimensions": len(meaning.dimensions),
        "keyed": any(dimension.key for dimension in meaning.dimensions),
        "grain": any(dimension.grain or dimension.part for dimension in meaning.dimensions),
        "orders": len(meaning.order),
        "places": min(meaning.limit or 0, _PLACES_MAX),
        "ties": meaning.ties,
    }


def _of_ways(meaning: Meaning) -> dict[str, float]:
    """The ways between its tables."""
    steps: list[JoinStep] = [step for ref in meaning.references() for step in ref.steps]
    steps += [step for related in meaning.related for step in related.steps]
    return {
        "joins": min(len({(s.left, s.right) for s in steps}), 4) / 2,
        "many": any(s.many for s in steps),
        "inferred": any(s.inferred for s in steps),
    }


def _of_conditions(meaning: Meaning) -> dict[str, float]:
    """Which rows it is about."""
    related = meaning.related
    filters = meaning.every_filter
    values = [value for f in filters for value in f.values]
    every = len(filters) + len(related) + len(meaning.having) + len(meaning.times) + len(meaning.conditions)
    return {
        "having": bool(meaning.having),
        "related": min(len(related), 2),
        "absent": any(r.count == 0 for r in related),
        "among": len(meaning.among),
        "compared": bool(meaning.compared),
        "portion": bool(meaning.portion),
        "conditions": every,
        "filtered": min(len(meaning.filters), 3),
        "filters": len(filters),
        "equal": sum(f.operator == "=" for f in filters),
        "values": len(values),
        "texts": sum(isinstance(value, str) for value in values),
        "guessed_case": sum(f.fold_case for f in filters),
        "either": meaning.either,
        "periods": len(meaning.times) + sum(r.time is not None for r in related),
    }
