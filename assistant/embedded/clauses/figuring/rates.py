"""Rates by the name of what happened: "cancellation rate by region" is the share of rows that were cancelled."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, FilterWanted, Wanted
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.linking.options import Option, ToColumn, ToTable, ToTerm, ToValue
from assistant.embedded.source.schema import Entity

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
    match option:
        case ToValue():
            draft.filters.append(FilterWanted(option.attribute, "=", (option.value,), option.known, BEHIND))
        case ToColumn() if option.attribute.true_value is not None:
            draft.filters.append(FilterWanted(option.attribute, "=", (option.attribute.true_value,), piece=BEHIND))
        case ToTerm():
            draft.terms.append((option.term, False))
        case _:
            return


BEHIND = 10_000
"""A place behind every word: all else that is said binds the whole that the rate is of."""


def _is_rate(draft: Draft, at: int) -> bool:
    text = draft.pieces[at].span.text.lower()
    return text in _RATES or text in _PERCENT
