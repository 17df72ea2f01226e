"""What a source is, on one line. Pure."""

from __future__ import annotations

from assistant.api.events import SourceAdded
from assistant.api.sources import SourceShown
from ui.views.text import count, format_day


def describe_place(source: SourceShown | SourceAdded) -> str:
    """Where it is; empty where that says no more than its name."""
    return "" if source.display.rstrip("/") == source.name else source.display


def describe_source(source: SourceShown) -> str:
    """Its tables, rows, period and last change."""
    parts = [count(len(source.tables), "table"), count(source.rows, "row")]
    if source.period:
        parts.append(f"{format_day(source.period[0])} to {format_day(source.period[1])}")
    if source.changed:
        parts.append(f"changed {format_day(source.changed[:10])}")
    return " · ".join(parts)
