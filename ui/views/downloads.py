"""A result as a file: CSV, Excel or Parquet, as shown (order, names, rounded) or raw; a chart as PNG, SVG or Vega.

In CSV and Excel no cell is a formula (`ui.views.spreadsheets`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from assistant.api.charts import standing_alone
from assistant.api.figures import number, rounded
from assistant.api.session import Session
from ui import actions
from ui.session_hub import SessionHub
from ui.views.result import Result
from ui.views.spreadsheets import csv_of, excel_of

PICTURES: tuple[tuple[Literal["png", "svg"], str], ...] = (("png", "image/png"), ("svg", "image/svg+xml"))
ROWS_DOWNLOADED = 1_000_000
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def menu(live: SessionHub, session: Session, execution: str, made: Result, *, name: str, key: str) -> None:
    """The ways to take the table and the chart away."""
    with st.popover("Download", icon=":material/download:", type="tertiary", key=f"download-{key}"):
        st.markdown("**Table, as shown**  \n:gray[This order and these names; figures rounded as they are read]")
        _row(f"shown-{key}", name, partial(as_shown, session, execution, made))
        st.markdown("**Table, raw**  \n:gray[All rows and every decimal, as the query gave them]")
        _row(f"raw-{key}", f"{name} raw", partial(raw, session, execution))
        if made.chart is None:
            return
        st.markdown("**Chart**")
        with st.container(horizontal=True, gap="small"):
            for kind, mime in PICTURES:
                _button(
                    kind.upper(),
                    partial(actions.picture, live, session, standing_alone(made.chart.specification), kind),
                    f"{file_name(name)}.{kind}",
                    mime,
                    f"{kind}-{key}",
                )
            vega = json.dumps(standing_alone(made.chart.specification), default=str).encode()
            _button("Vega", vega, f"{file_name(name)}.vl.json", "application/json", f"vega-{key}")


def as_shown(session: Session, execution: str, made: Result) -> tuple[list[str], list[list[object]]]:
    """The columns and rows as the page shows them; of a longer table only what was read of it."""
    columns = made.shaped.columns
    decimals = made.look.decimals
    rows = [
        [rounded(_figure(value, column), column, decimals=decimals) for value, column in zip(row, columns, strict=True)]
        for row in made.shaped.rows
    ]
    return [column.label for column in columns], rows


def raw(session: Session, execution: str) -> tuple[list[str], list[list[object]]]:
    """All columns and rows as they came."""
    table = session.table(execution, rows_max=ROWS_DOWNLOADED)
    if table is None:
        return [], []
    return [str(column) for column in table.columns], [list(row) for row in table.rows]


def parquet_of(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """A table as a Parquet file. A column of mixed kinds is written as text."""
    import pyarrow as pa
    from pyarrow import parquet

    arrays: list[Any] = []
    for place in range(len(columns)):
        values = [row[place] for row in rows]
        try:
            arrays.append(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            arrays.append(pa.array([None if value is None else str(value) for value in values]))
    made = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, names=list(columns)), made)
    return made.getvalue()


def file_name(name: str) -> str:
    """A name as the name of a file."""
    kept = "".join(c if c.isalnum() else "-" for c in name.lower())
    return "-".join(filter(None, kept.split("-")))[:60] or "table"


_Made = Callable[[], tuple[list[str], list[list[object]]]]
_FILES: tuple[tuple[str, str, str, Callable[[Sequence[str], Sequence[Sequence[object]]], bytes]], ...] = (
    ("CSV", "csv", "text/csv", csv_of),
    ("Excel", "xlsx", EXCEL, excel_of),
    ("Parquet", "parquet", "application/vnd.apache.parquet", parquet_of),
)


def _row(key: str, name: str, table: _Made) -> None:
    """A button for each kind of file."""
    with st.container(horizontal=True, gap="small"):
        for label, ending, mime, write in _FILES:
            _button(label, partial(_file, table, write), f"{file_name(name)}.{ending}", mime, f"{ending}-{key}")


def _file(table: _Made, write: Callable[[Sequence[str], Sequence[Sequence[object]]], bytes]) -> bytes:
    """The bytes of a table in one kind of file."""
    columns, rows = table()
    return write(columns, rows)


def _button(label: str, data: Callable[[], bytes] | bytes, name: str, mime: str, key: str) -> None:
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


def _figure(value: object, column: object) -> object:
    """A figure that came as text, as the number it is."""
    if isinstance(value, str) and getattr(column, "role", "") == "measure":
        made = number(value)
        return value if made is None else made
    return value
