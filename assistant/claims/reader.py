"""Sentences read as claims, by the words that compare, rank, deny, say how sure or why (`words.yaml`). Pure.

A sentence is cut into parts; in each part names of rows are set aside, so that "low priority" is no comparison. What a
part leaves unsaid is that of the part before. What only may be is no claim, and neither is what is said to be unknown.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assistant.claims.amounts import AmountInText, find_amounts, find_numbers
from assistant.claims.claim import Amount, Claim, Relation
from assistant.claims.facts import Facts
from assistant.claims.words import load_words, lower, tokenize

_SIGN = "§"
"""Stands for each letter of a name, so that places stay as they are."""
_PROPORTION = re.compile(r"\bthe (?:more|less|larger|higher|older|longer|fewer|bigger)\b.*,\s*the\b")
"""\"The more, the better\": read as a whole or not at all."""
_MONTH = re.compile(rf"\b(?:{'|'.join(name.lower() for name in calendar.month_name if name and name != 'May')})\b")
"""A month that is no name of a row: the sentence speaks of what the results do not tell apart."""
_END = re.compile(r"(?<=[.!?;])[*”\"')\]]*\s+|\n+")


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    """The part as it is written."""
    masked: str
    """The part in lower case, its names set aside."""
    subject: str
    """What it speaks of where it names nothing."""
    other: str
    """What it may compare with where it names nothing else."""
    previous: str = ""
    """The parts before, their names set aside."""

    def has(self, name: str) -> bool:
        return load_words().patterns[name].search(self.masked) is not None

    def find(self, relation: str) -> re.Match[str] | None:
        words = load_words()
        listed = words.lists["before_figures"].split()
        for match in words.patterns[relation].finditer(self.masked):
            if match[0] not in listed or _is_figure_next(self.masked[match.end() :]):
                return match
        return None

    def without(self, start: int, end: int) -> _Part:
        return replace(self, masked=self.masked[:start] + " " * (end - start) + self.masked[end:])

    def has_name(self, text: slice) -> bool:
        return _SIGN in self.masked[text]


def _is_figure_next(masked: str) -> bool:
    """Whether a figure, a name or an average follows."""
    words = re.match(r"\s+(?:the\s+|a\s+)?([^\s,.;]+)", masked)
    if words is None:
        return False
    word = words[1]
    return (
        word[0] == _SIGN
        or word[0].isdigit()
        or word in load_words().lists["numbers"]
        or word in ("all", "average", "mean")
    )


def split_sentences(text: str) -> list[str]:
    """The sentences of a text; a line of its own, as in a list, is one."""
    return [part.strip() for part in _END.split(text) if part.strip()]


def read_claims(sentence: str, facts: Sequence[Facts], *, question: str = "") -> list[Claim]:
    """The claims of a sentence.

    Args:
        sentence: One sentence.
        facts: The results, whose names it may hold.
        question: What was asked; names that a sentence leaves out stand there.
    """
    text = re.sub(r"[*_`]{1,3}", "", sentence).replace("’", "'")
    low = lower(text)
    if low.rstrip().endswith("?") or _PROPORTION.search(low):
        return []
    claims: list[Claim] = []
    parts = list(_split(text, facts))
    if any(load_words().patterns["unknowable"].search(masked) for _, masked in parts):
        return []
    subject = question
    for n, (words, masked) in enumerate(parts):
        others = " ".join(other for k, (other, _) in enumerate(parts) if k != n)
        part = _Part(words, masked, subject, others, "".join(hidden for _, hidden in parts[:n]))
        claims += (c for c in _read_part(part, facts) if c.relation == "cause" or not _MONTH.search(masked))
        if _SIGN in masked:
            subject = words
    return [replace(claim, context=(claim.sentence, text, question)) for claim in claims]


