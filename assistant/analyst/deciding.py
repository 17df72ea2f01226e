"""Whether to answer, to ask or to decline, by the likely readings and their results. Pure: the caller runs queries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from assistant.analyst.algebra import Column, Compare, Constant, Grouped, Listing, Query, Rows, Term, mapped, parts
from assistant.analyst.confidence import RUN_MAX, ResultSummary, confidence
from assistant.analyst.ranking import NEAR, Features, Weights, dropped
from assistant.analyst.same_named_tables import UNSAID

_Value = TypeVar("_Value")
OPTIONS_MAX = 4
_LIKELY = 0.6
"""A reading that uses every word is answered from here on where no other is as near: there is nothing to ask."""

_SOLE = 0.5
"""The only reading that uses every word is answered from here on.

Of 567 questions of newcomers, analysts and unseen databases, 0.55 and 0.4 gave 25.9 % right and 9.2 % wrong; 0.6 and
0.5 give 25.7 % and 7.6 %. What lies between is asked about.
"""

_SAME_SCORE = 0.05
"""Readings whose scores differ by less are read from the words alike."""

Statement = tuple[str, str]
"""A source's name and a query in its dialect."""


class Scored(Protocol):
    """A reading, as deciding sees it."""

    @property
    def score(self) -> float:
        """Its place in the order: only differences count."""
        ...

    @property
    def features(self) -> Features:
        """What speaks for and against it."""
        ...

    @property
    def query(self) -> Query:
        """What it reads."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingDecision:
    """What to do: to answer by the only option, to ask which of the options is meant, or to decline.

    Attributes:
        kind: What to do.
        options: Places of readings, the likeliest first; of those that were run no two have the same result.
        confidence: How likely the first option is right, 0 to 1.
    """

    kind: Literal["answer", "ask", "decline"]
    options: tuple[int, ...] = ()
    confidence: float = 0.0


def decide(readings: Sequence[Scored], results: Sequence[ResultSummary | None] | None, by: Weights) -> ReadingDecision:
    """What to do by some ranked readings.

    Args:
        readings: The likeliest first.
        results: Of the first `RUN_MAX` of them, None for one that did not run; None where none was to be run.
        by: What was learned.
    """
    ran: Sequence[object] = readings if results is None else results
    places = [place for place, run_result in enumerate(ran) if run_result is not None]
    if not places:
        return ReadingDecision(kind="decline")
    known_results = [result for result in results or () if result is not None]
    sure = confidence([(readings[place].score, readings[place].features) for place in places], known_results, by)
    level = by.ran if known_results else by.unrun
    options = _offered(readings, places, known_results)
    is_told = not readings[places[0]].features.get("untold")
    is_tied = any(_is_tied(readings[options[0]], readings[place]) for place in options[1:])
    if sure >= level.answer and is_told and not is_tied:
        return ReadingDecision(kind="answer", options=(places[0],), confidence=sure)
    if sure < level.ask and not is_told:
        return ReadingDecision(kind="decline", options=options, confidence=sure)
    first, *rivals = (readings[place] for place in options)
    if is_told and sure >= _LIKELY and not any(_is_as_near(rival, first) for rival in rivals):
        return ReadingDecision(kind="answer", options=options[:1], confidence=sure)
    rivals = [rival for rival in rivals if not _says_less(rival.query, first.query)]
    if is_told and sure >= _SOLE and not rivals:
        return ReadingDecision(kind="answer", options=options[:1], confidence=sure)
    return ReadingDecision(kind="ask" if len(options) > 1 else "decline", options=options, confidence=sure)


def _is_as_near(rival: Scored, first: Scored) -> bool:
    """Whether another reading goes no farther than the first, drops and leaves out no more, and says as much.

    "Orders in 2025" is about no return's date.
    """
    is_farther = _tables_read(rival.query) > _tables_read(first.query) and not _takes_value_otherwise(first, rival)
    is_farther = is_farther or any(
        rival.features.get(name, 0.0) > first.features.get(name, 0.0) for name in ("left out", "keys unread")
    )
    return not (is_farther or dropped(rival.features) > dropped(first.features) or _says_less(rival.query, first.query))


def _takes_value_otherwise(first: Scored, second: Scored) -> bool:
    """Whether two readings find the same value in two columns: an artist's name, and that of a track."""
    values, also = (_texts_compared(reading.query) for reading in (first, second))
    return {value for _, value in values} == {value for _, value in also} and values != also


