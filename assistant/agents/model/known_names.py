"""Names that an answer may use besides those of its results: words of the turn, and names known from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.core.events import Execution
from assistant.core.turns import Turn
from assistant.record.memory.wording import describe_outputs

if TYPE_CHECKING:
    from assistant.agents.roles import SessionContext
    from assistant.core.catalog import Catalog


def list_words_of_turn(turn: Turn, *, today: str) -> Iterator[str]:
    """What stands in the turn besides result tables, and may be repeated in its answer, figures included."""
    yield from (today, turn.question, *turn.replies)
    for plan in turn.plans:
        yield from (plan.restated, *plan.assumptions, *(step.instruction for step in plan.steps))
        yield from (citation.excerpt for citation in plan.citations)
    for item in turn.proposals:
        yield from (item.proposal.title, item.proposal.code, *item.proposal.operations)
    for decision in turn.decisions:
        yield from (decision.reason, *(step.instruction for step in decision.steps or ()))
    for execution in turn.ran:
        yield from (execution.code, describe_outputs(execution.outputs))  # what ran, edits of the person included
        yield from _list_counts(execution)


def _list_counts(ran: Execution) -> Iterator[str]:
    """What the program counted: rows of queries and of what the cell holds, and what its checks found."""
    yield from (str(run.rows) for run in ran.queries)
    yield from (" x ".join(map(str, variable.shape or ())) for variable in ran.variables)
    yield from (check.detail for check in ran.checks)


async def list_known_names(context: SessionContext) -> tuple[str, ...]:
    """Texts whose names may be said, though not their figures: knowledge, and what the sources are made of."""
    from knowledge.documents import Metric

    documents = await context.documents()
    catalogs = await context.catalogs()
    return (
        *(document.text for document in documents),
        *(str(unit) for d in documents if isinstance(d, Metric) for unit in (d.unit, d.unit_symbol) if unit),
        *(word for catalog in catalogs for word in _list_words(catalog)),
    )


async def list_known_domains(context: SessionContext) -> tuple[frozenset[str], ...]:
    """For each column of the sources that has few texts, all of these."""
    columns = (column for catalog in await context.catalogs() for table in catalog.tables for column in table.columns)
    profiles = (column.profile for column in columns if column.profile is not None and not column.profile.sampled)
    return tuple(frozenset(profile.values) for profile in profiles if profile.values)


def _list_words(catalog: Catalog) -> Iterator[str]:
    yield catalog.source
    for table in catalog.tables:
        yield from (table.name, table.comment or "")
        for column in table.columns:
            yield from (column.name, column.comment or "")
            yield from map(str, column.profile.values or () if column.profile is not None else ())
