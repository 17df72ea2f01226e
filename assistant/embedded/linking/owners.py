"""Owners: the table that words around a column or a value say it belongs to.

In "the names and ids of all products" the products own both columns; in "customers whose name" the customers do, and in
"students who took Biology courses" the courses behind the value. Nothing is weighed here: `context` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.vocabulary import ASKING

SURE_TABLE = 0.6
"""From which strength on a table or a column is surely named."""
_OF = frozenset(("of", "for", "from", "across", "among"))
_LINKS = frozenset(
    (
        "across",
        "among",
        "of",
        "for",
        "from",
        "in",
        "on",
        "the",
        "all",
        "each",
        "every",
        "any",
        "these",
        "those",
        "their",
    )
)
_OWNING = frozenset(
    ("whose", "with", "where", "having", "has", "have", "had", "and", "a", "an", "the", "their", "its", "is")
)
_GAP_MAX = 4
_CHOOSING = ("top", "best", "place", "distinct")
"""What may stand before a noun and chooses among its rows: "the names of the top 3 most expensive lamps"."""


def table_of(span: Span) -> Entity | None:
    """The table a span names, if that is the likeliest thing it names."""
    best = max(span.options, key=lambda option: option.strength, default=None)
    return best.entity if isinstance(best, ToTable) and best.strength >= SURE_TABLE else None


def named_tables(spans: Sequence[Span]) -> dict[str, int]:
    """The tables the question names, with their places."""
    found: dict[str, int] = {}
    for at, span in enumerate(spans):
        entity = table_of(span)
        if entity is not None:
            found.setdefault(entity.name, at)
    return found


def owner_after(spans: Sequence[Span], at: int) -> Entity | None:
    """ "names and ids of all products", "the name for each student": over further columns, to the table."""
    linked = counted = False
    gap, last = 0, ""
    for span in spans[at + 1 :]:
        entity = table_of(span)
        text = span.text.lower()
        if entity is not None and not linked and (span.parted or last == "and" or counted):
            last = text
            counted = False
            continue  # "the id, customer and date of orders", "the id and number of orders of customers"
        last = text
        counted = any(isinstance(o, Cue) and o.kind == "count" for o in span.options)
        gap -= counted
        if entity is not None:
            return entity if linked else None
        if text in _LINKS or any(
            isinstance(o, Cue) and o.kind == "group" and o.argument == "each" for o in span.options
        ):
            linked = linked or text.split()[0] in _OF or text.endswith(("each", "every"))
        elif text == "and" or any(isinstance(option, ToColumn) for option in span.options):
            gap = 0
            if linked:
                return None
        elif not any(isinstance(o, Cue) and o.kind in _CHOOSING for o in span.options):
            gap += 1
        if gap > 1:
            return None
    return None


def owner_before(spans: Sequence[Span], at: int) -> Entity | None:
    """ "customers whose name", "students with a height", "product names"."""
    for place in range(at - 1, max(at - _GAP_MAX, -1), -1):
        entity = table_of(spans[place])
        if entity is not None:
            between = {span.text.lower() for span in spans[place + 1 : at] if not _orders(span)}
            return entity if not between or between <= _OWNING else None
    return None


def _orders(span: Span) -> bool:
    """ "songs ordered by rating": it is their own rating."""
    return any(isinstance(o, Cue) and o.kind in ("sort", "direction") for o in span.options)


def owner_asked(spans: Sequence[Span], at: int) -> Entity | None:
    """ "Which clerks have ...? Tell me their names and ages": what the question began with."""
    for place in range(at - 1, 0, -1):
        text = spans[place].text.lower()
        if text in ("their", "its", "his", "her") and spans[place - 1].text.lower() in (*ASKING, "me"):
            return next((entity for span in spans[:place] if (entity := table_of(span)) is not None), None)
        if text in ASKING and spans[place].parted:
            return _asked_first(spans[:place], spans[at])
        if text not in _LINKS | _OWNING and not any(isinstance(option, ToColumn) for option in spans[place].options):
            return None
    return None


def _asked_first(head: Sequence[Span], span: Span) -> Entity | None:
    """ "Which singers sang two songs? Show the name": of the rows that were asked for, if they have it."""
    cues = [option for said in head for option in said.options if isinstance(option, Cue)]
    first = next((entity for said in head if (entity := table_of(said)) is not None), None)
    if first is None or any(cue.kind in ("count", "group", "sum", "average") for cue in cues):
        return None
    own = any(isinstance(o, ToColumn) and o.attribute.table == first.name for o in span.options)
    return first if own else None


def noun_before(spans: Sequence[Span], at: int) -> str:
    """The table that stands before a value, over small words: the students in "who advise students in the History"."""
    for place in range(at - 1, max(at - _GAP_MAX, -1), -1):
        entity = table_of(spans[place])
        if entity is not None:
            return entity.name
        role = max(spans[place].options, key=lambda o: o.strength, default=None)
        if isinstance(role, ToColumn) and role.attribute.role == "reference":
            return role.attribute.table  # "an heir of Ada", where a row names each heir
        if spans[place].text.lower() not in _LINKS:
            return ""
    return ""


def noun_behind(spans: Sequence[Span], at: int) -> str:
    """The table right behind a value: the courses in "students who took Biology courses"."""
    entity = table_of(spans[at + 1]) if at + 1 < len(spans) else None
    return entity.name if entity is not None else ""
