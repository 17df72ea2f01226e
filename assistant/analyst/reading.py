"""A question read: its likely queries, the likeliest first, each with the words it did not use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from assistant.analyst.algebra import Query
from assistant.analyst.checking import problems
from assistant.analyst.confidence import confidence
from assistant.analyst.data_coverage import empty_periods
from assistant.analyst.grammar.chart import Derivation, frames, phrases
from assistant.analyst.grammar.shapes import queries
from assistant.analyst.known.anchors import DEFINED
from assistant.analyst.linking.embedding_links import Alike
from assistant.analyst.linking.exact import WordSpan
from assistant.analyst.linking.linker import Linker
from assistant.analyst.linking.relative import TOLD_BY_DAY
from assistant.analyst.linking.tokens import Word, costs
from assistant.analyst.parts import ColumnValue, Part, WordGuess
from assistant.analyst.ranking import NEAR, Features, Weights, features, weighed, weights
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.sql.scopes import CompileError

if TYPE_CHECKING:
    from datetime import date

    from assistant.core.catalog import Catalog

READINGS_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReading:
    """A query that a question may mean.

    Attributes:
        query: The query.
        sql: It in the source's dialect.
        features: What spoke for and against it.
        score: The weighted sum of these; only differences count.
        confidence: For the first reading, how likely it is right, 0 to 1; else 0.
        unread: The words that it does not use and that could matter.
        lost: Where the words are that count in full and are not used.
        rules: The names of the rules it was derived by, its shape last.
        phrases: What it was put together from.
        counted_from: The last day of the data, where periods such as "last year" count from it and not from today.
    """

    query: Query
    sql: str
    features: Features
    score: float
    confidence: float = 0.0
    unread: tuple[str, ...] = ()
    lost: frozenset[int] = frozenset()
    rules: tuple[str, ...] = ()
    phrases: tuple[Part, ...] = ()
    counted_from: date | None = None

    @property
    def guesses(self) -> tuple[WordGuess, ...]:
        """Words that were taken for a name because they lie near it in meaning."""
        return tuple(dict.fromkeys(guess for part in self.phrases for guess in part.guesses))


class Anchors(Protocol):
    """Finds what words stand for besides names, values and operators: metrics and terms, days told by today's."""

    def anchors(self, words: tuple[Word, ...]) -> Iterable[Part]:
        """All that a span of words may stand for."""
        ...