def _split(text: str, facts: Sequence[Facts]) -> Iterator[tuple[str, str]]:
    """The parts of a sentence, each with its names set aside."""
    masked = list(lower(text))
    tokens = tokenize(text)
    for table in facts:
        for mention in table.find_mentions(tokens):
            masked[mention.start : mention.end] = _SIGN * (mention.end - mention.start)
    hidden = "".join(masked)
    words = load_words().patterns
    cuts = [0]
    cuts += [
        match.start()
        for match in words["splits"].finditer(hidden)
        if not hidden[match.end() :].lstrip().startswith(_SIGN)
        or match[0] != "but"
        or "," in hidden[: match.start()][-2:]
    ]
    cuts += [match.end() for match in re.finditer(r"[;:](?=\s)", hidden)]
    cuts += [
        match.end()
        for match in re.finditer(r",\s+(?:and\s+)?|\s+and\s+", hidden)
        if _has_claim(hidden[max(c for c in cuts if c <= match.start()) : match.start()])
        and _begins_anew(hidden[match.end() :])
    ]
    cuts = sorted({*cuts, len(text)})
    for start, end in zip(cuts, cuts[1:], strict=False):
        if hidden[start:end].strip(" ,.;:"):
            yield text[start:end], hidden[start:end]


def _has_claim(masked: str) -> bool:
    patterns = load_words().patterns
    names = (
        "most",
        "least",
        "larger",
        "smaller",
        "rise",
        "fall",
        "steady",
        "equal",
        "beyond_chance",
        "within_chance",
        "cause",
    )
    return any(patterns[name].search(masked) for name in names)


def _begins_anew(masked: str) -> bool:
    """Whether what follows is a statement of its own: it claims something, and does not only go on with a comparison."""
    head = re.split(r"[,;]", masked, maxsplit=1)[0]
    return _has_claim(head) and not re.match(r"\s*(?:ahead|behind|followed|more than|less than|fewer than)\b", masked)


def _read_part(part: _Part, facts: Sequence[Facts]) -> Iterator[Claim]:
    cause = part.find("cause") if part.find("within_chance") is None else None
    is_possible = (
        part.has("possible") or part.has("leaving_out") or re.search(rf"\bbut\s+{_SIGN}", part.masked) is not None
    )
    if cause is not None and _is_evident(part, cause, facts):
        part = part.without(cause.start(), cause.end())
    elif cause is not None:
        if not (is_possible or _is_denied(part, cause) or _is_of_the_work(part, cause)):
            yield Claim(relation="cause", sentence=part.text)
        part = replace(part, text=part.text[: cause.start()], masked=part.masked[: cause.start()])
    part, claims = _read_significance(part)
    yield from claims
    if is_possible:
        return
    amounts = [amount for amount in find_amounts(part.masked) if _is_meant(part, amount)]
    yield from _read_figures(part, amounts, facts)


def _is_meant(part: _Part, amount: AmountInText) -> bool:
    """Whether an amount is claimed; a percentage in digits only where it is a part of the whole, or by how much."""
    if "%" not in part.masked[amount.start : amount.end]:
        return True
    near = part.masked[max(amount.start - 24, 0) : amount.end + 16]
    is_change = re.search(r"\bby\s+$", part.masked[: amount.start]) or re.match(
        r"\s+(?:more|less|fewer|higher|lower|larger|smaller|above|below)\b", part.masked[amount.end :]
    )
    return bool(is_change or load_words().patterns["share_of"].search(near)) and part.masked.count("%") == 1


def _is_denied(part: _Part, match: re.Match[str]) -> bool:
    """Whether the words before a match deny it."""
    before = part.masked[: match.start()]
    return load_words().patterns["negations"].search(before[-40:]) is not None


def _is_of_the_work(part: _Part, match: re.Match[str]) -> bool:
    return load_words().patterns["of_the_work"].search(part.masked[match.end() :]) is not None


def _is_evident(part: _Part, match: re.Match[str], facts: Sequence[Facts]) -> bool:
    """Whether the results tell causes, and the one that is given is among them."""
    reasons = set(load_words().lists["reasons"].split())
    is_before = load_words().patterns["causes_before"].fullmatch(match[0]) is not None
    tokens = tokenize(part.text[: match.start()] if is_before else part.text[match.end() :])
    return any(
        reasons & set(re.split(r"[^a-z]+", table.keys[mention.column].name.casefold()))
        for table in facts
        for mention in table.find_mentions(tokens)
    )


