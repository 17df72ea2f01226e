"""Rates by the name of what happened: "cancellation rate by region" is the share of rows that were cancelled."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.wanted import Wanted, kind_said
from assistant.embedded.linking.options import Option, ToColumn, ToTable, ToTerm, ToValue
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.cues import Cue

_RATES = frozenset(("rate", "rates"))
_PERCENT = frozenset(("percent", "percentage", "%", "share"))


def rates(draft: Draft) -> None:
    """A state that rows may be in, before "rate" or "percentage": their share."""
    for i, piece in enumerate(draft.pieces[:-1]):
        following = draft.pieces[i + 1]
        entity = _stated(draft, i)
        if piece.used or following.used or entity is None or not _is_rate(draft, i + 1):
            continue
        if following.span.start != piece.span.end or draft.wanted or draft.share:
            continue
        rows = draft.open(noun := draft.after(i + 1, plain_max=2))
        own = isinstance(rows, ToTable) and (rows.entity == entity or ancestor_of(draft, {rows.entity.name}, entity))
        grouped = noun is not None and draft.cue_at(noun - 1, "group") is not None
        if isinstance(rows, ToTable) and own and noun is not None and not grouped:
            entity = rows.entity
            draft.use(noun)
        draft.use(i, i + 1)
        draft.mention(entity.name)
        draft.share = True
        draft.wanted.append(Wanted(aggregate="count", entity=entity))
        _keep_state(draft, piece.option)
        return


def of_one_kind(draft: Draft, share: int) -> bool:
    """ "share of women by team", "percentage of part-time staff in Bonn": the part is the kind, of all that are there.

    Behind the noun stands which rows the whole is made of; as well it may tell the part.
    """
    at = draft.after(share, plain_max=1)
    entity = _stated(draft, at) if at is not None else None
    if at is None or entity is None or draft.wanted or _names_row(draft, at):
        return False
    noun = at + 1 if at + 1 < len(draft.pieces) and draft.touches(at, at + 1) else None
    rows = draft.open(noun)
    if isinstance(rows, ToTable) and noun is not None:
        own = rows.entity == entity or ancestor_of(draft, {rows.entity.name}, entity)
        own = own and not _is_said_of(draft, noun + 1)
        if not own or draft.choose("the whole of the share", 2):
            return False
        entity = rows.entity
        draft.use(noun)
    elif rows is not None and (not isinstance(rows, Cue) or rows.kind in ("and", "or", "not", "ratio")):
        return False
    draft.use(at)
    draft.mention(entity.name)
    draft.wanted.append(Wanted(aggregate="count", entity=entity))
    _keep_state(draft, draft.pieces[at].option)
    return True


def _is_said_of(draft: Draft, verb: int) -> bool:
    """Whether a state is said of the noun before: in "the share of rush orders that is paid for" it is the part."""
    behind = [p.span.text.lower() for p in draft.pieces[verb : verb + 1]]
    stated = any(
        _stated(draft, at) is not None for at in range(verb + 1, min(verb + _STATED_WITHIN, len(draft.pieces)))
    )
    return bool(_BEING & set(behind)) and stated


_BEING = frozenset(("is", "are", "was", "were", "have been", "has been"))
_STATED_WITHIN = 4


def _names_row(draft: Draft, at: int) -> bool:
    """Whether a value is what a row is called, rather than of which kind it is."""
    option = draft.open(at)
    return isinstance(option, ToValue) and option.attribute.name in draft.entity_of(option.attribute).label


def _stated(draft: Draft, at: int) -> Entity | None:
    """Whose state a word tells: a value, a flag or a term of its rows."""
    match draft.open(at):
        case ToValue(attribute=attribute):
            return draft.entity_of(attribute)
        case ToColumn(attribute=attribute) if attribute.role == "flag":
            return draft.entity_of(attribute)
        case ToTerm(term=term) if term.table:
            return draft.schema.find_entity(term.table)
        case _:
            return None


def _keep_state(draft: Draft, option: Option | None) -> None:
    if (state := kind_said(option, BEHIND)) is not None:
        draft.filters.append(state)
    elif isinstance(option, ToTerm):
        draft.terms.append((option.term, False))


BEHIND = 10_000
"""A place behind every word: all else that is said binds the whole that the rate is of."""


def _is_rate(draft: Draft, at: int) -> bool:
    text = draft.pieces[at].span.text.lower()
    return text in _RATES or text in _PERCENT
