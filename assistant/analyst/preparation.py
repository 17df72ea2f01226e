"""A reading made ready to be answered with: standing rules applied, keys named, one way of saying each thing.

Two readings that differ only in ways a person would not call different become the same query here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from assistant.analyst import algebra as al
from assistant.analyst.known.documents import PreparedDocuments, StandingRule
from assistant.analyst.schema import Schema

_CODES = frozenset(("id", "key", "code", "number"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A query ready to run, with the rules that were applied to it."""

    query: al.Query
    rules: tuple[StandingRule, ...] = ()


def settle(query: al.Query, schema: Schema, documents: PreparedDocuments, *, lemmas: frozenset[str]) -> Settled:
    """Make a reading ready. `lemmas` are the words of the question in base form: who says "id" is shown ids."""
    settled_query = query
    if not _CODES & lemmas:
        settled_query = _labelled(
            settled_query, schema
        )  # of the result alone: what reads it inside knows its columns by place
    settled_query = al.mapped(_with_reason(_once(settled_query)), lambda value: _counted(_hoisted(value), schema))
    used: list[StandingRule] = []
    for rule in documents.rules:
        ruled = (
            settled_query
            if _speaks_of(settled_query, rule)
            else al.mapped(settled_query, lambda value, r=rule: _ruled(value, r, schema))
        )
        if ruled != settled_query:
            used.append(rule)
            settled_query = ruled
    return Settled(query=settled_query, rules=tuple(used))


# --- names for keys ---


def _labelled(value: al.Query, schema: Schema) -> al.Query:
    """Groups by the key of a table show what that table's rows are called."""
    if not isinstance(value, al.Grouped) or isinstance(value.of, al.Groups):
        return value
    visible = range(len(value.keys) + len(value.figures)) if value.shown is None else value.shown
    for place, key in enumerate(value.keys):
        names = _names_of(key, value.of.table, schema)
        if place in visible and names:
            return _labelled(_with_names(value, place, names, hide=_is_needed(names, schema)), schema)
    return value


def _names_of(key: al.Term, home: str, schema: Schema) -> tuple[al.Column, ...]:
    """The columns that name what a key stands for; empty where it is a name itself."""
    if not isinstance(key, al.Column) or schema.typed[key].role != "key":
        return ()
    target = target_of(key, schema)
    if target is None or not schema.reaches_one(home, target):
        return ()
    return tuple(c for c in schema.tables[target].label if schema.typed[c].role != "key")


def target_of(key: al.Column, schema: Schema) -> str | None:
    """The table whose rows a key identifies."""
    if schema.tables[key.table].grain == (key,):
        return key.table
    links = (link for link in schema.links[key.table] if link.start == (key,) and link.cardinality == "one")
    return next((link.table for link in links), None)


def _is_needed(names: tuple[al.Column, ...], schema: Schema) -> bool:
    """Whether two things of one name are told apart by their key."""
    profile = schema.profiled[names[0]].profile
    rows = schema.tables[names[0].table].rows
    return len(names) > 1 or profile is None or profile.distinct < rows


def _with_names(query: al.Grouped, place: int, names: tuple[al.Column, ...], *, hide: bool) -> al.Grouped:
    """The names shown in the key's place; the key kept beside them, unshown, where it tells groups apart."""
    new = tuple(name for name in names if name not in query.keys)
    kept_key = (query.keys[place],) if hide else ()
    keys = (*query.keys[:place], *new, *kept_key, *query.keys[place + 1 :])
    growth = len(keys) - len(query.keys)

    def moved(old: int) -> int:
        return old if old <= place else old + growth

    size = len(query.keys) + len(query.figures)
    visible: list[int] = []
    for old in range(size) if query.shown is None else query.shown:
        visible.extend(range(place, place + len(new)) if old == place else (moved(old),))
    return replace(
        _outputs_moved(query, moved),
        keys=keys,
        shown=None if visible == list(range(len(keys) + len(query.figures))) else tuple(visible),
    )


def _outputs_moved(query: al.Grouped, shift: Callable[[int], int]) -> al.Grouped:
    """A query whose outputs stand at other places, wherever it speaks of them."""

    def change(value: Any) -> Any:
        match value:
            case al.Output():
                return al.Output(shift(value.place))
            case al.Share():
                return replace(value, within=tuple(map(shift, value.within)))
            case al.Window():
                return replace(value, within=tuple(map(shift, value.within)), along=shift(value.along))
            case _:
                return value

    limit = replace(query.limit, within=tuple(map(shift, query.limit.within))) if query.limit else None
    return replace(
        query,
        figures=al.mapped(query.figures, change),
        having=al.mapped(query.having, change),
        order=tuple(replace(o, place=shift(o.place)) for o in query.order),
        limit=limit,
    )


