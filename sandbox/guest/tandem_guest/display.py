"""Display of results: frames are also sent as data. `drawing` displays figures and charts.

Frames carry `application/vnd.dataresource+json`: schema, at most 5,000 rows, and the total number of rows. Dates are
ISO strings, missing values null.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from . import drawing
from .streams import cap_message

if TYPE_CHECKING:
    import pandas as pd

DATA_MIME = "application/vnd.dataresource+json"
ROWS_MAX = 5_000
CELLS_MAX = 100_000
_TYPES = {"i": "integer", "u": "integer", "f": "number", "b": "boolean", "M": "datetime", "m": "duration"}


def install(shell: Any) -> None:
    """Register the formatters and caps with `shell`."""
    formatter = _data_formatter(shell)
    formatter.for_type_by_name("pandas", "DataFrame", frame_resource)
    formatter.for_type_by_name("pandas.core.frame", "DataFrame", frame_resource)
    formatter.for_type_by_name("pandas", "Series", series_resource)
    formatter.for_type_by_name("pandas.core.series", "Series", series_resource)
    shell.display_formatter.formatters[DATA_MIME] = formatter
    shell.display_formatter.active_types = [*shell.display_formatter.active_types, DATA_MIME]
    shell.display_pub.register_hook(cap_message)
    shell.displayhook.register_hook(cap_message)
    drawing.install(shell)


def _data_formatter(shell: Any) -> Any:
    from IPython.core.formatters import BaseFormatter
    from traitlets import ObjectName, Unicode

    class DataFormatter(BaseFormatter):
        format_type = Unicode(DATA_MIME)
        print_method = ObjectName("_repr_dataresource_")
        _return_type = dict

    return DataFormatter(parent=shell.display_formatter)


def series_resource(series: pd.Series[Any]) -> dict[str, Any] | None:
    """A series as a tabular data resource of one column."""
    return frame_resource(series.to_frame(name=series.name if series.name is not None else "values"))


def frame_resource(frame: pd.DataFrame) -> dict[str, Any] | None:
    """A frame as a tabular data resource, or None where it cannot be written as JSON."""

    rows = min(ROWS_MAX, CELLS_MAX // max(1, frame.shape[1]), len(frame))
    head = frame.head(rows)
    has_index = not _is_numbering(head.index)
    if has_index:
        names = [name if name is not None else f"index_{level}" for level, name in enumerate(head.index.names)]
        if len(names) == 1 and head.index.names[0] is None:
            names = ["index"]
        head = head.copy(deep=False)
        head.index = head.index.set_names(names)
        if set(map(str, names)) & set(map(str, head.columns)):
            head.index = head.index.set_names([f"{name}_" for name in names])
        keys = [str(name) for name in head.index.names]
        head = head.reset_index()
    else:
        keys = []
    fields, columns = [], []
    labels = _distinct([_label(column) for column in head.columns])
    for position, label in enumerate(labels):
        column = head.iloc[:, position]
        fields.append({"name": label, "type": _type(column)})
        columns.append(_values(column))
    records = [dict(zip(labels, row, strict=True)) for row in zip(*columns, strict=True)] if columns else []
    schema: dict[str, Any] = {"fields": fields}
    if keys:
        schema["primaryKey"] = keys
    return {"schema": schema, "data": records, "rows_total": len(frame)}


def _is_numbering(index: pd.Index[Any]) -> bool:
    """Whether an index only numbers the rows, as it does after sorting or filtering too.

    A name, or values that are no whole numbers, say what the rows are; whole numbers without a name cannot be told from
    the places that rows once had.
    """
    import pandas as pd

    if isinstance(index, pd.MultiIndex) or index.name is not None:
        return False
    return getattr(index.dtype, "kind", "O") in "iu"


def _label(column: Any) -> str:
    if isinstance(column, tuple):
        return " / ".join(str(part) for part in column if str(part))
    return str(column)


def _distinct(labels: list[str]) -> list[str]:
    counts: dict[str, int] = {}
    out: list[str] = []
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        out.append(label if counts[label] == 1 else f"{label}.{counts[label]}")
    return out


def _type(column: pd.Series[Any]) -> str:
    return _TYPES.get(getattr(column.dtype, "kind", "O"), "string")


def _values(column: pd.Series[Any]) -> list[Any]:
    """Plain JSON values of a column: ISO dates, null for what is missing, text for what JSON has no word for."""
    kind = getattr(column.dtype, "kind", "O")
    is_missing = column.isna().tolist()
    if kind == "M":
        values: list[Any] = [
            None if null else value.isoformat() for value, null in zip(column, is_missing, strict=True)
        ]
        return values
    if kind in "iub":
        return [None if null else value for value, null in zip(column.tolist(), is_missing, strict=True)]
    return [None if null is True else _plain(value) for value, null in zip(column.tolist(), is_missing, strict=True)]


def _plain(value: Any) -> Any:
    match value:
        case bool() | int() | str():
            return value if type(value) in (bool, int, str) else str(value)
        case float():
            return value if value - value == 0 else None  # infinities are no JSON
        case _:
            pass
    isoformat = getattr(value, "isoformat", None)
    if isoformat is not None and type(value).__module__ in ("datetime", "pandas._libs.tslibs.timestamps"):
        return isoformat()
    if type(value).__module__ == "decimal":
        return float(value)
    if isinstance(value, (list, dict, tuple)):
        return json.dumps(value, default=str)[:1000]
    return str(value)[:1000]