class QuestionReader:
    """Reads questions about one source.

    Args:
        catalog: The source.
        learned: Replaces the shipped weights, for learning them.
        schema: The catalog's schema, where it is known already.
        alike: Tells how alike words are in meaning.
    """

    def __init__(
        self,
        catalog: Catalog,
        learned: Weights | None = None,
        *,
        schema: Schema | None = None,
        alike: Alike | None = None,
    ) -> None:
        self.schema = schema or Schema.of(catalog)
        self.weights = learned or weights()
        self._linker = Linker(self.schema, alike)
        self._beside: tuple[Anchors, ...] = ()

    def beside(self, anchors: Sequence[Anchors]) -> QuestionReader:
        """The same reader with other anchors beside names, values and operators."""
        reader = copy(self)
        reader._beside = tuple(anchors)
        return reader

    def warm(self) -> None:
        """Read the lexicon and load the lemmas, so that the first question takes no longer than others."""
        self.read("how many are there")

    def read(self, question: str) -> list[QuestionReading]:
        """The likely readings, the likeliest first, at most `READINGS_MAX`; empty if there is none."""
        return self.read_words(self.words(question))

    def words(self, question: str) -> tuple[Word, ...]:
        """The words of a question: what the data call so is one word."""
        return self._linker.words(question)

    def names(self, tokens: Sequence[Word]) -> tuple[WordSpan, ...]:
        """The names of the data that some words are."""
        return self._linker.exact.spans(tokens)

    def values(self, word: Word) -> list[ColumnValue]:
        """The values of columns that a word is as it is written, none by its meaning."""
        parts = self._linker.anchors((word,), by_meaning=False)
        return [part.meaning for part in parts if isinstance(part.meaning, ColumnValue)]

    def frames(self, tokens: tuple[Word, ...]) -> list[Derivation]:
        """What the phrases of some words mean, not yet put together, the likeliest first."""
        tokens = self._linker.spelt(tokens)
        nouns = [span for span in self.names(tokens) if span.is_noun]
        beside = [anchor for linker in self._beside for anchor in linker.anchors(tokens)]
        beside = [part for part in beside if _is_defined(part) or not any(span.holds(part) for span in nouns)]
        cost = _costs(tokens, nouns)
        return frames(phrases([*self._linker.anchors(tokens, beside), *beside], cost, self.schema), cost)

    def read_words(self, tokens: tuple[Word, ...]) -> list[QuestionReading]:
        """The likely readings of a question in words."""
        tokens = self._linker.spelt(tokens)
        cost = _costs(tokens, [span for span in self.names(tokens) if span.is_noun])
        best: dict[Query, tuple[float, Features, Derivation, str]] = {}
        for derivation in self.frames(tokens):
            for shape, query in queries(derivation.frame, self.schema):
                values = features(derivation, shape, query, self.schema, words=tokens, costs=cost)
                if values.get("unused"):
                    continue  # an operator that is read is used: where it is not, its word is better left unread
                score = weighed(values, self.weights.rank)
                several = tuple(self.schema.in_each_role(query))
                values["key unsaid"] = float(len(several) > 1)
                for candidate in several:
                    if candidate not in best or _tells_more(values, score, best[candidate][1], best[candidate][0]):
                        best[candidate] = (score, values, derivation, shape)
        readings = self._compiled(best, tokens, cost)
        if not readings:
            return []
        sure = confidence([(reading.score, reading.features) for reading in readings], (), self.weights)
        return [replace(readings[0], confidence=sure), *readings[1:]]

    def _compiled(
        self, best: dict[Query, tuple[float, Features, Derivation, str]], tokens: Sequence[Word], cost: Sequence[float]
    ) -> list[QuestionReading]:
        """The best queries that make sense, as SQL; of two with the same SQL the first."""
        compiled: dict[str, QuestionReading] = {}
        for query, (score, values, derivation, shape) in sorted(best.items(), key=lambda item: -item[1][0]):
            if len(compiled) == READINGS_MAX:
                break
            if problems(query, self.schema):
                continue
            try:
                sql = to_sql(query, self.schema)
            except CompileError:
                continue
            rules = (*(name for part in derivation.parts for name in part.rules), shape)
            reading = QuestionReading(
                query=query,
                sql=sql,
                features=values | {"out of time": float(bool(empty_periods(query, self.schema)))},
                score=score,
                unread=tuple(tokens[at].text for at in derivation.unread(cost, 0.5)),
                lost=frozenset(derivation.unread(cost, 1)),
                rules=rules,
                phrases=derivation.parts,
            )
            compiled.setdefault(sql, reading)
        return _complete_first(told_first(list(compiled.values())))


def _costs(tokens: tuple[Word, ...], nouns: Sequence[WordSpan]) -> tuple[float, ...]:
    """What leaving each word unread costs: of a name that the data have, all, whatever it means elsewhere."""
    places = {at for span in nouns for at in range(span.start, span.end)}
    return tuple(1.0 if at in places else cost for at, cost in enumerate(costs(tokens)))


def _is_defined(part: Part) -> bool:
    return any(rule.startswith(DEFINED) and not rule.endswith(TOLD_BY_DAY) for rule in part.rules)


def _tells_more(values: Features, score: float, best_values: Features, best: float) -> bool:
    """Whether of two ways to one query the first leaves less unread that tells, or as much and is the likelier one."""
    return (-values.get("untold", 0.0), score) > (-best_values.get("untold", 0.0), best)


def told_first(readings: Sequence[QuestionReading], within: float = NEAR) -> list[QuestionReading]:
    """Readings in their order, but of those near the first one the ones that leave nothing unread that tells first."""
    near = [reading for reading in readings if readings[0].score - reading.score <= within]
    return sorted(near, key=lambda reading: reading.features.get("untold", 0.0) > 0) + list(readings[len(near) :])


def _complete_first(readings: Sequence[QuestionReading]) -> list[QuestionReading]:
    """Readings in their order, but none before one that uses all that it uses and filters by a word more."""
    ordered: list[QuestionReading] = []
    for reading in readings:
        at = next((i for i, earlier in enumerate(ordered) if _keeps_more(reading, earlier)), len(ordered))
        ordered.insert(at, reading)
    return ordered


def _keeps_more(reading: QuestionReading, rival: QuestionReading) -> bool:
    kinds = ("condition", "top")
    places = {i for part in reading.phrases if part.category in kinds for i in rival.lost if part.mask >> i & 1}
    return bool(places) and reading.lost < rival.lost
