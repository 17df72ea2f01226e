"""The amounts of a sentence: "roughly two thirds", "more than twice", "one in nine", "slightly". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.claims.claim import AmountKind, ClaimAmount
from assistant.claims.words import load_words

_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SAYS_PERCENT = r"\s?(?:%|percent\b)"
_OPEN_FROM = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountInText:
    """An amount and where it stands, the words before it included ("roughly")."""

    start: int
    end: int
    amount: ClaimAmount


def find_amounts(text: str) -> list[AmountInText]:
    """The amounts of a text in lower case, none within another, in their order."""
    amounts: list[AmountInText] = []
    for amount in (
        *_find_parts(text),
        *_find_every_nth(text),
        *_find_percentages(text),
        *_find_times(text),
        *_find_fractions(text),
        *_find_vague(text),
    ):
        if all(amount.end <= existing.start or existing.end <= amount.start for existing in amounts):
            amounts.append(amount)
    return sorted(amounts, key=lambda amount: amount.start)


def find_numbers(text: str) -> Iterator[tuple[int, int, float, bool]]:
    """The numbers of a text, in digits or words: from where to where, the value, and whether it is a percentage."""
    words = load_words()
    pattern = rf"(?<![\w.,-])(?P<digits>{_DIGITS})(?P<percent>{_SAYS_PERCENT})?(?![\w-]|[.,]\d)"
    for match in re.finditer(pattern, text):
        yield match.start(), match.end(), float(match["digits"].replace(",", "")), bool(match["percent"])
    half = words.lists["and_a_half"]
    for match in words.patterns["numbers"].finditer(text):
        has_half = text[match.end() :].lstrip().startswith(half)
        end = text.index(half, match.end()) + len(half) if has_half else match.end()
        yield match.start(), end, float(words.lists["numbers"][match[0]]) + 0.5 * has_half, False


def _find_parts(text: str) -> Iterator[AmountInText]:
    """`one in nine`, `one order in twenty-five`, `two out of five`."""
    words = load_words()
    numbers = words.lists["numbers"]
    number = rf"(?:{'|'.join(sorted(numbers, key=len, reverse=True))}|\d+)"
    pattern = rf"(?<![\w-])(?P<part>{number})(?:\s+[a-z]+)?\s+(?:in|out of)\s+(?P<total>{number})(?![\w-])"
    for match in re.finditer(pattern, text):
        part, total = (float(numbers.get(match[name], match[name])) for name in ("part", "total"))
        if part < total:
            low, high = part / (total + 0.6), part / (total - 0.6)
            is_open = words.patterns["or_more"].search(text[match.end() :]) is not None
            exact = (low, 1.0 if is_open else high)
            yield _extend(text, match.start(), match.end(), part / total, "share", exact=exact)


def _find_every_nth(text: str) -> Iterator[AmountInText]:
    """`every fifth visit`: a part of the whole, and not of a time."""
    words = load_words()
    ordinals = words.lists["ordinals"]
    for match in re.finditer(rf"\b(?:every|each)\s+({'|'.join(ordinals)})\s+(\w+)", text):
        if match[2] not in words.lists["times"].split():
            part = ordinals[match[1]]
            exact = (1 / (part + 0.6), 1 / (part - 0.6))
            yield _extend(text, match.start(), match.end(1), 1 / part, "share", exact=exact)


def _find_percentages(text: str) -> Iterator[AmountInText]:
    for start, end, value, is_percentage in find_numbers(text):
        if is_percentage:
            digits = text[start:end].partition("%")[0].strip().replace(",", "")
            slack = 0.51 * 10.0 ** -len(re.sub(r"\D.*$", "", digits.partition(".")[2])) / 100
            yield _extend(text, start, end, value / 100, "share", exact=(value / 100 - slack, value / 100 + slack))


def _find_times(text: str) -> Iterator[AmountInText]:
    """`three times`, `2.5 times`, `half as many`, `twice`, `doubled`."""
    words = load_words()
    for match in words.patterns["amounts"].finditer(text):
        amount = words.amounts[" ".join(match[0].split())]
        if amount.kind == "ratio" and _is_multiple(match[0], text[match.end() :]):
            middle = (amount.low + amount.high) / 2
            yield _extend(text, match.start(), match.end(), middle, "ratio", exact=(amount.low, amount.high))
    for match in re.finditer(rf"(?<![\w.,])({_DIGITS})[\s-]?(?:times|fold)\b", text):
        if not _is_multiple(match[0], text[match.end() :]):
            continue
        value = float(match[1].replace(",", ""))
        slack = 0.51 * 10.0 ** -len(match[1].partition(".")[2])
        yield _extend(text, match.start(), match.end(), value, "ratio", exact=(value - slack, value + slack))


def _is_multiple(phrase: str, behind: str) -> bool:
    """Whether so many times are times as much; "ordered 13 times on average" tells how often."""
    is_often = re.match(r"\s*(?:[.,;)]|$|on average\b|(?:per|in|for|during|compared|each|an?)\s)", behind) is not None
    return not (phrase.endswith("times") and is_often)


def _find_fractions(text: str) -> Iterator[AmountInText]:
    words = load_words()
    for match in words.patterns["fractions"].finditer(text):
        if re.match(r"\s+(?:quarter|half|year|month|week|place)", text[match.end() :]) or (
            match[0] == "third" and not re.search(r"\ba\s+\w*\s*$", text[: match.start()])
        ):
            continue  # the third quarter
        value = words.lists["fractions"][" ".join(match[0].split())]
        low, high = words.lists["exact"]
        yield _extend(text, match.start(), match.end(), value, "share", exact=(value * low, value * high))


def _find_vague(text: str) -> Iterator[AmountInText]:
    words = load_words()
    for match in words.patterns["amounts"].finditer(text):
        phrase = " ".join(match[0].split())
        amount = words.amounts[phrase]
        before, behind = text[: match.start()], text[match.end() :]
        if amount.kind == "ratio" or (phrase == "few" and re.search(r"\b(?:a|the)\s+$", before)):
            continue
        if phrase == "most" and not _is_majority(before, behind):
            continue
        if amount.is_open:
            amount = replace(amount, high=amount.high + _OPEN_FROM) if amount.low == 0.5 else replace(amount, low=-1.0)
        yield AmountInText(start=match.start(), end=match.end(), amount=amount)


def _is_majority(before: str, behind: str) -> bool:
    """Whether "most" counts ("most orders") and does not compare ("the most orders", "most often", "grew most")."""
    if re.search(r"\b(?:the|a|by far)\s+$", before):
        return False
    if re.match(r"\s+of\b", behind):
        return re.match(r"\s+of all\s*(?:in\b|,|\.|$)", behind) is None
    word = re.match(r"\s+([^\W\d_§]+)", behind)
    if word is None:
        return behind.lstrip().startswith("§")
    listed = load_words()
    return (
        word[1] not in listed.small and word[1] not in listed.lists["after_most"].split() and not word[1].endswith("ly")
    )


def _extend(
    text: str, start: int, end: int, value: float, kind: AmountKind, *, exact: tuple[float, float]
) -> AmountInText:
    """The amount with what stands before it: "about", "more than"."""
    words = load_words()
    before = words.patterns["around"].search(text[:start])
    if before is None:
        return AmountInText(start=start, end=end, amount=ClaimAmount(kind=kind, low=exact[0], high=exact[1]))
    low, high, is_open = words.around[" ".join(before[0].split()).removesuffix(" a").removesuffix(" the")]
    wide = not is_open and low < 1 < high
    return AmountInText(
        start=before.start(),
        end=end,
        amount=ClaimAmount(
            kind=kind,
            low=min(value * low, exact[0]) if wide else value * low - (1e-3 if low == 0 else 0),
            high=max(value * high, exact[1]) if wide else value * high + (0 if is_open else 1e-9),
            is_open=is_open,
        ),
    )
