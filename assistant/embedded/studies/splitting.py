"""What a figure can sensibly be split by, where nobody says: kinds of its rows, and what they belong to."""

from __future__ import annotations

from assistant.embedded.meaning import Dimension, Meaning
from assistant.embedded.source.schema import Attribute, Schema, column_label
from assistant.embedded.studies.asking import Asked

PARTS_MAX = 6
MISSING_MAX = 0.2
"""A column of which a larger part is missing is no way to split anything."""
MEMBERS_MAX = 1_000
"""A dimension with more members than this explains nothing."""


def dimensions_of(asked: Asked, meaning: Meaning) -> tuple[Dimension, ...]:
    """What the figure can sensibly be split by: what its definition names, else kinds and what its rows belong to."""
    schema = asked.schema(meaning.source)
    fixed = {(f.column.table, f.column.column) for f in meaning.filters if f.operator == "=" and len(f.values) == 1}
    found: dict[str, Dimension] = {}
    seen: list[tuple[str, ...] | None] = []
    for attribute in _candidates(asked, meaning, schema):
        if (attribute.table, attribute.name) in fixed or len(found) == PARTS_MAX:
            continue
        entity = schema.entities[attribute.table]
        named = (attribute.name,) == entity.label and attribute.table != meaning.base
        label = entity.one if named else column_label(schema, attribute)
        dimension = asked.dimension(meaning, attribute, label=label)
        profile = attribute.column.profile
        members = profile.values if profile is not None else None
        if dimension is not None and (members is None or members not in seen):
            found.setdefault(label, dimension)
            seen.append(members)
    return tuple(found.values())


def _candidates(asked: Asked, meaning: Meaning, schema: Schema) -> list[Attribute]:
    metrics = asked.analyst.sources[meaning.source].known.metrics
    metric = next((m for m in metrics if m.name == meaning.measures[0].metric), None)
    named = [schema.find(*_place(place)) for place in (metric.dimensions if metric is not None else ())]
    found = [attribute for attribute in named if attribute is not None]
    if found:
        return found
    # From the rows on to all they belong to, the nearest first: each row has one of those at most.
    near, reached = [meaning.base], {meaning.base}
    for name in near:
        found += [a for a in schema.entities[name].attributes.values() if _splits(a, schema)]
        further = [edge.right for edge in schema.edges.get(name, ()) if not edge.many and edge.right not in reached]
        reached.update(further)
        near += further
    return found


def _splits(attribute: Attribute, schema: Schema) -> bool:
    """Whether a text puts rows into a few groups, several rows in each, and nearly every row has one."""
    profile = attribute.column.profile
    entity = schema.entities[attribute.table]
    if attribute.role != "text" or profile is None or profile.distinct < 2:
        return False
    known = (entity.table.rows or profile.distinct) - profile.nulls
    if profile.nulls > MISSING_MAX * (known + profile.nulls):
        return False
    if (attribute.name,) == entity.label and not entity.dates:
        return profile.distinct <= MEMBERS_MAX
    return profile.distinct <= 40 and profile.distinct <= 0.6 * known


def _place(place: str) -> tuple[str, str]:
    table, _, column = place.rpartition(".")
    return table, column
