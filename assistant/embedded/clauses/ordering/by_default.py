"""What a ranking goes by where no figure is said: "our biggest clients", "top 3 customers in each region".

It is the figure that the business would mean: what was sold, or the one amount of the rows that belong to what is
ranked. It is said as an assumption; where there is no such figure, the question is asked back as before.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToPeriod
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, repeats
from assistant.embedded.source.worth import worth_of

NOTHING_SAID = "for nothing else is said"
"""How the assumption ends; behind another answer its figure is likelier meant."""


def by_default(draft: Draft) -> None:
    """ "top 5 clients", with nothing behind it that says by what."""
    ranked = draft.ranked
    if draft.fragment or ranked is None or draft.order or draft.wanted or not draft.limit:
        return
    plain = (piece for piece in draft.pieces if not isinstance(piece.option, ToPeriod))
    if any(_IN_TIME & set(piece.span.text.lower().split()) for piece in plain):
        return  # "the last 4 orders": the newest
    figure = default_figure(draft, ranked) if isinstance(ranked, Entity) else of_lines(draft, ranked)
    if figure is not None:
        draft.order.append((figure, draft.descending))


_IN_TIME = frozenset(("first", "last"))


def default_figure(draft: Draft, entity: Entity) -> Wanted | None:
    """What the rows of a table are ranked by where nothing else is said; None where no one figure is likeliest."""
    found = _sold(draft, entity) or _amount(draft, entity)
    if found is not None:
        by = found.metric.name if found.metric else f"total {found.attribute.words if found.attribute else ''}"
        draft.assumptions.append(f"{entity.many} are ranked by {by}, {NOTHING_SAID}")
        draft.penalty += _UNSAID
    return found


def of_lines(draft: Draft, ranked: Attribute) -> Wanted | None:
    """What customers or products are ranked by that a file of sales names in its lines: what was sold."""
    metric = draft.sold
    entity = draft.entity_of(ranked)
    if metric is None or metric.table != entity.name or ranked.role not in ("text", "key"):
        return None
    if not repeats(ranked, entity):
        return None
    draft.assumptions.append(f"{ranked.things} are ranked by {metric.name}, {NOTHING_SAID}")
    draft.penalty += _UNSAID
    return Wanted(metric=metric)


_UNSAID = 0.05
"""What it costs to rank by a figure that was not said."""


def _sold(draft: Draft, entity: Entity) -> Wanted | None:
    """The figure of what was sold, by its lines where a whole sale does not belong to one of the rows: a song's."""
    for metric in (draft.sold, draft.sold_by_line):
        sold = draft.schema.find_entity(metric.table) if metric is not None else None
        if sold is not None and sold != entity and _owns(draft, entity, sold):
            return Wanted(metric=metric)
    return None


def _owns(draft: Draft, entity: Entity, rows: Entity) -> bool:
    """Whether each of the rows belongs to one row of a table, over at most three keys."""
    near = {rows.name}
    for _ in range(_AWAY):
        near |= {e.right for name in near for e in draft.schema.edges.get(name, ()) if not e.many}
    return entity.name in near


_AWAY = 3


def _amount(draft: Draft, entity: Entity) -> Wanted | None:
    """The one amount of the rows that belong to what is ranked, where these have a day."""
    children = draft.schema.children(entity)
    worth = [a for e in children if day_for(draft.schema, e) is not None and (a := worth_of(e)) is not None]
    return Wanted(aggregate="sum", attribute=worth[0]) if len(worth) == 1 else None
