"""Values for the knowledge page about an entry that a person edits. The page imports this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

EntryValue = str | tuple[str, ...]
"""What a field says: a text, or several names or conditions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of the knowledge folder, to be changed.

    Attributes:
        id: Its id.
        kind: term, metric, rule, query or note.
        values: What its fields say.
        by: Who changed it last, where its file says so.
        on: The day of that.
        undo: Who made the last change, where that can be taken back; else empty.
    """

    id: str
    kind: str
    values: Mapping[str, EntryValue]
    by: str = ""
    on: date | None = None
    undo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of an edited entry on the data.

    Attributes:
        text: It in a sentence.
        sql: The SQL that was run; empty where none was.
        columns: The columns of the rows that it gave.
        rows: At most the first rows.
        total: How many rows there are in all.
        unit: What its figures are ("EUR", "%"); empty for plain numbers.
    """

    text: str = ""
    sql: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = field(default=(), repr=False)
    total: int = 0
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How trying or keeping a change went.

    Attributes:
        faults: What is wrong, by field; under "" what concerns no single field. Nothing is kept where there is any.
        effects: What it comes to, for each source or table that it speaks of.
        id: The entry's id now, where it was kept; else empty.
    """

    faults: Mapping[str, str] = field(default_factory=dict[str, str])
    effects: tuple[Effect, ...] = ()
    id: str = ""
