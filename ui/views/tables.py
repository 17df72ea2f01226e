"""A result as a table: numbers and dates in the person's locale, sortable, searchable, with totals.

The table shows the first rows; totals cover all rows. A click on a figure shows how it was computed, and offers the
rows under it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from assistant.api.figures import Column, number, parse_time, shown
from assistant.api.lineage import LineageColumn
from assistant.api.session import Session
from ui import actions
from ui.session_hub import SessionHub
from ui.views.result import Result
from ui.views.text import count, line, plain

ROWS_MAX = 1000
"""Rows that are listed; the download has them all."""
ROW_PX = 35
ROWS_HIGH = 8
CELLS_STYLED_MAX = 40_000
"""More cells are shown as the browser writes them: to word each takes longer than a person waits."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([ T]00:00:00(\.0+)?)?")
AGGREGATES = {
    "sum": "a sum",
    "count": "a count",
    "distinct": "a count of different values",
    "average": "an average",
    "least": "the least value",
    "greatest": "the greatest value",
    "ratio": "a ratio",
    "other": "computed",
    "": "a value as it stands in the data",
}


def draw(live: SessionHub, session: Session, execution: str, shown_result: Result, *, name: str, key: str) -> None:
    """Draw the table of a result."""
    rows = shown_result.shaped.rows[:ROWS_MAX]
    if not rows:
        st.info("The query ran and found no rows.", icon=":material/search_off:")
        return
    picked: Any = st.dataframe(
        get_words(live, shown_result).styled(),
        hide_index=True,
        height="auto" if len(rows) <= ROWS_HIGH else (ROWS_HIGH + 1) * ROW_PX,
        key=f"table-{key}",
        alt=f"Table: {name}, {count(shown_result.shaped.total, 'row')}",
        column_config=build_headings(shown_result),
        on_select="rerun",
        selection_mode="single-cell",
    )
    _draw_totals(shown_result, key)
    _draw_selection(live, session, execution, shown_result, picked, key=key)


def build_frame(shown_result: Result) -> pd.DataFrame:
    """The first rows as a frame: figures as numbers, times as times, so that a click on a heading sorts them right."""
    columns: dict[str, list[object]] = {}
    for place, column in enumerate(shown_result.shaped.columns):
        columns[column.name] = [_convert(row[place], column) for row in shown_result.shaped.rows[:ROWS_MAX]]
    frame = pd.DataFrame(columns)
    for column in shown_result.shaped.columns:
        if column.role == "time" and column.grain != "year":
            frame[column.name] = pd.to_datetime(frame[column.name], errors="coerce")
    return frame


def parse_days(values: list[object]) -> list[object]:
    """A column of days that its source keeps as text, as days; any other column as it is."""
    texts = [value for value in values if value is not None]
    if not texts or not all(isinstance(text, str) and _DAY.fullmatch(text) for text in texts):
        return values
    try:
        return [date.fromisoformat(value[:10]) if isinstance(value, str) else None for value in values]
    except ValueError:
        return values


def describe_count(shown_result: Result) -> str:
    """How many rows there are, and how many of them are listed."""
    listed, total = min(len(shown_result.shaped.rows), ROWS_MAX), shown_result.shaped.total
    return count(total, "row") if listed == total else f"First {listed:,} of {count(total, 'row')}"


