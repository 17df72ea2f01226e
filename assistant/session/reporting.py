"""A session as a report to read, and as a script: what the page offers besides the notebook."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from assistant.cells.tables import json_value
from assistant.errors import SessionError
from assistant.events import Answer, Event, Execution, Question, SourceAdded
from assistant.reports.document import ROWS_SHOWN, Section, document

if TYPE_CHECKING:
    from assistant.session.session import Session


_QUESTION = re.compile(r"## \d+\. (.+)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


async def report_of(session: Session, *, today: date) -> bytes:
    """The answers of a session as one HTML file, with their tables, charts and queries.

    Raises:
        AssistantError: columns were masked that it has shown, and another program is at work on it.
    """
    await session.heed_masks()
    events = [entry.event for entry in session.events()]
    sources = ", ".join(dict.fromkeys(event.display for event in events if isinstance(event, SourceAdded)))
    sections = await asyncio.to_thread(_sections, session, events)
    made = f"Made on {today:%-d %B %Y}" + (f" from {sources}" if sources else "")
    return document(session.title or "Questions", sections, made=made)


def script_of(notebook: bytes) -> bytes:
    """A notebook as a Python script: its texts as comments, its cells in order."""
    import nbformat

    read = nbformat.reads(notebook.decode(), as_version=4)
    parts: list[str] = []
    for cell in read.cells:
        source = str(cell.source).rstrip()
        if cell.cell_type == "code":
            parts.append(source)
        else:
            parts.append("\n".join(f"# {line}".rstrip() for line in source.splitlines()))
    return ("\n\n".join(filter(None, parts)) + "\n").encode()


def questions_of(notebook: bytes) -> tuple[str, ...]:
    """The questions of a notebook that was exported here, in order. Pure.

    Raises:
        SessionError: it is no notebook, or holds no question.
    """
    import nbformat

    try:
        read = nbformat.reads(notebook.decode(), as_version=4)
        cells = [str(cell.source) for cell in read.cells if cell.cell_type == "markdown"]
    except Exception as error:  # nbformat raises whatever its parts raise on what is no notebook
        raise SessionError("That file is no notebook. Choose one that ends in .ipynb.") from error
    found = tuple(_ESCAPED.sub(r"\1", match[1]) for cell in cells if (match := _QUESTION.match(cell)))
    if not found:
        raise SessionError("No question stands in that notebook. Choose one that Tandem exported.")
    return found


def _sections(session: Session, events: Sequence[Event]) -> list[Section]:
    asked = {event.turn: event.text for event in events if isinstance(event, Question)}
    return [
        _section(session, events, event, asked.get(event.turn, "")) for event in events if isinstance(event, Answer)
    ]


def _section(session: Session, events: Sequence[Event], answer: Answer, question: str) -> Section:
    from assistant.notebook.drawing import png_of

    table = session.table(answer.table, rows_max=ROWS_SHOWN) if answer.table else None
    chart = session.chart(answer.chart) if answer.chart else None
    ran = [event for event in events if isinstance(event, Execution) and event.turn == answer.turn]
    return Section(
        heading=question,
        text=answer.text,
        columns=table.columns if table else (),
        rows=tuple(tuple(json_value(value) for value in row) for row in table.rows) if table else (),
        total=table.total if table else 0,
        picture=png_of(chart) if chart else None,
        picture_alt=f"Chart: {question}",
        notes=(*answer.how, *answer.notes),
        code=tuple(query.sql for event in ran for query in event.queries),
    )
