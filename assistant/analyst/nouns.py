"""What one row is called, where a source has one table: `hotel_data.csv` holds hotels, ages and genders are people's.

The noun comes from the column that identifies a row, from the table's name without words that say that it is a table,
or from columns that only rows of one kind have. Further nouns may be said for the rows; none that names anything else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.analyst.algebra import Column
from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.names import CAMEL, lemma, words_of
from assistant.analyst.roles import Typed, units_in
from assistant.word_forms import has_known

if TYPE_CHECKING:
    from assistant.core import catalog as found

_REMARK = re.compile(r"\s*\(([^()]*)\)")
_FROM_DIGITS = re.compile(r"^t(?=_\d)")
_TELLING_MIN = 2


@dataclass(frozen=True, slots=True)
class Nouns:
    """What one row is called, empty for the table's name, and further nouns in base form that mean the rows."""

    noun: str = ""
    others: frozenset[str] = frozenset()


def nouns(table: found.Table, kinds: Mapping[Column, Typed]) -> Nouns:
    """The nouns of the rows of a table that is the only one of its source."""
    columns = [kinds[Column(table.name, column.name)] for column in table.columns]
    name = _split(_FROM_DIGITS.sub("", table.name))
    name_words = [
        word for word in name if word not in listed("columns", "rows", "generic") and not re.fullmatch(r"q?\d+", word)
    ]
    alike = _alike(columns) or _daily(table)
    is_named = name_words == name and _is_plural(name_words)
    noun = "" if is_named else _identified(table, kinds) or _named(name_words, name, alike)
    if _is_repeated(tuple(map(lemma, noun.split() or name_words)), table, kinds):
        noun, alike = "row", ()
    column_words = {word for typed in columns for word in typed.words} | set(_values(table))
    return Nouns(noun, frozenset({*alike, *listed("columns", "rows", "any")} - column_words))


def _is_repeated(noun: tuple[str, ...], table: found.Table, kinds: Mapping[Column, Typed]) -> bool:
    """Whether a column of that name has its values on several rows: those of countries and years are no countries."""
    columns = (c for c in table.columns if c.profile and kinds[Column(table.name, c.name)].words == noun)
    return any(c.profile is not None and 0 < c.profile.distinct < (table.rows or 0) - c.profile.nulls for c in columns)


def spoken(columns: Sequence[found.Column]) -> dict[str, str]:
    """Columns said otherwise than written: by the label of a code, and without remarks in brackets and signs behind."""
    texts = {c.name: c.label if c.label and not has_known(words_of(c.name)) else c.name for c in columns}
    short = {name: _REMARK.sub(_kept, text).strip(" :;,.") for name, text in texts.items()}
    counts = Counter(short_name.casefold() for short_name in short.values())
    return {
        name: short_name
        for name, short_name in short.items()
        if short_name not in ("", name) and counts[short_name.casefold()] == 1
    }


def _kept(remark: re.Match[str]) -> str:
    """What is in brackets, where it is no remark: one word, or one that tells in what a value is counted."""
    words = words_of(remark[1])
    return (
        remark[0]
        if len(words) < 2 or units_in(words) or not listed("columns", "rows", "scales").isdisjoint(words)
        else ""
    )


def _identified(table: found.Table, kinds: Mapping[Column, Typed]) -> str:
    """The noun of the column that tells rows apart: of `hotel_id`, or of a `hotel title` beside a `hotel type`."""
    heads = Counter(kind.words[:end] for kind in kinds.values() for end in range(len(kind.words) + 1))
    for column in table.columns:
        words, profile = kinds[Column(table.name, column.name)].words, column.profile
        is_unique = profile is not None and not profile.sampled and profile.distinct == table.rows
        is_named = words[-1] in listed("columns", "rows", "identifying") and heads[words[:-1]] > 1
        if len(words) > 1 and is_unique and (words[-1] == "id" or is_named):
            return " ".join(_split(column.name)[:-1] or words[:-1])
    return ""


def _split(name: str) -> list[str]:
    return CAMEL.sub(" ", name).replace("_", " ").lower().split()


def _named(singular_words: list[str], name: list[str], alike: tuple[str, ...]) -> str:
    """What is left of a table's name, where it names things: "sales data" does, "cost data" does not."""
    if singular_words and (_is_plural(singular_words) or lemma(singular_words[-1]) in alike):
        return " ".join(singular_words)
    return alike[0] if alike else "row" if singular_words != name else ""


def _is_plural(words: list[str]) -> bool:
    return bool(words) and lemma(words[-1]) != words[-1]


def _alike(columns: list[Typed]) -> tuple[str, ...]:
    """The nouns of a kind of rows that the columns tell of, the most usual first: people have an age and a gender."""
    names = {word for typed in columns for word in typed.words}
    for kind, of in section("columns", "kinds of rows").items():
        if len(listed("columns", "kinds of rows", kind, "columns") & names) >= _TELLING_MIN and isinstance(of, dict):
            return tuple(str(of["nouns"]).split())
    return ()


def _daily(table: found.Table) -> tuple[str, ...]:
    """Days, where each row has a day of its own."""
    own = [c for c in table.columns if c.kind == "date" and c.profile and not c.profile.sampled]
    return ("day",) if any(c.profile and c.profile.distinct == table.rows for c in own) else ()


def _values(table: found.Table) -> Iterator[str]:
    for column in table.columns:
        for value in (column.profile.values or ()) if column.profile else ():
            if value.isalpha():
                yield lemma(value)
