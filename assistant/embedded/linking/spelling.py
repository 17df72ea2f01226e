"""Spelling: words that say what is to be done, mistyped by one letter: "averge", "maximun", "hgihest".

Names are guessed elsewhere, when nothing claims a word (`guessing`); a figure that was mistyped must not fall away, for
what is left of the question would be another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.embedded.linking.linker import Linker
from assistant.embedded.words.lexicon import Token, stem
from assistant.embedded.words.vocabulary import STOP_WORDS, WEAK_WORDS, word_set

_SAID = word_set(
    """average maximum minimum number highest lowest largest smallest biggest greatest longest shortest oldest youngest
    cheapest expensive between without ascending descending distinct different percentage cheaper"""
)
_SHORTEST = min(len(word) for word in _SAID) - 1


def spelt(tokens: Sequence[Token], linker: Linker) -> tuple[Token, ...]:
    """The tokens, with those put right that nothing goes by."""
    return tuple(_right(token, linker) for token in tokens)


def _right(token: Token, linker: Linker) -> Token:
    word = token.lower
    if token.kind != "word" or len(word) < _SHORTEST or word in _SAID or word in STOP_WORDS or word in WEAK_WORDS:
        return token
    meant = next((said for said in _SAID if said[0] == word[0] and _one_letter(word, said)), None)
    if meant is None or linker.names((token.stem,)) or linker.index.find([word]):
        return token
    return replace(token, text=meant, lower=meant, stem=stem(meant))


def _one_letter(word: str, other: str) -> bool:
    """Whether a letter too many, too few or other than it should be, or two of them changed about, tells them apart."""
    if abs(len(word) - len(other)) > 1:
        return False
    start = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, should = word[start:], other[start:]
    changed = len(rest) > 1 and rest[1::-1] == should[:2] and rest[2:] == should[2:]
    return changed or rest[1:] == should or rest == should[1:] or rest[1:] == should[1:]
