"""How old rows are that begin and may end, tickets or stores: nobody defines it, and everybody knows what it is.

What has ended is as old as it became, all other rows count until today.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.clauses.naming.moments import lasting_of
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.sql.temporal import days_between
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SURE = 0.86


def average_open_times(schema: Schema, metrics: Sequence[Metric], today: date) -> tuple[tuple[Metric, float], ...]:
    """A metric for each table whose rows begin on one date and end on another, if at all."""
    said = {word for metric in metrics for name in (metric.name, *metric.synonyms) for word in name_stems(name)}
    if stem("age") in said:
        return ()
    found = [(entity, spell) for entity in schema.entities.values() if (spell := _spell(entity)) is not None]
    return tuple((_metric(schema, entity, *spell, today), _SURE) for entity, spell in found)


def _spell(entity: Entity) -> tuple[Attribute, Attribute] | None:
    """Where some rows have not ended yet, and no column says how old they are."""
    spell = None if is_person(entity) or entity.nameless else lasting_of(entity)
    if spell is None or any(stem("age") in a.own for a in entity.attributes.values()):
        return None
    start, end = spell
    profile = end.column.profile
    return spell if start.role == "date" and profile is not None and profile.nulls else None


def _metric(schema: Schema, entity: Entity, start: Attribute, end: Attribute, today: date) -> Metric:
    from sqlglot import exp, parse_one

    from knowledge.documents import Metric

    begun, ended = (parse_one(written(a.name, schema.dialect), read=schema.dialect) for a in (start, end))
    assert isinstance(begun, exp.Expr), "a column"
    until = exp.Coalesce(this=ended, expressions=[exp.Literal.string(today.isoformat())])
    days = days_between(begun, until, schema.dialect).sql(dialect=schema.dialect)
    return Metric(
        name=f"average age of {entity.many}",
        synonyms=("average age", "mean age", f"average {entity.one} age", f"average {entity.stems[-1]} age"),
        definition=f"the average of the days from {start.words} to {end.words}, or to {today.isoformat()} without one",
        expression=f"AVG({days})",
        table=entity.name,
        unit_symbol="days",
    )
