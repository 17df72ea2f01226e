"""Amounts said before what they are of: "clients with over 500 in sales", "districts with more than 20000 people".

They are put behind it, as columns are compared elsewhere: "with sales over 500". Who has "the most people living in it"
has the highest population, where that is a number of the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.lexicon import name_stems, stem

_AMOUNT = (
    r"(?P<sign>more than|over|above|under|below|less than|fewer than|at least|at most|up to)"
    r" (?P<number>[$€£]?\d[\d.,]*k?)"
)
_HAVING = r"\b(?:(?:with|having|worth|(?:that|who|which) (?:have|has|had)) )"
_IN = re.compile(rf"{_HAVING}{_AMOUNT} in (?P<of>[a-z]+(?: [a-z]+)?)(?=[\s,.;?!]|$)", re.IGNORECASE)
_PEOPLE = re.compile(rf"{_HAVING}{_AMOUNT} (?P<of>people|inhabitants|residents)(?=[\s,.;?!]|$)", re.IGNORECASE)
_MOST_PEOPLE = re.compile(
    r"\b(?P<has>has|have|with) the (?P<end>most|fewest|least) (?P<of>people|inhabitants|residents)"
    r"(?: (?:living|who live|that live)(?: in (?:it|them)| there)?)?(?=[\s,.;?!]|$)",
    re.IGNORECASE,
)
_POPULATION = stem("population")
_SUMS = frozenset(("total", "all", "sum"))


def behind_their_column(question: str, schemas: Iterable[Schema]) -> str:
    """The question with an amount put behind the number column that it is of; unchanged where there is none."""
    known = list(schemas)
    numbers = [a for s in known for e in s.entities.values() for a in e.attributes.values() if a.is_number]
    if (found := _IN.search(question)) is not None:
        words = found["of"].split()
        for length in range(len(words), 0, -1):
            column = " ".join(words[:length])
            if column.lower() not in _SUMS and _is_called(column, numbers):
                rest = question[found.start("of") + len(column) :]
                return f"{question[: found.start()]}with {column} {found['sign']} {found['number']}{rest}"
    people = _PEOPLE.search(question) or _MOST_PEOPLE.search(question)
    if people is None or not any(_POPULATION in a.own for a in numbers):
        return question
    tables = {part for s in known for e in s.entities.values() for part in e.stems}
    columns = {part for a in numbers for part in a.own}
    if stem(people["of"].lower()) in tables | columns:
        return question
    if people.re is _MOST_PEOPLE:
        end = "highest" if people["end"].lower() == "most" else "lowest"
        return f"{question[: people.start()]}{people['has']} the {end} population{question[people.end() :]}"
    return (
        f"{question[: people.start()]}with a population {people['sign']} {people['number']}{question[people.end() :]}"
    )


def _is_called(words: str, numbers: Iterable[Attribute]) -> bool:
    stems = set(name_stems(words))
    return any(stems <= set(a.stems) and a.own[-1] in stems for a in numbers)
