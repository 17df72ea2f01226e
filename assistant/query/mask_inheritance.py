"""Columns that inherit a mask: generated columns, views, partitions and inherited tables. Pure.

A generated column inherits from the columns of its expression, a view from those of its definition, a table from its
partitions and they from it. Where a definition is unclear, the column is masked, and the view is not resolved. Copies
that a trigger makes elsewhere are not found: nothing but a name connects them to their column.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.core.catalog import UNREAD, Catalog, Column, Table
from assistant.core.data_errors import QueryRefused
from assistant.query.guard import check
from assistant.query.mask_rules import find_masked_outputs
from assistant.query.masks import Masks
from assistant.query.routines import find_uses
from knowledge.parsing import parse_one


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """Masked columns with all that inherit from them.

    Attributes:
        own_masks: Those that a person masked.
        masks: These, and all that shows them.
        clear: Views that are known to show none.
    """

    own_masks: Masks
    masks: Masks
    clear: frozenset[str] = frozenset()


def inherit_masks(masks: Masks, catalog: Catalog, *, functions: Collection[str] = ()) -> Inherited:
    """The masked columns of a source, and what shows them.

    Args:
        masks: The masked columns by table, in lower case.
        catalog: The source's catalog.
        functions: Functions beside the engine's own that read no table, as a person says.
    """
    if not masks:
        return Inherited(own_masks={}, masks={})
    masked = {table: set(columns) for table, columns in masks.items()}
    size = -1
    while size != (size := sum(map(len, masked.values()))):
        for table in catalog.tables:
            _inherit_columns(table, masked, catalog, functions)
            _inherit_family(table, masked)
    clear: set[str] = set()
    size = -1
    while size != (size := len(clear) + sum(map(len, masked.values()))):
        for view in catalog.tables:
            if view.is_view and view.name.casefold() not in clear:
                _inherit_view(view, masked, clear, catalog, functions)
    return Inherited(own_masks=masks, masks=_freeze(masked), clear=frozenset(clear))


def _freeze(columns_by_table: dict[str, set[str]]) -> Masks:
    return {table: frozenset(columns) for table, columns in columns_by_table.items() if columns}


def _inherit_columns(table: Table, masked: dict[str, set[str]], catalog: Catalog, functions: Collection[str]) -> None:
    """A computed column of masked ones is masked, and one by a function that may read any table."""
    hidden = masked.get(table.name.casefold(), set[str]())
    for column in table.columns:
        if (
            column.computed
            and column.name.casefold() not in hidden
            and _tells_values(column, hidden, catalog, functions)
        ):
            masked.setdefault(table.name.casefold(), set()).add(column.name.casefold())


def _tells_values(column: Column, hidden: Collection[str], catalog: Catalog, functions: Collection[str]) -> bool:
    if column.computed == UNREAD:
        return bool(hidden)
    sql = f"SELECT {column.computed}"
    try:
        names = {reference.name.casefold() for reference in parse_one(sql, catalog.dialect).find_all(exp.Column)}
        if _calls_theirs(sql, catalog) or check(sql, dialect=catalog.dialect, functions=functions) is not None:
            return True
    except (SqlglotError, QueryRefused):
        return bool(hidden)
    return not names.isdisjoint(hidden)


def _calls_theirs(sql: str, catalog: Catalog) -> bool:
    """Whether a definition calls what people made."""
    uses = find_uses(sql, catalog.dialect)
    return not (uses.called | uses.qualified | uses.reached).isdisjoint(catalog.routines)


def _inherit_family(table: Table, masked: dict[str, set[str]]) -> None:
    """A table shows the rows of its partitions, and a partition those of its table."""
    if table.part_of is None:
        return
    part, parent = table.name.casefold(), table.part_of.casefold()
    shared = masked.get(part, set[str]()) | masked.get(parent, set[str]())
    if shared:
        masked.setdefault(part, set()).update(shared)
        masked.setdefault(parent, set()).update(shared)


def _inherit_view(
    view: Table, masked: dict[str, set[str]], clear: set[str], catalog: Catalog, functions: Collection[str]
) -> None:
    definition = _find_definition(view, catalog.dialect)
    if not definition:
        return
    try:
        if _calls_theirs(view.definition, catalog):
            return
        cover = find_masked_outputs(
            definition,
            dialect=catalog.dialect,
            catalog=catalog,
            masks=_freeze(masked),
            clear=clear,
            functions=functions,
        )
    except QueryRefused:
        return
    if cover.names and len(cover.names) != len(view.columns):
        return
    revealing = {column.name.casefold() for column, hidden in zip(view.columns, cover.masked, strict=False) if hidden}
    if revealing:
        masked.setdefault(view.name.casefold(), set()).update(revealing)
    elif view.name.casefold() not in masked:
        clear.add(view.name.casefold())


def _find_definition(view: Table, dialect: str) -> str:
    """The query of a view, whose catalog may give the statement that made it; empty where it cannot be read."""
    if not view.definition:
        return ""
    try:
        tree = parse_one(view.definition, dialect)
        query = tree.expression if isinstance(tree, exp.Create) else tree
        return query.sql(dialect=dialect) if isinstance(query, exp.Query) else ""
    except SqlglotError:
        return ""
