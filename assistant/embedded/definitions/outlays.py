"""What was spent, which nobody defines: what the rows of the one table of expenses come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Schema
from assistant.embedded.source.worth import worth_of
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_OUTLAYS = frozenset(stem(word) for word in ("expense", "expenditure", "outlay", "cost", "spending"))
_WORDS = ("spending", "spend")
_SURE = 0.85


def outlays(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for the one table of expenses, with how sure the words mean it; none where one is defined."""
    from knowledge.documents import Metric

    said = {word for metric in metrics for name in (metric.name, *metric.synonyms) for word in name_stems(name)}
    if said & {stem(word) for word in _WORDS}:
        return ()
    found = [(e, a) for e in schema.entities.values() if e.stems[-1] in _OUTLAYS and (a := worth_of(e)) is not None]
    if len(found) != 1:
        return ()
    entity, amount = found[0]
    metric = Metric(
        name="total spending",
        synonyms=_WORDS,
        definition=f"the sum of {entity.one} {amount.words}".replace(f"{entity.one} {entity.one}", entity.one),
        expression=f"SUM({written(amount.name, schema.dialect)})",
        table=entity.name,
        date_column=day_of(entity),
    )
    return ((metric, _SURE),)
