"""Clauses that add what there is nothing of: "orders per customer, including those with none"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToTable

_ALSO = frozenset(("including", "include", "also", "even", "incl"))
_WITHOUT = frozenset(("without", "no", "zero", "none", "nothing", "0"))
_SMALL = frozenset(
    ("the", "those", "ones", "with", "that", "who", "which", "have", "having", "has", "at", "all", "any")
)


def with_none(draft: Draft) -> None:
    """Account for the words at the end that say so, behind a count for each of something."""
    if not draft.cues("count") and not draft.cues("group"):
        return
    for i in range(2, len(draft.pieces)):
        words = [word for n in range(i, len(draft.pieces)) for word in draft.word(n).split()]
        tables = {
            word
            for piece in draft.pieces[i:]
            if isinstance(piece.option, ToTable)
            for word in piece.span.text.lower().split()
        }
        if draft.word(i) not in _ALSO or not set(words[1:]) <= _SMALL | _WITHOUT | tables:
            continue
        if set(words[1:]) & _WITHOUT:
            draft.with_none = True
            for piece in draft.pieces[i:]:
                piece.used, piece.option = True, None
            return
