"""Texts that stand for "no value", such as `n/a`: one vocabulary, decided for each column. Pure.

Some of these words are values elsewhere: `NA` is Namibia among country codes, `none` a discount among discounts. So a
word that can be a value counts as missing only where the column has no other way to say so and no value like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NULL_WORDS = (
    *("", "na", "n/a", "n.a.", "#n/a", "#na", "nan", "null", "none", "nil", "-", "--", "—", "?"),
    *("unknown", "not available", "not known", "missing"),
)
"""What stands for no value in a column that is otherwise numbers or dates; compared in lower case, without blanks."""

_ALSO_VALUES = frozenset({"none", "nil", "unknown", "missing", "not known"})
_CODE = re.compile(r"[A-Z]{2}")


def missing_in(values: Iterable[str], *, has_empty: bool) -> tuple[str, ...]:
    """The values of a column of text that stand for no value, in order; none where it would leave nothing.

    Args:
        values: All distinct values.
        has_empty: Whether some rows have no value at all. Then `unknown` and its like are what somebody meant to say.
    """
    listed = tuple(dict.fromkeys(values))
    kept = [value for value in listed if value.strip().lower() not in NULL_WORDS]
    if not kept:
        return ()
    codes = sum(1 for value in kept if _CODE.fullmatch(value.strip())) > len(kept) / 2
    return tuple(value for value in listed if _is_missing(value.strip(), has_empty=has_empty, codes=codes))


def _is_missing(value: str, *, has_empty: bool, codes: bool) -> bool:
    word = value.lower()
    if word not in NULL_WORDS or (word in _ALSO_VALUES and has_empty):
        return False
    return not (codes and value == "NA")
