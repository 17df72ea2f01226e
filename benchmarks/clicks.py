"""How many questions are right at once, and after up to three clicks in the interpretation bar.

    python benchmarks/clicks.py [--clicks 3] [--only TEXT]

The questions of `clicks.yaml` are put to the sample company as in a session. What a person sees first counts: the
answer, the options of a question back (to choose one is a click), or the bar below a refusal. A click drops a chip,
places an unread word, or takes what the page offers in a chip, after a search where the person knows what it is called.
Clicks are searched by the chips of the right query, where its SQL is plain, and by its words; so a figure is a lower
bound of what somebody who knows the answer can reach. One line for each question, then the shares.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from sample_analyst import asked, rows_of, sample_analyst

from assistant.analyst.interpretation.chips import Chip, ChipKind
from assistant.analyst.interpretation.interpretation import Interpretation, interpret
from assistant.analyst.outcomes import Ambiguous, Understood
from assistant.analyst.translation.queries import translate
from assistant.errors import AssistantError
from assistant.evaluation.comparison import are_equal
from ui import chips

BEAM = 3
RUN = 5
"""So many of what a click makes, the nearest to the right chips, are run."""
OPTIONS_TRIED = 3
"""So many of the first options of a search are tried."""
KINDS: tuple[ChipKind, ...] = ("Measure", "Show", "Group by", "Filter", "Period", "Sort", "Top", "Compare")
_FIXED = frozenset(("Of", "Computed as"))
Rows = list[tuple[object, ...]]


@dataclass(frozen=True)
class Aim:
    """A question and what a person wants to see."""

    question: str
    sql: str

    @cached_property
    def rows(self) -> Rows:
        """The right result."""
        return rows_of(self.sql)

    @cached_property
    def chips(self) -> tuple[Chip, ...]:
        """The chips of the right query; none where chips cannot show it as it is written."""
        (source,) = sample_analyst().sources.values()
        with suppress(AssistantError):
            return interpret(translate(self.sql, source).query, source).chips
        return ()

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the right query and of its chips."""
        return _words(f"{self.sql} {' '.join(chip.text for chip in self.chips)} {self.question}")

    def is_right(self, of: Interpretation) -> bool:
        """Whether its result is the right one."""
        with suppress(AssistantError):
            return bool(of.sql) and are_equal(rows_of(of.sql), self.rows, ordered="ORDER BY" in self.sql)
        return False


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower().replace("_", " ")))


def aims() -> list[Aim]:
    """The questions."""
    written = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return [Aim(question, sql.format(**written["parts"])) for question, sql in written["questions"]]


def starts(question: str) -> list[tuple[int, Interpretation]]:
    """What a person sees first, each with the clicks that it takes."""
    analyst, outcome = sample_analyst(), asked(question)
    match outcome:
        case Understood(meaning=meaning):
            return [(0, analyst.interpretation(meaning, question))]
        case Ambiguous(options=options):
            chosen = [(1, analyst.interpretation(meaning, question)) for _, meaning in options]
            return [(0, analyst.partial(question)), *chosen]
        case _:
            return [(0, analyst.partial(question))]


def edits(of: Interpretation, aim: Aim) -> Iterator[Interpretation]:
    """What one click makes: of what the page offers, what has words of the right query."""
    for chip in of.chips:
        if chip.kind == "Unread":
            yield from _applied(of, chips.list_placements(of, chip))
        elif chip.kind not in _FIXED and chip not in aim.chips:
            with suppress(AssistantError):
                yield of.drop(chip)
    for kind in KINDS:
        own = [chip for chip in of.chips if chip.kind == kind]
        for instead in (None, *own):
            yield from _applied(of, _offered(of, aim, kind, instead))


def _offered(of: Interpretation, aim: Aim, kind: ChipKind, instead: Chip | None) -> Iterator[chips.Option]:
    """The options of a chip that has words of the right query, and those that a search for its chips gives."""
    for wanted in (chip for chip in aim.chips if chip.kind == kind and chip not in of.chips):
        yield from chips.list_options(of, kind, search=wanted.text, instead=instead)[:OPTIONS_TRIED]
    for word in aim.words if kind in ("Measure", "Filter", "Group by") and not aim.chips else ():
        yield from chips.list_options(of, kind, search=word, instead=instead)[:OPTIONS_TRIED]
    if aim.chips and all(chip.kind != kind or chip in of.chips for chip in aim.chips):
        return  # what is there is right already
    for option in chips.list_options(of, kind, instead=instead)[: chips.OFFERED_MAX]:
        if option.is_reading or not _words(option.text).isdisjoint(aim.words):
            yield option


def _applied(of: Interpretation, options: Iterator[chips.Option]) -> Iterator[Interpretation]:
    for option in options:
        with suppress(AssistantError):
            yield option.edit(of)


def _statement(of: Interpretation) -> str:
    with suppress(AssistantError):
        return of.sql
    return ""


def _distance(of: Interpretation, aim: Aim) -> float:
    """How far chips are from the right ones; where those are not known, by the words of the statements."""
    if aim.chips:
        own = {(c.kind, c.text) for c in of.chips if c.kind != "Unread"}
        return len(own ^ {(c.kind, c.text) for c in aim.chips})
    words = _words(f"{_statement(of)} {of}")
    return -len(words & aim.words) / len(words | aim.words)


def clicks(aim: Aim, most: int) -> tuple[int | None, bool]:
    """The least number of clicks that was found, None for none; and whether there was no way on."""
    beginnings = starts(aim.question)
    level = [of for count, of in beginnings if not count]
    seen, has_way = set[str](), False
    for count in range(most + 1):
        level += [of for clicks, of in beginnings if clicks == count and clicks]
        if any(map(aim.is_right, level)):
            return count, False
        if count == most:
            break
        following: dict[str, Interpretation] = {}
        for of in level:
            for edit in edits(of, aim):
                has_way = True
                key = "\n".join(map(str, edit.chips))
                if key not in seen:
                    following.setdefault(key, edit)
        seen.update(following)
        ranked = sorted(following.values(), key=lambda of: _distance(of, aim))
        if any(map(aim.is_right, ranked[:RUN])):
            return count + 1, False
        level = ranked[:BEAM]
    return None, not has_way


def report(aims: Sequence[Aim], most: int) -> None:
    """Count and print."""
    counts: Counter[str] = Counter()
    for aim in aims:
        count, is_dead_end = clicks(aim, most)
        counts["dead end" if is_dead_end else "never" if count is None else str(count)] += 1
        print(f"{'-' if count is None else count}  {aim.question}", flush=True)
    total, reached = counts.total(), sum(counts[str(n)] for n in range(most + 1))
    at = ", ".join(f"after {n} click{'s' * (n != 1)} {counts[str(n)]}" for n in range(1, most + 1))
    print(f"\n{total} questions: right at once {counts['0']}, {at}, never {counts['never']}, ", end="")
    print(f"dead ends {counts['dead end']}; within {most} clicks {reached} ({100 * reached / total:.0f} %)")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=3)
    parser.add_argument("--only", default="", help="questions with this text")
    arguments = parser.parse_args()
    report([aim for aim in aims() if arguments.only in aim.question], arguments.clicks)


if __name__ == "__main__":
    main()
