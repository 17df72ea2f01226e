"""Search by name: documents whose name, or a synonym of it, occurs in the question.

Vector search ranks "net revenue by region last quarter" close to every question about regions; "net revenue" means the
metric of that name. Stop words and inflections are ignored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from knowledge.documents import ColumnDoc, Document, Metric, TableDoc, Term
from knowledge.lexical import tokens


def names_of(document: Document) -> tuple[str, ...]:
    """Return what people call the thing that a document defines; nothing for a document that defines none."""
    match document:
        case Term() | Metric():
            return (document.name, *document.synonyms)
        case TableDoc():
            return (document.table,)
        case ColumnDoc():
            return (f"{document.table} {document.column}",)
        case _:
            return ()


class Names:
    """An immutable index from names to ids."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """Index the names of each id."""
        self._ids: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for id_, called in names.items():
            for name in called:
                if words := tuple(tokens(name)):
                    self._ids[words].add(id_)
        self._length_max = max((len(words) for words in self._ids), default=0)

    def search(self, query: str) -> tuple[str, ...]:
        """Return the ids named in the query, those of longer names first, then in the order they are named.

        A name inside a longer one that was found does not count: "net revenue" does not name "revenue".
        """
        words = tokens(query)
        matches: dict[str, None] = {}
        covered = [False] * len(words)
        for length in range(min(self._length_max, len(words)), 0, -1):
            for start in range(len(words) - length + 1):
                ids = self._ids.get(tuple(words[start : start + length]))
                if ids and not any(covered[start : start + length]):
                    covered[start : start + length] = [True] * length
                    matches |= dict.fromkeys(sorted(ids))
        return tuple(matches)
