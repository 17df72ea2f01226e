"""The doubts of a source: what was chosen while loading it, and what its tables tell. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.core.doubts import Doubt, notes_with, sort_doubts
from assistant.sources.catalog.declared import declared_doubts

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.sources.sources import Source


def list_doubts(source: Source, catalog: Catalog) -> tuple[Doubt, ...]:
    """All doubts of a source, the heaviest first.

    Args:
        source: The source, opened.
        catalog: Its catalog, with what persons said of its columns.
    """
    return sort_doubts((*source.doubts, *catalog.doubts, *declared_doubts(catalog.tables)))


def list_notes(source: Source, catalog: Catalog) -> tuple[str, ...]:
    """What is said of a source: its notes, and the sentences of its doubts, each once."""
    return notes_with(source.notes, list_doubts(source, catalog))
