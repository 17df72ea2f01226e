"""A row's number against its limit or plan, and two of its days: "over budget", "more hours than planned"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.lexicon import shortens, stem
from assistant.embedded.words.vocabulary import LESS, MORE, word_set

_LIMITS = frozenset(
    stem(word)
    for word in word_set(
        """budget estimate estimated est plan planned limit target minimum maximum capacity reorder quota goal threshold
        forecast allowance required allowed expected scheduled"""
    )
)
"""Stems in the names of numbers that others are held against."""
_REACHED = frozenset(stem(word) for word in word_set("actual spent spend spending used cost real current"))
"""Stems in the names of numbers that say what came of it."""
_AMOUNTS = frozenset(stem(word) for word in word_set("amount total value money eur usd chf gbp dollars hours days"))
"""What a limit may be of without being one of something else than what was spent."""
_WITHIN = 3


def past_a_limit(draft: Draft) -> None:
    """ "projects over budget", "items below their minimum quantity": what is held against it goes without saying."""
    for i, cue in draft.cues("compare"):
        place = draft.after(i, plain_max=1)
        option = draft.open(place)
        if place is None or not isinstance(option, ToColumn) or cue.argument not in ("<", "<=", ">", ">="):
            continue
        before = draft.open(draft.before(i, plain_max=2))
        named = isinstance(before, ToColumn) and before.attribute.is_number
        if named or not option.attribute.is_number or isinstance(draft.open(draft.after(place)), ToNumber):
            continue
        measured = _held_against(draft, option.attribute)
        if measured is not None:
            draft.use(i, place)
            operator: Operator = ">" if cue.argument.startswith(">") else "<"
            draft.filters.append(FilterWanted(measured, operator, (), piece=place, other=option.attribute))
            draft.assumptions.append(
                f"“{draft.pieces[i].span.text} {option.attribute.words}” is told by {measured.words}"
            )


def _held_against(draft: Draft, limit: Attribute) -> Attribute | None:
    """The one number of a row that is of the same thing as its limit, or that says what came of it."""
    if not _LIMITS & set(limit.stems):
        return None
    numbers = [a for a in draft.entity_of(limit).attributes.values() if a.is_number and a != limit]
    numbers = [a for a in numbers if not _LIMITS & set(a.stems)]
    alike = [a for a in numbers if set(a.stems) & set(limit.stems) - _LIMITS]
    of_something = set(limit.stems) - _LIMITS - _AMOUNTS - set(draft.entity_of(limit).stems)
    reached = [] if of_something else [a for a in numbers if set(a.stems) & _REACHED]  # no cost of a minimum stock
    return next((found[0] for found in (alike, reached) if len(found) == 1), None)


def more_than_planned(draft: Draft) -> None:
    """ "tasks that took more hours than estimated": the same number, as it was planned."""
    for i, piece in enumerate(draft.pieces[:-3]):
        word, number = piece.span.text.lower().split()[-1], draft.open(i + 1)
        if piece.used or word not in MORE | LESS or not isinstance(number, ToColumn) or not number.attribute.is_number:
            continue
        if draft.word(i + 2) != "than":
            continue
        places = range(i + 3, min(i + 3 + _WITHIN, len(draft.pieces)))
        found = ((at, plan) for at in places if (plan := _planned(draft, draft.pieces[at].span.text, number.attribute)))
        at, plan = next(found, (0, None))
        done = number.attribute if number.attribute != plan else _held_against(draft, number.attribute)
        if plan is not None and done is not None:
            draft.use(*range(i, i + 3), at)
            operator: Operator = ">" if word in MORE else "<"
            draft.filters.append(FilterWanted(done, operator, (), piece=i + 1, other=plan))
            return


def _planned(draft: Draft, text: str, number: Attribute) -> Attribute | None:
    """The number of the same row that is called planned, of what another one is."""
    words = {stem(word) for word in text.lower().split()}
    for other in draft.entity_of(number).attributes.values():
        planned = [w for w in other.stems if w in _LIMITS and any(w == said or shortens(w, said) for said in words)]
        if other.is_number and planned and set(other.stems) & set(number.stems) - _LIMITS:
            return other
    return None


def same_day(draft: Draft) -> None:
    """ "shipped on the same day they were ordered": two days of one row are one."""
    for i, _ in draft.cues("same"):
        if i + 1 >= len(draft.pieces) or draft.pieces[i + 1].span.text.lower() not in ("day", "date"):
            continue
        left, right = draft.before(i, plain_max=2), draft.after(i + 1, plain_max=3)
        one, other = _day(draft, left), _day(draft, right)
        if left is None or right is None or one is None or other is None or one == other or one.table != other.table:
            continue
        draft.use(i, i + 1, left, right)
        draft.filters.append(FilterWanted(one, "=", (), piece=left, other=other))


def _day(draft: Draft, at: int | None) -> Attribute | None:
    option = draft.open(at)
    return option.attribute if isinstance(option, ToColumn) and option.attribute.role == "date" else None
