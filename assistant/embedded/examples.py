"""Questions that may be offered: examples made from a source's own names, and what may follow on an answer.

Those likeliest to be useful come first. Whether they can be read is checked by whoever offers them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from assistant.embedded.linking.knowledge import Known
from assistant.embedded.meaning import Meaning
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity, Schema


def examples(schema: Schema, known: Known, today: date) -> Iterator[str]:
    """Questions on metrics, then on the largest tables: by group, over time, ranked."""
    for metric in known.metrics[:1]:
        for place in metric.dimensions[:1]:
            table, _, column = place.rpartition(".")
            if attribute := schema.find(table, column):
                entity = schema.entities[attribute.table]
                words = entity.one if entity.label == (attribute.name,) else attribute.words
                yield (
                    f"What was {metric.name} by {words} last quarter?"
                    if metric.date_column
                    else f"{metric.name} by {words}"
                )
        if metric.date_column:
            yield f"Show {metric.name} per month in {today.year - 1}"
    tables = sorted(schema.entities.values(), key=lambda e: -(e.table.rows or 0))
    facts = [e for e in tables if not e.bridge]
    yielded = 0
    for entity in facts:
        for text in _about(schema, entity):
            yield text
            yielded += 1
        if yielded > 12:
            return


def _about(schema: Schema, entity: Entity) -> Iterator[str]:
    parents = [schema.entities[e.right] for e in schema.edges[entity.name] if not e.many]
    parents = [p for p in parents if p.label != p.key]
    numbers = [a for a in entity.attributes.values() if a.adds_up]
    texts = [a for a in entity.attributes.values() if a.role == "text" and _divides(a, entity)]
    if parents:
        yield f"Which {parents[0].one} has the most {entity.many}?"
    if numbers and parents:
        yield f"Total {numbers[0].words} by {parents[-1].one}"
    elif numbers and texts:
        yield f"Total {numbers[0].words} by {texts[0].words}"
    if texts:
        yield f"How many {entity.many} are there per {texts[0].words}?"
    if entity.dates:
        yield f"Number of {entity.many} per month"
    yield f"How many {entity.many} are there?"


def _divides(attribute: Attribute, entity: Entity) -> bool:
    """Whether a text puts the rows into a few groups rather than naming each."""
    profile = attribute.column.profile
    names = attribute.name in entity.label and not entity.nameless
    few = profile is not None and 2 <= profile.distinct <= 40
    return few and not names and (profile is None or profile.distinct < (entity.table.rows or 41))


_PAGE_MAX = 100


def possible_follow_ups(
    meaning: Meaning, schema: Schema, known: Known, today: date, rows_total: int | None = None
) -> list[str]:
    """What may be asked next about an answer: over time, by another group, its first places, the year before.

    `rows_total` is how many rows the answer has, where it is known.
    """
    asks: list[str] = []
    if meaning.limit and 1 < meaning.limit <= _PAGE_MAX and not _is_the_end(meaning, schema, rows_total):
        asks.append(f"the next {meaning.limit}")
    if meaning.measures:
        timed = meaning.over_time is not None
        if not timed and not meaning.limit:
            asks.append("by month instead" if meaning.dimensions else "by month")
        instead = " instead" if meaning.dimensions else ""
        asks += [f"by {words}{instead}" for words in _groups_near(meaning, schema, known)]
        if len(meaning.dimensions) == 1 and not timed and not meaning.limit:
            asks.insert(1, "top 5")
    elif not meaning.limit:
        asks += ["how many are there?", "sort by name"]
    if not meaning.times and (year := _year_known(meaning, schema, today)):
        asks.append(f"only {year}")
    return asks


def _year_known(meaning: Meaning, schema: Schema, today: date) -> int | None:
    """Last year, or the last one before it of which the rows tell; none where they begin after it."""
    day = likeliest_date(schema.entities[meaning.base])
    profile = day.column.profile if day is not None else None
    known = [int(str(end)[:4]) for end in (profile.low, profile.high) if str(end)[:4].isdigit()] if profile else []
    year = today.year - 1
    if len(known) != 2:  # nothing tells when they begin and end
        return year
    return min(year, known[1]) if known[0] <= year else None


def _is_the_end(meaning: Meaning, schema: Schema, rows_total: int | None) -> bool:
    """Whether a ranking is known to have no further places: it had fewer than asked for, or all there are of a kind."""
    if not meaning.limit or meaning.within:
        return False
    if rows_total is not None and rows_total < meaning.limit:
        return True
    if len(meaning.dimensions) != 1 or meaning.dimensions[0].key:
        return False
    column = meaning.dimensions[0].column
    profile = schema.attribute(column.table, column.column).column.profile
    return profile is not None and not profile.sampled and profile.distinct <= meaning.offset + meaning.limit


def _groups_near(meaning: Meaning, schema: Schema, known: Known) -> list[str]:
    """Groups that a metric names as its own, and what the rows belong to, but for those shown already."""
    taken = {(d.column.table, d.column.column) for d in meaning.dimensions}
    named = {m.metric for m in meaning.measures}
    metric = next((m for m in known.metrics if m.name in named), None)
    found: list[str] = []
    for place in metric.dimensions if metric else ():
        table, _, column = place.rpartition(".")
        attribute = schema.find(table, column)
        if attribute and (attribute.table, attribute.name) not in taken:
            entity = schema.entities[attribute.table]
            found.append(entity.one if entity.label == (attribute.name,) else attribute.words)
    for edge in schema.edges.get(meaning.base, ()):
        entity = schema.entities[edge.right]
        if not edge.many and not taken & {(entity.name, name) for name in entity.label}:
            found.append(entity.one)
    return list(dict.fromkeys(found))[:4]
