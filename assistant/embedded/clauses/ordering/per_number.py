"""What has the most of a ratio: "which store has the highest revenue per square metre", "the lowest occupancy"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.filling import asked_at, fullness
from assistant.embedded.clauses.figuring.per_number import divided_at
from assistant.embedded.clauses.ordering.commonest import rank_by
from assistant.embedded.clauses.ordering.leading import subject_before


def ranked_per_number(draft: Draft) -> None:
    """Rank what was named before by a figure that is divided by a number."""
    for i, cue in draft.cues("minimum", "maximum", "best", "most"):
        start = draft.after(i, plain_max=1)
        if start is None or draft.ranked is not None or draft.order or not _leads_to_per(draft, start):
            continue
        over = divided_at(draft, start)
        subject = subject_before(draft, i, start) if over is not None else None
        if over is None or subject is None:
            continue
        over.context = True
        draft.use(i)
        rank_by(draft, subject, over, cue.kind == "maximum" or cue.argument in ("desc", "old"))


def fullest(draft: Draft) -> None:
    """ "which hall has the highest occupancy": what was named before is ranked by how full it is."""
    at = asked_at(draft)
    first = draft.before(at, plain_max=1) if at is not None else None
    cue = draft.cue_at(first, "best", "maximum", "minimum")
    if at is None or first is None or cue is None or draft.ranked is not None or draft.order:
        return
    subject = subject_before(draft, first, at)
    figure = fullness(draft, at) if subject is not None else None
    if figure is not None and subject is not None:
        figure.context = True
        draft.use(first)
        rank_by(draft, subject, figure, cue.kind == "maximum" or cue.argument == "desc")


def _leads_to_per(draft: Draft, start: int) -> bool:
    return any(draft.word(at) == "per" for at in range(start + 1, min(start + _PER_MAX, len(draft.pieces))))


_PER_MAX = 4
