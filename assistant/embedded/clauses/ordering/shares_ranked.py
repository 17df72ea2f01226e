"""What has the highest share of a kind of rows: "the 3 towns with the highest percentage of unpaid bills"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.ordering.commonest import rank_by
from assistant.embedded.clauses.ordering.leading import subject_before
from assistant.embedded.clauses.wanted import Wanted, kind_said
from assistant.embedded.linking.options import ToTable
from assistant.embedded.meaning import PERCENT


def shares_ranked(draft: Draft) -> None:
    """Rank by the part of its rows that are of the kind named behind the share."""
    for i, cue in draft.cues("best"):
        share = draft.after(i, plain_max=0)
        kind = draft.after(share, plain_max=1) if share is not None and draft.cue_at(share, "share") else None
        rows = draft.after(kind, plain_max=0) if kind is not None else None
        condition = kind_said(draft.open(kind), kind) if kind is not None else None
        noun = draft.open(rows)
        if share is None or kind is None or rows is None or condition is None or not isinstance(noun, ToTable):
            continue
        subject = subject_before(draft, i, rows)
        if subject is None:
            continue
        draft.use(i, share, kind, rows)
        draft.mention(noun.entity.name)
        whole = Wanted(aggregate="count", entity=noun.entity)
        part = Wanted(aggregate="count", entity=noun.entity, only=[condition], per=whole, unit=PERCENT, context=True)
        rank_by(draft, subject, part, cue.argument == "desc")
