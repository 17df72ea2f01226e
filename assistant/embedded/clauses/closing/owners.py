"""Rows that are asked for together with something of theirs: "the cheapest tracks with their composer".

What is left over is then no column alone: the rows are named first, or the rows that a column stands for behind it.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.vocabulary import ASKING

REQUESTS = ASKING | {"print", "display", "what"}
"""Words that a request begins with."""
THEIRS = frozenset(("their", "its", "his", "her"))
"""Words before what belongs to the rows named before."""


def owner_before(draft: Draft, at: int) -> Entity | None:
    """ "the cheapest tracks with their composer": the tracks are asked for, and something beside them."""
    if (rows := _with_that_of_theirs(draft, at)) is not None:
        return rows
    if at == 0 or (draft.pieces[at - 1].span.text.lower() not in THEIRS and not _comes_with(draft, at)):
        return _named_beside(draft, at)
    if at > 1 and draft.pieces[at - 2].span.text.lower() in (*REQUESTS, "are", "is", "me"):
        return None  # a sentence of its own: "List their first names"
    said = [p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)]
    option = draft.pieces[at].option
    if isinstance(option, ToColumn) and (own := draft.entity_of(option.attribute)) in said:
        return own  # "the guides with two tours and their wage"
    return said[-1] if said else None


def _with_that_of_theirs(draft: Draft, at: int) -> Entity | None:
    """ "orders with the town of their client": the orders, and beside each what its client has."""
    link = draft.before(at, plain_max=1)
    rows = draft.pieces[link - 1].option if link and draft.pieces[link].span.text.lower() == "with" else None
    of = at + 1
    while draft.word(of) in ("and", "the") or (
        of < len(draft.pieces) and isinstance(draft.pieces[of].option, ToColumn)
    ):
        of += 1
    owner = draft.pieces[of + 2].option if of + 2 < len(draft.pieces) else None
    theirs = draft.word(of) == "of" and draft.word(of + 1) in THEIRS and isinstance(owner, ToTable)
    return rows.entity if theirs and isinstance(rows, ToTable) else None


def _comes_with(draft: Draft, at: int) -> bool:
    """ "list all states with the year of admission": what is listed has something beside it."""
    words = [piece.span.text.lower() for piece in draft.pieces[:at]]
    option = draft.pieces[at].option
    own = isinstance(option, ToColumn) and draft.subject is not None and option.attribute.table == draft.subject.name
    return words[0] in REQUESTS and words[-2:] == ["with", "the"] and own


def _named_beside(draft: Draft, at: int) -> Entity | None:
    """ "show the tracks and the composers": what is asked for first are the tracks themselves."""
    link = draft.before(at, plain_max=1)
    noun = (
        draft.before(link, plain_max=0) if link is not None and draft.pieces[link].span.text.lower() == "and" else None
    )
    option = draft.pieces[noun].option if noun is not None else None
    first = noun is not None and all(p.option is None for p in draft.pieces[:noun])
    return option.entity if isinstance(option, ToTable) and first and option.entity == draft.subject else None


def named_behind(draft: Draft) -> None:
    """ "show the ministers and the parties they belong to", where a minister is a column of the party: both."""
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if not isinstance(option, ToTable) or option.entity != draft.subject:
            continue
        link = draft.before(i, plain_max=3)
        asks = draft.pieces[link].option if link is not None else None
        if isinstance(asks, Cue) and asks.kind == "which" and link is not None:
            link = draft.before(link, plain_max=0)  # "and what parties do they belong to"
        if link is None or draft.pieces[link].span.text.lower() != "and":
            continue
        beside = draft.before(link, plain_max=2)
        column = draft.pieces[beside].option if beside is not None else None
        behind = draft.word(i + 1)
        if isinstance(column, ToColumn) and column.attribute in draft.shown and behind in _OF_THESE:
            place = draft.shown.index(column.attribute) + 1
            label = [option.entity.attributes[name] for name in option.entity.label]
            draft.shown[place:place] = [a for a in label if a not in draft.shown]


_OF_THESE = frozenset(
    ("", "they", "it", "he", "she", "that", "which", "to", "in", "do", "does", "did", "where", "with")
)
