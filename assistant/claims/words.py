"""The words of claims and the ranges of vague amounts (`words.yaml`), and sentences as words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from assistant.claims.claim import ClaimAmount
from assistant.word_forms import base_form as find_base_form

_WORD = re.compile(
    r"[^\W\d_]\d(?!\w)|\d{4}-(?:q\d|\d\d(?:-\d\d)?)|\d+(?:[.,]\d+)*(?:s\b)?|[^\W\d_]+(?:[-'’][^\W\d_]+)*|[^\W_]+"
)
_PART = re.compile(r"\d+|[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STEM_CHARS = 5
_ENDING_CHARS = 3
_ROOT_CHARS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word of a sentence in lower case, where it stands, and what it may mean."""

    start: int
    end: int
    text: str
    is_capitalised: bool = False

    @property
    def meanings(self) -> tuple[str, ...]:
        """Its base form, and the words it stands for; none where it only compares."""
        return () if self.text in load_words().lists["no_measure"].split() else _find_meanings(self.text)

    @property
    def forms(self) -> tuple[str, ...]:
        """It and its base form; none where it only compares."""
        return () if self.text in load_words().lists["no_measure"].split() else (self.text, base_form(self.text))

    def is_named(self, stem: str) -> bool:
        """Whether it is a form of the word of a name. A comparison is none: "highest" does not name "high"."""
        if self.text == stem:
            return True
        return not load_words().is_comparison(self.text) and match_stems(stem, base_form(self.text))


@dataclass(frozen=True, kw_only=True)
class Words:
    """The lists of `words.yaml`."""

    lists: Mapping[str, Any]

    @cached_property
    def small(self) -> frozenset[str]:
        """Words that carry no name."""
        return frozenset(self.lists["small"].split())

    @cached_property
    def empty_in_names(self) -> frozenset[str]:
        """Words of a column's name that do not tell it from others."""
        return frozenset(self.lists["empty_in_names"].split())

    @cached_property
    def moments(self) -> Mapping[str, int]:
        """Words for moments in names of columns, with their place in time."""
        return {word: n for line in self.lists["moments"] for n, word in enumerate(line.split())}

    @cached_property
    def denials(self) -> tuple[str, ...]:
        """What stands before the name of a flag where it is not set."""
        return tuple(self.lists["denials"].split())

    @cached_property
    def meanings(self) -> Mapping[str, tuple[str, ...]]:
        """For each word, those that it stands for."""
        meanings: dict[str, list[str]] = {}
        for line in self.lists["meanings"]:
            head, *synonyms = line.split()
            for word in synonyms:
                meanings.setdefault(word, []).append(head)
        return {word: tuple(heads) for word, heads in meanings.items()}

    @cached_property
    def comparisons(self) -> frozenset[str]:
        """Single words that compare."""
        relations = self.lists["relations"]
        return frozenset(
            phrase
            for name in ("most", "least", "larger", "smaller")
            for phrase in split_phrases(relations[name])
            if phrase.endswith(("er", "est"))
        )

    @cached_property
    def amounts(self) -> Mapping[str, ClaimAmount]:
        """What amounts in words stand for."""
        low, high = self.lists["exact"]
        return {
            phrase: ClaimAmount(kind=kind, low=first * low, high=last * high)
            if first == last
            else ClaimAmount(kind=kind, low=first, high=last, is_open=phrase in self.open_amounts)
            for kind, entries in self.lists["amounts"].items()
            for first, last, phrases in entries
            for phrase in split_phrases(phrases)
        }

    @cached_property
    def open_amounts(self) -> frozenset[str]:
        """Shares that begin above a half: "most" is more than half."""
        entries = self.lists["amounts"]["share"]
        return frozenset(p for low, high, phrases in entries if 0.5 in (low, high) for p in split_phrases(phrases))

    def is_p_value(self, name: str) -> bool:
        """Whether a column holds the probabilities of a test."""
        low = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
        return low in self.lists["p_values"].split() or low.startswith(tuple(self.lists["p_begins"].split()))

    def is_comparison(self, word: str) -> bool:
        """Whether a single word compares."""
        return word in self.comparisons

    def read_flag(self, value: object) -> bool | None:
        """Whether a value says yes or no; None where it is another value."""
        if isinstance(value, bool):
            return value
        text = str(value).casefold()
        flags = self.lists["flags"]
        return True if text in flags["yes"].split() else False if text in flags["no"].split() else None

    @cached_property
    def patterns(self) -> Mapping[str, re.Pattern[str]]:
        """For each list of phrases, what finds one of them in a text in lower case."""
        names = self.lists["phrase_lists"].split()
        patterns = {name: make_pattern(split_phrases(self.lists[name])) for name in names}
        patterns |= {name: make_pattern(split_phrases(text)) for name, text in self.lists["relations"].items()}
        around = [phrase for *_, phrases in self.lists["around"] for phrase in split_phrases(phrases)]
        patterns["around"] = make_pattern(around, ending=r"\s+(?:a\s+|the\s+)?$")
        patterns["amounts"] = make_pattern(self.amounts)
        patterns["fractions"] = make_pattern(self.lists["fractions"])
        patterns["ordinals"] = make_pattern(self.lists["ordinals"])
        patterns["numbers"] = make_pattern(self.lists["numbers"])
        return patterns

    @cached_property
    def around(self) -> Mapping[str, tuple[float, float, bool]]:
        """What "about" and the like make of an amount."""
        return {
            phrase: (low, high, open_or_closed == "open")
            for low, high, open_or_closed, phrases in self.lists["around"]
            for phrase in split_phrases(phrases)
        }


