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
    texts, other_texts = _texts(first), _texts(other)
    differing: list[ChipKind] = [
        kind for kind in _kinds(texts, other_texts) if texts.get(kind, ()) != other_texts.get(kind, ())
    ]
    return tuple(
        Difference(kind=kind, first=_only(texts, other_texts, kind), other=_only(other_texts, texts, kind))
        for kind in differing
    )


def told_apart(options: Sequence[Composition]) -> tuple[str, ...]:
    """Each of some interpretations by the chips that not all of them have: "Group by: state", "Without: Group by"."""
    every = [_texts(option) for option in options]
    differing = [kind for kind in _kinds(*every) if len({texts.get(kind, ()) for texts in every}) > 1]
    return tuple(
        ", ".join(f"{kind}: {', '.join(texts[kind])}" for kind in differing if kind in texts)
        or f"Without: {', '.join(differing)}"
        for texts in every
    )


def _texts(of: Composition) -> dict[ChipKind, tuple[str, ...]]:
    texts: dict[ChipKind, tuple[str, ...]] = {}
    for chip in of.chips:
        texts[chip.kind] = (*texts.get(chip.kind, ()), chip.text)
    return texts


def _kinds(*every: dict[ChipKind, tuple[str, ...]]) -> list[ChipKind]:
    """The kinds that there are, in the order in which chips are read."""
    return [kind for kind in KINDS if any(kind in texts for texts in every)]


def _only(texts: dict[ChipKind, tuple[str, ...]], other_texts: dict[ChipKind, tuple[str, ...]], kind: ChipKind) -> str:
    return ", ".join(text for text in texts.get(kind, ()) if text not in other_texts.get(kind, ()))
