"""Which turns of a session must not be shown any more, now that columns are masked which they used.

A turn is withheld if
- a query of it gave, compared or computed with such a column (or it cannot be told whether it did);
- it ran Python in a kernel that held the result of such a query;
- a language model spoke in it after such a query, or of such a column by name;
- it says a value of such a column.

It is withheld as a whole, for what was derived from a value cannot be told from what was not. How a withheld turn is
shown is `assistant.record.store.withholding`'s; forgetting kernels and files is the session's. Events in, events out.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from assistant.cells.references import find_literal_files
from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import QueryRefused, SourceError
from assistant.core.doubts import list_other_notes
from assistant.core.events import (
    AnyEvent,
    Decision,
    DecisionRequested,
    Event,
    Execution,
    ExecutionStarted,
    Proposal,
    SessionRenamed,
    SourceAdded,
    Usage,
    Withheld,
)
from assistant.core.events import Value as Part
from assistant.core.turns import fold_events
from assistant.errors import DataError
from assistant.query.cells import QueryProblem, is_query_cell, literal_queries
from assistant.query.mask_inheritance import Inherited, inherit_masks
from assistant.query.mask_rules import find_masked_outputs
from assistant.query.masks import Masks, describe_mask, exclude_masked_doubts, find_masks, read_noted_masks
from assistant.sources.masked_source import MaskedSource
from assistant.sources.sources import Source

VALUE_CHARS_MIN = 4
"""Shorter values are not looked for in what was said: they would be found everywhere."""


class SessionSources(Protocol):
    """The session's sources."""

    async def sources(self) -> tuple[Source, ...]:
        """All of them, open."""
        ...


def has_mask_changes(events: Sequence[Event], mask: Sequence[str]) -> bool:
    """Whether columns are masked otherwise than when the log last spoke of their source."""
    return any(any(_change(added, mask)) for added in _sources(events))


async def find_withholding(
    events: Sequence[Event], mask: Sequence[str], sources: SessionSources, *, no_question: str
) -> tuple[AnyEvent, ...]:
    """What to append to a log so that nothing is shown of columns that were masked since: turns, and the new masks.

    A column that is not masked any more is told as well: should it be masked again, it is masked since then. Where a
    source cannot be opened, every turn that queried it is withheld.

    Args:
        events: The session's log.
        mask: The setting `mask` as it is now.
        sources: The session's sources.
        no_question: What a withheld question is called.
    """
    try:
        opened = {source.name: source for source in await sources.sources()}
    except DataError:
        opened = {}
    new_events: list[AnyEvent] = []
    columns: dict[int, list[str]] = {}
    question_turns: set[int] = set()
    for place, source_event in enumerate(_sources(events)):
        fresh, lifted = _change(source_event, mask)
        added = source_event.model_copy(
            update={"notes": _without_lifted(source_event, lifted, opened.get(source_event.name))}
        )
        if not fresh:
            new_events += [added] if lifted else []
            continue
        added = _without_doubts(added, fresh)
        catalog, notes = await _known(opened.get(added.name), added, fresh)
        inherited = await asyncio.to_thread(_in, catalog, fresh, added)
        search = _Search(added.name, first=place == 0, dialect=added.dialect, catalog=catalog, inherited=inherited)
        await asyncio.to_thread(search.read, events)
        column_names = [f"{added.name}.{table}.{column}" for table, names in fresh.items() for column in sorted(names)]
        for turn in sorted(search.turns):
            columns.setdefault(turn, []).extend(column_names)
        question_turns |= search.question_turns
        new_events.append(added.model_copy(update={"notes": notes}))
    new_events += [
        Withheld(turn=turn, columns=tuple(names), question=turn in question_turns) for turn, names in columns.items()
    ]
    transcript = fold_events(events)
    if not transcript.name and transcript.turns and transcript.turns[0].number in question_turns:
        new_events.append(SessionRenamed(title=no_question))
    return tuple(new_events)


