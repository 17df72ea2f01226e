"""From which day to which a deed takes, as the dates of a table's rows have it: to ship, from order to shipping.

A date need not be called like the verb: who closes a ticket resolves it. Where more than one pair of dates may be
meant, none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import is_birth, is_foreseen, likeliest_date
from assistant.embedded.words.lexicon import name_stems, name_words, stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.embedded.linking.linker import Linker
    from assistant.embedded.source.schema import Attribute, Entity

_WORK = tuple(
    frozenset(stem(word) for word in word_set(words))
    for words in (
        "close resolve solve settle complete finish fix",
        "ship deliver send dispatch fulfil fulfill",
        "answer respond reply",
        "approve decide",
    )
)
"""Deeds that end the same rows, so that the date of one tells of the other, and that somebody does fast or slowly."""
_BACK = frozenset(stem(word) for word in ("return", "back"))
_DONE = frozenset[str]().union(*_WORK)
_ROOT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedDays:
    """The rows of a table and the two days between which a deed was done with them."""

    rows: Entity
    start: Attribute
    end: Attribute

    @property
    def words(self) -> str:
        """The figure, as a question names it."""
        return f"days between {self.start.words} and {self.end.words}"

    @property
    def told(self) -> str:
        """What is taken for granted of it."""
        return f"the time is that from {self.start.words} to {self.end.words}"


def days_of(deed: str, linker: Linker, rows: str = "") -> DeedDays | None:
    """From when to when what a verb says takes; `rows` names what is asked for, where tables must be told apart."""
    said = stem(name_words(deed)[-1])
    entities = linker.schema.entities.values()
    for words in (
        frozenset((said,)),
        *(group for group in (*_WORK, _BACK) if any(_alike(said, word) for word in group)),
    ):
        found = [days for e in entities if (days := _until(words, e)) is not None]
        near = [days for days in found if are_of(rows, days.rows, linker)] if len(found) > 1 else found
        if len(near) == 1:
            return near[0]
        if found:
            return None
    return None


def only_days(rows: str, linker: Linker) -> DeedDays | None:
    """From when to when what is asked for does its one deed: shippers ship, where orders have no other end."""
    found: list[DeedDays] = []
    for entity in linker.schema.entities.values():
        start = _start(entity)
        ends = [a for a in entity.dates if a.role == "date" and a != start and not is_foreseen(a)]
        done = [a for a in ends if any(_alike(word, deed) for word in a.own for deed in _DONE)]
        if start is not None and len(ends) == 1 and ends == done and are_of(rows, entity, linker):
            found.append(DeedDays(rows=entity, start=start, end=done[0]))
    return found[0] if len(found) == 1 else None


def are_of(rows: str, entity: Entity, linker: Linker) -> bool:
    """Whether what is asked for is a column of the table, or what its rows refer to."""
    near = {edge.right for edge in linker.schema.edges.get(entity.name, ()) if not edge.many} - {entity.name}
    for option in linker.names(name_stems(rows)):
        if isinstance(option, ToColumn) and option.attribute.table == entity.name and not option.attribute.is_time:
            return True
        if isinstance(option, ToTable) and option.entity.name in near:
            return True
    return False


def _until(words: frozenset[str], entity: Entity) -> DeedDays | None:
    """From the day of the rows to the one date that is called like one of the words: to close, of `closed_date`."""
    dates = (a for a in entity.dates if a.role == "date" and not is_foreseen(a))
    ends = [a for a in dates if any(_alike(said, word) for said in words for word in a.own)]
    start = _start(entity)
    if len(ends) != 1 or start is None or start == ends[0]:
        return None
    return DeedDays(rows=entity, start=start, end=ends[0])


def _start(entity: Entity) -> Attribute | None:
    start = likeliest_date(entity)
    return start if start is not None and start.role == "date" and not is_birth(start.name) else None


def _alike(said: str, word: str) -> bool:
    return said == word or (len(said) >= _ROOT <= len(word) and said[:_ROOT] == word[:_ROOT])
