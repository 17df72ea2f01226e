"""The code of a verified query: whether it fits the open sources, and other values in its queries. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from assistant.query.cells import QueryProblem, literal_queries, render_cell
from knowledge.documents import VerifiedStep
from knowledge.relative_days import fill_days

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from knowledge.documents import VerifiedQuery

_ANY_DAY = date(2000, 1, 1)
_ROW_NUMBERS = ("rowid", "oid", "_rowid_")


def list_steps(query: VerifiedQuery, catalogs: Sequence[Catalog]) -> tuple[VerifiedStep, ...]:
    """The cells of a verified query; of one statement a cell is made."""
    if query.steps:
        return query.steps
    source = query.source if len(catalogs) > 1 else None
    return (VerifiedStep(title=query.question, language="sql", code=render_cell("result", query.sql, source)),)


def change_steps(
    steps: Sequence[VerifiedStep], changes: Mapping[str, str], dialect: str
) -> tuple[VerifiedStep, ...] | None:
    """Cells with other values in their queries; None where an old one is in no query, or in Python as well."""
    from assistant.analyst.verified import replace_literals

    if not changes:
        return None
    changed: list[VerifiedStep] = []
    done: set[str] = set()
    for step in steps:
        code = step.code
        constants = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)]
        queries = literal_queries(code)
        sqls = {query.sql for query in queries} if not isinstance(queries, QueryProblem) else set[str]()
        if any(str(constant.value) in changes for constant in constants):
            return None
        for sql in sqls:
            own_changes = {
                old: new for old, new in changes.items() if replace_literals(sql, {old: new}, dialect) is not None
            }
            changed_sql = replace_literals(sql, own_changes, dialect) if own_changes else None
            if changed_sql is not None:
                done |= own_changes.keys()
                code = _replace_constants(code, sql, changed_sql)
        changed.append(replace(step, code=code))
    return tuple(changed) if done == set(changes) else None


def _replace_constants(code: str, old: str, new: str) -> str:
    """A cell with another text in the places of a literal text."""
    lines = code.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = code.encode()
    constants = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant) and n.value == old]
    for node in sorted(constants, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        literal = render_cell("sql", new).partition("query(")[2].rpartition(")\nsql")[0]
        data = data[:begin] + literal.encode() + data[end:]
    return data.decode()


def fits(query: VerifiedQuery, catalogs: Sequence[Catalog]) -> bool:
    """Whether the sources, tables and columns that a verified query reads are open."""
    by_name = {catalog.source: catalog for catalog in catalogs}
    first = catalogs[0].source if catalogs else ""
    if query.source is not None and query.source not in by_name:
        return False
    for step in list_steps(query, catalogs):
        queries = literal_queries(step.code)
        if isinstance(queries, QueryProblem):
            return False
        for literal in queries:
            if query.steps and literal.source is None and query.source not in (None, first):
                return False  # it would be asked of another source
            catalog = by_name.get(literal.source or query.source or first)
            if catalog is None or not _has_columns(catalog, literal.sql):
                return False
    return True


def _has_columns(catalog: Catalog, sql: str) -> bool:
    """Whether a catalog has the tables and columns that a query reads; true where that cannot be told."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    from knowledge.parsing import parse_one

    try:
        tree = parse_one(fill_days(sql, _ANY_DAY), catalog.dialect)
    except SqlglotError:
        return True
    own = {alias.casefold() for alias in _list_aliases(tree)}
    names = {table.name.casefold() for table in tree.find_all(exp.Table) if table.name} - own
    tables = [table for table in catalog.tables if table.name.casefold() in names]
    if not names or len(tables) < len(names):
        return not names
    column_names = {column.name.casefold() for table in tables for column in table.columns} | own | {*_ROW_NUMBERS}
    return all(column.name.casefold() in column_names for column in tree.find_all(exp.Column) if column.name)


def _list_aliases(tree: object) -> Iterator[str]:
    from sqlglot import exp

    assert isinstance(tree, exp.Expr)
    for node in tree.find_all(exp.Alias, exp.CTE, exp.TableAlias, exp.Subquery):
        if node.alias:
            yield node.alias
        if isinstance(node, exp.TableAlias):
            yield from (column.name for column in node.args.get("columns") or ())


def find_result_name(code: str) -> str:
    """The name that a cell ends with, which is its result."""
    body = ast.parse(code).body
    match body[-1:]:
        case [ast.Expr(value=ast.Name(id=name))]:
            return name
        case _:
            return ""
