"""What the analyst makes of composed questions: right, wrong, asked or declined, each judged by the second meaning."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rows_evaluator import Evaluator

from assistant.analyst.confidence import RUN_MAX, Result
from assistant.analyst.deciding import decide
from assistant.analyst.ranking import Weights
from assistant.analyst.reading import Reader, Reading
from assistant.evaluation.comparison import holds
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
    readings: tuple[Reading, ...]
    fits: tuple[bool, ...] = ()


@cache
def reader(name: str, learned: Weights | None = None) -> Reader:
    """The reader of a domain."""
    return Reader(made(name).catalog(), learned)


def judged(found: Iterable[Composed], *, thorough: bool = False, learned: Weights | None = None) -> Iterator[Judged]:
    """The outcome of each question; `thorough` runs all readings."""
    by_domain: dict[str, list[Composed]] = {}
    for question in found:
        by_domain.setdefault(question.domain, []).append(question)
    for name, several in by_domain.items():
        meaning, reads = Evaluator(made(name).database), reader(name, learned)
        with closing(made(name).sqlite()) as connection:
            for question in several:
                gold = meaning.run(question.query)
                readings = tuple(reads.read(question.text))
                fits = tuple(_fits(_rows(connection, r), gold, question) for r in readings) if thorough else ()
                outcome = _outcome(connection, readings, gold, question, reads.weights)
                yield Judged(question=question, outcome=outcome, readings=readings, fits=fits)


def _outcome(
    connection: sqlite3.Connection,
    readings: tuple[Reading, ...],
    gold: list[tuple[object, ...]],
    question: Composed,
    by: Weights,
) -> Outcome:
    ran = [_rows(connection, reading) for reading in readings[:RUN_MAX]]
    decision = decide(readings, [Result.of(rows) if rows is not None else None for rows in ran], by)
    if decision.kind != "answer":
        return "asked" if decision.kind == "ask" else "declined"
    return "right" if _fits(ran[decision.options[0]], gold, question) else "wrong"


def _rows(connection: sqlite3.Connection, reading: Reading) -> Rows | None:
    try:
        return tuple(connection.execute(reading.sql).fetchall())
    except sqlite3.Error:
        return None


def _fits(rows: Rows | None, gold: list[tuple[object, ...]], question: Composed) -> bool:
    return rows is not None and holds(rows, gold, ordered=question.ordered)


def sample(names: Iterable[str], number: int, *, seed: int = 0) -> list[Composed]:
    """So many questions on each domain."""
    return [question for name in names for question in questions(name, number, seed=seed)]


def tally(found: Iterable[Judged]) -> Counter[Outcome]:
    """How many questions had each outcome."""
    return Counter(case.outcome for case in found)
