"""The value index: which columns hold a text that a question mentions.

Built from the catalog's profiles alone; it never asks the source. Texts are compared without case and accents, and
then by the stems of their words, so that "beverage" finds Beverages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from assistant.embedded.source.coded import Told, meant_by, told_in
from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.countries import CODES, COUNTRIES, NATIONS
from assistant.embedded.words.lexicon import Token, fold, is_short, root, stem
from assistant.embedded.words.thesaurus import other_words

_WORDS_MAX = 7
_SKIPPED_LENGTH = 80
_PART, _PART_MIN = 0.75, 4
"""How sure a value is of which but one word is said, and how many letters that word has at least."""
_OTHERWISE = 0.9
"""How sure a value is that the source calls by another name."""
_COUNTRY, _LANGUAGE = stem("country"), stem("language")
_DONE = 0.7
"""How sure a value that says what was done is, where the noun of it is said."""
_ALIKE = 0.72
"""How sure a value is that other words say the same as."""
_ADJECTIVES = ("ful", "ern")
_BELONGING = ("ian", "an", "n", "er")
_PLACES = frozenset(stem(word) for word in ("city", "town", "country", "region", "continent", "state", "hometown"))
_CODE_MAX = 3
_NATIONALITY = {stem("nationality"), stem("citizenship")}
_MANY_NAMES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value of a column. `strength` is 1.0 for the very text, less for its stems."""

    attribute: Attribute
    value: str
    strength: float


@dataclass(frozen=True)
class ValueIndex:
    """Known texts of all columns by their folded form and by their stems."""

    exact: dict[str, tuple[Found, ...]] = field(repr=False)
    stems: dict[str, tuple[Found, ...]] = field(repr=False)
    longest: int
    parts: dict[str, tuple[Found, ...]] = field(default_factory=dict, repr=False)
    done: dict[str, tuple[Found, ...]] = field(default_factory=dict, repr=False)
    """What was done, by what it has in common with its noun: "cancellation", Cancelled."""
    told: Told = field(default_factory=Told, repr=False)
    """The columns that tell how far a row has come."""

    def find(self, words: Iterable[str]) -> tuple[Found, ...]:
        """The values that consist of just these words; the very texts if there are any, else equal stems."""
        listed = list(words)
        known = self.exact.get(" ".join(listed)) or self.stems.get(" ".join(stem(word) for word in listed))
        if known or len(listed) != 1:
            return known or ()
        word = listed[0]
        full = next((f for end in _ADJECTIVES if word.endswith(end) and (f := self._base(word, end))), ())
        return full or self._of_place(stem(word)) or self._of_trade(stem(word)) or self.done.get(root(stem(word)), ())

    def _base(self, word: str, ending: str) -> tuple[Found, ...]:
        """What an adjective is made of: a successful payment's status is "success", northern shops lie in the North."""
        return self.stems.get(stem(word.removesuffix(ending)), ())

    def _of_trade(self, word: str) -> tuple[Found, ...]:
        """The subject of those who are called by it: cardiologists do cardiology, historians history."""
        bases = [word.removesuffix(end) for end in _PRACTISING if word.endswith(end) and len(word) > len(end) + _ROOT]
        found = (f for base in bases for end in _SUBJECTS if (f := self.exact.get(base + end)))
        return tuple(replace(f, strength=_OF_TRADE) for f in next(found, ()))

    def _of_place(self, word: str) -> tuple[Found, ...]:
        """The place that people, or what belongs to it, are called by: "Germans", "Londoners", "Parisian"."""
        known = self.exact.get(word, ())
        if known:
            return known
        bases = (
            word.removesuffix(end) for end in _BELONGING if word.endswith(end) and len(word) > len(end) + _PART_MIN
        )
        found = next((f for base in bases if (f := self.exact.get(base))), ())
        return tuple(replace(f, strength=_OTHERWISE) for f in found if _PLACES & set(f.attribute.stems))

    def alike(self, stems: tuple[str, ...]) -> tuple[Found, ...]:
        """The values that say the same in other words: "delayed", of trips that were late."""
        found = [f for other in other_words(stems) for f in self.stems.get(" ".join(other), ())]
        return tuple(replace(f, strength=_ALIKE) for f in found)

    def coded(self, words: Sequence[str]) -> tuple[Found, ...]:
        """The states that the words tell of which a value holds more, or but a code: "won" of "4-Closed Won"."""
        return tuple(Found(attribute=a, value=value, strength=_PART) for a, value in meant_by(words, self.told))

    def part(self, word: str) -> tuple[Found, ...]:
        """The values that a word is a part of, if it is so of one value only in a column: "Lindt" of Lindt AG."""
        return self.parts.get(word, ())

    def of_column(self, attribute: Attribute, text: str) -> Found | None:
        """The column's value that a text names, if it is known."""
        words = index_words(text)
        return next(
            (f for f in self.find(words) if (f.attribute.table, f.attribute.name) == (attribute.table, attribute.name)),
            None,
        )


