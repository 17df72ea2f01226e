"""A result in a sentence, without a model and without a reading of its question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.output.presentation.columns import columns_of, heading, number
from assistant.output.presentation.formats import shown

if TYPE_CHECKING:
    from assistant.cells.tables import TableView


def describe_table(view: TableView) -> str:
    """A result in a sentence: its value, or which row is highest and which lowest."""
    columns = columns_of(view)
    if view.total == 0:
        return "The result has no rows."
    if view.total == 1 and len(columns) <= 3:
        return " ".join(
            f"{column.label}: **{shown(value, column)}**." for column, value in zip(columns, view.rows[0], strict=True)
        )
    size = f"{view.total:,} rows" if view.total != 1 else "1 row"
    places = [n for n, column in enumerate(columns) if column.role == "measure"]
    names = [n for n, column in enumerate(columns) if column.role != "measure"]
    if len(places) == 1 and len(names) == 1 and len(view.rows) == view.total:
        ((place,), (name,)) = places, names
        rows = sorted(
            (row for row in view.rows if number(row[place]) is not None), key=lambda row: number(row[place]) or 0
        )
        if len(rows) == view.total and rows[0][place] != rows[-1][place]:
            highest, lowest = rows[-1], rows[0]
            return (
                f"{columns[place].label}: highest for {shown(highest[name], columns[name])} "
                f"(**{shown(highest[place], columns[place])}**), lowest for {shown(lowest[name], columns[name])} "
                f"({shown(lowest[place], columns[place])}), of {size}."
            )
    return f"The result has **{size}**: {', '.join(heading(name) for name in view.columns[:8])}."
