"""Changed assumptions in words: "prices rise by 5 % and we lose 2 to 4 % of customers".

The words are in `lexicon/scenarios.yaml`. What an assumption does to a figure is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.linking.tokens import Word
from assistant.analyst.meaning import Assumption

_FILE = "scenarios"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionsRead:
    """The assumptions of some words, and the words that say something else."""

    assumptions: tuple[Assumption, ...]
    remaining: tuple[Word, ...]


def text_of(name: str) -> str:
    """A text of the lexicon."""
    return str(section(_FILE, "texts")[name])


def read_assumptions(words: tuple[Word, ...]) -> AssumptionsRead:
    """Every percentage in some words with what changes by it. A clause without one is left as it is."""
    amounts = list(_amounts(words))
    assumptions: list[Assumption] = []
    remaining: list[Word] = []
    bounds = _bounds(words, amounts)
    for start, end in pairwise(bounds):
        inside = [amount for amount in amounts if start <= amount[0] < end]
        if not inside:
            remaining.extend(words[start:end])
            continue
        at, after, ends = inside[0]
        clause = (*words[start:at], *words[after:end])
        assumption, remainder = _assumption(clause, ends)
        assumptions.append(assumption)
        remaining.extend(remainder)
    return AssumptionsRead(assumptions=tuple(assumptions), remaining=tuple(remaining))


def _assumption(words: tuple[Word, ...], ends: tuple[float, ...]) -> tuple[Assumption, tuple[Word, ...]]:
    """What changes, and the words of the clause that say something else: a figure, a period."""
    is_down, words = take_phrase(words, phrases("down"))
    is_up, words = take_phrase(words, phrases("up"))
    is_monthly, words = take_phrase(words, phrases("monthly"))
    sign = -1 if is_down and not is_up else 1
    values = sorted(sign * value / 100 for value in ends)
    name = ""
    for driver in section(_FILE, "drivers"):
        is_named, remainder = take_phrase(words, phrases("drivers", driver, "words"))
        if is_named:
            name, words = driver, remainder
            break
    change = Assumption(name=name, low=values[0], likely=sum(values) / len(values), high=values[-1])
    return replace(change, is_monthly=is_monthly), words


def _amounts(words: tuple[Word, ...]) -> Iterable[tuple[int, int, tuple[float, ...]]]:
    """Where each percentage or range of them begins and ends, with its values."""
    signs, joiners = listed(_FILE, "percent"), listed(_FILE, "range")
    at = 0
    while at < len(words):
        value, after = _number(words, at)
        if value is None:
            at += 1
            continue
        has_sign = after < len(words) and words[after].lower in signs
        middle = after + has_sign
        second, end = (
            _number(words, middle + 1) if middle < len(words) and words[middle].lower in joiners else (None, 0)
        )
        if second is not None and end < len(words) and words[end].lower in signs:
            yield at, end + 1, (value, second)
            at = end + 1
        elif has_sign:
            yield at, after + 1, (value,)
            at = after + 1
        else:
            at = after


def _number(words: tuple[Word, ...], at: int) -> tuple[float | None, int]:
    """A number at a place, with a sign before it, and where it ends."""
    sign = at + 1 < len(words) and words[at].lower == "-"
    place = at + sign
    try:
        value = float(words[place].lower.lstrip("$").replace(",", ""))
    except (ValueError, IndexError):
        return None, at
    return -value if sign else value, place + 1


def read_number(words: tuple[Word, ...]) -> tuple[float | None, tuple[Word, ...]]:
    """The first plain number of some words, "2 million", and the words without it."""
    magnitudes = section(_FILE, "magnitudes")
    for at in range(len(words)):
        value, after = _number(words, at)
        if value is not None:
            size = magnitudes.get(words[after].lower) if after < len(words) else None
            is_sized = isinstance(size, int)
            return value * (size if is_sized else 1), (*words[:at], *words[after + is_sized :])
    return None, words


def _bounds(words: tuple[Word, ...], amounts: list[tuple[int, int, tuple[float, ...]]]) -> list[int]:
    """Where clauses begin: before a word that joins, unless it is inside a range."""
    inside = {at for start, end, _ in amounts for at in range(start, end)}
    joins = listed(_FILE, "joining")
    starts = [at for at, word in enumerate(words) if word.lower in joins and at not in inside]
    return sorted({0, *starts, len(words)})


def phrases(*keys: str) -> tuple[tuple[str, ...], ...]:
    """Phrases of the lexicon as words, the longest first."""
    return tuple(sorted((tuple(text.split()) for text in listed(_FILE, *keys)), key=lambda words: (-len(words), words)))


def take_phrase(words: tuple[Word, ...], among: Iterable[tuple[str, ...]]) -> tuple[bool, tuple[Word, ...]]:
    """Whether some words have a phrase, and the words without it."""
    lower = tuple(word.lower for word in words)
    for phrase in among:
        for at in range(len(words) - len(phrase) + 1):
            if lower[at : at + len(phrase)] == phrase:
                return True, (*words[:at], *words[at + len(phrase) :])
    return False, words
