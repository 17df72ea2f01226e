"""Clauses about groups by ranges of a number: "by age group", "per price range".

The ranges have round bounds, from the lowest to the highest value there is, and one width unless these lie far apart;
ages go by tens.
"""

from __future__ import annotations

from math import floor, log10

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.source.schema import Attribute
from assistant.embedded.sql.ranges import range_names

_RANGES = 7
"""About how many ranges there should be."""
_STEPS = (1.0, 2.0, 5.0, 10.0)
_EDGES_MAX = 20
_WIDE = 100
"""From how many times the lowest value on the highest one asks for ranges that grow."""


def ranges(draft: Draft) -> None:
    """ "by age group", "by price range", "orders per freight band": the number before the word is cut into ranges."""
    for i, _ in draft.cues("range"):
        option = draft.open(i - 1) if i else None
        bounds = edges(option.attribute) if isinstance(option, ToColumn) and option.attribute.is_number else ()
        if isinstance(option, ToColumn) and bounds:
            draft.pieces[i].used = draft.pieces[i].aside = True
            draft.ranged.append(option.attribute)
            example = range_names(bounds, whole=option.attribute.column.kind == "integer")[1]
            draft.assumptions.append(f"{option.attribute.words} is cut into ranges such as {example}")


def edges(attribute: Attribute) -> tuple[float, ...]:
    """The bounds between the ranges of a number, ascending; none where its values are not known to differ."""
    profile = attribute.column.profile
    try:
        low, high = (float(str(value)) for value in ((profile.low, profile.high) if profile else ("", "")))
    except ValueError:
        return ()
    if high <= low:
        return ()
    if low > 0 and high / low > _WIDE:
        return _growing(high)
    width = 10.0 if attribute.own[-1] == "age" else _width((high - low) / _RANGES)
    width = max(width, 1.0) if attribute.column.kind == "integer" else width
    first = floor(low / width) + 1
    found = [round(n * width, 6) for n in range(first, first + _EDGES_MAX) if n * width <= high]
    return tuple(found) if len(found) > 1 else ()


def _growing(high: float) -> tuple[float, ...]:
    """Bounds that double or so, where most values are much smaller than the highest: 5, 10, 20, 50, 100."""
    unit = floor(log10(high))
    every = [step * 10.0**power for power in range(unit - 3, unit + 1) for step in _STEPS[:3]]
    return tuple(round(edge, 6) for edge in every if edge <= high)[-_RANGES:]


def _width(least: float) -> float:
    """The next round number."""
    unit = 10.0 ** floor(log10(least))
    return next((step * unit for step in _STEPS if step * unit >= least), 10 * unit)
