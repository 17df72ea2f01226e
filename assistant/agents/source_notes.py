"""Notes of an answer about its sources: how a file was read, and as of which day. Pure.

A doubt by which figures may differ goes with every answer whose SQL reads its table and columns; how a file was read
otherwise is noted with the first answer that reads it, and again when it is read anew; that a column is masked, with
every answer that reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assistant.core.doubts import (
    Doubt,
    DoubtKind,
    changes_figures,
    list_other_notes,
    rank_doubts,
    sort_doubts,
    summarise_doubts,
)
from assistant.core.events import Answer, Event, SourceAdded, TableSummary
from assistant.core.turns import Transcript, Turn, fold_events
from assistant.query.lineage import find_columns_read
from assistant.query.masks import describe_mask

COMPARED: frozenset[DoubtKind] = frozenset(("repeated_values", "sentinels", "members", "equal_names"))
"""Kinds whose other figure the embedded analyst computes; it mentions those that change the answer."""
_SHOWN_MAX = 4
_UNREAD_MAX = 2


def add_unread_notes(answer: Answer, unread: Sequence[str]) -> Answer:
    """The answer with what of the knowledge folder is not used, because it could not be read: it may change the answer.

    Args:
        answer: The end of a turn.
        unread: What cannot be read, in words, each with its file.
    """
    if not unread:
        return answer
    notes = [f"Not used, because it cannot be read: {fault.rstrip('.')}." for fault in unread[:_UNREAD_MAX]]
    if len(unread) > _UNREAD_MAX:
        notes.append(f"{len(unread) - _UNREAD_MAX} more faults of the knowledge folder; `tandem check` lists all.")
    return answer.model_copy(update={"notes": (*answer.notes, *notes)})


def add_source_notes(answer: Answer, log: Sequence[Event]) -> Answer:
    """The answer with how its sources were read, as far as no earlier answer says it, and as of when.

    Args:
        answer: The end of the current turn, not yet in the log.
        log: All events before it.
    """
    transcript = fold_events(log)
    turn = transcript.current
    if turn is None or answer.status not in ("answered", "partial") or not turn.queried_sources:
        return answer
    source_by_name = {source.name: source for source in transcript.sources}
    sources = [source_by_name[name] for name in transcript.sources_since if name in turn.queried_sources]
    notes: list[str] = []
    doubts: list[Doubt] = []
    is_compared = bool(turn.meaning) and not turn.edits  # the embedded analyst words what doubts change
    worded = {doubt.sentence for doubt in answer.doubts}
    for source in sources:
        if not source.doubts and not source.notes:
            continue
        read, read_before = _find_names_read(source, turn), _find_names_read_before(source, transcript)
        ranked = rank_doubts(source.doubts, read, read)
        concerned = [doubt for doubt in ranked if not (is_compared and doubt.kind in COMPARED)]
        doubts += concerned
        visible = [d for d in concerned if changes_figures(d) or _is_new(_find_names_of_doubt(d), read, read_before)]
        notes += summarise_doubts([doubt for doubt in visible if doubt.sentence not in worded])
        masked = {describe_mask(t.name, column): column for t in source.tables for column in t.columns}
        notes += [note for note in source.notes if note in masked and _is_read(masked[note], turn)]
        other_notes = [
            note
            for note in list_other_notes(source.notes, source.doubts)
            if note not in masked and _is_new(_find_tables_of_note(note, source), read, read_before)
        ]
        notes += other_notes[:_SHOWN_MAX]
        if (more := len(other_notes) - _SHOWN_MAX) > 0:
            notes.append(f"{source.display}: {more} more {'note' if more == 1 else 'notes'} with the source")
    as_of = ", ".join(f"{source.display} as of {source.as_of}" for source in sources if source.as_of)
    doubts_of_answer = sort_doubts((*answer.doubts, *doubts))
    return answer.model_copy(update={"notes": (*answer.notes, *notes), "doubts": doubts_of_answer, "as_of": as_of})


def rank_doubts_of_turn(source: SourceAdded, turn: Turn) -> tuple[Doubt, ...]:
    """The doubts of a source about what the queries of a turn read, the heaviest first."""
    if not source.doubts:
        return ()
    names = _find_names_read(source, turn)
    return rank_doubts(source.doubts, names, names)


def list_names_read(log: Sequence[Event]) -> frozenset[str]:
    """The tables that the queries of the last turn read and, as `table.column`, their columns; in lower case."""
    transcript = fold_events(log)
    turn = transcript.current
    if turn is None:
        return frozenset()
    return frozenset(name for source in transcript.sources for name in _find_names_read(source, turn))


def _find_names_read(source: SourceAdded, turn: Turn) -> frozenset[str]:
    """The tables of a source that the queries of a turn read and, as `table.column`, their columns; in lower case."""
    queries = (query.sql for query in turn.queries if query.source == source.name)
    return frozenset(name for sql in queries for name in _find_names_in(sql, source.dialect, source.tables))


@lru_cache(maxsize=1_000)
def _find_names_in(sql: str, dialect: str, tables: tuple[TableSummary, ...]) -> frozenset[str]:
    """What a query reads. Remembered, as each answer looks at those of all answers before it."""
    names: set[str] = set()
    for table, columns in find_columns_read(sql, dialect, {table.name: table.columns for table in tables}).items():
        names |= {table, *(f"{table}.{column}" for column in columns)}
    return frozenset(names)


def _find_names_read_before(source: SourceAdded, transcript: Transcript) -> frozenset[str] | None:
    """What answers read of a source since it was last read itself; None where none used it."""
    since = transcript.turns[transcript.sources_since[source.name] :]
    answered = [turn for turn in since if turn.end in ("answered", "partial") and source.name in turn.queried_sources]
    return frozenset(name for turn in answered for name in _find_names_read(source, turn)) if answered else None


def _find_names_of_doubt(doubt: Doubt) -> frozenset[str]:
    """What a doubt is about, as `_find_names_read` gives it; empty where that is the whole source."""
    table = doubt.table.casefold()
    names = (f"{table}.{column.casefold()}" for column in doubt.columns) if doubt.columns else (table,)
    return frozenset(names) if table else frozenset()


def _find_tables_of_note(note: str, source: SourceAdded) -> frozenset[str]:
    """The tables of the file whose name a note begins with, in lower case; empty where it is about the whole source."""
    return frozenset(t.name.casefold() for t in source.tables if t.file and note.startswith(f"{t.file}: "))


def _is_new(names: frozenset[str], read: frozenset[str], read_before: frozenset[str] | None) -> bool:
    """Whether what is known of some tables or columns, or of the whole source, goes with this answer first."""
    return bool(names & read) and not names & (read_before or frozenset()) if names else read_before is None


def _is_read(column: str, turn: Turn) -> bool:
    """Whether a query that ran names a column, or gave one of its name."""
    return any(column.casefold() in f"{query.sql} {' '.join(query.columns)}".casefold() for query in turn.queries)
