"""What a question calls exactly as the data does: names of columns and values, as they are written.

They bind before any word of the lexicon and before names that are only alike: `paid` is that value and no amount that
somebody pays, `net_sales` is no `Net Sales`, "P0" is one word. Where such a name stands as a noun, a reading that does
not go by it is not what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.analyst.algebra import Column, Compare, Constant, OneOf, Query, parts
from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.linking.column_values import Places
from assistant.analyst.linking.names import word_likeness
from assistant.analyst.linking.tokens import Word, numbers, of_class, operators, split
from assistant.analyst.names import words_of
from assistant.analyst.parts import ColumnValue, Part, Thing
from assistant.analyst.schema import Schema
from assistant.analyst.wording import named

_WORDS_MAX = 6
_LIKE = 0.7
"""How like a word of a column's name a word is that may name it although a value is so called."""
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
"""What a name says of itself at its end, mostly a unit: people ask for the "max depth" of `Max depth (m)`."""
_TABLES = ("months", "weekdays", "ordinal numbers", "numbers", "units")
Meanings = tuple[Column | ColumnValue, ...]


@dataclass(frozen=True, slots=True)
class WordSpan:
    """Words that are a name of the data; `is_noun`: they stand where nothing but a name can."""

    start: int
    end: int
    meanings: Meanings
    is_noun: bool

    def holds(self, part: Part) -> bool:
        """Whether a part is of some of these words alone."""
        return self.start <= part.start and part.end <= self.end


class Exact:
    """The names and values of a schema by how they are written.

    Args:
        schema: The schema.
        values: The values of its columns.
    """

    def __init__(self, schema: Schema, values: Mapping[str, Places]) -> None:
        self._schema = schema
        self._written = {column.name for column in schema.typed}
        self._meant: dict[str, Meanings] = {}
        for column in schema.typed:
            self._add(_key(column.name), column)
        for column, value in (place for places in values.values() for place in places):
            if isinstance(value, str) and not value.isdecimal():
                self._written.add(value)
                self._add(_key(value), ColumnValue(column, value))
        written_names = frozenset(self._meant)
        for column in schema.typed:
            words = named(column.name)
            for key in {_key(words), _key(_IN_BRACKETS.sub("", words))} - written_names - {""}:
                self._add(key, column)
        self.names = frozenset(self._meant)
        self.odd = frozenset(name for name in self.names if split(name) != name.split())

    def _add(self, name: str, meaning: Column | ColumnValue) -> None:
        self._meant[name] = (*self._meant.get(name, ()), meaning)

    def spans(self, words: Sequence[Word]) -> tuple[WordSpan, ...]:
        """The longest spans that are names of the data, but words of the lexicon where they may be such."""
        matches: list[WordSpan] = []
        for size in range(min(_WORDS_MAX, len(words)), 0, -1):
            for start in range(len(words) - size + 1):
                end, phrase = start + size, words[start : start + size]
                text = " ".join(word.text for word in phrase)
                meanings = self._meant.get(_key(text), ())
                if not meanings or any(span.start < end and start < span.end for span in matches):
                    continue
                is_column = any(isinstance(meaning, Column) for meaning in meanings)
                is_closed = not is_column or all(word.lower in of_class("function words") for word in phrase)
                if is_closed and all(map(_is_of_lexicon, phrase)) and text not in self._written:
                    continue  # "it" is no "IT"
                is_noun = _ends_noun(words, end)
                if is_noun or not all(map(_is_of_lexicon, phrase)):
                    matches.append(WordSpan(start, end, meanings, is_noun))
        return tuple(matches)

    def bound(self, candidates: Iterable[Part], spans: Sequence[WordSpan]) -> list[Part]:
        """The parts, with what the data call so in the place of all else that the words may stand for."""
        parts = list(candidates)
        remaining = [part for part in parts if not any(self._gives_way(part, span) for span in spans)]
        for span in spans:
            for meaning in span.meanings:
                own = [p.score for p in parts if (p.start, p.end, p.meaning) == (span.start, span.end, meaning)]
                is_value = isinstance(meaning, ColumnValue)
                sure = 0.9 + 0.1 * (span.end - span.start - 1) + (0.0 if is_value else 0.1)
                score = max(sure, *own) if own and span.is_noun else own[0] if own else sure
                remaining.append(Part.over("value" if is_value else "column", meaning, span.start, span.end, score))
        return remaining

    def _gives_way(self, part: Part, span: WordSpan) -> bool:
        """Whether what a part means is not meant where the data call something else so."""
        if part.start >= span.end or span.start >= part.end:
            return False
        if part.category in ("column", "thing") and all(isinstance(meaning, ColumnValue) for meaning in span.meanings):
            return not self._is_called(part.meaning, span)  # "paid orders" are no amount of orders
        if not span.holds(part):
            return False
        if part.category not in ("column", "thing", "value"):
            return span.is_noun and part.category != "string"
        if part.meaning in span.meanings or part.category == "value":
            return True
        return part.category == "column" or (isinstance(part.meaning, Thing) and not part.meaning.key)

    def _is_called(self, meaning: object, span: WordSpan) -> bool:
        """Whether a name has a word of a value by itself, and not by a synonym."""
        of = meaning.key or meaning if isinstance(meaning, Thing) else meaning
        typed = self._schema.typed[of].words if isinstance(of, Column) else self._schema.tables[of.table].words  # type: ignore[attr-defined]
        value_words = {
            word
            for candidate in span.meanings
            if isinstance(candidate, ColumnValue)
            for word in words_of(str(candidate.value))
        }
        return any(word_likeness(word, token) >= _LIKE for word in value_words for token in typed)


