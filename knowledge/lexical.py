"""Search by words: BM25 over documents, with identifiers split and words lightly stemmed. In memory.

It finds what embeddings miss: exact names, codes and rare words.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the usual
k1 = 1.2 and b = 0.75; the plural rules are Harman's S-stemmer (1991).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Collection, Mapping
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
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [token for word in _WORD.findall(text) for token in _of_word(word)]


@lru_cache(maxsize=50_000)
def _of_word(word: str) -> tuple[str, ...]:
    folded = (part.casefold() for part in _CAMEL.split(word))
    return tuple(stem(part) for part in folded if part not in _STOPPED)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Reduce an English word's inflections, lightly: plural, `-ing`, `-ed`, final `e`; short words stay."""
    if len(word) > 3:
        if word.endswith("ies") and not word.endswith(("aies", "eies")):
            word = word[:-3] + "y"
        elif word.endswith("s") and not word.endswith(("us", "ss", "aes", "ees", "oes")):
            word = word[:-1]
    for ending in ("ing", "ed"):
        stripped = word.removesuffix(ending)
        if stripped != word and len(stripped) > 2 and re.search("[aeiouy]", stripped):
            # "shipped" and "ship" are one word; "selling" and "sell" keep their double letter on both sides.
            doubled = len(stripped) > 3 and stripped[-1] == stripped[-2] and stripped[-1] not in "aeioulsz"
            word = stripped[:-1] if doubled else stripped
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


class Lexicon:
    """An immutable BM25 index over texts. 50,000 short texts take about 20 MB."""

    def __init__(self, texts: Mapping[str, tuple[str, str]]) -> None:
        """Index texts.

        Args:
            texts: For each id its title and its body; a word in the title counts twice.
        """
        self._ids = tuple(texts)
        self._places: dict[str, int] = {}
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
        lengths = array("f")
        for place, (id_, (title, body)) in enumerate(texts.items()):
            self._places[id_] = place
            count = Counter(tokens(title) * _TITLE_WEIGHT + tokens(body))
            lengths.append(count.total())
            for token, n in count.items():
                places, times = self._postings.setdefault(token, (array("i"), array("f")))
                places.append(place)
                times.append(n)
        mean = sum(lengths) / len(lengths) if lengths else 0.0
        self._norms = array("f", (_K1 * (1 - _B + _B * length / mean) if mean else _K1 for length in lengths))

    def most(self, query: str) -> float:
        """More than any document can score for a query: what one would that held every word of it without end."""
        size = len(self._ids)
        postings = (
            (self._postings[token][0] if token in self._postings else ()) for token in dict.fromkeys(tokens(query))
        )
        return sum(log(1 + (size - len(places) + 0.5) / (len(places) + 0.5)) * (_K1 + 1) for places in postings)

    def search(self, query: str, k: int, *, among: Collection[str] | None = None) -> tuple[tuple[str, float], ...]:
        """Return the best `k` ids that share a word with the query, with their scores, the best first.

        Args:
            query: Words in any form.
            k: At least 1.
            among: Only these ids; None for all.
        """
        import numpy as np

        terms = [token for token in dict.fromkeys(tokens(query)) if token in self._postings]
        if not terms:
            return ()
        scores = np.zeros(len(self._ids), dtype=np.float64)
        norms = np.frombuffer(self._norms, dtype=np.float32)
        for token in terms:
            places, times = (np.frombuffer(part, dtype=part.typecode) for part in self._postings[token])
            rarity = log(1 + (len(self._ids) - len(places) + 0.5) / (len(places) + 0.5))
            scores[places] += rarity * (times * (_K1 + 1) / (times + norms[places]))
        if among is not None:
            allowed = np.zeros(len(self._ids), dtype=bool)
            allowed[[self._places[id_] for id_ in among if id_ in self._places]] = True
            scores[~allowed] = 0.0
        matches = np.flatnonzero(scores)
        if len(matches) > k:
            least = np.partition(scores[matches], -k)[-k]
            matches = matches[scores[matches] >= least]
        ranked = sorted(((self._ids[place], float(scores[place])) for place in matches), key=lambda i: (-i[1], i[0]))
        return tuple(ranked[:k])
