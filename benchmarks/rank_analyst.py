"""Learns the embedded analyst's weights, or prints how its readings fare: right, wrong, asked, declined, first, among ten.

    python benchmarks/rank_analyst.py learn SUITE.jsonl[:N[:DATASET,...]] ... [--composed N] [--misplaced N] [--sample]
    python benchmarks/rank_analyst.py measure SUITE.jsonl[:N[:DATASET,...]] ... [--failures]

`N` is how many questions to draw (0: all). Sources whose name hashes to the held-out fifth are never learned from and
alone measured, unless datasets are listed. `--composed` adds questions made from the algebra, on the databases that
may be learned on; `--misplaced` adds questions asked of the wrong database, so that confidence knows what cannot be
answered. `--further` draws what is learned to the weights that are there: for fewer questions. `--failures` lists what was not answered right: only for databases that may be learned from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "benchmarks")]

from analyst_cases import Judged, Option, composed, drawn, judged, misplaced, sampled  # noqa: E402
from analyst_learning import learn  # noqa: E402

from assistant.analyst.ranking import weights  # noqa: E402

WEIGHTS = ROOT / "assistant" / "analyst" / "weights.json"

# --- figures ---


def figures(data: Sequence[Judged]) -> str:
    """A line of the table."""
    if not data:
        return "n 0"
    n = len(data)
    tally = dict.fromkeys(("right", "wide", "wrong", "offered", "asked", "declined", "first", "among"), 0)
    for case in data:
        tally[case.outcome] += 1
        tally["first"] += bool(case.options) and case.options[0].right
        tally["among"] += any(option.right for option in case.options[:10])
    times = sorted(case.seconds for case in data)
    shares = "  ".join(f"{name} {100 * count / n:.1f}" for name, count in tally.items())
    return f"n {len(data)}  {shares}  median {1000 * times[len(times) // 2]:.0f} ms"


def failures(data: Sequence[Judged]) -> None:
    """What was not answered right, with the first reading and the gold."""
    for case in data:
        at = next((i for i, option in enumerate(case.options) if option.right), None)
        if case.outcome == "right":
            continue
        print(f"\n{case.outcome} right at {at}: {case.case.question}  [{case.case.source.stem}]\n  {case.text}")
        for option in _told(case.options, at):
            print(
                f"  {option.score:.1f} {option.confidence:.2f} unread {option.unread} {option.rules}\n    {_flat(option.sql)}"
            )
        print(f"  gold {_flat(case.case.gold[0]) if case.case.gold else 'none'}")


def _told(options: Sequence[Option], at: int | None) -> Iterator[Option]:
    yield from options[:1]
    if at:
        yield options[at]


def _flat(sql: str) -> str:
    return " ".join(sql.split())[:400]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("learn", "measure"))
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--composed", type=int, default=0)
    parser.add_argument("--misplaced", type=int, default=0)
    parser.add_argument("--sample", action="store_true", help="learn from the sample company's suite too")
    parser.add_argument("--further", action="store_true", help="learn on from the weights that are there")
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    if given.command == "measure":
        for suite in given.suites:
            data = judged(drawn(suite, held_out=True))
            if given.failures:
                failures(data)
            print(suite.split("/")[-2], figures(data), flush=True)
        return
    groups = [judged(drawn(suite, held_out=False)) for suite in given.suites]
    for suite, data in zip(given.suites, groups, strict=True):
        print(suite.split("/")[-2], figures(data), flush=True)
    made = composed(given.composed)
    if made:
        print("composed", figures(made), flush=True)
    elsewhere = [case for suite in given.suites for case in drawn(suite, held_out=False)]
    groups.append(judged(misplaced(elsewhere, given.misplaced)))
    print("misplaced", figures(groups[-1]), flush=True)
    if given.sample:
        groups.append(sampled())
        print("sample", figures(groups[-1]), flush=True)
    everything = [case for data in groups for case in data] + made
    learned = learn(
        everything,
        [Path(suite.split(":")[0]).parent.name for suite in given.suites],
        weights() if given.further else None,
    )
    WEIGHTS.write_text(json.dumps(learned, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print({k: v for k, v in learned.items() if k not in ("rank", "ran", "unrun")})


if __name__ == "__main__":
    main()