def _texts_compared(query: Query) -> set[tuple[Term, Constant]]:
    comparisons = ((p.left, p.right) for p in parts(query) if isinstance(p, Compare) and isinstance(p.right, Constant))
    return {(left, right) for left, right in comparisons if isinstance(right.value, str)}


def _is_tied(first: Scored, rival: Scored) -> bool:
    """Whether nothing decides between two readings: they follow several keys to a table, read tables of one name in
    several schemas or columns of the same names in other tables, take blanks alone or zeros too for "without", or one
    has for each value what the other has for all of them: "body mass of males and females", "average sales per
    customer"."""
    if first.features.get("rule without_column") and rival.features.get("rule without_any"):
        return True
    if first.features.get(UNSAID) and rival.features.get(UNSAID):
        return True
    if abs(first.score - rival.score) < _SAME_SCORE and _without_tables(first.query) == _without_tables(rival.query):
        return True
    is_of_each = rival.features.get("shape of many") and not first.features.get("shape of many")
    if is_of_each or (first.score == rival.score and first.features.get("key unsaid", 0.0) == 1.0):
        return True
    first_query, rival_query = first.query, rival.query
    if (
        not isinstance(first_query, Grouped)
        or not isinstance(rival_query, Grouped)
        or not rival.features.get("shape by values")
    ):
        return False
    return not first_query.keys and (first_query.of, first_query.figures) == (rival_query.of, rival_query.figures)


def _without_tables(query: Query) -> Query:
    """A query with the names of its columns alone: of two sheets with a column "Total" it may be about either."""
    return mapped(query, lambda part: replace(part, table="") if isinstance(part, Column | Rows) else part)


def _says_less(query: Query, rival: Query) -> bool:
    """Whether a query only lists what another one groups by."""
    return isinstance(query, Listing) and isinstance(rival, Grouped) and set(query.outputs) <= set(rival.keys)


def _tables_read(query: Query) -> int:
    return len({part.table for part in parts(query) if isinstance(part, Rows | Column)})


def _offered(
    readings: Sequence[Scored], places: Sequence[int], known_results: Sequence[ResultSummary]
) -> tuple[int, ...]:
    """The readings to choose from: near the first one, one for each result."""
    first = readings[places[0]]
    distinct: dict[str, int] = {}
    for at, place in enumerate(places):
        if first.score - readings[place].score <= NEAR:
            distinct.setdefault(known_results[at].content if known_results else str(place), place)
    return tuple(distinct.values())[:OPTIONS_MAX]


@dataclass(slots=True)
class QueryRuns:
    """The results of readings that were run for one question, and the statements that are still wanted.

    Whoever reads without running asks for results; what is not there is noted, to be run before it is read again.
    """

    known: dict[Statement, ResultSummary | None] = field(default_factory=dict)
    failures: dict[Statement, str] = field(default_factory=dict)
    """Why a statement did not run, as the engine or the guard says it."""
    wanted: list[Statement] = field(default_factory=list)
    is_out_of_time: bool = False
    """None of them ran in the time there was, as on a slow source: it is decided as if none was to be run."""
    _kept: dict[Hashable, Any] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """What does not depend on results: made when it is first wanted, and kept while the question is read again."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def results(self, source: str, queries: Iterable[str]) -> list[ResultSummary | None] | None:
        """The results of the first queries; None while some have not been run, and where the engine runs none.

        That an engine fails is no sign that a question was misread: it is decided as if none was to be run.
        """
        if self.is_out_of_time:
            return None
        statements = [(source, sql) for sql in queries][:RUN_MAX]
        pending = [statement for statement in statements if statement not in self.known]
        self.wanted.extend(statement for statement in pending if statement not in self.wanted)
        if pending or (
            any(statement in self.failures for statement in statements)
            and not any(self.known[statement] for statement in statements)
        ):
            return None
        return [self.known[statement] for statement in statements]

    def failure(self, source: str, queries: Iterable[str]) -> str:
        """Why the first of some queries that did not run failed; empty where none failed."""
        statements = ((source, sql) for sql in queries if not self.is_out_of_time)
        return next((self.failures[statement] for statement in statements if statement in self.failures), "")

    def add(
        self, results: Mapping[Statement, ResultSummary | None], failures: Mapping[Statement, str] | None = None
    ) -> None:
        """Take what came of statements; they are wanted no more."""
        self.known.update(results)
        self.failures.update(failures or {})
        self.wanted = [statement for statement in self.wanted if statement not in self.known]
