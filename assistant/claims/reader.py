"""Sentences read as claims, by the words that compare, rank, deny, say how sure or why (`words.yaml`). Pure.

What a part of a sentence leaves unsaid is that of the part before. What only may be is no claim, and neither is what is
said to be unknown.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.claims.amounts import AmountInText, find_amounts
from assistant.claims.claim import Claim
from assistant.claims.facts import TableFacts
from assistant.claims.parts import SIGN, SentencePart, split_parts
from assistant.claims.quantifiers import read_quantified
from assistant.claims.rules import read_figures
from assistant.claims.words import load_words, lower, tokenize

_MONTH = re.compile(rf"\b(?:{'|'.join(name.lower() for name in calendar.month_name if name and name != 'May')})\b")
"""A month that is no name of a row: the sentence speaks of what the results do not tell apart."""
_PROPORTION = re.compile(r"\bthe (?:more|less|larger|higher|older|longer|fewer|bigger)\b.*,\s*the\b")
"""\"The more, the better\": read as a whole or not at all."""


def read_claims(sentence: str, facts: Sequence[TableFacts], *, question: str = "") -> list[Claim]:
    """The claims of a sentence.

    Args:
        sentence: One sentence.
        facts: The results, whose names it may hold.
        question: What was asked; names that a sentence leaves out stand there.
    """
    text = re.sub(r"[*_`]{1,3}", "", sentence).replace("’", "'")
    low = lower(text)
    if (denial := load_words().patterns["denials_of_all"].match(low)) is not None:
        denied = read_claims(text[denial.end() :], facts, question=question)
        return [replace(claim, negated=not claim.negated) for claim in denied] if len(denied) == 1 else []
    if low.rstrip().endswith("?") or _PROPORTION.search(low):
        return []
    claims: list[Claim] = []
    parts = list(split_parts(text, facts))
    if any(load_words().patterns[name].search(masked) for name in ("unknowable", "sufficiency") for _, masked in parts):
        return []
    if (quantity := _read_quantity(text, facts)) is not None and _names_exceptions(quantity):
        return [replace(quantity, context=(text, text, question))]
    subject = question
    for n, (words, masked) in enumerate(parts):
        counterparts = " ".join(text_of_part for k, (text_of_part, _) in enumerate(parts) if k != n)
        if n == 0 and SIGN not in masked and load_words().patterns["concessions"].match(masked):
            subject = "".join(text_of_part for text_of_part, _ in parts[1:2]) or question
        part = SentencePart(words, masked, subject, counterparts, "".join(hidden for _, hidden in parts[:n]))
        own = [c for c in _read_part(part, facts) if c.relation == "cause" or not _MONTH.search(masked)]
        own = [replace(claim, context=(claim.sentence, text, question)) for claim in own]
        if (quantity := _read_quantity(words, facts)) is not None and not any(c.relation == "cause" for c in own):
            own = [replace(quantity, context=(words, text, question), otherwise=tuple(own))]
        claims += own
        if SIGN in masked:
            subject = words
    return claims


def _read_quantity(text: str, facts: Sequence[TableFacts]) -> Claim | None:
    """Of how many rows a text says something, in each result; None where it does of none, or says what may be."""
    patterns, low = load_words().patterns, lower(text)
    if patterns["possible"].search(low) or patterns["cause"].search(low):
        return None
    quantified = tuple(read_quantified(text, table) for table in facts)
    return Claim(relation="quantity", sentence=text, quantified=quantified) if any(quantified) else None


def _names_exceptions(claim: Claim) -> bool:
    return any(statement is not None and statement.exceptions for statement in claim.quantified)


def _read_part(part: SentencePart, facts: Sequence[TableFacts]) -> Iterator[Claim]:
    cause = part.find("cause") if part.find("within_chance") is None else None
    is_possible = (
        part.has("possible") or part.has("leaving_out") or re.search(rf"\bbut\s+{SIGN}", part.masked) is not None
    )
    if cause is not None and _is_evident(part, cause, facts):
        part = part.without(cause.start(), cause.end())
    elif cause is not None:
        if not (is_possible or _is_denied(part, cause) or _is_of_the_work(part, cause)):
            yield Claim(relation="cause", sentence=part.text)
        part = replace(part, text=part.text[: cause.start()], masked=part.masked[: cause.start()])
    if part.has("leaving_out"):
        return
    part, claims = _read_significance(part)
    yield from claims
    if is_possible:
        return
    amounts = [amount for amount in find_amounts(part.masked) if _is_meant(part, amount)]
    yield from read_figures(part, amounts, facts)


def _is_meant(part: SentencePart, amount: AmountInText) -> bool:
    """Whether an amount is claimed; a percentage in digits only where it is a part of the whole, or by how much."""
    if "%" not in part.masked[amount.start : amount.end]:
        return True
    near = part.masked[max(amount.start - 24, 0) : amount.end + 16]
    is_change = re.search(r"\bby\s+$", part.masked[: amount.start]) or re.match(
        r"\s+(?:more|less|fewer|higher|lower|larger|smaller|above|below)\b", part.masked[amount.end :]
    )
    return bool(is_change or load_words().patterns["share_of"].search(near)) and part.masked.count("%") == 1


def _is_denied(part: SentencePart, match: re.Match[str]) -> bool:
    """Whether the words before a match deny it."""
    before = part.masked[: match.start()]
    return load_words().patterns["negations"].search(before[-40:]) is not None


def _is_of_the_work(part: SentencePart, match: re.Match[str]) -> bool:
    return load_words().patterns["of_the_work"].search(part.masked[match.end() :]) is not None


def _is_evident(part: SentencePart, match: re.Match[str], facts: Sequence[TableFacts]) -> bool:
    """Whether the results tell causes, and the one that is given is among them."""
    reasons = set(load_words().lists["reasons"].split())
    is_before = load_words().patterns["causes_before"].fullmatch(match[0]) is not None
    tokens = tokenize(part.text[: match.start()] if is_before else part.text[match.end() :])
    return any(
        reasons & set(re.split(r"[^a-z]+", table.keys[mention.column].name.casefold()))
        for table in facts
        for mention in table.find_mentions(tokens)
    )


def _read_significance(part: SentencePart) -> tuple[SentencePart, list[Claim]]:
    """What is said of chance; the words for it are taken out of the part."""
    beyond, within = part.find("beyond_chance"), part.find("within_chance")
    match = within or beyond
    if match is None:
        return part, []
    remaining = part.without(match.start(), match.end()).masked
    flips = len(load_words().patterns["flips" if match is within else "negations"].findall(remaining))
    negated = (match is within) != (flips % 2 == 1)
    level = 0.01 if part.has("high_level") else 0.05
    if (level_text := load_words().patterns["levels"].search(part.masked)) and "level" in part.masked:
        digits = {"five percent": 0.05, "one percent": 0.01, "ten percent": 0.1}
        text = level_text[0]
        level = digits.get(text) or (float(text.rstrip(" %")) / (100 if "%" in text else 1))
    claim = Claim(
        relation="significance", sentence=part.text, subject=part.text, measure=part.text, negated=negated, level=level
    )
    if negated or "hypothesis" in part.masked:
        return SentencePart(" ", " ", part.subject, part.counterpart), [claim]
    return part.without(match.start(), match.end()), [claim]
