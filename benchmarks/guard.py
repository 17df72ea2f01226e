"""How often the guard refuses an honest query, and how often it passes a write.

    python benchmarks/guard.py PATH... [--show]

A path is a file of JSON lines, or a folder of such files, of two forms: labelled statements
`{"sql", "label": "allow" or "deny", "dialect"}`, and suites of questions `{"sql": [gold, ...]}` whose every query is
honest (SQLite, unless a line names its `dialect`).
`guard_exceptions.jsonl` lists the labels that we judge otherwise: the digest of the statement, what the guard says, and
the reason; never the statement itself. The program ends with 1 where a figure is not 0 after these exceptions, and
where an exception names a verdict that the guard does not give any more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.data.guard import Refusal, check

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
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH")
    parser.add_argument("--show", action="store_true", help="print every statement judged otherwise than its label")
    options = parser.parse_args(argv)

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
