"""Exports of a session besides the notebook: an HTML report and a Python script."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from pydantic import JsonValue

from assistant.cells.tables import TableView, to_json_value
from assistant.core.events import Answer, Appearance
from assistant.core.turns import Turn
from assistant.errors import AssistantError, SessionError
from assistant.output.notebook.drawing import png_of
from assistant.output.presentation.columns import FigureProperties, columns_of
from assistant.output.presentation.drawing import draw
from assistant.output.presentation.shaping import shape
from assistant.output.presentation.styling import find_right_aligned, in_words, make_standalone
from assistant.output.reports.document import ROWS_MAX, Section, build_document

if TYPE_CHECKING:
    from assistant.session.session import Session


_ToldOf: TypeAlias = "Mapping[str, Mapping[str, FigureProperties]]"
"""What is known of the figures of each table."""
_CHART_ROWS_MAX = 100_000
"""A chart is drawn of so many rows, as on the page."""
_QUESTION = re.compile(r"## \d+\. (.+)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


async def render_report(session: Session, *, today: date) -> bytes:
    """The answers of a session as one HTML file, with their tables, charts and queries.

    Raises:
        AssistantError: columns were masked that it has shown, and another program is at work on it.
    """
    await session.apply_masks()
    transcript = session.transcript
    sources = ", ".join(dict.fromkeys(source.display for source in transcript.sources))
    answers = [turn.answer for turn in transcript.turns if turn.answer is not None]
    tables = [name for answer in answers for name in (answer.table, *answer.more_tables)]
    properties = {name: await _told(session, name) for name in tables if name}
    sections = await asyncio.to_thread(_build_sections, session, transcript.turns, properties)
    caption = f"Made on {today:%-d %B %Y}" + (f" from {sources}" if sources else "")
    return build_document(session.title or "Questions", sections, caption=caption)


async def _told(session: Session, execution: str) -> Mapping[str, FigureProperties]:
    """What is known of an execution's figures; nothing where its data went away, so that its answer is still told."""
    try:
        return (await session.facts(execution)).properties
    except AssistantError:
        return {}


def build_script(notebook: bytes) -> bytes:
    """A notebook as a Python script: its texts as comments, its cells in order."""
    import nbformat

    document = nbformat.reads(notebook.decode(), as_version=4)
    parts: list[str] = []
    for cell in document.cells:
        source = str(cell.source).rstrip()
        if cell.cell_type == "code":
            parts.append(source)
        else:
            parts.append("\n".join(f"# {line}".rstrip() for line in source.splitlines()))
    return ("\n\n".join(filter(None, parts)) + "\n").encode()


def list_questions(notebook: bytes) -> tuple[str, ...]:
    """The questions of a notebook that was exported here, in order. Pure.

    Raises:
        SessionError: it is no notebook, or holds no question.
    """
    import nbformat

    try:
        document = nbformat.reads(notebook.decode(), as_version=4)
        cells = [str(cell.source) for cell in document.cells if cell.cell_type == "markdown"]
    except Exception as error:  # nbformat raises whatever its parts raise on what is no notebook
        raise SessionError("That file is no notebook. Choose one that ends in .ipynb.") from error
    questions = tuple(_ESCAPED.sub(r"\1", match[1]) for cell in cells if (match := _QUESTION.match(cell)))
    if not questions:
        raise SessionError("No question stands in that notebook. Choose one that Tandem exported.")
    return questions


def _build_sections(session: Session, turns: Sequence[Turn], properties: _ToldOf) -> list[Section]:
    sections: list[Section] = []
    for turn in turns:
        if turn.answer is not None:
            sections.append(_build_section(session, turn, turn.answer, properties))
            sections += _build_further(session, turn, turn.answer, properties)
    return sections


def _build_further(session: Session, turn: Turn, answer: Answer, properties: _ToldOf) -> Iterator[Section]:
    """A section for each further table of an answer."""
    for name in answer.more_tables:
        if (table := session.table(name, rows_max=ROWS_MAX)) is not None:
            item = turn.proposal(name)
            heading = item.proposal.title if item is not None else name
            yield Section(heading=heading, **_build_rows(table, properties.get(name, {})))


def _build_section(session: Session, turn: Turn, answer: Answer, properties: _ToldOf) -> Section:
    table = session.table(answer.table, rows_max=ROWS_MAX) if answer.table else None
    chart = session.chart(answer.chart) if answer.chart else None
    if chart is None and answer.table:
        chart = _render_chart(session, answer.table, turn.look, properties.get(answer.table, {}))
    return Section(
        heading=turn.question,
        text=answer.text,
        **_build_rows(table, properties.get(answer.table or "", {})),
        picture=png_of(make_standalone(chart)) if chart else None,
        picture_alt=f"Chart: {turn.question}",
        notes=(*answer.how, *answer.notes),
        code=tuple(query.sql for query in turn.queries),
    )


def _render_chart(
    session: Session, execution: str, look: Appearance, properties: Mapping[str, FigureProperties]
) -> dict[str, JsonValue] | None:
    """The chart that the page draws of a table, shown so; None where it draws none."""
    table = session.table(execution, rows_max=_CHART_ROWS_MAX)
    if table is None or not table.rows:
        return None
    chart = draw(shape(table, columns_of(table, properties, dict(look.names)), look), look)
    return None if chart is None else chart.specification


class _Rows(TypedDict):
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    total: int
    right: frozenset[int]


def _build_rows(table: TableView | None, properties: Mapping[str, FigureProperties]) -> _Rows:
    """A table's rows as the page words them, under the headings that it gives them."""
    if table is None:
        return _Rows(columns=(), rows=(), total=0, right=frozenset())
    columns = columns_of(table, properties)
    rows = in_words(columns, [[to_json_value(value) for value in row] for row in table.rows])
    labels = [column.label for column in columns]
    return _Rows(columns=labels, rows=rows, total=table.total, right=find_right_aligned(columns))
