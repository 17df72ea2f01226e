"""Both of two rows: "films in both stores", where there are two stores and no more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker

_TWO = 2
_BOTH = re.compile(
    r"(?P<being> (?:are|is|were|was|can be found|appears?|exists?))?(?: (?:that|which) (?:are|is|were))?"
    r" (?:in|at|from|of|to|on) both (?:the |our |of (?:the|our) )?(?P<rows>[a-z]+)(?=\W|$)",
    re.IGNORECASE,
)


def both_of(text: str, linkers: Iterable[Linker]) -> str:
    """The question put as a number of rows; unchanged where these are no two rows of a table."""
    found = _BOTH.search(text)
    if found is None:
        return text
    for linker in linkers:
        two = [e for e in linker.schema.entities.values() if e.many == found["rows"].lower() and e.table.rows == _TWO]
        if len(two) == 1:
            having = " have" if found["being"] else " with"
            return f"{text[: found.start()]}{having} at least 2 {two[0].many}{text[found.end() :]}"
    return text
