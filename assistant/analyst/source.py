"""One source as it is asked about: its reader, its knowledge, and readings made ready."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from assistant.analyst import algebra as al
from assistant.analyst.checking import problems
from assistant.analyst.confidence import confidence
from assistant.analyst.data_coverage import data_coverage
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.known.anchors import DEFINED, KnownLinker
from assistant.analyst.known.documents import NamedMetric, NamedTerm, PreparedDocuments, StandingRule, prepare
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.dates import longest, periods
from assistant.analyst.linking.dates import unbound as dates_unbound
from assistant.analyst.linking.embedding_links import Alike, Cosines
from assistant.analyst.linking.exact import unbound
from assistant.analyst.linking.relative import TOLD_BY_DAY, RelativeDates
from assistant.analyst.linking.tokens import Word, unit_words
from assistant.analyst.meaning import Meaning
from assistant.analyst.parts import Part
from assistant.analyst.preparation import alike, settle
from assistant.analyst.reading import QuestionReader, QuestionReading, told_first
from assistant.analyst.same_named_tables import UNSAID, Twins
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.wording import figure_words, rows_in_words, term, things
from assistant.plain_english import joined

if TYPE_CHECKING:
    from assistant.analyst.studies.function_study import FunctionStudy
    from assistant.core.catalog import Catalog
    from knowledge.documents import Document


_AS_NEAR = 0.5
"""Readings of a metric whose score is less than this below the first one's are as good."""
_CACHE_SIZE = 8
"""How many questions' readings are kept: a question is read again once its readings were run."""
_ASKING = ("asking for things", "prepositions", "asking after a preposition")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The different readings of a question, the likeliest first; `confidence` is the first one's, 0 to 1.

    `is_defined`: the first one rests on words that a person has defined, and leaves none unread.
    """

    readings: tuple[QuestionReading, ...]
    confidence: float
    is_defined: bool = False


class AnalystSource:
    """A source that can be asked about. `alike` tells how alike words are in meaning; None: nobody does, or not yet."""

    def __init__(self, catalog: Catalog, documents: Sequence[Document], today: date) -> None:
        self.today = today
        self.alike: Alike | None = None
        self.functions: tuple[FunctionStudy, ...] = ()
        self.catalog = catalog
        self.schema = Schema.of(catalog)
        self._twins = Twins(self.schema)
        self.known = prepare(documents, self.schema, today)
        self._connect()

    def learn(self, documents: PreparedDocuments) -> None:
        """Take over knowledge that was read from prose."""
        self.known = documents
        self._connect()

    def _connect(self) -> None:
        self._linker = KnownLinker(self.known, self.schema)
        self._plain = QuestionReader(self.catalog, schema=self.schema, alike=self._likeness)
        self.reader = self._reader_on(self.today)
        self._kept = lru_cache(maxsize=_CACHE_SIZE)(
            self._read
        )  # sessions share a source, each from a thread of its own

    def _reader_on(self, day: date) -> QuestionReader:
        """The reader for which a day is today."""
        return self._plain.beside((self._linker, RelativeDates(day)))

    def _likeness(self, texts: Sequence[str], names: Sequence[str]) -> Cosines | None:
        return self.alike(texts, names) if self.alike else None

    @property
    def name(self) -> str:
        """The source's name."""
        return self.schema.source

    def words(self, question: str) -> tuple[Word, ...]:
        """The words of a question, with the things that terms name written out."""
        return self._linker.written_out(self._plain.words(question))

    def frames(self, tokens: tuple[Word, ...]) -> list[Derivation]:
        """What the phrases of some words mean, not yet put together."""
        return self.reader.frames(tokens)

    def dates(self, tokens: tuple[Word, ...], day: date | None = None) -> list[Part]:
        """The dates and periods that a question says; `day` is today. "2000 kg" and a value called "March" are none."""
        names = self._plain.names(tokens)
        parts = longest([*periods(tokens), *RelativeDates(day or self.today).anchors(tokens)])
        amounts = (tokens[part.end].lower in unit_words() if part.end < len(tokens) else False for part in parts)
        return [p for p, a in zip(parts, amounts, strict=True) if not a and not any(span.holds(p) for span in names)]

    def candidates(self, question: str) -> Candidates:
        """The different readings of a question that stands for itself, kept for the last few questions.

        What a person has defined means that and nothing else: readings that take its words otherwise are left out.
        """
        return self._kept(question)

    def _read(self, question: str) -> Candidates:
        """The readings by today's date; where the data ended before what they ask for, by its own last day."""
        candidates = self._read_by(self.reader, question)
        first = next(iter(candidates.readings), None)
        if first is None or not any(rule.endswith(TOLD_BY_DAY) for part in first.phrases for rule in part.rules):
            return candidates
        day = data_coverage(first.query, self.schema, self.today)
        return candidates if day is None else self._read_by(self._reader_on(day), question, day)

    def _read_by(self, reader: QuestionReader, question: str, day: date | None = None) -> Candidates:
        tokens = self.words(question)
        lemmas = frozenset(word.lemma for word in tokens)
        distinct: list[QuestionReading] = []
        readings = reader.read_words(tokens)
        anchors = tuple(self._linker.anchors(tokens))
        exact = self._plain.names(tokens)
        dates = self.dates(tokens, day)
        lost_counts = {
            id(candidate): len(_unread(candidate, tokens, anchors))
            + unbound(exact, candidate.query, _masks(candidate), self.schema)
            + len(dates_unbound(dates, candidate.query))
            for candidate in readings
        }
        fitting = [_told_of_names(candidate, lost_counts[id(candidate)]) for candidate in _fitting(readings, tokens)]
        for reading in told_first(fitting, _AS_NEAR):
            resolved = settle(reading.query, self.schema, self.known, lemmas=lemmas)
            for query, is_open in self._twins.readings(resolved.query, question):
                if any(alike(query, earlier.query) for earlier in distinct) or not self._makes_sense(query):
                    continue
                sql, features = to_sql(query, self.schema), reading.features
                features = {**features, UNSAID: 1.0} if is_open else features
                distinct.append(replace(reading, query=query, sql=sql, features=features, counted_from=day))
        if not distinct:
            return Candidates(readings=(), confidence=0.0)
        first = distinct[0]
        return Candidates(
            readings=tuple(distinct),
            confidence=self._confidence(readings, distinct),
            is_defined=bool(_defined_words(first)) and not first.unread and not first.features.get("untold"),
        )

    def names_unread(self, reading: QuestionReading, tokens: tuple[Word, ...]) -> tuple[str, ...]:
        """The metrics and terms that a question names and a reading leaves unread, as they are said."""
        return _unread(reading, tokens, self._linker.anchors(tokens))

    def _confidence(self, readings: Sequence[QuestionReading], distinct: Sequence[QuestionReading]) -> float:
        """As it was learned, over all readings; over those that are left where definitions rule others out."""
        if not any(map(_defined_words, readings)):
            return readings[0].confidence
        return confidence([(candidate.score, candidate.features) for candidate in distinct], (), self.reader.weights)

    def _makes_sense(self, query: al.Query) -> bool:
        """Whether a query type-checks, and asks for no number that its column cannot hold."""
        comparisons = (part for part in al.parts(query) if isinstance(part, al.Compare) and part.op == "=")
        return not any(self._is_beyond(compare) for compare in comparisons) and not problems(query, self.schema)

    def _is_beyond(self, compare: al.Compare) -> bool:
        if not isinstance(compare.left, al.Column) or not isinstance(compare.right, al.Constant):
            return False
        profile, value = self.schema.profiled[compare.left].profile, compare.right.value
        if profile is None or not isinstance(value, int | float) or profile.sampled:
            return False
        low, high = profile.low, profile.high
        return isinstance(low, int | float) and isinstance(high, int | float) and not low <= value <= high

    def settled(self, query: al.Query) -> al.Query:
        """A query made by an edit, made ready."""
        return settle(query, self.schema, self.known, lemmas=frozenset()).query

    def cited(self, meaning: Meaning) -> tuple[str, ...]:
        """The ids of the documents that a meaning rests on."""
        return tuple(dict.fromkeys(entry.document for entry in self.used(meaning)))

    def assumed(self, meaning: Meaning, reading: QuestionReading | None = None) -> tuple[str, ...]:
        """What was taken for granted: definitions and rules that were used, and words that were guessed or were not."""
        remarks: list[str] = []
        if meaning.study is not None and meaning.study.call is not None:
            from assistant.analyst.scenarios import remarks as study_remarks  # few questions are scenarios

            remarks.extend(study_remarks(meaning.study))
        for used in self.used(meaning):
            if isinstance(used, StandingRule):
                remarks.append(f"{used.name}: only where {used.condition.sql.replace(chr(34), '')}.")
            elif used.definition:
                remarks.append(f"{used.names[0].capitalize()}: {' '.join(used.definition.split())}")
        remarks.extend(dict.fromkeys(self._without_key(meaning.query)))
        for table, others in self._twins.others(meaning.query):
            remarks.append(f"{table} is the one of the default schema; {joined(others)} has the same name.")
        if reading is not None and reading.counted_from is not None:
            remarks.append(f"Counted from {reading.counted_from:%Y-%m-%d}, the last day of the data, not from today.")
        if reading is not None:
            remarks.extend(f"“{guess.said}” was taken for “{guess.meant}”." for guess in reading.guesses)
        if reading is not None and reading.unread:
            remarks.append(f"Ignored: {', '.join(f'“{word}”' for word in reading.unread)}.")
        return tuple(remarks)

    def _without_key(self, query: al.Query) -> Iterator[str]:
        """What becomes of rows that have no value to group by."""
        for part in al.parts(query):
            if not isinstance(part, al.Grouped) or not isinstance(part.of, al.Rows):
                continue
            tested = set(al.here(part.of.where))
            for place, key in enumerate(part.keys):
                columns = [inner for inner in al.here(key) if isinstance(inner, al.Column)]
                is_open = any(self.schema.may_miss(part.of.table, column) for column in columns)
                if is_open and (part.shown is None or place in part.shown):
                    many, of, by = self.schema.said((al.Rows(part.of.table), part.of, key))
                    rows = f"{things(many.table).capitalize()} without {term(by, of)}"
                    if al.Not(al.Missing(key)) in tested:
                        yield f"{rows} are left out."
                    elif not tested.intersection(columns):
                        yield f"{rows} are a group of their own."

    def said_of(self, document: str) -> str:
        """What a definition comes to here, in words; empty where it says nothing that can be computed."""
        for named_term in self.known.terms:
            if named_term.document == document:
                return rows_in_words(self.schema.said(al.Rows(named_term.table, named_term.value)))
        for metric in self.known.metrics:
            if metric.document == document:
                grouped: al.Grouped = self.schema.said(al.Grouped(al.Rows(metric.table), (), (metric.figure,)))
                return figure_words(grouped.figures[0], replace(grouped, figures=()))
        return ""

    def used(self, meaning: Meaning) -> tuple[NamedMetric | NamedTerm | StandingRule, ...]:
        """The metrics, terms and rules that a meaning rests on."""
        inside = list(al.parts((meaning.query, meaning.study)))
        names = {part.name for part in inside if isinstance(part, al.Metric)}
        metrics = [metric for metric in self.known.metrics if metric.names[0] in names or metric.figure in inside]
        terms = [term for term in self.known.terms if term.value in inside]
        return (*metrics, *terms, *(rule for rule in self.known.rules if rule.condition in inside))


