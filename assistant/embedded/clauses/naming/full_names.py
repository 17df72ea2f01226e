"""People's names: "Ada Korn" is a first and a last name where a source keeps them in two columns."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.linking.options import ToValue
from assistant.embedded.source.schema import Attribute, Entity, Schema


def whole_name(text: str, entity: Entity, schema: Schema) -> list[tuple[Attribute, str]]:
    """A text as the first and the last name of a table's rows; nothing where these are not two columns."""
    words = text.split()
    if len(entity.label) != 2 or len(words) < 2:
        return []
    first, last = (schema.attribute(entity.name, name) for name in entity.label)
    return [(first, words[0]), (last, " ".join(words[1:]))]


def of_one_person(draft: Draft) -> None:
    """ "Ada Korn": the first and the last name of one table's rows, not the customer Ada and the seller Korn.

    Raises:
        Misfit: the reading takes them for two people.
    """
    for i, piece in enumerate(draft.pieces[:-1]):
        first, last = piece.option, draft.pieces[i + 1].option
        if not isinstance(first, ToValue) or not isinstance(last, ToValue) or not draft.touches(i, i + 1):
            continue
        one, other = draft.entity_of(first.attribute), draft.entity_of(last.attribute)
        names = first.attribute.name in one.label[:1] and last.attribute.name in other.label[1:]
        if names and len(one.label) == len(other.label) == _BOTH and one != other:
            raise Misfit("The two names are of one person.", weight=1)


_BOTH = 2
