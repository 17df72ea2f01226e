"""What can be said of a cell without running it and without a model: the facts under every review.

A `danger` is what must not and will not run: code that cannot be read, a query that is not a read, a source that does
not exist, a query that the database itself cannot plan. A `warning` is for the person to weigh. Everything here is
read from the bytes that would run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from assistant.agents.cell_review import review_cell
from assistant.cells.functions import MODULE
from assistant.core.data_errors import QueryRefused
from assistant.core.events import Finding, Language, Variable
from assistant.errors import DataError
from assistant.functions.review import FunctionCatalog, review_functions
from assistant.packages.names import describe_extra, find_missing, is_ours, project_of
from assistant.query.cells import QueryProblem, is_query_cell, literal_queries
from assistant.query.cost import estimate
from assistant.query.guard import check
from assistant.query.review.findings import review_query
from sandbox.analysis import Severity
from sandbox.analysis import find_risks as code_findings

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.sources.sources import Source

_LEVELS: dict[Severity, Literal["note", "warning"]] = {"note": "note", "warning": "warning", "danger": "warning"}
"""In the cage even dangerous Python harms nothing outside it; it is still for the person to weigh."""


class Sources(Protocol):
    """The sources of the session."""

    async def sources(self) -> tuple[Source, ...]:
        """All of them, open."""
        ...

    async def catalogs(self) -> tuple[Catalog, ...]:
        """Their catalogs, in the same order."""
        ...


async def check_cell(
    code: str,
    language: Language,
    sources: Sources,
    *,
    variables: Sequence[Variable] = (),
    added: Collection[str] = (),
    library: FunctionCatalog | None = None,
    session: str = "SESSION",
) -> tuple[Finding, ...]:
    """Look at a cell as it would run.

    Args:
        code: the cell.
        language: what its step is: a query, or Python.
        sources: the session's sources.
        variables: what is in the kernel, by its profile.
        added: the modules of packages that were added to the session.
        library: the functions that cells may import.
        session: its id, for what the person can do next.

    Raises:
        DataError: a source cannot be opened any more.
    """
    findings: list[Finding] = []
    cell = literal_queries(code)
    if isinstance(cell, QueryProblem):
        return (Finding(level="danger", text=cell.message, line=cell.line),)
    if language == "python" or not is_query_cell(code):
        if language == "sql":
            findings.append(Finding(level="warning", text="The cell holds more than a query: it is Python as well."))
        findings += [
            Finding(level=_LEVELS[finding.severity], text=finding.message, line=finding.line)
            for finding in code_findings(code)
        ]
        findings += review_cell(code, variables)
        findings += [
            _report_missing_module(module, line, session) for module, line in find_missing(code, (*added, MODULE))
        ]
        if library is not None:
            findings += await asyncio.to_thread(review_functions, code, library)
        if language == "python" and not findings:
            findings.append(
                Finding(level="ok", text="Only works with what is already loaded; reads no files, no network.")
            )
    for query in cell:
        findings += await _check_query(query.sql, query.source, sources)
    return tuple(findings)


def _report_missing_module(module: str, line: int, session: str) -> Finding:
    if is_ours(module):
        text = f"Imports {module}, a part of Tandem of which the cage has nothing."
        return Finding(level="warning", text=text, line=line)
    text = (
        f"Imports {module}, which the cage lacks. {describe_extra(module)}To look at the package and add it: "
        f"tandem packages add {project_of(module)} --session {session}"
    )
    return Finding(level="warning", text=text, line=line, missing=module)


async def _check_query(sql: str, name: str | None, sources: Sources) -> Sequence[Finding]:
    opened = await sources.sources()
    source = next((s for s in opened if name is None or s.name == name), None)
    if source is None:
        source_names = ", ".join(repr(s.name) for s in opened) or "none"
        return [Finding(level="danger", text=f"There is no source named {name!r}; the session has {source_names}.")]
    refusal = await asyncio.to_thread(check, sql, dialect=source.dialect, functions=source.functions)
    if refusal is not None:
        return [Finding(level="danger", text=refusal.message)]
    if elsewhere := await asyncio.to_thread(_find_elsewhere, sql, source, await sources.catalogs()):
        return [Finding(level="danger", text=elsewhere)]
    findings = [Finding(level="ok", text="Read-only: it can change nothing.")]
    try:
        plan = await source.explain(sql)
    except QueryRefused as refused:
        return [Finding(level="danger", text=str(refused))]
    except DataError as error:
        return [Finding(level="danger", text=f"The database cannot run it: {error}")]
    catalog = next(c for c in await sources.catalogs() if c.source == source.name)
    names = await asyncio.to_thread(_map_tables, sql, source.dialect)
    tables = [table for table in catalog.tables if table.name.casefold() in names.values()]
    counts = {table.name.casefold(): table.rows for table in catalog.tables}
    cost = estimate(
        plan, dialect=source.dialect, rows={source_names: counts.get(name) for source_names, name in names.items()}
    )
    if tables:
        listed = ", ".join(f"{t.name} ({t.rows:,} rows)" if t.rows is not None else t.name for t in tables)
        findings.append(Finding(level="note", text=f"Reads {listed}."))
    findings += await asyncio.to_thread(review_query, sql, catalog)
    if cost is not None and cost.text:
        findings.append(Finding(level="warning" if cost.expensive else "note", text=cost.text))
    elif cost is None and tables:
        text = "How much it would have to look at is not known: this database's plan does not say."
        findings.append(Finding(level="note", text=text))
    return findings


def _find_elsewhere(sql: str, source: Source, catalogs: Sequence[Catalog]) -> str:
    """That a query asks a source for a table which only another one has, and what to do; empty where it does not."""
    own, rest = [[c for c in catalogs if (c.source == source.name) == is_own] for is_own in (True, False)]
    names = _map_tables(sql, source.dialect).values() if rest else ()
    for name in dict.fromkeys(names):
        holder = next((c.source for c in rest if own[0].table(name) is None and c.table(name) is not None), None)
        if holder is not None:
            return (
                f"The source {source.name!r} has no table {name!r}; {holder!r} has it. A query reads one source: ask "
                f'that one by query("...", source={holder!r}), and merge the results in Python.'
            )
    return ""


def _map_tables(sql: str, dialect: str) -> dict[str, str]:
    """Names and aliases of the tables a query reads, with the tables they mean. It has passed the guard."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    from knowledge.parsing import parse_one

    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:  # EXPLAIN and the like
        return {}
    own_names = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    tables = [table for table in tree.find_all(exp.Table) if table.name.casefold() not in own_names]
    return {name.casefold(): table.name.casefold() for table in tables for name in (table.name, table.alias_or_name)}
