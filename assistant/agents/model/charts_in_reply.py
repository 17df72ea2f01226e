"""The chart that a model names with its answer, as a look that the program draws; what does not fit is said. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from assistant.core.events import Appearance
from assistant.output.presentation.columns import FigureProperties, columns_of
from assistant.output.presentation.drawing import kinds_for
from assistant.output.presentation.kinds import NAMES
from assistant.output.presentation.requests import remove_kind
from assistant.output.presentation.shaping import shape

if TYPE_CHECKING:
    from assistant.agents.model.replies import ChartReply
    from assistant.cells.tables import TableView


def read_chart(
    reply: ChartReply,
    table: TableView,
    *,
    question: str,
    is_title_right: bool,
    properties: Mapping[str, FigureProperties] | None = None,
) -> tuple[Appearance, tuple[str, ...]]:
    """How the answer's table is drawn at first, and what of the model's choice could not be followed, in words.

    Args:
        reply: What the model named; a kind that the question asks for goes before it.
        table: The table of the answer.
        question: What was asked.
        is_title_right: Whether the results bear the title out.
        properties: What the query says of the table's columns.
    """
    notes: list[str] = []
    columns = {column.name.casefold(): column for column in columns_of(table, properties)}
    fields: dict[str, object] = {}
    for field, name in (("x", reply.dimension), ("y", reply.measure)):
        column = columns.get(name.casefold())
        if column is not None and (column.role == "measure") == (field == "y"):
            fields[field] = column.name
        elif name:
            role = "figure" if field == "y" else "group"
            reason = f"is no {role}" if column is not None else "is no column of this result"
            notes.append(f"The chart uses another {role}: “{name}” {reason}.")
    values = {str(cell).casefold(): str(cell) for row in table.rows for cell in row if isinstance(cell, str)}
    if reply.highlight and (value := values.get(reply.highlight.casefold())) is not None:
        fields["highlight"] = value[:80]
    if reply.title and is_title_right:
        fields["title"] = reply.title[:120]
    elif reply.title:
        notes.append("The chart has no title: the results do not bear out the one that was proposed.")
    look = Appearance.model_validate(fields)
    kind = remove_kind(question)[1] or reply.kind
    if (
        kind is not None
        and kind != "none"
        and kind not in kinds_for(shape(table, columns_of(table, properties), look), look)
    ):
        notes.append(f"These rows do not suit a {NAMES[kind].lower()}, so the chart is of the kind that fits best.")
        kind = None
    return look.model_copy(update={"chart": kind}), tuple(notes)
