"""By what the figures of a meaning are ordered: a figure, or one of the groups."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.meaning import Dimension, Order
from assistant.embedded.source.schema import Attribute, Entity


def order(draft: Draft, figures: Sequence[Wanted], dimensions: Sequence[Dimension]) -> tuple[Order, ...]:
    """The order of the draft, each part by the place of its figure or group."""
    orders: list[Order] = []
    for target, descending in draft.order:
        if isinstance(target, Wanted):
            orders.append(Order(by="measure", index=list(figures).index(target), descending=descending))
            continue
        index = _dimension_index(target, dimensions)
        if target is None:
            orders.append(
                Order(by="measure" if not dimensions or descending else "dimension", index=0, descending=descending)
            )
        elif index is not None:
            orders.append(Order(by="dimension", index=index, descending=descending))
        else:
            measure = _measure_index(target, figures)
            if measure is None:
                raise Misfit("I can only order by what is shown.", weight=5)
            orders.append(Order(by="measure", index=measure, descending=descending))
    return tuple(orders)


def _dimension_index(target: Group | None, dimensions: Sequence[Dimension]) -> int | None:
    for i, dimension in enumerate(dimensions):
        if isinstance(target, Entity) and dimension.column.table == target.name:
            return i
        if isinstance(target, Attribute) and (target.table, target.name) == (
            dimension.column.table,
            dimension.column.column,
        ):
            return i
    return None


def _measure_index(target: Group, figures: Sequence[Wanted]) -> int | None:
    if isinstance(target, Attribute):
        return next((i for i, w in enumerate(figures) if w.attribute == target), None)
    return next((i for i, w in enumerate(figures) if w.entity == target), None)
