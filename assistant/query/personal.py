"""Personal columns, and which columns of a query's result show their values. Pure.

What `sensitive` proposes to mask is withheld from models until a person decides otherwise. The person's own view is not
affected: the page and the kernel hold the values.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.expressions.core import Expr

from assistant.core.catalog import Catalog
from assistant.query.guard import check
from assistant.query.mask_inheritance import Inherited
from assistant.query.masks import Masks, exclude_masked_values, is_masked
from assistant.query.sensitive import find_sensitive_columns
from knowledge.parsing import limit_work, parse_one

_DIGITS_MIN = 6
NOTE = "looks personal, its values are withheld from you"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalValue:
    """A value of a column that looks personal, as a query brought it up.

    Attributes:
        text: The value.
        column: The column of the result in which it came up first.
        is_withheld: Whether it is withheld from models; not where the person lets them see the column.
        is_masked: Whether it is withheld from the person as well.
    """

    text: str
    column: str
    is_withheld: bool = True
    is_masked: bool = False


def is_telling(value: object) -> bool:
    """Whether a value may point to a person: a text with letters or many digits, or a long number."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    letters = isinstance(value, str) and any(sign.isalpha() for sign in text)
    return letters or sum(sign.isdigit() for sign in text) >= _DIGITS_MIN


def find_personal_columns(catalog: Catalog, *, shared: Collection[str] = ()) -> Masks:
    """The columns that look personal, by table, in lower case.

    Args:
        catalog: A source's catalog with its profiles.
        shared: Columns that a person lets models see, as `table.column` or `source.table.column`; `*` for all.
    """
    if "*" in shared:
        return {}
    allowed = {entry.casefold() for entry in shared}
    columns_by_table: dict[str, set[str]] = {}
    for sensitive in find_sensitive_columns(catalog, masked=lambda _table, _column: False):
        entry = sensitive.entry.casefold()
        if entry in allowed or entry.removeprefix(f"{catalog.source.casefold()}.") in allowed:
            continue
        table, _, column = entry.removeprefix(f"{catalog.source.casefold()}.").rpartition(".")
        columns_by_table.setdefault(table, set()).add(column)
    return {table: frozenset(columns) for table, columns in columns_by_table.items()}


def exclude_personal_values(catalog: Catalog, personal: Masks) -> Catalog:
    """The catalog as a model may read it: no value of a personal column in a profile, and a note that says so."""
    if not personal:
        return catalog
    bare = exclude_masked_values(catalog, personal)
    tables = tuple(
        replace(
            table,
            columns=tuple(
                replace(column, comment="; ".join(filter(None, (column.comment, NOTE))))
                if is_masked(personal, table, column)
                else column
                for column in table.columns
            ),
        )
        for table in bare.tables
    )
    return replace(bare, tables=tables)


def find_personal_outputs(sql: str, *, dialect: str, personal: Inherited, catalog: Catalog) -> frozenset[str] | None:
    """The names of a query's columns that may hold personal values, in lower case; None where that cannot be told.

    An expression over a personal column is personal, whatever its new name; a count is not. A name that leads to a
    personal column anywhere in the query counts everywhere in it, so this errs on the side of withholding. What cannot
    be seen through (a view that is not followed, statistics, a function that a person allowed) may hold any.

    Args:
        sql: A query that ran.
        dialect: sqlglot's name.
        personal: The personal columns, and what shows them.
        catalog: The source's catalog.
    """
    try:
        tree = parse_one(sql, dialect)
        if check(sql, dialect=dialect) is not None:
            return None
        with limit_work():
            return None if _hides(tree, personal, catalog) else _personal_names(tree, personal)
    except SqlglotError:
        return None


def _personal_names(tree: Expr, personal: Inherited) -> frozenset[str]:
    aliases = {t.alias_or_name.casefold(): t.name.casefold() for t in tree.find_all(exp.Table)}
    queries = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    personal_tables = {table for table in aliases.values() if table in personal.masks}
    names = {column for table in personal_tables for column in personal.masks[table]}
    if not names:
        return frozenset()
    derived: set[str] = set()

    def tells(alias: exp.Alias) -> bool:
        for column in alias.this.find_all(exp.Column):
            if isinstance(alias.this, exp.Count) or column.find_ancestor(exp.Count) is not None:
                continue
            name, table = column.name.casefold(), aliases.get(column.table.casefold())
            of_table = names if table is None or table in queries else personal.masks.get(table, frozenset())
            if name in derived or name in of_table:
                return True
        return False

    while True:
        derived_names = {alias.alias.casefold() for alias in tree.find_all(exp.Alias) if tells(alias)}
        if derived_names <= derived:
            return frozenset(names | derived)
        derived |= derived_names


def _hides(tree: Expr, personal: Inherited, catalog: Catalog) -> bool:
    """Whether personal values may be in a result under names that do not lead to them."""
    if tree.find(exp.TableColumn) or any(_may_hide(table, personal, catalog) for table in tree.find_all(exp.Table)):
        return True
    return any(_is_whole_row(column, tree, catalog) for column in tree.find_all(exp.Column))


def _is_whole_row(column: exp.Column, tree: Expr, catalog: Catalog) -> bool:
    """Whether a bare name means a table's row as one value: no table that is read has a column of this name."""
    name = column.name.casefold()
    sources = list(tree.find_all(exp.Table))
    if column.table or name not in {
        label.casefold() for table in sources for label in (table.name, table.alias_or_name)
    }:
        return False
    if isinstance(column.parent, exp.Ordered) and name in _output_names(column):
        return False  # after ORDER BY an output's name comes first
    names = {table.name.casefold() for table in sources}
    return not any(table.column(name) for table in catalog.tables if table.name.casefold() in names)


def _output_names(column: exp.Column) -> frozenset[str]:
    """The names that the SELECT around a column gives to its outputs, in lower case."""
    select = column.find_ancestor(exp.Select)
    return frozenset(output.alias.casefold() for output in select.expressions) if select is not None else frozenset()


def _may_hide(table: exp.Table, personal: Inherited, catalog: Catalog) -> bool:
    """Whether a table may hold personal values that no name leads to."""
    name = table.name.casefold()
    definition = next((candidate for candidate in catalog.tables if candidate.name.casefold() == name), None)
    if definition is None:
        return _STATISTICS.search(name) is not None
    return name not in personal.masks and (definition.is_foreign or (definition.is_view and name not in personal.clear))


_STATISTICS = re.compile(r"pg_stat(?:s|istic)|column_statistics|column_stats|sqlite_stat|pragma_storage_info")
"""The engines' own tables that hold values of columns."""
