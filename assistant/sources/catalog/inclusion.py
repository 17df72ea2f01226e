"""Inclusion dependencies: columns whose values are all keys of another table, where chance is an unlikely reason.

Used to find foreign keys that names do not reveal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.core.catalog import Column, Table

Place = tuple[Table, Column]
KeyCandidates = Mapping[int, tuple[Column, ...]]
"""What identifies the rows of each table, by the table's identity."""

_CHANCE_MAX = 1e-4
_DENSITY_MAX = 0.5
_SPREAD_MIN = 0.25
_DIFFERENT_MIN = 3
_LENGTH_MIN = 3
"""How long texts must be on average to tell what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """The keys of some tables by their values: those whose numbers leave gaps, and those that are texts.

    Under each text stand the keys that hold it, with all that they hold.
    """

    sparse: Sequence[Place]
    texts: Mapping[str, Sequence[tuple[Place, frozenset[str]]]]

    @classmethod
    def of(cls, tables: Sequence[Table], identifiers: KeyCandidates) -> Inclusion:
        """The keys of the tables."""
        keys = [(table, identifiers[id(table)][0]) for table in tables if identifiers[id(table)]]
        texts: dict[str, list[tuple[Place, frozenset[str]]]] = {}
        for place in keys:
            texts_of_key = frozenset(_texts(place[1]))
            for value in texts_of_key:
                texts.setdefault(value, []).append((place, texts_of_key))
        return cls(sparse=[(table, key) for table, key in keys if is_included(key, key)], texts=texts)

    def targets(self, table: Table, column: Column) -> Iterator[Place]:
        """The keys that a column's values cannot all be by chance; texts are another table's alone."""
        yield from ((target, key) for target, key in self.sparse if key is not column and is_included(column, key))
        values = _texts(column)
        if len(values) < _DIFFERENT_MIN or sum(map(len, values)) < _LENGTH_MIN * len(values):
            return
        for (target, key), key_texts in self.texts.get(values[0], ()):
            if target is not table and key_texts.issuperset(values):
                yield target, key


def _texts(column: Column) -> tuple[str, ...]:
    """All values of a text column, where they are few."""
    return (column.profile.values or ()) if column.profile is not None else ()


def is_included(column: Column, key: Column) -> bool:
    """Whether a column's whole numbers, if all are keys, were drawn from the keys: chance would have missed one.

    Keys that fill their range say nothing: any small number is among 1, 2, 3, ... With keys for a fifth of their range,
    six different numbers are all keys once in 15,000 times. Small numbers such as places may still lie where the keys
    are dense; what was drawn from the keys spreads over their range.
    """
    ranges = _ranges(column, key)
    if ranges is None or column.profile is None or key.profile is None:
        return False
    low, high, least, most = ranges
    if not low <= least <= most <= high:
        return False
    density = key.profile.distinct / (high - low + 1)
    spread = (most - least) / max(1, high - low)
    different = column.profile.distinct
    if different < _DIFFERENT_MIN or density > _DENSITY_MAX or spread < _SPREAD_MIN:
        return False
    return density**different <= _CHANCE_MAX


def is_too_low(column: Column, key: Column) -> bool:
    """Whether whole numbers all lie in a low part of the keys' range, which chance would rarely leave them in.

    So do counts and places: a depot's capacity of 460 to 2,840 parcels names none of the parcels 1 to 14,000.
    """
    ranges = _ranges(column, key)
    if ranges is None or column.profile is None:
        return False
    low, high, _, most = ranges
    return ((most - low + 1) / (high - low + 1)) ** column.profile.distinct <= _CHANCE_MAX


def _ranges(column: Column, key: Column) -> tuple[int, int, int, int] | None:
    """The least and the greatest key, then of the column; None unless both are whole numbers and all were read."""
    if column.kind != "integer" or key.kind != "integer" or column.profile is None or key.profile is None:
        return None
    low, high, least, most = key.profile.low, key.profile.high, column.profile.low, column.profile.high
    if not (isinstance(low, int) and isinstance(high, int) and isinstance(least, int) and isinstance(most, int)):
        return None
    return None if key.profile.sampled or column.profile.sampled else (low, high, least, most)
