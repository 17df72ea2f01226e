"""How readings differ: the chips that are not the same, so that a person chooses between words and not sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.analyst.interpretation.chips import KINDS, ChipKind
from assistant.analyst.interpretation.composition import Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What one interpretation and another have in a kind of chip, in words; empty where one has none."""

    kind: ChipKind
    first: str
    other: str


def difference(first: Composition, other: Composition) -> tuple[Difference, ...]:
    """The kinds of chips in which two interpretations differ."""
    one, two = _texts(first), _texts(other)
    differing: list[ChipKind] = [kind for kind in _kinds(one, two) if one.get(kind, ()) != two.get(kind, ())]
    return tuple(Difference(kind=kind, first=_only(one, two, kind), other=_only(two, one, kind)) for kind in differing)


def told_apart(options: Sequence[Composition]) -> tuple[str, ...]:
    """Each of some interpretations by the chips that not all of them have: "Group by: state"."""
    every = [_texts(option) for option in options]
    differing = [kind for kind in _kinds(*every) if len({texts.get(kind, ()) for texts in every}) > 1]
    return tuple(
        ", ".join(f"{kind}: {', '.join(texts[kind]) if kind in texts else '-'}" for kind in differing)
        for texts in every
    )


def _texts(of: Composition) -> dict[ChipKind, tuple[str, ...]]:
    found: dict[ChipKind, tuple[str, ...]] = {}
    for chip in of.chips:
        found[chip.kind] = (*found.get(chip.kind, ()), chip.text)
    return found


def _kinds(*every: dict[ChipKind, tuple[str, ...]]) -> list[ChipKind]:
    """The kinds that there are, in the order in which chips are read."""
    there = {kind for texts in every for kind in texts}
    return [kind for kind in KINDS if kind in there]


def _only(one: dict[ChipKind, tuple[str, ...]], two: dict[ChipKind, tuple[str, ...]], kind: ChipKind) -> str:
    return ", ".join(text for text in one.get(kind, ()) if text not in two.get(kind, ()))
