"""What stands beside rows without a name: "open tickets" are told by their topic and day, not by a number alone."""

from __future__ import annotations

from assistant.embedded.clauses.draft import KEYS
from assistant.embedded.meaning import ColumnRef, Dimension, Meaning
from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.lexicon import name_words

_DETAILS_MAX = 4


def with_details(meaning: Meaning, schema: Schema) -> Meaning:
    """A list of rows by their number alone, with the first few columns that tell something of them; others stay.

    They explain and were not asked for, so they are context.
    """
    entity = schema.entities.get(meaning.base)
    asked = [column for column in meaning.columns if not column.context]
    if entity is None or meaning.measures or meaning.distinct or meaning.within or len(asked) != 1:
        return meaning
    shown = asked[0].column
    alone = not shown.steps and not asked[0].more and (shown.column,) == entity.key == entity.label
    if not alone or not KEYS & set(name_words(shown.column)):
        return meaning  # "Stew" is a key and a name
    fixed = {item.column.column for item in meaning.filters if item.operator in ("=", "missing")}
    taken = fixed | {column.column.column for column in meaning.columns if not column.column.steps}
    defined = " ".join(condition.sql for condition in meaning.conditions)  # "open" says that there is no closing date
    told = [a for a in entity.attributes.values() if _tells(a) and a.name not in taken and a.name not in defined]
    room = max(_DETAILS_MAX - (len(meaning.columns) - 1), 0)
    details = tuple(
        Dimension(column=ColumnRef(table=meaning.base, column=a.name), label=a.words, context=True) for a in told[:room]
    )
    return meaning.model_copy(update={"columns": (*meaning.columns, *details)})


def _tells(attribute: Attribute) -> bool:
    """Whether a column says something to people: no key, and not empty throughout."""
    profile = attribute.column.profile
    known = profile is None or profile.distinct > 1
    return attribute.role in ("date", "year", "text", "flag", "number") and known
