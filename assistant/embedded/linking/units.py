"""Units: "longer than 5 minutes", where the column holds milliseconds; "over 2 km", where it holds metres.

A column says its unit in its name. Where it says none, or one of another kind, the number is taken as it stands.
"""

from __future__ import annotations

from assistant.embedded.source.clock import Clock
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import name_words

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
        ("miles", "mile"): 1609.344,
        ("feet", "foot", "ft"): 0.3048,
        ("inches", "inch"): 0.0254,
    },
    "mass": {
        ("grams", "gram", "g"): 0.001,
        ("kilograms", "kilogram", "kilos", "kilo", "kg"): 1.0,
        ("tons", "tonnes", "ton", "tonne", "t"): 1000.0,
    },
    "area": {
        ("acres", "acre"): 4046.86,
        ("hectares", "hectare", "ha"): 10_000.0,
        ("sqm", "m2"): 1.0,
        ("km2", "sqkm"): 1_000_000.0,
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


_MEASURED = {"time": "length", "length": "distance", "mass": "weight", "data": "size", "area": "area"}
"""What a column that is called by its unit alone holds."""


_SIGN = 2
"""How long a sign for a unit is at most: behind a number it may be something else."""


class UnitError(ValueError):
    """A number came with a unit, and the column does not say what its own is."""


def is_unit(word: str) -> bool:
    """Whether a word behind a number is a unit."""
    return word.lower() in _BY_WORD


def is_time(word: str) -> bool:
    """Whether a unit is one of time."""
    return _BY_WORD[word][0] == "time"


def in_unit_of(attribute: Attribute, number: float, word: str) -> tuple[float, str]:
    """The number in the unit of the column, and what was taken for granted about it, if anything.

    Args:
        attribute: The column it is compared with.
        number: As the question has it.
        word: What stands behind it, which may be a unit.

    Raises:
        UnitError: the column has no unit, and all of its values lie beyond the number in any unit, or in all but
            several.
    """
    said = _BY_WORD.get(word.lower())
    if said is None:
        return number, ""
    held = _held(attribute)
    if held is None:
        profile = attribute.column.profile
        low, high = (profile.low, profile.high) if profile else (None, None)
        if isinstance(low, int | float) and isinstance(high, int | float) and not low <= number <= high:
            fitting = _fitting(word, number, low, high)
            if fitting is not None:
                unit, value = fitting
                return value, f"{attribute.words} is taken to be in {unit}: {number:g} {word.lower()} are {value:g}"
            raise UnitError(
                f"“{attribute.words}” runs from {low:g} to {high:g} and does not say in which unit: please give the"
                f" number in its unit instead of {word.lower()}."
            )
        return number, f"{attribute.words} is taken to be in {word.lower()}"
    name, (kind, size) = held
    if kind != said[0] and len(word) > _SIGN:
        raise UnitError(f"“{attribute.words}” is in {name}, which {word.lower()} are not.")
    if kind != said[0]:
        return number, ""
    value = number * said[1] / size
    return value, "" if value == number else f"{number:g} {word.lower()} are {value:,.0f} {name}"


def _fitting(word: str, number: float, low: float, high: float) -> tuple[str, float] | None:
    """The one unit in which a number lies among a column's values, and the number in it: 2 hours of 46 to 185."""
    kind, size = _BY_WORD[word.lower()]
    found = [(units[0], number * size / other) for units, other in _SIZES[kind].items()]
    found = [(unit, value) for unit, value in found if low <= value <= high]
    return found[0] if len(found) == 1 else None


def _held(attribute: Attribute) -> tuple[str, tuple[str, float]] | None:
    """The unit that a column says it holds, with its kind and size; None where it says none."""
    if isinstance(attribute.notation, Clock):
        return "seconds", _BY_WORD["seconds"]
    held = [(w, _BY_WORD[w]) for w in name_words(attribute.name) if w in _BY_WORD and len(w) > 1]
    return held[0] if len(held) == 1 else None


def has_unit(attribute: Attribute) -> bool:
    """Whether a column says in which unit it holds something: there is so much of it."""
    return _held(attribute) is not None


def can_be_in(attribute: Attribute, unit: str) -> bool:
    """Whether a column holds something that can be given in a unit."""
    held = _held(attribute)
    return held is not None and held[1][0] == _BY_WORD[unit][0]


def factor(attribute: Attribute, unit: str) -> float:
    """What to multiply a column's values by to have them in a unit, which they can be in."""
    held = _held(attribute)
    return ratio(held[0], unit) if held is not None else 1.0


def ratio(held: str, unit: str) -> float:
    """How many of a unit make up one of another."""
    return _BY_WORD[held][1] / _BY_WORD[unit][1]


def without_unit(attribute: Attribute) -> str:
    """What a column holds, without the unit in its name: "handle time" of `handle_time_minutes`."""
    held = _held(attribute)
    if held is None:
        return attribute.words
    words = [word for word in attribute.words.split() if word.lower() != held[0]]
    return " ".join(words) or _MEASURED[held[1][0]]
