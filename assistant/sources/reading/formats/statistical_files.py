"""SPSS, Stata and SAS files as one table, with the labels of columns and values.

A column whose every value has a label is read by its labels; its codes stand beside it as `NAME (code)`, so that a
query can choose them. The notebook contains this code, so nothing of Tandem is imported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyreadstat
from pyreadstat import PyreadstatError, ReadstatError

CODE = " (code)"
_LABELS_MAX = 12


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The table of a file; its name is empty, because these files give none.

    Metadata of a field: `label` describes the column, `codes` is its name where its codes stand beside it, and
    `missing` says which values the file declares as missing, and in how many rows.

    Raises:
        ValueError: The file is damaged, or locked.
    """
    suffix = Path(file).suffix.lower()
    readers: dict[str, Callable[..., Any]] = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".por": pyreadstat.read_por,
        ".dta": pyreadstat.read_dta,
        ".sas7bdat": pyreadstat.read_sas7bdat,
        ".xpt": pyreadstat.read_xport,
    }
    options = {"user_missing": True} if suffix in (".sav", ".zsav") else {}
    try:
        values, described = readers[suffix](file, output_format="dict", **options)
    except UnicodeDecodeError:
        values, described = readers[suffix](file, output_format="dict", encoding="WINDOWS-1252", **options)
    except (PyreadstatError, ReadstatError) as problem:
        reason = str(problem).rstrip(". ") or type(problem).__name__
        raise ValueError(f"cannot be read: {reason}. Check that the file is whole and has no password") from None
    columns: list[Any] = []
    fields: list[Any] = []
    for name in described.column_names:
        cells, missing = _without_missing(values[name], described.missing_ranges.get(name, ()))
        own_name = name
        labels: Mapping[Any, str] = described.variable_value_labels.get(name) or {}
        own = _column(cells)
        is_labelled = bool(labels) and all(cell is None or cell in labels for cell in cells)
        metadata = {"label": _description(described.column_names_to_labels.get(name) or "", labels), "missing": missing}
        if is_labelled:
            columns.append(pa.array([None if cell is None else labels[cell] for cell in cells], pa.string()))
            fields.append(pa.field(name, pa.string(), metadata={**metadata, "codes": f"{name}{CODE}"}))
            own_name = f"{name}{CODE}"
        columns.append(own)
        fields.append(pa.field(own_name, own.type, metadata=metadata))
    table_label = {"label": described.file_label or ""}
    return [("", pa.table(columns, schema=pa.schema(fields, metadata=table_label)))]


def _without_missing(cells: Sequence[Any], ranges: Sequence[Mapping[str, Any]]) -> tuple[list[Any], str]:
    """The values without those that the file declares as missing, and what these are."""
    kept: list[Any] = []
    left_out: dict[Any, int] = {}
    for cell in cells:
        is_missing = cell is not None and any(_is_within(cell, limits["lo"], limits["hi"]) for limits in ranges)
        if is_missing:
            left_out[cell] = left_out.get(cell, 0) + 1
        kept.append(None if is_missing or cell == "" or (isinstance(cell, float) and math.isnan(cell)) else cell)
    words = ", ".join(f"{_shown(cell)}" for cell in sorted(left_out, key=str)[:_LABELS_MAX])
    return kept, f"{sum(left_out.values())} {words}" if left_out else ""


def _is_within(cell: Any, low: Any, high: Any) -> bool:
    if isinstance(cell, str) or isinstance(low, str) or isinstance(high, str):
        return cell == low
    return isinstance(cell, int | float) and low <= cell <= high


def _column(cells: Sequence[Any]) -> Any:
    """Whole numbers as such, days as such; whatever Arrow cannot put into one column as text."""
    values = [cell for cell in cells if cell is not None]
    if values and all(isinstance(cell, int | float) for cell in values):
        if all(float(cell).is_integer() and abs(cell) < 2**53 for cell in values):
            return pa.array([None if cell is None else int(cell) for cell in cells], pa.int64())
        return pa.array([None if cell is None else float(cell) for cell in cells], pa.float64())
    if values and all(isinstance(cell, date) for cell in values) and any(isinstance(cell, datetime) for cell in values):
        return pa.array(cells, pa.timestamp("us"))
    try:
        return pa.array(cells) if values else pa.nulls(len(cells), pa.string())
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())


def _description(label: str, labels: Mapping[Any, str]) -> str:
    """A column's label, and what its codes stand for."""
    meanings = [f"{_shown(code)} = {meaning}" for code, meaning in list(labels.items())[:_LABELS_MAX]]
    if len(labels) > _LABELS_MAX:
        meanings.append(f"{len(labels) - _LABELS_MAX} more")
    return "; ".join(filter(None, (label.strip(), ", ".join(meanings))))


def _shown(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)