class _Search:
    """Goes through a log once, and finds the turns that used some columns of one source."""

    def __init__(
        self, source: str, *, first: bool, dialect: str, catalog: Catalog | None, inherited: Inherited
    ) -> None:
        self.turns: set[int] = set()
        self.question_turns: set[int] = set()
        self._source = source
        self._first = first
        self._dialect = dialect
        self._catalog = catalog
        self._inherited = inherited
        self._values = set(_values(catalog, inherited.masks)) if catalog is not None else set[str]()
        self._kernel_knows = False

    def read(self, events: Sequence[Event]) -> None:
        """Fill `turns`, and `question_turns` with those whose very question says a value."""
        turns_with_answers: set[int] = set()
        for event in events:
            code = _code(event)
            if code is not None and self._uses(code):
                self.turns.add(event.turn)
                self._kernel_knows |= isinstance(event, ExecutionStarted | Execution)
            elif (
                isinstance(event, Execution | ExecutionStarted) and self._kernel_knows and not is_query_cell(event.code)
            ):
                self.turns.add(event.turn)
            elif isinstance(event, Usage):
                turns_with_answers.add(event.turn)
                if self.turns:
                    self.turns.add(event.turn)
        names = {name for columns in self._inherited.own_masks.values() for name in columns}
        for turn in {event.turn for event in events if event.turn}:
            words = "\n".join(text for event in events if event.turn == turn for text in _texts(event)).casefold()
            if _says(words, self._values) or (turn in turns_with_answers and _says(words, names)):
                self.turns.add(turn)
        for turn in fold_events(events).turns:
            if turn.number in self.turns and _says(turn.question.casefold(), self._values):
                self.question_turns.add(turn.number)

    def _uses(self, code: str) -> bool:
        if find_literal_files(code):
            return True  # a file is read whole, with every column of it
        queries = literal_queries(code)
        if isinstance(queries, QueryProblem):
            return False
        used = [q.sql for q in queries if q.source == self._source or (q.source is None and self._first)]
        used = [sql for sql in used if self._touches(sql)]
        for sql in used:  # what was compared with the column is a value of it, or could be
            self._values.update(text.casefold() for text in re.findall(r"'([^']*)'", sql) if _is_telling(text))
        return bool(used)

    def _touches(self, sql: str) -> bool:
        if self._catalog is None:
            return True
        try:
            cover = find_masked_outputs(
                sql,
                dialect=self._dialect,
                catalog=self._catalog,
                masks=self._inherited.masks,
                clear=self._inherited.clear,
            )
            return any(cover.masked)
        except QueryRefused:
            return True


async def _known(source: Source | None, added: SourceAdded, fresh: Masks) -> tuple[Catalog | None, tuple[str, ...]]:
    """The catalog with the values to look for, and the notes of the source with its new masks."""
    by_name = tuple(
        describe_mask(table, column) for table, columns in _spelt(fresh, added).items() for column in columns
    )
    notes = tuple(dict.fromkeys((*added.notes, *by_name)))
    if not isinstance(source, MaskedSource):
        return None, notes
    try:
        clear = await source.catalog_in_clear()
        await source.catalog()
    except DataError:
        return None, notes
    return clear, tuple(dict.fromkeys((*notes, *source.notes)))


def _sources(events: Sequence[Event]) -> tuple[SourceAdded, ...]:
    """The sources as the log last spoke of them, in the order in which they came."""
    transcript = fold_events(events)
    source_events = {source.name: source for source in transcript.sources}
    return tuple(source_events[name] for name in transcript.sources_since)


def _change(added: SourceAdded, mask: Sequence[str]) -> tuple[Masks, Masks]:
    """The masked columns of a source of which its notes do not know, and those of its notes that are masked no more."""
    columns_of = {table.name: table.columns for table in added.tables}
    noted = read_noted_masks(added.notes, columns_of)
    known_by_name = read_noted_masks(added.notes, columns_of, inherited=False)
    tables = tuple(
        Table(
            name=table.name,
            columns=tuple(Column(name=name, type="", kind="text") for name in table.columns),
            part_of=table.part_of,
        )
        for table in added.tables
    )
    catalog = Catalog(source=added.name, dialect=added.dialect, tables=tables)
    now: Masks = {}
    for entry in mask:
        try:
            entry_masks = find_masks((entry,), catalog)
        except SourceError:
            continue  # no column of this source: opening the source says so
        for table, columns in entry_masks.items():
            now = {**now, table: now.get(table, frozenset()) | columns}
    now = inherit_masks(now, catalog).masks  # partitions
    return _without(now, noted), _without(known_by_name, now)


