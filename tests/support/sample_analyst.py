"""The embedded analyst on the sample company, as its tests share it."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from rights_of_person import PERSON

from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Outcome, Understood
from assistant.core.catalog import Catalog
from assistant.functions.library import list_shipped, list_studies
from assistant.sample.company import write_sample
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from knowledge.documents import Document
from knowledge.sources.folder import read_folder

AS_OF = date(2026, 11, 21)
Rows = list[tuple[object, ...]]


@cache
def _company() -> tuple[Path, Catalog, tuple[Document, ...]]:
    folder = Path(tempfile.mkdtemp(prefix="tandem-sample-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = write_sample(folder / "company", as_of=AS_OF)

    async def read() -> Catalog:
        source = await open_source(parse_addresses(str(made.database), PERSON)[0], folder=folder / "opened")
        try:
            return await source.catalog()
        finally:
            await source.close()

    documents = read_folder(made.database.parent / "knowledge").documents
    return made.database, asyncio.run(read()), tuple(documents)


@cache
def sample_analyst(*more: Document) -> Analyst:
    """The analyst with the sample's knowledge, and more documents."""
    _, catalog, documents = _company()
    return Analyst((catalog,), (*documents, *more), AS_OF, functions=list_studies(list_shipped()))


def rows_of(sql: str) -> Rows:
    """What a statement gives on the sample company."""
    return list(_rows(sql))


@lru_cache(maxsize=64)
def _rows(sql: str) -> tuple[tuple[object, ...], ...]:
    """Kept for a while: the readings that are run before a question is decided are often those that answer it."""
    database, _, _ = _company()
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return tuple(connection.execute(sql).fetchall())


def meant(*questions: str, analyst: Analyst | None = None) -> Meaning:
    """The meaning of the last of some questions, each asked after the one before.

    Raises:
        AssertionError: one of them is not understood.
    """
    reader = analyst or sample_analyst()
    meaning: Meaning | None = None
    for question in questions:
        outcome = reader.read(question, meaning)
        assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
        meaning = outcome.meaning
    assert meaning is not None
    return meaning


def asked(question: str) -> Outcome:
    """What comes of a question once its likely readings were run, as in a session."""
    analyst, runs = sample_analyst(), QueryRuns()
    first = analyst.read(question, None, runs)
    runs.add({(source, sql): ResultSummary.of(rows_of(sql)) for source, sql in runs.wanted})
    return analyst.read(question, None, runs) if runs.known else first


def answered(*questions: str) -> Rows:
    """The rows that answer the last of some questions."""
    return rows_of(sample_analyst().sql(meant(*questions)))


def restated(*questions: str) -> str:
    """How the last of some questions was understood."""
    return sample_analyst().restated(meant(*questions))


def columns(rows: Sequence[tuple[object, ...]], place: int) -> list[object]:
    """One column of some rows."""
    return [row[place] for row in rows]
