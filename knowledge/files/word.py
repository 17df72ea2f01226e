"""Word (`.docx`): paragraphs and tables in order, under the headings of Word's own styles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.files.packing import check_packing, office_text
from knowledge.files.pieces import Block, FileText

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)


def read_word(path: Path) -> FileText:
    """Read a Word file. Its fields, links and pictures are not followed.

    Raises:
        FileRefused: It is no such file, or unpacks to too much.
    """
    from docx import Document

    outside = check_packing(path)
    document = Document(str(path))
    about = document.core_properties
    return office_text(about.title, about.modified, _blocks(document), outside)


def _blocks(document: WordDocument) -> Iterator[Block]:
    from docx.text.paragraph import Paragraph

    section = ""
    for item in document.iter_inner_content():
        if isinstance(item, Paragraph):
            level = _level(item)
            if level:
                section = f"section {' '.join(item.text.split())[:80]!r}"
            yield Block(text=item.text, level=level, place=section)
        else:
            yield Block(text=_rows(item), place=section)


def _level(paragraph: Paragraph) -> int:
    name = paragraph.style.name if paragraph.style is not None else None
    match = _HEADING.fullmatch(name or "")
    return int(match.group(1)) if match else 0


def _rows(table: Table) -> str:
    """A table as lines, the cells of a row parted by bars."""
    return "\n".join(" | ".join(" ".join(cell.text.split()) for cell in row.cells) for row in table.rows)
