"""Takes one rule or one word of the lexicon away at a time and prints what right first readings that loses or gains.

    python benchmarks/ablation.py SUITE.jsonl[:N[:DATASET,...]] ... [--rules] [--words] [--of-each N]

What earns its place loses right first readings on databases that it was not written for when it is taken away. A
question is read again only without what its first reading may rest on: the rules that it was derived by (`--rules`), the
operators and synonyms that it says (`--words`), each for `--of-each` questions of a source at most. Sources that
are kept for figures are not read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "benchmarks")]

from analyst_cases import PROCESSES, Case, Engine, drawn, fits, golds, opened  # noqa: E402

from assistant.analyst.grammar import chart  # noqa: E402
from assistant.analyst.grammar.chart import RULES  # noqa: E402
from assistant.analyst.linking.linker import Linker  # noqa: E402
from assistant.analyst.linking.names import word_likeness  # noqa: E402
from assistant.analyst.linking.tokens import CLOSED, Word, operators, synonyms, words  # noqa: E402
from assistant.analyst.reading import QuestionReader, QuestionReading  # noqa: E402

_SPAN_MAX = 6
_CLOSED = frozenset((*CLOSED, "comma"))
"""Classes of which each word is no entry of its own."""


@dataclass(frozen=True)
class Part:
    """What is taken away: a rule, an operator's phrase, or a word of a group of synonyms; `of` is the class."""

    kind: str
    name: str
    of: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.of} {self.name}".replace("  ", " ")


@dataclass
class Effects:
    """How many questions use each part, and how many right first readings are lost and gained without it."""

    questions: int = 0
    right: int = 0
    used: Counter[Part] = field(default_factory=Counter)
    lost: Counter[Part] = field(default_factory=Counter)
    gained: Counter[Part] = field(default_factory=Counter)

    def add(self, other: Effects) -> None:
        """Take another source's effects in."""
        self.questions += other.questions
        self.right += other.right
        for name in ("used", "lost", "gained"):
            getattr(self, name).update(getattr(other, name))


@contextmanager
def without(part: Part, reader: QuestionReader) -> Iterator[None]:
    """The analyst without a part."""
    match part.kind:
        case "rule":
            chart.RULES = [rule for rule in RULES if rule.name != part.name]
            yield
            chart.RULES = RULES
        case "operator":
            held = operators()[part.name]
            kept = tuple(entry for entry in held if entry[0] != part.of)
            operators()[part.name] = kept
            if not kept:
                del operators()[part.name]
            yield
            operators()[part.name] = held
        case _:
            held_words, linker = synonyms().pop(part.name), reader._linker
            word_likeness.cache_clear()
            reader._linker = Linker(reader.schema)
            yield
            synonyms()[part.name], reader._linker = held_words, linker
            word_likeness.cache_clear()


def said(found: tuple[Word, ...], reader: QuestionReader) -> Iterator[Part]:
    """The operators that a question says, and its words that are synonyms of a name's."""
    for start in range(len(found)):
        for end in range(start + 1, min(len(found), start + _SPAN_MAX) + 1):
            phrase = " ".join(word.lower for word in found[start:end])
            for category in {category for category, _ in operators().get(phrase, ())} - _CLOSED:
                yield Part("operator", phrase, category)
    named = {word for typed in reader.schema.typed.values() for word in typed.words}
    named |= {word for table in reader.schema.tables.values() for word in table.words}
    for word in found:
        if not (synonyms().get(word.lemma, frozenset[str]()) - {word.lemma}).isdisjoint(named):
            yield Part("synonym", word.lemma)


def effects(cases: Sequence[Case], *, rules: bool, spoken: bool, of_each: int) -> Effects:
    """The effects on the questions of one source."""
    found = Effects()
    source = opened(cases[0].source)
    reader = QuestionReader(source.catalog)
    with closing(Engine(source.database, source.catalog.dialect)) as engine:
        for case in cases:
            first, right = _first(case, reader, engine)
            found.questions += 1
            found.right += right
            parts = {Part("rule", name) for name in first.rules if rules} if first else set[Part]()
            parts |= set(said(words(case.question), reader)) if spoken else set[Part]()
            for part in parts:
                if part.kind == "rule" and part.name not in _NAMES:
                    continue
                found.used[part] += 1
                if found.used[part] > of_each:
                    continue
                with without(part, reader):
                    _, still = _first(case, reader, engine, known=(first, right))
                found.lost[part] += right and not still
                found.gained[part] += still and not right
    return found


_NAMES = frozenset(rule.name for rule in RULES)


def _first(
    case: Case, reader: QuestionReader, engine: Engine, known: tuple[QuestionReading | None, bool] = (None, False)
) -> tuple[QuestionReading | None, bool]:
    """The first reading of a question, and whether it is right; `known` is one that was judged already."""
    first = next(iter(reader.read(case.question)), None)
    if first is None:
        return None, False
    if known[0] is not None and first.sql == known[0].sql:
        return first, known[1]
    return first, fits(engine.rows(first.sql), case, golds(case))


def table(found: Effects, *, rules: bool, spoken: bool) -> None:
    """Print what each part is worth: rules all, words where a question says them."""
    print(f"{found.right} of {found.questions} first readings are right")
    print(f"{'without':52}{'used':>6}{'lost':>6}{'gained':>8}")
    every = [Part("rule", name) for name in sorted(_NAMES)] if rules else []
    every += [part for part in found.used if spoken and part.kind != "rule"]
    for part in sorted(every, key=lambda p: (p.kind, found.lost[p] - found.gained[p], -found.used[p], p.of, p.name)):
        print(f"{part!s:52}{found.used[part]:6}{found.lost[part]:6}{found.gained[part]:8}")
    if spoken:
        said_once = {(part.of, part.name) for part in found.used}
        for phrase, entries in sorted(operators().items()):
            for category, _ in entries:
                if (category, phrase) not in said_once and category not in _CLOSED:
                    print(f"operator {category} {phrase}: said by no question")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--of-each", type=int, default=12)
    given = parser.parse_args()
    cases = [case for suite in given.suites for case in drawn(suite, held_out=False)]
    by: dict[Path, list[Case]] = {}
    for case in cases:
        if case.gold:
            by.setdefault(case.source, []).append(case)
    of = partial(effects, rules=given.rules, spoken=given.words, of_each=given.of_each)
    found = Effects()
    with ProcessPoolExecutor(PROCESSES, initializer=os.nice, initargs=(5,)) as pool:
        for one in pool.map(of, sorted(by.values(), key=len, reverse=True)):
            found.add(one)
    table(found, rules=given.rules, spoken=given.words)


if __name__ == "__main__":
    main()
