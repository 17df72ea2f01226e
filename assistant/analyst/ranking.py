"""How likely a query is what a question means: features, and weights learned by `benchmarks/rank_analyst.py`.

No weight is set by hand: `weights.json` holds them with the day, the data and the score they were learned with.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assistant.analyst import algebra as al
from assistant.analyst.grammar.chart import Derivation, Frame
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.tokens import Word
from assistant.analyst.parts import Thing
from assistant.analyst.schema import Schema
from assistant.analyst.unread import LITTLE, home_of, is_part_lost, is_unasked, keys_unread, unread_kinds, untold

Features = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What was learned of confidence.

    Attributes:
        weights: Say how sure the first reading is.
        answer: How sure it must be to be answered, 0 to 1.
        ask: How sure it must be to be offered among others, 0 to 1.
    """

    weights: Mapping[str, float]
    answer: float
    ask: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What was learned: `rank` puts readings in order; confidence where readings were run, and where none was."""

    rank: Mapping[str, float]
    ran: Trust
    unrun: Trust


@cache
def weights() -> Weights:
    """The learned weights."""
    learned = json.loads(files("assistant.analyst").joinpath("weights.json").read_text(encoding="utf-8"))
    return Weights(rank=learned["rank"], ran=Trust(**learned["ran"]), unrun=Trust(**learned["unrun"]))


def dropped(features: Features) -> float:
    """How much of what was read has no place in the query."""
    return sum(value for name, value in features.items() if name.startswith("dropped"))


def weighed(features: Features, by: Mapping[str, float]) -> float:
    """The weighted sum of features; one without a weight does not count."""
    return sum(by.get(name, 0.0) * value for name, value in features.items())


def probability(score: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def features(
    derivation: Derivation,
    shape: str,
    query: al.Query,
    schema: Schema,
    *,
    words: Sequence[Word],
    costs: Sequence[float],
) -> Features:
    """What speaks for and against a query."""
    unread = [cost for at, cost in enumerate(costs) if not derivation.mask >> at & 1]
    read_cost = sum(costs) - sum(unread)
    result: Features = {
        "chart": derivation.score / 3,
        "unknown": sum(cost >= 1 for cost in unread),
        "unread": sum(unread),
        "left out": sum(cost >= LITTLE for cost in unread),
        "weak": max(0.0, read_cost - derivation.score),
        "covered": read_cost / max(1.0, sum(costs)),
        "phrases": len(derivation.parts),
        **{f"shape {name}": 1.0 for name in shape.split("+")},
    }
    for name in {rule for part in derivation.parts for rule in part.rules}:
        result[f"rule {name}"] = 1.0
    result |= unread_kinds(derivation.mask, words, costs)
    result["keys unread"] = keys_unread(derivation, words, costs, query)
    result["untold"] = untold(derivation, words, costs, query) + result["keys unread"]
    result |= _links(derivation, costs)
    result["columns known"] = math.log1p(len(schema.typed))
    result["words"] = sum(cost >= LITTLE for cost in costs)
    inside = list(al.parts(query))
    result |= _dropped(derivation.frame, shape, inside)
    result["untold"] += _is_still_lost(derivation.frame, inside, schema)
    result["untold"] += any(guess.measure for part in derivation.parts for guess in part.guesses)
    result["untold"] += is_part_lost(derivation, words, query) or any(result[f"dropped {part}"] for part in _PARTS)
    result["unused"] = result["unused"] or is_unasked(derivation, words, query, schema)
    result |= _size(query, inside, schema)
    result |= _about(derivation.frame, query, inside, schema)
    result |= _cues({word.lower for word in words}, query, inside)
    return {name: float(value) for name, value in result.items() if value}


_PARTS = ("figures", "order", "having")
"""What a question names, and a query must have."""
NEAR = 3.0
"""Readings whose score is further below the first one's are not offered."""


def _links(derivation: Derivation, costs: Sequence[float]) -> Features:
    """How well the phrases stand for their words: the least and the mean score of a phrase per word, by its cost."""
    strengths: list[float] = []
    for part in derivation.parts:
        weight = sum(max(0.3, cost) for at, cost in enumerate(costs) if part.mask >> at & 1)
        strengths.append(part.score / max(0.3, weight))
    return {"weakest link": min(strengths), "mean link": sum(strengths) / len(strengths)} if strengths else {}


