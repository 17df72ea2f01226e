"""What part of the sales is profit, which nobody defined: the profit margin, where each row tells both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.definitions.money import total_of, words_of
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_PROFIT, _MARGIN = stem("profit"), stem("margin")
_KINDS = frozenset(stem(word) for word in ("gross", "net", "total", "operating", "amount", "usd", "eur"))
_SURE = 0.88


def profit_rates(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """The profit margin, and how sure its words mean it; none where a margin is known or two tables tell both."""
    said = words_of(metrics)
    if _MARGIN in said or any(_MARGIN in attribute.stems for attribute in schema.attributes):
        return ()
    found = [(e, sold, left) for e in schema.entities.values() if (sold := total_of(e)) and (left := profit_of(e))]
    return ((_metric(schema, *found[0]), _SURE),) if len(found) == 1 else ()


def profit_of(entity: Entity) -> Attribute | None:
    """The one column that says what a row left over."""
    found = [
        a for a in entity.attributes.values() if a.adds_up and _PROFIT in a.own and set(a.own) <= {_PROFIT, *_KINDS}
    ]
    return found[0] if len(found) == 1 else None


def _metric(schema: Schema, entity: Entity, sold: Attribute, left: Attribute) -> Metric:
    from knowledge.documents import Metric

    profit, sales = (written(a.name, schema.dialect) for a in (left, sold))
    date = day_for(schema, entity)
    return Metric(
        name="profit margin",
        synonyms=("margin", "profit rate", "profit ratio", "margin percentage", "return on sales", "profitability"),
        definition=f"{left.words} in percent of {sold.words}",
        expression=f"100.0 * SUM({profit}) / NULLIF(SUM({sales}), 0)",
        table=entity.name,
        date_column=f"{date.table}.{date.name}" if date is not None else None,
        unit="percent",
    )
