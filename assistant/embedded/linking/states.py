"""Words for a state that only a date tells: "closed stores" have a closed date, "open stores" have none.

Made up for a source whose tables have such dates, as terms that nobody wrote; a term of the knowledge base always comes
first, and so does a column that holds the word itself. What is taken for granted is said with the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.linking.dues import (
    OVER,
    expiring,
    gone_or_here,
    in_stock,
    is_expiry,
    late,
    owing,
    running_low,
    to_come,
)
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.tables import literal, written
from assistant.embedded.words.lexicon import name_stems, name_words, singular, spoken

if TYPE_CHECKING:
    from knowledge.documents import Term

_REFUSED = {
    "accepted": ("rejected", "refused", "declined"), "approved": ("rejected", "denied", "declined", "refused"),
    "granted": ("denied", "refused"), "passed": ("failed",), "successful": ("failed",),
    "attended": ("missed", "skipped"), "won": ("lost",), "enabled": ("disabled",), "present": ("absent",),
    "active": ("discontinued", "former", "retired"), "available": ("sold out",),
    "done": ("open", "outstanding", "pending", "unfinished"), "completed": ("open", "outstanding", "pending"),
    "finished": ("open", "outstanding", "pending"), "paid": ("open", "outstanding"), "delivered": ("pending",),
}  # fmt: skip
"""What those are called to whom a flag does not apply."""
_SAID = {
    "closing": "closed", "termination": "terminated", "end": "ended", "leaving": "left", "return": "returned",
    "delivery": "delivered", "term": "terminated",
}  # fmt: skip


def states(schema: Schema, terms: Sequence[Term], today: date) -> tuple[Term, ...]:
    """The states of a source's rows, one term for each word; none whose name the knowledge base has."""
    known = {name_stems(name) for term in terms for name in (term.name, *term.synonyms)}
    return tuple(
        term
        for entity in schema.entities.values()
        for term in _all(entity, schema, today)
        if name_stems(term.name) not in known
    )


def _all(entity: Entity, schema: Schema, today: date) -> Iterator[Term]:
    from knowledge.documents import Term

    for attribute in entity.attributes.values():
        if not is_expiry(attribute, today):
            yield from (_without if attribute.role == "flag" else _of)(entity, attribute, schema)
    told = (
        *gone_or_here(entity, schema),
        *owing(entity, schema),
        *in_stock(entity, schema),
        *running_low(entity, schema),
        *to_come(entity, schema, today),
    )
    for names, condition in (*told, *late(entity, schema, today), *expiring(entity, schema, today)):
        for name in names:
            if not _is_value(name, entity):
                yield Term(name=f"{name} {_called(entity)}", definition="", table=entity.name, sql=condition)


def _called(entity: Entity) -> str:
    """What a row is called by its table, also where that says nothing of its rows."""
    return singular(spoken(entity.called)) if entity.nameless else entity.one


def is_state(term: Term) -> bool:
    """Whether nobody wrote the term."""
    return not term.origin and not term.definition


def denied_flag(term: Term, schema: Schema) -> Attribute | None:
    """The flag that does not apply to those whom a made-up state names: `active`, of the inactive ones."""
    if not is_state(term) or not (term.sql or "").startswith(_NOT):
        return None
    column = (term.sql or "").removeprefix(_NOT).partition(" = ")[0].strip(_QUOTES)
    return schema.find(term.table or "", column)


_LEFT = re.compile(r"[\"`]?(?P<column>\w+)[\"`]? (?P<sign><=|>) 0")
"""How a condition says whether anything is left."""


_UNTIL = re.compile(
    r"\([\"`]?(?P<column>[\w ]+)[\"`]? >= '(?P<day>[\d-]+)'\)(?: AND [\"`]?(?P<start>[\w ]+)[\"`]? <= '[\d-]+')?"
)
"""How a condition says that something still holds on a day."""


def meant_by(term: Term) -> str:
    """What is taken for granted, in words."""
    if (term.sql or "").startswith(_NOT):
        said = name_words((term.sql or "").removeprefix(_NOT).partition(" = ")[0].strip(_QUOTES))
        return f"“{term.name.split()[0]}” means not {' '.join(said)}"
    if left := _LEFT.fullmatch(term.sql or ""):
        over = "over " if left["sign"] == ">" else ""
        return f"“{term.name.rpartition(' ')[0]}” means that {spoken(left['column'])} is {over}0"
    if until := _UNTIL.fullmatch(term.sql or ""):
        begun = f" and {spoken(until['start'])} not after it" if until["start"] else ""
        return (
            f"“{term.name.rpartition(' ')[0]}” means that {spoken(until['column'])} is {until['day']} or later{begun}"
        )
    if " IS " not in (term.sql or "") or " AND " in (term.sql or ""):
        return f"“{term.name.rpartition(' ')[0]}” means {_NAMES.sub(_spoken, term.sql or '')}"
    column, _, condition = (term.sql or "").partition(" IS ")
    known = "there is a" if condition.startswith("NOT") else "there is no"
    return f"“{term.name.rpartition(' ')[0]}” means that {known} {spoken(column.strip(_QUOTES))}"


_NAMES = re.compile(r"'[^']*'|[\"`](?P<quoted>[^\"`]+)[\"`]|(?P<bare>[A-Za-z]\w*)")


def _spoken(match: re.Match[str]) -> str:
    """A name of a condition in words; texts stay as they are."""
    name = match["quoted"] or match["bare"]
    return match[0] if not name else name.lower() if name.isupper() else spoken(name)


def _without(entity: Entity, attribute: Attribute, schema: Schema) -> Iterator[Term]:
    """What those are called to whom a flag does not apply: "inactive", "unpaid", "active" where it is discontinued."""
    from knowledge.documents import Term

    words = name_words(attribute.name)
    if len(words) > 1 and words[0] in ("is", "was", "has"):
        words = words[1:]
    if len(attribute.own) == 1:
        words = words[-1:]  # what all columns of the table begin with says nothing of it
    if len(words) != 1:
        return
    word = words[0]
    for name in (f"in{word}", f"un{word}", f"non{word}", *OVER.get(word, ()), *_REFUSED.get(word, ())):
        if not _is_value(name, entity):
            sql = f"{_NOT}{written(attribute.name, schema.dialect)} = {literal(attribute.true_value)}"
            yield Term(name=f"{name} {_called(entity)}", definition="", table=entity.name, sql=sql)


_NOT = "NOT "
_QUOTES = '"`'


def _of(entity: Entity, attribute: Attribute, schema: Schema) -> Iterator[Term]:
    from knowledge.documents import Term

    words = name_words(attribute.name)
    word = next((w for w in words[:2] if w in OVER), words[0])
    profile = attribute.column.profile
    if word not in OVER or attribute.role != "date" or profile is None or not profile.nulls:
        return
    column = written(attribute.name, schema.dialect)
    for name, condition in (
        (_SAID.get(word, word), f"{column} IS NOT NULL"),
        *((other, f"{column} IS NULL") for other in OVER[word]),
    ):
        if not _is_value(name, entity):
            yield Term(name=f"{name} {_called(entity)}", definition="", table=entity.name, sql=condition)


def _is_value(word: str, entity: Entity) -> bool:
    """Whether a column of the table says the word itself: orders whose status is shipped."""
    for attribute in entity.attributes.values():
        profile = attribute.column.profile
        if profile and any(str(value).lower() == word for value in profile.values or ()):
            return True
    return False