@cache
def load_words() -> Words:
    """The words of the package's own file."""
    return Words(lists=yaml.safe_load((files("assistant.claims") / "words.yaml").read_text(encoding="utf-8")))


def split_phrases(text: str) -> list[str]:
    """The phrases of a list that is written with bars."""
    return [" ".join(phrase.split()) for phrase in text.split("|")]


def make_pattern(
    phrases: Iterator[str] | Sequence[str] | Mapping[str, object], ending: str = r"(?![\w-])"
) -> re.Pattern[str]:
    """What finds one of the phrases as whole words, the longest first."""
    listed = sorted(phrases, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in listed) + ")" + ending)


def tokenize(text: str) -> tuple[Token, ...]:
    """The words of a text in lower case."""
    return tuple(
        Token(start=m.start(), end=m.end(), text=re.sub(r"['’]s?$", "", m[0]), is_capitalised=text[m.start()].isupper())
        for m in _WORD.finditer(lower(text))
    )


def lower(text: str) -> str:
    """A text in lower case, each letter in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def stem_words(name: str) -> list[str]:
    """The words of a column's name or a value in their base form, small words left out."""
    words = [word.casefold() for word in _PART.findall(_HUMP.sub(" ", name))]
    small = load_words().small
    return [base_form(word) for word in words if word not in small] or words


def match_stems(first: str, second: str) -> bool:
    """Whether two base forms are of one word: "cancel" and "cancellation", "arrive" and "arrival"."""
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    if len(short) < _STEM_CHARS:
        return False
    common = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    is_root = len(short) >= _ROOT_CHARS and common >= len(short) - 1  # "readmit" and "readmission"
    return common == len(short) or is_root or (common >= _STEM_CHARS and common >= len(long) - _ENDING_CHARS)


@lru_cache(maxsize=20_000)
def base_form(word: str) -> str:
    """The base form of a word, in lower case."""
    return find_base_form(word).casefold()


@lru_cache(maxsize=20_000)
def _find_meanings(word: str) -> tuple[str, ...]:
    base = base_form(word)
    meanings = load_words().meanings
    return tuple(dict.fromkeys((word, base, *(meanings.get(word) or meanings.get(base, ())))))