def _dropped(frame: Frame, shape: str, inside: list[object]) -> Features:
    """What the frame holds and the query does not."""
    columns = {part for part in inside if isinstance(part, al.Column)}
    tables = {column.table for column in columns} | {getattr(part, "table", "") for part in inside}
    grouped = [part for part in inside if isinstance(part, al.Grouped)]
    leaves = {part for part in inside if isinstance(part, al.Count | al.Aggregate | al.Metric)}
    inner = {
        leaf for part in inside if isinstance(part, al.Single) for leaf in al.parts(part)
    }  # "above average" asks for none
    functions = {part.function for part in leaves - inner if isinstance(part, al.Aggregate)}
    computations = {part.how for part in inside if isinstance(part, al.Combined | al.Window)}
    computations |= {"ratio" for part in inside if isinstance(part, al.Share)}
    ordered = any(part.order for part in inside if isinstance(part, al.Query))
    has = {
        "share": "ratio" in computations,
        "running": "running" in computations,
        "moving": "moving" in computations,
        "growth": "growth" in computations,
        "difference": not computations.isdisjoint(("difference", "growth")),
        "versus": "sides" in shape or "difference" in computations or any(q.keys for q in grouped),
        "rank": "rank" in computations or (ordered and not any(getattr(part, "limit", None) for part in inside)),
        "count": any(_counts(part) for part in inside),
        "distinct": "distinct" in shape or "members" in shape or any(map(_counts, inside)),
        "both": "members" in shape,
        "their": "theirs" in shape,
        "first": any(getattr(part, "limit", None) for part in inside),
    }
    has["function"] = all(f.value in functions or f.value == "sum" for f in frame.flags if f.name == "function")
    lost_functions = [flag for flag in frame.flags if flag.name == "function" and flag.value not in functions]
    return {
        "dropped columns": sum(column not in columns for column in frame.columns),
        "dropped things": sum(thing.table not in tables for thing in frame.things),
        "dropped keyed things": sum(t.key is not None and t.key not in columns for t in frame.things),
        "dropped figures": max(0, len(frame.figures) - len(leaves)),
        "dropped keys": len(frame.keys) if not grouped else max(0, len(frame.keys) - max(len(q.keys) for q in grouped)),
        "dropped order": bool(frame.sorts or frame.tops) and not ordered,
        "dropped having": bool(frame.havings) and not any(query.having != al.NO_FILTER for query in grouped),
        **{f"dropped {flag.name}": float(not has.get(flag.name, True)) for flag in frame.flags},
        "dropped function": len(lost_functions),
        "unused": any(not has.get(flag.name, True) for flag in frame.flags if flag.name != "distinct"),
    }


def _is_still_lost(frame: Frame, inside: list[object], schema: Schema) -> bool:
    """Whether "still" is said of what nothing in the query tells an end of."""
    ends = (part for part in inside if isinstance(part, al.Column) and schema.typed[part].open_until != "")
    return any(flag.value == "still" for flag in frame.flags) and next(ends, None) is None


def _about(frame: Frame, query: al.Query, inside: list[object], schema: Schema) -> Features:
    """Whose rows the query is about, and how its columns fit the things that were named."""
    home = home_of(query)
    tables = [thing.table for thing in frame.things]
    outputs = query.outputs if isinstance(query, al.Listing) else query.keys
    columns = [part for term in outputs for part in al.here(term) if isinstance(part, al.Column)]
    return {
        **_asked_keys(frame, query, set(outputs), schema),
        "asked thing lost": float(bool(tables) and not _has_thing(frame.things[0], inside)),
        "home first": bool(tables) and home == tables[0],
        "home named": home in tables,
        "home unnamed": bool(tables) and home not in tables,
        "shown unsaid": sum(column not in frame.columns for column in columns),
        **_repeated(query, schema),
        **_ways(home, inside, schema),
        "shown home": sum(column.table == home for column in columns),
        "conditions far": sum(
            part.table not in tables and part.table != home
            for p in frame.conditions
            for part in al.here(p)
            if isinstance(part, al.Column)
        ),
        "small home": 1 / (1 + math.log1p(schema.tables[home].rows)) if home in schema.tables else 0.0,
    }


def _asked_keys(frame: Frame, query: al.Query, outputs: set[al.Term], schema: Schema) -> Features:
    """Things that a column names: whether rows are listed where one of them has many, and which one is shown."""
    keys = [thing.key for thing in frame.things]
    repeats = [key for key in keys if key is not None and key in outputs and _repeats(key, schema)]
    is_other = bool(keys) and keys[0] is not None and keys[0] not in outputs
    return {
        "rows of repeated thing": isinstance(query, al.Listing) and not query.distinct and bool(repeats),
        "other thing shown": is_other and any(key in outputs for key in keys[1:] if key is not None),
    }


