"""The longest of the phrases that words may be: what is part of a longer one means nothing by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.analyst.algebra import Column
from assistant.analyst.lexicon.files import listed
from assistant.analyst.linking.tokens import Word, is_deed
from assistant.analyst.names import words_of
from assistant.analyst.parts import ColumnValue, Part, Thing
from assistant.analyst.schema import Schema

_SURE = 0.6
"""How surely a word is a value for parts of names not to count beside it."""
_HINT = 0.65
"""How little a word stands for a column of whose name it is a third or less."""


def outermost(operators: Sequence[Part], names: Sequence[Part]) -> list[Part]:
    """Operators that are part of no longer one, as "more than" is of "no more than", and of no name.

    What counts is kept inside names, as "number of employees" may be a column, and functions inside other operators:
    "maximum number of" may ask for what comes first, or for a maximum. "Or younger than 40" is no end of a size.
    """
    operators = [part for part in operators if not any(_runs_on(operator, part) for operator in operators)]
    return [
        part
        for part in operators
        if not any(_covers(operator, part) for operator in operators)
        and (part.category == "count" or not any(_holds(name, part) for name in names))
    ]


def names_in_full(parts: Sequence[Part], words: Sequence[Word], schema: Schema) -> list[Part]:
    """Columns whose whole name of several words is said: of "sugar percent" no word is an operator."""
    return [part for part in parts if part.category == "column" and _size(part) > 1 and _is_whole(part, words, schema)]


def without_hints(parts: Sequence[Part], words: Sequence[Word]) -> list[Part]:
    """What was found, but no column by a part of its name where a noun is a value: "hurricanes", of a status."""
    values = {part.start for part in parts if part.category == "value" and _size(part) == 1 and part.score >= _SURE}
    values -= {at for at in values if is_deed(words[at])}  # "reported" is a date of it as well
    return [
        part
        for part in parts
        if not (part.category == "column" and _size(part) == 1 and part.start in values and part.score < _HINT)
    ]


def values_first(parts: Sequence[Part]) -> list[Part]:
    """What words stand for, but no rows by a word of like meaning where one of their values is so called.

    "Professors" are those of the faculty with this rank.
    """
    value_scores = {
        (p.start, p.end, p.meaning.column.table): p.score for p in parts if isinstance(p.meaning, ColumnValue)
    }
    return [
        part
        for part in parts
        if not isinstance(part.meaning, Thing)
        or value_scores.get((part.start, part.end, part.meaning.table), 0) <= part.score
    ]


def is_inside_name(part: Part, names: Sequence[Part]) -> bool:
    """Whether a part names something of a table by a word of a longer name there: no category is in "sub-category"."""
    if part.category not in ("column", "thing"):
        return False
    table: str = part.meaning.table  # type: ignore[attr-defined]
    return any(_holds(n, part) and _size(n) > _size(part) and n.meaning.table == table for n in names)  # type: ignore[attr-defined]


def says_rows(span: Sequence[Word], column: Column, schema: Schema) -> bool:
    """Whether the first of several words is the table's name in the plural: "harvests picked", not "harvest date"."""
    table = set(schema.tables[column.table].words) - set(schema.typed[column].words)
    return len(span) > 1 and span[0].lemma in table and span[0].lower != span[0].lemma


def _is_whole(part: Part, words: Sequence[Word], schema: Schema) -> bool:
    assert isinstance(part.meaning, Column)
    tokens = (name for word in words[part.start : part.end] if word.is_word for name in words_of(word.cased))
    return sorted(schema.typed[part.meaning].words) == sorted(tokens)


def _holds(outer: Part, part: Part) -> bool:
    return outer.start <= part.start and part.end <= outer.end


def _covers(outer: Part, part: Part) -> bool:
    is_longer = _holds(outer, part) and _size(outer) > _size(part)
    return is_longer and (part.category != "function" or outer.category in ("function", "descending", "ascending"))


def _runs_on(following: Part, part: Part) -> bool:
    return part.category == "after" and part.start < following.start < part.end < following.end


def _size(part: Part) -> int:
    return part.end - part.start


def told_by_deeds(parts: Sequence[Part], words: Sequence[Word], full_names: Sequence[Part]) -> list[Part]:
    """The parts, where a participle right before another thing says what was done to that, and names nothing itself.

    Args:
        parts: All parts.
        words: What they are of.
        full_names: Those of them that are the whole name of a column: "returned orders" may be one.
    """
    heads = {(part.start, table) for part in parts if (table := _table(part))}
    past = {id(part) for part in parts if _tells(part, words, heads)}
    places = {part.start for part in parts if id(part) in past}
    remaining = (
        p for p in parts if p.category != "column" or p in full_names or places.isdisjoint(range(p.start, p.end))
    )
    return [replace(part, category="past") if id(part) in past else part for part in remaining]


def _tells(part: Part, words: Sequence[Word], heads: set[tuple[int, str]]) -> bool:
    if not _table(part) or part.end - part.start > 1:
        return False
    word = words[part.start]
    is_participle = word.lemma != word.lower and word.lower.endswith(tuple(listed("operators", "participles")))
    return is_participle and any(start == part.end and table != _table(part) for start, table in heads)


def _table(part: Part) -> str:
    """The table whose rows a part names; empty for all others."""
    meaning = part.meaning if part.category == "thing" else None
    return meaning.table if isinstance(meaning, Thing) and meaning.key is None else ""
