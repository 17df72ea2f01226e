"""Words of the data on one line of a prompt, so that they can be written again as they are spelt. Pure.

What others wrote (names, comments, values) is defused: it cannot look like a message of the conversation. `plain` is
for prose, and squeezes its spaces; `exact` is for names and values, which code must repeat sign for sign.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

_DIGITS = 12
"""Digits of a fraction; what a sum of hundredths has behind them (481.45000000000033) is noise."""
CELL_CHARS = 80
"""Most characters of a value in a table."""
_COMMENT_CHARS = 200
_PATTERN_CHARS = 30
_PATTERNS_MAX = 3
_FORMS_MAX = 24
_FORMED_VALUES_MAX = 1_000
_SPACES = str.maketrans({"\r": "", "\n": "⏎", "\t": "⇥", "\u00a0": "⍽"})
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?P<comma>(?:,\d{3})+)|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_LONG = re.compile(r"([9a])\1{4,}")
_MOSTLY = 0.5


def format_prose(text: str, *, chars_max: int = _COMMENT_CHARS) -> str:
    """A text that others wrote, on one line, defused and capped."""
    from knowledge.fencing import escape_markers

    return _cap(" ".join(escape_markers(text).split()), chars_max)


def format_exactly(text: str, *, chars_max: int = _COMMENT_CHARS) -> str:
    """A name or value as it is spelt; in quotes where its spaces would be lost or overlooked.

    Spaces at an end, repeated or of another kind decide whether a comparison finds a value. `⏎` is a line break, `⇥` a
    tab, `⍽` a no-break space: signs that belong to no word, so that a withheld value is still recognised.
    """
    if not text or " ".join(text.split()) != text:
        return quote_value(text, chars_max=chars_max)
    return format_prose(text, chars_max=chars_max)


def quote_value(text: str, *, chars_max: int = _COMMENT_CHARS) -> str:
    """A value in quotes, with all its spaces."""
    from knowledge.fencing import escape_markers

    return f"'{_cap(escape_markers(text.translate(_SPACES)), chars_max)}'"


def format_cell(value: object) -> str:
    """A value in a table whose columns are parted by bars; of a fraction the digits that mean something."""
    if isinstance(value, float) and not value.is_integer() and abs(value) < 10 ** (_DIGITS - 1):
        return f"{value:.{_DIGITS}g}"
    return format_exactly(str(value), chars_max=CELL_CHARS).replace("|", "¦") if value is not None else "NULL"


@lru_cache(maxsize=512)
def describe_spelling(values: tuple[str, ...]) -> str:
    """How distinct values are written, and none of them: `2024-05-01` as `9999-99-99`, and which are numbers as text.

    Args:
        values: The distinct values of a column that holds text.
    """
    numbers = [match for value in values if (match := _match_number(value)) is not None]
    if len(numbers) <= _MOSTLY * len(values):
        with_digits = sum(map(_has_digits, values))
        forms = _describe_forms(values) if with_digits > _MOSTLY * len(values) else ""  # else they are words
        return forms and f"written like {forms}"
    commas = ", with commas for thousands" if any(match["comma"] for match in numbers) else ""
    other_values = tuple(value for value in values if _match_number(value) is None)
    if not other_values:
        return f"numbers as text{commas}"
    count = "1 distinct value is" if len(other_values) == 1 else f"{len(other_values)} distinct values are"
    forms = _describe_forms(other_values)
    return f"numbers as text{commas}, but {count} no number{forms and f', written like {forms}'}"


def _describe_forms(values: tuple[str, ...]) -> str:
    """The forms of values, the most frequent first, `9` for a digit and `a` for a letter; empty where many all differ.

    More than four of a kind are `9…9`.
    """
    sample = values[:: math.ceil(len(values) / _FORMED_VALUES_MAX)]
    forms = Counter(map(_make_form, sample)).most_common()
    if len(forms) > _FORMS_MAX and forms[0][1] == 1:
        return ""
    more = f" and {len(forms) - _PATTERNS_MAX} more" if len(forms) > _PATTERNS_MAX else ""
    return " or ".join(format_exactly(form, chars_max=_PATTERN_CHARS) for form, _ in forms[:_PATTERNS_MAX]) + more


def _make_form(value: str) -> str:
    return _LONG.sub(r"\1…\1", _LETTER.sub("a", _DIGIT.sub("9", value)))


def _match_number(value: str) -> re.Match[str] | None:
    return _NUMBER.fullmatch(value.strip()) if _has_digits(value) else None


def _has_digits(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _cap(line: str, chars_max: int) -> str:
    return line if len(line) <= chars_max else line[: chars_max - 1] + "…"
