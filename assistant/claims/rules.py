"""What a part of a sentence says of figures, by rules of which the first that fits reads it. Pure.

Each rule has an example as its docstring. It gives claims, or None where the part is not of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.claims.amounts import AmountInText
from assistant.claims.claim import Claim, ClaimAmount, Relation
from assistant.claims.comparisons import Rows, read_change, read_comparison, read_rows, take_last, take_nearest
from assistant.claims.facts import TableFacts
from assistant.claims.parts import SIGN, RelationMatch, SentencePart, find_first
from assistant.claims.selection import is_change
from assistant.claims.words import load_words, match_stems, split_phrases, stem_words, tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReading:
    """A part with what is found in it.

    Attributes:
        part: The part.
        bare: The part without its amounts.
        amounts: Its amounts.
        trend: The first word that tells a rise or a fall.
        compared: The first word that compares, amounts left out.
        facts: The results.
    """

    part: SentencePart
    bare: SentencePart
    amounts: Sequence[AmountInText]
    trend: RelationMatch | None
    compared: RelationMatch | None
    facts: Sequence[TableFacts]


def read_figures(part: SentencePart, amounts: Sequence[AmountInText], facts: Sequence[TableFacts]) -> list[Claim]:
    """The claims of a part about figures."""
    bare = part
    for amount in amounts:
        bare = bare.without(amount.start, amount.end)
    trend = find_first(part, ("steady", "rise", "fall"))
    if trend is not None and " " in trend[1][0]:  # "got worse" compares nothing
        bare = bare.without(trend[1].start(), trend[1].end())
    reading = PartReading(
        part=part,
        bare=bare,
        amounts=amounts,
        trend=trend,
        compared=find_first(bare, ("larger", "smaller")),
        facts=facts,
    )
    readings = (rule(reading) for rule in _RULES)
    return next((claims for claims in readings if claims is not None), [])


_BY_PLACE = re.compile(
    r"^(?!.*\b(?:than|as)\b).*\bones\b|\b(?:the|and|or)\s+(?:first|second|third|fourth|last|top|bottom|upper|lower|middle|latter|former)"
    rf"\s+(?!place\b|rank\b|in\b|of\b|most\b|least\b|[a-z]+est\b)[a-z]|\bthan\s+(?:those|that)\b[^{SIGN}]*$"
)
"""Rows by their place, or of what was named before: "the last three products", "fewer urgent ones"."""


def _leave_to_others(reading: PartReading) -> list[Claim] | None:
    """They speak of what another sentence names."""
    part = reading.part
    is_of_others = SIGN not in part.masked and (part.has("others") or part.has("pronouns"))
    return [] if is_of_others or _BY_PLACE.search(part.masked) else None


def _leave_derived(reading: PartReading) -> list[Claim] | None:
    """Online's share of the total fell: what no column tells, and what does not rise and fall with the figures."""
    texts, measures = load_words().lists, [m for table in reading.facts for m in table.measures]
    words = {form for token in tokenize(reading.part.masked) for form in token.forms}
    names = {stem for measure in measures if not is_change(measure) for stem in measure.stems}
    is_of_parts = reading.trend is not None or any(reading.bare.has(name) for name in ("equal", "difference"))
    is_of_parts = is_of_parts or any(len(table.keys) > 1 for table in reading.facts)
    kinds = ["parts"] if is_of_parts and "share" not in names else []
    kinds += ["per_unit"] if all(measure.column.additive for measure in measures) else []
    kinds += ["growths"] if any(a.amount.kind == "share" for a in reading.amounts) else []
    derived = {word for kind in kinds for word in texts[kind].split()} & words
    return [] if any(not any(match_stems(word, name) for name in names) for word in derived) else None


def _find_association(reading: PartReading) -> list[Claim] | None:
    """Larger stores tend to have more orders."""
    match = reading.part.find("association")
    if match is None:
        return None
    compared = [reading.part.find(name) for name in ("larger", "smaller")]
    return [_read_association(reading.part, match)] if any(compared) else []


def _compare_ends(reading: PartReading) -> list[Claim] | None:
    """Satisfaction ended the year lower than it began."""
    compared = find_first(reading.part, ("larger", "smaller"))
    if compared is None or not reading.part.has("than_began"):
        return None
    relation: Relation = "rise" if compared[0] == "larger" else "fall"
    return [_read_trend(reading.part, (relation, compared[1]), ())]


def _find_rank(reading: PartReading) -> list[Claim] | None:
    """Hamburg comes third."""
    part, place = reading.part, _find_place(reading.part)
    if place is None:
        return None
    number, start = place
    return [
        Claim(
            relation="most",
            sentence=part.text,
            subject=take_nearest(part, start),
            measure=part.text,
            place=number,
        )
    ]


