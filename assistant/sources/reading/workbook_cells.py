"""Cells of a workbook that a reader gives as empty and that are not: errors, and formulas without a stored result.

A program that writes workbooks without computing them stores formulas alone. Only .xlsx is looked at.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from zlib import error as ZlibError

from assistant.core.doubts import Doubt

_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_UNCOMPUTED = re.compile(rb"<c\b[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_ERROR = re.compile(rb"<c\b[^>]*\bt=\"e\"")
_BLOCK_BYTES = 1 << 22
_CELL_BYTES_MAX = 1 << 14
"""So much of a block is looked at once more with the next: a cell may lie on the border."""


def empty_cell_doubts(path: Path) -> Iterator[Doubt]:
    """What is to be said of such cells in a workbook."""
    uncomputed, errors = _count_cells(path)
    if uncomputed:
        yield Doubt(
            kind="not_read",
            chosen=f"{_cells(uncomputed)} without a stored result {'has' if uncomputed == 1 else 'have'} no value. "
            "Open the workbook in a spreadsheet program and save it, so that results are stored.",
        )
    if errors:
        yield Doubt(
            kind="missing_values",
            chosen=f"{errors:,} {'cell holds an error' if errors == 1 else 'cells hold errors'} such as #DIV/0!, read "
            "as no value.",
        )


def _cells(count: int) -> str:
    return "1 formula" if count == 1 else f"{count:,} formulas"


def _count_cells(path: Path) -> tuple[int, int]:
    """How many formulas have no stored result, and how many cells hold an error."""
    uncomputed = errors = 0
    try:
        with zipfile.ZipFile(path) as parts:
            for part in parts.infolist():
                if not _SHEET.fullmatch(part.filename):
                    continue
                with parts.open(part) as file:
                    remainder = b""
                    while block := file.read(_BLOCK_BYTES):
                        text = remainder + block
                        border = text.rfind(b"<c ", max(0, len(text) - _CELL_BYTES_MAX))
                        whole, remainder = (text[:border], text[border:]) if border > 0 else (text, b"")
                        uncomputed += len(_UNCOMPUTED.findall(whole)) if b"<f" in whole else 0
                        errors += len(_ERROR.findall(whole))
                    uncomputed += len(_UNCOMPUTED.findall(remainder))
                    errors += len(_ERROR.findall(remainder))
    except (zipfile.BadZipFile, OSError, ZlibError, NotImplementedError):
        return 0, 0  # an older format; of a damaged workbook the reader tells
    return uncomputed, errors
