"""Spreadsheet files (CSV, Excel) in which no cell is a formula.

A spreadsheet evaluates a text that begins like a formula, and data may contain one on purpose ("CSV injection"). Such a
text gets a leading apostrophe, in CSV and in Excel alike; numbers, dates and truth values stay unchanged.

Source: OWASP, CSV Injection.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

EXCEL_ROWS_MAX = 1_048_575
"""Rows that a sheet takes below its header."""
EXCEL_DIGITS_MAX = 15
"""Digits of a number that Excel keeps; a longer one is written as text."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_BEHIND_A_SEPARATOR = re.compile(r"([;\t\r\n]\s*)(?=[=+\-@＝＋－＠])")
"""Where a program that separates cells by other marks than we do would begin a cell with a formula."""
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FIRST_DAY = date(1900, 3, 1)
"""Excel counts a 29 February 1900 that never was; days before it are written as text."""


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table as CSV. The mark at its beginning makes spreadsheets read it as UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([_escape_for_csv(column) for column in columns])
    writer.writerows([_convert(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig", errors="replace")


def write_excel(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table as an Excel workbook with one sheet."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Table")
    sheet.append([_convert_for_excel(column) for column in columns])
    for place, row in enumerate(rows):
        if place == EXCEL_ROWS_MAX:
            break
        sheet.append([_convert_for_excel(value) for value in row])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def escape_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA) else text


def _convert(value: object) -> object:
    """A value that a spreadsheet takes as it is, or its text without a formula."""
    match value:
        case None | bool() | int() | float() | Decimal() | date() | time():
            return value
        case _:
            return _escape_for_csv(str(value))


def _escape_for_csv(text: str) -> str:
    """A text of which no spreadsheet takes a part for a formula: many expect semicolons, and read no quotes then."""
    return _BEHIND_A_SEPARATOR.sub(r"\1'", escape_formula(text))


def _convert_for_excel(value: object) -> object:
    """A value as openpyxl can write it and Excel reads it unchanged."""
    match value:
        case bool():
            return value
        case float() if not math.isfinite(value):
            return None
        case Decimal() if not value.is_finite():
            return None
        case int() if len(str(abs(value))) > EXCEL_DIGITS_MAX:
            return str(value) if value >= 0 else f"'{value}"
        case datetime() if value.tzinfo is not None or value.date() < _FIRST_DAY:
            return value.isoformat(sep=" ")
        case date() if not isinstance(value, datetime) and value < _FIRST_DAY:
            return value.isoformat()
        case time() if value.tzinfo is not None:
            return value.isoformat()
        case None | int() | float() | Decimal() | date() | time():
            return value
        case _:
            return escape_formula(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", str(value)))
