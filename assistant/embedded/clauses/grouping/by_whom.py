"""What a "by" says that breaks nothing down: who did it. "Tours ordered by at least two guests", "made by Acme"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable, ToValue
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import singular


def by_whom(draft: Draft, at: int, following: int | None, *, by: bool) -> tuple[int, ...]:
    """The places that say who did something, where a cue of groups stands for that; none where it breaks down.

    `following` is what stands behind the cue; `by` says whether it is a "by".
    """
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if by and isinstance(draft.open(following), ToValue):
        return (at,)  # "orders by London customers"
    if by and following is not None and _is_said_again(draft, at, following):
        return (at, following)  # "the number of cars made by that company"
    if by and _is_fixed(draft, following):
        return (at,)  # "made by the company named Acme"
    if by and behind is not None and (_counts_agents(behind.option) or behind.span.text.lower() in _THEM):
        return (at,)  # "tours ordered by at least two customers", "all films directed by them"
    if following is not None and _says_by_whom(draft, at, following):
        return (at, following)  # "approved by the board", where the column is called board_approved
    if by and (_is_by_one(draft, at) or (following is not None and _is_agent(draft, at, following))):
        return (at,)
    return ()


def _is_said_again(draft: Draft, by: int, at: int) -> bool:
    """Whether a "that" stands between, and what was named before is meant."""
    words = [piece.span.text.lower() for piece in draft.pieces[by + 1 : at]]
    before = [piece.option for piece in draft.pieces[:by]]
    option = draft.open(at)
    if words not in (["that"], ["this"], ["those"], ["these"]):
        return False
    if isinstance(option, ToTable):
        return any(isinstance(o, ToTable) and o.entity == option.entity for o in before)
    return isinstance(option, ToColumn) and any(
        isinstance(o, ToColumn) and o.attribute == option.attribute for o in before
    )


def _is_fixed(draft: Draft, at: int | None) -> bool:
    """Whether a value of the column at a place stands right behind it: "the company named Acme", "supplier 3"."""
    column, behind = draft.open(at), draft.after(at, plain_max=1) if at is not None else None
    value = draft.open(behind)
    if isinstance(column, ToTable) and isinstance(value, ToNumber):
        return at is not None and draft.touches(at, behind)
    if isinstance(column, ToTable) and isinstance(value, ToValue) and value.attribute.table == column.entity.name:
        one = at is not None and singular(draft.word(at)) == draft.word(at) and draft.touches(at, behind)
        return one and "name" in value.attribute.own  # "the lessons by teacher Ada"
    return isinstance(column, ToColumn) and isinstance(value, ToValue) and value.attribute == column.attribute


_THEM = frozenset(("them", "him", "her", "it", "us", "me", "whom"))


def _counts_agents(option: object) -> bool:
    return isinstance(option, ToNumber) or (isinstance(option, Cue) and option.kind == "compare")


def is_done(draft: Draft, by: int) -> bool:
    """Whether a "by" at a place says who did what stands before it: "ordered by", "taught by"."""
    place = by - 1
    if [draft.word(by - 2), draft.word(by - 1)] == ["in", "total"]:
        place = by - 3  # "carried in total by"
    elif draft.word(by - 1) in _ALTOGETHER:
        place = by - 2
    verb = draft.word(place)
    return verb.endswith(("ed", "en")) or verb in _DONE


_ALTOGETHER = frozenset(("altogether", "overall", "most", "so far"))
"""What may stand between a verb and who did it."""
_DONE = frozenset(
    (
        "is",
        "are",
        "was",
        "were",
        "been",
        "made",
        "sold",
        "bought",
        "sent",
        "paid",
        "taught",
        "led",
        "held",
        "won",
        "run",
        "built",
        "drawn",
        "sung",
        "kept",
    )
)
"""Verbs in "done by" that end otherwise."""


def _is_by_one(draft: Draft, by: int) -> bool:
    """ "managed by a clerk", "reviewed by some guests": whoever did it, so nothing is broken down."""
    before = draft.pieces[by - 1].option if by > 0 else None
    article = draft.word(by + 1)
    return article in _SOME and (isinstance(before, ToTable) or is_done(draft, by))


_SOME = frozenset(("a", "an", "some", "any"))


def _is_agent(draft: Draft, by: int, at: int) -> bool:
    """ "founded by the person who", "written by authors from": those who did it, so nothing is broken down."""
    before = draft.pieces[by - 1].option if by > 0 else None
    done = isinstance(before, ToTable) or is_done(draft, by)
    who = draft.pieces[at + 1].span.text.lower().split()[0] if at + 1 < len(draft.pieces) else ""
    several = draft.pieces[at].span.text.lower().endswith("s")
    one = draft.pieces[at - 1].span.text.lower() in ("the", "a", "an", "some", "any") and not several
    told = who in ("who", "that", "with", "whose", "which", "named", "called") or (
        several and who in ("from", "in", "of")
    )
    if not (done and (one or several) and told and _is_somebody(draft, draft.open(at))):
        return False
    figures = draft.cues("count", "average", "sum", "minimum", "maximum", "how_much")
    if not isinstance(before, ToTable) or one or not figures:
        return True  # "the songs by artists who"
    return draft.choose("by those who", 2) == 0  # "the average length of songs by artists who": of all, or of each


def _is_somebody(draft: Draft, option: object) -> bool:
    if not isinstance(option, ToColumn):
        return isinstance(option, ToTable)
    return option.attribute.role == "reference" or (option.attribute.name,) == draft.entity_of(option.attribute).label


def _says_by_whom(draft: Draft, by: int, at: int) -> bool:
    """Whether what stands on both sides of a "by" names one and the same column."""
    before, behind = draft.pieces[by - 1].option if by > 0 else None, draft.open(at)
    return isinstance(before, ToColumn) and isinstance(behind, ToColumn) and before.attribute == behind.attribute
