"""How many questions that are read wrong at first are right after at most three edits of chips.

    python benchmarks/clicks.py newcomer/suite.jsonl:0:movies,superstore,employees [--clicks 3]

A question counts from the chips that a person sees: of the answer, of the first option, or of what was understood of a
refusal. An edit drops a chip, or takes one of its choices. Edits are searched by how much of the gold's SQL a statement
has (a beam of states, each with the edits whose names the gold has); so the figure is a lower bound of what a person
who knows the answer can reach. One line for each question, then the shares.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import date

from analyst_cases import Case, Engine, drawn, fits, golds, judge, opened

from assistant.analyst.analyst import Analyst
from assistant.analyst.interpretation.chips import ChipKind
from assistant.analyst.interpretation.interpretation import Interpretation, interpret
from assistant.errors import AssistantError

BEAM = 5
CHOICES = 400
_KINDS: tuple[ChipKind, ...] = ("Measure", "Group by", "Filter", "Period", "Sort", "Top", "Compare")
_FIXED = frozenset(("Of", "Show", "Computed as", "Unread"))
_KEYWORDS = frozenset(("select", "from", "as", "where", "and", "group", "by", "null", "is", "not", "on", "join"))


def start_of(case: Case, analyst: Analyst) -> Interpretation:
    """The chips that a person sees first."""
    (source,) = analyst.sources.values()
    readings = source.candidates(case.question).readings
    if not readings:
        return analyst.partial(case.question)
    return interpret(readings[0].query, source, alternatives=[reading.query for reading in readings[1:4]])


def edits(of: Interpretation, gold_words: frozenset[str]) -> Iterator[Interpretation]:
    """What one edit makes, where its choice names nothing that the gold does not have."""
    with suppress(AssistantError):
        yield from (replaced for chip in of.chips if chip.kind not in _FIXED for replaced in _dropped(of, chip))
    for chip in (*(chip for chip in of.chips if chip.kind in _KINDS), *_KINDS):
        for choice in of.choices(chip, most=CHOICES):
            names = _words(choice.text) - _words(str(chip))
            if not choice.is_reading and names and names.isdisjoint(gold_words):
                continue
            with suppress(AssistantError):
                yield of.choose(chip, choice)


def _dropped(of: Interpretation, chip: object) -> Iterator[Interpretation]:
    with suppress(AssistantError):
        yield of.drop(chip)  # type: ignore[arg-type]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower())) - _KEYWORDS


def _statement(of: Interpretation) -> str:
    with suppress(AssistantError):
        return of.sql
    return ""


def clicks(case: Case, analyst: Analyst, engine: Engine, most: int) -> int | None:
    """The least number of edits found that gives the gold's rows; None where there is none among so many."""
    expected = golds(case)
    gold = _words(" ".join(case.gold))
    spelled = gold | {part for sql in case.gold for part in _words(sql.replace("_", " "))}
    states, seen = [start_of(case, analyst)], set[str]()
    for count in range(most + 1):
        for state in states:
            sql = _statement(state)
            if sql and fits(engine.rows(sql), case, expected):
                return count
        if count == most:
            break
        following: dict[str, Interpretation] = {}
        for state in states:
            for edit in edits(state, spelled):
                sql = _statement(edit)
                if sql and sql not in seen:
                    following.setdefault(sql, edit)
        seen.update(following)
        right = [sql for sql in following if fits(engine.rows(sql), case, expected)]
        if right:
            return count + 1
        ranked = sorted(following, key=lambda sql: -_likeness(_words(sql.replace("_", " ")), spelled))
        states = [following[sql] for sql in ranked[:BEAM]]
    return None


def _likeness(words: frozenset[str], gold: frozenset[str]) -> float:
    return len(words & gold) / len(words | gold)


def report(cases: Sequence[Case], most: int) -> None:
    """Count and print."""
    counts: Counter[str] = Counter()
    for source in sorted({case.source for case in cases}):
        one = opened(source)
        analyst = Analyst((one.catalog,), (), date.today())
        with closing(Engine(one.database, one.catalog.dialect)) as engine:
            for case in (case for case in cases if case.source == source and case.gold):
                if judge(case, analyst, engine, golds(case)).outcome == "right":
                    counts["right"] += 1
                    continue
                count = clicks(case, analyst, engine, most)
                counts["beyond" if count is None else str(count)] += 1
                print(f"{'-' if count is None else count}  {case.question}", flush=True)
    total = counts.total()
    reached = total - counts["beyond"]
    print(f"\n{total} questions: {dict(counts)}; within {most} edits {reached} ({100 * reached / total:.1f} %)")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", help="SUITE.jsonl[:N[:DATASET,...]]")
    parser.add_argument("--clicks", type=int, default=3)
    arguments = parser.parse_args()
    report(drawn(arguments.suite, held_out=False), arguments.clicks)


if __name__ == "__main__":
    main()
