"""Hides turns of a log that used columns which were masked later. Pure.

The events stay in the database as they were written, because a log is append-only; but every reader reads them through
this module. `assistant.sources.withholding` decides which turns are withheld, and the log records it.
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

_VISIBLE_KINDS = (
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


def hide_withheld(entries: tuple[Entry, ...], *, also: Sequence[Withheld] = ()) -> tuple[Entry, ...]:
    """The entries, each in its place, with an answer that says so at the end of each turn that is withheld.

    Doing it again changes nothing.

    Args:
        entries: a log.
        also: what is withheld besides; a damaged log cannot take it in.
    """
    withheld: dict[int, list[Withheld]] = {}
    for event in (*(entry.event for entry in entries), *also):
        if isinstance(event, Withheld) and event.columns:
            withheld.setdefault(event.turn, []).append(event)
    if not withheld:
        return entries
    ends = {
        entry.event.turn: entry.seq
        for entry in entries
        if entry.event.turn in withheld and not isinstance(entry.event, (Question, *_VISIBLE_KINDS))
    }
    return tuple(_hide_entry(entry, withheld, ends) for entry in entries)


def _hide_entry(entry: Entry, withheld: Mapping[int, Sequence[Withheld]], ends: Mapping[int, int]) -> Entry:
    event = entry.event
    if isinstance(event, HistorySummarised) and min(withheld) <= event.upto:
        return entry.model_copy(update={"event": Withheld(turn=event.turn)})  # it may tell of a turn that is withheld
    if event.turn not in withheld or isinstance(event, _VISIBLE_KINDS):
        return entry
    return entry.model_copy(
        update={"event": _hide_event(event, withheld[event.turn], ends.get(event.turn) == entry.seq)}
    )


def _hide_event(event: AnyEvent, withheld: Sequence[Withheld], is_end: bool) -> AnyEvent:
    if isinstance(event, Question):
        return (
            event.model_copy(update={"text": NO_QUESTION})
            if any(event_of_turn.question for event_of_turn in withheld)
            else event
        )
    if not is_end:
        return Withheld(turn=event.turn)
    columns = joined(list(dict.fromkeys(name for event_of_turn in withheld for name in event_of_turn.columns)))
    return Answer(
        turn=event.turn,
        status="declined",
        text=f"What was said and shown here used {columns}, masked since. It is not shown any more.",
        hint="Ask again to have it worked out with what may be shown.",
    )
