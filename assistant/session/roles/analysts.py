"""Embedded analysts, shared by sessions on the same data, knowledge and day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from knowledge.documents import Document, Note

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.analyst.linking.embedding_links import Alike
    from assistant.core.catalog import Catalog
    from assistant.functions.matching import ListFunctions

_KEPT_MAX = 8


class Analysts:
    """The analysts that were used last. Calls block.

    Args:
        alike: Tells them how alike words are in meaning.
    """

    def __init__(self, alike: Alike) -> None:
        self._alike = alike
        self._kept: list[Analyst] = []

    def of(
        self,
        catalogs: Sequence[Catalog],
        documents: Sequence[Document],
        today: date,
        *,
        list_functions: ListFunctions | None = None,
    ) -> Analyst:
        """The analyst for this data, knowledge and day; made where none is kept.

        `list_functions` gives those that can be asked for by name; None: those that come with Tandem.
        """
        from assistant.analyst.analyst import Analyst
        from assistant.functions.library import list_shipped, list_studies

        functions = list_studies((list_functions or list_shipped)())

        # It reads no free text, so one more document file that was read makes no new analyst.
        relevant = tuple(document for document in documents if not isinstance(document, Note) or document.governs)
        for entry in self._kept:
            made_of = (entry.catalogs, entry.documents, entry.today, entry.functions)
            if made_of == (tuple(catalogs), relevant, today, functions):
                return entry
        analyst = Analyst(catalogs, relevant, today, alike=self._alike, functions=functions)
        self._kept = [analyst, *self._kept[: _KEPT_MAX - 1]]
        return analyst

    def forget(self) -> None:
        """Keep none: what they know of the data may hold values that are masked now."""
        self._kept.clear()
