"""What is left of the sales when their cost is taken off, which nobody defined: gross margin, profit.

Only where the one table of sales says what a row was sold for, and it or the one table behind it says what it cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.definitions.money import product_of, total_of
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema, bare
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_LEFT = ("gross margin", "margin", "gross profit", "profit", "contribution margin", "earnings")
_PARTS = (
    *("margin percentage", "gross margin percentage", "margin in percent", "margin rate", "profit margin"),
    *("gross margin rate", "percentage margin", "profit margin percentage"),
)
_KNOWN = frozenset(stem(word) for word in ("margin", "profit"))
_COST = stem("cost")
_NO_COST = frozenset(stem(word) for word in ("shipping", "freight", "delivery", "center", "centre"))
_EACH = frozenset(stem(word) for word in ("unit", "price", "standard", "each", "per"))
_ALL = frozenset(stem(word) for word in ("amount", "total", "line", "extended"))
_SURE = 0.88


def margins(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """The margin and its part of the sales, with how sure the words mean them; none where anything is called so."""
    said = {word for m in metrics for name in (m.name, *m.synonyms) for word in name_stems(name)}
    if _KNOWN & (said | {word for attribute in schema.attributes for word in attribute.stems}):
        return ()
    found = [(e, sold, cost) for e in schema.entities.values() for sold, cost in _sold_and_cost(schema, e)]
    if len(found) != 1:
        return ()
    entity, sold, (cost, beyond) = found[0]
    meant = f"what the {entity.many} came to less their cost"
    left, part = f"SUM({sold} - {cost})", f"100.0 * SUM({sold} - {cost}) / NULLIF(SUM({sold}), 0)"
    joins = (beyond.name,) if beyond is not None else ()
    return tuple(
        (replace(_metric(schema, entity, names, meant + over, expression), joins=joins), _SURE)
        for names, over, expression in ((_LEFT, "", left), (_PARTS, ", in percent of it", part))
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
    own = _costs(entity)
    if len(own) == 1:
        column = written(own[0].name, schema.dialect)
        each = bool(count) and _is_each(own[0], entity)
        return [(sold, (f"{column} * {count}" if each else column, None))]
    near = [schema.entities[edge.right] for edge in schema.edges.get(entity.name, ()) if not edge.many]
    behind = [(other, costs[0]) for other in near if len(costs := _costs(other)) == 1]
    if own or len(behind) != 1 or not count:
        return []
    other, cost = behind[0]
    column = f"{written(bare(other.name), schema.dialect)}.{written(cost.name, schema.dialect)}"
    return [(sold, (f"{column} * {count}", other))]


def _costs(entity: Entity) -> list[Attribute]:
    numbers = [a for a in entity.attributes.values() if a.is_number]
    return [a for a in numbers if _COST in a.own and not _NO_COST & set(a.own)]


def _is_each(cost: Attribute, entity: Entity) -> bool:
    """Whether a cost is that of one piece: by its name, or by being no higher than the price of one."""
    if _ALL & set(cost.own):
        return False
    if _EACH & set(cost.own):
        return True
    prices = [a for a in entity.attributes.values() if a.is_number and "price" in a.stems]
    highs = [a.column.profile.high if a.column.profile else None for a in (cost, *prices[:1])]
    return len(highs) > 1 and all(isinstance(high, int | float) for high in highs) and highs[0] <= highs[1]  # pyright: ignore[reportOperatorIssue]
