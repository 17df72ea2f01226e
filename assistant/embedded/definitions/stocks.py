"""What the stock is worth, which nobody defined: how many pieces there are times what one of them cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_NAMES = ("stock value", "inventory value", "value of the stock", "value of stock", "value of inventory", "stock worth")
_STOCK = frozenset(stem(word) for word in ("stock", "inventory"))
_COST, _PRICE = stem("cost"), stem("price")
_SURE = 0.88


def stock_values(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for the one table that holds both, with how sure the words mean it; none where one is called so."""
    from knowledge.documents import Metric

    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    said |= {attribute.stems for attribute in schema.attributes}
    if said & {name_stems(name) for name in _NAMES}:
        return ()
    found = [(e, held, worth) for e in schema.entities.values() for held, worth in _held(e)]
    if len(found) != 1:
        return ()
    entity, held, worth = found[0]
    product = f"{written(held.name, schema.dialect)} * {written(worth.name, schema.dialect)}"
    metric = Metric(
        name=_NAMES[0],
        synonyms=_NAMES[1:],
        definition=f"{held.words} times {worth.words} of the {entity.many}",
        expression=f"SUM({product})",
        table=entity.name,
    )
    return ((metric, _SURE),)


def _held(entity: Entity) -> list[tuple[Attribute, Attribute]]:
    """The number of pieces in stock, and what one of them cost, or its price where no cost is known."""
    numbers = [a for a in entity.attributes.values() if a.is_number]
    stocks = [a for a in numbers if _STOCK & set(a.stems)]
    costs = [a for a in numbers if _COST in a.own] or [a for a in numbers if _PRICE in a.own]
    return [(stocks[0], costs[0])] if len(stocks) == len(costs) == 1 else []
