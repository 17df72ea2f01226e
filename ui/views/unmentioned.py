"""What a question says and a plan or its code does not: numbers, quoted words and names. Pure.

It looks at characters only, so it holds for every analyst and model: a year, a count or a name of the question that
stands nowhere in what is put forward is told before anything runs. It cannot see what is said in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?![\w])")
_QUOTED = re.compile(r"[“\"'‘]([^“”\"'‘’]{2,60})[”\"'’](?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-ZÄÖÜ][\w-]{2,}")
NAMES_SHARE_MAX = 0.34
"""Where more of the words begin with a capital the language writes its nouns so, or the person shouts."""


def find_unmentioned(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """What the question names that none of these texts holds, in the question's own words.

    Args:
        question: what was asked.
        texts: the plan's words, its assumptions, the code.
    """
    text = _normalise(" ".join(texts))
    digits = {number.strip(".,").replace(",", "") for number in re.findall(r"\d[\d,.]*", text)}
    parts = {part for number in digits for part in (number, *re.split(r"\D", number))}
    absent = [match for match in _NUMBER.findall(question) if match.strip(".,").replace(",", "") not in parts]
    names = _QUOTED.findall(question)
    words = question.split()
    capitals = sum(word[:1].isupper() for word in words[1:])
    if words and capitals <= NAMES_SHARE_MAX * len(words):
        names += _NAME.findall(_QUOTED.sub(" ", question))
    absent += [name for name in names if _stem(name) not in text]
    return tuple(dict.fromkeys(word.strip(".,") for word in absent))


def _normalise(text: str) -> str:
    """Text to compare names by: in lower case, with spaces for underscores."""
    return text.casefold().replace("_", " ")


def _stem(word: str) -> str:
    """A word without the ending that a plural gives it: `Regions` is found in `region`."""
    plain = _normalise(word)
    return plain[:-1] if plain.endswith("s") and len(plain) > 4 else plain