def _without(masks: Masks, removals: Masks) -> Masks:
    left = {table: columns - removals.get(table, frozenset()) for table, columns in masks.items()}
    return {table: columns for table, columns in left.items() if columns}


def _spelt(masks: Masks, added: SourceAdded) -> dict[str, list[str]]:
    """The masked columns as the source spells them."""
    return {
        table.name: [name for name in table.columns if name.casefold() in masks[table.name.casefold()]]
        for table in added.tables
        if table.name.casefold() in masks
    }


def _without_doubts(added: SourceAdded, masks: Masks) -> SourceAdded:
    """A source without its doubts about columns that are masked now: they may name values."""
    other_doubts = exclude_masked_doubts(added.doubts, masks)
    hidden = [doubt for doubt in added.doubts if doubt not in other_doubts]
    return added.model_copy(update={"doubts": other_doubts, "notes": list_other_notes(added.notes, hidden)})


def _without_lifted(source_event: SourceAdded, lifted: Masks, source: Source | None) -> tuple[str, ...]:
    """The notes of a source without columns that are masked no more, and without what only showed these."""
    if not lifted:
        return source_event.notes
    lifted_notes = {
        describe_mask(table, column) for table, columns in _spelt(lifted, source_event).items() for column in columns
    }
    inherited_notes = {
        describe_mask(t.name, column, inherits=True) for t in source_event.tables for column in t.columns
    }
    left = (note for note in source_event.notes if note not in lifted_notes | inherited_notes)
    return tuple(dict.fromkeys((*left, *(inherited_notes & set(source.notes if source is not None else ())))))


def _in(catalog: Catalog | None, masks: Masks, added: SourceAdded) -> Inherited:
    """The masks as they are in a catalog, which knows what else shows the columns."""
    entries = [f"{table}.{column}" for table, columns in _spelt(masks, added).items() for column in columns]
    try:
        return (
            Inherited(own_masks=masks, masks=masks)
            if catalog is None
            else inherit_masks(find_masks(entries, catalog), catalog)
        )
    except SourceError:
        return Inherited(own_masks=masks, masks=masks)  # the source has changed since


def _values(catalog: Catalog, masks: Masks) -> Iterator[str]:
    """The values of masked text columns that the catalog knows, in lower case."""
    for table in catalog.tables:
        for column in table.columns:
            if column.profile is None or column.name.casefold() not in masks.get(table.name.casefold(), frozenset()):
                continue
            profile = column.profile
            profile_values = (*(profile.values or ()), *(value for value, _ in profile.top), profile.low, profile.high)
            yield from (value.casefold() for value in profile_values if isinstance(value, str) and _is_telling(value))


def _is_telling(value: str) -> bool:
    return len(value.strip()) >= VALUE_CHARS_MIN


def _says(words: str, values: Collection[str]) -> bool:
    """Whether a text, in lower case, holds one of these as whole words."""
    text_words = set(re.findall(r"\w+", words))
    for value in values:
        parts = re.findall(r"\w+", value)
        if all(part in text_words for part in parts) and re.search(rf"(?<!\w){re.escape(value.strip())}(?!\w)", words):
            return True
    return False


def _code(event: Event) -> str | None:
    match event:
        case Proposal() | ExecutionStarted() | Execution() | Decision() | DecisionRequested():
            return event.code
        case _:
            return None


def _texts(part: object) -> Iterator[str]:
    """All texts in an event."""
    match part:
        case str():
            yield part
        case Part():
            for name in type(part).model_fields.keys() - {"kind"}:
                yield from _texts(getattr(part, name))
        case dict():
            for value in part.values():  # pyright: ignore[reportUnknownVariableType]  # an output of nbformat
                yield from _texts(value)  # pyright: ignore[reportUnknownArgumentType]  # likewise
        case tuple() | list():
            for value in part:  # pyright: ignore[reportUnknownVariableType]  # likewise
                yield from _texts(value)  # pyright: ignore[reportUnknownArgumentType]  # likewise
        case _:
            return
