"""Clauses about what came last or has lasted longest: "the order shipped most recently", "with us the longest"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import tables_in_question
from assistant.embedded.clauses.ordering.extremes import by_column
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import is_birth, likeliest_date
from assistant.embedded.source.schema import Entity


def been_longest(draft: Draft, at: int) -> bool:
    """ "who has been with us the longest", "has worked here the shortest": by the day they came."""
    before = {p.span.text.lower() for p in draft.pieces[max(at - _SINCE_MAX, 0) : at]}
    word = draft.pieces[at].span.text.lower().split()[-1]
    if word not in ("longest", "shortest") or not before & _STAYED or not before & (_HERE | {"been"}):
        return False
    tables = tables_in_question(draft)
    day = likeliest_date(draft.schema.entities[tables[0]]) if tables else None
    if day is None or is_birth(day.name):
        return False
    draft.use(at)
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {day.words}")
    draft.order.append((day, word == "shortest"))
    draft.keep_extreme()
    return True


_SINCE_MAX = 4
_STAYED = frozenset(("been", "worked", "stayed", "served", "lived"))
_HERE = frozenset(("us", "here", "with", "for"))


def done_when(draft: Draft, at: int, descending: bool) -> bool:
    """ "the order shipped most recently", "who left office the latest": by the time that the verb before names."""
    place = draft.before(at, plain_max=0)
    option = draft.open(place)
    if place is not None and isinstance(option, ToTable):
        return _happened_when(draft, at, place, option.entity, descending)
    if place is None or not isinstance(option, ToColumn):
        return False
    if not (option.attribute.is_time or option.attribute.holds_years):
        return False
    draft.use(at, place)
    by_column(draft, place, option.attribute, descending)
    return True


def _happened_when(draft: Draft, at: int, place: int, events: Entity, descending: bool) -> bool:
    """ "the customer who placed an order most recently": by the day of the order, not by one of the customer's own."""
    day = likeliest_date(events) if "recently" in draft.pieces[at].span.text.lower() else None
    others = (p.option.entity for p in draft.pieces[:place] if isinstance(p.option, ToTable))
    if day is None or next(others, events) == events:
        return False
    draft.use(at, place)
    draft.mention(events.name)
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by {day.words}")
    by_column(draft, place, day, descending)
    return True
