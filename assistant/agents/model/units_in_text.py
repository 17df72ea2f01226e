"""Units beside figures of an answer that nothing known names: a currency, a weight, a percent sign. Pure.

A result gives figures without units, so a unit must be named elsewhere: in a column, the question, the plan, the code,
the knowledge or the sources. One unit of a group (`prose_words.yaml`) makes the others known, as `kg` does with `t`.
A percent sign is right where that part of one stands in the results, or where something known speaks of parts of a
hundred. Times and counts are left alone: everybody converts them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from assistant.agents.model.figures_in_text import FigureInText, find_figures
from assistant.agents.model.vocabulary import load_vocabulary

_FIGURE = r"[-−+]?\d(?:[\d.,'\u00a0\u202f]*\d)?(?:\s?(?:thousand|million|billion|trillion|bn|[km])(?!\w))?"
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_IN_PERCENT = re.compile(r"(?:^|[\d\s(_])%(?![\w'\"%])|\b100(?:\.0*)?\s*\*|\*\s*100\b")


def find_unknown_units(text: str, known_texts: Iterable[str], *, values: Sequence[float]) -> Iterator[str]:
    """The figures of an answer whose unit nothing known names, as `226.3k USD`.

    Args:
        text: The answer, without its dates.
        known_texts: All texts whose words may be said: question, plan, code, results, knowledge, schema.
        values: The figures that are known, in order, those that follow from the results included.
    """
    amounts = list(_compile_amount().finditer(text))
    percents = [
        percentage for percentage in find_figures(text) if percentage.is_percentage and not _is_part(percentage, values)
    ]
    if not (amounts or percents):
        return
    known_text = "\n".join(known_texts)
    words = {word.casefold() for word in _WORD.findall(_HUMP.sub(" ", known_text))}
    for amount in amounts:
        unit = (amount["before"] or amount["behind"]).casefold()
        groups = [group for group in load_vocabulary().units if unit in group]
        if not any(_is_unit_named(percentage, words, known_text) for group in groups for percentage in group):
            yield amount[0]
    if percents and not _has_percents(words, known_text):
        yield from (percentage.text for percentage in percents)


@cache
def _compile_amount() -> re.Pattern[str]:
    """A figure with a unit before it, as a currency, or behind it."""
    listed = sorted({unit for group in load_vocabulary().units for unit in group}, key=len, reverse=True)
    behind = "|".join(map(re.escape, listed))
    before = "|".join(re.escape(unit) for unit in listed if not unit.isalnum() or len(unit) == 3)
    return re.compile(
        rf"(?<![\w.,])(?:(?P<before>{before})\s?{_FIGURE}(?!\w)|{_FIGURE}\s?(?P<behind>{behind})(?![\w/-]))",
        re.IGNORECASE,
    )


def _is_unit_named(unit: str, words: set[str], known_text: str) -> bool:
    """Whether a unit is named: as a word; a sign anywhere; a letter as in `weight_t`, `(t)`, `5 t` or `in t`."""
    if len(unit) == 1 and unit.isalpha():
        return re.search(rf"(?:\d\s?|[_(\[/]|\bin ){unit}(?![\w.=])", known_text) is not None
    return unit in words if unit.isalpha() else unit in known_text.casefold()


def _has_percents(words: set[str], known_text: str) -> bool:
    begins = tuple(load_vocabulary().percents)
    return any(word.startswith(begins) for word in words) or _IN_PERCENT.search(known_text) is not None


def _is_part(figure: FigureInText, values: Sequence[float]) -> bool:
    """Whether the percentage, as a part of one, is known; none and all always are."""
    low, high = figure.ranges[0]
    place = bisect_left(values, low)
    return figure.value in (0, 1) or (place < len(values) and values[place] <= high)
