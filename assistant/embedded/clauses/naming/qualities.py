"""Clauses that ask for a column by an adjective: "how old is Ada?", "how expensive is the oldest table?"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Piece
from assistant.embedded.clauses.naming.adjectives import hinted, hinted_beyond, tables_and_values, tables_in_question
from assistant.embedded.clauses.naming.moments import lasting_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToTable, ToValue
from assistant.embedded.words.vocabulary import word_set


def qualities(draft: Draft) -> None:
    """ "how old", "how tall": what is asked for is the age, the height of the rows in question."""
    for i, cue in draft.cues("quality"):
        tables = tables_and_values(draft)
        attribute = hinted_beyond(draft, cue.hints, tables)
        timed = "duration" in cue.hints and (attribute is None or _takes(draft))
        if timed and _lasts(draft, i, tables):
            continue
        if attribute is None:
            continue
        draft.use(i)
        average = _average(draft, i) if attribute.is_number else None
        if average is not None:
            draft.use(average)
            draft.wanted.append(Wanted(aggregate="average", attribute=attribute))
        elif attribute not in draft.shown:
            draft.shown.append(attribute)


def lengths_of_time(draft: Draft) -> None:
    """ "how many hours did trips take on average", "how many days do stays last"."""
    for i, _ in draft.cues("count"):
        unit = draft.pieces[i + 1] if i + 1 < len(draft.pieces) else None
        if unit is None or unit.option is not None or unit.span.text.lower() not in _UNITS or not _takes(draft):
            continue
        if _lasts(draft, i, tables_in_question(draft)):
            unit.used = True
            draft.wanted[-1].unit = unit.span.text.lower()


_UNITS = frozenset(("minutes", "hours", "days", "weeks"))


def _takes(draft: Draft) -> bool:
    """ "how long does a trip take": the time it takes, rather than its length."""
    return any(p.span.text.lower() in _LASTING for p in draft.pieces)


def _is_plain(piece: Piece) -> bool:
    return piece.option is None or piece.span.likened


_LASTING = word_set("take takes took last lasts lasted stay stays stayed")
_SPANS = ("duration", "minutes", "hours", "seconds", "time", "days")


def _lasts(draft: Draft, at: int, tables: list[str]) -> bool:
    """ "how long does a stay last": by a column that says so, or from the day it began to the day it ended."""
    if hinted(draft, _SPANS, tables[:1]) is not None:
        return False
    spans = [span for table in tables if (span := lasting_of(draft.schema.entities[table])) is not None]
    if not spans:
        return False
    start, end = spans[0]
    draft.use(at, *(i for i, _ in draft.cues("average")))
    draft.use(*(i for i, p in enumerate(draft.pieces) if _is_plain(p) and p.span.text.lower() in _LASTING))
    draft.mention(start.table)
    draft.assumptions.append(f"it lasts from {start.words} to {end.words}")
    draft.wanted.append(Wanted(aggregate="average", attribute=start, until=end))
    return True


def _average(draft: Draft, at: int) -> int | None:
    """ "how old are they on average", "how old is the average customer": the figure of all, rather than of each."""
    for i, _ in draft.cues("average"):
        averaged = i > at and isinstance(draft.open(draft.after(i, plain_max=0)), ToTable | ToValue)
        if averaged or draft.pieces[i].span.text.lower() == "on average":
            return i
    return None
