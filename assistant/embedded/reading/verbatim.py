"""Verbatim: how far a reading and its question use the same words.

Part of the evidence on a reading. Words are linked by synonyms, abbreviations and likeness, too, but what both say in
the same words is seldom taken wrongly: each number grows with what only the question or only the reading says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.embedded.linking.options import ToMetric
from assistant.embedded.reading.agreement import shown
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_stems, name_words, stem
from assistant.embedded.words.vocabulary import STOP_WORDS, WEAK_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from assistant.embedded.linking.links import Span
    from assistant.embedded.meaning import Meaning
    from assistant.embedded.reading.reader import Candidate

NAMES: tuple[str, ...] = (
    "words", "words_elsewhere", "part_elsewhere", "names_unsaid", "shown_unsaid", "shown_half_said", "tables_unsaid",
    "base_unsaid", "conditions_unsaid",
)  # fmt: skip
"""What each number of `verbatim` is."""


def verbatim(candidate: Candidate) -> dict[str, float]:
    """How far a reading says what its question says in other words, by the names in `NAMES`."""
    meaning = candidate.meaning
    metrics = {measure.metric for measure in meaning.measures if measure.metric}
    said = {stem(word) for span in candidate.spans for word in name_words(span.text)}
    if metrics:
        said.update(name_stems(meaning.base))  # what a metric is made of goes without saying
    telling = list(_telling(candidate.spans, metrics))
    names = _names(meaning)
    held = names | _values(meaning)
    elsewhere = [word for word in telling if word not in held]
    columns = [name_stems(ref.column) for ref in shown(meaning)]
    tables = meaning.tables()
    conditions = [name_stems(f.column.column) for f in meaning.filters]
    return {
        "words": len(telling),
        "words_elsewhere": len(elsewhere),
        "part_elsewhere": len(elsewhere) / max(1, len(telling)),
        "names_unsaid": _unsaid(names, said),
        "shown_unsaid": _unsaid([word for column in columns for word in column], said),
        "shown_half_said": sum(not said.issuperset(column) for column in columns) / max(1, len(columns)),
        "tables_unsaid": sum(said.isdisjoint(name_stems(table)) for table in tables),
        "base_unsaid": said.isdisjoint(name_stems(meaning.base)),
        "conditions_unsaid": sum(said.isdisjoint(column) for column in conditions),
    }


def _telling(spans: Iterable[Span], metrics: Collection[str]) -> Iterable[str]:
    """The stems of the words that may name something: no cues, numbers, metrics that are meant, or what says little."""
    for span in spans:
        if span.options and all(isinstance(option, Cue) for option in span.options):
            continue
        if any(isinstance(option, ToMetric) and option.metric.name in metrics for option in span.options):
            continue
        for word in name_words(span.text):
            if word not in STOP_WORDS and word not in WEAK_WORDS and not word.isdigit():
                yield stem(word)


def _names(meaning: Meaning) -> set[str]:
    """The words of every table and column that the reading uses."""
    places = [*meaning.references(), *(f.column for f in meaning.every_filter)]
    named = {*meaning.tables(), *(ref.table for ref in places), *(ref.column for ref in places)}
    return {word for name in named for word in name_stems(name)}


def _values(meaning: Meaning) -> set[str]:
    """The words of every value that the reading's rows are chosen by."""
    filters = [*meaning.every_filter, *(f for measure in meaning.measures for f in measure.only)]
    return {stem(word) for f in filters for value in f.values for word in name_words(str(value))}


def _unsaid(words: Collection[str], said: set[str]) -> float:
    """The part of some words that the question does not say, 0 to 1."""
    return sum(word not in said for word in words) / max(1, len(words))
