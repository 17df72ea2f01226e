"""Columns that say of each row how its figures are to be read: their currency, their unit, or on which side they count.

A plain sum adds such figures up as they are, so it is doubted. Also numbers that may be times since 1970. Pure: names
and the profile of the values tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import yaml

from assistant.core.doubts import Doubt
from assistant.plain_english import join_first
from assistant.sources.catalog.identity import identifiers, is_like_key, split_words
from assistant.sources.reading.quantities import is_unit
from assistant.sources.reading.time_counts import guess_time_count

if TYPE_CHECKING:
    from assistant.core.catalog import Column, Table

Mark = Literal["currency", "unit", "side"]

_NUMBERS = ("integer", "number")
_VALUES_MAX = 30
_NAMED_MAX = 3
_CODE = re.compile(r"[A-Z]{3}")


def find_row_marks(table: Table) -> Iterator[Doubt]:
    """The doubts about figures whose rows do not add up as they are."""
    numbering = {column.name for column in identifiers(table)} | {doubt.columns[0] for doubt in find_time_counts(table)}
    for column in table.columns:
        values = _values_of(column)
        mark = _mark_of(column.name, values)
        figures = [
            figure.name
            for figure in table.columns
            if _is_figure(figure, table, is_unsigned=mark == "side") and figure.name not in numbering
        ]
        if mark is None or not figures:
            continue
        counts = [count for _, count in column.profile.top] if column.profile is not None else []
        rows = (table.rows or 0) - max(counts, default=0) or None
        marks = f"{column.name} ({_list_few(values)})"
        if mark == "side":
            sentence, rival = f"Rows of either {marks} count as positive", "One of them may be negative."
        else:
            sentence, rival = f"Rows of different {marks} are added up", f"Ask by {column.name}, or for one of them."
        yield Doubt(
            kind="number_format",
            table=table.name,
            columns=tuple(figures),
            chosen=f"{sentence} in {_list_few(figures)} of {table.name}.",
            rival=rival,
            rows=rows,
            share=rows / table.rows if rows and table.rows else None,
        )


def find_time_counts(table: Table) -> Iterator[Doubt]:
    """The doubts about whole numbers that may be seconds since 1970, or parts of them."""
    keys = {name for key in table.foreign_keys for name in key.columns} | set(table.primary_key)
    for column in table.columns:
        profile = column.profile
        if column.kind != "integer" or column.role or column.name in keys or profile is None:
            continue
        ends = [str(end) for end in (profile.low, profile.high) if isinstance(end, int)]
        count = guess_time_count(ends, column.name) if len(ends) == 2 else None
        if count is not None and count.type == "TIMESTAMP":
            yield Doubt(
                kind="column_type",
                table=table.name,
                columns=(column.name,),
                chosen=f"{table.name}.{column.name} is read as whole numbers, as it is stored.",
                rival=f"They may be {count.note.removeprefix('read as ')}.",
                rows=table.rows,
                share=1.0 if table.rows else None,
            )


def _list_few(names: Sequence[str]) -> str:
    return join_first(names, _NAMED_MAX)


def _values_of(column: Column) -> list[str]:
    profile = column.profile
    if column.kind != "text" or profile is None or not 1 < profile.distinct <= _VALUES_MAX:
        return []
    return list(profile.values) if profile.values is not None else [str(value) for value, _ in profile.top]


def _mark_of(name: str, values: Sequence[str]) -> Mark | None:
    if not values:
        return None
    words, vocabulary = {part.casefold() for part in split_words(name)}, _read_marks()
    if all(map(_CODE.fullmatch, values)) and set(values) <= _currencies():
        return "currency"
    if words & set(vocabulary["currency"]) and len(set(values) & _currencies()) * 2 > len(values):
        return "currency"
    units = sum(is_unit(value) or value.casefold() in vocabulary["units"] for value in values)
    if words & set(vocabulary["unit"]) and units * 2 > len(values):
        return "unit"
    lowered = {value.casefold() for value in values}
    is_side = any(lowered == set(pair) for pair in vocabulary["sides"])
    is_short = any(lowered == set(pair) for pair in vocabulary["short_sides"]) and bool(words & set(vocabulary["side"]))
    return "side" if is_side or is_short else None


def _is_figure(column: Column, table: Table, *, is_unsigned: bool) -> bool:
    profile = column.profile
    if column.kind not in _NUMBERS or column.name in table.key_names or is_like_key(column.name) or profile is None:
        return False
    words = {part.casefold() for part in split_words(column.name)}
    if column.role not in ("", "measure") or words & set(_read_marks()["no_figures"]):
        return False
    return not is_unsigned or (isinstance(profile.low, int | float) and profile.low >= 0)


@cache
def _read_marks() -> dict[str, Any]:
    return yaml.safe_load((resources.files("assistant.sources.catalog") / "row_marks.yaml").read_text("utf-8"))


@cache
def _currencies() -> frozenset[str]:
    from babel.numbers import list_currencies

    return frozenset((*list_currencies(), "€", "$", "£", "¥"))
