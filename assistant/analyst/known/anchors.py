"""Which words of a question are metrics and terms of the knowledge base.

The name of a term covers the words that narrow a thing down ("churned" in "churned customers"); the thing itself is
read as any other. A term that names a whole thing ("prospects") is first written out as both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.analyst.known.documents import NamedTerm, PreparedDocuments, name_words
from assistant.analyst.linking.tokens import Word, synonyms
from assistant.analyst.parts import MeasuredFigure, Part
from assistant.analyst.schema import Schema

DEFINED = "knows"
"""How the name of a rule begins that reads words as they were defined; how many words follow."""
_SURE = 1.2
_LONGER = 0.2
_WORDS_MAX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrase:
    words: tuple[str, ...]
    category: str
    meaning: object
    document: str
    before: tuple[str, ...] = ()
    """The words that must follow; none where it may stand anywhere."""
    of: frozenset[str] = frozenset()
    """Words of which one must be said somewhere: a part of a synonym is no name of its own."""


class KnownLinker:
    """Finds what the knowledge base names in a question about one schema."""

    def __init__(self, documents: PreparedDocuments, schema: Schema) -> None:
        self._schema = schema
        self._phrases: dict[tuple[str, ...], list[_Phrase]] = {}
        self._whole: dict[tuple[str, ...], NamedTerm] = {}
        for metric in documents.metrics:
            for name in metric.names:
                tokens, meaning = name_words(name), MeasuredFigure(metric.figure, metric.table)
                self._add(_Phrase(words=tokens, category="figure", meaning=meaning, document=metric.document))
        for term in documents.terms:
            for name in term.names:
                self._add_term(term, name_words(name), is_synonym=name != term.names[0])

    def _add(self, phrase: _Phrase) -> None:
        if phrase.words:
            self._phrases.setdefault(phrase.words, []).append(phrase)

    def _add_term(self, term: NamedTerm, words: tuple[str, ...], *, is_synonym: bool) -> None:
        noun = self._schema.tables[term.table].words
        plain = _Phrase(words=words, category="condition", meaning=term.value, document=term.document)
        if len(words) > len(noun) and words[-len(noun) :] == noun:
            narrowing = words[: -len(noun)]
            # "store" in "store orders" is the term; in "which store had the most orders" it is the table.
            is_own = any(narrowing == table.words for table in self._schema.tables.values())
            # "lost" is the term "lost customers" where customers are spoken of, not in "which category lost revenue".
            of = synonyms().get(noun[-1], frozenset()) | {noun[-1]} if is_synonym else frozenset[str]()
            self._add(replace(plain, words=narrowing, before=noun if is_own else (), of=of))
        else:
            self._add(plain)
            self._whole[words] = term

    def written_out(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """The words of a question, with the thing that a term is said of behind each term that names it alone."""
        expanded: list[Word] = []
        at = 0
        while at < len(words):
            size, term = self._whole_at(words, at)
            expanded.extend(words[at : at + size])
            at += size
            if term is not None and not self._says_thing(words[at : at + 1], term):
                table = self._schema.tables[term.table].words
                expanded.extend(Word(text=word, lower=word, lemma=word) for word in table)
        return tuple(expanded)

    def _whole_at(self, words: tuple[Word, ...], at: int) -> tuple[int, NamedTerm | None]:
        for size in range(min(_WORDS_MAX, len(words) - at), 0, -1):
            span = _lemmas(words[at : at + size])
            if span in self._whole and not self._is_figure(words, at):
                return size, self._whole[span]
        return 1, None

    def _is_figure(self, words: tuple[Word, ...], at: int) -> bool:
        """Whether a metric's name begins here, such as "churn rate" where "churn" is a term."""
        sizes = range(2, min(_WORDS_MAX, len(words) - at) + 1)
        spans = (_lemmas(words[at : at + size]) for size in sizes)
        return any(p.category == "figure" for span in spans for p in self._phrases.get(span, ()))

    def _says_thing(self, following: tuple[Word, ...], term: NamedTerm) -> bool:
        return bool(following) and following[0].lemma in self._schema.tables[term.table].words

    def anchors(self, words: tuple[Word, ...]) -> Iterator[Part]:
        """All metrics and terms that a span of words names."""
        lemmas = {word.lemma for word in words}
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + _WORDS_MAX) + 1):
                for phrase in self._phrases.get(_lemmas(words[start:end]), ()):
                    if _lemmas(words[end : end + len(phrase.before)]) != phrase.before:
                        continue
                    if phrase.of and phrase.of.isdisjoint(lemmas):
                        continue
                    score = _SURE + _LONGER * (end - start - 1)
                    rules = (f"{DEFINED} {end - start} {phrase.document}",)
                    yield Part.over(phrase.category, phrase.meaning, start, end, score, rules=rules)


def _lemmas(words: tuple[Word, ...]) -> tuple[str, ...]:
    return tuple(base for word in words for base in name_words(word.lower)) if all(w.is_word for w in words) else ()
