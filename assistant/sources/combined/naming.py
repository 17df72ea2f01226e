"""The tables of several sources as those of one: what each is called, and which keys lead from one source to another.

A table keeps its name and has its source's name as its schema, so both `orders` and `shop.orders` mean it. Where two
sources have a table of one name, each is called by its source as well: `shop_orders`. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.core.catalog import Catalog, Column, ForeignKey, Table
from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt
from assistant.query.mask_inheritance import inherit_masks
from assistant.query.masks import Masks, find_masks
from assistant.sources.catalog.keys import Candidate, candidates


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberTable:
    """A table where it is.

    Attributes:
        source: The name of its source.
        dialect: The SQL that is spoken there.
        table: The table as its own source describes it.
    """

    source: str
    dialect: str
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedCatalog:
    """The tables of several sources.

    Attributes:
        catalog: All of them, as one DuckDB database would hold them.
        members: Each table by its name there, in lower case.
    """

    catalog: Catalog
    members: Mapping[str, MemberTable]


def combined(name: str, catalogs: Sequence[Catalog], keys: Sequence[str]) -> CombinedCatalog:
    """One catalog of several.

    Args:
        name: What the whole is called.
        catalogs: Those of the sources.
        keys: Keys that a person confirmed, as `source.table.column = source.table.column`; a table's own name is
            enough where only one has it.

    Raises:
        SourceError: A key names what none of the sources has.
    """
    tables: list[Table] = []
    members: dict[str, MemberTable] = {}
    for catalog in catalogs:
        called = {(t.schema, t.name): _called(t, catalog, catalogs) for t in catalog.tables}
        for table in catalog.tables:
            qualified_name = called[table.schema, table.name]
            tables.append(_moved(table, qualified_name, catalog.source, called))
            members[qualified_name.casefold()] = MemberTable(
                source=catalog.source, dialect=catalog.dialect, table=table
            )
    doubts = tuple(in_combined(doubt, catalog.source, members) for catalog in catalogs for doubt in catalog.doubts)
    whole = Catalog(source=name, dialect="duckdb", tables=tuple(tables), doubts=doubts)
    for key in keys:
        whole = _with_key(whole, key)
    return CombinedCatalog(catalog=whole, members=members)


def in_combined(doubt: Doubt, source: str, members: Mapping[str, MemberTable]) -> Doubt:
    """A doubt of one source as it is said of the whole: by its table's name there. It is corrected where it is."""
    place = doubt.table.casefold()
    names = (name for name, one in members.items() if one.source == source and one.table.name.casefold() == place)
    return doubt.model_copy(update={"table": next(names, doubt.table), "correction": None})


def _called(table: Table, catalog: Catalog, catalogs: Sequence[Catalog]) -> str:
    everywhere = Counter(t.name.casefold() for c in catalogs for t in c.tables)
    within = Counter(t.name.casefold() for t in catalog.tables)
    if everywhere[table.name.casefold()] == 1:
        return table.name
    schema = f"{table.schema}_" if within[table.name.casefold()] > 1 and table.schema else ""
    return f"{catalog.source}_{schema}{table.name}"


def _moved(table: Table, name: str, source: str, called: Mapping[tuple[str | None, str], str]) -> Table:
    keys = tuple(
        replace(key, table=called.get((key.schema or table.schema, key.table), key.table), schema=source)
        for key in table.foreign_keys
    )
    part_of = called.get((table.schema, table.part_of), table.part_of) if table.part_of is not None else None
    at = (source, table.schema or "", table.name)
    return replace(table, name=name, schema=source, foreign_keys=keys, part_of=part_of, at=at)


def _with_key(catalog: Catalog, key: str) -> Catalog:
    start_column, end_column = (_place(catalog, side.strip(), key) for side in key.split("="))
    (table, column), (target, target_column) = start_column, end_column
    foreign_key = ForeignKey(
        columns=(column.name,), table=target.name, target_columns=(target_column.name,), schema=target.schema
    )
    table_with_key = replace(table, foreign_keys=(*table.foreign_keys, foreign_key))
    return replace(catalog, tables=tuple(table_with_key if entry is table else entry for entry in catalog.tables))


def _place(catalog: Catalog, reference: str, key: str) -> tuple[Table, Column]:
    place, _, name = reference.rpartition(".")
    matches = [
        (table, column)
        for table in catalog.tables
        if place.casefold() in (table.name.casefold(), f"{table.schema}.{table.name}".casefold())
        if (column := table.column(name)) is not None
    ]
    if len(matches) != 1:
        raise SourceError(
            f"The key {key.strip()!r} names {reference!r}, and there is no such column. Write it as "
            "table.column = table.column, with the names of the tables as `tandem combine` lists them."
        )
    return matches[0]


def masked_in(combined_source: CombinedCatalog, catalogs: Sequence[Catalog], mask: Sequence[str]) -> tuple[str, ...]:
    """The entries of the setting `mask`, as they name the columns of the whole."""
    masks: dict[str, Masks] = {
        catalog.source: inherit_masks(find_masks(mask, catalog), catalog).masks for catalog in catalogs
    }
    return tuple(
        f"{table.name}.{column}"
        for table in combined_source.catalog.tables
        for member in [combined_source.members[table.name.casefold()]]
        for column in sorted(masks[member.source].get(member.table.name.casefold(), frozenset()))
    )


def bridges(combined_source: CombinedCatalog) -> Iterator[Candidate]:
    """Columns that may refer to a key of another source, by their names or by values that all occur there."""
    tables = combined_source.catalog.tables
    declared: set[tuple[str, str]] = {
        (table.name, column) for table in tables for key in table.foreign_keys for column in key.columns
    }
    attempted: set[tuple[str, str, str, str]] = set()
    for candidate in (*candidates(tables), *_by_values(tables)):
        pair = (candidate.table.name, candidate.column.name, candidate.target.name, candidate.target_column.name)
        if candidate.table.schema != candidate.target.schema and pair[:2] not in declared and pair not in attempted:
            attempted.add(pair)
            yield candidate


def _by_values(tables: Sequence[Table]) -> Iterator[Candidate]:
    """Text columns of one name whose values all occur in another source's column that tells its rows apart."""
    for table in tables:
        for column in table.columns:
            for target in tables:
                key = target.column(column.name)
                if target.schema != table.schema and key is not None and _holds(target, key, column):
                    yield Candidate(table=table, column=column, target=target, target_column=key)


def _holds(target: Table, key: Column, column: Column) -> bool:
    values = [
        column_entry.profile.values if column_entry.profile is not None else None for column_entry in (key, column)
    ]
    if values[0] is None or values[1] is None or not values[1] or target.rows is None:
        return False
    return len(values[0]) == target.rows and set(values[1]) <= set(values[0])
