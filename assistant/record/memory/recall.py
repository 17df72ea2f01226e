"""Look-ups into the past of sessions: the turns whose words are nearest to a query.

What has left the prompt is found here, in the words in which it was said: questions, clarifications, decisions,
answers and the names of results. Pure and in memory; nothing is summarised or embedded.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.record.memory.tiers import Digest
from knowledge.lexical import Lexicon


class PastTurns:
    """An index over past turns by BM25; what the person said counts twice.

    Args:
        digests: The turns to search, in any order.
    """

    def __init__(self, digests: Sequence[Digest]) -> None:
        self._digests = {str(place): digest for place, digest in enumerate(digests)}
        self._index = Lexicon(
            {place: (_text_of_person(digest), _text_of_answer(digest)) for place, digest in self._digests.items()}
        )

    def search(self, query: str, *, k: int = 3) -> tuple[Digest, ...]:
        """The at most `k` turns that share the rarest words with the query, the best first."""
        return tuple(self._digests[place] for place, _ in self._index.search(query, k))


def _text_of_person(digest: Digest) -> str:
    answers = (text for exchange in digest.asked_back for text in exchange)
    return " ".join((digest.question, *answers, *digest.decisions))


def _text_of_answer(digest: Digest) -> str:
    return " ".join((digest.answer, *digest.results))
