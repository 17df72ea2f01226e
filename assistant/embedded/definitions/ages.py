"""The average age, where only a date of birth is known: nobody defines it, and everybody knows what it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import is_birth
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.sql.temporal import days_between
from assistant.embedded.words.lexicon import name_stems

if TYPE_CHECKING:
    from knowledge.documents import Metric

_DAYS_A_YEAR = 365.25
_SURE = 0.9


def average_ages(schema: Schema, metrics: Sequence[Metric], today: date) -> tuple[tuple[Metric, float], ...]:
    """A metric for each table whose rows have one date of birth and no age, with how sure the words mean it."""
    defined = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    if ("averag", "age") in defined or ("average", "age") in defined:
        return ()
    found = [(entity, born) for entity in schema.entities.values() if (born := _born(entity)) is not None]
    return tuple((_metric(schema, entity, born, today), _SURE) for entity, born in found)


def _born(entity: Entity) -> Attribute | None:
    if any("age" in a.own and a.is_number for a in entity.attributes.values()):
        return None
    dates = [a for a in entity.attributes.values() if a.role == "date" and is_birth(a.name)]
    return dates[0] if len(dates) == 1 else None


def _metric(schema: Schema, entity: Entity, born: Attribute, today: date) -> Metric:
    from sqlglot import exp, parse_one

    from knowledge.documents import Metric

    column = parse_one(written(born.name, schema.dialect), read=schema.dialect)
    assert isinstance(column, exp.Expr)
    days = days_between(column, exp.Literal.string(today.isoformat()), schema.dialect).sql(dialect=schema.dialect)
    return Metric(
        name="average age" if entity.one == "row" else f"average age of {entity.many}",
        synonyms=("average age", "mean age", f"average {entity.one} age", f"average age of the {entity.many}"),
        definition=f"the average of the years from {born.words} to {today.isoformat()}",
        expression=f"AVG(({days}) / {_DAYS_A_YEAR})",
        table=entity.name,
        unit_symbol="years",
    )
