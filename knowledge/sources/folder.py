"""Reads a knowledge folder: each file by its name, each fault as a problem.

    glossary.yaml · terms/*.yaml · metrics.yaml · rules.md · queries/*.yaml · semantic/*.yaml · any other *.md · *.csv

Subfolders are topics. Hidden files and links that lead out of the folder are not read. PDF, Office files and web pages
are listed here and read elsewhere (`knowledge.files`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from knowledge.documents import Document
from knowledge.errors import DocumentMalformed
from knowledge.semantic.files import models_of, read_semantic
from knowledge.semantic.model import SemanticModel
from knowledge.sources.glossary import read_glossary, read_metrics, read_term_file
from knowledge.sources.notes import read_notes
from knowledge.sources.problems import FileReading, Problem
from knowledge.sources.queries import read_queries
from knowledge.sources.rules import read_rules
from knowledge.sources.tables import read_table

_FILE_BYTES_MAX = 1_000_000
_YAML = {".yaml", ".yml"}
_MARKDOWN = {".md", ".markdown"}
FUNCTIONS = "functions"
LESSONS = "lessons"
"""The subfolder of tested functions, which are not read here."""
TABLES = {".csv", ".tsv"}
"""Glossaries as tables."""
DOCUMENT_FILES = {".pdf": "PDF", ".docx": "Word", ".pptx": "PowerPoint", ".html": "HTML", ".htm": "HTML"}
"""Files that libraries for hostile formats read, by what they are called."""
DOCUMENT_FILES_REFUSED = {
    ".doc": "is of an old Word; save it as .docx",
    ".docm": "may hold macros; save it as .docx",
    ".ppt": "is of an old PowerPoint; save it as .pptx",
    ".pptm": "may hold macros; save it as .pptx",
}
"""Their relatives that are not read, with what to do."""


class FileReader(Protocol):
    """Turns one file's text into documents and problems."""

    def __call__(self, text: str, *, origin: str) -> FileReading[Document]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderReading:
    """What a knowledge folder holds, in order of path, and what in it could not be read."""

    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_folder(path: Path) -> FolderReading:
    """Read every knowledge file under `path`; faults are values, so this raises nothing for a bad file."""
    documents: list[Document] = []
    problems: list[Problem] = []
    if not path.is_dir():
        message = "there is no such folder; create it, or name another in the configuration"
        return FolderReading(problems=(Problem(origin=str(path), message=message),))
    files = knowledge_files(path)
    for file in files:
        if is_document_file(file):
            continue
        reading = _read_file(path, file)
        documents += reading.documents
        problems += reading.problems
    if not files and not any((path / name).is_dir() for name in (FUNCTIONS, LESSONS)):
        message = "the folder holds no knowledge yet; start with a glossary.yaml that has a list under 'terms'"
        problems.append(Problem(origin=path.name, message=message))
    distinct, doubles = drop_duplicates(documents)
    return FolderReading(documents=distinct, problems=(*problems, *doubles))


def drop_duplicates(documents: Iterable[Document]) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """Keep the first document of every id; each further one is a problem."""
    distinct: dict[str, Document] = {}
    problems: list[Problem] = []
    for document in documents:
        first = distinct.setdefault(document.id, document)
        if first is not document:
            message = (
                f"this {document.kind} is already defined in {first.origin!r}, whose version is kept; "
                "rename or delete one of them"
            )
            problems.append(Problem(origin=document.origin, entry=repr(document.title), message=message))
    return tuple(distinct.values()), tuple(problems)


def knowledge_files(folder: Path) -> list[Path]:
    """What is read of a folder, by what the files' names promise; nothing where there is no such folder."""
    return sorted(
        file
        for file in folder.rglob("*")
        if (file.suffix.lower() in _YAML | _MARKDOWN | TABLES or is_document_file(file))
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
        and not file.is_dir()
        and not _is_of_function(folder, file)
        and file.parent != folder / LESSONS
    )


def _is_of_function(folder: Path, file: Path) -> bool:
    """Whether a file describes a function beside it (`functions/NAME.py`), and is read with that."""
    return file.parent == folder / FUNCTIONS and file.with_suffix(".py").exists()


def is_document_file(file: Path) -> bool:
    """Whether a file is, by its name, one that `knowledge.files` reads or refuses."""
    return file.suffix.lower() in DOCUMENT_FILES | DOCUMENT_FILES_REFUSED


def leads_out(folder: Path, file: Path) -> bool:
    """Whether a file is a link to somewhere outside of the folder.

    Raises:
        OSError: It leads nowhere.
    """
    # `Path.resolve` raises a RuntimeError for a link to itself.
    return not Path(os.path.realpath(file, strict=True)).is_relative_to(folder.resolve())


LEADS_OUT = "is a link that leads out of the knowledge folder; put a copy in its place"


def _read_file(folder: Path, file: Path) -> FileReading[Document]:
    origin = file.relative_to(folder).as_posix()

    def fault(message: str) -> FileReading[Document]:
        return FileReading(problems=(Problem(origin=origin, message=message),))

    reader = reader_for(file)
    if reader is None:
        return fault(
            "is not read: name it glossary.yaml or metrics.yaml, put it in queries/ or terms/, "
            "or move it out of the folder"
        )
    try:
        return reader(read_text(folder, file), origin=origin)
    except DocumentMalformed as error:
        return FileReading(problems=(Problem(origin=origin, line=error.line, message=str(error)),))


def read_text(folder: Path, file: Path) -> str:
    """The text of a file.

    Raises:
        DocumentMalformed: It lies elsewhere, is too large, is no text, or cannot be read.
    """
    try:
        if leads_out(folder, file):
            raise DocumentMalformed(LEADS_OUT)
        if file.stat().st_size > _FILE_BYTES_MAX:
            raise DocumentMalformed(f"is larger than {_FILE_BYTES_MAX:,} bytes; split it")
        raw = file.read_bytes()
    except OSError as error:
        message = f"cannot be read ({error.strerror or error}); check the file and its permissions"
        raise DocumentMalformed(message) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DocumentMalformed("is not UTF-8 text; save it again with the encoding UTF-8", line=line) from error
    if (place := text.find("\0")) >= 0 and file.suffix.lower() not in _YAML:  # YAML tells of more characters
        line = text.count("\n", 0, place) + 1
        raise DocumentMalformed("is not text: it holds a zero byte; save it again as text", line=line)
    return text


def read_models(folder: Path) -> tuple[SemanticModel, ...]:
    """The semantic models of a knowledge folder; `read_folder` tells which files cannot be read."""
    models: list[SemanticModel] = []
    for file in knowledge_files(folder):
        if reader_for(file) is read_semantic:
            with suppress(DocumentMalformed):
                models += models_of(read_text(folder, file), origin=file.name)[0]
    return tuple(models)


def reader_for(file: Path) -> FileReader | None:
    """What reads a file of that name; None where nothing does."""
    if file.suffix.lower() in _MARKDOWN:
        return read_rules if file.stem.lower() == "rules" else read_notes
    if file.suffix.lower() in TABLES:
        return read_table
    if file.parent.name == "queries":
        return read_queries
    if file.parent.name == "semantic":
        return read_semantic
    if file.parent.name == "terms":
        return read_term_file
    return {"glossary": read_glossary, "metrics": read_metrics}.get(file.stem.lower())
