"""The tables of an HTML page, as cells of text. Nothing that a page refers to is read.

A table's columns are `row` and `c1`, `c2`, ...; its metadata say its title and how many rows are names of columns. The
notebook contains this code, so nothing of Tandem is imported.
"""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
from lxml import etree, html  # pyright: ignore[reportAttributeAccessIssue]  # it is compiled, without stubs

_SPAN_MAX = 1_000
_CELLS_MAX = 20_000_000
_TABLES_MAX = 200
_CHARSET = re.compile(rb"charset\s*=", re.IGNORECASE)
_HEAD_BYTES = 4_096


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The tables of two columns and two rows or more, each with its title.

    Raises:
        ValueError: It has none.
    """
    with open(file, "rb") as opened:
        content = opened.read()
    encoding = None if _CHARSET.search(content[:_HEAD_BYTES]) else _encoding(content)
    parser = html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, encoding=encoding)
    try:
        page: Any = html.document_fromstring(content, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise ValueError("cannot be read as HTML. Check that the file is whole") from None
    for element in page.xpath("//script|//style|//sup[contains(@class, 'reference')]"):
        element.drop_tree()
    for element in page.iter("br"):
        element.tail = f" {element.tail or ''}"
    tables: list[tuple[str, Any]] = []
    for element in page.xpath("//table[not(.//table)]")[:_TABLES_MAX]:
        rows, headers = _cells(element)
        width = max(map(len, rows), default=0)
        if len(rows) > 1 and width > 1:
            tables.append((_title(element), _table(rows, width, headers)))
    if not tables:
        raise ValueError("has no table of two columns and two rows")
    return tables


def _encoding(content: bytes) -> str:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _cells(table: Any) -> tuple[list[list[str]], int]:
    """The rows with something in them, and how many of the first are names of columns."""
    rows: list[list[str]] = []
    headers, is_head, width = 0, True, 0
    below: dict[int, tuple[int, str]] = {}
    for element in table.iter("tr"):
        row: list[str] = []
        own = element.xpath("./td|./th")
        for cell in [*own, None]:
            while len(row) in below:
                left, text = below.pop(len(row))
                if left > 1:
                    below[len(row)] = (left - 1, text)
                row.append(text)
            if cell is None:
                break
            text = " ".join(cell.text_content().split())
            for _ in range(_span(cell, "colspan")):
                if (rows_left := _span(cell, "rowspan") - 1) > 0:
                    below[len(row)] = (rows_left, text)
                row.append(text)
            width = max(width, len(row))
            if width * (len(rows) + 1) > _CELLS_MAX:  # short rows are filled up
                raise ValueError(f"has a table of more than {_CELLS_MAX:,} cells")
        if not any(row):
            continue
        rows.append(row)
        is_named = element.getparent().tag == "thead" or (bool(own) and all(cell.tag == "th" for cell in own))
        is_head = is_head and is_named
        headers += is_head
    return rows, headers if headers < len(rows) else 0


def _span(cell: Any, name: str) -> int:
    try:
        return min(max(1, int(cell.get(name, "1"))), _SPAN_MAX)
    except ValueError:
        return 1


def _title(table: Any) -> str:
    """What stands above a table: its caption, or the nearest heading before it."""
    titles = table.xpath("./caption") or table.xpath("preceding::*[self::h1 or self::h2 or self::h3 or self::h4][1]")
    return " ".join(titles[-1].text_content().split())[:60] if titles else ""


def _table(rows: list[list[str]], width: int, headers: int) -> Any:
    columns = {"row": pa.array(range(len(rows)), pa.int64())}
    for place in range(width):
        cells = [row[place] if place < len(row) else "" for row in rows]
        columns[f"c{place + 1}"] = pa.array([cell or None for cell in cells], pa.string())
    return pa.table(columns).replace_schema_metadata({"headers": str(headers)})
