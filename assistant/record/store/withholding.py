"""A log without what is not shown any more: turns that used columns which were masked later. Pure.

The events stay in the database as they were written, for a log is only appended to; but nothing reads them from there
except through this. Which turns are withheld is decided in `assistant.sources.withholding`, and stands in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.core.events import (
    Answer,
    AnyEvent,
    Entry,
    HistorySummarised,
    KernelRestarted,
    PackageAdded,
    PolicyChanged,
    Question,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    UncagedAccepted,
    Usage,
    Withheld,
)
from assistant.plain_english import joined

NO_QUESTION = "A question that named a value of a column that is masked now"
"""What stands in the place of such a question."""

_KEPT = (
    KernelRestarted,
    PackageAdded,
    PolicyChanged,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    UncagedAccepted,
    Usage,
    Withheld,
)
"""Events that hold no word about the data."""


def shown(entries: tuple[Entry, ...], *, also: Sequence[Withheld] = ()) -> tuple[Entry, ...]:
    """The entries, each in its place, with an answer that says so at the end of each turn that is withheld.

    Doing it again changes nothing.

    Args:
        entries: a log.
        also: what is withheld besides; a damaged log cannot take it in.
    """
    told: dict[int, list[Withheld]] = {}
    for event in (*(entry.event for entry in entries), *also):
        if isinstance(event, Withheld) and event.columns:
            told.setdefault(event.turn, []).append(event)
    if not told:
        return entries
    ends = {
        entry.event.turn: entry.seq
        for entry in entries
        if entry.event.turn in told and not isinstance(entry.event, (Question, *_KEPT))
    }
    return tuple(_seen(entry, told, ends) for entry in entries)


def _seen(entry: Entry, told: Mapping[int, Sequence[Withheld]], ends: Mapping[int, int]) -> Entry:
    event = entry.event
    if isinstance(event, HistorySummarised) and min(told) <= event.upto:
        return entry.model_copy(update={"event": Withheld(turn=event.turn)})  # it may tell of a turn that is withheld
    if event.turn not in told or isinstance(event, _KEPT):
        return entry
    return entry.model_copy(update={"event": _shown(event, told[event.turn], ends.get(event.turn) == entry.seq)})


def _shown(event: AnyEvent, told: Sequence[Withheld], is_end: bool) -> AnyEvent:
    if isinstance(event, Question):
        return event.model_copy(update={"text": NO_QUESTION}) if any(one.question for one in told) else event
    if not is_end:
        return Withheld(turn=event.turn)
    columns = joined(list(dict.fromkeys(name for one in told for name in one.columns)))
    return Answer(
        turn=event.turn,
        status="declined",
        text=f"What was said and shown here used {columns}, masked since. It is not shown any more.",
        hint="Ask again to have it worked out with what may be shown.",
    )
