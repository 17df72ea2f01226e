"""What comes first is something: rows without a composer are no composer, however many they are."""

from __future__ import annotations

from assistant.embedded.meaning import Dimension, Filter, Meaning
from assistant.embedded.source.schema import Schema, column_label


def with_known_groups(meaning: Meaning, schema: Schema) -> Meaning:
    """A ranking of groups that shows but the first, of rows that belong to a group; anything else stays."""
    ranks = meaning.limit is not None and meaning.measures and any(item.by == "measure" for item in meaning.order)
    if not ranks or meaning.either or meaning.portion or meaning.beside or meaning.verified_sql is not None:
        return meaning
    bound = [item.column for item in (*meaning.filters, *meaning.times)]
    added = tuple(_known(d, schema) for d in meaning.dimensions if d.column not in bound and _may_lack(d, schema))
    return meaning.model_copy(update={"filters": (*meaning.filters, *added)}) if added else meaning


def _may_lack(dimension: Dimension, schema: Schema) -> bool:
    """Whether some rows are known to have no value there; who is called by several columns need not have all."""
    if dimension.more or dimension.key:
        return False
    profile = schema.attribute(dimension.column.table, dimension.column.column).column.profile
    return profile is not None and profile.nulls > 0


def _known(dimension: Dimension, schema: Schema) -> Filter:
    attribute = schema.attribute(dimension.column.table, dimension.column.column)
    return Filter(column=dimension.column, operator="present", label=column_label(schema, attribute))
