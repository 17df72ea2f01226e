"""What the stock is worth, which nobody defined: how many pieces there are times what one of them cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.definitions.margins import costs_of
from assistant.embedded.source.schema import Attribute, Entity, Schema, bare
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_NAMES = ("stock value", "inventory value", "value of the stock", "value of stock", "value of inventory", "stock worth")
_STOCK = frozenset(stem(word) for word in ("stock", "inventory"))
_PRICE = stem("price")
_SURE = 0.88


def stock_values(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for the one table that holds both, with how sure the words mean it; none where one is called so."""
    from knowledge.documents import Metric

    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    said |= {attribute.stems for attribute in schema.attributes}
    if said & {name_stems(name) for name in _NAMES}:
        return ()
    found = [(e, held, worth) for e in schema.entities.values() for held, worth in _held(e, schema)]
    found = [item for item in found if item[0].stems[-1] in _STOCK] or found
    if len(found) != 1:
        return ()
    entity, held, worth = found[0]
    beyond = worth.table != entity.name
    cost = f"{written(bare(worth.table), schema.dialect)}." if beyond else ""
    product = f"{written(held.name, schema.dialect)} * {cost}{written(worth.name, schema.dialect)}"
    metric = Metric(
        name=_NAMES[0],
        synonyms=_NAMES[1:],
        definition=f"{held.words} times {worth.words} of the {entity.many}",
        expression=f"SUM({product})",
        table=entity.name,
        joins=(worth.table,) if beyond else (),
    )
    return ((metric, _SURE),)


def _held(entity: Entity, schema: Schema) -> list[tuple[Attribute, Attribute]]:
    """The number of pieces in stock, and what one of them cost, or its price where no cost is known.

    Rows of a table of stock may leave the cost to the item that they refer to.
    """
    numbers = [a for a in entity.attributes.values() if a.is_number]
    stocks = [a for a in numbers if _STOCK & set(a.stems) and not _BOUNDS & set(a.stems)]
    if _STOCK & set(entity.stems[-1:]):
        stocks = [a for a in numbers if "quantity" in a.own or stem("hand") in a.own] or stocks
    costs = _costs(entity)
    if not costs and len(stocks) == 1:
        near = [schema.entities[edge.right] for edge in schema.edges.get(entity.name, ()) if not edge.many]
        behind = [found for other in near if (found := _costs(other))]
        costs = behind[0] if len(behind) == 1 else []
    return [(stocks[0], costs[0])] if len(stocks) == len(costs) == 1 else []


def _costs(entity: Entity) -> list[Attribute]:
    numbers = [a for a in entity.attributes.values() if a.is_number]
    return costs_of(entity) or [a for a in numbers if _PRICE in a.own]


_BOUNDS = frozenset(stem(word) for word in ("minimum", "maximum", "safety", "reorder", "target", "level"))
"""What says how much stock there should be, not how much there is."""
