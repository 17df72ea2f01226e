"""Units of measure: which are of one kind, and how large they are."""

from __future__ import annotations

from functools import cache

from assistant.analyst.lexicon.files import section


@cache
def _sizes() -> dict[str, tuple[str, float]]:
    """A unit to the kind of quantity that it measures, and its size in the smallest unit of that kind."""
    found: dict[str, tuple[str, float]] = {}
    for kind, sizes in section("operators", "unit sizes").items():
        for unit, size in sizes.items() if isinstance(sizes, dict) else ():
            found[unit] = (kind, float(str(size)))
    return found


def units_like(unit: str) -> tuple[str, ...]:
    """The units of the same kind, the unit itself first, then the largest first; none where it is not known."""
    kind = _sizes().get(unit, ("", 0.0))[0]
    alike = [(other != unit, -size, other) for other, (of, size) in _sizes().items() if of == kind]
    return tuple(other for *_, other in sorted(alike))


def in_unit(n: float, unit: str, other: str) -> float | int | None:
    """A number in another unit; None where the two measure different things. Where one is not known, the number."""
    sizes = _sizes()
    if not unit or not other or unit == other:
        return n
    if unit not in sizes or other not in sizes:
        return n if unit not in sizes and other not in sizes else None
    if sizes[unit][0] != sizes[other][0]:
        return None
    found = n * sizes[unit][1] / sizes[other][1]
    return int(found) if found.is_integer() else found
