"""Readers of `glossary.yaml` and `terms/*.yaml` (each entry a `Term`), and of `metrics.yaml` (each a `Metric`)."""

from __future__ import annotations

from knowledge.documents import Metric, Term
from knowledge.sources.entries import Entries, Header, Text, read_entries, topic_of
from knowledge.sources.problems import FileReading
from knowledge.units import unit_of


class TermEntry(Header):
    """One item of `terms:`, or a whole file of `terms/`."""

    name: Text
    definition: Text
    synonyms: tuple[Text, ...] = ()
    sql: Text | None = None
    table: Text | None = None


def read_glossary(text: str, *, origin: str) -> FileReading[Term]:
    """Read the terms of one glossary file."""
    return _terms(read_entries(text, origin=origin, key="terms", entry=TermEntry), origin=origin)


def read_term_file(text: str, *, origin: str) -> FileReading[Term]:
    """Read a file of `terms/`: one term, or a list of them."""
    return _terms(read_entries(text, origin=origin, key="terms", entry=TermEntry, single=True), origin=origin)


def _terms(entries: Entries[TermEntry], *, origin: str) -> FileReading[Term]:
    folder = topic_of(origin)
    return FileReading(
        documents=tuple(
            Term(
                name=entry.name,
                definition=entry.definition,
                synonyms=entry.synonyms,
                sql=entry.sql,
                table=entry.table,
                topic=entry.topic or entries.header.topic or folder,
                origin=origin,
                author=entry.author or entries.header.author,
                updated=entry.updated or entries.header.updated,
                source=entry.source or entries.header.source,
            )
            for entry, _ in entries.entries
        ),
        problems=entries.problems,
    )


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
