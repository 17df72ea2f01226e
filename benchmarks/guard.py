"""How often the guard refuses an honest query, how often it passes a write, and what a hostile statement costs at worst.

    python benchmarks/guard.py PATH... [--show]
    python benchmarks/guard.py --work [DIALECT...]

A path is a file of JSON lines, or a folder of such files, of two forms: labelled statements
`{"sql", "label": "allow" or "deny", "dialect"}`, and suites of questions `{"sql": [gold, ...]}` whose every query is
honest (SQLite, unless a line names its `dialect`).
`guard_exceptions.jsonl` lists the labels that we judge otherwise: the digest of the statement, what the guard says, and
the reason; never the statement itself. The program ends with 1 where a figure is not 0 after these exceptions, and
where an exception names a verdict that the guard does not give any more.

`--work` prints, for each dialect, the statement of `tests/support/hostile_sql.py` that keeps the processor longest, and
how long an event loop in the same process waits meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.query.guard import LIMIT_CHARS, Refusal, check

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from hostile_sql import BURSTS, DIALECTS, burst

LENGTHS = (2_500, 20_000, LIMIT_CHARS)
EXCEPTIONS = Path(__file__).with_name("guard_exceptions.jsonl")
Fault = Literal["refused honest query", "passed write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One statement and what others say of it."""

    sql: str
    dialect: str
    honest: bool

    @property
    def digest(self) -> str:
        """What an exception names a statement by; the dialect counts, for the same text may mean another thing."""
        return hashlib.sha256(f"{self.dialect}\n{self.sql}".encode()).hexdigest()[:16]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print one line per file, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", type=Path, nargs="*", metavar="PATH")
    parser.add_argument("--show", action="store_true", help="print every statement judged otherwise than its label")
    parser.add_argument("--work", nargs="*", metavar="DIALECT", help="measure hostile statements instead; all dialects")
    options = parser.parse_args(argv)
    if options.work is not None:
        logging.disable()
        asyncio.run(measure_work(options.work or DIALECTS))
        return 0
    if not options.paths:
        parser.error("name a PATH, or --work")

    reasons = {entry["digest"]: entry for entry in _lines(EXCEPTIONS)}
    everything: list[tuple[Case, Fault]] = []
    total = 0
    stale = 0
    print(f"{'suite':34}{'honest':>8}{'writes':>8}{'refused honest':>16}{'passed writes':>15}   after exceptions")
    for path in _files(options.paths):
        cases = list(dict.fromkeys(case for line in _lines(path) for case in _cases(line)))
        faults: list[tuple[Case, Fault]] = []
        for case in cases:
            refusal = check(case.sql, dialect=case.dialect)
            fault = _fault(case, refusal)
            if fault:
                faults.append((case, fault))
                if options.show:
                    print(f"[{case.digest}] {fault} ({case.dialect}): {case.sql!r}\n    {refusal}")
            elif case.digest in reasons:
                stale += 1
                print(f"The exception {case.digest} is needed no more: take it out.")
        print(_row("/".join(path.parts[-2:]), cases, faults, reasons))
        everything += faults
        total += len(cases)
    left = [fault for case, fault in everything if reasons.get(case.digest, {}).get("verdict") != fault]
    print(
        f"{total} statements: {sum(f == 'refused honest query' for f in left)} refused honest queries and "
        f"{sum(f == 'passed write' for f in left)} passed writes after {len(everything) - len(left)} reasoned exceptions"
    )
    return 1 if left or stale else 0


async def measure_work(dialects: Sequence[str]) -> None:
    """Judge every hostile statement at several lengths in a thread, and print the worst of each dialect."""
    await asyncio.to_thread(check, "SELECT 1", dialect="duckdb")
    print(f"{'dialect':16}{'CPU s':>8}  {'statement':28}{'characters':>12}{'worst gap of the loop, ms':>28}")
    for dialect in dialects:
        worst = (0.0, "", 0)
        gap = 0.0
        for name in BURSTS:
            for length in LENGTHS:
                judging = asyncio.create_task(asyncio.to_thread(_seconds, burst(name, length), dialect))
                while not judging.done():
                    before = time.perf_counter()
                    await asyncio.sleep(0.001)
                    gap = max(gap, time.perf_counter() - before - 0.001)
                worst = max(worst, (await judging, name, length))
        print(f"{dialect or 'general':16}{worst[0]:>8.2f}  {worst[1]:28}{worst[2]:>12,}{gap * 1000:>28.0f}", flush=True)


def _seconds(sql: str, dialect: str) -> float:
    started = time.thread_time()
    check(sql, dialect=dialect)
    return time.thread_time() - started


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


def _fault(case: Case, refusal: Refusal | None) -> Fault | None:
    if case.honest and refusal is not None:
        return "refused honest query"
    if not case.honest and refusal is None:
        return "passed write"
    return None


def _row(
    name: str, cases: Sequence[Case], faults: Sequence[tuple[Case, Fault]], reasons: dict[str, dict[str, str]]
) -> str:
    honest = sum(case.honest for case in cases)
    left = [(case, fault) for case, fault in faults if reasons.get(case.digest, {}).get("verdict") != fault]
    figures = [
        sum(fault == kind for _, fault in some)
        for some in (faults, left)
        for kind in ("refused honest query", "passed write")
    ]
    return (
        f"{name:34}{honest:>8}{len(cases) - honest:>8}{figures[0]:>16}{figures[1]:>15}   {figures[2]} and {figures[3]}"
    )


def _cases(line: dict[str, object]) -> Iterator[Case]:
    dialect = str(line.get("dialect") or "sqlite")
    statements = line.get("sql") or line.get("statement")
    for sql in statements if isinstance(statements, list) else [statements]:
        yield Case(sql=str(sql), dialect=dialect, honest=line.get("label", "allow") == "allow")


def _lines(path: Path) -> Iterator[dict[str, object]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


if __name__ == "__main__":
    sys.exit(main())
