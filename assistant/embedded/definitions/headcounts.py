"""The headcount, which nobody defines: those who work here, without those who left where a date tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.linking.naming import LEAVING
from assistant.embedded.source.schema import Attribute, Entity, Schema, works
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems

if TYPE_CHECKING:
    from knowledge.documents import Metric

_WORDS = ("headcount", "head count", "number of staff", "staff count")
_SURE = 0.9


def headcounts(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for the one table of employees, with how sure the words mean it; none where a column is called so."""
    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    held = {a.stems for a in schema.attributes}
    working = [entity for entity in schema.entities.values() if works(entity)]
    if len(working) != 1 or name_stems(_WORDS[0]) in said | held:
        return ()
    return ((_metric(schema, working[0]), _SURE),)


def _metric(schema: Schema, entity: Entity) -> Metric:
    from knowledge.documents import Metric

    left = left_on(entity)
    column = f"{entity.name.rpartition('.')[2]}.{written(left.name, schema.dialect)}" if left is not None else ""
    return Metric(
        name=_WORDS[0],
        synonyms=_WORDS[1:],
        definition=f"the number of {entity.many}" + (f" without a {left.words}" if left is not None else ""),
        expression="COUNT(*)",
        table=entity.name,
        filters=(f"{column} IS NULL",) if left is not None else (),
    )


def left_on(entity: Entity) -> Attribute | None:
    """The day on which somebody left, if there is one."""
    return next((a for a in entity.attributes.values() if a.role == "date" and LEAVING & set(a.own)), None)
