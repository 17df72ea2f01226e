"""Questions with gold answers for `rank_analyst.py`: drawn from suites, read and run in processes, catalogs kept.

A suite is a file of JSON lines (`id`, `question`, `source`, `sql`, perhaps `answers`, `gold_on`, `dataset`). Catalogs
and the databases made of files are kept in a folder of the system's temporary one, so that only the first run opens
sources.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import os
import pickle
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from assistant.analyst.algebra import Query
from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Ambiguous, Declined, Message, Outcome, Understood
from assistant.analyst.ranking import Features
from assistant.analyst.reading import QuestionReading
from assistant.core.catalog import Catalog
from assistant.errors import AssistantError
from assistant.evaluation.comparison import are_equal, contains_result, is_ordered
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights
from knowledge.embedding import choose_embedder
from knowledge.similarity import Similarity

ROOT = Path(__file__).parents[1]
CACHE = Path(tempfile.gettempdir()) / f"tandem-analyst-cases-{os.getuid()}"
PER_SOURCE = 12
PROCESSES = 2
_STEPS = 200_000
_SECONDS = 1.5
_ROWS_MAX = 20_000
Rows = tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Case:
    """A question. `answers` are rows that were given with it, one for each gold, None where they are not."""

    suite: str
    dataset: str
    question: str
    source: Path
    gold_on: Path
    gold: tuple[str, ...]
    answers: tuple[list[list[object]] | None, ...]


@dataclass(frozen=True)
class Option:
    """A reading that was run: its features, score, whether its result is right, and what tells results apart."""

    sql: str
    query: Query
    rules: tuple[str, ...]
    unread: tuple[str, ...]
    features: Features
    score: float
    confidence: float
    right: bool
    result: ResultSummary | None


@dataclass(frozen=True)
class Judged:
    """A question with its readings, the likeliest first, and what the analyst replies.

    `outcome` is `right`, `wide` (right, with a further column), `wrong`, `offered` (it asks, and a reading that it offers is right), `asked` or `declined`.
    """

    case: Case
    options: tuple[Option, ...]
    seconds: float
    outcome: str
    text: str

    @property
    def answerable(self) -> bool:
        """Whether there is a right answer."""
        return bool(self.case.gold)


_LOOKED_AT = frozenset(
    (
        *("college_1", "culture_company", "customers_and_invoices", "election", "epinions_1", "farm", "insurance_fnol"),
        *("network_2", "product_catalog", "school_player", "ship_1", "store_1", "storm_record", "twitter_1"),
        *("university_basketball", "wedding", "wine_1"),
    )
)
"""Databases whose questions were kept for figures until 26 November, then read: no figure of them is one of unseen data."""


def is_held_out(source: str) -> bool:
    """Whether a database is kept for figures: one of five, by its name, but those that were looked at."""
    if Path(source).stem in _LOOKED_AT:
        return False
    return hashlib.sha256(Path(source).stem.encode()).digest()[0] % 5 == 0


def drawn(argument: str, *, held_out: bool) -> list[Case]:
    """The questions that `SUITE.jsonl[:N[:DATASET,...]]` names."""
    path, _, rest = argument.partition(":")
    number, _, listed = rest.partition(":")
    found: list[Case] = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row.get("dataset") or row["source"]
        if name in listed.split(",") if listed else is_held_out(row["source"]) == held_out:
            folder = Path(path).parent
            found.append(
                Case(
                    suite=folder.name,
                    dataset=name,
                    question=row["question"],
                    source=folder / row["source"],
                    gold_on=folder / (row.get("gold_on") or row["source"]),
                    gold=tuple(row["sql"]),
                    answers=tuple(row.get("answers") or ()),
                )
            )
    return _few(found, int(number or 0))


def _few(found: list[Case], number: int) -> list[Case]:
    """So many questions, up to `PER_SOURCE` of each source: opening a source takes longer than a question."""
    draw = random.Random(7)
    draw.shuffle(found)
    if not number:
        return found
    names = sorted({case.source for case in found})
    draw.shuffle(names)
    few = [case for name in names for case in [c for c in found if c.source == name][:PER_SOURCE]]
    return few[:number]


def misplaced(found: Sequence[Case], number: int) -> list[Case]:
    """So many questions asked of a source that they are not about: nothing answers them."""
    draw = random.Random(5)
    chosen = draw.sample(list(found), min(number, len(found)))
    sources = sorted({case.source for case in found})
    return [
        replace(case, source=draw.choice([s for s in sources if s != case.source]), gold=(), answers=())
        for case in chosen
    ]


# --- sources, opened once ---


@dataclass(frozen=True)
class Opened:
    """A source: what it holds, and the file that its engine reads."""

    catalog: Catalog
    database: Path


def opened(source: Path) -> Opened:
    """A source's catalog and database, kept in the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    shape = Path(inspect.getfile(Catalog)).read_bytes()  # what was kept in another shape cannot be read
    kept = CACHE / f"{hashlib.sha256(str(source).encode() + shape).hexdigest()[:16]}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    folder = kept.with_suffix("")
    folder.mkdir(exist_ok=True)
    catalog = asyncio.run(_catalog(source, folder))
    made = sorted(folder.rglob("*.duckdb"), key=lambda path: path.stat().st_mtime)
    found = Opened(catalog, source if catalog.dialect == "sqlite" else made[-1])
    kept.write_bytes(pickle.dumps(found))
    return found


