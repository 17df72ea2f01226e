"""Knowledge of the default data, before any session: its analyst, starter questions and knowledge entries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.analyst.schema import Schema
from assistant.connections.descriptions import Starter
from assistant.connections.starter_questions import KINDS, Figure, Kind, choose_starters
from assistant.semantics.definitions import faults_of, filter_usable
from assistant.session.knowledge.data_folders import list_knowledge_files
from assistant.session.knowledge.knowledge_bases import KnowledgeBases, revoked_from
from assistant.session.knowledge.knowledge_cards import Knowledge, build_card
from knowledge.documents import Document, Metric

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.analyst.outcomes import Explanation
    from assistant.core.catalog import Catalog
    from assistant.session.roles.analysts import Analysts
    from assistant.sources.defaults import DefaultSources
    from knowledge.base import KnowledgeBase

_METRICS_MAX = 2


class DefaultKnowledge:
    """The knowledge of the default data.

    Args:
        sources: The default sources.
        knowledge_bases: Opens their knowledge base.
        analysts: Gives the embedded analyst for them.
        home: Tandem's home folder.
        today: Gives the day that counts as today.
    """

    def __init__(
        self,
        sources: DefaultSources,
        *,
        knowledge_bases: KnowledgeBases,
        analysts: Analysts,
        home: Path,
        today: Callable[[], date],
    ) -> None:
        self._sources = sources
        self._home = home
        self._knowledge_bases = knowledge_bases
        self._analysts = analysts
        self._today = today

    async def folder(self) -> Path:
        """The folder that entries are written to.

        Raises:
            KnowledgeError: There is none, and no file beside which to make one.
        """
        return await asyncio.to_thread(self._knowledge_bases.place, await self._list_files())

    async def folders(self) -> tuple[Path, ...]:
        """The folders that entries are read from."""
        return await asyncio.to_thread(self._knowledge_bases.folders, await self._list_files())

    async def catalogs(self) -> tuple[Catalog, ...]:
        """The catalogs of the default sources."""
        return tuple(catalog for _, catalog in await self._sources.catalogs())

    async def analyst(self) -> Analyst:
        """The embedded analyst, with all entries that can be used."""
        catalogs, library = await self._library()
        documents = library.documents()
        usable_documents = filter_usable(documents, await asyncio.to_thread(faults_of, documents, catalogs))
        return await asyncio.to_thread(self._analysts.of, catalogs, usable_documents, self._today())

    async def explain(self, question: str) -> Explanation | None:
        """How the embedded analyst reads a question; None where it has no reading."""
        return await asyncio.to_thread((await self.analyst()).explain, question)

    async def starters(self, analyst: Analyst | None = None) -> tuple[Starter, ...]:
        """Questions that an analyst can answer, each tried; the default data's analyst where none is given."""
        reader = analyst or await self.analyst()
        return await asyncio.to_thread(
            build_starters,
            reader.catalogs,
            reader.documents,
            self._today(),
            reads=lambda text: type(reader.read(text)).__name__ == "Understood",
        )

    async def quick_starters(self) -> tuple[Starter, ...]:
        """Questions made of the tables and of what is written about them, not tried."""
        catalogs = await self.catalogs()
        documents = await asyncio.to_thread(self._knowledge_bases.written, await self._list_files())
        return await asyncio.to_thread(build_starters, catalogs, documents, self._today(), reads=lambda _: True)

    async def entries(self) -> Knowledge:
        """What is written down; what the schemas themselves say is left out."""
        _, library = await self._library()
        await asyncio.to_thread(library.index)
        return Knowledge(
            folder=str(library.folder or ""),
            cards=tuple(
                build_card(document, library.folder)
                for document in library.documents()
                if document.kind not in ("table", "column")
            ),
            problems=tuple(str(problem) for problem in library.problems),
            embedded=library.progress.done,
            to_embed=library.progress.total,
            files_indexed=library.reading.done,
            files_total=library.reading.total,
        )

    async def problems(self) -> tuple[str, ...]:
        """What of the folder cannot be read or used, in words.

        Raises:
            AssistantError: A source cannot be opened.
        """
        _, library = await self._library()
        return tuple(str(problem) for problem in library.problems)

    async def revoke_query(self, id_: str) -> str:
        """Keep a verified query no more. Gives the file in which it stood.

        Raises:
            SessionError: It is gone, was written or edited by hand, or cannot be removed.
        """
        return await asyncio.to_thread(revoked_from, await self.folders(), id_)

    async def _list_files(self) -> tuple[Path, ...]:
        """The files beside which the knowledge of the default sources lies."""
        addresses = await self._sources.addresses()
        return await asyncio.to_thread(list_knowledge_files, addresses, home=self._home)

    async def _library(self) -> tuple[tuple[Catalog, ...], KnowledgeBase]:
        catalogs = await self.catalogs()
        return catalogs, await asyncio.to_thread(self._knowledge_bases.of, catalogs, await self._list_files())


def build_starters(
    catalogs: Sequence[Catalog], documents: Sequence[Document], today: date, *, reads: Callable[[str], bool]
) -> tuple[Starter, ...]:
    """Of each kind the first question that can be read, in the order of the kinds. Takes a moment: blocks.

    Args:
        catalogs: The sources, the first one first.
        documents: What is known; metrics are asked for before columns.
        today: The day that counts as today.
        reads: Whether a question can be answered.
    """
    questions: dict[Kind, str] = {}
    for catalog in catalogs:
        if len(questions) == len(KINDS):
            break
        for kind, text in choose_starters(Schema.of(catalog), _metrics(catalog, documents), today, reads=reads):
            questions.setdefault(kind, text)
    return tuple(Starter(kind=kind, text=questions[kind]) for kind in KINDS if kind in questions)


def _metrics(catalog: Catalog, documents: Sequence[Document]) -> tuple[Figure, ...]:
    metrics = [metric for metric in documents if isinstance(metric, Metric) and catalog.table(metric.table) is not None]
    return tuple(
        Figure(words=metric.name, table=metric.table, dated=bool(metric.date_column), is_metric=True)
        for metric in metrics[:_METRICS_MAX]
    )
