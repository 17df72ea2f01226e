"""Avro and ORC files as one table, in the types that they declare.

The notebook contains this code, so nothing of Tandem is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

_EMPTY_RECORDS_MAX = 1_000_000
"""Records of which each takes no byte: a file of some bytes may claim any number of them."""
_PROBLEMS = (ValueError, EOFError, OSError, LookupError, TypeError, OverflowError, AssertionError)


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The table of a file; its name is empty, because these files give none.

    Metadata of a field: `label` describes the column.

    Raises:
        ValueError: The file is damaged, or packed in a way that is not known here.
    """
    is_avro = Path(file).suffix.lower() == ".avro"
    try:
        return [("", _avro(file) if is_avro else _orc(file))]
    except _PROBLEMS as problem:
        reason = next(iter(str(problem).splitlines()), "").rstrip(". ") or "its end is missing"
        format_title = "Avro" if is_avro else "ORC"
        raise ValueError(f"cannot be read as {format_title}: {reason}. Check that the file is whole") from None


def _orc(file: str) -> Any:
    from pyarrow import orc

    return orc.ORCFile(file).read()


def _avro(file: str) -> Any:
    import fastavro

    with open(file, "rb") as opened:
        blocks = fastavro.block_reader(opened)
        schema = cast("Mapping[str, Any]", blocks.writer_schema)
        if schema.get("type") != "record":
            raise ValueError("its values are no records")
        described = [(str(field["name"]), str(field.get("doc") or "")) for field in schema["fields"]]
        cells: dict[str, list[Any]] = {name: [] for name, _ in described}
        records_left = _EMPTY_RECORDS_MAX
        for block in cast("Any", blocks):
            records_left += block.bytes_.getbuffer().nbytes - block.num_records
            if records_left < 0:
                raise ValueError("it claims far more records than it has bytes for")
            for record in block:
                for name, column in cells.items():
                    column.append(cast("Mapping[str, Any]", record)[name])
    columns = [_column(cells[name]) for name, _ in described]
    fields = [
        pa.field(name, column.type, metadata={"label": doc})
        for (name, doc), column in zip(described, columns, strict=True)
    ]
    return pa.table(columns, schema=pa.schema(fields, metadata={"label": str(schema.get("doc") or "")}))


def _column(cells: list[Any]) -> Any:
    """A column in the type of its values; as text where they are of several types."""
    try:
        column = pa.array(cells)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
    return pa.nulls(len(cells), pa.string()) if pa.types.is_null(column.type) else column
