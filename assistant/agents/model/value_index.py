"""Finds values of the data in texts, whatever the case, the order and the escapes of their words. Pure.

A value of several words is found in any case, and one of up to six words also in another order ("Doe, Jane"). One word
alone may be an everyday word: in another case than the data's it counts only if no everyday word, no word of the
program's own prompts and no name of a column is written like it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Generic, Protocol, TypeVar

from assistant.agents.model.prompts import list_prompt_words
from assistant.agents.model.text_readings import TextReading, read_text, remove_accents
from assistant.agents.model.vocabulary import load_vocabulary

CHARS_MIN = 3
_GAP_MAX = 4
_FREE_ORDER_MAX = 6
_NAME_WORDS_MAX = 5
_WORD = re.compile(r"[^\W_]+")
Key = tuple[str, ...]


class HasText(Protocol):
    """What is looked for."""

    @property
    def text(self) -> str:
        """The value as the data spells it."""
        ...


V = TypeVar("V", bound=HasText)
V_co = TypeVar("V_co", bound=HasText, covariant=True)
M = TypeVar("M", bound="ValueMatch[HasText]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMatch(Generic[V_co]):
    """Where a value is in a text.

    Attributes:
        start: Its first character.
        stop: The character after its last.
        words: How many words it has.
        value: The value.
        is_in_order: Whether its words have the order of the value.
        is_certain: Whether it counts by itself; a word that may be an everyday word counts beside another match.
    """

    start: int
    stop: int
    words: int
    value: V_co
    is_in_order: bool = True
    is_certain: bool = True


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text, as it writes them: runs of letters and digits."""
    reading = read_text(text)[0]
    return tuple(text[slice(*_locate(reading, word, word))] for word in _WORD.finditer(reading.text))


@lru_cache(maxsize=50_000)  # prompts of one session repeat their words
def fold_word(word: str) -> str:
    """A word without case, accents and escapes."""
    return remove_accents(read_text(word)[0].text.casefold())


@cache
def list_everyday_words() -> frozenset[str]:
    """Words that mean something else than a person, folded: in everyday language and in the program's prompts."""
    vocabulary = load_vocabulary()
    return frozenset(map(fold_word, (*vocabulary.ordinary, *vocabulary.everyday, *list_prompt_words())))


