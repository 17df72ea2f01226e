"""A result as a table, with its count and the whole of it as CSV or an Excel workbook."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from ui.ports import Session, TableView
from ui.session_hub import ROWS_SHOWN, SessionHub
from ui.views.spreadsheets import csv_of, excel_of
from ui.views.text import count

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.elements.lib.column_types import ColumnConfig

ROWS_DOWNLOADED = 1_000_000
ROW_PX = 35
ROWS_HIGH = 8
SMALLEST, SMALL = 1e-6, 0.01
"""Between these a number is small and not merely what is left of a sum."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([ T]00:00:00(\.0+)?)?")


def draw(live: SessionHub, session: Session, execution: str, *, name: str, key: str) -> bool:
    """Draw the table that an execution gave. False where it gave none."""
    table = live.table(session, execution)
    if table is None:
        return False
    if not table.rows:
        st.info("The query ran and found no rows.", icon=":material/search_off:")
        return True
    import pandas as pd

    columns = [days([shown(row[n]) for row in table.rows]) for n in range(len(table.columns))]
    frame = pd.DataFrame(dict(zip(_distinct(table.columns), columns, strict=True)))
    st.dataframe(
        frame,
        hide_index=True,
        height="auto" if len(frame) <= ROWS_HIGH else (ROWS_HIGH + 1) * ROW_PX,
        key=f"table-{key}",
        alt=f"Table: {name}, {count(table.total, 'row')}",
        column_config=_config(frame),
    )
    with st.container(horizontal=True, vertical_alignment="center", key=f"tablebar-{key}"):
        st.caption(_counted(table), width="content")
        st.space("stretch")
        for kind, ending, mime, made in _DOWNLOADS:
            st.download_button(
                kind,
                data=partial(made, session, execution),
                file_name=f"{_file_name(name)}.{ending}",
                mime=mime,
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
                key=f"{ending}-{key}",
                help="Download all rows",
            )
    return True


def shown(value: object) -> object:
    """A value as the table draws it: numbers, dates and texts as they are, anything else as text."""
    if value is None or isinstance(value, bool | int | float | str | date | datetime):
        return value
    if type(value).__name__ == "Decimal":
        return float(str(value))
    return str(value)


def days(values: list[object]) -> list[object]:
    """A column of days that its source keeps as text, as days; any other column as it is."""
    texts = [value for value in values if value is not None]
    if not texts or not all(isinstance(text, str) and _DAY.fullmatch(text) for text in texts):
        return values
    try:
        return [date.fromisoformat(value[:10]) if isinstance(value, str) else None for value in values]
    except ValueError:
        return values


def _counted(table: TableView) -> str:
    if table.total <= len(table.rows):
        return count(table.total, "row")
    return f"First {min(len(table.rows), ROWS_SHOWN):,} of {count(table.total, 'row')}"


def _distinct(columns: object) -> list[str]:
    """Column names that differ: a second `sum` becomes `sum (2)`."""
    names: list[str] = []
    for column in columns if isinstance(columns, list | tuple) else ():
        name, n = str(column), 1
        while name in names:
            n += 1
            name = f"{column} ({n})"
        names.append(name)
    return names


def _config(frame: pd.DataFrame) -> dict[str, ColumnConfig]:
    from pandas.api import types

    config: dict[str, ColumnConfig] = {}
    for name in frame.columns:
        column = frame[name]
        label = heading(str(name))
        if types.is_bool_dtype(column):
            config[str(name)] = st.column_config.CheckboxColumn(label)
        elif types.is_integer_dtype(column) or types.is_float_dtype(column):
            config[str(name)] = st.column_config.NumberColumn(
                label, format=number_format(str(name), column.dropna().tolist())
            )
        elif _all_dates(column.dropna().tolist()):
            days = column.dropna().tolist()
            monthly = len(days) > 1 and all(day.day == 1 for day in days)
            config[str(name)] = st.column_config.DateColumn(label, format="MMM YYYY" if monthly else "D MMM YYYY")
        else:
            config[str(name)] = st.column_config.Column(label)
    return config


def heading(name: str) -> str:
    """A column's name as a heading: `net_revenue` becomes `Net revenue`; what holds capitals stays."""
    spaced = name.replace("_", " ").strip()
    return spaced[:1].upper() + spaced[1:] if spaced and spaced == spaced.lower() else (spaced or name)


def number_format(name: str, values: list[float]) -> str | None:
    """How numbers are written: years and identifiers bare, whole numbers grouped, the rest with two to four decimals.

    None, each as it needs, where counts and small parts stand in one column: with two decimals these would all be 0.00.
    """
    bare = name.lower() in ("year", "id") or name.lower().endswith(("_id", "_year", "year"))
    if all(float(v).is_integer() for v in values):
        return "%d" if bare else "%,d"
    largest = max((abs(v) for v in values), default=0.0)
    small = sum(SMALLEST < abs(v) < SMALL for v in values)
    if largest >= 10 and small * 5 >= len(values):
        return None
    return "%,.2f" if largest >= 10 else "%.4f" if largest < 1 else "%.3f"


def _all_dates(values: list[object]) -> bool:
    return bool(values) and all(isinstance(v, date) and not isinstance(v, datetime) for v in values)


def as_csv(session: Session, execution: str) -> bytes:
    """All rows that an execution gave, as CSV."""
    table = session.table(execution, rows_max=ROWS_DOWNLOADED)
    return csv_of((), ()) if table is None else csv_of(table.columns, table.rows)


def as_excel(session: Session, execution: str) -> bytes:
    """All rows that an execution gave, as an Excel workbook."""
    table = session.table(execution, rows_max=ROWS_DOWNLOADED)
    return excel_of((), ()) if table is None else excel_of(table.columns, table.rows)


_DOWNLOADS = (
    ("CSV", "csv", "text/csv", as_csv),
    ("Excel", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_excel),
)
"""What a table is downloaded as: its name, the file's ending and type, and what makes it."""


def _file_name(name: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in name.lower())
    return "-".join(filter(None, kept.split("-")))[:60] or "table"
