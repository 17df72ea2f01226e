"""The conditions of a follow-up: they replace, narrow or add to those of the meaning before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted, Wanted
from assistant.embedded.dialogue.ordering import alike, figures_of, gives_way, kind
from assistant.embedded.dialogue.signs import Wish
from assistant.embedded.linking.naming import equality
from assistant.embedded.source.schema import Attribute

if TYPE_CHECKING:
    from knowledge.documents import Term


_DENIED = re.compile(r"NOT [\"`]?(?P<column>\w+)[\"`]? = (?:'[^']*'|\w+)")


def conditions(change: Draft, draft: Draft, wish: Wish) -> None:
    """Add the conditions that are named to those before, in the place of those that speak of the same.

    Raises:
        Misfit: they hold already, or would leave nothing.
    """
    if wish.includes:
        _include(change, draft)
        return
    for wanted in change.filters:
        draft.filters = _without_replaced(draft, change, wanted, wish)
    for wanted in change.filters:
        if not _taken_out(draft, wanted):
            draft.filters.append(wanted)
    _terms(change, draft, wish)
    draft.related = [r for r in draft.related if not any(_same_rows(r, other) for other in change.related)]
    draft.related += change.related
    draft.compared = [c for c in draft.compared if not any(c.attribute == o.attribute for o in change.compared)]
    draft.compared += change.compared
    if change.having:
        figures = figures_of(draft)
        for wanted, operator, value in change.having:
            twin = next((w for w in figures if alike(w, wanted)), None)
            if twin is None:
                wanted.context = True
            draft.having = [h for h in draft.having if not (h[0] == (twin or wanted) and h[1] == operator)]
            draft.having.append((twin or wanted, operator, value))


def _terms(change: Draft, draft: Draft, wish: Wish) -> None:
    """The company's words for rows: one takes the place of its opposite, and of what says the same column otherwise."""
    columns = [f.attribute for f in change.filters if f.operator == "="]
    columns += [a for term, _ in change.terms if (a := _column_of(draft, term)) is not None]
    if not wish.also:
        draft.terms = [t for t in draft.terms if _column_of(draft, t[0]) not in columns]
        told = [_column_of(draft, term) for term, _ in change.terms]
        draft.filters = [f for f in draft.filters if f.operator != "=" or f.attribute not in told]
    if wish.adds or wish.swaps or wish.instead:
        named = {f.attribute.table for f in change.filters if f.operator == "="}
        swapped = [t for t in draft.terms if t[0].table in named and not t[1]]
        if swapped and draft.choose("instead of what they were called", 2) == 0:
            draft.terms = [t for t in draft.terms if t not in swapped]  # "and closed ones?" after open tickets
    if wish.adds or wish.swaps or wish.instead:
        kinds = {term.table for term, denied in change.terms if not denied}
        draft.terms = [t for t in draft.terms if t[0].table not in kinds]
    draft.terms = [t for t in draft.terms if (t[0], not t[1]) not in change.terms]
    draft.terms += [t for t in change.terms if t not in draft.terms]


def _column_of(draft: Draft, term: Term) -> Attribute | None:
    """The column of a term that only says which value it has, or that a flag does not apply."""
    sql = (term.sql or "").strip()
    said = equality(sql)
    denied = _DENIED.fullmatch(sql)
    name = said[0] if said else denied["column"] if denied else None
    return draft.schema.find(term.table or "", name) if name else None


def _include(change: Draft, draft: Draft) -> None:
    """ "include the cancelled ones": no longer left out; where nothing left them out they are there already."""
    for wanted in change.filters:
        own = [f for f in draft.filters if f.attribute == wanted.attribute]
        denied = [f for f in own if kind(f.operator) == "!=" and set(wanted.values) & set(f.values)]
        if denied:
            draft.filters = [f for f in draft.filters if f not in denied]
            left = [replace(f, operator="!=", values=(v,)) for f in denied for v in f.values if v not in wanted.values]
            draft.filters += left
        elif any(kind(f.operator) == "=" for f in own):
            draft.filters.append(wanted)
        else:
            raise Misfit("They are included already; say “only …” to see them alone.", weight=8)
    for term, denied_before in change.terms:
        if (term, not denied_before) not in draft.terms:
            raise Misfit("They are included already; say “only …” to see them alone.", weight=8)
        draft.terms.remove((term, not denied_before))


def counted_kind(change: Draft, draft: Draft, wish: Wish) -> None:
    """ "and churned customers?" after a metric that counts customers: these are counted in the place of those."""
    figures = figures_of(draft)
    terms = [term for term, denied in change.terms if not denied]
    if len(figures) != 1 or len(terms) != 1 or change.wanted or not (wish.adds or wish.swaps or wish.instead):
        return
    metric, entity = figures[0].metric, draft.schema.find_entity(terms[0].table or "")
    if metric is None or entity is None or draft.schema.find_entity(metric.table) != entity or draft.having:
        return
    if metric.expression.upper().startswith("COUNT("):
        wish_figure = Wanted(aggregate="count", entity=entity)
        draft.order = [(wish_figure if isinstance(t, Wanted) else t, down) for t, down in draft.order]
        draft.wanted = [wish_figure]


def _same_rows(one: RelatedWanted, other: RelatedWanted) -> bool:
    return one.entity == other.entity and (one.count > 0) == (other.count > 0)


def _without_replaced(draft: Draft, change: Draft, wanted: FilterWanted, wish: Wish) -> list[FilterWanted]:
    """The conditions before, without those in whose place the new one stands."""
    own = [f for f in draft.filters if f.attribute == wanted.attribute]
    if wanted.operator == "!=":
        return list(draft.filters)  # what is left out adds to what was left out before
    if wanted.operator == "=" and _is_added(draft, wanted, wish):
        return [f for f in draft.filters if f not in own or f.operator in ("=", "in")]
    if wanted.operator == "=":
        return [f for f in draft.filters if f not in own or kind(f.operator) not in ("=", "!=")]
    return [f for f in draft.filters if f not in own or not gives_way(f, wanted)]


def _is_added(draft: Draft, wanted: FilterWanted, wish: Wish) -> bool:
    """ "the west too": beside the values before; "and the west?" where each of them is shown by itself."""
    if wish.also:
        return True
    entity = draft.entity_of(wanted.attribute)
    shown = wanted.attribute in draft.groups or (entity in draft.groups and wanted.attribute.name in entity.label)
    return wish.adds and shown


def _taken_out(draft: Draft, wanted: FilterWanted) -> bool:
    """ "without the north" after "only the north and the south": one value less."""
    if wanted.operator != "!=":
        return False
    own = [f for f in draft.filters if f.attribute == wanted.attribute and f.operator in ("=", "in")]
    values = [v for f in own for v in f.values]
    if not set(wanted.values) & set(values):
        return False
    kept = [v for v in values if v not in wanted.values]
    if not kept:
        raise Misfit(f"Without {wanted.values[0]} nothing would be left.", weight=7)
    draft.filters = [f for f in draft.filters if f not in own]
    draft.filters += [replace(own[0], operator="=", values=(value,)) for value in kept]
    return True
