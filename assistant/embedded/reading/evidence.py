"""Evidence: what speaks for and against a reading, as numbers that confidence is learned from.

Each piece is a small number, 0 where nothing is to be said, and speaks of the question, of the reading, or of both:
words that were left out, how sure the links are, what the question says that the meaning does not do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.linking.links import Span
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable, ToTerm, ToText, ToValue
from assistant.embedded.meaning import Meaning
from assistant.embedded.reading import agreement, shape, verbatim
from assistant.embedded.words.cues import Cue

if TYPE_CHECKING:
    from assistant.embedded.reading.reader import Candidate

_SAYS = {
    "not": re.compile(r"\b(?:not|no|never|without|except|excluding|n't|other than|neither|nor|lacking)\b|n't\b"),
    "or": re.compile(r"\bor\b(?! (?:more|less|fewer|above|below|over|under|equal))"),
    "both": re.compile(r"\bboth\b|\bas well as\b|\bshared\b"),
    "each": re.compile(r"\b(?:each|per|every)\b"),
    "average": re.compile(r"\b(?:average|mean|avg)\b"),
    "most": re.compile(r"\b(?:most|least|highest|lowest|largest|smallest|biggest|maximum|minimum|fewest|greatest|oldest"
                       r"|youngest|longest|shortest|top|bottom|best|worst|latest|earliest|cheapest)\b"),
    "count": re.compile(r"\b(?:how many|number of|count)\b"),
    "than": re.compile(r"\b(?:than|above|below|over|under|at least|at most|between)\b"),
    "sort": re.compile(r"\b(?:sort\w*|ordered by|(?<!per )(?<!an )(?<!each )(?<!every )order by"
                       r"|alphabetical\w*|ascending|descending|in order)\b"),
    "distinct": re.compile(r"\b(?:distinct|different|unique)\b"),
    "date": re.compile(r"\b(?:1[89]|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october"
                       r"|november|december)\b"),
    "id": re.compile(r"\bids?\b|\bcodes?\b"),
    "sentence": re.compile(r"[.?!;] \w"),
    "of_those": re.compile(r"\b(?:same|difference|also|whether|respectively|those|there)\b"),
}  # fmt: skip
_NEGATIVE = ("not", "without", "nothing")
_DENYING = {"!=", "not in", "missing", "present", "not contains", "not starts", "not ends"}
_ENDS = re.compile(r"\b(?:first|last|when)\b")
NAMES: tuple[str, ...] = (
    "left", "left_named", "left_number", "left_cue", "left_not", "unknown", "unknown_many", "unknown_adjective",
    "unknown_verb", "unknown_name", "loss", "strength", "penalty", "margin", "first", "share", "lonely",
    "length", "unplaced", "unlinked_value", "likened",
    "missed_not", "missed_or", "missed_both", "missed_each", "missed_average", "missed_most", "missed_count",
    "missed_than", "missed_sort", "missed_date", "missed_id", "unasked_group", "unasked_limit", "sentence", "of_those",
    "says_distinct", "says_both", "says_or", "says_not", "unused_numbers",
    *shape.NAMES, *agreement.NAMES, *verbatim.NAMES,
)  # fmt: skip
"""What each number of `evidence` is."""


def evidence(question: str, candidates: Sequence[Candidate], at: int) -> tuple[float, ...]:
    """The evidence on the candidate at a place among all of a question, in the order of `NAMES`."""
    candidate = candidates[at]
    found = _of_words(candidate) | _of_rivals(candidates, at) | shape.shape(candidate.meaning)
    found |= _of_both(question, candidate.meaning)
    found |= agreement.agreement(candidate) | verbatim.verbatim(candidate)
    return tuple(float(found.get(name, 0.0)) for name in NAMES)


def grave(candidate: Candidate) -> bool:
    """Whether what was left out may turn the answer into another: a negation, a name, a number, an adjective."""
    left_not = any(isinstance(o, Cue) and o.kind in _NEGATIVE for s in candidate.left for o in s.options)
    number = any(isinstance(o, ToNumber | ToValue | ToText) for s in candidate.left for o in s.options)
    noun = any(not _is_verb(s, candidate.spans) for s in candidate.unknown)
    return left_not or number or noun or len(candidate.unknown) > 1 or headless(candidate)


def _is_verb(span: Span, spans: Sequence[Span]) -> bool:
    """Whether a word only says how two things belong together: "customers who frequent", "rooms booked"."""
    if _is_name(span) or _stands_before_name(span, spans):
        return False
    before = next((s.text.lower().split()[-1] for s in spans if s.end == span.start), "")
    return span.text.lower().endswith(("ed", "ing")) or before in _BEFORE_VERBS


_BEFORE_VERBS = frozenset(
    ("who", "that", "which", "to", "did", "does", "do", "they", "has", "have", "had", "was", "were")
)


def headless(candidate: Candidate) -> bool:
    """Whether what the question asks for first is unknown: "weather in Berlin", "revenue by city"."""
    means = (s.start for s in candidate.spans if any(isinstance(o, _CONTENT) for o in s.options))
    first = min(means, default=0)
    return any(span.start < first for span in candidate.unknown)


_CONTENT = (ToColumn, ToTable, ToValue, ToMetric, ToTerm)


def _is_name(span: Span) -> bool:
    return (span.start > 0 and span.text[:1].isupper()) or span.text[:1].isdigit()


def _of_words(candidate: Candidate) -> dict[str, float]:
    """Words that were left out, and how sure the links of the others are."""
    left = candidate.left
    unknown = candidate.unknown
    return {
        "left": min(len(left) + len(candidate.unplaced), 3),
        "unplaced": min(len(candidate.unplaced), 2),
        "left_named": min(sum(any(isinstance(o, ToColumn | ToTable | ToValue) for o in s.options) for s in left), 3),
        "left_number": min(sum(any(isinstance(o, ToNumber) for o in s.options) for s in left), 2),
        "left_cue": min(sum(any(isinstance(o, Cue) for o in s.options) for s in left), 2),
        "left_not": any(isinstance(o, Cue) and o.kind in _NEGATIVE for s in left for o in s.options),
        "unknown": bool(unknown),
        "unknown_many": min(max(len(unknown) - 1, 0), 3),
        "unknown_adjective": any(_stands_before_name(s, candidate.spans) for s in unknown),
        "unknown_verb": any(s.text.lower().endswith(("ed", "ing", "s")) for s in unknown),
        "unknown_name": any(_is_name(s) for s in unknown),
        "loss": candidate.loss,
        "strength": 1.0 - candidate.strength,
        "penalty": candidate.penalty,
        "length": math.log(1 + len(candidate.spans)),
        "unlinked_value": candidate.guesses > 0,
        "likened": min(sum(span.likened for span in candidate.spans), 3),
    }


def _stands_before_name(span: Span, spans: Sequence[Span]) -> bool:
    """Whether an unknown word qualifies what follows: "churned customers"."""
    following = next((s for s in spans if s.start == span.end), None)
    return following is not None and any(isinstance(o, ToColumn | ToTable | ToValue) for o in following.options)


def _of_rivals(candidates: Sequence[Candidate], at: int) -> dict[str, float]:
    """How far the candidate stands above or below the others."""
    candidate = candidates[at]
    others = [c.score for n, c in enumerate(candidates) if n != at]
    best = max(others, default=0.0)
    weights = [math.exp(8 * (c.score - candidate.score)) for c in candidates[:12]]
    return {
        "margin": max(-1.0, min(1.0, candidate.score - best)),
        "first": at == 0,
        "share": 1.0 / max(sum(weights), 1.0),
        "lonely": not others,
    }


def _of_both(question: str, meaning: Meaning) -> dict[str, float]:
    """What the question says that the meaning does not do, and the other way round."""
    text = question.lower()
    says = {name: pattern.search(text) is not None for name, pattern in _SAYS.items()}
    aggregates = {m.aggregate for m in meaning.measures}
    operators = {f.operator for f in meaning.every_filter}
    negative = bool(operators & _DENYING) or any(r.count == 0 for r in meaning.related)
    negative = negative or any(c.negated for c in meaning.conditions) or any(f.flag for f in meaning.filters)
    compares = bool(
        operators & {"<", "<=", ">", ">=", "between", "not between"}
        or meaning.compared
        or meaning.having
        or meaning.times
    )
    compares = compares or any(r.count > 0 for r in meaning.related)
    per = any(m.per or m.until or "average" in (m.metric or "").lower() for m in meaning.measures)
    compares = compares or any(f.other for f in meaning.filters)
    ordered = bool(meaning.order)
    nested = any(c.aggregate in ("maximum", "minimum") for c in meaning.compared)
    nested = nested or any(not one.label for one in meaning.among)
    extreme = meaning.limit is not None or bool(aggregates & {"maximum", "minimum"}) or nested
    computed = " ".join(m.expression or "" for m in meaning.measures)  # from end to end, one kind less another
    ids = [*meaning.columns, *meaning.dimensions]
    shows_id = any(re.search(r"(?i)id$|code$|no$|num", ref.column) for d in ids for ref in (d.column, *d.more))
    counted = (
        bool(aggregates & {"count", "distinct"}) or any(m.metric for m in meaning.measures) or bool(meaning.related)
    )
    return {
        "missed_not": says["not"] and not negative,
        "missed_or": says["or"] and not (meaning.either or operators & {"in", "not in"}),
        "missed_both": says["both"] and len(meaning.related) < 2,
        "missed_each": says["each"] and not (meaning.dimensions or meaning.within or per),
        "missed_average": says["average"]
        and not ("average" in aggregates or any(c.aggregate == "average" for c in meaning.compared) or per)
        and not meaning.having,
        "missed_most": says["most"] and not (extreme or ordered or ") - MIN(" in computed),
        "missed_count": says["count"] and not counted,
        "missed_than": says["than"] and not (compares or "END) - SUM(CASE" in computed),
        "missed_sort": says["sort"] and not ordered,
        "missed_date": says["date"] and not (meaning.times or meaning.filters or any(r.time for r in meaning.related)),
        "missed_id": says["id"] and not shows_id,
        "unasked_group": bool(meaning.dimensions) and not says["each"] and " by " not in text,
        "unasked_limit": extreme and not says["most"] and not _ENDS.search(text),
        "sentence": says["sentence"],
        "of_those": says["of_those"],
        "says_distinct": says["distinct"],
        "says_both": says["both"],
        "says_or": says["or"],
        "says_not": says["not"],
        "unused_numbers": min(_unused_numbers(text, meaning), 2),
    }


def _unused_numbers(text: str, meaning: Meaning) -> int:
    """How many numbers of the question stand nowhere in the meaning."""
    held = meaning.model_dump_json()
    return sum(1 for number in re.findall(r"\b\d+(?:\.\d+)?\b", text) if number.rstrip("0").rstrip(".") not in held)
