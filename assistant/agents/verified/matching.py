"""Finds what was marked right on the data of a session, for a question with its words or with other values in them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.agents.verified.code import change_steps, fits, list_steps
from knowledge.relative_days import fill_days

if TYPE_CHECKING:
    from assistant.agents.analyst.reading import Reader
    from assistant.agents.roles import SessionContext
    from assistant.core.catalog import Catalog
    from knowledge.documents import VerifiedQuery, VerifiedStep

_OFFERED_MAX = 2
_LIKE_MIN = 0.5
"""So large a part of the words of two questions is common to both, for one to be offered beside the other."""
_CHANGES_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedMatch:
    """A verified query that answers a question, with its code as it runs today.

    Attributes:
        query: What was marked right.
        steps: Its cells, with the days and values of the question.
        is_adapted: Whether they hold other values than those that were marked.
    """

    query: VerifiedQuery
    steps: tuple[VerifiedStep, ...]
    is_adapted: bool = False


class VerifiedAnswers:
    """Finds what was marked right on the data of a session.

    Args:
        context: What the session may look up.
        reader: The embedded analyst, which knows the values of columns.
        reads_queries: Whether the participants behind answer verified queries of one statement themselves.
    """

    def __init__(self, context: SessionContext, *, reader: Reader, reads_queries: bool) -> None:
        self._context = context
        self._reader = reader
        self._reads_queries = reads_queries

    async def find_match(self, question: str, *, is_first: bool) -> VerifiedMatch | None:
        """What answers a question; None where nothing that was marked has its words.

        Args:
            question: The question.
            is_first: Whether nothing was asked before it: then it may also be known by the words that were typed.
        """
        queries = [query for query in await self._list_queries() if query.steps or not self._reads_queries]
        if not queries:
            return None
        catalogs = await self._context.catalogs()
        for query in queries:
            texts = (query.question, query.asked) if is_first else (query.question,)
            if await asyncio.to_thread(_is_among, question, texts) and await self._fits(query):
                return VerifiedMatch(query=query, steps=self._fill(query, catalogs))
        for query in queries:
            if (steps := await self._adapt(query, question, catalogs)) is not None:
                return VerifiedMatch(query=query, steps=steps, is_adapted=True)
        return None

    async def find_like(self, question: str) -> tuple[str, ...]:
        """Verified questions that are like a question, the likest first."""
        words = frozenset(await asyncio.to_thread(_list_lemmas, question))
        ranked: list[tuple[float, VerifiedQuery]] = []
        for query in await self._list_queries():
            own = frozenset(await asyncio.to_thread(_list_lemmas, query.question))
            likeness = len(words & own) / len(words | own) if words | own else 0.0
            if likeness >= _LIKE_MIN:
                ranked.append((likeness, query))
        ranked.sort(key=lambda entry: -entry[0])
        like: list[str] = []
        for _, query in ranked:
            if len(like) < _OFFERED_MAX and await self._fits(query):
                like.append(query.question)
        return tuple(like)

    async def _list_queries(self) -> list[VerifiedQuery]:
        """What was marked right, on whatever data."""
        from knowledge.documents import VerifiedQuery

        return [document for document in await self._context.documents() if isinstance(document, VerifiedQuery)]

    async def _fits(self, query: VerifiedQuery) -> bool:
        """Whether a query can be asked of the open sources: its SQL is read for that, so ask it of few."""
        return await asyncio.to_thread(fits, query, await self._context.catalogs())

    def _fill(self, query: VerifiedQuery, catalogs: Sequence[Catalog]) -> tuple[VerifiedStep, ...]:
        """The cells of a verified query as they run today."""
        today = self._context.today
        return tuple(replace(step, code=fill_days(step.code, today)) for step in list_steps(query, catalogs))

    async def _adapt(
        self, query: VerifiedQuery, question: str, catalogs: Sequence[Catalog]
    ) -> tuple[VerifiedStep, ...] | None:
        """The cells with the values of a question in the places of the old ones; None where more is different."""
        from assistant.analyst.verified import find_changes, list_significant_words

        old, new = await asyncio.to_thread(
            lambda: (list_significant_words(query.question), list_significant_words(question))
        )
        different = sum(before.lemma != after.lemma for before, after in zip(old, new, strict=False))
        if len(old) != len(new) or not 0 < different <= _CHANGES_MAX or not await self._fits(query):
            return None
        source = (await self._reader.get_analyst()).sources.get(query.source or catalogs[0].source)
        if source is None:
            return None
        changes = await asyncio.to_thread(find_changes, old, new, source)
        return await asyncio.to_thread(change_steps, self._fill(query, catalogs), changes, source.schema.dialect)


def _is_among(question: str, texts: Sequence[str]) -> bool:
    """Whether a question has the words of one of some texts."""
    lemmas = _list_lemmas(question)
    return bool(lemmas) and any(lemmas == _list_lemmas(text) for text in texts)


def _list_lemmas(question: str) -> list[str]:
    from assistant.analyst.verified import list_significant_words

    return [word.lemma for word in list_significant_words(question)]
