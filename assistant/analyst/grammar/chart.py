"""A floating chart parser: phrases bottom-up by category, then frames that gather phrases of disjoint words.

Parts of a phrase keep their order but need not touch; the phrases of a frame may stand in any order and inside each
other. Words that nothing uses cost; nothing vetoes. Source: Pasupat and Liang, Compositional Semantic Parsing on
Semi-Structured Tables (2015), for rules that float over the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from assistant.analyst.algebra import Column
from assistant.analyst.grammar import conditions, figures, groups, relations, times
from assistant.analyst.grammar.rule import GrammarRule
from assistant.analyst.parts import Flag, GroupKey, Having, MeasuredFigure, Part, Pending, Sort, Thing, Top
from assistant.analyst.schema import Schema

RULES: list[GrammarRule] = [*conditions.RULES, *relations.RULES, *times.RULES, *figures.RULES, *groups.RULES]
"""All phrase rules. Their order means nothing."""
_ROUNDS = 4
_PER_CATEGORY = 60
_PER_RULE = 800
_BEAM = 50
_CAPS = {"things": 3, "columns": 5, "conditions": 4, "figures": 3, "keys": 3, "flags": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the phrases of a question mean, each once, not yet put together."""

    things: tuple[Thing, ...] = ()
    columns: tuple[Column, ...] = ()
    conditions: tuple[Pending, ...] = ()
    figures: tuple[MeasuredFigure, ...] = ()
    keys: tuple[GroupKey, ...] = ()
    tops: tuple[Top, ...] = ()
    havings: tuple[Having, ...] = ()
    sorts: tuple[Sort, ...] = ()
    flags: tuple[Flag, ...] = ()

    def says(self, name: str) -> bool:
        """Whether an operator was said that has no phrase of its own."""
        return any(flag.name == name for flag in self.flags)