_PRACTISING = ("ist", "ian", "er", "eon")
_SUBJECTS = ("y", "ics", "ic", "al", "s", "ery", "")
_ROOT = 3
_OF_TRADE = 0.82
"""How sure it is that those who are called by a subject do it."""


def index_words(text: str) -> list[str]:
    """A text as the words it is looked up by."""
    return re.findall(r"\w+", fold(text).replace("_", " "))


def build(schema: Schema) -> ValueIndex:
    """Index every known text value of a source."""
    exact: dict[str, list[Found]] = {}
    stems: dict[str, list[Found]] = {}
    parts: dict[str, dict[tuple[str, str], list[Found]]] = {}
    longest = 1
    for attribute in schema.attributes:
        if attribute.role in ("date", "flag", "year"):
            continue
        many_names = _holds_many_names(schema, attribute)
        listed = schema.listed.get((attribute.table, attribute.name), frozenset())
        for value in dict.fromkeys((*attribute.known_values, *sorted(listed))):
            if not value.strip() or len(value) > _SKIPPED_LENGTH:
                continue
            words = index_words(value)
            if not words or len(words) > _WORDS_MAX:
                continue
            longest = max(longest, len(words))
            for word in set(words) if len(words) > 1 else ():
                column = parts.setdefault(word, {}).setdefault((attribute.table, attribute.name), [])
                column.append(Found(attribute=attribute, value=value, strength=_PART))
            exact.setdefault(" ".join(words), []).append(Found(attribute=attribute, value=value, strength=1.0))
            if len(words) == 1 and many_names:
                continue
            stems.setdefault(" ".join(_value_stem(word, value) for word in words), []).append(
                Found(attribute=attribute, value=value, strength=0.85)
            )
    for code, country in CODES.items():
        _also(exact, country, [f for f in exact.get(code, ()) if _COUNTRY in f.attribute.stems])
    for names in COUNTRIES:
        known = [found for name in names for found in exact.get(name, ())]
        for name in names:
            _also(exact, name, known)
    for adjective, country in NATIONS.items():
        names = next((names for names in COUNTRIES if country in names), (country,))
        places = [f for name in names for f in exact.get(name, ()) if _is_country(f)]
        people = [f for f in exact.get(adjective, ()) if _NATIONALITY & set(f.attribute.stems)]
        for name, known in ((adjective, places), (country, people)):
            _also(exact, name, known)
    done: dict[str, list[Found]] = {}
    for text, known in stems.items():
        for found in known:
            if found.value.lower().endswith("ed") and " " not in text:
                done.setdefault(root(text), []).append(replace(found, strength=_DONE))
    return ValueIndex(
        exact={text: tuple(found) for text, found in exact.items()},
        stems={text: tuple(found) for text, found in stems.items()},
        longest=longest,
        done={text: tuple(found) for text, found in done.items()},
        told=told_in(schema),
        parts={
            word: alone
            for word, columns in parts.items()
            if len(word) >= _PART_MIN and (alone := tuple(f[0] for f in columns.values() if len(f) == 1))
        },
    )


def _is_country(found: Found) -> bool:
    """Whether a country's name means the country: neither its language nor a code of something else."""
    stems = found.attribute.stems
    return _COUNTRY in stems or (_LANGUAGE not in stems and len(found.value) > _CODE_MAX)


def _also(exact: dict[str, list[Found]], name: str, known: Iterable[Found]) -> None:
    """Let a name stand for known values as well, in the columns that do not hold it themselves."""
    own = {(f.attribute.table, f.attribute.name) for f in exact.get(name, ())}
    others = [replace(f, strength=_OTHERWISE) for f in known if (f.attribute.table, f.attribute.name) not in own]
    if others:
        exact.setdefault(name, []).extend(others)


def _holds_many_names(schema: Schema, attribute: Attribute) -> bool:
    """Whether a column tells many rows apart: among so many titles any word occurs, and nobody inflects a name."""
    profile, rows = attribute.column.profile, schema.entities[attribute.table].table.rows
    return profile is not None and rows is not None and rows >= _MANY_NAMES and profile.distinct > rows * 0.9


def _value_stem(word: str, value: str) -> str:
    """The stem a value is found by: a code in capitals is short for a word (PROF), a cat is no category."""
    return word if is_short(word) and not value.isupper() else stem(word)


def names_apart(tokens: Sequence[Token], index: ValueIndex) -> tuple[Token, ...]:
    """The tokens, with each quoted full name cut in two where both parts are known of one table's rows.

    "Ada Korn" is a first and a last name where a source keeps them in two columns.
    """
    found: list[Token] = []
    for token in tokens:
        found += _cut(token, index) if token.kind == "quoted" else [token]
    return tuple(found)


def _cut(token: Token, index: ValueIndex) -> list[Token]:
    words = token.text.split()
    if len(words) < 2 or index.find(index_words(token.text)):
        return [token]
    for place in range(1, len(words)):
        parts = [" ".join(words[:place]), " ".join(words[place:])]
        first, last = ({f.attribute.table for f in index.find(index_words(part))} for part in parts)
        if first & last:
            return [replace(token, text=part, lower=fold(part), stem=fold(part)) for part in parts]
    return [token]
