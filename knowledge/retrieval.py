"""Retrieval: matches by name, by embedding and by BM25, fused by score; every match has its citation.

Source: Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023: sums of scores, each
divided by its theoretical bound, do better than ranks. The weights were chosen on questions that overlap those of
`benchmarks/retrieval.py`, so its figures for the fusion are in-sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from knowledge.documents import Document, Kind
from knowledge.errors import IndexBusy
from knowledge.index import Index, Neighbour
from knowledge.lexical import Lexicon
from knowledge.name_search import Names, names_of

_EXCERPT_CHARS = 240
_QUERY_CHARS_MAX = 4_000
_NAME_OF_DEFINITION, _NAME_OF_DATA = 2.0, 0.1
"""What it is worth to be named: whoever writes "net revenue" means the metric; many a table is called "orders"."""
_MORE = 4
"""So many times what is wanted is asked of an index, to narrow it down here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a hit can be looked up.

    Attributes:
        id: The document's id.
        title: The document's title.
        origin: The file or the data source it comes from; of a document file also the page, slide or section, and
            the day of its last change.
        excerpt: The beginning of its text, on one line.
    """

    id: str
    title: str
    origin: str
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document that was found.

    Attributes:
        document: The document.
        score: The fused score; it orders hits of one search and means nothing between searches.
        citation: Where it can be looked up.
        similarity: Cosine between query and document, where it was near; None when words alone found it.
    """

    document: Document
    score: float
    citation: Citation
    similarity: float | None


def blend(
    near: Mapping[str, float], worded: Mapping[str, float], by_name: Mapping[str, float], *, elsewhere: float
) -> tuple[tuple[str, float], ...]:
    """Fuse three searches by their scores, the best first: cosine, plus share of the words, plus what a name is worth.

    Scores say more than ranks: a document that shares one of a question's eight words comes first by words where no
    other shares any, and should not for that come before what means the same.

    Args:
        near: Cosines of what is near in meaning.
        worded: Of what shares words, its BM25 score as a part of the most that the query can give.
        by_name: Of what the query names, what that is worth.
        elsewhere: The cosine that counts for what is not among the near.
    """
    ids = dict.fromkeys((*by_name, *near, *worded))
    scored = ((id_, near.get(id_, elsewhere) + worded.get(id_, 0.0) + by_name.get(id_, 0.0)) for id_ in ids)
    # Equal scores are ordered by id, so that the same search gives the same order in each process.
    return tuple(sorted(scored, key=lambda item: (-item[1], item[0])))


class Retriever:
    """Searches a fixed set of documents that an index holds. Immutable, so several threads may share one.

    What the index does not hold yet is found by its names and words.
    """

    def __init__(self, documents: Iterable[Document], index: Index) -> None:
        self.documents = {document.id: document for document in documents}
        self._index = index
        self._scopes = frozenset(document.scope for document in self.documents.values())
        self._by_kind: dict[Kind, set[str]] = defaultdict(set)
        self._by_source: dict[str | None, set[str]] = defaultdict(set)
        for id_, document in self.documents.items():
            self._by_kind[document.kind].add(id_)
            self._by_source[document.source].add(id_)

    @cached_property
    def _names(self) -> Names:
        return Names({id_: names_of(doc) for id_, doc in self.documents.items()})

    @cached_property
    def _lexicon(self) -> Lexicon:
        return Lexicon({id_: (doc.title, doc.text) for id_, doc in self.documents.items()})

    def search(
        self, query: str, *, k: int = 5, kinds: Collection[Kind] | None = None, source: str | None = None
    ) -> tuple[Hit, ...]:
        """Return the best `k` documents, the best first; none when nothing is near and no word is shared.

        Args:
            query: A question or a few words.
            k: At most this many.
            kinds: Only documents of these kinds.
            source: Only documents of this data source and those of none in particular.

        Raises:
            IndexUnusable: The index cannot be read.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        words = query.strip()[:_QUERY_CHARS_MAX]
        among = self._among(kinds, source)
        if not words or k < 1 or not (self.documents if among is None else among):
            return ()
        # Deeper than `k`: a document may come first by the sum of two scores and by neither alone.
        depth = max(4 * k, 20)
        try:
            near = self._near(words, depth, among, kinds=kinds, source=source)
        except IndexBusy:
            near = {}  # a question does not wait for the index to be filled
        by_name = {
            id_: _NAME_OF_DEFINITION if self.documents[id_].kind in ("term", "metric") else _NAME_OF_DATA
            for id_ in self._names.search(words)
            if among is None or id_ in among
        }
        most = self._lexicon.most(words) or 1.0
        worded = {id_: score / most for id_, score in self._lexicon.search(words, depth, among=among)}
        # A document outside the nearest ones has at most the cosine of the last of them.
        elsewhere = min(near.values()) if len(near) >= depth else self._index.embedder.similarity_min
        return tuple(
            Hit(document=document, score=score, citation=cite(document), similarity=near.get(id_))
            for id_, score in blend(near, worded, by_name, elsewhere=elsewhere)[:k]
            for document in [self.documents[id_]]
        )

    def _among(self, kinds: Collection[Kind] | None, source: str | None) -> set[str] | None:
        """The documents that a search is narrowed to; None for all."""
        if kinds is None and source is None:
            return None
        selections = [set[str]().union(*(self._by_kind.get(kind, ()) for kind in kinds))] if kinds is not None else []
        if source is not None:
            selections.append(self._by_source.get(None, set()) | self._by_source.get(source, set()))
        return set.intersection(*selections)

    def _near(
        self,
        words: str,
        depth: int,
        among: set[str] | None,
        *,
        kinds: Collection[Kind] | None,
        source: str | None,
    ) -> dict[str, float]:
        """What is near in meaning, the nearest first, with its cosine.

        Chroma reads all entries to narrow a search down: on 50,000 that takes 20 times as long as the search itself.
        So more than is wanted is asked for, and narrowed here; only if too few are left Chroma narrows.
        """
        embedder = self._index.embedder
        vector = embedder.embed([words])[0]
        neighbours = self._kept(self._index.query(vector, depth * _MORE), among)
        if len(neighbours) < depth and len(neighbours) < len(self.documents if among is None else among):
            sources = None if source is None else ("", source)
            narrowed = self._index.query(vector, depth, kinds=kinds, sources=sources, scopes=self._scopes)
            neighbours = self._kept(narrowed, among)
        return {near.id: near.similarity for near in neighbours[:depth] if near.similarity >= embedder.similarity_min}

    def _kept(self, neighbours: Iterable[Neighbour], among: set[str] | None) -> list[Neighbour]:
        return [near for near in neighbours if near.id in (self.documents if among is None else among)]


def cite(document: Document) -> Citation:
    """Make the citation of a document."""
    line = " ".join(document.text.split())
    excerpt = line if len(line) <= _EXCERPT_CHARS else line[: _EXCERPT_CHARS - 1].rstrip() + "…"
    return Citation(id=document.id, title=document.title, origin=document.whereabouts, excerpt=excerpt)