async def _catalog(source: Path, folder: Path) -> Catalog:
    live = await open_source(parse_addresses(str(source), Rights(requester="person", private=()))[0], folder=folder)
    try:
        return await live.catalog()
    finally:
        await live.close()


class Engine:
    """Runs statements on a source's file, read-only, with a limit of time and rows."""

    def __init__(self, database: Path, dialect: str) -> None:
        if dialect == "sqlite":
            self._connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
            self._errors: tuple[type[Exception], ...] = (sqlite3.Error, OverflowError)
            self._connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        else:
            import duckdb

            self._errors = (duckdb.Error,)
            self._connection = duckdb.connect(str(database), read_only=True)

    @classmethod
    def on(cls, connection: sqlite3.Connection) -> Engine:
        """An engine on an open database."""
        made = cls.__new__(cls)
        made._connection, made._errors = connection, (sqlite3.Error, OverflowError)
        return made

    def rows(self, sql: str) -> Rows | None:
        """The rows; None where it fails or takes too long."""
        if isinstance(self._connection, sqlite3.Connection):
            end = time.monotonic() + _SECONDS
            self._connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        try:
            return tuple(map(tuple, self._connection.execute(sql).fetchmany(_ROWS_MAX)))
        except self._errors:
            return None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


# --- reading and judging ---


def judged(found: Sequence[Case]) -> list[Judged]:
    """All questions answered as the product answers them, and their readings run, in `PROCESSES` processes."""
    sources = sorted({case.source for case in found}, key=lambda s: -sum(case.source == s for case in found))
    work = [[case for case in found if case.source == source] for source in sources]
    if PROCESSES == 1 or len(work) == 1:
        return [case for several in work for case in _judge(several)]
    with ProcessPoolExecutor(PROCESSES, initializer=os.nice, initargs=(5,)) as pool:
        return [case for several in pool.map(_judge, work) for case in several]


def _judge(several: Sequence[Case]) -> list[Judged]:
    """The questions of one source."""
    try:
        source = opened(several[0].source)
    except (AssistantError, sqlite3.Error, ValueError) as error:
        print(f"{several[0].source.name}: {error}", file=sys.stderr)
        return []
    analyst = Analyst((source.catalog,), (), date.today(), alike=_alike())
    with closing(Engine(source.database, source.catalog.dialect)) as engine:
        return [judge(case, analyst, engine, golds(case)) for case in several]


@cache
def _alike() -> Similarity:
    """As the product compares words by meaning; one for each process."""
    return Similarity(choose_embedder, CACHE)


def judge(case: Case, analyst: Analyst, engine: Engine, expected: Sequence[tuple[Rows, bool]]) -> Judged:
    """A question put to the analyst, its readings run when it wants their results, as in a session."""
    started = time.perf_counter()
    runs = QueryRuns()
    reply = analyst.read(case.question, None, runs)
    while runs.wanted:
        results = {statement: engine.rows(statement[1]) for statement in runs.wanted}
        summaries = {s: ResultSummary.of(rows) if rows is not None else None for s, rows in results.items()}
        runs.add(summaries, {s: "failed" for s, rows in results.items() if rows is None})
        reply = analyst.read(case.question, None, runs)
    seconds = time.perf_counter() - started
    (source,) = analyst.sources.values()
    options = tuple(_option(reading, case, engine, expected) for reading in source.candidates(case.question).readings)

    def is_right(meaning: Meaning) -> bool:
        return fits(engine.rows(analyst.sql(meaning)), case, expected)

    def is_wide(meaning: Meaning) -> bool:
        rows = engine.rows(analyst.sql(meaning))
        return rows is not None and any(contains_result(rows, gold, ordered=ordered) for gold, ordered in expected)

    match reply:
        case Understood(meaning=meaning):
            outcome = "right" if is_right(meaning) else "wide" if is_wide(meaning) else "wrong"
        case Ambiguous(options=offers):
            outcome = "offered" if any(is_right(meaning) for _, meaning in offers) else "asked"
        case _:
            outcome = "declined"
    if outcome not in ("wrong", "wide") and not case.gold:
        outcome = "right"
    return Judged(case, options, seconds, outcome, _text(reply))