def _read_significance(part: _Part) -> tuple[_Part, list[Claim]]:
    """What is said of chance; the words for it are taken out of the part."""
    beyond, within = part.find("beyond_chance"), part.find("within_chance")
    match = within or beyond
    if match is None:
        return part, []
    rest = part.without(match.start(), match.end()).masked
    flips = len(load_words().patterns["flips"].findall(rest))
    negated = (match is within) != (flips % 2 == 1)
    level = 0.01 if part.has("high_level") else 0.05
    if (named := load_words().patterns["levels"].search(part.masked)) and "level" in part.masked:
        digits = {"five percent": 0.05, "one percent": 0.01, "ten percent": 0.1}
        text = named[0]
        level = digits.get(text) or (float(text.rstrip(" %")) / (100 if "%" in text else 1))
    claim = Claim(
        relation="significance", sentence=part.text, subject=part.text, measure=part.text, negated=negated, level=level
    )
    if negated or "hypothesis" in part.masked:
        return _Part(" ", " ", part.subject, part.other), [claim]
    return part.without(match.start(), match.end()), [claim]


def _read_figures(part: _Part, amounts: list[AmountInText], facts: Sequence[Facts]) -> Iterator[Claim]:
    """Trends, shares, ranks, comparisons and what there is, each where its words stand."""
    if _SIGN not in part.masked and (part.has("others") or part.has("pronouns")):
        return
    if (association := part.find("association")) is not None:
        yield _read_association(part, association)
        return
    trend = _find_trend(part)
    compared = _find_first(part, ("larger", "smaller"))
    if compared is not None and part.has("than_began"):
        relation: Relation = "rise" if compared[0] == "larger" else "fall"
        yield _read_trend(part, (relation, compared[1]), [])
        return
    if (place := _find_place(part)) is not None:
        yield Claim(relation="most", sentence=part.text, subject=part.text, measure=part.text, place=place)
        return
    if part.has("sequence") and len(re.findall(rf"{_SIGN}+", part.masked)) > 1:
        relation = "least" if part.find("least") is not None else "most"
        yield Claim(
            relation="ranking", sentence=part.text, subject=part.text, measure=part.text, negated=relation == "least"
        )
    bare = part.masked
    for amount in amounts:
        bare = bare[: amount.start] + " " * (amount.end - amount.start) + bare[amount.end :]
    rest = replace(part, masked=bare)
    extreme = _find_first(rest, ("most", "least"))
    if trend is None and extreme is not None and part.masked[extreme[1].end() :].lstrip().startswith("of all"):
        trend = _find_trend(replace(part, masked=part.previous))
    compared = _find_first(rest, ("larger", "smaller"))
    if extreme is not None and _is_rank_of_part(rest, extreme[1]):
        yield _read_rank(part, rest, extreme, trend)
        return
    if compared is not None or any(amount.amount.kind == "ratio" for amount in amounts):
        claim = _read_comparison(part, rest, compared, amounts, trend)
        if claim is not None:
            yield claim
            return
    if trend is not None:
        yield _read_trend(part, trend, amounts)
        return
    if (equal := rest.find("equal") or re.search(r"\bas\s+(?!many\b)\w+\s+as\b", rest.masked)) is not None:
        following = re.match(r"\s+([a-z]+)", rest.masked[equal.end() :])
        if following is not None and following[1] in load_words().lists["abstract"].split():
            return
        yield _read_equal(part, equal)
        return
    if (every := load_words().patterns["every"].match(part.masked.lstrip())) is not None and _SIGN in part.masked:
        between = part.text[: part.masked.index(_SIGN)]
        if any(table.find_measures(tokenize(between)) for table in facts):
            amounts = [AmountInText(start=0, end=every.end(), amount=Amount(kind="share", low=0.995, high=1)), *amounts]
    shares = [amount for amount in amounts if amount.amount.kind in ("share", "count")]
    if shares and not load_words().patterns["none"].search(part.masked[shares[0].end :]):
        yield _read_share(part, shares[0])
        return
    rest = part
    if (difference := rest.find("difference")) is not None:
        yield from _read_difference(part, difference)
        return
    yield from _read_existence(part, facts)


