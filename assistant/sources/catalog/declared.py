"""Declared keys, tested like inferred ones: what a database declares, its data need not keep.

SQLite and MyISAM check no foreign key, PostgreSQL none that is `NOT VALID`, and a load may switch the checks off. A key
that does not hold is doubted: it joins nothing unasked, until a person says that its columns are keys. The caller asks
the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.core.catalog import Column, ForeignKey, Table
from assistant.core.doubts import Correction, Doubt
from assistant.sources.catalog.identity import alike

ROWS_TESTED_MAX = 50_000
"""So many rows of a table are looked up in the other; of more the first ones."""
ORPHANS_MAX = 0.1
"""So large a share of its rows may refer to nothing; a key of which more do is not used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredKey:
    """A key between tables that are there, declared or proposed: columns of `table`, and as many of `target`."""

    table: Table
    key: ForeignKey
    target: Table

    @property
    def columns(self) -> tuple[str, ...]:
        """The referring columns."""
        return self.key.columns

    @property
    def target_columns(self) -> tuple[str, ...]:
        """The columns referred to."""
        return self.key.target_columns


Count = Callable[[str], Sequence[int] | None]
"""The numbers of the only row of a query; None where the engine cannot tell, or not in time."""


def test_keys(
    tables: Sequence[Table], count: Count, *, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> tuple[Table, ...]:
    """The tables, with a doubt at each declared key that their rows do not keep.

    Args:
        tables: All tables of a source, profiled.
        count: Asks the engine.
        quoted: A name as SQL.
        place: A table as SQL.
    """
    tables_by_name = {(table.schema, table.name.casefold()): table for table in tables}

    def tested(table: Table, key: ForeignKey) -> ForeignKey:
        schema = (
            table.schema if key.schema is None and (None, key.table.casefold()) not in tables_by_name else key.schema
        )
        target = tables_by_name.get((schema, key.table.casefold()))
        if target is None or key.inferred or len(key.columns) != len(key.target_columns):
            return key
        doubt, strays = _doubt(DeclaredKey(table=table, key=key, target=target), count, quoted, place)
        return replace(key, doubt=doubt, strays=strays)

    return tuple(
        replace(table, foreign_keys=tuple(tested(table, key) for key in table.foreign_keys)) for table in tables
    )


def count_matches_sql(
    key: DeclaredKey, *, quoted: Callable[[str], str], place: Callable[[Table], str], values_max: int | None = None
) -> str:
    """SQL for the first rows of a table with a value, and how many of these refer to a row of the other.

    Args:
        key: What refers to what.
        quoted: A name as SQL.
        place: A table as SQL.
        values_max: Look at so many different values instead of rows.
    """
    own = ", ".join(f"{quoted(name)} AS c{n}" for n, name in enumerate(key.columns))
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in key.columns)
    is_equal = " AND ".join(f"s.c{n} = k.k{n}" for n in range(len(key.columns)))
    is_key = key.target_columns == key.target.primary_key and not key.target.is_view
    keys = ", ".join(f"{quoted(name)} AS k{n}" for n, name in enumerate(key.target_columns))
    rows = f"SELECT {'DISTINCT ' if values_max else ''}{own} FROM {place(key.table)} WHERE {filled}"
    return (
        f"SELECT count(*) AS n, count(k.k0) AS held FROM ({rows} LIMIT {values_max or ROWS_TESTED_MAX}) AS s"
        f" LEFT JOIN (SELECT {'' if is_key else 'DISTINCT '}{keys} FROM {place(key.target)}) AS k ON {is_equal}"
    )


def _doubt(
    declared: DeclaredKey, count: Count, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> tuple[str, int | None]:
    """Why the rows do not keep a key, in words, and how many refer to nothing.

    Empty where they keep it, or where that could not be found out in time.
    """
    pairs = [
        (declared.table.column(name), declared.target.column(target_name))
        for name, target_name in zip(declared.columns, declared.target_columns, strict=True)
    ]
    for column, target_column in pairs:
        if column is None or target_column is None:
            return "", None
        if _is_filled(column) and _is_filled(target_column) and not alike(column, target_column):
            return (
                f"{column.name} holds {column.kind} values and {target_column.name} {target_column.kind} values",
                None,
            )
    is_key = declared.target_columns == declared.target.primary_key and not declared.target.is_view
    looked = count(count_matches_sql(declared, quoted=quoted, place=place))
    if looked is None:
        return "", None
    rows, matches = looked
    if rows - matches > ORPHANS_MAX * rows:
        first = "the first " if rows == ROWS_TESTED_MAX else ""
        return f"{rows - matches:,} of {first}{rows:,} rows refer to no row of {declared.target.name}", rows - matches
    if is_key:
        return "", None
    is_filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in declared.target_columns)
    listed = ", ".join(map(quoted, declared.target_columns))
    twice = count(
        f"SELECT count(*) AS n FROM (SELECT {listed} FROM {place(declared.target)} WHERE {is_filled}"
        f" GROUP BY {listed} HAVING count(*) > 1) AS d"
    )
    if twice is None or not twice[0]:
        return "", None
    values = "value stands" if twice[0] == 1 else "values stand"
    repeated = f"{twice[0]:,} {values} on several rows of {declared.target.name}"
    return f"{repeated}, so that a join would count rows several times", None


def _is_filled(column: Column) -> bool:
    profile = column.profile
    return column.kind in ("integer", "number", "text") and profile is not None and profile.distinct > 0


def doubt_by_profile(target: Table, columns: Sequence[str]) -> str:
    """Why a key that a person or a model declares cannot identify rows of its target, as far as profiles tell."""
    column = target.column(columns[0]) if len(columns) == 1 else None
    profile = column.profile if column is not None else None
    if column is None or profile is None or profile.sampled or target.rows is None:
        return ""
    again = target.rows - profile.nulls - profile.distinct
    return f"{again:,} rows of {target.name} repeat a {column.name} of another row" if again > 0 else ""


def declared_doubts(tables: Sequence[Table]) -> tuple[Doubt, ...]:
    """The declared keys of a source that its rows do not keep."""
    return tuple(_described(table, key) for table in tables for key in table.foreign_keys if key.doubt)


def _described(table: Table, key: ForeignKey) -> Doubt:
    columns, targets = ", ".join(key.columns), ", ".join(key.target_columns)
    return Doubt(
        kind="declared_key",
        table=table.name,
        columns=key.columns,
        chosen=f"{table.name}.{columns} is declared to refer to {key.table}.{targets}, but {key.doubt}. Tables are not "
        "joined by it.",
        rival=f"If it is right, set the role of {columns} to “key” on the data page.",
        rows=key.strays,
        share=key.strays / table.rows if key.strays is not None and table.rows else None,
        correction=Correction(setting="role", value=dict.fromkeys(key.columns, "key")),
    )
