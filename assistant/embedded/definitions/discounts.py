"""What was given away in discounts, which nobody defines: the part of price times quantity that the lines took off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.embedded.definitions.money import off_of
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.words.lexicon import name_stems

if TYPE_CHECKING:
    from knowledge.documents import Metric

_WORDS = (
    "total discount",
    "total discounts",
    "discount given",
    "discounts given",
    "discount amount",
    "sum of discounts",
)
_SURE = 0.9


def discounts_given(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for the one table of lines with a discount on a price, with how sure the words mean it."""
    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    words = tuple(word for word in _WORDS if name_stems(word) not in said)
    found = [(e, off) for e in schema.entities.values() if (off := off_of(schema, e))]
    if len(found) != 1 or len(words) < len(_WORDS):
        return ()
    made = _metric(schema, *found[0])
    told = next((m for m in metrics if m.table == made.table and m.filters and "discount" in m.expression), None)
    if told is not None:  # as revenue is counted: of the same sales, by the same day
        made = replace(made, filters=told.filters, joins=told.joins, date_column=told.date_column)
        made = replace(made, unit=told.unit, unit_symbol=told.unit_symbol)
    return ((made, _SURE),)


def _metric(schema: Schema, entity: Entity, off: str) -> Metric:
    from knowledge.documents import Metric

    day = day_for(schema, entity)
    return Metric(
        name="discounts given",
        synonyms=tuple(word for word in _WORDS if word != "discounts given"),
        definition=f"price times quantity times the discount of the {entity.many}",
        expression=f"SUM({off})",
        table=entity.name,
        joins=(day.table,) if day is not None and day.table != entity.name else (),
        date_column=f"{day.table}.{day.name}" if day is not None else None,
    )
