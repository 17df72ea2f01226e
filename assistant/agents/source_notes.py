"""Notes of an answer about its sources: how a file was read, and as of which day. Pure.

How a file was read (total rows left out, words read as missing) is noted with the first answer on it, and again when
it is read anew; that a column is masked, with every answer that reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.events import Answer, Event
from assistant.core.turns import Transcript, Turn, fold_events
from assistant.query.masks import note_of

_SHOWN_MAX = 4
_UNREAD_MAX = 2


def with_unread(answer: Answer, unread: Sequence[str]) -> Answer:
    """The answer with what of the knowledge folder is not used, because it could not be read: it may change the answer.

    Args:
        answer: The end of a turn.
        unread: What cannot be read, in words, each with its file.
    """
    if not unread:
        return answer
    notes = [f"Not used, because it cannot be read: {one.rstrip('.')}." for one in unread[:_UNREAD_MAX]]
    if len(unread) > _UNREAD_MAX:
        notes.append(f"{len(unread) - _UNREAD_MAX} more faults of the knowledge folder; `tandem check` lists all.")
    return answer.model_copy(update={"notes": (*answer.notes, *notes)})


def with_source_notes(answer: Answer, log: Sequence[Event]) -> Answer:
    """The answer with how its sources were read, as far as no earlier answer says it, and as of when.

    Args:
        answer: The end of the current turn, not yet in the log.
        log: All events before it.
    """
    transcript = fold_events(log)
    turn = transcript.current
    if turn is None or answer.status not in ("answered", "partial") or not turn.sources_read:
        return answer
    known = {source.name: source for source in transcript.sources}
    sources = [known[name] for name in transcript.sources_since if name in turn.sources_read]
    notes: list[str] = []
    for source in sources:
        masked = {note_of(t.name, column): column for t in source.tables for column in t.columns}
        notes += [note for note in source.notes if note in masked and _is_read(masked[note], turn)]
        others = [note for note in source.notes if note not in masked]
        if not _is_noted(source.name, transcript):
            notes += others[:_SHOWN_MAX]
            if (more := len(others) - _SHOWN_MAX) > 0:
                notes.append(f"{source.display}: {more} more {'note' if more == 1 else 'notes'} with the source")
    as_of = ", ".join(f"{source.display} as of {source.as_of}" for source in sources if source.as_of)
    return answer.model_copy(update={"notes": (*answer.notes, *notes), "as_of": as_of})


def _is_noted(source: str, transcript: Transcript) -> bool:
    """Whether an answer that used the source came after it was last read."""
    since = transcript.turns[transcript.sources_since[source] :]
    return any(turn.end in ("answered", "partial") and source in turn.sources_read for turn in since)


def _is_read(column: str, turn: Turn) -> bool:
    """Whether a query that ran names a column, or gave one of its name."""
    return any(column.casefold() in f"{query.sql} {' '.join(query.columns)}".casefold() for query in turn.queries)
