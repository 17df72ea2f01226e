"""Look-ups into the past of sessions: the turns nearest to a query, by words and by meaning.

What has left the prompt is found here, in the words in which it was said: questions, clarifications, decisions,
answers and the names of results. Nothing is summarised. Meaning is compared sentence by sentence, so that a fact is
found though the rest of its question is about something else.

Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods (SIGIR 2009), with its k = 60.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from assistant.record.memory.summary import split_sentences
from assistant.record.memory.tiers import Digest
from knowledge.lexical import Lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Compare = Callable[[Sequence[str], Sequence[str]], "NDArray[np.float32] | None"]
"""The cosines of each of some texts with each of others; None where nothing compares them by meaning. Blocks."""

_FUSION_K = 60
_STATEMENT_WEIGHT = 2
"""A fact is stated once; a question that is like others stands in the lists of words and of meaning."""
_DEPTH = 10
_COSINE_MIN = 0.2
"""Below this, sentences have nothing to do with each other, as measured by `benchmarks/memory.py`."""


def compare_nothing(texts: Sequence[str], queries: Sequence[str]) -> None:
    """Compares no texts by meaning: where there is no encoder."""


class PastTurns:
    """An index over past turns by BM25, where what the person said counts twice, and by meaning. Calls block.

    Args:
        digests: The turns to search, in any order.
        compare: Compares texts by meaning.
    """

    def __init__(self, digests: Sequence[Digest], *, compare: Compare = compare_nothing) -> None:
        self._digests = {str(place): digest for place, digest in enumerate(digests)}
        self._compare = compare
        self._index = Lexicon(
            {place: (_text_of_person(digest), _text_of_answer(digest)) for place, digest in self._digests.items()}
        )

    def search(self, query: str, *, k: int = 3) -> tuple[Digest, ...]:
        """The at most `k` turns that share the rarest words with the query or lie near in meaning, the best first."""
        worded = [place for place, _ in self._index.search(query, _DEPTH)]
        scores: dict[str, float] = defaultdict(float)
        near = self._list_near(query, _list_statements), self._list_near(query, _list_questions)
        for weight, places in ((1, worded), (_STATEMENT_WEIGHT, near[0]), (1, near[1])):
            for rank, place in enumerate(places, start=1):
                scores[place] += weight / (_FUSION_K + rank)
        return tuple(self._digests[place] for place in sorted(scores, key=lambda place: -scores[place])[:k])

    def _list_near(self, query: str, list_sentences: Callable[[Digest], Sequence[str]]) -> list[str]:
        """The turns of which a sentence lies near to the query in meaning, the nearest first."""
        sentences = [
            (sentence, place) for place, digest in self._digests.items() for sentence in list_sentences(digest)
        ]
        cosines = self._compare([sentence for sentence, _ in sentences], [query]) if sentences else None
        if cosines is None:
            return []
        nearest: dict[str, float] = {}
        for (_, place), cosine in zip(sentences, cosines[:, 0], strict=True):
            nearest[place] = max(float(cosine), nearest.get(place, _COSINE_MIN))
        places = [place for place, cosine in nearest.items() if cosine > _COSINE_MIN]
        return sorted(places, key=lambda place: -nearest[place])[:_DEPTH]


def _list_statements(digest: Digest) -> list[str]:
    """What the person stated. Apart from questions, of which many are alike and would crowd a fact out."""
    return [sentence for sentence in _list_sentences_of_person(digest) if not sentence.endswith("?")]


def _list_questions(digest: Digest) -> list[str]:
    """What the person asked, and the beginning of the answer."""
    questions = [sentence for sentence in _list_sentences_of_person(digest) if sentence.endswith("?")]
    return [*questions, *split_sentences(digest.answer)[:1]]


def _list_sentences_of_person(digest: Digest) -> list[str]:
    return [text for words in (digest.question, *(r for _, r in digest.asked_back)) for text in split_sentences(words)]


def _text_of_person(digest: Digest) -> str:
    answers = (text for exchange in digest.asked_back for text in exchange)
    return " ".join((digest.question, *answers, *digest.decisions))


def _text_of_answer(digest: Digest) -> str:
    return " ".join((digest.answer, *digest.results))
