"""Rows that have some of what is counted for each of them: "bookings with kids", where a booking has a number of kids.

And the noun behind a value that the value's own column is called by: "rooms with a king bed".
"""

from __future__ import annotations

from assistant.embedded.clauses.choosing.negations import none_is_zero
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToPeriod, ToTable, ToValue
from assistant.embedded.words.lexicon import name_stems

_HAVING = frozenset(("with", "having"))


def with_some(draft: Draft) -> None:
    """ "bookings with kids": more than none, where nothing says how many; "with their price" is only told."""
    for i, _ in draft.cues("with"):
        option = draft.open(i + 1) if i + 1 < len(draft.pieces) else None
        rows = draft.pieces[i - 1].option if i else None
        if draft.word(i) not in _HAVING or not isinstance(option, ToColumn) or not isinstance(rows, ToTable):
            continue
        counted = none_is_zero(option) and option.attribute.is_amount and option.attribute.table == rows.entity.name
        following = draft.after(i + 1, plain_max=1)
        ends = following is None or isinstance(draft.open(following), ToPeriod)
        ends = ends or draft.cue_at(following, "group", "grain") is not None
        if counted and ends and draft.pieces[i + 1].span.text.lower().endswith("s"):
            draft.use(i, i + 1)
            draft.filters.append(FilterWanted(option.attribute, ">", (0,), piece=i + 1))


def nouns_of_values(draft: Draft) -> None:
    """ "a king bed", where the type of bed is King: the noun says no more, though there is a number of beds, too."""
    for i, piece in enumerate(draft.pieces[1:], 1):
        before, option = draft.pieces[i - 1].option, piece.option
        if piece.used or not isinstance(before, ToValue) or not isinstance(option, ToColumn):
            continue
        own, said = before.attribute.own, name_stems(piece.span.text)
        same_rows = option.attribute.table == before.attribute.table and option.attribute != before.attribute
        if same_rows and len(own) > 1 and said == own[:-1] and draft.touches(i - 1, i):
            draft.use(i)