def _take_nearest(part: _Part, end: int) -> str:
    """The text from the last names before a place on: "A takes 8.8 days, B less" speaks of B."""
    start = 0
    for run in re.finditer(rf"{_SIGN}+", part.masked[:end]):
        behind = part.masked[: run.start()].rsplit(_SIGN, 1)
        if len(behind) == 2 and not re.fullmatch(
            r"[\s,]*(?:(?:and|or|nor|both|the|in|of|as well as|with|for)[\s,]*)*", behind[1]
        ):
            start = run.start() if re.search(r"\d|,", behind[1]) else start
    return part.text[start:end]


def _find_first(part: _Part, names: Sequence[Relation]) -> tuple[Relation, re.Match[str]] | None:
    matches = [(name, match) for name in names if (match := part.find(name)) is not None]
    return min(matches, key=lambda pair: (pair[1].start(), -pair[1].end()), default=None)


def _find_trend(part: _Part) -> tuple[Relation, re.Match[str]] | None:
    return _find_first(part, ("steady", "rise", "fall"))


def _is_rank_of_part(part: _Part, match: re.Match[str]) -> bool:
    """Whether a superlative ranks; "at least" and "best of all" without names do not."""
    return not re.search(r"\bat\s+$", part.masked[: match.start()])


def _find_place(part: _Part) -> int | None:
    """The rank that an ordinal tells: "comes third", "a close second"."""
    words = load_words()
    before = "|".join(words.lists["before_ranks"].split())
    ordinals = words.lists["ordinals"]
    pattern = (
        rf"\b(?:{before})\s+(?:an?\s+|the\s+)?({'|'.join(ordinals)})(?=\s*(?:place|rank)?\s*(?:[,.;:]|$|in\b|with\b))"
    )
    match = re.search(pattern, part.masked)
    return ordinals[match[1]] if match is not None and _SIGN in part.masked[: match.start()] else None


def _read_rank(
    part: _Part, rest: _Part, extreme: tuple[Relation, re.Match[str]], trend: tuple[Relation, re.Match[str]] | None
) -> Claim:
    relation, match = extreme
    before, behind = slice(0, match.start()), slice(match.end(), None)
    tail = re.search(r"\b(?:followed by|ahead of|then|before|with)\b", part.masked[behind])
    end = match.end() + tail.start() if tail is not None else len(part.text)
    subject = part.text[before] if part.has_name(before) else part.text[match.end() : end]
    if not part.has_name(slice(0, end)):
        subject = part.subject
    ordinals = load_words().patterns["ordinals"].search(part.masked[before][-12:])
    place = load_words().lists["ordinals"][ordinals[0]] if ordinals is not None else 1
    negated = bool(load_words().patterns["negations"].search(part.masked[before][-14:]))
    return Claim(
        relation=relation,
        sentence=part.text,
        subject=subject,
        measure=part.text,
        change=_read_change(trend),
        place=place,
        negated=negated,
    )