def unbound(spans: Sequence[WordSpan], query: Query, masks: tuple[int, int], schema: Schema) -> int:
    """How many names of the data stand in a question as nouns and are not what a query goes by.

    Args:
        spans: The names.
        query: The query.
        masks: The words that are read as a person has defined them, a bit each; those that are read at all.
        schema: What the query reads; a manager's salary is a salary.
    """
    defined_mask, read_mask = masks
    if not spans:
        return 0
    inside = [_of_source(part, schema) for part in parts(query)]
    bound_parts = {part for part in inside if isinstance(part, Column)}
    bound_parts |= {ColumnValue(p.left, p.right.value) for p in inside if _is_of_value(p)}  # type: ignore[attr-defined]
    bound_parts |= {ColumnValue(p.term, value) for p in inside if isinstance(p, OneOf) for value in p.values}  # type: ignore[arg-type]
    return sum(
        span.is_noun
        and not defined_mask >> span.start & 1
        and (not read_mask >> span.start & 1 or bound_parts.isdisjoint(span.meanings))
        for span in spans
    )


def _of_source(part: object, schema: Schema) -> object:
    """A part with the columns of the source in the place of those of aliases."""
    match part:
        case Column(table=table) if of := schema.tables[table].of if table in schema.tables else "":
            return replace(part, table=of)
        case Compare(left=Column() as left):
            return replace(part, left=_of_source(left, schema))
        case OneOf(term=Column() as term):
            return replace(part, term=_of_source(term, schema))
        case _:
            return part


def _is_of_value(part: object) -> bool:
    return isinstance(part, Compare) and isinstance(part.left, Column) and isinstance(part.right, Constant)


def _ends_noun(words: Sequence[Word], end: int) -> bool:
    """Whether a noun ends before a word: at the end of a question or of a part of it."""
    following = words[end:]
    return (
        not any(word.is_word for word in following)
        or not following[0].is_word
        or following[0].lower in listed("operators", "behind nouns")
    )


def _is_of_lexicon(word: Word) -> bool:
    is_operator = any(
        word.lower in numbers(table) if table != "weekdays" else word.lower in section("operators", table)
        for table in _TABLES
    )
    return is_operator or word.lower in operators() or word.lower in section("time", "days")


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
