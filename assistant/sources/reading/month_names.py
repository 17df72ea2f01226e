"""Dates whose months are words of another language than English, such as `1. März 2024` or `5 de mayo de 2023`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from assistant.query.quoting import literal
from assistant.sources.reading.guesses import Guess
from assistant.sources.reading.words import read_section

_LOOK = re.compile(r"\d{1,2}\D{3,30}\d{4}\b.{0,6}")


def guess_named_month(values: Sequence[str]) -> Guess | None:
    """Days, months in the words of one language, and years; None where two languages give other months."""
    if not all(map(_LOOK.fullmatch, values)):
        return None
    readings: list[tuple[str, Mapping[str, int], list[int]]] = []
    for language in read_section("month_languages"):
        months = _months_of(language)
        pattern = _pattern_of(language)
        matches = [re.fullmatch(pattern, value) for value in values]
        if all(matches):
            readings.append((pattern, months, [months[match[2].lower()] for match in matches if match]))
    if not readings or any(reading[2] != readings[0][2] for reading in readings):
        return None
    pattern, months, _ = readings[0]
    day, word, year = (f"regexp_extract($v, {literal(pattern)}, {group})" for group in (1, 2, 3))
    cases = " ".join(f"WHEN {literal(name)} THEN '{month}'" for name, month in months.items())
    month = f"CASE lower({word}) {cases} END"
    return Guess(type="DATE", sql=f"TRY_CAST({year} || '-' || {month} || '-' || {day} AS DATE)")


@cache
def _pattern_of(language: str) -> str:
    names = "|".join(re.escape(name) for name in sorted(_months_of(language), key=len, reverse=True))
    particle = rf"(?:(?:{'|'.join(map(re.escape, read_section('date_particles')))}) ?)?"
    return rf"(?i)^(\d{{1,2}})(?:\.|er|º|ª)?[ -]+{particle}({names})\.?,?[ -]+{particle}(\d{{4}}) ?{particle}$"


@cache
def _months_of(language: str) -> Mapping[str, int]:
    """The months by their names, whole and short, in lower case and without a point."""
    from babel.dates import get_month_names

    return {
        name.lower().rstrip("."): month
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for month, name in get_month_names(width, context, language).items()
        if not name.isdecimal()
    }