def _find_extreme(reading: PartReading) -> list[Claim] | None:
    """The North leads, followed by East and West."""
    part = reading.part
    ranking: list[Claim] = []
    if part.has("sequence") and len(re.findall(rf"{SIGN}+", part.masked)) > 1:
        negated = part.find("least") is not None
        ranking = [Claim(relation="ranking", sentence=part.text, subject=part.text, measure=part.text, negated=negated)]
    extreme = find_first(reading.bare, ("most", "least"))
    if extreme is None or not _is_rank_of_part(part, extreme[1]):
        return ranking or None
    is_of_unknown = _is_of_unknown(reading, extreme[1])
    names_measure = is_of_unknown and _names_one_measure(reading, part.text[: extreme[1].start()])
    if is_of_unknown and not names_measure:
        return []
    trend = reading.trend
    if trend is None and part.masked[extreme[1].end() :].lstrip().startswith("of all"):
        trend = find_first(replace(part, masked=part.previous), ("steady", "rise", "fall"))
    rank = _read_rank(part, extreme, trend)
    sides = (part.text[: extreme[1].start()], part.text[extreme[1].end() :]) if names_measure else ("", "")
    return [*ranking, replace(rank, amount=_find_margin(reading.amounts, extreme[1]), sides=sides)]


def _names_one_measure(reading: PartReading, text: str) -> bool:
    """Whether a text is called by one of several figures, as where each plan is a column."""
    return any(
        len(table.measures) > 2 and len(table.find_exact_measures(tokenize(text))) == 1 for table in reading.facts
    )


def _find_margin(amounts: Sequence[AmountInText], match: re.Match[str]) -> ClaimAmount | None:
    """By how much something is the first: "by far the slowest"."""
    near = [a.amount for a in amounts if a.amount.kind == "change" and _is_right_before(a, match)]
    return near[0] if near else None


def _is_right_before(amount: AmountInText, match: re.Match[str]) -> bool:
    return 0 <= match.start() - amount.end <= len(" the ")


def _is_of_unknown(reading: PartReading, match: re.Match[str]) -> bool:
    """Whether it is of a word that the results have no column for: "the biggest step", "more complete"."""
    words = load_words()
    adjectives = "|".join(words.lists["after_most"].split())
    counted = "|".join(words.lists["counted_of"].split())
    following = re.match(
        rf"\s+(?:(?:{adjectives})\s+)?(?:(?:{counted})\s+of\s+)?([a-z][a-z-]+)", reading.part.masked[match.end() :]
    )
    plain = {*words.lists["plain_nouns"].split(), *words.lists["after_most"].split()}
    plain |= {p for name in ("below_zero", "above_zero", "alone") for p in split_phrases(words.lists[name])}
    if following is None or following[1] == "than" or following[1] in words.small or following[1] in plain:
        return False
    (token,) = tokenize(following[1])
    stems = {*token.forms, *token.meanings}
    names = {stem for table in reading.facts for measure in table.measures for stem in measure.stems}
    names |= {stem for table in reading.facts for key in table.keys for stem in stem_words(key.name)}
    return not any(match_stems(stem, name) or name.endswith(stem) for stem in stems for name in names)


def _find_comparison(reading: PartReading) -> list[Claim] | None:
    """The store had more orders than the phone."""
    compared = reading.compared
    if compared is not None and compared[1][0] in ("more", "less", "fewer") and _is_of_unknown(reading, compared[1]):
        return []
    claim = read_comparison(reading.part, reading.compared, reading.amounts, reading.trend)
    is_distance = set(re.findall(r"[a-z]+", reading.part.masked)) & set(load_words().lists["distances"].split())
    if claim is not None and is_distance and claim.amount is not None and claim.amount.kind == "value":
        return []
    return None if claim is None else [claim]


def _find_trend(reading: PartReading) -> list[Claim] | None:
    """Orders grew every year."""
    if reading.trend is None:
        return None
    if set(re.findall(r"[a-z]+", reading.part.masked)) & set(load_words().lists["distances"].split()):
        return []
    return [_read_trend(reading.part, reading.trend, reading.amounts)]


def _find_equal(reading: PartReading) -> list[Claim] | None:
    """Store and online are almost equal."""
    masked = reading.bare.masked
    match = reading.bare.find("equal") or re.search(r"\bas\s+(?!many\b)\w+\s+as\b", masked)
    if match is None:
        return None
    following = re.match(r"\s+([a-z]+)", masked[match.end() :])
    if "ranking" in masked or (match[0].endswith("same") and _is_of_unknown(reading, match)):
        return []
    if following is not None and following[1] in load_words().lists["abstract"].split():
        return []
    return [_read_equal(reading.part, match)]


