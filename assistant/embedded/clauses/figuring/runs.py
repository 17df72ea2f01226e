"""Runs of aggregates that share columns: "the highest, lowest and average price", "minimum and maximum number of"."""

from __future__ import annotations

from typing import NamedTuple

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import Aggregate
from assistant.embedded.words.cue_patterns import WHEN, CueKind
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import stem

AGGREGATES: dict[str, Aggregate] = {
    "average": "average",
    "sum": "sum",
    "minimum": "minimum",
    "maximum": "maximum",
    "how_much": "sum",
}
KINDS: tuple[CueKind, ...] = ("average", "sum", "minimum", "maximum", "best", "most")


class Run(NamedTuple):
    """The aggregates, the places of their words and of the "and" between them, and the place that follows."""

    aggregates: list[Aggregate]
    used: list[int]
    target: int | None
    linked: bool


def run_at(draft: Draft, at: int) -> Run:
    """Read the aggregates that begin at a piece, none twice; one alone is a run as well."""
    found: list[Aggregate] = []
    used: list[int] = []
    linked = False
    place: int | None = at
    while place is not None:
        cue = draft.cue_at(place, *KINDS, "how_much")
        aggregate = aggregate_of(draft, place, cue) if cue is not None else None
        following = draft.after(place, plain_max=1)
        if aggregate is not None:
            if aggregate not in found:
                found.append(aggregate)
        elif following is not None and found and draft.cue_at(place, "and"):
            cue = draft.cue_at(following, *KINDS)
            if cue is None or aggregate_of(draft, following, cue) is None:
                break
            linked = True
        else:
            break
        used.append(place)
        place = draft.after(place)
    if linked and not all(_measures(draft, i, place) for i in used):
        return Run(found[:1], used[:1], draft.after(at), linked=False)  # "the oldest and the longest" are two things
    if not linked and len(found) > 1 and any(draft.cue_at(i, "best", "most") for i in used):
        return Run(found[:1], used[:1], draft.after(at), linked=False)  # "the highest average price" is one figure
    return Run(found, used, place, linked)


def _measures(draft: Draft, at: int, target: int | None) -> bool:
    """Whether a superlative that says by itself what it measures speaks of the column behind: "longest duration"."""
    cue, option = draft.cue_at(at, "best"), draft.open(target)
    if cue is None or not cue.hints or cue.argument in ("old", "young"):
        return True
    if isinstance(option, ToTable) and target is not None:
        option = draft.open(draft.after(target, plain_max=0))  # "the longest trip duration"
    if not isinstance(option, ToColumn):
        return False
    words = {stem(word) for hint in cue.hints for word in hint.split()}
    return option.attribute.is_time if cue.hints == WHEN else bool(words & set(option.attribute.stems))


def aggregate_of(draft: Draft, at: int, cue: Cue) -> Aggregate | None:
    """What a cue says of a column; "the most" says it only as "the most number of"."""
    if cue.kind in AGGREGATES:
        return AGGREGATES[cue.kind]
    numbered = cue.kind == "most" and draft.pieces[at].span.text.lower().endswith(" of")
    if not numbered and cue.kind != "best":
        return None
    return "maximum" if cue.argument in ("desc", "old") else "minimum"
