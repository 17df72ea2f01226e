"""What words say in numbers and units: "5 million", "30 minutes", "an hour", "in hours", "second"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.tokens import Word, numbers, operators, unit_words
from assistant.analyst.parts import Amount, Part


def number(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "7", "five", "5 million" """
    text = words[at].lower.lstrip("$").replace(",", "")
    digits = text[:1].isdigit() and re.fullmatch(r"\d+(\.\d+)?", text)
    value = float(text) if digits else numbers("numbers").get(words[at].lower)
    if value is None:
        return
    end = at + 1
    yield from _amount(words, value, at, end)
    scale = numbers("units").get(words[end].lower) if digits and end < len(words) else None
    if scale:
        value, end = value * scale, end + 1
        yield from _amount(words, value, at, end)
    elif digits:
        value *= _shared_scale(words, value, end)
    if end < len(words) and unit_words().get(words[end].lower) == "percent":
        return  # "top 10 %" are not the first ten
    yield Part.over("number", int(value) if value.is_integer() else value, at, end, 0.85 if digits else 0.55)


def _shared_scale(words: tuple[Word, ...], value: float, end: int) -> float:
    """ "1 and 2 million": what the second, greater number is counted in, the first is too"""
    joint, second, scale = [word.lower for word in words[end : end + 3]] if end + 3 <= len(words) else ("", "", "")
    has_joint = any(category == "and" for category, _ in operators().get(joint, ()))
    greater = has_joint and re.fullmatch(r"\d+(\.\d+)?", second) is not None and value < float(second)
    return numbers("units").get(scale, 1.0) if greater else 1.0


def _amount(words: tuple[Word, ...], value: float, at: int, end: int) -> Iterator[Part]:
    """ "30 minutes", "5 million dollars" """
    unit = unit_words().get(words[end].lower) if end < len(words) else None
    if unit:
        yield Part.over("amount", Amount(int(value) if value.is_integer() else value, unit), at, end + 1, 0.9)


def one_unit(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "an hour" """
    unit = unit_words().get(words[at + 1].lower) if words[at].lower in ("a", "an") and at + 1 < len(words) else None
    if unit:
        yield Part.over("amount", Amount(1, unit), at, at + 2, 0.7)


def unit_asked(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "in minutes", "as hours" """
    is_before = words[at].lower in listed("operators", "before a unit") and at + 1 < len(words)
    unit = unit_words().get(words[at + 1].lower) if is_before else None
    if unit:
        yield Part.over("unit", unit, at, at + 2, 1.3)


def ordinal_numbers(words: tuple[Word, ...]) -> Iterator[Part]:
    """ "first", "second" """
    ordinals = numbers("ordinal numbers")
    for at, word in enumerate(words):
        if word.lower in ordinals:
            yield Part.over("ordinal", int(ordinals[word.lower]), at, at + 1, 0.8)
