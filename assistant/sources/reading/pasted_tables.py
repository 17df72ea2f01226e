"""A table that a person pastes into a question: cells parted by tabs, bars, semicolons or commas. Pure.

What a spreadsheet puts on the clipboard has tabs; a chat or a document has Markdown; a file that was opened in an
editor has commas. Prose has commas too, so lines with commas are a table only where all have as many.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

_CELL_CHARS_MAX = 80
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_SENTENCE_END = re.compile(r"[.?!:]\s*$")
_LINES_MIN = {"\t": 2, "|": 2, ";": 3, ",": 3}
"""So many lines with as many cells are a table, by what parts the cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedTable:
    """A table that was pasted, as a file, and the words around it.

    Attributes:
        question: The words around it, on one line; empty where there are none.
        name: The file's name.
        content: Its text in CSV or TSV.
    """

    question: str
    name: str
    content: bytes


def pasted_table(text: str) -> PastedTable | None:
    """The largest table in a text that a person wrote; None where it holds none."""
    lines = text.splitlines()
    tables = [table for delimiter in _LINES_MIN for table in _tables(lines, delimiter)]
    if not tables:
        return None
    start, end, rows = max(tables, key=lambda table: table[1] - table[0])
    words = " ".join(line.strip() for line in (*lines[:start], *lines[end:]) if line.strip())
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return PastedTable(question=words, name="pasted.csv", content=made.getvalue().encode())


def _tables(lines: Sequence[str], delimiter: str) -> list[tuple[int, int, list[list[str]]]]:
    """Runs of lines with the same number of cells: where each begins and ends, and its rows."""
    tables: list[tuple[int, int, list[list[str]]]] = []
    start, rows = 0, list[list[str]]()
    for number, line in enumerate((*lines, "")):
        if rows and delimiter == "|" and _RULE.fullmatch(line.strip()):
            continue
        cells = _cells(line, delimiter)
        if rows and (cells is None or len(cells) != len(rows[0])):
            if len(rows) >= _LINES_MIN[delimiter]:
                tables.append((start, number, rows))
            rows = []
        if cells is not None:
            start = start if rows else number
            rows.append(cells)
    return tables


def _cells(line: str, delimiter: str) -> list[str] | None:
    """The cells of a line; None where it is no row."""
    if delimiter not in line or len(line) > 20_000:
        return None
    if delimiter == "|":
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    else:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
    is_prose = delimiter in ",;" and (_SENTENCE_END.search(line) or max(map(len, cells)) > _CELL_CHARS_MAX)
    return None if len(cells) < 2 or is_prose else cells
