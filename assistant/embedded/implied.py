"""Clauses about figures that are not asked for outright: a bare number beside a group, "in total", "and the count"."""

from __future__ import annotations

from assistant.embedded.draft import Draft, Wanted
from assistant.embedded.linking import ToColumn
from assistant.embedded.meaning import Aggregate
from assistant.embedded.schema import Attribute, Entity


def repeated(draft: Draft) -> None:
    """Words that say again what is asked: "how many are there in total", "how much did each customer spend"."""
    if any(w.metric for w in draft.wanted):
        draft.use(*(i for i, _ in draft.cues("how_much")))
    counted = any(w.aggregate in ("count", "distinct") for w in draft.wanted)
    for i, cue in draft.cues("sum", "count", "group"):
        before = draft.pieces[i - 1].span.text.lower() if i else ""
        last = draft.after(i, plain_max=1) is None
        total = cue.kind == "sum" and counted and before == "in"
        count = cue.kind == "count" and last and before in ("and", "the") and (counted or bool(draft.groups))
        each = cue.argument == "each" and last and counted and bool(draft.groups)
        if total or count or each:
            draft.use(i)


def of_all(draft: Draft) -> None:
    """ "the highest and lowest price for each product", where every row is a product: over all of them."""
    tables = {w.attribute.table for w in draft.wanted if w.attribute and w.aggregate in _OF_MANY and not w.until}
    if len(tables) != 1 or len(draft.groups) != 1 or draft.order or not all(w.attribute for w in draft.wanted):
        return
    group = draft.groups[0]
    beside = any(isinstance(p.option, ToColumn) and not p.used for p in draft.pieces)
    if isinstance(group, Entity) and group.name in tables and not (beside or draft.grains or draft.parts):
        draft.groups.clear()


_OF_MANY = ("average", "minimum", "maximum")


def counted(draft: Draft) -> None:
    """ "How many were created by Andy?": what the conditions speak of is counted where nothing else can be."""
    if draft.wanted or draft.shown or draft.groups or draft.ranked or not draft.filters:
        return
    for i, _ in draft.cues("count")[:1]:
        draft.use(i)
        entity = draft.subject or draft.entity_of(draft.filters[0].attribute)
        draft.wanted.append(Wanted(aggregate="count", entity=entity))
        draft.subject = None
        draft.penalty += _UNNAMED


_UNNAMED = 0.1
"""What it costs to count rows whose name was not understood."""


def implied(draft: Draft) -> None:
    """A number column next to groups or other figures is a figure too: "freight by country", "quantity per month"."""
    if not (draft.groups or draft.grains or draft.wanted or draft.share):
        return
    if draft.wanted and not draft.groups and not draft.grains:
        return
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToColumn) or not piece.option.attribute.is_number:
            continue
        attribute = piece.option.attribute
        if any(w.attribute == attribute for w in draft.wanted):
            draft.use(i)
            continue
        if _one_per_group(draft, attribute):
            continue
        draft.use(i)
        if attribute.adds_up:
            draft.assumptions.append(f"“{attribute.words}” is added up")
            draft.wanted.append(Wanted(aggregate="sum", attribute=attribute))
        else:
            chosen = draft.choose(f"aggregate of {attribute.name}", len(_LIKELY))
            aggregate = _LIKELY[chosen]
            draft.penalty += _LESS_LIKELY * chosen
            draft.assumptions.append(f"“{attribute.words}” stands for its {aggregate}")
            draft.wanted.append(Wanted(aggregate=aggregate, attribute=attribute))


_LESS_LIKELY = 0.01
_LIKELY: tuple[Aggregate, ...] = ("average", "sum", "maximum")
"""What a bare number per group may mean where nothing says that it adds up."""


def _one_per_group(draft: Draft, attribute: Attribute) -> bool:
    """ "the price of each product": one row per product, so nothing is aggregated."""
    own = [g for g in draft.groups if isinstance(g, Entity) and g.name == attribute.table]
    label = [
        g
        for g in draft.groups
        if isinstance(g, Attribute) and g.table == attribute.table and (g.name,) == draft.entity_of(g).label
    ]
    return bool(own or label) and not draft.wanted and not draft.grains
