"""Texts that stand for "no value", such as `n/a`: decided for each column by share and by siblings. Pure.

Some of these words are values elsewhere: `NA` is Namibia among country codes and North America beside EMEA, `none` a
discount among discounts. Such a word counts as missing only where the column has no value like it, no other way to say
that nothing is there, and not so many of it that it must be what most rows say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.sources.reading.kinds import MISSING_ALWAYS, MISSING_PERHAPS, is_missing_word

NULL_WORDS = (*sorted(MISSING_ALWAYS | MISSING_PERHAPS), "-", "--", "—", "–", "?", "..", "...", "*", "**", "***")
"""What stands for no value in a column that is otherwise numbers or dates; compared in lower case, without blanks."""

_CODE = re.compile(r"[A-Z]{2,3}(?:[-_][A-Z0-9]{1,3})?|[a-z]{2,3}")
_ABBREVIATION = re.compile(r"[A-Z]{2,5}")
_USUAL_SHARE = 0.3
_USUAL_ROWS = 3
_CATEGORIES_MAX = 30
_LIST_VALUES = 20
_DISTINCT_SHARE = 0.9


def missing_in(values: Iterable[str] | Mapping[str, int], *, has_empty: bool) -> tuple[str, ...]:
    """The values of a column of text that stand for no value, in order; none where it would leave nothing.

    Args:
        values: All distinct values; with how often each occurs, where that is known.
        has_empty: Whether some rows have no value at all. Then `unknown` and its like are what somebody meant to say.
    """
    counts = values if isinstance(values, Mapping) else dict.fromkeys(values, 0)
    texts = [text for value in counts if (text := value.strip()) and not is_missing_word(text)]
    if not texts:
        return ()
    rows = sum(counts.values())
    return tuple(
        value
        for value, count in counts.items()
        if (is_missing_word(value.strip()) and not _is_value(value.strip(), count, rows, texts, has_empty))
        or not value.strip()
    )


def _is_value(value: str, count: int, rows: int, values: list[str], has_empty: bool) -> bool:
    """Whether a word that may stand for no value is one of the column's values."""
    word = value.lower()
    if word == "na":
        codes = [text for text in values if _CODE.fullmatch(text)]
        if (
            len(values) > 1
            and 2 * len(codes) >= len(values)
            and any(text.isupper() == value.isupper() for text in codes)
        ):
            return True
        is_category = len(values) <= _CATEGORIES_MAX and count >= _USUAL_ROWS and not has_empty
        is_style = any(text.isupper() and not _ABBREVIATION.fullmatch(text) for text in values)
        has_abbreviation = not is_style and any(_ABBREVIATION.fullmatch(text) for text in values)
        return is_category and value.isupper() and has_abbreviation
    if word in MISSING_PERHAPS and count == 1 and len(values) >= max(_LIST_VALUES, _DISTINCT_SHARE * rows):
        return True  # one of a list of words
    if word in MISSING_PERHAPS:
        return has_empty or (count >= _USUAL_ROWS and count >= _USUAL_SHARE * rows)
    return False
