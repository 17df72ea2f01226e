"""Definitions of the knowledge folder held against the sources: what a metric names must be there, and be SQL. Pure.

A definition that cannot be used is said with the reason and what to write instead; it is never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from knowledge.documents import Metric
from knowledge.sources.problems import Problem

if TYPE_CHECKING:
    from sqlglot import exp

    from assistant.core.catalog import Catalog, Table
    from knowledge.documents import Document

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
    said = [_condition_fault(sql, table, catalog) for catalog in catalogs]
    return said[0] if said and all(said) else ""


def _condition_fault(sql: str, table: str | None, catalog: Catalog) -> str:
    from sqlglot import exp

    tree = _parsed(sql, catalog.dialect)
    if tree is None:
        return f"it is no SQL of {catalog.dialect}; check brackets and quotes"
    home = catalog.table(table) if table else None
    if table and home is None:
        return f"no table {table!r} in {catalog.source!r}{_hint(table, [one.name for one in catalog.tables])}"
    tables = {one.name.casefold(): one for one in catalog.tables}
    bare = next((c for c in tree.find_all(exp.Column) if not c.table), None)
    if home is None and bare is not None:
        return f"say the table of {bare.name!r}, as table.{bare.name}"
    faults = _column_faults(tree, home or catalog.tables[0], tables)
    return next((f"it names {fault}" for fault in faults), "")


def usable(documents: Iterable[Document], faults: Iterable[Fault]) -> tuple[Document, ...]:
    """The documents without those that cannot be used."""
    broken = {fault.document for fault in faults if fault.is_fatal}
    return tuple(document for document in documents if document.id not in broken)


def named_in(question: str, faults: Iterable[Fault]) -> Fault | None:
    """The fault of a definition that cannot be used and that a question names; None where it names none."""
    from knowledge.name_search import Names

    broken = {fault.document: fault for fault in faults if fault.is_fatal}
    found = Names({id_: fault.names for id_, fault in broken.items()}).search(question)
    return broken[found[0]] if found else None


def _faults(metric: Metric, catalogs: Sequence[Catalog]) -> Iterator[tuple[str, bool, str]]:
    """Each fault with whether it is fatal, and its field; a missing table hides what depends on it."""
    meant = [catalog for catalog in catalogs if metric.source in (None, catalog.source)]
    if not meant:
        return  # it speaks of a source that is not open
    found = next(((catalog, table) for catalog in meant if (table := catalog.table(metric.table))), None)
    if found is None:
        names = [table.name for catalog in meant for table in catalog.tables]
        where = ", ".join(repr(catalog.source) for catalog in meant)
        yield f"the metric is not used: no table {metric.table!r} in {where}{_hint(metric.table, names)}", True, "table"
        return
    catalog, home = found
    tables = {home.name.casefold(): home}
    for name in metric.joins:
        joined = catalog.table(name)
        if joined is None:
            hint = _hint(name, [table.name for table in catalog.tables])
            yield f"the metric is not used: no table {name!r} to join in {catalog.source!r}{hint}", True, "joins"
        else:
            tables[joined.name.casefold()] = joined
    yield from _sql_faults(metric, catalog, home, tables)


def _sql_faults(
    metric: Metric, catalog: Catalog, home: Table, tables: dict[str, Table]
) -> Iterator[tuple[str, bool, str]]:
    written = [("expression", metric.expression, True), *(("filter", text, True) for text in metric.filters)]
    if metric.date_column:
        written.append(("date_column", metric.date_column, False))
    written += [("dimension", text, False) for text in metric.dimensions]
    for what, text, is_fatal in written:
        tree = _parsed(text, catalog.dialect)
        field = {"filter": "filters", "dimension": "dimensions"}.get(what, what)
        effect = "the metric is not used" if is_fatal else f"its {what} counts for nothing"
        if tree is None:
            yield (
                f"{effect}: {what} {text!r} is no SQL of {catalog.dialect}; check brackets and quotes",
                is_fatal,
                field,
            )
            continue
        if what == "expression" and not _has_aggregate(tree):
            example = f"SUM({text})" if len(text) < 40 else "SUM(...)"
            yield f"{effect}: {text!r} adds nothing up; write an aggregate, such as {example}", True, field
            continue
        reach = tables if is_fatal else {table.name.casefold(): table for table in catalog.tables}
        for fault in _column_faults(tree, home, reach):
            yield f"{effect}: {what} {text!r} names {fault}", is_fatal, field


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
            names = [known.name for table in places for known in table.columns]
            yield f"the column {column.sql()!r}, which {places[0].name!r} lacks{_hint(column.name, names)}"


def _hint(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name.casefold(), [one.casefold() for one in known], n=1)
    spelt = next((one for one in known if near and one.casefold() == near[0]), None)
    return f"; did you mean {spelt!r}?" if spelt else ""
