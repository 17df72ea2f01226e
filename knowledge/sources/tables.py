"""Glossaries as tables (`.csv`, `.tsv`): a row for each term, with at least the columns `term` and `definition`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from io import StringIO

from knowledge.documents import Term
from knowledge.sources.entries import topic_of
from knowledge.sources.problems import FileReading, Problem

_COLUMNS = {
    "name": ("term", "name", "word"),
    "definition": ("definition", "meaning", "description"),
    "synonyms": ("synonyms", "synonym", "aliases", "also"),
    "author": ("author", "owner"),
    "updated": ("updated", "date"),
    "source": ("source",),
}
_PARTED_BY = ",;\t"
_NEEDED = "give it columns 'term' and 'definition', or move it out of the folder if it is no glossary"


def read_table(text: str, *, origin: str) -> FileReading[Term]:
    """Read the terms of one table. Synonyms of a term stand in one cell, parted by semicolons or commas."""
    rows = csv.reader(StringIO(text), delimiter=_delimiter(text))
    documents: list[Term] = []
    problems: list[Problem] = []
    try:
        places = _places(next(rows, []))
        if not {"name", "definition"} <= places.keys():
            return FileReading(
                problems=(Problem(origin=origin, line=1, message=f"is not read as a glossary; {_NEEDED}"),)
            )
        for row in rows:
            try:
                documents += _term(row, places, origin)
            except ValueError as error:
                problems.append(Problem(origin=origin, line=rows.line_num, message=str(error)))
    except csv.Error as error:
        problems.append(Problem(origin=origin, line=rows.line_num, message=f"is not a valid table ({error})"))
    return FileReading(documents=tuple(documents), problems=tuple(problems))


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max(_PARTED_BY, key=head.count)


def _places(head: list[str]) -> dict[str, int]:
    """Which column holds what."""
    names = [name.strip().casefold() for name in head]
    columns = {
        field: next((names.index(name) for name in aliases if name in names), None)
        for field, aliases in _COLUMNS.items()
    }
    return {field: place for field, place in columns.items() if place is not None}


def _term(row: list[str], places: dict[str, int], origin: str) -> Iterator[Term]:
    """The term of a row; none of an empty one.

    Raises:
        ValueError: It lacks its name or its definition, or its date is none.
    """
    cells = {field: row[place].strip() for field, place in places.items() if place < len(row)}
    if not any(row):
        return
    if not cells.get("name") or not cells.get("definition"):
        raise ValueError("the row lacks its term or its definition; fill both cells")
    updated_text = cells.get("updated")
    try:
        updated = date.fromisoformat(updated_text) if updated_text else None
    except ValueError:
        raise ValueError(f"{updated_text!r} is no date; write it like 2026-01-31") from None
    yield Term(
        name=cells["name"],
        definition=cells["definition"],
        synonyms=tuple(
            synonym.strip() for synonym in cells.get("synonyms", "").replace(";", ",").split(",") if synonym.strip()
        ),
        author=cells.get("author") or None,
        updated=updated,
        source=cells.get("source") or None,
        topic=topic_of(origin),
        origin=origin,
    )
