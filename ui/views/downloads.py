"""Downloads of a result: CSV, Excel or Parquet, as shown (order, names, rounding) or raw; a chart as PNG, SVG or Vega.

No cell of a CSV or Excel file is a formula (`ui.views.spreadsheets`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import pyarrow as pa
import streamlit as st
from pyarrow import parquet

from assistant.api.charts import make_standalone
from assistant.api.figures import number, round_value
from assistant.api.session import Session
from ui import actions
from ui.session_hub import SessionHub
from ui.views.result import Result
from ui.views.spreadsheets import write_csv, write_excel
from ui.views.text import build_file_name

PICTURES: tuple[tuple[Literal["png", "svg"], str], ...] = (("png", "image/png"), ("svg", "image/svg+xml"))
ROWS_DOWNLOADED = 1_000_000
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def draw_menu(live: SessionHub, session: Session, execution: str, shown_result: Result, *, name: str, key: str) -> None:
    """The ways to take the table and the chart away."""
    with st.popover("Download", icon=":material/download:", type="tertiary", key=f"download-{key}"):
        st.markdown("**Table, as shown**  \n:gray[This order and these names; rounded as shown]")
        _draw_row(f"shown-{key}", name, partial(list_visible_rows, session, execution, shown_result))
        st.markdown("**Table, raw**  \n:gray[All rows and every decimal, as the query gave them]")
        _draw_row(f"raw-{key}", f"{name} raw", partial(list_raw_rows, session, execution))
        if shown_result.chart is None:
            return
        st.markdown("**Chart**")
        with st.container(horizontal=True, gap="small"):
            for kind, mime in PICTURES:
                _draw_button(
                    kind.upper(),
                    partial(
                        actions.render_chart, live, session, make_standalone(shown_result.chart.specification), kind
                    ),
                    f"{build_file_name(name)}.{kind}",
                    mime,
                    f"{kind}-{key}",
                )
            vega = json.dumps(make_standalone(shown_result.chart.specification), default=str).encode()
            _draw_button("Vega", vega, f"{build_file_name(name)}.vl.json", "application/json", f"vega-{key}")


def list_visible_rows(session: Session, execution: str, shown_result: Result) -> tuple[list[str], list[list[object]]]:
    """The columns and rows as the page shows them; of a longer table only what was read of it."""
    columns = shown_result.shaped.columns
    decimals = shown_result.look.decimals
    rows = [
        [
            round_value(_parse_figure(value, column), column, decimals=decimals)
            for value, column in zip(row, columns, strict=True)
        ]
        for row in shown_result.shaped.rows
    ]
    return [column.label for column in columns], rows


def list_raw_rows(session: Session, execution: str) -> tuple[list[str], list[list[object]]]:
    """All columns and rows as they came."""
    table = session.table(execution, rows_max=ROWS_DOWNLOADED)
    if table is None:
        return [], []
    return [str(column) for column in table.columns], [list(row) for row in table.rows]


def write_parquet(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """A table as a Parquet file. A column of mixed kinds is written as text."""
    arrays: list[Any] = []
    for place in range(len(columns)):
        values = [row[place] for row in rows]
        try:
            arrays.append(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            arrays.append(pa.array([None if value is None else str(value) for value in values]))
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, names=list(columns)), buffer)
    return buffer.getvalue()


_TableMaker = Callable[[], tuple[list[str], list[list[object]]]]
_FILES: tuple[tuple[str, str, str, Callable[[Sequence[str], Sequence[Sequence[object]]], bytes]], ...] = (
    ("CSV", "csv", "text/csv", write_csv),
    ("Excel", "xlsx", EXCEL, write_excel),
    ("Parquet", "parquet", "application/vnd.apache.parquet", write_parquet),
)


def _draw_row(key: str, name: str, table: _TableMaker) -> None:
    """A button for each kind of file."""
    with st.container(horizontal=True, gap="small"):
        for label, ending, mime, write in _FILES:
            _draw_button(
                label, partial(_write_file, table, write), f"{build_file_name(name)}.{ending}", mime, f"{ending}-{key}"
            )


def _write_file(table: _TableMaker, write: Callable[[Sequence[str], Sequence[Sequence[object]]], bytes]) -> bytes:
    """The bytes of a table in one kind of file."""
    columns, rows = table()
    return write(columns, rows)


def _draw_button(label: str, data: Callable[[], bytes] | bytes, name: str, mime: str, key: str) -> None:
    """A download that does not draw the page again."""
    st.download_button(
        label,
        data=data,
        file_name=name,
        mime=mime,
        type="tertiary",
        on_click="ignore",
        key=key,
        icon=":material/download:",
    )


def _parse_figure(value: object, column: object) -> object:
    """A figure that came as text, as the number it is."""
    if isinstance(value, str) and getattr(column, "role", "") == "measure":
        parsed = number(value)
        return value if parsed is None else parsed
    return value
