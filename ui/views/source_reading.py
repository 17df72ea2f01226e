"""A source in one line, and its import: its tables, with points to check in expanders."""

from __future__ import annotations

from collections.abc import Iterable, Sized

import streamlit as st

from assistant.api.doubts import Doubt, list_other_notes
from assistant.api.events import SourceAdded
from assistant.api.sources import SourceShown
from ui.views.text import count, format_day, line, shorten

_TABLES_MAX = 240


def draw(sources: Iterable[SourceAdded], *, key: str) -> None:
    """Draw the sources that came with a conversation or a question."""
    for source in sources:
        tables = shorten(describe_tables(source), _TABLES_MAX)
        st.markdown(f":gray[:material/database:] **{line(source.name)}** :gray[{line(tables)}]")
        if source.doubts:
            with st.expander("Please check", type="compact", key=f"check-{key}-{source.name}"):
                st.markdown("\n".join(f"- {line(say_doubt(doubt, source.tables))}" for doubt in source.doubts))
        if notes := list_other_notes(source.notes, source.doubts):
            with st.expander("How it was read", type="compact", key=f"read-{key}-{source.name}"):
                st.markdown("\n".join(f"- {line(note)}" for note in notes))


def say_doubt(doubt: Doubt, tables: Sized) -> str:
    """The sentence of a doubt, with its table where the source has several."""
    return f"{doubt.table}: {doubt.sentence}" if doubt.table and len(tables) > 1 else doubt.sentence


def describe_tables(source: SourceAdded) -> str:
    """The tables of a source with their rows; the name of the only one is left out where it is the source's own."""
    alone = len(source.tables) == 1 and source.tables[0].name == source.name
    return ", ".join(
        " ".join(filter(None, ("" if alone else table.name, _format_rows(table.rows)))) for table in source.tables
    )


def _format_rows(rows: int | None) -> str:
    """A number of rows in brackets; empty where it is not known."""
    return "" if rows is None else f"({count(rows, 'row')})"


def describe_place(source: SourceShown | SourceAdded) -> str:
    """The location of the source; empty where it only repeats the name."""
    return "" if source.display.rstrip("/") == source.name else source.display


def describe_source(source: SourceShown) -> str:
    """Its tables, rows, period and last change."""
    parts = [count(len(source.tables), "table"), count(source.rows, "row")]
    if source.period:
        parts.append(f"{format_day(source.period[0])} to {format_day(source.period[1])}")
    if source.changed:
        parts.append(f"changed {format_day(source.changed[:10])}")
    return " · ".join(parts)
