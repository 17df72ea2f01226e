"""Six suggested questions of different kinds, from the data and the knowledge about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.analyst.schema import Schema
from assistant.connections.descriptions import Starter
from assistant.connections.starter_questions import KINDS, Figure, Kind, choose_starters
from knowledge.documents import Document, Metric

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog

_METRICS_MAX = 2


def build_starters(
    catalogs: Sequence[Catalog], documents: Sequence[Document], today: date, *, reads: Callable[[str], bool]
) -> tuple[Starter, ...]:
    """Of each kind the first question that can be read, in the order of the kinds. Takes a moment: blocks.

    Args:
        catalogs: The sources, the first one first.
        documents: What is known; metrics are asked for before columns.
        today: The day that counts as today.
        reads: Whether a question can be answered.
    """
    questions: dict[Kind, str] = {}
    for catalog in catalogs:
        if len(questions) == len(KINDS):
            break
        for kind, text in choose_starters(Schema.of(catalog), _metrics(catalog, documents), today, reads=reads):
            questions.setdefault(kind, text)
    return tuple(Starter(kind=kind, text=questions[kind]) for kind in KINDS if kind in questions)


def _metrics(catalog: Catalog, documents: Sequence[Document]) -> tuple[Figure, ...]:
    metrics = [metric for metric in documents if isinstance(metric, Metric) and catalog.table(metric.table) is not None]
    return tuple(
        Figure(words=metric.name, table=metric.table, dated=bool(metric.date_column), is_metric=True)
        for metric in metrics[:_METRICS_MAX]
    )
