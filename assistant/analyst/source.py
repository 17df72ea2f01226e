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
from assistant.analyst.ended import ended
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.known.anchors import DEFINED, KnownLinker
from assistant.analyst.known.documents import Known, NamedMetric, NamedTerm, StandingRule, prepare
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.dates import longest, periods
from assistant.analyst.linking.dates import unbound as dates_unbound
from assistant.analyst.linking.exact import unbound
from assistant.analyst.linking.meant import Alike, Cosines
from assistant.analyst.linking.relative import TOLD_BY_DAY, RelativeDates
from assistant.analyst.linking.tokens import Word, unit_words
from assistant.analyst.meaning import Meaning
from assistant.analyst.parts import Part
from assistant.analyst.reading import Reader, Reading, told_first
from assistant.analyst.schema import Schema
from assistant.analyst.settling import alike, settle
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.twins import UNSAID, Twins
from assistant.analyst.wording import figure_words, rows_in_words, term, things
from assistant.plain_english import joined

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from knowledge.documents import Document


_AS_NEAR = 0.5
"""Readings of a metric whose score is less than this below the first one's are as good."""
_KEPT = 8
"""How many questions' readings are kept: a question is read again once its readings were run."""
_ASKING = ("asking for things", "prepositions", "asking after a preposition")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The different readings of a question, the likeliest first; `confidence` is the first one's, 0 to 1.

    `is_defined`: the first one rests on words that a person has defined, and leaves none unread.
    """

    found: tuple[Reading, ...]
    confidence: float
    is_defined: bool = False


class Source:
    """A source that can be asked about. `alike` tells how alike words are in meaning; None: nobody does, or not yet."""

    def __init__(self, catalog: Catalog, documents: Sequence[Document], today: date) -> None:
        self.today = today
        self.alike: Alike | None = None
        self.catalog = catalog
        self.schema = Schema.of(catalog)
        self._twins = Twins(self.schema)
        self.known = prepare(documents, self.schema, today)
        self._connect()

    def learn(self, known: Known) -> None:
        """Take over knowledge that was read from prose."""
        self.known = known
        self._connect()

    def _connect(self) -> None:
        self._linker = KnownLinker(self.known, self.schema)
        self._plain = Reader(self.catalog, schema=self.schema, alike=self._likeness)
        self.reader = self._reader_on(self.today)
        self._kept = lru_cache(maxsize=_KEPT)(self._read)  # sessions share a source, each from a thread of its own

    def _reader_on(self, day: date) -> Reader:
        """The reader for which a day is today."""
        return self._plain.beside((self._linker, RelativeDates(day)))

    def _likeness(self, said: Sequence[str], names: Sequence[str]) -> Cosines | None:
        return self.alike(said, names) if self.alike else None

    @property
    def name(self) -> str:
        """The source's name."""
        return self.schema.source

    def words(self, question: str) -> tuple[Word, ...]:
        """The words of a question, with the things that terms name written out."""
        return self._linker.written_out(self._plain.words(question))

    def frames(self, said: tuple[Word, ...]) -> list[Derivation]:
        """What the phrases of some words mean, not yet put together."""
        return self.reader.frames(said)

    def dates(self, said: tuple[Word, ...], day: date | None = None) -> list[Part]:
        """The dates and periods that a question says; `day` is today. "2000 kg" and a value called "March" are none."""
        names = self._plain.names(said)
        found = longest([*periods(said), *RelativeDates(day or self.today).anchors(said)])
        amounts = (said[part.end].lower in unit_words() if part.end < len(said) else False for part in found)
        return [p for p, a in zip(found, amounts, strict=True) if not a and not any(span.holds(p) for span in names)]

    def candidates(self, question: str) -> Candidates:
        """The different readings of a question that stands for itself, kept for the last few questions.

        What a person has defined means that and nothing else: readings that take its words otherwise are left out.
        """
        return self._kept(question)

    def _read(self, question: str) -> Candidates:
        """The readings by today's date; where the data ended before what they ask for, by its own last day."""
        found = self._read_by(self.reader, question)
        first = next(iter(found.found), None)
        if first is None or not any(rule.endswith(TOLD_BY_DAY) for part in first.phrases for rule in part.rules):
            return found
        day = ended(first.query, self.schema, self.today)
        return found if day is None else self._read_by(self._reader_on(day), question, day)

    def _read_by(self, reader: Reader, question: str, day: date | None = None) -> Candidates:
        said = self.words(question)
        lemmas = frozenset(word.lemma for word in said)
        kept: list[Reading] = []
        readings = reader.read_words(said)
        named = tuple(self._linker.anchors(said))
        exact = self._plain.names(said)
        dates = self.dates(said, day)
        lost = {
            id(one): len(_unread(one, said, named))
            + unbound(exact, one.query, _defined_mask(one), self.schema)
            + len(dates_unbound(dates, one.query))
            for one in readings
        }
        fitting = [_told_of_names(one, lost[id(one)]) for one in _fitting(readings, said)]
        for reading in told_first(fitting, _AS_NEAR):
            settled = settle(reading.query, self.schema, self.known, said=lemmas)
            for query, is_open in self._twins.readings(settled.query, question):
                if any(alike(query, other.query) for other in kept) or not self._makes_sense(query):
                    continue
                sql, features = to_sql(query, self.schema), reading.features
                features = {**features, UNSAID: 1.0} if is_open else features
                kept.append(replace(reading, query=query, sql=sql, features=features, counted_from=day))
        if not kept:
            return Candidates(found=(), confidence=0.0)
        first = kept[0]
        return Candidates(
            found=tuple(kept),
            confidence=self._confidence(readings, kept),
            is_defined=bool(_defined_words(first)) and not first.unread and not first.features.get("untold"),
        )

    def names_unread(self, reading: Reading, said: tuple[Word, ...]) -> tuple[str, ...]:
        """The metrics and terms that a question names and a reading leaves unread, as they are said."""
        return _unread(reading, said, self._linker.anchors(said))

    def _confidence(self, readings: Sequence[Reading], kept: Sequence[Reading]) -> float:
        """As it was learned, over all readings; over those that are left where definitions rule others out."""
        if not any(map(_defined_words, readings)):
            return readings[0].confidence
        return confidence([(one.score, one.features) for one in kept], (), self.reader.weights)

    def _makes_sense(self, query: al.Query) -> bool:
        """Whether a query type-checks, and asks for no number that its column cannot hold."""
        asked = (part for part in al.parts(query) if isinstance(part, al.Compare) and part.op == "=")
        return not any(self._is_beyond(compare) for compare in asked) and not problems(query, self.schema)

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
        return settle(query, self.schema, self.known, said=frozenset()).query

    def cited(self, meaning: Meaning) -> tuple[str, ...]:
        """The ids of the documents that a meaning rests on."""
        return tuple(dict.fromkeys(named.document for named in self.used(meaning)))

    def assumed(self, meaning: Meaning, reading: Reading | None = None) -> tuple[str, ...]:
        """What was taken for granted: definitions and rules that were used, and words that were guessed or were not."""
        said: list[str] = []
        for used in self.used(meaning):
            if isinstance(used, StandingRule):
                said.append(f"{used.name}: only where {used.condition.sql.replace(chr(34), '')}.")
            elif used.definition:
                said.append(f"{used.names[0].capitalize()}: {' '.join(used.definition.split())}")
        said.extend(dict.fromkeys(self._without_key(meaning.query)))
        for table, others in self._twins.others(meaning.query):
            said.append(f"{table} is the one of the default schema; {joined(others)} has the same name.")
        if reading is not None and reading.counted_from is not None:
            said.append(f"Counted from {reading.counted_from:%Y-%m-%d}, the last day of the data, not from today.")
        if reading is not None:
            said.extend(f"“{guess.said}” was taken for “{guess.meant}”." for guess in reading.guesses)
        if reading is not None and reading.unread:
            said.append(f"Not used: {', '.join(f'“{word}”' for word in reading.unread)}.")
        return tuple(said)

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
        for one in self.known.terms:
            if one.document == document:
                return rows_in_words(self.schema.said(al.Rows(one.table, one.value)))
        for metric in self.known.metrics:
            if metric.document == document:
                said: al.Grouped = self.schema.said(al.Grouped(al.Rows(metric.table), (), (metric.figure,)))
                return figure_words(said.figures[0], replace(said, figures=()))
        return ""

    def used(self, meaning: Meaning) -> tuple[NamedMetric | NamedTerm | StandingRule, ...]:
        """The metrics, terms and rules that a meaning rests on."""
        inside = list(al.parts((meaning.query, meaning.study)))
        names = {part.name for part in inside if isinstance(part, al.Metric)}
        metrics = [named for named in self.known.metrics if named.names[0] in names or named.figure in inside]
        terms = [term for term in self.known.terms if term.value in inside]
        return (*metrics, *terms, *(rule for rule in self.known.rules if rule.condition in inside))


