"""What takes longest, in set words: "which topics take longest to close", "which carrier is the fastest to deliver".

Told by the days from the day of a table's rows to the one that the verb names; what was taken for granted is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Attribute, Entity

_TAKING = re.compile(
    r"^(?:which|what) (?P<rows>[a-z]+(?: [a-z]+)?)"
    r" (?:(?:takes?|took|needs?|needed) (?:us )?(?:the )?|(?:is|are|was|were) (?:the )?)"
    r"(?P<end>longest|shortest|least|most|fastest|quickest|slowest)(?: time)?"
    r" to (?:be |get )?(?P<deed>[a-z]+)(?P<rest>(?: (?:in|this|last|since|during) .*)?)$",
    re.IGNORECASE,
)
_LONG = frozenset(("longest", "most", "slowest"))
_ROOT = 4


def taking_time(text: str, linkers: Iterable[Linker]) -> tuple[str, str] | None:
    """The question put plainly, and what was taken for granted; None where no date is called like the verb."""
    found = _TAKING.match(text)
    if found is None:
        return None
    for linker in linkers:
        spans = [pair for e in linker.schema.entities.values() if (pair := _until(found["deed"], e)) is not None]
        spans = [pair for pair in spans if _are_of(found["rows"], pair[1].table, linker)] if len(spans) > 1 else spans
        if len(spans) != 1:
            continue
        start, end = spans[0]
        side = "highest" if found["end"].lower() in _LONG else "lowest"
        put = f"{found['rows']} with the {side} average days between {start.words} and {end.words}{found['rest']}"
        return put, f"the time is that from {start.words} to {end.words}, on average"
    return None


def _until(deed: str, entity: Entity) -> tuple[Attribute, Attribute] | None:
    """From the day of the rows to the one date that is called like the verb: to close, of `closed_date`."""
    said = stem(deed.lower())
    ends = [a for a in entity.dates if a.role == "date" and any(_alike(said, word) for word in a.own)]
    start = likeliest_date(entity)
    if len(ends) != 1 or start is None or start.role != "date" or start == ends[0]:
        return None
    return start, ends[0]


def _alike(said: str, word: str) -> bool:
    return said == word or (len(said) >= _ROOT <= len(word) and said[:_ROOT] == word[:_ROOT])


def _are_of(rows: str, table: str, linker: Linker) -> bool:
    """Whether what is asked for is a column of the table, or what its rows refer to."""
    near = {edge.right for edge in linker.schema.edges.get(table, ()) if not edge.many}
    for option in linker.names(name_stems(rows)):
        if isinstance(option, ToColumn) and option.attribute.table == table:
            return True
        if isinstance(option, ToTable) and option.entity.name in near:
            return True
    return False
