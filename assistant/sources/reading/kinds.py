"""What one cell looks like: empty, a word for no value, a number, a date, a time, yes or no, or text. Pure.

One vocabulary serves text files, workbooks and JSON. It is lenient: it says what a cell looks like, for the layout of a
table is found by what its columns look like. Whether a whole column is of a type is decided by `inference`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from math import isnan
from typing import Literal, TypeAlias

Cell: TypeAlias = int | float | str | bool | time | date | datetime | timedelta | None
Kind = Literal["empty", "missing", "number", "date", "time", "flag", "text"]

MISSING_ALWAYS = frozenset(
    {
        "",
        "na",
        "n/a",
        "n.a.",
        "#n/a",
        "#na",
        "nan",
        "null",
        "#null!",
        "#div/0!",
        "#ref!",
        "#value!",
        "not available",
        "\\n",
    }
)
"""Words that stand for no value wherever they occur; `na` alone may be a code."""
MISSING_PERHAPS = frozenset(
    {
        "none",
        "nil",
        "unknown",
        "missing",
        "not known",
        "suppressed",
        "privacysuppressed",
        "n.d.",
        "nd",
        "n. b.",
        "n.b.",
        "k.a.",
        "k. a.",
    }
)
"""Words that stand for no value among numbers and dates, and are often a value among texts."""

CURRENCY = (
    r"(?:(?:US|AU|CA|A|C|R)?\$|[€£¥₹₽₺₩₪₫₴₱฿円元]|USD|EUR|GBP|CHF|JPY|CNY|INR|PLN|SEK|NOK|DKK|CZK|HUF|RUB|TRY|BRL|AUD|CAD"
    r"|kr|zł|Kč|Ft|руб\.?)"
)
_SPACES = " '’\u00a0\u202f"
_UNIT = r"[A-Za-zµ°²³/]{1,5}"
_NUMBER = re.compile(
    rf"(?:[<>≤≥≈~]\s?)?[-+−(]?\s?{CURRENCY}?\s?[-+−]?\s?"
    rf"(?:\d+(?:[.,٫]\d*)?|\d{{1,3}}(?:[,.٬{_SPACES}]\d{{3}})+(?:[.,٫]\d*)?|[.,]\d+)(?:[eE][-+]?\d{{1,3}})?"
    rf"\s?(?:{CURRENCY}|[%‰]|{_UNIT})?\s?[-)*†‡]{{0,3}}"
)
_NO_UNIT = re.compile(r"(?i)\d\s?(am|pm|st|nd|rd|th|[a-f]|x)$")
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp][Mm])?"
_MONTH = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}\.?"
_DATE = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[,.]?\s+)?(?:"
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})"
    r"|\d{4}年\d{1,2}月\d{1,2}日"
    rf"|\d{{1,2}}[. -]{{1,2}}{_MONTH}[ ,-]{{1,2}}(?:\d{{4}}|\d{{2}})|{_MONTH} \d{{1,2}},? \d{{4}})"
    rf"(?:[T ,]+{_CLOCK}\s?(?:Z|GMT|UTC|[-+]\d\d:?\d\d)?)?",
    re.IGNORECASE,
)
_TIME = re.compile(_CLOCK)
_MARKS = re.compile(r"[^\w\s]+")
_RULER = re.compile(r"[-=+_:|\u2500-\u257f ]*[-=_\u2500-\u257f]{2}[-=+_:|\u2500-\u257f ]*")
_COMMENT = re.compile(r"#|%|//|--|;|!")


def is_missing_word(text: str) -> bool:
    """Whether a text may stand for no value: a word that says so, or signs alone such as `-`, `..` and `***`."""
    word = text.lower()
    return word in MISSING_ALWAYS or word in MISSING_PERHAPS or bool(_MARKS.fullmatch(text))


def is_ruler(cells: Sequence[Cell]) -> bool:
    """Whether a row is a line drawn with signs, such as `----+------` or `|---|:--:|`."""
    texts = [text for cell in cells if (text := text_of(cell))]
    return max(map(len, texts), default=0) > 2 and all(map(_RULER.fullmatch, texts))


def is_comment(cells: Sequence[Cell]) -> bool:
    """Whether a row begins with a sign that marks a comment."""
    return bool(cells) and bool(_COMMENT.match(text_of(cells[0])))


def kind_of(cell: Cell) -> Kind:
    """What a cell looks like."""
    if isinstance(cell, str):
        return _kind_of_text(cell)
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return "empty"
    if isinstance(cell, bool):
        return "flag"
    if isinstance(cell, int | float):
        return "number"
    return "date" if isinstance(cell, date) else "time"


@lru_cache(100_000)
def _kind_of_text(raw: str) -> Kind:
    text = raw.strip()
    if not text:
        return "empty"
    if len(text) > 45 or not any(map(str.isdecimal, text)):
        if is_missing_word(text):
            return "missing"
        return "flag" if text.lower() in ("true", "false") else "text"
    if _NUMBER.fullmatch(text):
        return "text" if _NO_UNIT.search(text) else "number"
    if _DATE.fullmatch(text):
        return "date"
    return "time" if _TIME.fullmatch(text) else "text"


def text_of(cell: Cell) -> str:
    """A cell as one line of text; empty where it holds nothing."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return " ".join(cell.split())
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ") if cell.time() != time() else cell.date().isoformat()
    return str(cell)
