"""Quantified sentences: of how many rows something is said, and what is said of each of them. Pure.

"No line got worse", "only Kiel grew", "every ward except Neurology treated more than 500": a statement about one row,
and of which rows it is true. The statement is written out for each row and read like any other sentence, so that
whatever can be evaluated for one row can be evaluated for every, none, some, or all but one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import dropwhile
from typing import Literal

from assistant.claims.claim import ClaimAmount
from assistant.claims.facts import TableFacts
from assistant.claims.words import load_words, lower, make_pattern, match_stems, split_phrases, stem_words, tokenize

_ROWS_MAX = 60
QuantityKind = Literal["every", "none", "not_every", "number", "only", "every_but"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantifiedStatement:
    """What a sentence says of a number of rows.

    Attributes:
        kind: Of how many; `only` and `every_but` name them.
        column: Which of the columns that name rows.
        statements: What is said, written out for each row: its value and the sentence.
        exceptions: The values that are named.
        number: How many, or which part.
    """

    kind: QuantityKind
    column: int
    statements: tuple[tuple[str, str], ...]
    exceptions: frozenset[str] = frozenset()
    number: ClaimAmount | None = None

    def holds(self, true_rows: frozenset[str]) -> bool:
        """Whether it is right, if what is said is true of these rows."""
        values = frozenset(value for value, _ in self.statements)
        match self.kind:
            case "every":
                return true_rows == values
            case "none":
                return not true_rows
            case "not_every":
                return true_rows != values
            case "only":
                return true_rows == self.exceptions
            case "every_but":
                return true_rows == values - self.exceptions
            case "number":
                assert self.number is not None, "a number of rows has one"
                part = len(true_rows) / len(values) if self.number.kind == "share" else len(true_rows)
                return self.number.holds(part)


def read_quantified(text: str, facts: TableFacts) -> QuantifiedStatement | None:
    """The quantified statement of a part of a sentence; None where it makes none, or of too many rows."""
    if _patterns()["together"].search(lower(text)):
        return None
    for column in range(len(facts.keys)):
        if len(facts.groups[column]) > _ROWS_MAX + 1:
            continue
        values = tuple(value for value, _ in facts.groups[column] if value not in ("None", ""))
        if not 1 < len(values) <= _ROWS_MAX:
            continue
        statement = _read_only(text, facts, column, values) or _read_quantity(text, facts, column, values)
        if statement is not None:
            return statement
    return None


def _read_quantity(text: str, facts: TableFacts, column: int, values: Sequence[str]) -> QuantifiedStatement | None:
    """`no line got worse`, `three of the four lines fell`, `every ward except Neurology grew`."""
    low = lower(text)
    for match in _patterns()["quantity"].finditer(low):
        noun_end = _find_noun(low, match.end(), facts, column)
        if noun_end is None or _is_definite(low, match):
            continue
        kind, number = _read_kind(" ".join(match[0].split()))
        if facts.keys[column].role == "time" and _patterns()["trend"].search(low):
            if kind == "every":
                continue  # from each moment to the next
            first = facts.periods[0] if facts.periods else frozenset[int]()
            values = [value for value, rows in facts.groups[column] if value in values and not rows <= first]
        end, exceptions = _find_exceptions(text, noun_end, facts, column)
        if exceptions and kind in ("every", "none"):
            kind = "every_but" if kind == "every" else "only"
        elif exceptions:
            return None
        outside = [
            m for m in facts.find_mentions(tokenize(text)) if m.column == column and not match.start() <= m.start < end
        ]
        if outside:
            return None
        statements = tuple((value, f"{text[: match.start()]}{value}{text[end:]}") for value in values)
        return QuantifiedStatement(
            kind=kind, column=column, statements=statements, exceptions=exceptions, number=number
        )
    return None


def _read_only(text: str, facts: TableFacts, column: int, values: Sequence[str]) -> QuantifiedStatement | None:
    """`only Kiel grew`, `Line D is the only one that fell`."""
    low = lower(text)
    mentions = [m for m in facts.find_mentions(tokenize(text)) if m.column == column]
    if not mentions:
        return None
    end = max(mention.end for mention in mentions)
    before = _patterns()["only"].search(low[: mentions[0].start])
    exceptions = _name_values(facts, column, mentions[0].rows)
    if before is not None and before.end() == mentions[0].start and len(mentions) == 1:
        start, behind = before.start(), mentions[0].end
    elif len(mentions) == 1 and (unique := _match("unique", low, end)) is not None:
        # "is the only one that", "is the only country where"
        noun_end = _find_noun(low, unique.end(), facts, column)
        relative = _match("relative", low, noun_end) if noun_end is not None else None
        if relative is None:
            return None
        start, behind = mentions[0].start, relative.end()
        if relative[0] in split_phrases(load_words().lists["of_place"]):
            statements = tuple((v, f"{text[behind:].rstrip(' .')} {load_words().lists['inside']} {v}") for v in values)
            return QuantifiedStatement(kind="only", column=column, statements=statements, exceptions=exceptions)
    else:
        return None
    statements = tuple((value, f"{text[:start]}{value}{text[behind:]}") for value in values)
    return QuantifiedStatement(kind="only", column=column, statements=statements, exceptions=exceptions)


def _is_definite(low: str, match: re.Match[str]) -> bool:
    """Whether it speaks of certain rows ("the first two wards"), or of any one ("belongs to one team")."""
    words = load_words().lists
    before = re.findall(r"\w+", low[: match.start()])[-1:]
    number = match[0].split()[0]
    is_number = number.isdigit() or number in words["numbers"]
    return (is_number and (before[0] in words["definite"].split() if before else False)) or (
        match[0] == words["single"] and bool(before)
    )


def _find_noun(low: str, start: int, facts: TableFacts, column: int) -> int | None:
    """Where the noun behind a quantifier ends that is what the column is called; None where it is another."""
    general = set(load_words().lists["row_nouns"].split())
    names = [*stem_words(facts.keys[column].name), *filter(None, [facts.keys[column].grain])]
    skipped = {*load_words().lists["before_nouns"].split(), *load_words().lists["numbers"]} - general
    words = [word for word in re.finditer(r"\w+", low) if word.start() >= start]
    words = list(dropwhile(lambda word: word[0] in skipped or word[0].isdigit(), words))[:2]
    for word in words:
        if re.search(r"[,.;:]", low[start : word.start()]):
            return None
        (token,) = tokenize(word[0])
        if token.text in general or any(match_stems(form, name) for form in token.forms for name in names):
            return word.end()
        if token.text in load_words().small:
            return None
    return None


def _find_exceptions(text: str, start: int, facts: TableFacts, column: int) -> tuple[int, frozenset[str]]:
    """Where what is left out ends, and the values; none where nothing is."""
    match = _match("exceptions", lower(text), start)
    if match is None:
        return start, frozenset()
    mentions = [m for m in facts.find_mentions(tokenize(text)) if m.column == column and m.start >= match.end()]
    if not mentions or text[match.end() : mentions[0].start].strip():
        return start, frozenset()
    end, rows = mentions[0].end, mentions[0].rows
    for mention in mentions[1:]:
        if not re.fullmatch(r"\s*(?:,|and|or|,\s*and)\s*", text[end : mention.start]):
            break
        end, rows = mention.end, rows | mention.rows
    return end + (text[end : end + 1] == ","), _name_values(facts, column, rows)


def _name_values(facts: TableFacts, column: int, rows: frozenset[int]) -> frozenset[str]:
    return frozenset(value for value, own in facts.groups[column] if own <= rows)


def _read_kind(phrase: str) -> tuple[QuantityKind, ClaimAmount | None]:
    """What a quantifier stands for: `not every`, `at least three of the four`."""
    words = load_words()
    kinds = words.lists["quantifiers"]
    for kind in ("every", "none", "not_every"):
        if any(phrase == entry or phrase.startswith(f"{entry} ") for entry in _split(kinds[kind])):
            return kind, None
    if (share := next((words.amounts[p] for p in _split(kinds["share"]) if p == phrase), None)) is not None:
        return "number", share
    bound = next((b for b in _split(kinds["at_least"]) if phrase.startswith(f"{b} ")), None)
    number = next(
        float(words.lists["numbers"].get(w, w)) for w in phrase.split() if w.isdigit() or w in words.lists["numbers"]
    )
    return "number", ClaimAmount(kind="count", low=number, high=float("inf") if bound is not None else number)


def _match(name: str, low: str, start: int) -> re.Match[str] | None:
    """The phrase of a list that stands right behind a place."""
    return _patterns()[name].match(low, start + len(low[start:]) - len(low[start:].lstrip()))


def _split(text: str) -> list[str]:
    return sorted(split_phrases(text), key=len, reverse=True)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    words = load_words()
    kinds = words.lists["quantifiers"]
    numbers = "|".join([*sorted(words.lists["numbers"], key=len, reverse=True), r"\d+"])
    prefixes = "|".join(_split(f"{kinds['at_least']} | {kinds['exactly']}"))
    fixed = "|".join(
        re.escape(p) for p in _split(" | ".join(kinds[k] for k in ("not_every", "every", "none", "share")))
    )
    counted = rf"(?:(?:{prefixes})\s+)?(?:{numbers})(?:\s+(?:out\s+)?of(?:\s+the)?(?:\s+(?:{numbers}))?)?"
    quantity = rf"(?<![\w-])(?:(?:{fixed})|{counted})(?![\w-])"
    return {
        "quantity": re.compile(quantity),
        "trend": make_pattern(
            [p for n in ("rise", "fall", "steady") for p in split_phrases(words.lists["relations"][n])]
        ),
        "together": make_pattern(split_phrases(kinds["together"])),
        "only": make_pattern(split_phrases(kinds["only"]), ending=r"\s+(?:the\s+)?$"),
        "unique": make_pattern(split_phrases(kinds["unique"])),
        "relative": make_pattern(split_phrases(kinds["relative"])),
        "exceptions": make_pattern(split_phrases(kinds["exceptions"])),
    }
