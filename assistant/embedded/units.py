"""Units: "longer than 5 minutes", where the column holds milliseconds; "over 2 km", where it holds metres.

A column says its unit in its name. Where it says none, or one of another kind, the number is taken as it stands.
"""

from __future__ import annotations

from assistant.embedded.lexicon import name_words
from assistant.embedded.schema import Attribute

_SIZES: dict[str, dict[tuple[str, ...], float]] = {
    "time": {
        ("milliseconds", "millisecond", "ms", "millis"): 0.001,
        ("seconds", "second", "sec", "secs"): 1.0,
        ("minutes", "minute", "min", "mins"): 60.0,
        ("hours", "hour", "hrs", "hr", "h"): 3600.0,
        ("days", "day"): 86_400.0,
        ("weeks", "week"): 604_800.0,
    },
    "length": {
        ("millimeters", "millimetres", "millimeter", "millimetre", "mm"): 0.001,
        ("centimeters", "centimetres", "centimeter", "centimetre", "cm"): 0.01,
        ("meters", "metres", "meter", "metre", "m"): 1.0,
        ("kilometers", "kilometres", "kilometer", "kilometre", "km"): 1000.0,
    },
    "mass": {
        ("grams", "gram", "g"): 0.001,
        ("kilograms", "kilogram", "kilos", "kilo", "kg"): 1.0,
        ("tons", "tonnes", "ton", "tonne", "t"): 1000.0,
    },
    "data": {
        ("bytes", "byte"): 1.0,
        ("kilobytes", "kilobyte", "kb"): 1024.0,
        ("megabytes", "megabyte", "mb"): 1024.0**2,
        ("gigabytes", "gigabyte", "gb"): 1024.0**3,
    },
}
_BY_WORD = {
    word: (kind, size) for kind, units in _SIZES.items() for words, size in units.items() for word in words
}  # fmt: skip


class UnitError(ValueError):
    """A number came with a unit, and the column does not say what its own is."""


def is_unit(word: str) -> bool:
    """Whether a word behind a number is a unit."""
    return word.lower() in _BY_WORD


def in_unit_of(attribute: Attribute, number: float, word: str) -> tuple[float, str]:
    """The number in the unit of the column, and what was taken for granted about it, if anything.

    Args:
        attribute: The column it is compared with.
        number: As the question has it.
        word: What stands behind it, which may be a unit.

    Raises:
        UnitError: the column has no unit, and all of its values lie beyond the number.
    """
    said = _BY_WORD.get(word.lower())
    if said is None:
        return number, ""
    held = [(w, _BY_WORD[w]) for w in name_words(attribute.name) if w in _BY_WORD and len(w) > 1]
    if len(held) != 1:
        profile = attribute.column.profile
        low, high = (profile.low, profile.high) if profile else (None, None)
        if isinstance(low, int | float) and isinstance(high, int | float) and not low <= number <= high:
            raise UnitError(
                f"“{attribute.words}” runs from {low:g} to {high:g} and does not say in which unit: please give the"
                f" number in its unit instead of {word.lower()}."
            )
        return number, f"{attribute.words} is taken to be in {word.lower()}"
    name, (kind, size) = held[0]
    if kind != said[0]:
        return number, ""
    value = number * said[1] / size
    return value, "" if value == number else f"{number:g} {word.lower()} are {value:,.0f} {name}"
