"""PDF: the text of each page, under the bookmarks that point to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowledge.files.pieces import Block, FileRefused, FileText, split_pieces

if TYPE_CHECKING:
    from pypdf import PdfReader

PAGES_MAX = 2_000
_BOOKMARKS_MAX = 5_000
_LEVEL_MAX = 9


def read_pdf(path: Path) -> FileText:
    """Read a PDF.

    Raises:
        FileRefused: It wants a password, or holds no text.
    """
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        raise FileRefused("is protected by a password; save it without one")
    pages = len(reader.pages)
    pieces, remarks = split_pieces(_blocks(reader))
    if not pieces:
        raise FileRefused("holds no text, only pictures of it perhaps; run it through a text recognition (OCR) first")
    if pages > PAGES_MAX:
        remarks = (*remarks, f"has {pages:,} pages; only the first {PAGES_MAX:,} are read")
    about = reader.metadata
    changed = (about.modification_date or about.creation_date) if about else None
    return FileText(
        title=str(about.title or "").strip() if about else "",
        updated=changed.date() if changed else None,
        pieces=pieces,
        remarks=remarks,
    )


def _blocks(reader: PdfReader) -> Iterator[Block]:
    headings = _bookmarks(reader)
    for number, page in enumerate(reader.pages[:PAGES_MAX], start=1):
        place = f"page {number}"
        yield from (Block(text=text, level=level, place=place) for text, level in headings.get(number, ()))
        yield Block(text=page.extract_text(), place=place)


def _bookmarks(reader: PdfReader) -> dict[int, list[tuple[str, int]]]:
    """The bookmarks by the number of the page that they lead to, each with its level."""
    bookmarks: dict[int, list[tuple[str, int]]] = {}
    waiting: list[tuple[Any, int]] = [(item, 1) for item in reversed(reader.outline)]
    remaining = _BOOKMARKS_MAX
    while waiting and remaining:
        remaining -= 1
        item, level = waiting.pop()
        if isinstance(item, list):
            waiting += [(inner, min(level + 1, _LEVEL_MAX)) for inner in reversed(item)]
            continue
        number = reader.get_destination_page_number(item)
        if number is not None and item.title:
            bookmarks.setdefault(number + 1, []).append((str(item.title), level))
    return bookmarks
