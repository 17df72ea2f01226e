"""`metrics.yaml`: the figures a business counts by, each a `Metric`."""

from __future__ import annotations

from knowledge.documents import Metric
from knowledge.sources.entries import Header, Text, read_entries, topic_of
from knowledge.sources.problems import FileReading
from knowledge.units import unit_of


class MetricEntry(Header):
    """One item of `metrics:`."""

    name: Text
    expression: Text
    table: Text
    definition: str = ""
    synonyms: tuple[Text, ...] = ()
    filters: tuple[Text, ...] = ()
    joins: tuple[Text, ...] = ()
    date_column: Text | None = None
    unit: Text | None = None
    unit_symbol: Text | None = None
    dimensions: tuple[Text, ...] = ()


def read_metrics(text: str, *, origin: str) -> FileReading[Metric]:
    """Read the metrics of one file."""
    entries = read_entries(text, origin=origin, key="metrics", entry=MetricEntry)
    folder = topic_of(origin)
    units = [unit_of(entry.unit, entry.unit_symbol) for entry, _ in entries.entries]
    return FileReading(
        documents=tuple(
            Metric(
                name=entry.name,
                expression=entry.expression,
                table=entry.table,
                definition=entry.definition,
                synonyms=entry.synonyms,
                filters=entry.filters,
                joins=entry.joins,
                date_column=entry.date_column,
                unit=unit,
                unit_symbol=symbol,
                dimensions=entry.dimensions,
                topic=entry.topic or entries.header.topic or folder,
                origin=origin,
                author=entry.author or entries.header.author,
                updated=entry.updated or entries.header.updated,
                source=entry.source or entries.header.source,
            )
            for (entry, _), (unit, symbol) in zip(entries.entries, units, strict=True)
        ),
        problems=entries.problems,
    )
