"""Prints how the embedded analyst answers questions composed from its algebra, by operator and by depth.

    python benchmarks/composition.py [--each N] [--seed N] [--learnt] [--failures OPERATOR] [--write]

The questions are generated (`tests/support/composed`): `--each` on each of four databases that no weight was learned
on, or, with `--learnt`, on the four that weights may be learned on. `--failures` prints those with an operator that
were not answered right. `--write` stores the figures that the tests hold as a ratchet; the others may not be worse.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from composed.domains import LEARNT, MEASURED  # noqa: E402
from composed.judging import OUTCOMES, Judged, judged, sample, tally  # noqa: E402

FIGURES = ROOT / "tests" / "assistant" / "analyst" / "composition.json"
SAMPLES = {"whole": 525, "sample": 40}


def line(name: str, cases: list[Judged]) -> str:
    """A line of the table."""
    found, n = tally(cases), len(cases)
    shares = "".join(f"{100 * found[outcome] / n:9.1f}" for outcome in OUTCOMES)
    first = sum(case.fits[:1] == (True,) for case in cases)
    among = sum(any(case.fits) for case in cases)
    return f"{name:18}{n:6}{shares}{100 * first / n:9.1f}{100 * among / n:9.1f}"


def table(cases: list[Judged]) -> None:
    """By depth, and by operator, the worst first."""
    print(f"{'in %':18}{'n':>6}" + "".join(f"{word:>9}" for word in (*OUTCOMES, "first", "among")))
    print(line("all", cases))
    for depth in sorted({case.question.depth for case in cases}):
        print(line(f"{depth} deep", [case for case in cases if case.question.depth == depth]))
    by: dict[str, list[Judged]] = {}
    for case in cases:
        for operator in dict.fromkeys(case.question.operators):
            by.setdefault(operator, []).append(case)
    for operator, several in sorted(by.items(), key=lambda item: tally(item[1])["right"] / len(item[1])):
        print(line(operator, several))


def failures(cases: list[Judged], operator: str) -> None:
    """What was not answered right, with the first reading."""
    for case in cases:
        if case.outcome != "right" and (operator in case.question.operators or operator == "all"):
            at = case.fits.index(True) if True in case.fits else "-"
            print(f"\n{case.outcome} (right reading: {at}) {case.question.operators}\n  {case.question.text}")
            for reading in case.readings[:1]:
                print(f"  {reading.confidence:.2f} unread {reading.unread} {reading.rules}\n  {reading.query}")


def write() -> None:
    """The figures of both sizes."""
    found: dict[str, dict[str, int]] = {}
    for name, each in SAMPLES.items():
        counted: Counter[str] = Counter(tally(judged(sample(MEASURED, each))))
        found[name] = {"each": each, "right": counted["right"], "wrong": counted["wrong"]}
    FIGURES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(found)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=SAMPLES["whole"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--learnt", action="store_true")
    parser.add_argument("--failures", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.write:
        write()
        return
    started = time.monotonic()
    cases = list(judged(sample(LEARNT if given.learnt else MEASURED, given.each, seed=given.seed), thorough=True))
    if given.failures:
        failures(cases, given.failures)
    table(cases)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
