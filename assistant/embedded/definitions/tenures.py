"""The average tenure, where only the days of coming and leaving are known: nobody defines it.

Of those who left it lasts until they did, of all others until today.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.definitions.headcounts import left_on
from assistant.embedded.linking.persons import is_person
from assistant.embedded.source.dating import is_birth, likeliest_date
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.sql.temporal import days_between
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_WORDS = ("tenure", "length of service", "time with the company", "time with us")
_DAYS_A_YEAR = 365.25
_SURE = 0.88


def average_tenures(schema: Schema, metrics: Sequence[Metric], today: date) -> tuple[tuple[Metric, float], ...]:
    """A metric for each kind of people with a day since when they are here, with how sure the words mean it."""
    said = {word for metric in metrics for name in (metric.name, *metric.synonyms) for word in name_stems(name)}
    if stem("tenure") in said | {word for attribute in schema.attributes for word in attribute.stems}:
        return ()
    found = [(e, came) for e in schema.entities.values() if is_person(e) and (came := _came(e)) is not None]
    return tuple((_metric(schema, entity, came, today), _SURE) for entity, came in found)


def _came(entity: Entity) -> Attribute | None:
    came = likeliest_date(entity)
    return came if came is not None and came.role == "date" and not is_birth(came.name) else None


def _metric(schema: Schema, entity: Entity, came: Attribute, today: date) -> Metric:
    from sqlglot import exp, parse_one

    from knowledge.documents import Metric

    left = left_on(entity)
    start, end = (
        parse_one(written(a.name, schema.dialect), read=schema.dialect) if a is not None else None for a in (came, left)
    )
    assert isinstance(start, exp.Expr), "a column"
    now = exp.Literal.string(today.isoformat())
    until = exp.Coalesce(this=end, expressions=[now]) if isinstance(end, exp.Expr) else now
    days = days_between(start, until, schema.dialect).sql(dialect=schema.dialect)
    ends = f"{left.words} or " if left is not None else ""
    return Metric(
        name=f"average tenure of {entity.many}",
        synonyms=tuple(
            f"{average} {word}{unit}"
            for average in ("average", "mean")
            for word in (*_WORDS, f"{entity.one} tenure")
            for unit in ("", " in years")
        ),
        definition=f"the average of the years from {came.words} to {ends}{today.isoformat()}",
        expression=f"AVG(({days}) / {_DAYS_A_YEAR})",
        table=entity.name,
        unit_symbol="years",
    )
