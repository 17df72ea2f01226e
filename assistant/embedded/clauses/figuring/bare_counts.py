"""A count that names nothing: "Show the name and the count", "together with how many they have". What it counts was
said before: by the figure, or by the rows of which there must be so many.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.meaning import needs_several
from assistant.embedded.words.cues import Cue

_CLOSING = ("sort", "direction", "and", "count")


def bare_counts(draft: Draft) -> None:
    """Take a bare count for the figure that was asked for before it, or for the rows that are counted anyway."""
    for i, _ in draft.cues("count"):
        text = draft.pieces[i].span.text.lower()
        if text.endswith(" of") or not draft.content_before(i) or not _names_nothing(draft, i):
            continue
        counted = [r for r in draft.related if r.shared is None and needs_several(r.operator, r.count)]
        if _asked_before(draft, i):
            draft.use(i)
        elif len(counted) == 1 and not draft.wanted and not draft.filters:
            draft.use(i)
            draft.wanted.append(Wanted(aggregate="count", entity=counted[0].entity))


def _names_nothing(draft: Draft, at: int) -> bool:
    """Whether nothing that could be counted stands behind the words, up to the end of what they belong to."""
    for n in range(at + 1, len(draft.pieces)):
        piece = draft.pieces[n]
        if piece.span.parted:
            return True
        if piece.option is not None:
            return isinstance(piece.option, Cue) and piece.option.kind in _CLOSING
    return True


def _asked_before(draft: Draft, at: int) -> bool:
    """ "how many tours did each guide lead? List the guide and the count": asked for in a sentence of its own."""
    said = [n for n in range(at) if isinstance(c := draft.pieces[n].option, Cue) and c.kind == "count"]
    return any(not _names_nothing(draft, n) and any(p.span.parted for p in draft.pieces[n + 1 : at]) for n in said)
