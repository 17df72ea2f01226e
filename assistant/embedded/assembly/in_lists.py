"""Conditions on columns that hold lists: "films with trailers" may have more special features than these."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, PairWanted
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Schema
from assistant.embedded.words.cues import Cue

_HOLDS: dict[Operator, Operator] = {"=": "contains", "in": "contains", "!=": "not contains", "not in": "not contains"}


def operator_of(wanted: FilterWanted, schema: Schema) -> Operator:
    """How a condition compares: where the column holds lists of such values, by what is in the list."""
    parts = schema.listed.get((wanted.attribute.table, wanted.attribute.name), frozenset())
    said = set(map(str, wanted.values))
    return _HOLDS.get(wanted.operator, wanted.operator) if said and said <= parts else wanted.operator


def holds_both(draft: Draft, pair: PairWanted) -> bool:
    """ "films with both trailers and commentaries": one list may hold the one, and hold or lack the other."""
    wanted = (*pair.first, *pair.second)
    if pair.link == "or" or any(operator_of(w, draft.schema) == w.operator for w in wanted):
        return False
    for other in pair.second if pair.link == "not" else ():
        other.operator = "!="
    draft.filters += wanted
    return True


def settle_lists(draft: Draft) -> None:
    """A list may hold both of two values: "and" means all of them, and only "or" one of them."""
    kept: list[FilterWanted] = []
    for wanted in draft.filters:
        operator = operator_of(wanted, draft.schema)
        if operator == wanted.operator:
            kept.append(wanted)
            continue
        wanted.operator = operator
        before = next((f for f in reversed(kept) if f.attribute == wanted.attribute), None)
        alike = before is not None and before.operator == operator and before.side == wanted.side
        if alike and before is not None and _is_choice(draft, before.piece, wanted.piece):
            before.values = (*before.values, *wanted.values)
        else:
            kept.append(wanted)
    draft.filters[:] = kept


def _is_choice(draft: Draft, one: int, other: int) -> bool:
    """Whether "or" stands between two places."""
    options = (piece.option for piece in draft.pieces[min(one, other) : max(one, other)])
    return any(isinstance(option, Cue) and option.kind == "or" for option in options)
