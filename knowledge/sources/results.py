"""Fingerprints of the results of verified queries (`queries/results.json`); they contain no value of the data.

Stored when a person marks an answer right, and by `tandem check --keep-results`. Only Tandem writes the file: where it
is damaged or missing, nothing is compared until results are stored again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from knowledge.documents import VerifiedQuery
from knowledge.errors import KnowledgeError
from knowledge.sources.file_writer import write_file

FILE = "queries/results.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult:
    """The stored result of a query.

    Attributes:
        sql: A hash of the SQL that gave it: other SQL has another result.
        fingerprint: Of the rows (`assistant.sources.fingerprints`).
        rows: How many there were.
        columns: What they were called.
        on: The day, which is also what `{today}` stood for.
    """

    sql: str
    fingerprint: str
    rows: int
    columns: tuple[str, ...]
    on: date


_ADAPTER = TypeAdapter(dict[str, KeptResult])


def sql_hash(query: VerifiedQuery) -> str:
    """A name for a query's SQL, however it is laid out."""
    return sha256(" ".join(query.code.split()).encode()).hexdigest()[:16]


def read_results(folder: Path) -> dict[str, KeptResult]:
    """The kept results by the id of their query; none where nothing can be read."""
    try:
        return _ADAPTER.validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError):
        return {}


def keep_results(folder: Path, results: Mapping[str, KeptResult], *, without: str = "") -> None:
    """Keep results beside those that are kept already, and that of the query `without` no more.

    Raises:
        KnowledgeError: The folder cannot be written.
    """
    stored = read_results(folder)
    merged = {id_: result for id_, result in {**stored, **results}.items() if id_ != without}
    if merged == stored:
        return
    text = json.dumps(_ADAPTER.dump_python(merged, mode="json"), ensure_ascii=False, indent=1, sort_keys=True)
    try:
        write_file(folder / FILE, f"{text}\n", instead=True)
    except OSError as error:
        raise KnowledgeError(
            f"The results could not be kept in {str(folder / FILE)!r}: {error.strerror}. Make the folder writable."
        ) from error
