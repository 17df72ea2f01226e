"""Size limits of files, checked before tables are created: a small file can claim or unpack to any size.

Each check costs a fraction of reading the file. The worker's own limits (`engine.limits`) apply afterwards.
"""

from __future__ import annotations

import gzip
import shutil
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import IO
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError
from assistant.sources.file_names import GZIP_MAGIC

LINE_BYTES_MAX = 16 << 20
ROWS_MAX = 2_000_000_000
UNPACKED_BYTES_MAX = 8 << 30
WORKBOOK_BYTES_MAX = 1 << 30
# Equal cells are packed 17 to 25 times by openpyxl, for each names its own place.
_WORKBOOK_TIMES_MAX = 100
_WORKBOOK_BYTES_TRUSTED = 50 << 20
_KEPT_FREE_BYTES = 1 << 30
_BLOCK_BYTES = 1 << 20
_LINE_ENDS = (b"\n", b"\r")


def is_packed(path: Path) -> bool:
    """Whether a file is gzip, whatever its name says."""
    with path.open("rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


@contextmanager
def unpacked(path: Path, folder: Path) -> Generator[Path]:
    """A gzip file as a plain one in `folder`, which goes again; any other file as it is.

    A plain file is read within limits of memory that DuckDB exceeds over the same file packed.

    Raises:
        SourceError: It unpacks to more than a file may hold, or than there is room for.
        OSError, EOFError: It is damaged, or ends too early.
    """
    if not is_packed(path):
        yield path
        return
    plain = folder / f".{uuid4().hex}{Path(path.name.lower().removesuffix('.gz')).suffix}"
    try:
        with gzip.open(path, "rb") as source:
            unpack(source, plain, path)
        yield plain
    finally:
        plain.unlink(missing_ok=True)


def unpack(source: IO[bytes] | BufferedIOBase, target: Path, origin: Path) -> None:
    """Write what a packed file gives, up to the most that is allowed; an error names the file `origin`.

    Raises:
        SourceError: It is more than a file may hold, or than there is room for.
        OSError, EOFError: It is damaged, or ends too early.
    """
    limit = min(UNPACKED_BYTES_MAX, max(0, shutil.disk_usage(target.parent).free - _KEPT_FREE_BYTES) // 2)
    with target.open("wb") as plain:
        while block := source.read(_BLOCK_BYTES):
            if plain.tell() + len(block) > limit:
                raise _unpacks_to_too_much(origin, limit)
            plain.write(block)


def _unpacks_to_too_much(path: Path, limit_bytes: int) -> SourceError:
    if limit_bytes < UNPACKED_BYTES_MAX:
        why = "there is no room on the disk for it. Free some space"
    else:
        why = f"at most {_shown(UNPACKED_BYTES_MAX)} can be read. Split it, or save it as Parquet"
    return SourceError(f"{path.name!r} unpacks to more than {_shown(limit_bytes)}, and {why}.")


def check_workbook(path: Path) -> None:
    """Refuse a workbook whose parts unpack to too much, or are packed too tightly. Of a damaged one the reader tells.

    Raises:
        SourceError: It does.
    """
    if not zipfile.is_zipfile(path):  # an .xls file
        return
    try:
        with zipfile.ZipFile(path) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return
    times = size // max(1, path.stat().st_size)
    if size > WORKBOOK_BYTES_MAX:
        raise SourceError(
            f"{path.name!r} holds {_shown(size)} unpacked; a workbook is read up to {_shown(WORKBOOK_BYTES_MAX)}. "
            "Save its sheets as CSV or Parquet, and give those."
        )
    if size > _WORKBOOK_BYTES_TRUSTED and times > _WORKBOOK_TIMES_MAX:
        raise SourceError(
            f"{path.name!r} holds {_shown(size)} in {_shown(path.stat().st_size)}: packed {times} times, "
            f"where {_WORKBOOK_TIMES_MAX} are allowed. If you trust it, open it in a spreadsheet program and save its "
            "sheets as CSV."
        )


def check_lines(path: Path, origin: Path) -> int:
    """Refuse delimited text with a line that is too long for a row. Reads the whole file, and names it `origin`.

    Returns:
        How many lines it has.

    Raises:
        SourceError: It has one.
        OSError: It cannot be read.
    """
    length, number, start = 0, 1, 1  # of the line that is being read; `start` is where it began
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            first = min((place for end in _LINE_ENDS if (place := block.find(end)) >= 0), default=-1)
            length += first if first >= 0 else len(block)
            if length > LINE_BYTES_MAX:
                raise SourceError(
                    f"{origin.name!r}: line {start:,} is longer than {_shown(LINE_BYTES_MAX)}, the most that a row may "
                    "hold. Check that its lines end as lines do; to keep a long text, save the file as Parquet."
                )
            if first >= 0:
                number += block.count(b"\n") or block.count(b"\r")
                start, length = number, len(block) - 1 - max(block.rfind(end) for end in _LINE_ENDS)
    return number - (length == 0)


def check_rows(path: Path, con: duckdb.DuckDBPyConnection) -> int:
    """Refuse a Parquet file that claims more rows than a table may have. Of a damaged one the reader tells.

    Returns:
        How many rows it claims; 0 of a damaged one.

    Raises:
        SourceError: It does.
    """
    try:
        row = con.execute("SELECT num_rows FROM parquet_file_metadata(?)", [str(path)]).fetchone()
    except duckdb.Error:
        return 0
    if row and row[0] > ROWS_MAX:
        raise SourceError(
            f"{path.name!r} claims {row[0]:,} rows; a file is read up to {ROWS_MAX:,}. Check that the file is whole, "
            "or load it into a database and give that as the source."
        )
    return int(row[0]) if row else 0


def _shown(size_bytes: int) -> str:
    return f"{size_bytes / 2**30:.1f} GB" if size_bytes >= 2**30 else f"{size_bytes / 2**20:,.1f} MB"