def _fitting(readings: Sequence[QuestionReading], tokens: Sequence[Word]) -> list[QuestionReading]:
    """The readings that take the most words as a person, or the day, has defined them, and name what is asked for.

    Of a metric seen from two tables, the one that it is defined over counts.
    """
    most = max(map(_defined_words, readings), default=0)
    remaining = [reading for reading in readings if _defined_words(reading) == most]
    for fits in (_is_at_home, _names_things if _asks_for_things(tokens) else _is_at_home):
        remaining = [reading for reading in remaining if fits(reading.query)] or remaining
    return remaining


def _unread(reading: QuestionReading, tokens: Sequence[Word], anchors: Iterable[Part]) -> tuple[str, ...]:
    """Of what a question names, what a reading leaves wholly unread, as it is said."""
    read_mask = 0
    for part in reading.phrases:
        read_mask |= part.mask
    unread_parts = (part for part in anchors if not part.mask & read_mask)
    return tuple(dict.fromkeys(" ".join(word.text for word in tokens[part.start : part.end]) for part in unread_parts))


def _told_of_names(reading: QuestionReading, unread_count: int) -> QuestionReading:
    """A reading that knows how many names it leaves unread: with one, it is not what was asked."""
    untold = reading.features.get("untold", 0.0) + unread_count
    return replace(reading, features={**reading.features, "untold": untold}) if unread_count else reading


