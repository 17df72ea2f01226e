"""What hours come to, which nobody defined: hours times the hourly rate of a time sheet, of those that are billed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.definitions.money import WORDS, words_of
from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import literal, written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_HOUR, _RATE, _BILLED = stem("hour"), stem("rate"), stem("billable")
_PRICED = frozenset((_RATE, stem("price")))
_SURE = 0.88


def billed(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """The revenue that hours bring, and how sure its words mean it; none where anything else is known to be revenue."""
    words = {word for name in ("revenue", *WORDS) for word in name_stems(name)}
    said = words_of(metrics)
    if words & (said | {word for attribute in schema.attributes if attribute.is_number for word in attribute.stems}):
        return ()
    found = [(e, *pair) for e in schema.entities.values() if (pair := _hours_and_rate(e)) is not None]
    return ((_metric(schema, *found[0]), _SURE),) if len(found) == 1 else ()


def _hours_and_rate(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """The one column of hours that add up, and the one that says what an hour costs."""
    numbers = [a for a in entity.attributes.values() if a.is_number]
    rates = [a for a in numbers if _is_hourly(a)]
    hours = [a for a in numbers if a.adds_up and _HOUR in a.own and a not in rates]
    return (hours[0], rates[0]) if len(hours) == len(rates) == 1 else None


def _is_hourly(attribute: Attribute) -> bool:
    return bool(_PRICED & set(attribute.own)) and any(word.startswith(_HOUR) for word in attribute.own)


def _metric(schema: Schema, entity: Entity, hours: Attribute, rate: Attribute) -> Metric:
    from knowledge.documents import Metric

    product = " * ".join(written(a.name, schema.dialect) for a in (hours, rate))
    flags = [a for a in entity.attributes.values() if a.role == "flag" and _BILLED in a.own]
    only = flags[0] if len(flags) == 1 else None
    if only is not None:
        product = (
            f"CASE WHEN {written(only.name, schema.dialect)} = {literal(only.true_value)} THEN {product} ELSE 0 END"
        )
    date = day_for(schema, entity)
    return Metric(
        name="revenue",
        synonyms=(*WORDS, "billings", "fees"),
        definition=f"{hours.words} times {rate.words}" + (f", where {only.words}" if only is not None else ""),
        expression=f"SUM({product})",
        table=entity.name,
        date_column=f"{date.table}.{date.name}" if date is not None else None,
    )