def _find_sign(reading: PartReading) -> list[Claim] | None:
    """Linz made a loss."""
    part = reading.part
    below, above = part.has("below_zero"), part.has("above_zero")
    has_signs = any((f or 0) < 0 for table in reading.facts for m in table.measures for f in m.figures)
    if below == above or not has_signs or part.has("none"):
        return None
    low, high = (float("-inf"), 0.0) if below else (0.0, float("inf"))
    return [
        Claim(
            relation="smaller" if below else "larger",
            sentence=part.text,
            subject=part.text if SIGN in part.masked else "",
            measure=part.text,
            amount=ClaimAmount(kind="value", low=low, high=high, is_open=True),
            negated=part.has("negations"),
        )
    ]


def _find_sign_of_association(reading: PartReading) -> list[Claim] | None:
    """Floor area is negatively correlated with the price."""
    return _find_sign(reading) if reading.part.find("association") is not None else None


def _find_presence(reading: PartReading) -> list[Claim] | None:
    """A rating is available for Denmark."""
    part = reading.part
    match = load_words().patterns["available"].search(part.masked)
    measures = [m for t in reading.facts for m in t.find_measures(tokenize(part.text))]
    if match is None or not measures or any(t.find_measures(tokenize(match[0])) for t in reading.facts):
        return None
    negated = part.has("negations") != part.has("absent")
    return [
        Claim(
            relation="existence",
            sentence=part.text,
            subject=part.text if SIGN in part.masked else "",
            measure=part.text,
            rows=None if negated else "every",
            negated=negated,
        )
    ]


def _find_share(reading: PartReading) -> list[Claim] | None:
    """Most orders came through the store."""
    part = reading.part
    shares = [amount for amount in reading.amounts if amount.amount.kind in ("share", "count")]
    every = load_words().patterns["every"].match(part.masked.lstrip())
    is_nth = any(amount.start == 0 for amount in shares)  # "every fifth order"
    if every is not None and SIGN in part.masked and not is_nth:  # "every order was completed"
        between = tokenize(part.text[: part.masked.index(SIGN)])
        if any(table.find_measures(between) for table in reading.facts):
            shares = [AmountInText(start=0, end=every.end(), amount=ClaimAmount(kind="share", low=0.995, high=1))]
    if not shares or part.has("of_the_work") or load_words().patterns["none"].search(part.masked[shares[0].end :]):
        return None
    return [_read_share(part, shares[0])]


def _find_difference(reading: PartReading) -> list[Claim] | None:
    """The ratings hardly differ."""
    match = reading.part.find("difference")
    return None if match is None else _read_difference(reading.part, match)


def _find_existence(reading: PartReading) -> list[Claim] | None:
    """No order came by phone."""
    return _read_existence(reading.part, reading.facts)


_RULES: tuple[Callable[[PartReading], list[Claim] | None], ...] = (
    _leave_to_others,
    _leave_derived,
    _find_sign_of_association,
    _find_association,
    _compare_ends,
    _find_rank,
    _find_extreme,
    _find_comparison,
    _find_sign,
    _find_trend,
    _find_equal,
    _find_presence,
    _find_share,
    _find_difference,
    _find_existence,
)


def _is_rank_of_part(part: SentencePart, match: re.Match[str]) -> bool:
    """Whether a superlative ranks; "at least" and "best of all" without names do not."""
    return not re.search(r"\bat\s+$", part.masked[: match.start()])


def _find_place(part: SentencePart) -> tuple[int, int] | None:
    """The rank that an ordinal tells, and where: "comes third", "a close second"."""
    words = load_words()
    before = "|".join(words.lists["before_ranks"].split())
    ordinals = words.lists["ordinals"]
    pattern = (
        rf"\b(?:{before})\s+(?:an?\s+|the\s+)?({'|'.join(ordinals)})(?=\s*(?:place|rank)?\s*(?:[,.;:]|$|in\b|with\b))"
    )
    match = re.search(pattern, part.masked)
    has_name = match is not None and SIGN in part.masked[: match.start()]
    return (ordinals[match[1]], match.start()) if match is not None and has_name else None


def _read_rank(part: SentencePart, extreme: RelationMatch, trend: RelationMatch | None) -> Claim:
    relation, match = extreme
    before, behind = slice(0, match.start()), slice(match.end(), None)
    tail = re.search(r"\b(?:followed by|ahead of|then|before|with)\b", part.masked[behind])
    end = match.end() + tail.start() if tail is not None else len(part.text)
    # "From 5 in January to 9 in May, highest in March": the name right behind goes before those in front.
    is_behind = re.match(rf"\s*(?:(?:is|was|in|for|with|the|of|at)\s+|:\s*)*{SIGN}", part.masked[behind]) is not None
    has_subject = part.has_name(before) and not is_behind
    subject = take_last(part, match.start()) if has_subject else part.text[match.end() : end]
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
        change=read_change(trend),
        place=place,
        negated=negated,
    )


