"""What the analyst makes of composed questions: right, wrong, asked or declined, each judged by the second meaning."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from rows_evaluator import Evaluator

from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.outcomes import Ambiguous, Understood
from assistant.analyst.reading import QuestionReading
from assistant.evaluation.comparison import contains_result
from composed.domains import made
from composed.questions import Composed, questions

Outcome = Literal["right", "wrong", "asked", "declined"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "asked", "declined")
Rows = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A question with its outcome. `fits`: which of the readings are right, where all were run."""

    question: Composed
    outcome: Outcome
    readings: tuple[QuestionReading, ...]
    fits: tuple[bool, ...] = ()


@cache
def analyst(name: str) -> Analyst:
    """The analyst of a domain, as a session has it."""
    return Analyst((made(name).catalog(),), (), date(2024, 1, 1))


def judged(found: Iterable[Composed], *, thorough: bool = False) -> Iterator[Judged]:
    """The outcome of each question; `thorough` runs all readings."""
    by_domain: dict[str, list[Composed]] = {}
    for question in found:
        by_domain.setdefault(question.domain, []).append(question)
    for name, several in by_domain.items():
        meaning, asked = Evaluator(made(name).database), analyst(name)
        (source,) = asked.sources.values()
        with closing(made(name).sqlite()) as connection:
            for question in several:
                gold = meaning.run(question.query)
                readings = source.candidates(question.text).readings
                fits = tuple(_fits(_rows(connection, r.sql), gold, question) for r in readings) if thorough else ()
                outcome = _outcome(connection, asked, gold, question)
                yield Judged(question=question, outcome=outcome, readings=readings, fits=fits)


def _outcome(
    connection: sqlite3.Connection, asked: Analyst, gold: list[tuple[object, ...]], question: Composed
) -> Outcome:
    """What a person gets: the likely readings are run before it is decided, as in a session."""
    runs = QueryRuns()
    asked.read(question.text, None, runs)
    ran = {(source, sql): _rows(connection, sql) for source, sql in runs.wanted}
    runs.add({one: ResultSummary.of(rows) if rows is not None else None for one, rows in ran.items()})
    found = asked.read(question.text, None, runs)
    if not isinstance(found, Understood):
        return "asked" if isinstance(found, Ambiguous) else "declined"
    return "right" if _fits(_rows(connection, asked.sql(found.meaning)), gold, question) else "wrong"


def _rows(connection: sqlite3.Connection, sql: str) -> Rows | None:
    try:
        return tuple(connection.execute(sql).fetchall())
    except sqlite3.Error:
        return None


def _fits(rows: Rows | None, gold: list[tuple[object, ...]], question: Composed) -> bool:
    return rows is not None and contains_result(rows, gold, ordered=question.ordered)


def sample(names: Iterable[str], number: int, *, seed: int = 0) -> list[Composed]:
    """So many questions on each domain."""
    return [question for name in names for question in questions(name, number, seed=seed)]


def tally(found: Iterable[Judged]) -> Counter[Outcome]:
    """How many questions had each outcome."""
    return Counter(case.outcome for case in found)
