"""What is lent and comes back, in set words: "how long do people keep a film", "customers who still have a book out".

Only where one table says when its rows were handed out and when they were returned. What was taken for granted is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.words.lexicon import stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Attribute, Entity

_KEEPING = r"keep|keeps|kept|hold on to|borrow|borrowed|on loan|lent|lent out|rented|rented out"
_KEPT = re.compile(
    rf"^how long (?:do|does|did|are|is|were|was) (?P<said>.*?\b(?:{_KEEPING})\b.*?)"
    r"(?P<rest>(?: (?:by|per|for each|in|this|last) .+)?)$",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"\b(?:(?:(?:that|which|who) )?(?:still )?(?:has|have|had|with) (?:an? |any |some |the |their )?[a-z]+"
    r" (?:that (?:is|are) )?(?:still )?(?:out|on loan|outstanding)"
    r"|(?:(?:that|which) )?(?:(?:is|are) )?(?:still|currently) (?:out|on loan))(?=\W*$)",
    re.IGNORECASE,
)
_BACK = frozenset(stem(word) for word in ("return", "returned", "back"))
_AN_END = re.compile(r"\b(?:at most|at least|longest|shortest)\b", re.IGNORECASE)


def lent(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where nothing is lent, or nothing asks of it."""
    kept, out = _KEPT.match(text), _OUT.search(text)
    for linker in linkers if kept or out else ():
        found = [(e, pair) for e in linker.schema.entities.values() if (pair := _handed_out(e)) is not None]
        if len(found) != 1:
            continue
        entity, (start, end) = found[0]
        if kept is not None and not _AN_END.search(kept["said"]):
            put = f"average days between {start.words} and {end.words}{kept['rest']}"
            return put, f"how long is told by the days from {start.words} to {end.words}, on average"
        if out is not None and out.start():
            before = text[: out.start()].rstrip()
            rows = re.sub(r"^(?:which|what) ", "", before, flags=re.IGNORECASE)
            put = f"{rows} with unreturned {entity.many}"
            return put, f"what is still out are {entity.many} without a {end.words}"
    return None


def _handed_out(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """From when to when a row was out: its own day, and the one on which it was returned, which some have not."""
    ends = [a for a in entity.dates if a.role == "date" and _BACK & set(a.own)]
    start = likeliest_date(entity)
    if len(ends) != 1 or start is None or start.role != "date" or start == ends[0]:
        return None
    profile = ends[0].column.profile
    return (start, ends[0]) if profile is not None and profile.nulls else None