class ValueIndex(Generic[V]):
    """Values by their words.

    Args:
        values: The values; of equal ones the first counts.
        plain: Folded words that are no value when they stand alone, such as the names of columns.
        strict: Whether a word alone that is an everyday word or in `plain` is uncertain even as the data spells it.
    """

    def __init__(self, values: Iterable[V], *, plain: Collection[str] = (), strict: bool = False) -> None:
        self.plain = frozenset(plain)
        self._strict = strict
        self._values: dict[Key, list[V]] = {}
        self._starts: dict[str, list[Key]] = {}
        self._lengths: set[int] = set()
        self._words: set[str] = set()
        self._names: dict[str, V] = {}
        for value in values:
            self.add(value)

    def __bool__(self) -> bool:
        """Whether there is any value."""
        return bool(self._values)

    @property
    def values(self) -> Iterator[V]:
        """All values."""
        return (value for spellings in self._values.values() for value in spellings)

    def add(self, value: V) -> None:
        """Look for one more value."""
        words = tuple(map(fold_word, split_words(value.text)))
        if sum(map(len, words)) < CHARS_MIN:
            return
        key = _make_key(words)
        spellings = self._values.setdefault(key, [])
        if any(value.text == spelling.text for spelling in spellings):
            return
        spellings.append(value)
        self._words.update(words)
        if len(words) <= _FREE_ORDER_MAX:
            self._lengths.add(len(words))
        elif len(spellings) == 1:
            self._starts.setdefault(words[0], []).append(key)
        if 1 < len(words) <= _NAME_WORDS_MAX and "@" not in value.text:
            for word in words:
                if word.isalpha():
                    self._names.setdefault(word, value)

    def find_matches(self, text: str) -> Iterator[ValueMatch[V]]:
        """All places of values in a text, those that overlap included."""
        if self._values:
            for reading in read_text(text):
                yield from self._find_in_reading(reading)

    def _find_in_reading(self, reading: TextReading) -> Iterator[ValueMatch[V]]:
        tokens = self._find_known_words(reading.text)
        for place, (_, folded) in enumerate(tokens):
            run = 1
            while (
                place + run < len(tokens)
                and run < _FREE_ORDER_MAX
                and _is_adjacent(tokens[place + run - 1][0], tokens[place + run][0])
            ):
                run += 1
            for length in range(run, 0, -1):
                if length in self._lengths:
                    span = tokens[place : place + length]
                    key = _make_key(tuple(token[1] for token in span))
                    if (spellings := self._values.get(key)) is not None:
                        yield self._make_match(reading, [token[0] for token in span], spellings)
            for key in self._starts.get(folded, ()):
                span = tokens[place : place + len(key)]
                if tuple(token[1] for token in span) == key and all(
                    _is_adjacent(a[0], b[0]) for a, b in pairwise(span)
                ):
                    yield self._make_match(reading, [token[0] for token in span], self._values[key])

    def _find_known_words(self, text: str) -> list[tuple[re.Match[str], str]]:
        """The words of a text that some value has, each with its folded form."""
        tokens: list[tuple[re.Match[str], str]] = []
        for token in _WORD.finditer(text):
            folded = fold_word(token[0])
            if folded in self._words:
                tokens.append((token, folded))
        return tokens

    def find_name(self, word: str) -> V | None:
        """A value of several words, such as a person's name, of which this is one; None where it may mean else."""
        folded = fold_word(word)
        if len(folded) < CHARS_MIN or folded in self.plain or folded in list_everyday_words():
            return None
        return self._names.get(folded)

    def list_mentioned(self, text: str) -> list[tuple[str, V]]:
        """The values that a text mentions, whole or by a word of a name, as the text spells them and in its order."""
        matches = choose_matches(text, self.find_matches(text))
        mentions = [(match.start, match.stop, match.value) for match in matches]
        reading = read_text(text)[0]
        for token in _WORD.finditer(reading.text):
            start, stop = _locate(reading, token, token)
            if any(match.start <= start < match.stop for match in matches):
                continue
            if (value := self.find_name(token[0])) is not None:
                mentions.append((start, stop, value))
        return [(text[start:stop], value) for start, stop, value in sorted(mentions, key=lambda mention: mention[0])]

    def _make_match(self, reading: TextReading, span: Sequence[re.Match[str]], spellings: Sequence[V]) -> ValueMatch[V]:
        """The match of a span of words: as the value is spelt with all its signs, where one is spelt so."""
        (start, stop), value = _locate(reading, span[0], span[-1]), spellings[0]
        for spelling in spellings:
            if (exact := _find_exact_span(reading, span[0], spelling.text)) is not None:
                (start, stop), value = exact, spelling
                break
        words = tuple(fold_word(match[0]) for match in span)
        return ValueMatch(
            start=start,
            stop=stop,
            words=len(span),
            value=value,
            is_in_order=words == tuple(map(fold_word, split_words(value.text))),
            is_certain=len(span) > 1 or self._is_certain(span[0][0], value.text),
        )

    def _is_certain(self, word: str, value: str) -> bool:
        """Whether a word alone is the value and no everyday word."""
        spelling = split_words(value)[0]
        is_spelt_alike = remove_accents(word) in map(remove_accents, (spelling, spelling.upper()))
        if is_spelt_alike and not self._strict:
            return True
        folded = fold_word(word)
        return folded not in self.plain and folded not in list_everyday_words()


def choose_matches(text: str, matches: Iterable[M]) -> list[M]:
    """The matches to replace, in the order of the text: the longest first, and none that overlap.

    A word that may be an everyday word counts beside another match of one word, as "will smith" and "smith, will".
    """
    choices: list[M] = []
    doubtful: list[M] = []
    for match in sorted(matches, key=lambda m: (-m.words, not m.is_in_order, m.start)):
        if not match.is_certain:
            doubtful.append(match)
        elif not any(match.start < choice.stop and choice.start < match.stop for choice in choices):
            choices.append(match)
    singles = [match for match in choices if match.words == 1]
    for match in doubtful:
        is_beside = any(
            text[match.stop : choice.start] == " " or text[choice.stop : match.start] in (",", ", ")
            for choice in singles
        )
        if is_beside and not any(match.start < choice.stop and choice.start < match.stop for choice in choices):
            choices.append(match)
    return sorted(choices, key=lambda match: match.start)


def _make_key(words: Key) -> Key:
    return tuple(sorted(words)) if len(words) <= _FREE_ORDER_MAX else words


def _is_adjacent(first: re.Match[str], second: re.Match[str]) -> bool:
    return second.start() - first.end() <= _GAP_MAX


def _locate(reading: TextReading, first: re.Match[str], last: re.Match[str]) -> tuple[int, int]:
    """Where the original of a reading has a span of words."""
    return reading.locate(first.start()), reading.locate(last.end())


def _find_exact_span(reading: TextReading, first: re.Match[str], value: str) -> tuple[int, int] | None:
    """Where a value stands in a text sign for sign, with the signs around its words; None where it does not."""
    spelling = read_text(value)[0].text
    lead = _WORD.search(spelling)
    start = first.start() - (lead.start() if lead is not None else 0)
    stop = start + len(spelling)
    if start < 0 or reading.text[start:stop] != spelling:
        return None
    return reading.locate(start), reading.locate(stop)
