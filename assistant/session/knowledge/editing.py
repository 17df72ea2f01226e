"""Edits of an entry of the knowledge folder, with a preview of the effect on the data.

A metric is compiled and computed, a rule and a condition show the rows that they match, a verified query is run again;
each as the embedded analyst would, by read-only queries behind the guard, with masked columns masked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

from assistant.analyst.algebra import Condition, Count, Grouped, Limit, Listing, Metric, Not, Rows, tables_here
from assistant.analyst.known.documents import NamedMetric, prepare
from assistant.analyst.preparation import settle
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.sql.scopes import CompileError
from assistant.cells.tables import to_json_value
from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryFailed
from assistant.core.values import Budget, Result
from assistant.errors import DataError, SessionError
from assistant.query.guard import check
from assistant.semantics.definitions import condition_fault, faults_of
from assistant.session.answers.verifying import tables_of
from assistant.session.knowledge.entries import Effect, Entry, EntryValue, Outcome
from knowledge.documents import Document, Note, Rule, Term, VerifiedQuery
from knowledge.documents import Metric as MetricDoc
from knowledge.errors import KnowledgeError
from knowledge.relative_days import fill_days
from knowledge.sources.editing import (
    EntryDraft,
    draft_edit,
    draft_removal,
    entry_of,
    last_change,
    said_of,
    take_back,
    write,
)
from knowledge.sources.folder import read_folder

T = TypeVar("T")

ROWS_MAX = 20
SECONDS_MAX = 20
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "term": ("name", "definition"),
    "metric": ("name", "expression", "table"),
    "rule": ("name",),
    "query": ("question", "sql"),
    "note": ("body",),
}

_SQL = {"metric": "expression", "rule": "condition", "term": "sql", "query": "sql"}
"""The field that a failing query comes from."""

Run = Callable[[str, str, Budget], Awaitable["Result"]]
"""Runs a query on the default source of a name."""


class Editing:
    """The entries of the default data's knowledge folder. What fails raises AssistantError, and nothing changed.

    Args:
        place: Gives the knowledge folder of the default data.
        catalogs: Gives the catalogs of the default data.
        run: Runs a query there.
        person: Who changes.
        today: The day.
    """

    def __init__(
        self,
        *,
        place: Callable[[], Awaitable[Path]],
        catalogs: Callable[[], Awaitable[Sequence[Catalog]]],
        run: Run,
        person: Callable[[], str],
        today: Callable[[], date],
    ) -> None:
        self._place = place
        self._catalogs = catalogs
        self._run = run
        self._person = person
        self._today = today

    async def entry(self, id_: str) -> Entry:
        """An entry to be changed.

        Callers: Anyone.

        Raises:
            AssistantError: It is gone, or it stands in a file that is not changed here.
        """
        folder = await self._place()

        def read() -> Entry:
            document = entry_of(folder, id_)
            change = last_change(folder, id_)
            query = document if document.kind == "query" else None
            hidden = ("tables", "sql") if getattr(query, "steps", ()) else ("tables",)
            return Entry(
                id=id_,
                kind=document.kind,
                values={name: value for name, value in said_of(folder, document).items() if name not in hidden},
                by=str(getattr(query, "verifier", "") or document.author or ""),
                on=getattr(query, "verified_on", None) or document.updated,
                undo=f"{change.by} on {change.on:%-d %B %Y}" if change is not None else "",
            )

        return await _told(read)

    async def try_out(self, id_: str, values: Mapping[str, EntryValue]) -> Outcome:
        """The effect that an edit would have; nothing is stored.

        Callers: Anyone.
        """
        return (await self._try(id_, values))[1]

    async def keep(self, id_: str, values: Mapping[str, EntryValue]) -> Outcome:
        """Make a change, unless something is wrong with it.

        Callers: Anyone.
        """
        draft, outcome = await self._try(id_, values)
        if draft is None or draft.document is None or outcome.faults:
            return outcome
        folder = await self._place()
        await _told(lambda: write(folder, draft))
        return replace(outcome, id=draft.document.id)

    async def remove(self, id_: str) -> None:
        """Take an entry out of its file.

        Callers: Anyone.
        """
        folder, by, on = await self._place(), self._person(), self._today()
        await _told(lambda: write(folder, draft_removal(folder, id_, by=by, on=on)))

    async def take_back(self, id_: str) -> None:
        """Undo the last change of an entry, also its removal.

        Callers: Anyone.
        """
        folder = await self._place()
        await _told(lambda: take_back(folder, id_))

    async def _try(self, id_: str, values: Mapping[str, EntryValue]) -> tuple[EntryDraft | None, Outcome]:
        kind = id_.partition(":")[0]
        gaps = {name: "This must say something." for name in _NEEDED[kind] if not values.get(name, "-")}
        if gaps:
            return None, Outcome(faults=gaps)
        folder, catalogs = await self._place(), await self._catalogs()
        by, on = self._person(), self._today()
        if "sql" in values and kind == "query" and catalogs:
            values = {**values, "tables": await asyncio.to_thread(tables_of, str(values["sql"]), catalogs[0].dialect)}
        try:
            draft = await _told(lambda: draft_edit(folder, id_, values, by=by, on=on))
        except SessionError as error:
            return None, Outcome(faults={"": str(error)})
        if draft.document is None:
            return None, Outcome()
        if faults := await asyncio.to_thread(_find_faults, draft.document, catalogs):
            return draft, Outcome(faults=faults)
        try:
            return draft, Outcome(effects=await self._compute_effects(draft.document, catalogs))
        except (QueryFailed, CompileError) as error:
            return draft, Outcome(faults={_SQL.get(kind, ""): str(error)})
        except DataError as error:  # it takes too long, or the source is away: that is no fault of what was written
            return draft, Outcome(effects=(Effect(text=f"It was not computed: {error}"),))

    async def _compute_effects(self, document: Document, catalogs: Sequence[Catalog]) -> tuple[Effect, ...]:
        """What a document comes to."""
        if isinstance(document, VerifiedQuery):
            return (await self._run_query(document, catalogs),)
        effects: list[Effect] = []
        for catalog in catalogs:
            schema = Schema.of(catalog)
            knowledge = await asyncio.to_thread(prepare, [document], schema, self._today())
            for metric in knowledge.metrics:
                effects.append(await self._compute_metric(catalog, schema, metric))
            for rule in knowledge.rules:
                effects.append(await self._count_matching(catalog, schema, rule.condition, negated=True))
            for term in knowledge.terms:
                effects.append(await self._count_matching(catalog, schema, term.value, negated=False))
        return tuple(effects) or (Effect(text=_nothing_computed(document)),)

    async def _compute_metric(self, catalog: Catalog, schema: Schema, metric: NamedMetric) -> Effect:
        """The figure over all rows, as an answer computes it: by the standing rules."""
        folder = await self._place()
        documents = (await asyncio.to_thread(read_folder, folder)).documents
        rules = await asyncio.to_thread(
            prepare, [document for document in documents if isinstance(document, Rule)], schema, self._today()
        )
        query = settle(Grouped(Rows(metric.table), (), (metric.figure,)), schema, rules, lemmas=frozenset())
        by = " and ".join(f"“{rule.name}”" for rule in query.rules)
        return await self._rows(
            catalog,
            await asyncio.to_thread(to_sql, query.query, schema),
            text=f"{metric.names[0]} over all rows{f', by the rule {by}' if by else ''}",
            unit=metric.figure.unit if isinstance(metric.figure, Metric) else "",
        )

    async def _run_query(self, query: VerifiedQuery, catalogs: Sequence[Catalog]) -> Effect:
        """The query run again.

        Raises:
            DataError: It cannot be run.
        """
        if query.steps:
            return Effect(text="Its steps are not run here: they run when the question is asked.")
        sql = fill_days(query.sql, self._today())
        catalog = next((candidate for candidate in catalogs if query.source in (None, candidate.source)), None)
        if catalog is None:
            return Effect(text=f"The source {query.source!r} is not open, so the query was not run.")
        return await self._rows(catalog, sql, text=query.question)

    async def _count_matching(self, catalog: Catalog, schema: Schema, condition: Condition, *, negated: bool) -> Effect:
        """How many rows a condition keeps, and the first of those that it leaves out (`negated`) or matches."""
        table = tables_here(condition)[0]
        counts = Grouped(Rows(table), (), (Count(), Count(condition)))
        counted = await asyncio.to_thread(to_sql, counts, schema)
        (total, matching), *_ = (await self._rows(catalog, counted)).rows
        rows_condition = Not(condition) if negated else condition
        listing = Listing(Rows(table, rows_condition), schema.tables[table].columns, limit=Limit(ROWS_MAX))
        listed = await asyncio.to_thread(to_sql, listing, schema)
        left = int(str(total or 0)) - int(str(matching or 0))
        text = (
            f"Of {int(str(total or 0)):,} rows of {table} it leaves out {left:,}."
            if negated
            else f"It is true of {int(str(matching or 0)):,} of {int(str(total or 0)):,} rows of {table}."
        )
        effect = await self._rows(catalog, listed, text=text)
        return replace(effect, total=left if negated else int(str(matching or 0)))

    async def _rows(self, catalog: Catalog, sql: str, *, text: str = "", unit: str = "") -> Effect:
        refusal = await asyncio.to_thread(check, sql, dialect=catalog.dialect)
        if refusal is not None:
            raise QueryFailed(refusal.message)
        result = await self._run(catalog.source, sql, Budget(timeout_s=SECONDS_MAX))
        first = result.table.slice(0, ROWS_MAX)
        columns = [[to_json_value(value) for value in column.to_pylist()] for column in first.columns]
        return Effect(
            text=text, sql=sql, columns=result.columns, rows=tuple(zip(*columns, strict=True)), total=result.rows,
            unit=unit,
        )  # fmt: skip


async def _told(work: Callable[[], T]) -> T:
    """Work on files, its errors as those of the front door."""
    try:
        return await asyncio.to_thread(work)
    except KnowledgeError as error:
        raise SessionError(str(error)) from error


def _find_faults(document: Document, catalogs: Sequence[Catalog]) -> dict[str, str]:
    """What is wrong with a document, by field."""
    match document:
        case MetricDoc():
            faults = {fault.field: fault.message for fault in faults_of([document], catalogs)}
        case Rule(condition=str(condition)):
            bound = {table.name for c in catalogs for name in document.applies_to if (table := c.table(name))}
            home = next(iter(bound)) if len(bound) == 1 else None
            faults = {"condition": condition_fault(condition, home, catalogs)}
        case Term(sql=str(sql)):
            faults = {"sql": condition_fault(sql, document.table, catalogs)}
        case _:
            faults = {}
    messages = {field: f"{text[:1].upper()}{text[1:]}" for field, text in faults.items() if text}
    return {field: text if text.endswith("?") else f"{text}." for field, text in messages.items()}


def _nothing_computed(document: Document) -> str:
    """What is said of an entry that nothing can be computed with."""
    match document:
        case Rule():
            return (
                "The rule has no condition in SQL: answers repeat it in words, and a model is told of it, but the "
                "embedded analyst computes nothing by it."
            )
        case Term():
            return "It is a definition in words."
        case Note():
            return "Notes are looked up for the questions that they bear on; nothing is computed with them."
        case _:
            return "It speaks of a source that is not open, so nothing was computed."
