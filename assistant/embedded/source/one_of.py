"""Tables whose rows are each one of the people of another table: pilots, whose names stand among all people's.

Only people are told so. Where each order is of another client, as may be in a small file, an order is still no client.
"""

from __future__ import annotations

from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.words.lexicon import name_stems

_PEOPLE = frozenset(name_stems("people person individual human"))


def one_of(schema: Schema, entity: Entity) -> Entity | None:
    """The table of people of whom each row of this one is another one, and which has further ones; else none.

    A key says so that names no row of the other table twice.
    """
    for edge in schema.edges.get(entity.name, ()):
        if edge.many or len(edge.left_columns) != 1 or edge.right == entity.name:
            continue
        whole, profile = schema.entities[edge.right], entity.attributes[edge.left_columns[0]].column.profile
        if whole.stems[-1] not in _PEOPLE:
            continue
        rows, others = entity.table.rows, whole.table.rows
        if profile is not None and rows is not None and profile.distinct == rows < (others or 0):
            return whole
    return None