def _read_trend(part: SentencePart, trend: RelationMatch, amounts: Sequence[AmountInText]) -> Claim:
    relation, match = trend
    amount = next((a.amount for a in amounts if a.amount.kind in ("ratio", "change", "share")), None)
    if amount is not None and amount.kind == "share":
        amount = replace(amount, kind="change")
    negated = load_words().patterns["negations"].search(part.masked[: match.start()]) is not None
    return Claim(
        relation=relation,
        sentence=part.text,
        subject=part.text if SIGN in part.masked else part.subject,
        measure=part.text,
        amount=amount,
        rows="every" if part.has("every_moment") or part.has("every") else None,
        negated=negated,
    )


def _read_equal(part: SentencePart, match: re.Match[str]) -> Claim:
    words = load_words()
    is_difference = words.patterns["difference"].fullmatch(match[0]) is not None
    negated = words.patterns["negations"].search(part.masked[: match.start()]) is not None and not is_difference
    exact = (
        re.fullmatch(r"the same|same|identical", match[0]) is not None
        and not words.patterns["around"].search(part.masked[: match.start()] + " ")
        and not re.search(r"ly\s+$", part.masked[: match.start()])
    )
    within = words.lists["same_within" if exact else "equal_within"]
    return Claim(
        relation="equal",
        sentence=part.text,
        subject=part.text if SIGN in part.masked else "",
        measure=part.text,
        amount=ClaimAmount(kind="change", low=0, high=within),
        negated=negated,
    )


def _read_difference(part: SentencePart, match: re.Match[str]) -> list[Claim]:
    """Whether things differ: by much, by little, or not."""
    claim = _read_equal(part, match)
    is_small, is_large, is_denied = (part.has(name) for name in ("small_difference", "large_difference", "negations"))
    if is_small or is_denied:
        within = load_words().lists["equal_within"] * 2
        return [replace(claim, amount=ClaimAmount(kind="change", low=0, high=within))]
    return [replace(claim, negated=True)] if is_large else []


def _read_share(part: SentencePart, amount: AmountInText) -> Claim:
    before = part.masked[: amount.start]
    negated = re.search(r"\b(?:not|no|neither|nor|none|isn't|aren't)\b", before) is not None
    return Claim(
        relation="share",
        sentence=part.text,
        subject=part.text if SIGN in part.masked else "",
        measure=part.text,
        amount=amount.amount,
        rows=read_rows(part, amount.start) if SIGN not in part.masked and amount.amount.kind == "share" else None,
        negated=negated,
        denies=re.search(r"\b(?:not|never|without|no|nothing|lacks?|missing)\b|n't\b", part.masked[amount.end :])
        is not None,
    )


def _read_association(part: SentencePart, match: re.Match[str]) -> Claim:
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
        counterpart=part.text[match.end() :],
        measure=part.text,
        negated=opposed,
    )


def _read_existence(part: SentencePart, facts: Sequence[TableFacts]) -> list[Claim]:
    patterns = load_words().patterns
    if set(re.findall(r"[a-z]+", part.masked)) & set(load_words().lists["abstract"].split()):
        return []
    subject = part.text if SIGN in part.masked else ""
    is_relative = re.search(r"\b(?:that|which|who)\b", part.masked) is not None
    if is_relative or patterns["of_the_work"].search(part.masked):
        return []
    is_named = SIGN in part.masked or any(table.find_measures(tokenize(part.text)) for table in facts)
    if (match := patterns["none"].search(part.masked)) is not None:
        if not is_named and match[0] not in load_words().lists["nothing"].split():
            return []
        rows = read_rows(part, match.start())
        if re.search(r"\bthere (?:is|are|was|were) (?!no\b|none\b|nothing\b)", part.masked) or re.search(
            r"\bonly one\b", part.masked[: match.start()]
        ):
            rows = rows or ClaimAmount(kind="count", low=1, high=float("inf"))
        return [
            Claim(relation="existence", sentence=part.text, subject=subject, measure=part.text, rows=rows, negated=True)
        ]
    if patterns["not_none"].search(part.masked) or patterns["every"].search(part.masked):
        every: Rows = "every" if patterns["every"].search(part.masked) else None
        return [Claim(relation="existence", sentence=part.text, subject=subject, measure=part.text, rows=every)]
    return []
