"""Comparisons read as claims: what is larger or smaller, than what, and by how much. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from assistant.claims.amounts import AmountInText, find_amounts, find_numbers
from assistant.claims.claim import Claim, ClaimAmount, Relation
from assistant.claims.parts import SIGN, RelationMatch, SentencePart
from assistant.claims.words import load_words

Rows = ClaimAmount | Literal["every", "none"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cue:
    """The word that compares: its relation, where it stands, and the ratio that it goes with."""

    relation: Relation
    start: int
    end: int
    ratio: ClaimAmount | None


def read_comparison(
    part: SentencePart, compared: RelationMatch | None, amounts: Sequence[AmountInText], trend: RelationMatch | None
) -> Claim | None:
    """The comparison of a part; None where it makes none.

    Args:
        part: The part.
        compared: The first word that compares, amounts left out.
        amounts: The amounts of the part.
        trend: The first word that tells a rise or a fall.
    """
    cue = _find_cue(part, compared, amounts, trend)
    if cue is None:
        return None
    rows = read_rows(part, cue.start)
    negated = rows != "none" and load_words().patterns["negations"].search(part.masked[: cue.start]) is not None
    has_left, has_right = part.has_name(slice(0, cue.start)), part.has_name(slice(cue.end, None))
    if (bound := _read_bound(part, cue)) is not None and not (has_left and has_right):
        return Claim(
            relation=cue.relation,
            sentence=part.text,
            subject=take_nearest(part, cue.start) if has_left else part.text if SIGN in part.masked else "",
            measure=part.text if has_right else part.text[cue.end :],
            amount=bound,
            rows=rows or (None if has_left else "every"),
            negated=negated,
        )
    if rows is not None and SIGN not in part.masked:
        return None
    subject, counterpart = _find_sides(part, cue, compared)
    return Claim(
        relation=cue.relation,
        sentence=part.text,
        subject=subject,
        counterpart=counterpart if has_right else f"{counterpart} || {part.counterpart}",
        measure=part.text,
        amount=cue.ratio or _find_nearest_amount(amounts, cue.start),
        change=read_change(trend),
        negated=negated,
        sides=_read_sides(part, cue, compared),
    )


def _find_cue(
    part: SentencePart, compared: RelationMatch | None, amounts: Sequence[AmountInText], trend: RelationMatch | None
) -> _Cue | None:
    ratio = next((amount for amount in amounts if amount.amount.kind == "ratio"), None)
    if compared is not None:
        relation, start, end = compared[0], compared[1].start(), compared[1].end()
    elif ratio is None or (trend is not None and not re.search(rf"\bas\b[^{SIGN}]*{SIGN}", part.masked[ratio.end :])):
        return None
    else:
        relation, start, end = "larger", ratio.start, ratio.end
    amount = ratio.amount if ratio is not None else None
    if amount is not None and amount.high < 1:
        relation = "smaller"
    elif amount is not None and relation == "smaller" and amount.low > 1:  # "three times smaller"
        amount = replace(amount, low=1 / amount.high, high=1 / amount.low)
    many = re.match(r"\s*as\s+\w+", part.masked[end:])
    return _Cue(relation=relation, start=start, end=end + (many.end() if many is not None else 0), ratio=amount)


def _find_sides(part: SentencePart, cue: _Cue, compared: RelationMatch | None) -> tuple[str, str]:
    """The words for what is compared, and for what it is compared with."""
    behind = part.text[cue.end :]
    than = re.search(r"\b(?:than|as|over|of|against|versus|vs)\b", part.masked[cue.end :])
    if than is not None and than[0] == "than" and part.has_name(slice(0, cue.start)):
        between = slice(cue.end, cue.end + than.start())
        if part.has_name(between) and part.has_name(slice(cue.end + than.end(), None)):  # "more in May than in June"
            return behind[: than.start()], behind[than.end() :]
    if part.has_name(slice(0, cue.start)):
        return take_nearest(part, cue.start), behind
    is_between = compared is not None and load_words().patterns["between_both"].fullmatch(compared[1][0]) is not None
    if is_between and part.has_name(slice(cue.end, None)):
        return part.subject, behind
    if than is not None and part.has_name(slice(cue.end, cue.end + than.start())):
        return behind[: than.start()], behind[than.end() :]
    if than is not None and part.has_name(slice(cue.end + than.end(), None)):
        return part.subject, behind[than.end() :]
    return (part.text if SIGN in part.masked else part.subject), ""


def _read_sides(part: SentencePart, cue: _Cue, compared: RelationMatch | None) -> tuple[str, str]:
    """The words for what is compared, whatever they name: "more loans than members", "Pro outsells Basic"."""
    behind = part.text[cue.end :]
    if (than := re.search(r"\b(?:than|as)\b", part.masked[cue.end :])) is not None:
        return f"{part.text[: cue.start]} {behind[: than.start()]}", behind[than.end() :]
    is_between = compared is not None and load_words().patterns["between_both"].fullmatch(compared[1][0]) is not None
    return (part.text[: cue.start], behind) if is_between else ("", "")


def _find_nearest_amount(amounts: Sequence[AmountInText], start: int) -> ClaimAmount | None:
    near = [amount for amount in amounts if amount.amount.kind in ("change", "share")]
    selection = min(near, key=lambda amount: abs(amount.end - start), default=None)
    return replace(selection.amount, kind="change") if selection is not None else None


def read_change(trend: RelationMatch | None) -> Literal["rise", "fall", ""]:
    """Whether figures are compared by how much they rose, or fell."""
    return (
        "rise"
        if trend is not None and trend[0] == "rise"
        else "fall"
        if trend is not None and trend[0] == "fall"
        else ""
    )


def take_nearest(part: SentencePart, end: int) -> str:
    """The text from the last names before a place on: "A takes 8.8 days, B less" speaks of B."""
    start = 0
    for run in re.finditer(rf"{SIGN}+", part.masked[:end]):
        behind = part.masked[: run.start()].rsplit(SIGN, 1)
        if len(behind) == 2 and not re.fullmatch(
            r"[\s,]*(?:(?:and|or|nor|both|the|in|of|as well as|with|for)[\s,]*)*", behind[1]
        ):
            start = run.start() if re.search(r"\d|,", behind[1]) else start
    return part.text[start:end]


def take_last(part: SentencePart, end: int) -> str:
    """The last names before a place with what they are joined to; names behind "in" or "of" go with those before."""
    lists = load_words().lists
    runs = list(re.finditer(rf"{SIGN}+", part.masked[:end]))
    start = 0
    for previous, run in pairwise(runs):
        between = re.findall(r"\w+", part.masked[previous.end() : run.start()])
        is_joined = set(between) <= {*lists["joining"].split(), "the"}
        lead = [word for word in between if word != "the"][-1:]
        is_own = bool(between) and not is_joined and not (lead and lead[0] in lists["fronted"].split())
        is_behind_front = previous is runs[0] and _is_fronted(part.masked[: previous.start()]) and between
        if is_own or (is_behind_front and not {*between} & {*lists["joining"].split()}):
            start = run.start()
    return part.text[start:end]


def _is_fronted(masked: str) -> bool:
    words = re.findall(r"\w+", masked)
    return bool(words) and words[0] in load_words().lists["fronted"].split()


def _read_bound(part: SentencePart, cue: _Cue) -> ClaimAmount | None:
    """The figure that something is above or below: "more than 250 orders", "below four", "above 5 %"."""
    behind = part.masked[cue.end :]
    match = re.match(r"\s*(?:than\s+)?(?:the\s+|a\s+)?", behind)
    offset = match.end() if match is not None else 0
    for start, _, value, _ in find_numbers(behind):
        if start == offset:
            if cue.relation == "larger":
                return ClaimAmount(kind="value", low=value, high=float("inf"), is_open=True)
            return ClaimAmount(kind="value", low=float("-inf"), high=value, is_open=True)
    return None


def read_rows(part: SentencePart, end: int) -> Rows:
    """Of how many rows a part speaks before a place: every, none, three."""
    head = part.masked[:end]
    if SIGN in head:
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
        return ClaimAmount(kind="count", low=value, high=value)
    return None
