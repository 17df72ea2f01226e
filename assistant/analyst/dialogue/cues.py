"""Phrases of the lexicon in a question: whether it has one, and the question without it."""

from __future__ import annotations

from functools import cache

from assistant.analyst.lexicon.files import read, section
from assistant.analyst.linking.tokens import Word


@cache
def phrases(category: str, meaning: str = "") -> tuple[tuple[str, ...], ...]:
    """The phrases of a category, the longest first, each as words."""
    entry = section("dialogue", category)[meaning] if meaning else read("dialogue")[category]
    found = [tuple(str(phrase).split()) for phrase in entry] if isinstance(entry, list) else []
    return tuple(sorted(found, key=len, reverse=True))


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


def _lower(words: tuple[Word, ...]) -> tuple[str, ...]:
    return tuple(word.lower for word in words)


def spoken(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without signs at the end."""
    end = len(words)
    while end and not words[end - 1].is_word:
        end -= 1
    return words[:end]
