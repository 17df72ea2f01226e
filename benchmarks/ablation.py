"""Takes one rule of the analyst's grammar away at a time and prints what first readings it loses or gains.

    python benchmarks/ablation.py SUITE.jsonl[:N[:DATASET,...]] ... [--rules NAME,...]

A rule earns its place where taking it away loses right first readings on databases that it was not written for. Only
the questions in whose readings a rule takes part are read again without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "benchmarks")]

from analyst_cases import Case, Judged, drawn, judged  # noqa: E402

from assistant.analyst.grammar import chart  # noqa: E402
from assistant.analyst.grammar.rules import RULES  # noqa: E402


def is_right(case: Judged) -> bool:
    """Whether the first reading is right."""
    return bool(case.options) and case.options[0].right


def without(name: str, cases: Sequence[Case]) -> dict[Case, bool]:
    """Whether the first reading of each question is right without a rule."""
    chart.RULES = [rule for rule in RULES if rule.name != name]
    try:
        return {case.case: is_right(case) for case in judged(cases)}
    finally:
        chart.RULES = RULES


def effects(names: Sequence[str], before: Sequence[Judged]) -> Iterator[tuple[str, int, int, int]]:
    """Each rule with the number of questions that it takes part in, and of right ones lost and gained without it."""
    for name in names:
        used = [case for case in before if any(name in option.rules for option in case.options[:1])]
        after = without(name, [case.case for case in used]) if used else {}
        lost = sum(is_right(case) and not after.get(case.case, False) for case in used)
        gained = sum(not is_right(case) and after.get(case.case, False) for case in used)
        yield name, len(used), lost, gained


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--rules", default="")
    given = parser.parse_args()
    before = judged([case for suite in given.suites for case in drawn(suite, held_out=True)])
    names = given.rules.split(",") if given.rules else [rule.name for rule in RULES]
    print(f"{sum(map(is_right, before))} of {len(before)} first readings are right")
    print(f"{'rule':28}{'used':>6}{'lost':>6}{'gained':>8}")
    for name, used, lost, gained in effects(names, before):
        print(f"{name:28}{used:6}{lost:6}{gained:8}", flush=True)


if __name__ == "__main__":
    main()