_SLOTS = {slot.name.removesuffix("s"): slot.name for slot in fields(Frame)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A frame with the words it used, the phrases it came from, and its score."""

    frame: Frame
    mask: int
    parts: tuple[Part, ...]
    score: float

    def unread(self, costs: Sequence[float], least: float) -> list[int]:
        """Where the words are that it does not use and that cost so much or more."""
        return [at for at, cost in enumerate(costs) if cost >= least and not self.mask >> at & 1]


def phrases(anchors: Iterable[Part], costs: Sequence[float], schema: Schema) -> dict[str, list[Part]]:
    """All phrases over the anchors, by category."""
    parts_of: dict[str, list[Part]] = {}
    for anchor in anchors:
        weight = sum(max(0.3, costs[i]) for i in range(anchor.start, anchor.end))
        parts_of.setdefault(anchor.category, []).append(replace(anchor, score=anchor.score * weight))
    before = [0.0]
    for cost in costs:
        before.append(before[-1] + cost)
    spans: set[tuple[str, tuple[int, ...]]] = set()
    for _ in range(_ROUNDS):
        rules = (variant for rule in RULES for variant in (rule, rule.turned) if variant is not None)
        added = [part for rule in rules for part in _applied(rule, parts_of, before, schema, spans)]
        if not added:
            break
        for part in added:
            parts_of.setdefault(part.category, []).append(part)
        for category in {part.category for part in added}:
            parts_of[category] = _best(parts_of[category])
    return parts_of


def _best(parts: list[Part]) -> list[Part]:
    best: dict[tuple[object, int], Part] = {}
    for part in parts:
        at = (part.meaning, part.mask)
        if at not in best or _order(part) < _order(best[at]):
            best[at] = part
    return sorted(best.values(), key=_order)[:_PER_CATEGORY]


def _order(part: Part) -> tuple[float, tuple[str, ...]]:
    """The best first; of equally good ones by the names of their rules, so that the order of rules means nothing."""
    return -round(part.score, 9), part.rules


def _applied(
    rule: GrammarRule,
    parts_of: dict[str, list[Part]],
    before: Sequence[float],
    schema: Schema,
    spans: set[tuple[str, tuple[int, ...]]],
) -> list[Part]:
    """What a rule makes of parts that it was not yet applied to.

    What follows "by" is a key, so a figure does not reach across it: "how many rows by town" counts no towns.
    """
    keys = {part.end for part in parts_of.get("by", ())} if rule.makes == "figure" else set[int]()
    chains: list[tuple[Part, ...]] = [()]
    for category in rule.parts:
        parts = [part for kind in category.removeprefix("~").split("|") for part in parts_of.get(kind, ())]
        chains = [
            (*chain, part)
            for chain in chains
            for part in parts
            if not chain
            or part.start == chain[-1].end
            or (
                part.start > chain[-1].end
                and part.start not in keys
                and before[part.start] - before[chain[-1].end] <= rule.gap
            )
        ][:_PER_RULE]
    results: list[Part] = []
    for chain in chains:
        at = (rule.name, tuple(map(id, chain)))
        if at in spans:
            continue
        spans.add(at)
        meaning = rule.apply(schema, *(part.meaning for part in chain))
        if meaning is not None:
            results.append(_joined(rule, chain, meaning, before))
    return results


def _joined(rule: GrammarRule, chain: tuple[Part, ...], meaning: object, before: Sequence[float]) -> Part:
    used_parts = [part for part, category in zip(chain, rule.parts, strict=True) if not category.startswith("~")]
    mask = 0
    for part in used_parts:
        mask |= part.mask
    gap = 0.0
    for last, part in pairwise(chain):
        gap += before[part.start] - before[last.end] + 0.1 * (part.start - last.end)
    score = sum(part.score for part in used_parts) + 0.25 * (len(used_parts) - 1) - 0.15 * gap
    used = tuple(name for part in used_parts for name in part.rules)
    guesses = tuple(guess for part in used_parts for guess in part.guesses)
    return Part(rule.makes, meaning, mask, used_parts[0].start, used_parts[-1].end, score, (*used, rule.name), guesses)


def frames(parts_of: dict[str, list[Part]], costs: Sequence[float]) -> list[Derivation]:
    """Frames of phrases with disjoint words, the best first."""
    starting: dict[int, list[Part]] = {}
    for category in _SLOTS:
        for part in parts_of.get(category, ()):
            starting.setdefault(part.start, []).append(part)
    states = [Derivation(frame=Frame(), mask=0, parts=(), score=0.0)]
    for at, cost in enumerate(costs):
        reached: dict[tuple[Frame, int], Derivation] = {}
        for state in states:
            for following in _followed(state, at, cost, starting.get(at, ())):
                key = (following.frame, following.mask >> (at + 1))
                if key not in reached or reached[key].score < following.score:
                    reached[key] = following
        states = sorted(reached.values(), key=lambda state: -state.score)[:_BEAM]
    return states


def _followed(state: Derivation, at: int, cost: float, starting: Sequence[Part]) -> list[Derivation]:
    if state.mask >> at & 1:
        return [state]
    states = [replace(state, score=state.score - 0.4 * cost)]
    for part in starting:
        if not part.mask & state.mask:
            frame = _added(state.frame, part)
            if frame is not None:
                again = frame is state.frame  # what is said twice is one thing, and its words are read
                inside = state.mask >> part.end != 0  # in words that an earlier phrase left out: it paid for them
                score = state.score + (0.0 if again else part.score - 0.1)
                score += 0.15 * cost * (part.end - part.start) if inside else 0.0
                states.append(
                    Derivation(frame=frame, mask=state.mask | part.mask, parts=(*state.parts, part), score=score)
                )
    return states


def _added(frame: Frame, part: Part) -> Frame | None:
    slot = _SLOTS[part.category]
    present: tuple[object, ...] = getattr(frame, slot)
    new: tuple[object, ...] = part.meaning if isinstance(part.meaning, tuple) else (part.meaning,)
    if all(item in present for item in new):
        return frame
    if len(present) + len(new) > _CAPS.get(slot, 1) or any(item in present for item in new):
        return None
    return replace(frame, **{slot: (*present, *new)})
