"""Finds what a name means among choices: exactly first, then by likeness. What stays unclear lists the nearest."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from assistant.analyst.algebra import Column
from assistant.analyst.interpretation.choices import ChipChoice
from assistant.analyst.linking.names import Name, likeness
from assistant.analyst.names import words_of
from assistant.errors import InterpretationError
from assistant.plain_english import joined

_LEAST = 0.55
_NEAR = 0.05
"""Two names that are so much alike are not told apart."""
_NEAREST = 5
_NO_COLUMN = Column("", "")


def chosen(text: str, among: Sequence[ChipChoice], *, kind: str) -> ChipChoice:
    """The choice that a text names.

    Raises:
        InterpretationError: none or several fit; the error lists the nearest.
    """
    return exact(text, among, kind=kind) or alike(text, among, kind=kind)


def exact(text: str, among: Sequence[ChipChoice], *, kind: str) -> ChipChoice | None:
    """The choice that is called so, in any case and form; None where none is.

    Raises:
        InterpretationError: several are.
    """
    for fold in (str, str.casefold, words_of):
        folded = fold(text)
        for names in ([(choice.text,) for choice in among], [choice.also for choice in among]):
            matches = [c for c, of in zip(among, names, strict=True) if folded in map(fold, of)]
            if len({choice.value for choice in matches}) == 1:
                return matches[0]
            if matches:
                raise _unclear(text, [choice.text for choice in matches], kind)
    return None


def alike(text: str, among: Sequence[ChipChoice], *, kind: str) -> ChipChoice:
    """The choice whose name is most like a text.

    Raises:
        InterpretationError: none is, or several are alike; the error lists the nearest.
    """
    scored = sorted(
        ((_likeness(text, choice), at) for at, choice in enumerate(among)), key=lambda item: (-item[0], item[1])
    )
    near = [(score, at) for score, at in scored if score >= _LEAST]
    first = [among[at] for score, at in near if score > near[0][0] - _NEAR]
    if len(first) == 1:
        return first[0]
    if first:
        raise _unclear(text, [choice.text for choice in first], kind)
    raise _unknown(text, [choice.text for choice in _nearest(text, among)], kind)


def _likeness(text: str, choice: ChipChoice) -> float:
    words = words_of(text)
    return max(likeness(words, Name(_NO_COLUMN, words_of(name), ())) for name in (choice.text, *choice.also))


def _nearest(text: str, among: Sequence[ChipChoice]) -> list[ChipChoice]:
    def distance(choice: ChipChoice) -> float:
        return -max(fuzz.WRatio(text.casefold(), name.casefold()) for name in (choice.text, *choice.also))

    return sorted(among, key=distance)[:_NEAREST]


def _unclear(text: str, choices: Sequence[str], kind: str) -> InterpretationError:
    names = tuple(dict.fromkeys(choices))[:_NEAREST]
    return InterpretationError(
        f"{kind}: {text!r} may be {joined([repr(name) for name in names])}. Name one of them.", names
    )


def _unknown(text: str, choices: Sequence[str], kind: str) -> InterpretationError:
    nearest = f" Did you mean {choices[0]!r}?" if choices else ""
    if len(choices) > 1:
        nearest += f" There are also {joined([repr(name) for name in choices[1:]])}."
    return InterpretationError(f"{kind}: there is no {text!r} that fits here.{nearest}", tuple(choices))
