"""What comes first by a figure that was read whole: "the country with the highest average revenue per order"."""

from __future__ import annotations

from dataclasses import replace

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToTable


def first_by(draft: Draft, at: int, wanted: Wanted, *, descending: bool) -> bool:
    """Rank what is named before a place by a figure, and keep the first; False where nothing is named there."""
    head = next((n for n in range(at - 1, -1, -1) if isinstance(draft.open(n), ToTable | ToColumn)), None)
    option = draft.open(head)
    if isinstance(option, ToTable):
        draft.ranked = option.entity
    elif isinstance(option, ToColumn) and option.attribute.role in ("text", "key"):
        draft.ranked = option.attribute
    if head is None or draft.ranked is None:
        return False
    draft.use(head)
    draft.order.append((replace(wanted, context=True), descending))
    draft.keep_extreme()
    return True


def highest(draft: Draft, at: int, wanted: Wanted) -> bool:
    """ "the highest average ...", where that figure begins at a place: rank by it."""
    best = draft.cue_at(at - 1, "best") if at else None
    if best is None or best.hints or not first_by(draft, at - 1, wanted, descending=best.argument == "desc"):
        return False
    draft.use(at - 1)
    return True