def _convert(value: object, column: Column) -> object:
    """A value as the grid sorts and shows it, by its column's role."""
    if column.role == "measure":
        return number(value)
    if column.role == "time":
        return value if column.grain == "year" else parse_time(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTexts:
    """A table's first rows, with their figures, times and identifiers in words: sorted by value, read as text.

    Attributes:
        frame: The rows.
        texts: The words of a column by its place in the frame; empty where there are too many cells to word.
    """

    frame: pd.DataFrame
    texts: Mapping[int, Sequence[str]]

    @classmethod
    def from_result(cls, shown_result: Result) -> CellTexts:
        """Word the first rows of a result."""
        frame = build_frame(shown_result)
        columns = enumerate(shown_result.shaped.columns) if frame.size <= CELLS_STYLED_MAX else ()
        texts = {
            place: tuple(_format_value(value, column, shown_result) for value in frame.iloc[:, place])
            for place, column in columns
            if column.role in ("measure", "time", "identifier") or column.is_integer
        }
        return cls(frame=frame, texts=texts)

    def styled(self, marked: Sequence[tuple[int, int]] = (), css: Sequence[tuple[str, str]] = ()) -> Any:
        """What Streamlit draws: a Styler that has its words already, as pandas' own makes all of them at each redraw.

        Args:
            marked: Cells to mark, by row and column.
            css: How they are marked, as properties with their values.
        """
        if not self.texts and not marked:
            return self.frame
        styler: Any = self.frame.style
        styler.uuid = None  # Streamlit's own is the same at each redraw, so that what has not changed is not sent again
        cells = [f"row{row}_col{column}" for row, column in marked]
        style = [{"props": list(css), "selectors": cells}] if cells else []
        styler._translate = partial(self._translate, style)
        return styler

    def _translate(self, style: list[dict[str, Any]], *_: object) -> dict[str, object]:
        """What Streamlit reads of what pandas would make of a Styler."""
        return {"body": self._iterate_cells(), "cellstyle": style}

    def _iterate_cells(self) -> Iterator[list[dict[str, str]]]:
        for place, texts in self.texts.items():
            yield [{"id": f"row{row}_col{place}", "display_value": text} for row, text in enumerate(texts)]


def get_words(live: SessionHub, shown_result: Result) -> CellTexts:
    """The words of a result, made once."""
    return live.results.get_or_make((*shown_result.key, "worded"), lambda: CellTexts.from_result(shown_result))


def _format_value(value: object, column: Column, shown_result: Result) -> str:
    """A value in words; empty where there is none."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, pd.Timestamp):
        value = value.to_pydatetime()
    if isinstance(value, float) and column.role in ("identifier", "time", "category") and value.is_integer():
        value = int(value)
    return shown(
        value, column, code=shown_result.code, scale=shown_result.look.scale, decimals=shown_result.look.decimals
    )


def build_headings(shown_result: Result) -> dict[str, Any]:
    """What stands over each column, by its name."""
    return {column.name: _configure(column) for column in shown_result.shaped.columns}


def _configure(column: Column) -> Any:
    """How the grid shows a column."""
    if column.role == "measure":
        return st.column_config.NumberColumn(column.label, help=_describe_unit(column))
    if column.role == "flag":
        return st.column_config.CheckboxColumn(column.label)
    return st.column_config.Column(column.label)


def _describe_unit(column: Column) -> str | None:
    """The unit of a measure in words; None where it has none."""
    match column.unit:
        case "currency":
            return f"In {column.symbol}"
        case "percent" | "share":
            return "In percent"
        case "money":
            return "Money; the data does not say in which currency"
        case _:
            return f"In {column.symbol}" if column.symbol else None


def _draw_totals(shown_result: Result, key: str) -> None:
    """A line under the table: how many rows, and the sums of what adds up."""
    sums: list[str] = []
    for column in shown_result.shaped.columns:
        if column.name in shown_result.sums:
            total = shown(
                shown_result.sums[column.name],
                column,
                code=shown_result.code,
                scale=shown_result.look.scale,
                decimals=shown_result.look.decimals,
            )
            name = (
                f"{line(column.label)} " if len(shown_result.measures) > 1 else ""
            )  # the one figure is named by its heading
            sums.append(f"{name}**{plain(total)}**")
    limit = shown_result.lineage.limit if shown_result.lineage is not None else None
    of = (
        " of the rows that the query was limited to" if shown_result.sums and limit == shown_result.shaped.total else ""
    )
    with st.container(key=f"totals-{key}"):
        total = f" · Total{of}: " + " · ".join(sums) if sums else ""
        st.markdown(f":gray[{describe_count(shown_result)}]{total}")
        for note in shown_result.shaped.notes:
            st.markdown(f":gray[:material/info: {plain(note)}]")


def _draw_selection(
    live: SessionHub, session: Session, execution: str, shown_result: Result, picked: Any, *, key: str
) -> None:
    """What was clicked: the figure in full, how it is computed, and the way to the rows under it."""
    cells = getattr(getattr(picked, "selection", None), "cells", None) or []
    if not cells or shown_result.lineage is None:
        return
    place, name = int(cells[0][0]), str(cells[0][1])
    at = shown_result.shaped.place(name)
    if at is None or place >= len(shown_result.shaped.rows) or shown_result.shaped.columns[at].role != "measure":
        return
    column, row = shown_result.shaped.columns[at], shown_result.shaped.rows[place]
    with st.container(border=True, key=f"picked-{key}", gap="small"):
        value = shown(row[at], column, code=shown_result.code)
        st.markdown(f"**{line(column.label)}: {plain(value)}** :gray[{line(_describe_row(shown_result, row))}]")
        st.markdown(f":gray[{_describe_computation(shown_result.lineage.by_name.get(name))}]")
        _draw_rows_under(live, session, execution, shown_result, at=(place, name), key=key)


def draw_drill_down(live: SessionHub, session: Session, execution: str, shown_result: Result, *, key: str) -> None:
    """The way to the rows under the one figure of a result, which stands above in large."""
    if shown_result.lineage is not None:
        _draw_rows_under(live, session, execution, shown_result, at=(0, shown_result.shaped.columns[0].name), key=key)


def _draw_rows_under(
    live: SessionHub, session: Session, execution: str, shown_result: Result, *, at: tuple[int, str], key: str
) -> None:
    """The way to the rows under the figure in a row and a column, where it adds rows up."""
    output = shown_result.lineage.by_name.get(at[1]) if shown_result.lineage is not None else None
    if output is None or not output.aggregate:
        return
    row = shown_result.shaped.rows[at[0]]
    labels = {
        column.name: value
        for column, value in zip(shown_result.shaped.columns, row, strict=True)
        if column.role != "measure"
    }
    st.button(
        "Show the rows under it",
        icon=":material/table_rows:",
        key=f"under-{key}",
        on_click=actions.ask_for_rows_under,
        args=(live, session, execution, labels),
    )


def _describe_row(shown_result: Result, row: tuple[object, ...]) -> str:
    """Which row a figure stands in: its labels."""
    parts = [
        shown(value, column, code=shown_result.code)
        for value, column in zip(row, shown_result.shaped.columns, strict=True)
        if column.role != "measure" and value is not None
    ]
    return ", ".join(parts)


def _describe_computation(output: LineageColumn | None) -> str:
    """How a column is computed, in words and SQL."""
    if output is None:
        return "The query does not say how it is computed."
    return f"It is {AGGREGATES[output.aggregate]}: {line(output.expression)}"
