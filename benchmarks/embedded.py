"""How often the embedded analyst is right, wrong, asks or declines; how far its confidence holds; how fast it reads.

    python benchmarks/embedded.py SUITE.jsonl... [--split tuning|measuring] [--sources FIRST:LAST] [--limit N] [--seed N]
                                  [--jobs N] [--through reader|session] [--show wrong,asked,...] [--reliability]
                                  [--patterns]
    python benchmarks/embedded.py --tables 500

A suite is what `tandem eval` takes, and an answer is right by the same comparison. `--split` cuts a suite of more than
a hundred sources: the first hundred in order of name are for tuning, the others for measuring alone. `--limit` draws
that many questions at random, by the seed. `or offered` counts right answers and a right reading among the first three
of a question back; `never asks` takes the first of them. `wide` are wrong answers that hold the right columns and rows,
and further columns. `--reliability` compares the confidence of answers with how many are right, and prints the expected
calibration error. `--patterns` prints a line for each shape of gold query as well. `--tables` makes a schema of that
many tables and times the way from a question to its SQL.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

from sqlglot import exp, parse_one

from assistant.data.adapters.sqlite import SqliteSource
from assistant.data.addresses import addresses
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood
from assistant.evaluation.progress import Bar
from assistant.evaluation.runner import answer
from assistant.evaluation.score import Record, score
from assistant.evaluation.suite import Case, Suite, read_suite
from assistant.evaluation.workers import answer_in_processes
from assistant.settings.config import Settings

_TUNING = 100
_BINS = 10
_ROUNDS = 5
_TODAY = date(2026, 11, 22)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is asked for, and print a line for each suite."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", type=Path, nargs="*", metavar="SUITE.jsonl")
    parser.add_argument("--split", choices=("tuning", "measuring"), help="which sources of a suite of over 100")
    parser.add_argument("--sources", default=":", help="a slice of the sources in order of name, such as 0:100")
    parser.add_argument("--limit", type=int, default=0, help="how many questions to draw; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the questions")
    parser.add_argument("--through", choices=("reader", "session"), default="reader")
    parser.add_argument("--show", default="", help="outcomes to print in full, separated by commas")
    parser.add_argument("--reliability", action="store_true", help="compare confidence with what is right")
    parser.add_argument("--patterns", action="store_true", help="a line for each shape of gold query")
    parser.add_argument("--tables", type=int, default=0, help="time reading on a schema of that many tables")
    options = parser.parse_args(argv)
    if not options.suites and not options.tables:
        parser.error("give a suite, or --tables N")
    head = ("suite", "questions", "right", "wrong", "asked", "declined", "failed", "unjudged", "wide")
    if options.suites:
        print(
            f"{head[0]:<34}" + "".join(f"{name:>12}" for name in (*head[1:], "or offered", "never asks", "median ms"))
        )
    for path in options.suites:
        suite = read_suite(path)
        cases = _chosen(suite, options)
        with tempfile.TemporaryDirectory() as folder:
            records = asyncio.run(_ask(suite, cases, options, Path(folder)))
        print(_line(f"{path.parent.name}/{path.stem}", records))
        if options.patterns:
            _print_patterns(cases, records)
        for record in records:
            if _outcome(record) in options.show.split(","):
                gold = next(case.sql[0] for case in cases if case.id == record.id)
                print(f"[{_outcome(record)}] {record.id} {record.question}\n    gold {' '.join(gold.split())}")
                print(f"    ours {' '.join(record.sql.split()) or record.text}")
        if options.reliability:
            _print_reliability(records)
    if options.tables:
        asyncio.run(_time_reading(options.tables))
    return 0


def _chosen(suite: Suite, options: argparse.Namespace) -> list[Case]:
    names = sorted({case.source for case in suite.cases})
    if options.split and len(names) <= _TUNING:
        raise SystemExit(f"{suite.path.name} has {len(names)} sources: there is nothing to split.")
    if options.split:
        names = names[:_TUNING] if options.split == "tuning" else names[_TUNING:]
    first, _, last = options.sources.partition(":")
    kept = set(names[int(first or 0) : int(last) if last else None])
    cases = [case for case in suite.cases if case.source in kept]
    if options.limit:
        cases = random.Random(options.seed).sample(cases, min(options.limit, len(cases)))
    return cases


async def _ask(suite: Suite, cases: Sequence[Case], options: argparse.Namespace, folder: Path) -> list[Record]:
    records: dict[str, Record] = {}
    bar = Bar(sys.stderr)

    def done(record: Record) -> None:
        records[record.id] = record
        bar(tuple(records.values()), len(cases))

    settings = Settings(home=folder, as_of=_TODAY, query_seconds_max=20.0)
    if options.jobs > 1:
        await answer_in_processes(
            suite, cases, settings=settings, through=options.through, jobs=options.jobs, done=done
        )
    else:
        await answer(suite, cases, settings=settings, folder=folder, through=options.through, done=done)
    return [records[case.id] for case in cases]


def _outcome(record: Record) -> str:
    if record.status == "asked":
        return "offered" if record.offered else "asked"
    if record.status != "answered":
        return record.status
    return "unjudged" if record.right is None else "right" if record.right else "wide" if record.wide else "wrong"


def _line(name: str, records: Sequence[Record]) -> str:
    counts = score(records)
    of = max(counts.questions, 1)
    shares = (
        counts.right,
        counts.wrong,
        counts.asked,
        counts.declined,
        counts.failed,
        counts.unjudged,
        counts.wide,
        counts.right + counts.offered,
        counts.right + counts.first,
    )
    median = 1000 * statistics.median(record.seconds for record in records) if records else 0.0
    return (
        f"{name:<34}{counts.questions:>12}" + "".join(f"{share / of:>12.1%}" for share in shares) + f"{median:>12.1f}"
    )


def _print_patterns(cases: Sequence[Case], records: Sequence[Record]) -> None:
    """The figures by the shape of the first gold query, the commonest shape first."""
    by_shape: dict[str, list[Record]] = {}
    for case, record in zip(cases, records, strict=True):
        by_shape.setdefault(_shape(case.sql[0]), []).append(record)
    for shape, held in sorted(by_shape.items(), key=lambda item: -len(item[1])):
        print(_line(shape, held))


def _shape(sql: str) -> str:
    query = parse_one(sql, read="sqlite")
    if isinstance(query, exp.SetOperation):
        return "set operation"
    if len(list(query.find_all(exp.Select))) > 1:
        return "nested"
    said = (("joined", exp.Join), ("grouped", exp.Group), ("first places", exp.Limit))
    return ", ".join(name for name, kind in said if query.find(kind)) or "one table, plain"


def _print_reliability(records: Sequence[Record]) -> None:
    """Answers by their confidence, in ten bins of equal width.

    Source: Guo et al., On Calibration of Modern Neural Networks, ICML 2017, section 2 (expected calibration error).
    """
    judged = [r for r in records if r.status == "answered" and r.confidence is not None and r.right is not None]
    if not judged:
        print("No answer came with a confidence.")
        return
    if outside := [r.confidence for r in judged if r.confidence is not None and not 0 <= r.confidence <= 1]:
        print(
            f"The confidence is not calibrated: {len(outside)} of {len(judged)} lie outside 0 to 1 "
            f"({min(outside):.2f} to {max(outside):.2f}); they are cut off."
        )
    bins: dict[int, list[tuple[float, bool]]] = {}
    for record in judged:
        sure = min(max(record.confidence or 0.0, 0.0), 1.0)
        bins.setdefault(min(int(sure * _BINS), _BINS - 1), []).append((sure, record.right is True))
    error = 0.0
    print(f"{'confidence':>12}{'answers':>10}{'mean':>8}{'right':>8}")
    for number, held in sorted(bins.items()):
        mean = statistics.fmean(sure for sure, _ in held)
        right = statistics.fmean(ok for _, ok in held)
        error += len(held) / len(judged) * abs(mean - right)
        print(f"{number / _BINS:>6.1f} - {(number + 1) / _BINS:.1f}{len(held):>9}{mean:>8.2f}{right:>8.2f}")
    print(f"expected calibration error {error:.3f} over {len(judged)} answers")


_AREAS = (
    "sales", "finance", "payroll", "logistics", "warehouse", "marketing", "support", "billing", "procurement", "quality",
    "fleet", "energy", "campus", "clinic", "insurance", "travel", "retail", "legal", "archive", "security",
    "research", "media", "facility", "training", "audit",
)  # fmt: skip
_THINGS = (
    "invoices", "orders", "contracts", "claims", "visits", "shipments", "tickets", "projects", "budgets", "meetings",
    "devices", "vendors", "members", "sites", "reports", "licenses", "requests", "payments", "routes", "samples",
)  # fmt: skip
_ASKED = (
    "How many {one} are there?",
    "What is the total amount of {one}?",
    "What is the average amount of {one} by status?",
    "How many {one} are there by month in 2025?",
    "Which 5 {one} have the highest amount?",
    "Show the title and amount of {one} with an amount over 500",
    "How many open {one} are there?",
    "What is the largest amount of {one} in 2025?",
    "List the title of {one} sorted by amount",
    "What is the total amount of {one} by region?",
)


async def _time_reading(tables: int) -> None:
    """Time the analyst on a made-up schema: how long it takes to be ready, and from a question to its SQL."""
    names = [f"{area}_{thing}" for thing in _THINGS for area in _AREAS]
    names += [f"{name}_{number}" for number in range(2, 2 + tables // len(names)) for name in names]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.sqlite"
        await asyncio.to_thread(_write, path, names[:tables])
        source = await SqliteSource.open(addresses(str(path))[0])
        try:
            started = time.perf_counter()
            catalog = await source.catalog()
            described = time.perf_counter()
            analyst = Analyst([catalog], (), _TODAY)
            ready = time.perf_counter()
        finally:
            await source.close()
    outcomes: Counter[str] = Counter()
    times: list[float] = []
    for name in names[: tables : max(tables // _ROUNDS, 1)]:
        for asked in _ASKED:
            began = time.perf_counter()
            read = analyst.read(asked.format(one=name.replace("_", " ")))
            match read:
                case Understood():
                    analyst.sql(read.meaning)
                case Ambiguous():
                    for _, meaning in read.options:
                        analyst.sql(meaning)
                case NotUnderstood():
                    pass
            times.append(1000 * (time.perf_counter() - began))
            outcomes[type(read).__name__] += 1
    times.sort()
    print(f"{tables} tables: catalog {described - started:.1f} s, analyst ready {ready - described:.1f} s")
    print(
        f"question to SQL: median {statistics.median(times):.1f} ms, 95th percentile {times[int(len(times) * 0.95)]:.1f} ms,"
        f" longest {times[-1]:.1f} ms over {len(times)} questions ({', '.join(f'{n} {c}' for n, c in outcomes.items())})"
    )


def _write(path: Path, names: Sequence[str]) -> None:
    draw = random.Random(7)
    with closing(sqlite3.connect(path)) as connection:
        for number, name in enumerate(names):
            key = "" if number == 0 else f", parent_id INTEGER REFERENCES {names[draw.randrange(number)]}(id)"
            connection.execute(
                f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, title TEXT, status TEXT, region TEXT, amount REAL, "
                f"quantity INTEGER, created_on DATE, updated_at TIMESTAMP{key})"
            )
            rows = [
                (
                    i,
                    f"{name.replace('_', ' ')} {i}",
                    draw.choice(("open", "closed", "pending")),
                    draw.choice(("north", "south", "east", "west")),
                    round(draw.uniform(1, 1000), 2),
                    draw.randint(1, 90),
                    f"2025-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
                    f"2025-{draw.randint(1, 12):02}-{draw.randint(1, 28):02} 10:00:00",
                    *(() if number == 0 else (draw.randint(1, 20),)),
                )
                for i in range(1, 21)
            ]
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        connection.commit()


if __name__ == "__main__":
    sys.exit(main())
