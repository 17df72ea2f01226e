"""Phrases of the lexicon in a question: whether it has one, and the question without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from assistant.analyst.lexicon.files import read, section
from assistant.analyst.linking.tokens import Word, is_deed, operators

_OPENING_MAX = 3
"""A question word stands among so many first words: "in which month"."""


@cache
def phrases(category: str, meaning: str = "") -> tuple[tuple[str, ...], ...]:
    """The phrases of a category, the longest first, each as words."""
    entry = section("dialogue", category)[meaning] if meaning else read("dialogue")[category]
    split = [tuple(str(phrase).split()) for phrase in entry] if isinstance(entry, list) else []
    return tuple(sorted(split, key=len, reverse=True))


@cache
def meanings(category: str) -> tuple[str, ...]:
    """The meanings that a category has phrases for."""
    return tuple(section("dialogue", category))


def begins(words: tuple[Word, ...], category: str, meaning: str = "") -> int:
    """How many words of a phrase the question begins with; 0 where it begins with none."""
    lower = _lower(words)
    return next((len(p) for p in phrases(category, meaning) if lower[: len(p)] == p), 0)


def ends(words: tuple[Word, ...], category: str) -> int:
    """How many words of a phrase the question ends with; 0 where it ends with none."""
    lower = _lower(words)
    return next((len(p) for p in phrases(category) if lower[-len(p) :] == p), 0)


def without(words: tuple[Word, ...], category: str, meaning: str = "") -> tuple[Word, ...] | None:
    """The question without a phrase that it has somewhere; None where it has none."""
    lower = _lower(words)
    for phrase in phrases(category, meaning):
        for at in range(len(words) - len(phrase) + 1):
            if lower[at : at + len(phrase)] == phrase:
                return (*words[:at], *words[at + len(phrase) :])
    return None


def is_phrase(words: tuple[Word, ...], category: str, meaning: str = "") -> bool:
    """Whether the question is nothing but a phrase."""
    return _lower(words) in phrases(category, meaning)


def asks_anew(words: tuple[Word, ...], names: Collection[int] = ()) -> Literal["question", "display", ""]:
    """Whether words are a question of their own: with a question word or a verb, and none that points back.

    Args:
        words: The words.
        names: Where they are names of the data, and so no verbs.
    """
    tokens = spoken(words)
    while 0 < (size := begins(tokens, "continuing", "presenting")) < len(tokens):
        tokens = tokens[size:]
    goes_on = any(begins(tokens, "continuing", kind) for kind in meanings("continuing"))
    if goes_on or without(tokens, "pointing back") is not None:
        return ""
    places = [at for at in range(len(words)) if at not in names and _is_verb(words, at)]
    if places or any(begins(tokens[at:], "openings") for at in range(min(len(tokens), _OPENING_MAX))):
        return "question"
    return "display" if begins(tokens, "displays") else ""


def _is_verb(words: tuple[Word, ...], at: int) -> bool:
    """Whether somebody does something: "Ben paid in cash"; "ordered by name" has nobody who does it."""
    kinds = {kind for kind, _ in operators().get(words[at].lower, ())}
    is_other = bool(kinds) and "deed" not in kinds
    return at > 0 and is_deed(words[at]) and not is_other and words[at - 1].lower not in operators()


def _lower(words: tuple[Word, ...]) -> tuple[str, ...]:
    return tuple(word.lower for word in words)


def spoken(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without signs at the end."""
    end = len(words)
    while end and not words[end - 1].is_word:
        end -= 1
    return words[:end]


def once_said(words: Sequence[Word]) -> tuple[int, tuple[Word, ...]] | None:
    """Where a question begins to say "counting each order once", and the words of what counts once."""
    tokens = spoken(tuple(words))
    size = ends(tokens, "once")
    starts = [
        at
        for at in range(len(tokens))
        if (begins(tokens[at:], "each once") if size else begins(tokens[at:], "once per"))
    ]
    if not starts:
        return None
    first = begins(tokens[starts[0] :], "each once" if size else "once per")
    counted = tuple(word for word in tokens[starts[0] + first : len(tokens) - size])
    return (starts[0], counted) if counted else None