def _fitting(readings: Sequence[Reading], said: Sequence[Word]) -> list[Reading]:
    """The readings that take the most words as a person, or the day, has defined them, and name what is asked for.

    Of a metric seen from two tables, the one that it is defined over counts.
    """
    most = max(map(_defined_words, readings), default=0)
    kept = [reading for reading in readings if _defined_words(reading) == most]
    for fits in (_is_at_home, _names_things if _asks_for_things(said) else _is_at_home):
        kept = [reading for reading in kept if fits(reading.query)] or kept
    return kept


def _unread(reading: Reading, said: Sequence[Word], named: Iterable[Part]) -> tuple[str, ...]:
    """Of what a question names, what a reading leaves wholly unread, as it is said."""
    read = 0
    for part in reading.phrases:
        read |= part.mask
    lost = (part for part in named if not part.mask & read)
    return tuple(dict.fromkeys(" ".join(word.text for word in said[part.start : part.end]) for part in lost))


def _told_of_names(reading: Reading, missing: int) -> Reading:
    """A reading that knows how many names it leaves unread: with one, it is not what was asked."""
    untold = reading.features.get("untold", 0.0) + missing
    return replace(reading, features={**reading.features, "untold": untold}) if missing else reading


def _asks_for_things(said: Sequence[Word]) -> bool:
    """Whether a question asks for things rather than for a figure: "which regions ...", "in what month ..." """
    begins, before, after = (listed("dialogue", key) for key in _ASKING)
    first, second = ([word.lower for word in said[:2]] + ["", ""])[:2]
    return first in begins or (first in before and second in after)


def _names_things(query: al.Query) -> bool:
    """Whether a result names something: it lists rows or shows groups."""
    return not isinstance(query, al.Grouped) or bool(query.keys)


def _is_at_home(query: al.Query) -> bool:
    """Whether every metric is computed from the very rows of the query."""
    return not any(isinstance(part, al.Metric) and part.of is not None for part in al.parts(query))


def _defined_mask(reading: Reading) -> int:
    masks = (part.mask for part in reading.phrases if any(rule.startswith(DEFINED) for rule in part.rules))
    return reduce(or_, masks, 0)


def _defined_words(reading: Reading) -> int:
    defined = (rule.split() for part in reading.phrases for rule in part.rules if rule.startswith(DEFINED))
    return sum(int(size) for _, size, *_ in defined)
