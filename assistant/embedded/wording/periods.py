"""The periods of a meaning in words: "in 2025", "since March", "of what was shipped in May"."""

from __future__ import annotations

from assistant.embedded.dates import describe
from assistant.embedded.meaning import ColumnRef, Meaning, TimeRange
from assistant.embedded.source.dating import is_birth
from assistant.embedded.wording.plain import joined
from assistant.embedded.words.lexicon import name_stems, spoken, stem
from assistant.embedded.words.vocabulary import word_set

SAID_SO = ("since", "before", "born", "with ", "of what ", "from new ")
"""How the words of a period begin that need none before them."""


def for_periods(meaning: Meaning) -> str:
    """The periods as the end of a title: " for July to September 2026"."""
    periods = period_words(meaning)
    if not periods:
        return ""
    return f" {periods[0]}" if periods[0].startswith(SAID_SO) else f" for {joined(periods)}"


def period_words(meaning: Meaning) -> list[str]:
    """The periods that bind every row; those that are alternatives stand among the conditions."""
    if meaning.either:
        return []
    if new := next((t for t in meaning.times if t.newcomers), None):
        others = {(t.start, t.end) for t in meaning.times if not t.newcomers} - {(new.start, new.end)}
        said = f"from {new.newcomers} in {describe(new.start, new.end)}"
        return [" for ".join([said, *(describe(*other) for other in others)])]
    if len({(t.column.table, t.column.column) for t in meaning.times}) <= 1:
        return [_period(time) for time in meaning.times]
    return [f"{spoken(t.column.column)} {describe(t.start, t.end)}" for t in meaning.times]


def _period(time: TimeRange) -> str:
    said = describe(time.start, time.end)
    if is_birth(time.column.column):
        return f"born {said}"
    if not _is_of_another(time.column):
        return said
    when, day = said if said.startswith(SAID_SO) else f"in {said}", spoken(time.column.column)
    deed = day.removesuffix(" on").removesuffix(" at")
    return f"with {day} {when}" if deed == day else f"of what was {deed} {when}"


def _is_of_another(date: ColumnRef) -> bool:
    """Whether a day tells of what the rows belong to, and not when they came: the launch of the products sold."""
    own = {*name_stems(date.table), *_WHEN}
    return bool(date.steps) and not own & set(name_stems(date.column)[:1])


_WHEN = frozenset(
    stem(word)
    for word in word_set(
        "date day time month year order ordered invoice sale sold purchase payment paid created booked"
    )
)
