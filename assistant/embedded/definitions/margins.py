"""What is left of the sales when their cost is taken off, which nobody defined: gross margin, profit.

Only where the one table of sales says what a row was sold for, and it or the one table behind it says what it cost.
Where things have a price and a cost of their own, what each of them brings is known as well: its markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.definitions.money import product_of, total_of, words_of
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema, bare
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_LEFT = ("gross margin", "margin", "gross profit", "profit", "contribution margin", "earnings")
_PARTS = (
    *("margin percentage", "gross margin percentage", "margin in percent", "margin rate", "profit margin"),
    *("gross margin rate", "percentage margin", "profit margin percentage"),
)
_KNOWN = frozenset(stem(word) for word in ("margin", "profit"))
_COST, _PRICE = stem("cost"), stem("price")
_NO_COST = frozenset(stem(word) for word in ("shipping", "freight", "delivery", "center", "centre"))
_EACH = frozenset(stem(word) for word in ("unit", "price", "standard", "each", "per"))
_ALL = frozenset(stem(word) for word in ("amount", "total", "line", "extended"))
_SURE = 0.88
_EACH_LEFT = ("margin per unit", "unit margin", "markup", "mark up", "margin per piece", "profit per unit")
_MADE = ("do we make on", "we make on", "do we earn on", "we earn on", "do we make with", "do we earn with")
_MADE_SURE = 0.95
"""How sure such words are, which hardly say anything else."""
_BOUGHT = frozenset(stem(word) for word in ("purchase", "buy", "buying", "wholesale", "acquisition", "procurement"))


def margins(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """The margin and its part of the sales, with how sure the words mean them; none where anything is called so."""
    said = words_of(metrics)
    if _KNOWN & (said | {word for attribute in schema.attributes for word in attribute.stems}):
        return ()
    found = [(e, sold, cost) for e in schema.entities.values() for sold, cost in _sold_and_cost(schema, e)]
    each = _of_each(schema)
    if len(found) != 1:
        return each if not found else ()
    entity, sold, (cost, beyond) = found[0]
    meant = f"what the {entity.many} came to less their cost"
    left, part = f"SUM({sold} - {cost})", f"100.0 * SUM({sold} - {cost}) / NULLIF(SUM({sold}), 0)"
    joins = (beyond.name,) if beyond is not None else ()
    of_sales = tuple(
        (replace(_metric(schema, entity, names, meant + over, expression), joins=joins), _SURE)
        for names, over, expression in ((_LEFT, "", left), (_PARTS, ", in percent of it", part))
    )
    return (*of_sales, *(guess for guess in each if guess[0].name != _LEFT[0]))


def _of_each(schema: Schema) -> tuple[tuple[Metric, float], ...]:
    """The average of price less cost, where the rows of one table have both; of a single row it is its own."""
    found: list[tuple[Entity, Attribute, Attribute]] = []
    for entity in schema.entities.values():
        numbers, costs = [a for a in entity.attributes.values() if a.is_number], costs_of(entity)
        prices = [a for a in numbers if _PRICE in a.stems and a not in costs]
        if len(costs) == len(prices) == 1 and not any("quantity" in a.own for a in numbers):
            found.append((entity, prices[0], costs[0]))
    if len(found) != 1:
        return ()
    entity, price, cost = found[0]
    left = " - ".join(written(a.name, schema.dialect) for a in (price, cost))
    meant = f"{price.words} less {cost.words} of {entity.many}, on average"
    made = _metric(schema, entity, _EACH_LEFT, meant, f"AVG({left})")
    share = f"100.0 * AVG({left}) / NULLIF(AVG({written(price.name, schema.dialect)}), 0)"
    return (
        (made, _SURE),
        (replace(made, synonyms=_MADE), _MADE_SURE),
        (replace(_metric(schema, entity, _LEFT, meant, f"AVG({left})"), unit="currency"), _SURE),
        (_metric(schema, entity, _PARTS, f"{meant}, in percent of the price", share), _SURE),
    )


def _metric(schema: Schema, entity: Entity, names: Sequence[str], meant: str, expression: str) -> Metric:
    from knowledge.documents import Metric

    date = day_for(schema, entity)
    return Metric(
        name=names[0],
        synonyms=tuple(names[1:]),
        definition=meant,
        expression=expression,
        table=entity.name,
        date_column=f"{date.table}.{date.name}" if date is not None else None,
    )


def _sold_and_cost(schema: Schema, entity: Entity) -> list[tuple[str, tuple[str, Entity | None]]]:
    """What a row was sold for and what it cost, each as SQL, with the table of the cost if it is another one."""
    product, total = product_of(schema, entity), total_of(entity)
    sold = written(total.name, schema.dialect) if total is not None else product
    quantities = [a for a in entity.attributes.values() if "quantity" in a.own and a.adds_up]
    if not sold or day_for(schema, entity) is None:
        return []
    count = written(quantities[0].name, schema.dialect) if len(quantities) == 1 else ""
    own = costs_of(entity)
    if len(own) == 1:
        column = written(own[0].name, schema.dialect)
        each = bool(count) and _is_each(own[0], entity)
        return [(sold, (f"{column} * {count}" if each else column, None))]
    near = [schema.entities[edge.right] for edge in schema.edges.get(entity.name, ()) if not edge.many]
    behind = [(other, costs[0]) for other in near if len(costs := costs_of(other)) == 1]
    if own or len(behind) != 1 or not count:
        return []
    other, cost = behind[0]
    column = f"{written(bare(other.name), schema.dialect)}.{written(cost.name, schema.dialect)}"
    return [(sold, (f"{column} * {count}", other))]


def costs_of(entity: Entity) -> list[Attribute]:
    """The numbers that say what a row, or a piece of it, cost the business."""
    numbers = [a for a in entity.attributes.values() if a.is_number]
    bought = [a for a in numbers if _PRICE in a.stems and _BOUGHT & set(a.stems)]
    return bought or [a for a in numbers if _COST in a.own and not _NO_COST & set(a.own)]


def _is_each(cost: Attribute, entity: Entity) -> bool:
    """Whether a cost is that of one piece: by its name, or by being no higher than the price of one."""
    if _ALL & set(cost.own):
        return False
    if _EACH & set(cost.own):
        return True
    prices = [a for a in entity.attributes.values() if a.is_number and _PRICE in a.stems]
    highs = [a.column.profile.high if a.column.profile else None for a in (cost, *prices[:1])]
    return len(highs) > 1 and all(isinstance(high, int | float) for high in highs) and highs[0] <= highs[1]  # pyright: ignore[reportOperatorIssue]
