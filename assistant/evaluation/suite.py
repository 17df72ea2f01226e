"""A suite: JSON lines of questions with the SQL whose result counts as right. Reading only; nothing is run here.

    {"id": "q1", "question": "How many orders?", "source": "shop.sqlite", "sql": ["SELECT COUNT(*) FROM orders"]}

`source` is a path relative to the suite's folder, or a URL. `instructions` (optional) are business definitions, as an
analyst would have them in the knowledge base; those of one source hold for all its questions. `answers` (optional) are
the rows that each gold gives, null where they are to be run: for sources that another engine's gold cannot be run on.
With `answers`, `sql` may be empty: nothing answers the question, and to decline is right. Other fields are ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.errors import AssistantError

Text = Annotated[str, Field(min_length=1)]


class SuiteError(AssistantError):
    """A suite or a report of one cannot be read or written; the text names the line and the field."""


Rows = list[list[str | int | float | bool | None]]


class Case(BaseModel):
    """One question. Any of the `sql` counts as right; `answers` are their rows, where the suite gives them."""

    model_config = ConfigDict(frozen=True, strict=True)

    id: Text
    question: Text
    source: Text
    sql: list[Text]
    answers: list[Rows | None] | None = None
    instructions: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """The questions of a file, in its order. `digest` is the SHA-256 of the file's bytes, in hexadecimal."""

    path: Path
    cases: tuple[Case, ...]
    digest: str

    def address(self, source: str) -> str:
        """Where a case's source is, as `--source` takes it."""
        return source if "://" in source else str(self.path.parent / source)

    def definitions(self, source: str) -> tuple[str, ...]:
        """The business definitions for a source: the lines of all its cases' instructions, each of them once."""
        lines = (line.strip() for case in self.cases if case.source == source for line in case.instructions.split("\n"))
        return tuple(dict.fromkeys(line for line in lines if line))


def read_suite(path: Path) -> Suite:
    """Read a suite.

    Raises:
        SuiteError: the file cannot be read, or a line is not a question; the text names the line and the field.
    """
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8").split("\n")
    except OSError as error:
        raise SuiteError(f"The suite {path.name!r} cannot be read ({error.strerror}). Check its path.") from None
    except UnicodeDecodeError:
        raise SuiteError(f"The suite {path.name!r} is not UTF-8 text. A suite is JSON lines.") from None
    cases: list[Case] = []
    line_of_id: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        case = _case(line, where=f"Line {number} of {path.name!r}")
        if case.id in line_of_id:
            raise SuiteError(
                f"Line {number} of {path.name!r}, field 'id': {case.id!r} is already the id of line "
                f"{line_of_id[case.id]}. Give each question its own."
            )
        if "://" not in case.source and not (path.parent / case.source).exists():
            raise SuiteError(
                f"Line {number} of {path.name!r}, field 'source': there is no file {case.source!r} in the suite's "
                "folder. Paths are relative to it."
            )
        line_of_id[case.id] = number
        cases.append(case)
    if not cases:
        raise SuiteError(f"The suite {path.name!r} holds no question. A suite has one JSON object on each line.")
    return Suite(path=path, cases=tuple(cases), digest=hashlib.sha256(content).hexdigest())


def _case(line: str, *, where: str) -> Case:
    try:
        case = Case.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid" or not first["loc"]:
            raise SuiteError(
                f"{where} is not a JSON object ({first['msg']}). Write one question on each line."
            ) from None
        field = ".".join(str(part) for part in first["loc"])
        raise SuiteError(
            f"{where}, field {field!r}: {first['msg']}. A question has id, question, source and a list sql."
        ) from None
    if not case.sql and case.answers is None:
        raise SuiteError(f"{where}, field 'sql': it is empty. Give a gold query, or answers: [] if nothing answers it.")
    return case


def definitions_folder(definitions: Sequence[str], folder: Path) -> Path:
    """Write business definitions as a note of a knowledge folder; gives the folder.

    They are free text, so they are notes: what makes metrics or rules of them is the reader's affair.
    """
    notes = folder / "notes"
    notes.mkdir(parents=True, exist_ok=True)
    text = "# Business definitions\n\n" + "\n\n".join(definitions) + "\n"
    (notes / "definitions.md").write_text(text, encoding="utf-8")
    return folder
