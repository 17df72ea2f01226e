"""Words for a state that only a date tells: "closed stores" have a closed date, "open stores" have none.

Made up for a source whose tables have such dates, as terms that nobody wrote; a term of the knowledge base always comes
first, and so does a column that holds the word itself. What is taken for granted is said with the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import written
from assistant.embedded.words.lexicon import name_stems, name_words, spoken

if TYPE_CHECKING:
    from knowledge.documents import Term

_OVER = {
    "closed": ("open",), "closing": ("open",), "discontinued": ("active", "current"),
    "terminated": ("active", "current"), "termination": ("active", "current"),
    "ended": ("active", "current", "ongoing"), "end": ("ongoing",), "expired": ("active", "valid"),
    "resigned": ("active", "current"), "left": ("active", "current"), "leaving": ("active", "current"),
    "retired": ("active",), "shipped": ("unshipped",), "delivered": ("undelivered",), "delivery": ("undelivered",),
    "returned": ("unreturned",), "return": ("unreturned",), "paid": ("unpaid",), "resolved": ("unresolved", "open"),
    "completed": ("unfinished",), "finished": ("unfinished",), "cancelled": ("active",), "canceled": ("active",),
}  # fmt: skip
"""What the first word of a date's name says has happened, and what those are called to whom it has not."""
_SAID = {
    "closing": "closed", "termination": "terminated", "end": "ended", "leaving": "left", "return": "returned",
    "delivery": "delivered",
}  # fmt: skip


def states(schema: Schema, terms: Sequence[Term]) -> tuple[Term, ...]:
    """The states of a source's rows, one term for each word; none whose name the knowledge base has."""
    known = {name_stems(name) for term in terms for name in (term.name, *term.synonyms)}
    return tuple(
        term
        for entity in schema.entities.values()
        for attribute in entity.attributes.values()
        for term in (_without if attribute.role == "flag" else _of)(entity, attribute, schema)
        if name_stems(term.name) not in known
    )


def is_state(term: Term) -> bool:
    """Whether nobody wrote the term."""
    return not term.origin and not term.definition


def meant_by(term: Term) -> str:
    """What is taken for granted, in words."""
    if (term.sql or "").startswith(_NOT):
        said = name_words((term.sql or "").removeprefix(_NOT).partition(" = ")[0].strip(_QUOTES))
        return f"“{term.name.split()[0]}” means not {' '.join(said)}"
    column, _, condition = (term.sql or "").partition(" IS ")
    known = "there is a" if condition.startswith("NOT") else "there is no"
    return f"“{term.name.split()[0]}” means that {known} {spoken(column.strip(_QUOTES))}"


def _without(entity: Entity, attribute: Attribute, schema: Schema) -> Iterator[Term]:
    """What those are called to whom a flag does not apply: "inactive", "unpaid", "active" where it is discontinued."""
    from knowledge.documents import Term

    words = name_words(attribute.name)
    if len(words) > 1 and words[0] in ("is", "was", "has"):
        words = words[1:]
    if len(words) != 1:
        return
    word, value = words[0], attribute.true_value
    literal = f"'{value}'" if isinstance(value, str) else str(value).upper()
    for name in (f"in{word}", f"un{word}", f"non{word}", *_OVER.get(word, ())):
        if not _is_value(name, entity):
            sql = f"{_NOT}{written(attribute.name, schema.dialect)} = {literal}"
            yield Term(name=f"{name} {entity.one}", definition="", table=entity.name, sql=sql)


_NOT = "NOT "
_QUOTES = '"`'


def _of(entity: Entity, attribute: Attribute, schema: Schema) -> Iterator[Term]:
    from knowledge.documents import Term

    word = name_words(attribute.name)[0]
    profile = attribute.column.profile
    if word not in _OVER or attribute.role != "date" or profile is None or not profile.nulls:
        return
    column = written(attribute.name, schema.dialect)
    for name, condition in (
        (_SAID.get(word, word), f"{column} IS NOT NULL"),
        *((other, f"{column} IS NULL") for other in _OVER[word]),
    ):
        if not _is_value(name, entity):
            yield Term(name=f"{name} {entity.one}", definition="", table=entity.name, sql=condition)


def _is_value(word: str, entity: Entity) -> bool:
    """Whether a column of the table says the word itself: orders whose status is shipped."""
    for attribute in entity.attributes.values():
        profile = attribute.column.profile
        if profile and any(str(value).lower() == word for value in profile.values or ()):
            return True
    return False
