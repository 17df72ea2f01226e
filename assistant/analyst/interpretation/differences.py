"""How readings differ: the chips that are not the same, so that a person chooses between words and not sentences."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.analyst.interpretation.chips import KINDS, ChipKind
from assistant.analyst.interpretation.composition import Composition


def difference(*of: Composition) -> tuple[ChipKind, ...]:
    """The kinds of chips in which interpretations differ, in the order in which chips are read."""
    every = [_texts(each) for each in of]
    return tuple(kind for kind in KINDS if len({texts.get(kind, ()) for texts in every}) > 1)


def told_apart(options: Sequence[Composition]) -> tuple[str, ...]:
    """Each of some interpretations by the chips that not all of them have: "Group by: state", "Without: Group by"."""
    differing = difference(*options)
    return tuple(
        ", ".join(f"{kind}: {', '.join(texts[kind])}" for kind in differing if kind in texts)
        or f"Without: {', '.join(differing)}"
        for texts in map(_texts, options)
    )


def _texts(of: Composition) -> dict[ChipKind, tuple[str, ...]]:
    texts: dict[ChipKind, tuple[str, ...]] = {}
    for chip in of.chips:
        texts[chip.kind] = (*texts.get(chip.kind, ()), chip.text)
    return texts
