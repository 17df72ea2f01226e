"""The words of a name or of a question, each in its base form: `unitPrice`, `dept_no` and `Order Dates` alike."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from assistant.analyst.lexicon.files import section
from assistant.word_forms import base_form, is_known

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_Y = re.compile("[^aeiou]y$")
_HISSING = re.compile("(s|x|z|ch|sh)$")
_SHORT = 3
_GLUED_MIN = 7
_PART_MIN = 4


@lru_cache(maxsize=100_000)
def lemma(word: str) -> str:
    """The base form of an English word, in lower case."""
    word = word.lower()
    irregular = _texts("lemmas").get(word)
    if irregular is not None:
        return irregular
    if len(word) <= _SHORT:
        return word
    base = base_form(word).lower()
    if base == word and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return base


@lru_cache(maxsize=50_000)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in base form, abbreviations spelled out: `qtyOrdered` gives `quantity ordered`."""
    words: list[str] = []
    for part in _WORD.findall(CAMEL.sub(" ", name)):
        words.extend(_spelled_out(part.lower()))
    return tuple(words) or (name.lower(),)


def _spelled_out(word: str) -> tuple[str, ...]:
    short = _texts("abbreviations").get(word)
    if short is not None:
        return tuple(short.split())
    return _unglued(word) or (lemma(word),)


def _unglued(word: str) -> tuple[str, ...]:
    """`birthplace` as `birth place`, `domgross` as `domestic gross`: only where the whole is no English word."""
    if len(word) < _GLUED_MIN or word in _texts("lemmas") or is_known(word):
        return ()
    short = _texts("abbreviations")
    for cut in range(_SHORT, len(word) - _PART_MIN + 1):
        first, second = word[:cut], word[cut:]
        if not is_known(second):
            continue
        if first in short and len(first) <= _PART_MIN:
            return (*short[first].split(), lemma(second))
        if cut >= _PART_MIN and is_known(first):
            return (lemma(first), lemma(second))
    return ()


def plural(name: str) -> str:
    """A name in lower case with its last word in the plural: `order line` as `order lines`."""
    last = name.rsplit(" ", maxsplit=1)[-1]
    if last.isupper() and len(last) > 1:
        return f"{name}s"
    if lemma(last) != last or last in _texts("plurals").values() or not last.isalpha():
        return name
    plural_form = _texts("plurals").get(last)
    if plural_form is None:
        plural_form = last[:-1] + "ies" if _Y.search(last) else last + ("es" if _HISSING.search(last) else "s")
    return name[: -len(last)] + plural_form


@cache
def _texts(key: str) -> dict[str, str]:
    return {str(word): str(meaning) for word, meaning in section("columns", key).items()}
