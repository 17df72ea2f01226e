"""The shape of a delimited text file: its delimiter, its header. No engine is asked.

DuckDB reads UTF-8 alone, so a file in another encoding (`encodings`) is rewritten first. Its own sniffer also decides
types while it guesses the header, which fails on dirty files; here the header is decided by itself.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.sources.arrow import unique_names
from assistant.sources.reading.encodings import encoding_by_mark, wide_encoding

_BLOCK_BYTES = 1 << 20
_HEAD_CHARS = 256 * 1024
_HEAD_ROWS = 500
_TITLES_WITHIN_ROWS = 20
_DELIMITERS = (",", ";", "\t", "|")
_VALUE = re.compile(r"[-+(]?\s*[$€£]?\s*[\d.,' ]*\d[\d.,' ]*\s*[%€$£)]?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*")
_YEAR = re.compile(r"(19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a delimited file is laid out. `skip` lines stand before the header, or before the first row."""

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    skip: int = 0


def is_binary(path: Path) -> bool:
    """Whether a file is no text at all: zero bytes in its first block, as no encoding but UTF-16 and UTF-32 has any."""
    with path.open("rb") as file:
        block = file.read(_BLOCK_BYTES)
    return b"\0" in block and not encoding_by_mark(block) and not wide_encoding(block)


def rewrite(path: Path, encoding: str, target: Path) -> None:
    """Write a file anew as UTF-8 without a byte order mark.

    Bytes that mean nothing in cp1252 are read as Latin-1, and � stands for those that mean nothing in another encoding.

    Raises:
        OSError: It cannot be read or written.
    """
    codecs.register_error("latin-1-fallback", _as_latin_1)
    errors = "latin-1-fallback" if encoding == "cp1252" else "replace"
    with (
        path.open("rb") as raw,
        io.TextIOWrapper(raw, encoding, errors=errors, newline="") as source,
        target.open("w", encoding="utf-8", newline="") as copy,
    ):
        while text := source.read(_BLOCK_BYTES):
            copy.write(text)


def _as_latin_1(problem: UnicodeError) -> tuple[str, int]:
    if isinstance(problem, UnicodeDecodeError):
        return problem.object[problem.start : problem.end].decode("latin-1"), problem.end
    raise problem


def head_of(path: Path, encoding: str) -> str:
    """The first quarter million characters."""
    with path.open("rb") as raw, io.TextIOWrapper(raw, encoding, errors="replace", newline="") as source:
        return source.read(_HEAD_CHARS)


def shape_of(
    head: str, *, delimiter: str | None = None, header: bool | None = None, skip: int | None = None
) -> Shape | None:
    """The layout of a file by its beginning; None if there is nothing but blanks. What is given is not guessed.

    The delimiter is the one by which most rows have the same width. Rows before the first row of that width are a
    title, and so are rows with next to nothing in them above a row of names. The first row is a header unless something
    in it looks like a value.
    """
    if not head.strip():
        return None
    whole = head if len(head) < _HEAD_CHARS else head[: head.rfind("\n") + 1] or head
    best: tuple[float, int, str, list[list[str]]] | None = None
    for tried in _DELIMITERS if delimiter is None else (delimiter,):
        rows = _rows(whole, tried)
        width, agreeing = _usual_width(rows)
        filled = sum(1 for row in rows if any(cell.strip() for cell in row)) or 1
        score = agreeing / filled if width > 1 else 0.0
        if best is None or (round(score, 2), width) > best[:2]:
            best = (round(score, 2), width, tried, rows)
    if best is None or (best[0] < 0.3 and delimiter is None):
        best = (1.0, 1, ",", [[line] for line in whole.splitlines()[:_HEAD_ROWS]])
    _, width, delimiter, rows = best
    if skip is None:
        skip = next((place for place, row in enumerate(rows) if _width(row) >= max(1, width * 0.6)), 0)
        skip += _titles(rows[skip : skip + _TITLES_WITHIN_ROWS], width)
    first = rows[min(skip, len(rows) - 1)]
    has_header = is_header(first) if header is None else header
    cells = [*first, *[""] * (width - len(first))]
    names = unique_names(cells if has_header else [""] * max(width, len(first)))
    return Shape(delimiter=delimiter, names=names, has_header=has_header, skip=skip)


def is_header(row: Sequence[str]) -> bool:
    """Whether a first row holds names: it has some, and no cell of it reads like a number or a date."""
    cells = [cell.strip() for cell in row]
    return any(cells) and not any(_VALUE.fullmatch(cell) and not _YEAR.fullmatch(cell) for cell in cells if cell)


def _titles(rows: Sequence[Sequence[str]], width: int) -> int:
    """How many rows are a title that a spreadsheet has filled up with delimiters to the width of its table."""
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    header = next((place for place, cells in enumerate(filled) if cells >= 0.6 * width), 0)
    return header if width >= 3 and max(filled[:header], default=0) <= width / 3 and is_header(rows[header]) else 0


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append(row)
            if len(rows) == _HEAD_ROWS:
                break
    except csv.Error:  # a cell longer than the reader allows: what was read tells enough
        pass
    return rows


def _width(row: Sequence[str]) -> int:
    return len(row) if any(cell.strip() for cell in row) else 0


def _usual_width(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    widths = Counter(width for row in rows if (width := _width(row)))
    if not widths:
        return 0, 0
    width, agreeing = max(widths.items(), key=lambda item: (item[1], item[0]))
    return width, agreeing
