"""Rates of marketing that nobody defined: return on investment, click rate, conversion rate, cost per lead.

Each is one sum by another of the one table that has both numbers, as a list of campaigns does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.embedded.source.dating import day_for
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, stem

if TYPE_CHECKING:
    from knowledge.documents import Metric

_SPENT = ("spend", "cost", "expense", "expenditure", "spending")
_EARNED = ("revenue", "income", "turnover", "sales")
_SURE = 0.9
_PERCENT = 100.0

_RATES: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], float], ...] = (
    (("return on ad spend", "roas"), _EARNED, _SPENT, 1.0),
    (("click rate", "click through rate", "ctr"), ("click",), ("impression", "view"), _PERCENT),
    (("conversion rate",), ("conversion",), ("click", "visit", "session", "visitor"), _PERCENT),
    (("lead rate",), ("lead",), ("click", "visit", "session", "visitor"), _PERCENT),
    (("cost per lead", "cpl"), _SPENT, ("lead",), 1.0),
    (("cost per click", "cpc"), _SPENT, ("click",), 1.0),
    (("cost per conversion", "cost per acquisition", "cpa", "cac", "customer acquisition cost", "acquisition cost"),
     _SPENT, ("conversion",), 1.0),
)  # fmt: skip
"""What a rate is called, the number that is divided and the one that divides it, and a factor."""


def campaign_rates(schema: Schema, metrics: Sequence[Metric]) -> tuple[tuple[Metric, float], ...]:
    """A metric for each rate whose two numbers one table alone holds; none that is called like something known."""
    from knowledge.documents import Metric

    said = {name_stems(name) for metric in metrics for name in (metric.name, *metric.synonyms)}
    said |= {attribute.stems for attribute in schema.attributes}
    found: list[tuple[Metric, float]] = []
    for names, over, under, factor in (*_RATES, _RETURN):
        held = [(e, a, b) for e in schema.entities.values() if (a := _of(e, over)) and (b := _of(e, under))]
        if len(held) != 1 or said & {name_stems(name) for name in names}:
            continue
        entity, first, second = held[0]
        top, bottom = (f"SUM({written(a.name, schema.dialect)})" for a in (first, second))
        part = f"({top} - {bottom})" if names is _RETURN[0] else top
        meant = f"{first.words} less {second.words}, by {second.words}" if names is _RETURN[0] else ""
        date = day_for(schema, entity)
        metric = Metric(
            name=names[0],
            synonyms=names[1:],
            definition=meant or f"{first.words} by {second.words} of the {entity.many}",
            expression=f"{factor} * {part} / NULLIF({bottom}, 0)",
            table=entity.name,
            unit="percent" if factor == _PERCENT else None,
            date_column=f"{date.table}.{date.name}" if date is not None else None,
        )
        found.append((metric, _SURE))
    return tuple(found)


_RETURN = (("return on investment", "roi"), _EARNED, _SPENT, _PERCENT)
"""What came back beyond what was spent."""


def _of(entity: Entity, words: Sequence[str]) -> Attribute | None:
    """The one number of a table that adds up and is called by one of some words alone."""
    stems = {stem(word) for word in words}
    found = [a for a in entity.attributes.values() if a.adds_up and len(a.own) == 1 and a.own[0] in stems]
    return found[0] if len(found) == 1 else None
