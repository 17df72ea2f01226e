"""Describes a source for the data page: roles, keys, profiles, the period of events, doubtful columns.

It also counts the rows that match by each key, so that a person sees at once whether tables fit together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from assistant.analyst.algebra import Column as At
from assistant.analyst.schema import Schema
from assistant.connections.descriptions import ColumnShown, LinkShown, TableShown
from assistant.core.catalog import Catalog, Column, ForeignKey, Table, make_names_unique
from assistant.core.data_errors import DataError
from assistant.core.values import Budget
from assistant.query.masks import Masks, is_masked
from assistant.query.quoting import quoted

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.sources.sources import Source

KeyMatches: TypeAlias = Mapping[tuple[str, str], tuple[int, int]]
"""By table and column: how many rows have a value, and how many of these refer to a row."""
_KEYS_MAX = 20
_BUDGET = Budget(rows_max=10, limit_bytes=1 << 20, timeout_s=10)

_EMPTY_SHARE = 0.2
_NOTES_MAX = 3
_FAR_YEAR = 2200
"""Days from this year on stand for "still valid", not for something that happened."""


_NO_MATCHES: KeyMatches = {}


def describe_tables(catalog: Catalog, masks: Masks, matches: KeyMatches = _NO_MATCHES) -> tuple[TableShown, ...]:
    """The tables of a catalog, the longest first, partitions left out; each column with its role, said and guessed."""
    catalog = make_names_unique(catalog)
    guessed = Schema.of(_without_roles(catalog))
    tables = sorted((table for table in catalog.tables if table.part_of is None), key=lambda table: -(table.rows or 0))
    return tuple(_describe_table(table, guessed, masks, matches) for table in tables)


def period_of(tables: tuple[TableShown, ...]) -> tuple[str, str] | None:
    """The first and the last day in the first date column of the first table that has one; None if none has."""
    for table in tables:
        for column in table.columns:
            low, high = _day(column.low), _day(column.high)
            if column.role == "date" and low and high and high.year < _FAR_YEAR:
                return low.isoformat(), high.isoformat()
    return None


def describe_doubts(tables: tuple[TableShown, ...]) -> tuple[str, ...]:
    """What a careful reader would notice: columns that are mostly empty, or hold one value; the worst first."""
    doubts: list[tuple[float, str]] = []
    for table in tables:
        rows = table.rows or 0
        for column in table.columns if rows and not table.is_view else ():
            share = column.nulls / rows if not column.sampled else 0.0
            if share >= _EMPTY_SHARE and column.role != "date":  # what has not ended has no end
                doubts.append((share, f"{table.name}.{column.name} is empty in {share:.0%} of the rows"))
            elif column.distinct == 1 and rows > 1 and not column.nulls:
                doubts.append((0.1, f"{table.name}.{column.name} has the same value in every row"))
    return tuple(text for _, text in sorted(doubts, reverse=True)[:_NOTES_MAX])


def _without_roles(catalog: Catalog) -> Catalog:
    tables = (
        replace(table, columns=tuple(replace(column, role="") for column in table.columns)) for table in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))


def _describe_table(table: Table, guessed: Schema, masks: Masks, matches: KeyMatches) -> TableShown:
    keys = _keys(table)
    return TableShown(
        name=table.name,
        columns=tuple(_describe_column(table, column, guessed, masks, keys) for column in table.columns),
        rows=table.rows,
        links=tuple(_link(table, key, matches) for key in table.foreign_keys),
        is_view=table.is_view,
    )


def _link(table: Table, key: ForeignKey, matches: KeyMatches) -> LinkShown:
    filled, matched = matches.get((table.name, key.columns[0]), (None, None))
    return LinkShown(
        columns=key.columns,
        table=key.table,
        target_columns=key.target_columns,
        inferred=key.inferred,
        doubt=key.doubt,
        filled=filled,
        matched=matched,
    )


def _keys(table: Table) -> Mapping[str, str]:
    foreign = {column: "foreign" for key in table.usable_keys for column in key.columns}
    return foreign | dict.fromkeys(table.primary_key, "primary")


def _describe_column(
    table: Table, column: Column, guessed: Schema, masks: Masks, keys: Mapping[str, str]
) -> ColumnShown:
    typed = guessed.typed.get(At(table.name, column.name))
    role = typed.role if typed is not None else "other"
    described = ColumnShown(
        name=column.name,
        type=column.type,
        kind=column.kind,
        role=column.role or role,
        guessed=role,
        masked=is_masked(masks, table, column),
        key=keys.get(column.name, ""),
    )
    profile = column.profile
    if profile is None:
        return described
    return replace(
        described,
        nulls=profile.nulls,
        distinct=profile.distinct,
        low=profile.low,
        high=profile.high,
        top=profile.top,
        sampled=profile.sampled,
    )


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


async def count_matches(source: Source, catalog: Catalog) -> KeyMatches:
    """Count them by the keys of one column; a key that cannot be counted in time, or is masked, is left out."""
    keys = [(table, key) for table in catalog.tables for key in table.foreign_keys if len(key.columns) == 1]
    matches: dict[tuple[str, str], tuple[int, int]] = {}
    for table, key in keys[:_KEYS_MAX]:
        column = quoted(key.columns[0])
        target = f"SELECT t.{quoted(key.target_columns[0])} FROM {quoted(key.table)} AS t"
        sql = (
            f"SELECT count({column}) AS filled, count(*) FILTER (WHERE {column} IN ({target})) AS matched "
            f"FROM {quoted(table.name)}"
        )
        try:
            (row,) = (await source.run(sql, None, _BUDGET)).table.to_pylist()
        except DataError:
            continue
        matches[table.name, key.columns[0]] = (int(row["filled"]), int(row["matched"]))
    return matches
