"""Rates by the name of what happened: "cancellation rate by region" is the share of rows that were cancelled."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, FilterWanted, Wanted
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.linking.links import ToTable, ToValue

_RATES = frozenset(("rate", "rates"))


def rates(draft: Draft) -> None:
    """A state that rows may be in, before "rate": their share."""
    for i, piece in enumerate(draft.pieces[:-1]):
        option, following = piece.option, draft.pieces[i + 1]
        if piece.used or following.used or not isinstance(option, ToValue) or not _is_rate(following.span.text):
            continue
        if following.span.start != piece.span.end or draft.wanted or draft.share:
            continue
        entity = draft.entity_of(option.attribute)
        rows = draft.open(noun := draft.after(i + 1, plain_max=2))
        own = isinstance(rows, ToTable) and (rows.entity == entity or ancestor_of(draft, {rows.entity.name}, entity))
        if isinstance(rows, ToTable) and own and noun is not None:
            entity = rows.entity
            draft.use(noun)
        draft.use(i, i + 1)
        draft.mention(entity.name)
        draft.share = True
        draft.wanted.append(Wanted(aggregate="count", entity=entity))
        draft.filters.append(FilterWanted(option.attribute, "=", (option.value,), option.known, BEHIND))
        return


BEHIND = 10_000
"""A place behind every word: all else that is said binds the whole that the rate is of."""


def _is_rate(text: str) -> bool:
    return text.lower() in _RATES
