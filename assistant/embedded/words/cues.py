"""Cues: the phrases that say what is to be done, whatever the source ("how many", "more than", "top 5", "sorted by").

A cue is found by its pattern (`cue_patterns`) at a word; which cue counts, and what it applies to, is decided in
`clauses`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.embedded.words.cue_patterns import COMPILED, PLACES, CueKind
from assistant.embedded.words.lexicon import Token
from assistant.embedded.words.vocabulary import STOP_WORDS, number_said


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A cue phrase: `argument` is its operator, direction, grain, chart or reason; `hints` name its columns."""

    kind: CueKind
    argument: str = ""
    hints: tuple[str, ...] = ()
    number: int | None = None
    strength: float = 1.0


_GRAIN_WORDS = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year"}
_LOOK_AHEAD = 9
_NUMBERED = frozenset(
    (
        *(
            "phone",
            "telephone",
            "contact",
            "mobile",
            "cell",
            "fax",
            "id",
            "account",
            "card",
            "room",
            "flight",
            "serial",
        ),
        *("model", "plate", "passport", "tracking", "policy", "jersey"),
    )
)
"""What has a number as its name: the "phone number of" somebody is no count."""
_ONE = frozenset(("a", "an", "per", "each", "every", "one", "average", "last", "first"))
"""Before these, and before the biggest of all, an "order by country" is an order, and nothing is sorted."""


def cues_at(tokens: Sequence[Token], at: int) -> list[tuple[Cue, int]]:
    """Every cue that begins at a token, with the number of tokens it takes."""
    if tokens[at].kind == "quoted":
        return []
    numbered = tokens[at].lower in ("number", "numbers") and at > 0 and tokens[at - 1].lower in _NUMBERED
    words = " ".join(t.lower if t.kind != "quoted" else "\0" for t in tokens[at : at + _LOOK_AHEAD])
    found: list[tuple[Cue, int]] = []
    for kind, argument, pattern, hints in COMPILED:
        match = pattern.match(words)
        if not match or not match.group(0).strip() or (numbered and kind == "count"):
            continue
        if kind == "count" and match.group(0) == "number" and at > 0 and tokens[at - 1].lower not in STOP_WORDS:
            continue  # "in the order of the department number"
        if kind == "grain" and match.group(0) in _AND_GRAINS and not _breaks_down(tokens[:at]):
            continue
        if kind == "range" and (at == 0 or tokens[at - 1].lower in STOP_WORDS):
            continue
        if kind == "sort" and at > 0 and (tokens[at - 1].lower in _ONE or tokens[at - 1].lower.endswith("est")):
            continue
        groups = match.groupdict()
        number = groups.get("n")
        grain = groups.get("u") or _GRAIN_WORDS.get(groups.get("w") or "", "year" if groups.get("w") else "")
        direction = {"ascending": "asc", "descending": "desc", "increasing": "asc", "decreasing": "desc"}.get(
            groups.get("d1") or groups.get("d2") or groups.get("d3") or "", ""
        )
        cue = Cue(
            kind=kind,
            argument=argument or grain or direction or groups.get("m") or "",
            hints=hints or tuple(w for name in ("a1", "a2", "m1", "m2", "f1", "f2") if (w := groups.get(name))),
            number=number_said(number) if number else PLACES.get(groups.get("o") or ""),
        )
        length = match.group(0).strip().count(" ") + 1
        if kind in ("sort", "direction") and not cue.argument and re.search("descending|reverse", match.group(0)):
            cue = Cue(kind=kind, argument="desc", hints=hints)
        found.append((cue, length))
    return found


def _breaks_down(tokens: Sequence[Token]) -> bool:
    """Whether something is broken down already: "by region and year", not "the price and year"."""
    return any(t.lower in _BREAKING or t.lower in _GRAIN_WORDS for t in tokens)


_BREAKING = frozenset(("by", "per", "each", "every", "across"))
_AND_GRAINS = frozenset(("and day", "and week", "and month", "and quarter", "and year"))
