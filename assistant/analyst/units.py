"""Units of measure: which are of one kind, and how large they are."""

from __future__ import annotations

from functools import cache

from assistant.analyst.lexicon.files import section


@cache
def _sizes() -> dict[str, tuple[str, float]]:
    """A unit to the kind of quantity that it measures, and its size in the smallest unit of that kind."""
    by_unit: dict[str, tuple[str, float]] = {}
    for kind, sizes in section("operators", "unit sizes").items():
        for unit, size in sizes.items() if isinstance(sizes, dict) else ():
            by_unit[unit] = (kind, float(str(size)))
    return by_unit


def ratio_of(unit: str, target: str) -> float | None:
    """How many of one unit another one is; None where the two measure different things, or one is not known."""
    sizes = _sizes()
    if unit not in sizes or target not in sizes or sizes[unit][0] != sizes[target][0]:
        return None
    return sizes[target][1] / sizes[unit][1]


def units_like(unit: str) -> tuple[str, ...]:
    """The units of the same kind, the unit itself first, then the largest first; none where it is not known."""
    kind = _sizes().get(unit, ("", 0.0))[0]
    alike = [(candidate != unit, -size, candidate) for candidate, (of, size) in _sizes().items() if of == kind]
    return tuple(candidate for *_, candidate in sorted(alike))


def in_unit(n: float, unit: str, target: str) -> float | int | None:
    """A number in another unit; None where the two measure different things. Where one is not known, the number."""
    sizes = _sizes()
    if not unit or not target or unit == target:
        return n
    if unit not in sizes or target not in sizes:
        return n if unit not in sizes and target not in sizes else None
    if sizes[unit][0] != sizes[target][0]:
        return None
    converted = n * sizes[unit][1] / sizes[target][1]
    return int(converted) if converted.is_integer() else converted
