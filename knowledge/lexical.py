"""Search by words: BM25 over documents, with identifiers split and words lightly stemmed. In memory, pure Python.

It finds what embeddings miss: exact names, codes and rare words.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the usual
k1 = 1.2 and b = 0.75; the plural rules are Harman's S-stemmer (1991).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log

_K1, _B = 1.2, 0.75
_TITLE_WEIGHT = 2

# Words that carry the question's form and not its subject.
_STOP_WORDS = """
    a an and are as at be by did do does for from give had has have how i in is it its list many me much of on or
    please show tell that the their there these this those to was we were what when where which who with you
"""
_STOPPED = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def tokens(text: str) -> list[str]:
    """Split text into stemmed words without stop words: `OrderLines`, `order_lines` and "order line" are alike."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = (part.casefold() for word in _WORD.findall(plain) for part in _CAMEL.split(word))
    return [stem(word) for word in words if word not in _STOPPED]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Reduce an English word's inflections, lightly: plural, `-ing`, `-ed`, final `e`; short words stay."""
    if len(word) > 3:
        if word.endswith("ies") and not word.endswith(("aies", "eies")):
            word = word[:-3] + "y"
        elif word.endswith("s") and not word.endswith(("us", "ss", "aes", "ees", "oes")):
            word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and re.search("[aeiouy]", rest):
            # "shipped" and "ship" are one word; "selling" and "sell" keep their double letter on both sides.
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz"
            word = rest[:-1] if doubled else rest
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


class Lexicon:
    """An immutable BM25 index over texts."""

    def __init__(self, texts: Mapping[str, tuple[str, str]]) -> None:
        """Index texts.

        Args:
            texts: For each id its title and its body; a word in the title counts twice.
        """
        counts: dict[str, Counter[str]] = {}
        for id_, (title, body) in texts.items():
            counts[id_] = Counter(tokens(title) * _TITLE_WEIGHT + tokens(body))
        lengths = {id_: count.total() for id_, count in counts.items()}
        mean = sum(lengths.values()) / len(lengths) if lengths else 0.0
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for id_, count in counts.items():
            norm = _K1 * (1 - _B + _B * lengths[id_] / mean) if mean else _K1
            for token, n in count.items():
                self._postings[token].append((id_, n * (_K1 + 1) / (n + norm)))
        self._size = len(counts)

    def search(self, query: str, k: int, *, among: Iterable[str] | None = None) -> tuple[tuple[str, float], ...]:
        """Return the best `k` ids that share a word with the query, with their scores, the best first.

        Args:
            query: Words in any form.
            k: At least 1.
            among: Only these ids; None for all.
        """
        allowed = None if among is None else frozenset(among)
        scores: dict[str, float] = defaultdict(float)
        for token in dict.fromkeys(tokens(query)):
            postings = self._postings.get(token, [])
            rarity = log(1 + (self._size - len(postings) + 0.5) / (len(postings) + 0.5))
            for id_, weight in postings:
                if allowed is None or id_ in allowed:
                    scores[id_] += rarity * weight
        return tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k])
