"""The net promoter score, where nobody defined it: of answers from 0 to 10 to whether people would recommend.

Those from 9 on are promoters, those up to 6 detractors; the score is the share of the former less that of the latter.

Source: Reichheld, The One Number You Need to Grow, Harvard Business Review, December 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import day_of
from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_NAMES = ("net promoter score", "NPS", "promoter score")
_ASKED = frozenset(stem(word) for word in ("recommend", "recommendation", "recommended", "promoter"))
_HIGHEST, _HALF, _PROMOTES, _DETRACTS = 10, 5, 9, 6
_SURE = 0.9


def promoter_scores(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """The score of the one column that holds such answers; none where something goes by its name."""
    from knowledge.documents import Metric

    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    said |= {a.own for a in schema.attributes}
    asked = [a for a in schema.attributes if _is_asked(a)]
    if len(asked) != 1 or said & {name_stems(name) for name in _NAMES}:
        return ()
    column = written(asked[0].name, schema.dialect)
    promoting, detracting = (
        f"SUM(CASE WHEN {column} {sign} THEN 1 ELSE 0 END)" for sign in (f">= {_PROMOTES}", f"<= {_DETRACTS}")
    )
    entity = schema.entities[asked[0].table]
    metric = Metric(
        name=_NAMES[0],
        synonyms=_NAMES[1:],
        definition=f"the percentage of {asked[0].words} from {_PROMOTES} on less that of up to {_DETRACTS}",
        expression=f"100.0 * ({promoting} - {detracting}) / NULLIF(COUNT({column}), 0)",
        table=entity.name,
        date_column=day_of(entity),
    )
    return ((metric, _SURE),)


def _is_asked(attribute: Attribute) -> bool:
    """Whether a column holds answers from 0 to 10 to whether somebody would recommend."""
    profile = attribute.column.profile
    if not attribute.is_number or not _ASKED & set(attribute.stems) or profile is None:
        return False
    low, high = profile.low, profile.high
    return isinstance(low, int | float) and isinstance(high, int | float) and low >= 0 and _HALF < high <= _HIGHEST