def _read_comparison(
    part: _Part,
    rest: _Part,
    compared: tuple[Relation, re.Match[str]] | None,
    amounts: list[AmountInText],
    trend: tuple[Relation, re.Match[str]] | None,
) -> Claim | None:
    ratio = next((a for a in amounts if a.amount.kind == "ratio"), None)
    near = [a for a in amounts if a.amount.kind in ("change", "share")]
    if compared is not None:
        relation, match = compared
        start, end = match.start(), match.end()
    elif ratio is not None:
        if trend is not None and not re.search(rf"\bas\b[^{_SIGN}]*{_SIGN}", part.masked[ratio.end :]):
            return None
        relation, start, end = "larger", ratio.start, ratio.end
    else:
        return None
    if (many := re.match(r"\s*as\s+\w+", part.masked[end:])) is not None:
        end += many.end()
    than = re.search(r"\b(?:than|as|over|of|against|versus|vs)\b", part.masked[end:])
    left, behind = part.text[:start], part.text[end:]
    if part.has_name(slice(0, start)):
        left = _take_nearest(part, start)
        subject, other = left, behind
    elif (
        compared is not None
        and load_words().patterns["between_both"].fullmatch(compared[1][0])
        and part.has_name(slice(end, None))
    ):
        subject, other = part.subject, behind
    elif than is not None and part.has_name(slice(end, end + than.start())):
        subject, other = part.text[end : end + than.start()], part.text[end + than.end() :]
    elif than is not None and part.has_name(slice(end + than.end(), None)):
        subject, other = part.subject, part.text[end + than.end() :]
    else:
        subject, other = part.text if _SIGN in part.masked else part.subject, ""
    amount: Amount | None = ratio.amount if ratio is not None else None
    if ratio is not None and ratio.amount.high < 1:
        relation = "smaller"
    if ratio is not None and relation == "smaller" and ratio.amount.low > 1:
        amount = Amount(
            kind="ratio", low=1 / ratio.amount.high, high=1 / ratio.amount.low, is_open=ratio.amount.is_open
        )
    if amount is None and near:
        chosen = min(near, key=lambda a: abs(a.end - start))
        amount = replace(chosen.amount, kind="change")
    negated = load_words().patterns["negations"].search(part.masked[:start]) is not None
    rows = _read_rows(part, start)
    if rows == "none":
        negated = False
    if not part.has_name(slice(end, None)) and (bound := _read_bound(part, rest, end, relation)) is not None:
        return Claim(
            relation="larger" if relation == "larger" else "smaller",
            sentence=part.text,
            subject=left if part.has_name(slice(0, start)) else part.text if _SIGN in part.masked else "",
            measure=behind,
            amount=bound,
            rows=rows or (None if part.has_name(slice(0, start)) else "every"),
            negated=negated,
        )
    if amount is not None and amount.kind == "share":
        amount = replace(amount, kind="change")
    if rows is not None and _SIGN not in part.masked:
        return None
    return Claim(
        relation=relation,
        sentence=part.text,
        subject=subject,
        other=f"{other} || {part.other}" if not part.has_name(slice(end, None)) else other,
        measure=part.text,
        amount=amount,
        change=_read_change(trend),
        negated=negated,
    )


def _read_change(trend: tuple[Relation, re.Match[str]] | None) -> Literal["rise", "fall", ""]:
    return "" if trend is None else "rise" if trend[0] == "rise" else "fall" if trend[0] == "fall" else ""


def _read_bound(part: _Part, rest: _Part, end: int, relation: Relation) -> Amount | None:
    """The figure that something is above or below: "more than 250 orders", "below four", "above 5 %"."""
    behind = part.masked[end:]
    match = re.match(r"\s*(?:than\s+)?(?:the\s+|a\s+)?", behind)
    offset = match.end() if match is not None else 0
    for start, _, value, _ in find_numbers(behind):
        if start == offset:
            if relation == "larger":
                return Amount(kind="value", low=value, high=float("inf"), is_open=True)
            return Amount(kind="value", low=float("-inf"), high=value, is_open=True)
    return None


def _read_rows(part: _Part, end: int) -> Amount | Literal["every", "none"] | None:
    """Of how many rows a part speaks before a place: every, none, three."""
    head = part.masked[:end]
    if _SIGN in head:
        return None
    patterns, words = load_words().patterns, load_words()
    if patterns["none"].search(head):
        return "none"
    if patterns["every"].search(head):
        return "every"
    for amount in find_amounts(head):
        if amount.amount.kind in ("share", "count"):
            return amount.amount
    match = re.match(r"\s*(?:only\s+)?([^\W\d_]+|\d+)(?=\s)", head)
    if match is not None and (match[1] in words.lists["numbers"] or match[1].isdigit()):
        value = float(words.lists["numbers"].get(match[1], match[1] if match[1].isdigit() else 0))
        return Amount(kind="count", low=value, high=value)
    return None


def _read_trend(part: _Part, trend: tuple[Relation, re.Match[str]], amounts: list[AmountInText]) -> Claim:
    relation, match = trend
    amount = next((a.amount for a in amounts if a.amount.kind in ("ratio", "change", "share")), None)
    if amount is not None and amount.kind == "share":
        amount = replace(amount, kind="change")
    negated = load_words().patterns["negations"].search(part.masked[: match.start()]) is not None
    return Claim(
        relation=relation,
        sentence=part.text,
        subject=part.text if _SIGN in part.masked else part.subject,
        measure=part.text,
        amount=amount,
        rows="every" if part.has("every_moment") or part.has("every") else None,
        negated=negated,
    )


