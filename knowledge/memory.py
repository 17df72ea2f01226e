"""The knowledge base as an AutoGen `Memory` that is read-only for agents.

The text that it adds to a model's context is fenced, limited in length and in a user message: retrieved text never has
the authority of the system message. It stores nothing itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from autogen_core import CancellationToken
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import LLMMessage, UserMessage

from knowledge.base import KnowledgeBase
from knowledge.documents import Kind
from knowledge.errors import WriteRefused
from knowledge.fencing import fence, full_text
from knowledge.retrieval import Hit

_SPEAKER = "knowledge"


class KnowledgeMemory(Memory):
    """Looks up what the latest message speaks of."""

    def __init__(
        self,
        base: KnowledgeBase,
        *,
        k: int = 5,
        kinds: Sequence[Kind] | None = None,
        source: str | None = None,
        chars_max: int = 6_000,
    ) -> None:
        """Ask a base that was refreshed.

        Args:
            base: The knowledge base.
            k: At most this many documents for one query.
            kinds: Only documents of these kinds.
            source: Only documents of this data source and those of none in particular.
            chars_max: Most characters of documents in a model's context.
        """
        self._base = base
        self._k = k
        self._kinds = kinds
        self._source = source
        self._chars_max = chars_max

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,
        **kwargs: Any,  # the signature is AutoGen's; no argument beyond those named is known
    ) -> MemoryQueryResult:
        """Return the documents for a query, the best first, each with its citation as metadata.

        Raises:
            KnowledgeError: The base cannot be searched.
        """
        words = query if isinstance(query, str) else str(query.content)
        return MemoryQueryResult(results=[_content(hit) for hit in await self._hits(words)])

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add what the latest message of the context speaks of, as data.

        Raises:
            KnowledgeError: The base cannot be searched.
        """
        words = _latest_words(await model_context.get_messages())
        hits = await self._hits(words) if words else ()
        if hits:
            text = fence(hits, chars_max=self._chars_max)
            await model_context.add_message(UserMessage(content=text, source=_SPEAKER))
        return UpdateContextResult(memories=MemoryQueryResult(results=[_content(hit) for hit in hits]))

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Refuse: nothing is learned without a person.

        Raises:
            WriteRefused: Always.
        """
        raise WriteRefused("An agent cannot add to the knowledge base; let a person mark the answer as right.")

    async def clear(self) -> None:
        """Refuse: the documents are people's files.

        Raises:
            WriteRefused: Always.
        """
        raise WriteRefused("An agent cannot clear the knowledge base; delete files of the folder by hand.")

    async def close(self) -> None:
        """Do nothing: a base holds nothing open between calls."""

    async def _hits(self, words: str) -> tuple[Hit, ...]:
        return await asyncio.to_thread(self._base.search, words, k=self._k, kinds=self._kinds, source=self._source)


def _latest_words(messages: Sequence[LLMMessage]) -> str:
    """The text of the latest message that a person or another agent wrote."""
    for message in reversed(messages):
        if isinstance(message, UserMessage) and message.source != _SPEAKER:
            if isinstance(message.content, str):
                return message.content
            return "\n".join(part for part in message.content if isinstance(part, str))
    return ""


def _content(hit: Hit) -> MemoryContent:
    return MemoryContent(
        content=full_text(hit.document),
        mime_type=MemoryMimeType.TEXT,
        metadata={
            "id": hit.citation.id,
            "title": hit.citation.title,
            "origin": hit.citation.origin,
            "kind": hit.document.kind,
            "author": hit.document.author,
            "updated": hit.document.updated.isoformat() if hit.document.updated else None,
            "score": hit.score,
            "similarity": hit.similarity,
        },
    )
