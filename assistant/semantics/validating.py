"""Validates a semantic model and verified queries against the data, for `tandem check`.

It finds missing tables and columns, duplicate keys, references without a target, metrics that do not compile or run,
and verified queries that fail or whose results differ from the stored ones. Each check is a read-only query on the
source.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst.sql.dialects import dialect_of
from assistant.core.catalog import Catalog, Table
from assistant.errors import DataError
from assistant.query.cells import QueryProblem, literal_queries
from assistant.semantics.compiling import compile_step
from assistant.semantics.fields import SemanticModelError
from assistant.semantics.steps import MetricStep
from assistant.sources.fingerprints import fingerprint_of
from knowledge.documents import VerifiedQuery
from knowledge.parsing import parse_one
from knowledge.relative_days import fill_days
from knowledge.semantic.model import Dataset, Relationship, SemanticModel
from knowledge.sources.results import KeptResult, sql_hash

if TYPE_CHECKING:
    from assistant.sources.sources import Source

_MARKS = {"ok": "✓", "warning": "!", "failed": "✗"}

State = Literal["ok", "warning", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """One check.

    Attributes:
        kind: What was checked: "dataset", "key", "relationship", "metric", "query", "file" or "function".
        name: Which one.
        state: How it came out. A warning leaves figures right, a failure may not.
        message: What is wrong and what to do; empty where nothing is.
    """

    kind: str
    name: str
    state: State
    message: str = ""


async def find_problems(
    model: SemanticModel, source: Source, catalog: Catalog, *, today: date
) -> AsyncIterator[CheckFinding]:
    """All checks of one model on one source, in the order of the model."""
    for dataset in model.datasets:
        table = _table(dataset, catalog)
        yield await asyncio.to_thread(_dataset, dataset, table, catalog)
        if table is not None and dataset.primary_key:
            yield await _key(dataset, table, source)
    for relation in model.relationships:
        yield await _relation(relation, model, catalog, source)
    for metric in model.metrics:
        yield await _metric(metric.name, model, source, catalog, today=today)


async def query_findings(
    queries: Sequence[VerifiedQuery],
    source: Source,
    *,
    today: date,
    kept_results: Mapping[str, KeptResult] | None = None,
) -> AsyncIterator[tuple[CheckFinding, KeptResult | None]]:
    """Every verified query run again, with what it gives now; None where it does not run.

    Args:
        queries: The queries.
        source: What they are run on.
        today: The day that placeholders such as `{today}` stand for; in a query whose result was kept, the day of that.
        kept_results: The results that were kept, by the queries' ids.
    """
    for query in queries:
        if query.steps:
            yield await _check_steps(query, source, today=today), None
            continue
        before = (kept_results or {}).get(query.id)
        before = before if before is not None and before.sql == sql_hash(query) else None
        on = before.on if before is not None else today
        sql = fill_days(query.sql, on)
        try:
            result = await source.run(sql)
        except DataError as error:
            text = f"it does not run any more: {error}"
            yield CheckFinding(kind="query", name=query.question, state="failed", message=text), None
            continue
        now = KeptResult(
            sql=sql_hash(query),
            fingerprint=await asyncio.to_thread(fingerprint_of, result.table, sql, source.dialect),
            rows=result.rows,
            columns=result.columns,
            on=on,
        )
        message = _difference(before, now) if before is not None else ""
        if not message and not result.rows and before is None:
            message = "it runs and gives no row; look whether that is right"
        yield (
            CheckFinding(kind="query", name=query.question, state="warning" if message else "ok", message=message),
            now,
        )


async def _check_steps(query: VerifiedQuery, source: Source, *, today: date) -> CheckFinding:
    """Whether the queries of several steps run; their Python runs only where a person lets it."""
    for number, step in enumerate(query.steps, start=1):
        queries = literal_queries(fill_days(step.code, today))
        for literal in () if isinstance(queries, QueryProblem) else queries:
            if literal.source not in (None, source.name):
                continue
            try:
                await source.run(literal.sql)
            except DataError as error:
                text = f"step {number} does not run any more: {error}"
                return CheckFinding(kind="query", name=query.question, state="failed", message=text)
    return CheckFinding(kind="query", name=query.question, state="ok", message="")


def _difference(before: KeptResult, now: KeptResult) -> str:
    """How a query's result differs from the kept one, in words; empty where it does not."""
    since = f"when its result was kept on {before.on.isoformat()}"
    how = "; if that is right, keep it: tandem check SOURCE --keep-results"
    if len(before.columns) != len(now.columns):
        return f"it gave the columns {', '.join(before.columns)} {since}, and gives {', '.join(now.columns)} now{how}"
    if before.rows != now.rows:
        return f"it gave {before.rows:,} rows {since}, and gives {now.rows:,} now{how}"
    if before.fingerprint != now.fingerprint:
        return f"it gives other values, or in another order, than {since}{how}"
    return ""


