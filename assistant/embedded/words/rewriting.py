"""Questions rewritten by patterns, one after another: each takes the words as those before it left them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

Put = str | Callable[[re.Match[str]], str]
"""What stands in the place of what a pattern found."""


def compiled(rules: Iterable[tuple[str, Put]]) -> tuple[tuple[re.Pattern[str], Put], ...]:
    """The rules, ready to be used; upper and lower case are one."""
    return tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in rules)


def rewritten(text: str, rules: Sequence[tuple[re.Pattern[str], Put]]) -> str:
    """The text behind all rules, in their order."""
    for pattern, put in rules:
        text = pattern.sub(put, text)
    return text
