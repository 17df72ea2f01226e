"""Verified queries (`queries/*.yaml`): questions with the SQL that a person marked right; read, stored and revoked.

Storing one is the only way in which Tandem learns, and needs a person's decision, which the caller has. There is one
file for each query, so that a revision history shows who marked which. A file that a person wrote or edited is never
overwritten or deleted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, PositiveInt, model_validator

from knowledge.documents import VerifiedQuery, VerifiedStep
from knowledge.errors import KnowledgeError
from knowledge.sources.entries import Day, Header, Text, read_entries, topic_of
from knowledge.sources.file_writer import file_of, format_fields, write_file
from knowledge.sources.problems import FileReading
from knowledge.sources.results import keep_results


class StepEntry(BaseModel):
    """One cell of a verified answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Text
    language: Literal["sql", "python"]
    code: Text


class QueryEntry(Header):
    """One verified query: a whole file, or one item of `queries:`. It has `sql`, or else `steps`."""

    question: Text
    sql: Text = ""
    verifier: Text
    verified_on: Day
    tables: tuple[Text, ...] = ()
    steps: tuple[StepEntry, ...] = ()
    shown: tuple[PositiveInt, ...] = ()
    asked: Text = ""

    @model_validator(mode="after")
    def _has_code(self) -> Self:
        if bool(self.sql) == bool(self.steps):
            raise ValueError("give `sql`, or else `steps`")
        if any(number > len(self.steps) for number in self.shown):
            raise ValueError("`shown` names a step that is not there")
        return self


def read_queries(text: str, *, origin: str) -> FileReading[VerifiedQuery]:
    """Read the verified queries of one file."""
    entries = read_entries(text, origin=origin, key="queries", entry=QueryEntry, single=True)
    folder = topic_of(origin)
    return FileReading(
        documents=tuple(
            VerifiedQuery(
                question=entry.question,
                sql=entry.sql,
                verifier=entry.verifier,
                verified_on=entry.verified_on,
                tables=entry.tables,
                steps=tuple(VerifiedStep(**step.model_dump()) for step in entry.steps),
                shown=entry.shown,
                asked=entry.asked,
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


def keep_query(folder: Path, query: VerifiedQuery) -> Path:
    """Write a verified query into the knowledge folder. Where it is there already, nothing changes.

    Returns:
        The file that holds it, under `queries/` if it is written now.

    Raises:
        KnowledgeError: The folder cannot be written, or other SQL was marked right for the same question and source.
    """
    if (existing := find_query(folder, query.id)) is not None:
        return _file_of_same(folder, existing, query)
    place = _place(folder, query)
    try:
        write_file(place, _written(query))
    except FileExistsError as error:
        if (existing := find_query(folder, query.id)) is not None:  # somebody else was quicker
            return _file_of_same(folder, existing, query)
        raise KnowledgeError(
            f"The query could not be kept: {str(error.filename2 or error.filename)!r} is in the way. "
            "Fix or move the file."
        ) from error
    except OSError as error:
        raise KnowledgeError(
            f"The query could not be kept in {str(place)!r}: {error.strerror}. Make the folder writable."
        ) from error
    return place


def find_query(folder: Path, id_: str) -> VerifiedQuery | None:
    """The verified query of that id as the folder holds it now; None where there is none."""
    matches = (query for file in _files(folder) for query in _read(folder, file) if query.id == id_)
    return next(matches, None)


def is_kept(folder: Path, query: VerifiedQuery) -> bool:
    """Whether a query that was read stands in a file just as `keep_query` wrote it, which no person has edited."""
    place = _place(folder, query)
    try:
        return folder / query.origin == place and place.read_text(encoding="utf-8") == _written(query)
    except (OSError, UnicodeDecodeError):
        return False


def revoke_query(folder: Path, query: VerifiedQuery) -> None:
    """Remove a query that `keep_query` wrote and nobody has edited since.

    Raises:
        KnowledgeError: A person wrote or edited its file, it is gone, or it cannot be removed.
    """
    place = folder / query.origin if query.origin else _place(folder, query)
    if place != _place(folder, query):
        raise KnowledgeError(
            f"{query.question!r} was not kept by Tandem but written in {query.origin!r}; delete it there."
        )
    try:
        if place.read_text(encoding="utf-8") != _written(query):
            raise KnowledgeError(f"{str(place)!r} was edited by hand since; delete it there.")
        place.unlink()
        keep_results(folder, {}, without=query.id)
    except OSError as error:
        raise KnowledgeError(f"{query.question!r} could not be revoked: {error.strerror}.") from error


def _file_of_same(folder: Path, existing: VerifiedQuery, query: VerifiedQuery) -> Path:
    """The file of a query that is known already.

    Raises:
        KnowledgeError: It answers that question otherwise: only a person can say which of the two is right.
    """
    if not existing.has_same_code(query):
        raise KnowledgeError(
            f"{existing.verifier} marked other {'SQL' if existing.sql else 'code'} right for {existing.question!r} on "
            f"{existing.verified_on.isoformat()} ({existing.origin}). Revoke that first, if this is the right one."
        )
    return folder / existing.origin


def _files(folder: Path) -> list[Path]:
    """The files that hold verified queries."""
    return sorted(
        file
        for file in folder.rglob("queries/*")
        if file.suffix.lower() in (".yaml", ".yml")
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and file.is_file()
    )


def _read(folder: Path, file: Path) -> tuple[VerifiedQuery, ...]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ()  # reading the whole folder tells of it
    return read_queries(text, origin=file.relative_to(folder).as_posix()).documents


def _written(query: VerifiedQuery) -> str:
    fields: dict[str, object] = {
        "question": query.question.strip(),
        "asked": query.asked.strip(),
        "sql": query.sql.strip(),
        "steps": [{"title": step.title, "language": step.language, "code": step.code} for step in query.steps],
        "shown": list(query.shown),
        "source": query.source,
        "tables": list(query.tables),
        "verifier": query.verifier.strip(),
        "verified_on": query.verified_on,
        "topic": query.topic or None,
        "author": query.author,
        "updated": query.updated,
    }
    return format_fields(fields)


def _place(folder: Path, query: VerifiedQuery) -> Path:
    return file_of(folder, "queries", query.id)
