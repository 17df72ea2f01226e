"""The first and the last of rows that have a day: "the last order" is the latest, "the first to join" joined earliest.

"The first 5 orders", "the first order of each customer" and first names are other things, and so is "first" where rows
have no day.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Entity, Schema
from assistant.embedded.words.lexicon import name_stems, root, singular, stem

_ONE = re.compile(
    r"(?P<whose>^|\b(?i:the|our) |\b[A-Z][\w.-]*'s )(?:very )?(?P<end>(?i:first|last)) (?P<rows>[a-z]+(?: [a-z]+)?)(?=[\s,.;?!]|$)"
)
_BEHIND = re.compile(
    r"\b(?P<whose>the|our) (?P<rows>[a-z]+)(?P<that> (?:that|which) (?:was|is|were) [a-z]+)? (?P<end>first|last) (?:of all|ever)\b",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"^(?P<asked>(?:which|what) (?P<rows>\w+)|who) (?:was|is|were|are) the (?:very )?(?P<end>first|last)(?: ones?| person)? to (?:be )?(?P<deed>\w+(?: \w+)?)\W*$",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|every|per|by|their|his|her|its|whose|since|after|before|between|than)\b|'s\b", re.IGNORECASE
)
_ENDS = {"first": "earliest", "last": "latest"}


def by_day(question: str, schemas: Iterable[Schema]) -> str:
    """The question with the first or the last row of its kind put as the earliest or the latest one."""
    entities = [e for schema in schemas for e in schema.entities.values()]
    if (doer := _TO_DO.match(question)) is not None and (day := _day_of(doer["deed"], doer["rows"], entities)):
        return f"{doer['asked']} has the {_ENDS[doer['end'].lower()]} {day}"
    behind = _BEHIND.search(question)
    if behind is not None and any(_is_called(e, behind["rows"]) and likeliest_date(e) is not None for e in entities):
        put = f"{behind['whose']} {_ENDS[behind['end'].lower()]} {behind['rows']}{behind['that'] or ''}"
        return question[: behind.start()] + put + question[behind.end() :]
    found = _ONE.search(question)
    if found is None or _OF_EACH.search(f"{question[: found.start()]} {question[found.start('end') :]}"):
        return question
    words = found["rows"].split()
    for length in range(len(words), 0, -1):
        rows = " ".join(words[:length]).lower()
        if singular(rows) == rows and any(_is_called(e, rows) and likeliest_date(e) is not None for e in entities):
            end = _ENDS[found["end"].lower()]
            return f"{question[: found.start()]}{found['whose']}{end} {question[found.start('rows') :]}"
    return question


def _is_called(entity: Entity, rows: str) -> bool:
    return tuple(entity.stems) == name_stems(rows)


def _day_of(deed: str, rows: str | None, entities: Iterable[Entity]) -> str:
    """The one date that a deed is named by, or else the rows that are called like it and have a day; else nothing."""
    known = list(entities)
    said = {root(stem(word)) for word in (*deed.lower().split(), deed.lower().replace(" ", ""))}
    own = [e for e in known if rows and _is_called(e, singular(rows.lower()))]
    for held in (own, known):
        days = {a.words for e in held for a in e.attributes.values() if a.is_time and said & {root(o) for o in a.own}}
        if len(days) == 1:
            return days.pop()
    events = [e for e in known if _is_called(e, deed.lower()) and likeliest_date(e) is not None]
    return events[0].one if len(events) == 1 else ""
