"""Columns whose texts are lists: "Trailers,Deleted Scenes" holds two things, and may be meant by either of them.

That a column holds lists is told from its values alone: they are put together from fewer parts than there are values.
"""

from __future__ import annotations

from collections.abc import Collection

_SEPARATORS = (",", ";", "|")
_VALUES_MIN = 3
"""How many different values show at least what they are put together from."""


def parts_of(values: Collection[str]) -> frozenset[str]:
    """The parts that all values of a column are lists of; none where the column holds no lists.

    A comma between town and country makes no list: there are more towns and countries than pairs of them.
    """
    if len(values) < _VALUES_MIN:
        return frozenset()
    for separator in _SEPARATORS:
        listed = [value for value in values if separator in value]
        parts = {part.strip() for value in values for part in value.split(separator)}
        if listed and all(parts) and len(parts) < len(values):
            low = {part.lower() for part in parts}
            if not any(part != other and part in other for part in low for other in low):
                return frozenset(parts)
    return frozenset()
