"""Numbers written with their unit, such as `12.5 kg`: read as numbers where the whole column has one unit. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

_QUANTITY = re.compile(r"(?P<number>[-+]?[\d.,]*\d)\s?(?P<unit>[A-Za-zµ°²³/]{1,12})")
_MAGNITUDES = frozenset(("k", "K", "m", "M", "bn", "B", "T", "Mio", "Mrd", "CR", "DR", "Cr", "Dr"))
"""What stands behind numbers of which one counts for thousands of another, or with the other sign."""
_MIXED_MAX = 4
_BRACKETED = re.compile(r"\[[^\]\d]{1,15}\]|\([^)\d]{1,15}\)")


def unit_of(values: Sequence[str]) -> str | None:
    """The one unit that every value has after its number; None where they have none, or several."""
    units: set[str] = set()
    for value in values:
        match = _QUANTITY.fullmatch(value)
        unit = _units().get(match["unit"]) if match else None
        if unit is None:
            return None
        units.add(unit)
    return next(iter(units)) if len(units) == 1 else None


def mixed_units(values: Sequence[str]) -> tuple[str, ...]:
    """The few different units that values have after their numbers; empty where one has none, or all have one."""
    matches = [_QUANTITY.fullmatch(value) for value in values]
    if not all(match is not None and (match["unit"] in _units() or match["unit"] in _MAGNITUDES) for match in matches):
        return ()
    units = tuple(sorted({match["unit"] for match in matches if match is not None}))
    return units if 1 < len(units) <= _MIXED_MAX else ()


def is_unit(text: str) -> bool:
    """Whether a text is a unit, with or without brackets."""
    return text in _units() or bool(_BRACKETED.fullmatch(text))


def spellings(unit: str) -> tuple[str, ...]:
    """All spellings of a unit."""
    return tuple(word for word, stands_for in _units().items() if stands_for == unit)


def bare(value: str) -> str:
    """A quantity without its unit."""
    match = _QUANTITY.fullmatch(value)
    return match["number"] if match else value


def is_measure(name: str) -> bool:
    """Whether a column's name says that it is measured or counted, such as `weight`: its values are no codes."""
    return bool(_measures() & set(re.findall(r"[a-z]+", name.lower())))


@cache
def _measures() -> frozenset[str]:
    return frozenset(files("assistant.sources.reading").joinpath("measures.txt").read_text(encoding="utf-8").split())


@cache
def _units() -> dict[str, str]:
    """Every spelling of a unit, with the spelling that stands for all of them: the first of its line."""
    text = files("assistant.sources.reading").joinpath("units.txt").read_text(encoding="utf-8")
    return {word: line.split()[0] for line in text.splitlines() if line.strip() for word in line.split()}
