"""Validates definitions of the knowledge folder against the sources: names must exist and expressions be SQL. Pure.

A definition that cannot be used is reported with the reason and what to write instead; none is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from knowledge.documents import Document, Metric
from knowledge.sources.problems import Problem

if TYPE_CHECKING:
    from sqlglot import exp

    from assistant.core.catalog import Catalog, Table

TODAY = "{today}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with a definition.

    Attributes:
        document: The definition's id.
        names: What people call it, its own name first.
        origin: The file it stands in.
        message: What is wrong, and what to do.
        is_fatal: Whether it cannot be used at all; else a part of it counts for nothing.
        field: The field of the definition that is wrong.
    """

    document: str
    names: tuple[str, ...]
    origin: str
    message: str
    is_fatal: bool
    field: str

    @property
    def problem(self) -> Problem:
        """It as a problem of the knowledge folder."""
        return Problem(origin=self.origin, entry=repr(self.names[0]), message=self.message)


def faults_of(documents: Iterable[Document], catalogs: Sequence[Catalog]) -> tuple[Fault, ...]:
    """All that is wrong with the metrics among some documents, given what the open sources hold."""
    return tuple(
        Fault(
            document=document.id,
            names=(document.name, *document.synonyms),
            origin=document.origin,
            message=message,
            is_fatal=is_fatal,
            field=field,
        )
        for document in documents
        if isinstance(document, Metric)
        for message, is_fatal, field in _faults(document, catalogs)
    )


def condition_fault(sql: str, table: str | None, catalogs: Sequence[Catalog]) -> str:
    """What is wrong with a condition of a rule or a term, in every source that is open; empty where nothing is.

    Args:
        sql: The condition.
        table: The table whose columns need no table's name before them.
        catalogs: The open sources.
    """
    faults = [_condition_fault(sql, table, catalog) for catalog in catalogs]
    return faults[0] if faults and all(faults) else ""


def _condition_fault(sql: str, table: str | None, catalog: Catalog) -> str:
    from sqlglot import exp

    tree = _parsed(sql, catalog.dialect)
    if tree is None:
        return f"it is no SQL of {catalog.dialect}; check brackets and quotes"
    home = catalog.table(table) if table else None
    if table and home is None:
        return f"no table {table!r} in {catalog.source!r}{_hint(table, [entry.name for entry in catalog.tables])}"
    tables = {entry.name.casefold(): entry for entry in catalog.tables}
    bare = next((c for c in tree.find_all(exp.Column) if not c.table), None)
    if home is None and bare is not None:
        return f"say the table of {bare.name!r}, as table.{bare.name}"
    faults = _column_faults(tree, home or catalog.tables[0], tables)
    return next((f"it names {fault}" for fault in faults), "")


def filter_usable(documents: Iterable[Document], faults: Iterable[Fault]) -> tuple[Document, ...]:
    """The documents without those that cannot be used."""
    broken = {fault.document for fault in faults if fault.is_fatal}
    return tuple(document for document in documents if document.id not in broken)


def named_in(question: str, faults: Iterable[Fault]) -> Fault | None:
    """The fault of a definition that cannot be used and that a question names; None where it names none."""
    from knowledge.name_search import Names

    broken = {fault.document: fault for fault in faults if fault.is_fatal}
    ids = Names({id_: fault.names for id_, fault in broken.items()}).search(question)
    return broken[ids[0]] if ids else None


def _faults(metric: Metric, catalogs: Sequence[Catalog]) -> Iterator[tuple[str, bool, str]]:
    """Each fault with whether it is fatal, and its field; a missing table hides what depends on it."""
    applicable = [catalog for catalog in catalogs if metric.source in (None, catalog.source)]
    if not applicable:
        return  # it speaks of a source that is not open
    located = next(((catalog, table) for catalog in applicable if (table := catalog.table(metric.table))), None)
    if located is None:
        names = [table.name for catalog in applicable for table in catalog.tables]
        where = ", ".join(repr(catalog.source) for catalog in applicable)
        yield f"the metric is not used: no table {metric.table!r} in {where}{_hint(metric.table, names)}", True, "table"
        return
    catalog, home = located
    tables = {home.name.casefold(): home}
    for name in metric.joins:
        other_table = catalog.table(name)
        if other_table is None:
            hint = _hint(name, [table.name for table in catalog.tables])
            yield f"the metric is not used: no table {name!r} to join in {catalog.source!r}{hint}", True, "joins"
        else:
            tables[other_table.name.casefold()] = other_table
    yield from _sql_faults(metric, catalog, home, tables)


def _sql_faults(
    metric: Metric, catalog: Catalog, home: Table, tables: dict[str, Table]
) -> Iterator[tuple[str, bool, str]]:
    expressions = [("expression", metric.expression, True), *(("filter", text, True) for text in metric.filters)]
    if metric.date_column:
        expressions.append(("date_column", metric.date_column, False))
    expressions += [("dimension", text, False) for text in metric.dimensions]
    for field_kind, text, is_fatal in expressions:
        tree = _parsed(text, catalog.dialect)
        field = {"filter": "filters", "dimension": "dimensions"}.get(field_kind, field_kind)
        effect = "the metric is not used" if is_fatal else f"its {field_kind} counts for nothing"
        if tree is None:
            yield (
                f"{effect}: {field_kind} {text!r} is no SQL of {catalog.dialect}; check brackets and quotes",
                is_fatal,
                field,
            )
            continue
        if field_kind == "expression" and not _has_aggregate(tree):
            example = f"SUM({text})" if len(text) < 40 else "SUM(...)"
            yield f"{effect}: {text!r} adds nothing up; write an aggregate, such as {example}", True, field
            continue
        reach = tables if is_fatal else {table.name.casefold(): table for table in catalog.tables}
        for fault in _column_faults(tree, home, reach):
            yield f"{effect}: {field_kind} {text!r} names {fault}", is_fatal, field


@lru_cache(maxsize=4096)
def _parsed(text: str, dialect: str) -> exp.Expr | None:
    """The tree of a definition's SQL, only to be read: the same definitions are examined for each part of a turn."""
    from sqlglot.errors import SqlglotError

    from knowledge.parsing import parse_one

    try:
        return parse_one(text.replace(TODAY, "2000-01-01"), dialect)
    except SqlglotError:
        return None


def _has_aggregate(tree: exp.Expr) -> bool:
    from sqlglot import exp

    return tree.find(exp.AggFunc, exp.Subquery, exp.Select, exp.Anonymous) is not None


def _column_faults(tree: exp.Expr, home: Table, tables: dict[str, Table]) -> Iterator[str]:
    from sqlglot import exp

    if tree.find(exp.Select):
        return  # a query of its own has tables of its own; the engine judges it
    for column in tree.find_all(exp.Column):
        if column.table and column.table.casefold() not in tables:
            near = _hint(column.table, [table.name for table in tables.values()])
            yield f"the table {column.table!r}, which it does not join{near}"
            continue
        places = [tables[column.table.casefold()]] if column.table else [home, *tables.values()]
        if not any(table.column(column.name) for table in places):
            names = [candidate.name for table in places for candidate in table.columns]
            yield f"the column {column.sql()!r}, which {places[0].name!r} lacks{_hint(column.name, names)}"


def _hint(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.casefold(), [candidate.casefold() for candidate in names], n=1)
    spelt = next((candidate for candidate in names if near and candidate.casefold() == near[0]), None)
    return f"; did you mean {spelt!r}?" if spelt else ""
