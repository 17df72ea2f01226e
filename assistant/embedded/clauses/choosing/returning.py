"""Clauses about how often somebody came: "repeat customers", "who ordered only once", "bought twice"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.naming.verbs import traded
from assistant.embedded.clauses.wanted import RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToPeriod, ToTable
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import day_for, happens
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.lexicon import is_past

AGAIN = frozenset(("repeat", "repeating", "returning", "recurring"))
ONCE = frozenset(("one-time", "onetime", "one-off", "single-purchase"))
JUST = frozenset(("just", "only", "exactly", "for"))
TIMES = frozenset(("times", "time"))
WORDS = frozenset(("once", "twice", "thrice"))
_COMING = (
    *("order", "purchase", "sale", "rental", "booking", "reservation", "visit", "stay", "appointment", "invoice"),
    *("transaction", "subscription", "payment", "donation"),
)
"""What coming back may go by, the likeliest first."""


def returning(draft: Draft) -> None:
    """ "repeat customers by country": those with two orders or more; "one-time customers": those with one."""
    for i, piece in enumerate(draft.pieces):
        text = piece.span.text.lower()
        split = text == "one" and draft.word(i + 1) == "time"
        last = i + 1 if split else i
        option = draft.open(last + 1) if last + 1 < len(draft.pieces) else None
        again = text in AGAIN and piece.option is None
        if piece.used or not isinstance(option, ToTable) or not (again or split or text in ONCE):
            continue
        event = _event(draft, option.entity)
        if event is None:
            continue
        for used in draft.pieces[i : last + 1]:
            used.used, used.option = True, None
        operator, count = (">=", 2) if again else ("=", 1)
        draft.related.append(RelatedWanted(event, operator, count, last + 1, owner=option.entity))
        said = f"have {'more than one' if again else 'one'} {event.one}"
        draft.assumptions.append(f"{'repeat' if again else 'one-time'} {option.entity.many} {said}")


def _event(draft: Draft, entity: Entity) -> Entity | None:
    """What the rows of a table do again and again: the one kind of rows that belong to them and have a day."""
    edges = draft.schema.edges.get(entity.name, ())
    below = {e.right: draft.schema.entities[e.right] for e in edges if e.many}
    found = [e for e in below.values() if happens(e)]
    found = found or [e for e in below.values() if day_for(draft.schema, e) is not None]
    named = next((es for name in _COMING if (es := [e for e in found if name in e.one.split()])), found)
    return named[0] if len(named) == 1 else None


def times(draft: Draft) -> None:
    """ "customers who ordered only once", "bought exactly 3 times", "rented at least twice", "booked for 3 times"."""
    for i, piece in enumerate(draft.pieces):
        number = piece.option
        if piece.used or not isinstance(number, ToNumber) or number.number != int(number.number):
            continue
        follows = draft.word(i + 1) in TIMES
        if not follows and piece.span.text.lower() not in WORDS:
            continue
        place, operator = i - 1, "="
        used = [i, i + 1] if follows else [i]
        while place >= 0 and (draft.word(place) in JUST or draft.cue_at(place, "compare")):
            operator = bound_at(draft, place) or operator
            used.append(place)
            place -= 1
        done = _done(draft, place)
        if done is None or not draft.content_before(place):
            continue
        for n in used:
            draft.pieces[n].used = True
        draft.pieces[place].used, draft.pieces[place].option = True, None
        following = draft.after(max(used), plain_max=0)
        when = draft.open(following)
        period = when.period if isinstance(when, ToPeriod) else None  # "donated at least twice in 2026"
        if following is not None and period is not None:
            draft.use(following)
        draft.related.append(RelatedWanted(done, operator, int(number.number), place, period=period))


def bound_at(draft: Draft, at: int) -> Operator | None:
    """How a number is compared by the words at a place; None where they compare nothing."""
    cue = draft.cue_at(at, "compare")
    known: dict[str, Operator] = {">": ">", ">=": ">=", "<": "<", "<=": "<=", "=": "="}
    return known.get(cue.argument) if cue else None


def _done(draft: Draft, at: int) -> Entity | None:
    """The rows that a verb speaks of: "ordered" of orders, "bought" of whatever was sold."""
    text = draft.word(at)
    option = draft.open(at) if at >= 0 else None
    if isinstance(option, ToTable) and text.endswith(("ed", "t")):
        return option.entity
    subject = next((p.option.entity for p in draft.pieces[: max(at, 0)] if isinstance(p.option, ToTable)), None)
    if isinstance(option, ToColumn) and option.attribute.is_time and is_past(text) and subject is not None:
        rows = draft.entity_of(option.attribute)  # "donated more than 6 times", where a donation says when
        return rows if rows != subject and ancestor_of(draft, {rows.name}, subject) else None
    return traded(draft.schema, text)