def _table(dataset: Dataset, catalog: Catalog) -> Table | None:
    return catalog.table_at(dataset.place)


def _dataset(dataset: Dataset, table: Table | None, catalog: Catalog) -> CheckFinding:
    if table is None:
        near = get_close_matches(dataset.table, [candidate.name for candidate in catalog.tables], n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        text = f"the source {catalog.source!r} has no table {dataset.table!r}.{hint}"
        return CheckFinding(kind="dataset", name=dataset.name, state="failed", message=text)
    names = [column.name for column in table.columns]
    missing_columns = [
        (field.name, column)
        for field in dataset.fields
        for column in _columns(field.expression.sql(catalog.dialect), catalog.dialect)
        if table.column(column) is None
    ]
    missing_columns += [("primary_key", column) for column in dataset.primary_key if table.column(column) is None]
    if missing_columns:
        field, column = missing_columns[0]
        near = get_close_matches(column, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        more = f" ({len(missing_columns)} in all)" if len(missing_columns) > 1 else ""
        text = f"{field!r} names the column {column!r}, which {table.name!r} lacks{more}.{hint}"
        return CheckFinding(kind="dataset", name=dataset.name, state="failed", message=text)
    return CheckFinding(kind="dataset", name=dataset.name, state="ok")


def _columns(sql: str, dialect: str) -> list[str]:
    try:
        return [column.name for column in parse_one(sql, dialect).find_all(exp.Column)]
    except SqlglotError:
        return [sql]


async def _key(dataset: Dataset, table: Table, source: Source) -> CheckFinding:
    name = dialect_of(source.dialect).name
    keys = ", ".join(name(key) for key in dataset.primary_key)
    sql = _doubles(_place(table, source), keys)
    label = f"{dataset.name} ({', '.join(dataset.primary_key)})"
    try:
        doubles = int((await source.run(sql)).table.to_pylist()[0]["n"])
    except DataError as error:
        return CheckFinding(kind="key", name=label, state="failed", message=f"it cannot be counted: {error}")
    if doubles:
        text = (
            f"{doubles:,} values stand on several rows, so joins multiply rows; name the columns that tell rows apart"
        )
        return CheckFinding(kind="key", name=label, state="failed", message=text)
    return CheckFinding(kind="key", name=label, state="ok")


async def _relation(relation: Relationship, model: SemanticModel, catalog: Catalog, source: Source) -> CheckFinding:
    ends = [model.dataset(relation.start), model.dataset(relation.end)]
    tables = [catalog.table_at(end.place) if end else None for end in ends]
    if tables[0] is None or tables[1] is None:
        orphan_count = relation.start if tables[0] is None else relation.end
        text = f"there is no dataset {orphan_count!r} with a table in {catalog.source!r}"
        return CheckFinding(kind="relationship", name=relation.name, state="failed", message=text)
    start, end = tables[0], tables[1]
    name = dialect_of(source.dialect).name
    pairs = list(zip(relation.from_columns, relation.to_columns, strict=False))
    is_match = " AND ".join(f"e.{name(right)} = s.{name(left)}" for left, right in pairs)
    filled = " AND ".join(f"s.{name(left)} IS NOT NULL" for left, _ in pairs)
    orphans = (
        f"SELECT COUNT(*) AS n FROM {_place(start, source)} AS s WHERE {filled}"
        f" AND NOT EXISTS (SELECT 1 FROM {_place(end, source)} AS e WHERE {is_match})"
    )
    keys = ", ".join(name(right) for _, right in pairs)
    doubles = _doubles(_place(end, source), keys)
    try:
        orphan_count, twice = [int((await source.run(sql)).table.to_pylist()[0]["n"]) for sql in (orphans, doubles)]
    except DataError as error:
        return CheckFinding(
            kind="relationship", name=relation.name, state="failed", message=f"it cannot be looked at: {error}"
        )
    if twice:
        text = f"{relation.end!r} has {twice:,} values of its key on several rows, so figures would be counted twice"
        return CheckFinding(kind="relationship", name=relation.name, state="failed", message=text)
    if orphan_count:
        text = (
            f"{orphan_count:,} rows of {relation.start!r} refer to no row of {relation.end!r}; their group has no name"
        )
        return CheckFinding(kind="relationship", name=relation.name, state="warning", message=text)
    return CheckFinding(kind="relationship", name=relation.name, state="ok")


async def _metric(name: str, model: SemanticModel, source: Source, catalog: Catalog, *, today: date) -> CheckFinding:
    metric = model.metric(name)
    looks_back = metric is not None and metric.more.type in ("cumulative", "period_over_period")
    step = MetricStep(metrics=(name,), grain="month" if looks_back else None)
    try:
        compiled = await asyncio.to_thread(compile_step, step, model, catalog, today=today)
        await source.run(compiled.sql)
    except (SemanticModelError, DataError) as error:
        return CheckFinding(kind="metric", name=name, state="failed", message=str(error))
    return CheckFinding(kind="metric", name=name, state="ok")


def _doubles(place: str, keys: str) -> str:
    """How many values of a key stand on several rows."""
    return f"SELECT COUNT(*) AS n FROM (SELECT {keys} FROM {place} GROUP BY {keys} HAVING COUNT(*) > 1) AS d"


def _place(table: Table, source: Source) -> str:
    name = dialect_of(source.dialect).name
    return f"{name(table.schema)}.{name(table.name)}" if table.schema else name(table.name)


def as_text(findings: Sequence[CheckFinding]) -> str:
    """Lines for people: what is wrong first of all, and a count of the rest."""
    wrong = [finding for finding in findings if finding.state != "ok"]
    lines = [f"{_MARKS[finding.state]} {finding.kind} {finding.name}: {finding.message}" for finding in wrong]
    failed = sum(finding.state == "failed" for finding in findings)
    lines.append(
        f"{len(findings)} checks: {len(findings) - len(wrong)} right, "
        f"{failed} failed, {len(wrong) - failed} to look at."
    )
    return "\n".join(lines)


def as_json(findings: Sequence[CheckFinding]) -> str:
    """One object: whether all is right, and every check."""
    report = {
        "ok": all(finding.state != "failed" for finding in findings),
        "checks": [asdict(finding) for finding in findings],
    }
    return json.dumps(report, ensure_ascii=False, indent=1)


def as_junit(findings: Sequence[CheckFinding]) -> str:
    """JUnit XML; a warning is a passed test with its text as output."""
    failed = sum(finding.state == "failed" for finding in findings)
    suite = ElementTree.Element("testsuite", name="tandem check", tests=str(len(findings)), failures=str(failed))
    for finding in findings:
        case = ElementTree.SubElement(suite, "testcase", classname=f"tandem.{finding.kind}", name=finding.name)
        if finding.state == "failed":
            ElementTree.SubElement(case, "failure", message=finding.message)
        elif finding.message:
            ElementTree.SubElement(case, "system-out").text = finding.message
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)