def _repeats(key: al.Column, schema: Schema) -> bool:
    profile = schema.profiled[key].profile
    return profile is None or profile.distinct < schema.tables[key.table].rows


def _has_thing(entity: Thing, inside: list[object]) -> bool:
    """Whether a query goes over, counts or shows a thing."""
    if entity.key is not None:
        return entity.key in inside
    return any(part.table == entity.table for part in inside if isinstance(part, al.Rows | al.Column))


def _ways(home: str, inside: list[object], schema: Schema) -> Features:
    """How far the query goes from its rows, and what it only asks to be there."""
    related = [part for part in inside if isinstance(part, al.Related)]
    tables = {part.table for part in inside if isinstance(part, al.Column)}
    near = [schema.path(home, table) or () for table in tables if schema.reaches_one(home, table)]
    far = [schema.path(part.table, part.rows.table) or () for part in related]
    return {
        "hops": sum(map(len, near)),
        "far hops": sum(map(len, far)),
        "only there": sum(part.quantifier == "some" and part.rows.where == al.NO_FILTER for part in related),
        "beside": sum(isinstance(part, al.Count | al.Aggregate) and part.of is not None for part in inside),
    }


def _repeated(query: al.Query, schema: Schema) -> Features:
    """What is listed, with or without repetition."""
    if not isinstance(query, al.Listing) or not isinstance(query.of, al.Rows):
        return {}
    roles = {schema.typed[t].role for t in query.outputs if isinstance(t, al.Column)}
    far = any(isinstance(t, al.Column) and t.table != query.of.table for t in query.outputs)
    kind = "distinct" if query.distinct else "repeated"
    role_features = {f"{kind} {role}": 1.0 for role in roles}
    return role_features | {f"{kind} far": float(far), f"{kind} several": float(len(query.outputs) > 1)}


def _counts(part: object) -> bool:
    return isinstance(part, al.Metric) or al.is_count(part)


def _size(query: al.Query, inside: list[object], schema: Schema) -> Features:
    """How much there is of what."""
    columns = {part for part in inside if isinstance(part, al.Column)}
    tables = {column.table for column in columns}
    outputs = query.outputs if isinstance(query, al.Listing) else ()
    roles = [schema.typed[term].role for term in outputs if isinstance(term, al.Column)]
    return {
        "joins": max(0, len(tables) - 1),
        "keys": len(query.keys) if isinstance(query, al.Grouped) else 0,
        "figures": len(query.figures) if isinstance(query, al.Grouped) else 0,
        "outputs": len(outputs) if not isinstance(query, al.Listing) or query.shown is None else query.shown,
        "shown filter": _shown_filter(query),
        **{f"shown {role}": float(roles.count(role)) for role in set(roles)},
        "distinct": isinstance(query, al.Listing) and query.distinct,
        "limited": getattr(query, "limit", None) is not None,
        "related": sum(isinstance(part, al.Related) for part in inside),
        "text": sum(isinstance(part, al.Text) for part in inside),
    }


def _shown_filter(query: al.Query) -> float:
    """How many outputs are columns that a condition settles to one value: they say nothing new."""
    if not isinstance(query.of, al.Rows):
        return 0.0
    outputs = query.outputs if isinstance(query, al.Listing) else query.keys
    return float(sum(output in al.settled(query.of) for output in outputs))


def _cues(words: set[str], query: al.Query, inside: list[object]) -> Features:
    """Words that speak for a construct that the query has, or lacks."""
    # How long something takes is a mean without being called one.
    is_mean = not words.isdisjoint(listed("operators", "cues", "average"))
    spans = [p for p in inside if not is_mean and isinstance(getattr(p, "term", None), al.Days)]
    has = {
        "many": any(map(_counts, inside)),
        "each": isinstance(query, al.Grouped) and bool(query.keys),
        "different": any(isinstance(p, al.Listing) and p.distinct for p in inside)
        or any(isinstance(p, al.Aggregate) and p.function == "distinct" for p in inside),
        "average": any(isinstance(p, al.Aggregate) and p.function == "mean" and p not in spans for p in inside),
        "name": any(isinstance(p, al.Column) and "name" in p.name.lower() for p in inside),
    }
    result: Features = {}
    for cue, is_meant in has.items():
        is_spoken = not words.isdisjoint(listed("operators", "cues", cue))
        result[f"{cue} unsaid"] = float(is_meant and not is_spoken)
        result[f"{cue} unheard"] = float(is_spoken and not is_meant)
    return result