def _text(reply: Outcome) -> str:
    match reply:
        case Understood(restated=text) | Declined(reason=text) | Message(text=text):
            return text
        case Ambiguous(text=text, options=options):
            return f"{text} {' / '.join(label for label, _ in options)}"


def fits(rows: Rows | None, case: Case, expected: Sequence[tuple[Rows, bool]]) -> bool:
    """Whether rows are those of a gold."""
    agrees = contains_result if case.answers else are_equal
    return rows is not None and any(agrees(rows, gold, ordered=ordered) for gold, ordered in expected)


def _option(reading: QuestionReading, case: Case, engine: Engine, expected: Sequence[tuple[Rows, bool]]) -> Option:
    rows = engine.rows(reading.sql)
    return Option(
        sql=reading.sql,
        query=reading.query,
        rules=reading.rules,
        unread=reading.unread,
        features=reading.features,
        score=reading.score,
        confidence=reading.confidence,
        right=fits(rows, case, expected),
        result=ResultSummary.of(rows) if rows is not None else None,
    )


@cache
def _gold_engine(database: Path) -> Engine:
    return Engine(database, "sqlite")


def golds(case: Case) -> list[tuple[Rows, bool]]:
    """The rows of each gold that runs, and whether their order counts."""
    found: list[tuple[Rows, bool]] = []
    for i, sql in enumerate(case.gold):
        given = case.answers[i] if i < len(case.answers) else None
        rows = tuple(map(tuple, given)) if given is not None else _gold_engine(case.gold_on).rows(sql)
        if rows is not None:
            ordered = is_ordered(sql, dialect="sqlite") and not case.answers
            found.extend((variant, ordered) for variant in _scaled(rows, percent=bool(case.answers)))
    return found


def _scaled(rows: Rows, *, percent: bool) -> Iterator[Rows]:
    """The rows; and, where percent and fraction count alike, with one column or all of them as the other."""
    yield rows
    places = [i for i, cell in enumerate(rows[0]) if isinstance(cell, float)] if rows and percent else []
    for chosen in [[i] for i in places] + [places] * (len(places) > 1):
        for factor in (100, 0.01):
            yield tuple(
                tuple(c * factor if i in chosen and isinstance(c, float | int) else c for i, c in enumerate(row))
                for row in rows
            )


# --- questions made from the algebra ---


def composed(each: int) -> list[Judged]:
    """So many questions on each of the composed databases that may be learned on."""
    from composed.domains import LEARNT

    if not each:
        return []
    with ProcessPoolExecutor(PROCESSES, initializer=os.nice, initargs=(5,)) as pool:
        work = pool.map(_composed, LEARNT, [each] * len(LEARNT))
        return [case for several in work for case in several]


def _composed(name: str, each: int) -> list[Judged]:
    from composed.domains import made
    from composed.questions import questions
    from rows_evaluator import Evaluator

    analyst = Analyst((made(name).catalog(),), (), date.today())
    meaning = Evaluator(made(name).database)
    found: list[Judged] = []
    with closing(made(name).sqlite()) as connection:
        for question in questions(name, each, seed=11):
            gold = tuple(map(tuple, meaning.run(question.query)))
            case = Case("composed", name, question.text, Path(name), Path(name), (str(question.query),), ([],))
            found.append(judge(case, analyst, Engine.on(connection), [(gold, question.ordered)]))
    return found


# --- the sample company, with its metrics and terms ---


def sampled() -> list[Judged]:
    """The questions of the sample company's suite, read with what its knowledge base defines."""
    from sample_analyst import AS_OF, sample_analyst

    from assistant.sample.company import write_sample

    analyst = sample_analyst()
    with tempfile.TemporaryDirectory() as folder:
        made = write_sample(Path(folder) / "company", as_of=AS_OF)
        with closing(Engine(made.database, "sqlite")) as engine:
            rows = map(json.loads, made.suite.read_text(encoding="utf-8").splitlines())
            cases = [
                Case("sample", "sample", row["question"], made.database, made.database, tuple(row["sql"]), ())
                for row in rows
            ]
            return [judge(case, analyst, engine, golds(case)) for case in cases]