def _asks_for_things(tokens: Sequence[Word]) -> bool:
    """Whether a question asks for things rather than for a figure: "which regions ...", "in what month ..." """
    begins, before, after = (listed("dialogue", key) for key in _ASKING)
    first, second = ([word.lower for word in tokens[:2]] + ["", ""])[:2]
    return first in begins or (first in before and second in after)


def _names_things(query: al.Query) -> bool:
    """Whether a result names something: it lists rows or shows groups."""
    return not isinstance(query, al.Grouped) or bool(query.keys)


def _is_at_home(query: al.Query) -> bool:
    """Whether every metric is computed from the very rows of the query."""
    return not any(isinstance(part, al.Metric) and part.of is not None for part in al.parts(query))


def _masks(reading: QuestionReading) -> tuple[int, int]:
    """The words that a reading takes as a person has defined them, and those that it reads."""
    defined = (part.mask for part in reading.phrases if any(rule.startswith(DEFINED) for rule in part.rules))
    return reduce(or_, defined, 0), reduce(or_, (part.mask for part in reading.phrases), 0)


def _defined_words(reading: QuestionReading) -> int:
    defined = (rule.split() for part in reading.phrases for rule in part.rules if rule.startswith(DEFINED))
    return sum(int(size) for _, size, *_ in defined)