def _read_equal(part: _Part, match: re.Match[str]) -> Claim:
    words = load_words()
    is_difference = words.patterns["difference"].fullmatch(match[0]) is not None
    negated = words.patterns["negations"].search(part.masked[: match.start()]) is not None and not is_difference
    exact = re.fullmatch(r"the same|same|identical", match[0]) is not None and not words.patterns["around"].search(
        part.masked[: match.start()] + " "
    )
    within = words.lists["same_within" if exact else "equal_within"]
    return Claim(
        relation="equal",
        sentence=part.text,
        subject=part.text if _SIGN in part.masked else "",
        measure=part.text,
        amount=Amount(kind="change", low=0, high=within),
        negated=negated,
    )


def _read_difference(part: _Part, match: re.Match[str]) -> Iterator[Claim]:
    """Whether things differ: by much, by little, or not."""
    claim = _read_equal(part, match)
    is_small, is_large, is_denied = (part.has(name) for name in ("small_difference", "large_difference", "negations"))
    if is_small or is_denied:
        within = load_words().lists["equal_within"] * 2
        yield replace(claim, amount=Amount(kind="change", low=0, high=within))
    elif is_large:
        yield replace(claim, negated=True)


def _read_share(part: _Part, amount: AmountInText) -> Claim:
    before = part.masked[: amount.start]
    negated = re.search(r"\b(?:not|no|neither|nor|none|isn't|aren't)\b", before) is not None
    return Claim(
        relation="share",
        sentence=part.text,
        subject=part.text if _SIGN in part.masked else "",
        measure=part.text,
        amount=amount.amount,
        rows=_read_rows(part, amount.start) if _SIGN not in part.masked and amount.amount.kind == "share" else None,
        negated=negated,
        denies=re.search(r"\b(?:not|never|without|no|nothing)\b|n't\b", part.masked[amount.end :]) is not None,
    )


def _read_association(part: _Part, match: re.Match[str]) -> Claim:
    """Whether two figures go together: "larger stores tend to have more orders"."""
    up = [
        len(load_words().patterns["larger"].findall(text))
        for text in (part.masked[: match.start()], part.masked[match.end() :])
    ]
    down = [
        len(load_words().patterns["smaller"].findall(text))
        for text in (part.masked[: match.start()], part.masked[match.end() :])
    ]
    opposed = (up[0] > down[0]) != (up[1] > down[1]) and sum(up) + sum(down) > 1
    return Claim(
        relation="association",
        sentence=part.text,
        subject=part.text[: match.start()],
        other=part.text[match.end() :],
        measure=part.text,
        negated=opposed,
    )


def _read_existence(part: _Part, facts: Sequence[Facts]) -> Iterator[Claim]:
    patterns = load_words().patterns
    if set(re.findall(r"[a-z]+", part.masked)) & set(load_words().lists["abstract"].split()):
        return
    subject = part.text if _SIGN in part.masked else ""
    is_relative = re.search(r"\b(?:that|which|who)\b", part.masked) is not None
    if is_relative or patterns["of_the_work"].search(part.masked):
        return
    is_named = _SIGN in part.masked or any(table.find_measures(tokenize(part.text)) for table in facts)
    if (match := patterns["none"].search(part.masked)) is not None:
        if not is_named and match[0] not in load_words().lists["nothing"].split():
            return
        rows = _read_rows(part, match.start())
        if re.search(r"\bthere (?:is|are|was|were) (?!no\b|none\b|nothing\b)", part.masked) or re.search(
            r"\bonly one\b", part.masked[: match.start()]
        ):
            rows = rows or Amount(kind="count", low=1, high=float("inf"))
        yield Claim(
            relation="existence", sentence=part.text, subject=subject, measure=part.text, rows=rows, negated=True
        )
    elif patterns["not_none"].search(part.masked) or patterns["every"].search(part.masked):
        rows: Literal["every"] | None = "every" if patterns["every"].search(part.masked) else None
        yield Claim(relation="existence", sentence=part.text, subject=subject, measure=part.text, rows=rows)