# --- conditions in one place ---


def _hoisted(value: Any) -> Any:
    """A condition that every figure has is one of the rows."""
    if not isinstance(value, al.Grouped) or not isinstance(value.of, al.Rows):
        return value
    leaves = [part for part in al.here(value.figures) if isinstance(part, al.Leaf)]
    condition_lists = [al.conditions_of(leaf.where) for leaf in leaves]
    shared = [c for c in condition_lists[0] if all(c in own for own in condition_lists)] if condition_lists else []
    if not shared or any(leaf.of is not None for leaf in leaves):
        return value

    def without(part: Any) -> Any:
        if not isinstance(part, al.Leaf):
            return part
        return replace(part, where=al.both(*(c for c in al.conditions_of(part.where) if c not in shared)))

    rows = replace(value.of, where=al.both(value.of.where, *shared))
    return replace(value, figures=al.mapped(value.figures, without), of=rows)


def _once(query: al.Query) -> al.Query:
    """A query without figures that it has twice."""
    if not isinstance(query, al.Grouped):
        return query
    figures = tuple(dict.fromkeys(query.figures))
    if len(figures) == len(query.figures) or query.shown is not None or query.having != al.NO_FILTER:
        return query
    size = len(query.keys)
    place = {i: size + figures.index(figure) for i, figure in enumerate(query.figures, size)}
    order = tuple(replace(o, place=place.get(o.place, o.place)) for o in query.order)
    return replace(query, figures=figures, order=order)


def _with_reason(query: al.Query) -> al.Query:
    """What decides which groups come first is shown with them."""
    if not isinstance(query, al.Grouped) or query.limit is None or query.shown is None:
        return query
    unseen = [o.place for o in query.order if o.place not in query.shown and o.place >= len(query.keys)]
    return replace(query, shown=(*query.shown, *unseen)) if unseen else query


def _counted(value: Any, schema: Schema) -> Any:
    """How many different keys a table's own rows have is how many rows there are."""
    if not isinstance(value, al.Grouped) or not isinstance(value.of, al.Rows):
        return value
    grain = schema.tables[value.of.table].grain

    def plain(part: Any) -> Any:
        is_rows = isinstance(part, al.Aggregate) and part.function == "distinct" and grain == (part.term,)
        return al.Count(part.where, part.of) if is_rows and part.of is None else part

    return replace(value, figures=al.mapped(value.figures, plain))


def _speaks_of(query: al.Query, rule: StandingRule) -> bool:
    """Whether a query has a condition of its own on what a rule is about, or the rule already, in all its figures."""
    inside = list(al.parts(query))
    plain = any(
        isinstance(part, al.Leaf) and not isinstance(part, al.Metric) for part in inside
    )  # a count beside metrics
    readers = (part for part in inside if isinstance(part, al.Rows | al.Groups | al.Leaf))
    conditions = tuple(
        part.where for part in readers if not (plain and isinstance(part, al.Metric) and part.where == rule.condition)
    )
    keys = tuple(part.keys for part in inside if isinstance(part, al.Grouped))
    own = {part for part in al.parts((conditions, keys)) if isinstance(part, al.Column)}
    return not own.isdisjoint(rule.condition.columns)


def _ruled(value: Any, rule: StandingRule, schema: Schema) -> Any:
    """Rows that a rule holds for, without those that it leaves out."""
    if not isinstance(value, al.Rows) or value.table not in rule.tables:
        return value
    if not all(schema.reaches_one(value.table, column.table) for column in rule.condition.columns):
        return value
    return replace(value, where=al.both(value.where, rule.condition))


def alike(left_query: al.Query, right_query: al.Query) -> bool:
    """Whether two queries differ in nothing but how much they show of the same rows or groups."""
    if isinstance(left_query, al.Grouped) and isinstance(right_query, al.Grouped):
        return replace(left_query, shown=None) == replace(right_query, shown=None)
    if isinstance(left_query, al.Listing) and isinstance(right_query, al.Listing):
        first, second = set(left_query.outputs), set(right_query.outputs)
        return (left_query.of, left_query.limit, _order_of(left_query)) == (
            right_query.of,
            right_query.limit,
            _order_of(right_query),
        ) and (first <= second or second <= first)
    return left_query == right_query


def _order_of(query: al.Listing) -> tuple[tuple[al.Term, bool], ...]:
    return tuple((query.outputs[o.place], o.descending) for o in query.order)
