"""Web pages (`.html`): their text as Markdown, under their headings. Nothing that they link to is fetched."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.files.pieces import Block, FileText, split_pieces
from knowledge.sources.markdown import split_sections

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_BYTES_MAX = 5_000_000
_LEFT_OUT = ("script", "style", "noscript", "template", "svg", "nav", "form")
_INSERTED = ("iframe", "frame", "object", "embed")
_PLAIN = ("a", "img", "b", "strong", "em", "i")
_DATES = ("last-modified", "article:modified_time", "dcterms.modified", "date", "article:published_time")


def read_web(path: Path) -> FileText:
    """Read a web page that was saved."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    with path.open("rb") as file:
        page = BeautifulSoup(file.read(_BYTES_MAX), "html.parser")
    title = " ".join(page.title.get_text().split()) if page.title is not None else ""
    updated = _updated(page)
    inserted = page.find_all(_INSERTED)
    for tag in page.find_all((*_LEFT_OUT, *_INSERTED, "title")):
        tag.decompose()
    text = MarkdownConverter(
        heading_style="ATX", strip=list(_PLAIN), escape_asterisks=False, escape_underscores=False, escape_misc=False
    ).convert_soup(page)
    pieces, remarks = split_pieces(_blocks(text))
    if inserted:
        remarks = (*remarks, f"inserts {len(inserted)} parts from elsewhere, which were not read")
    return FileText(title=title, updated=updated, pieces=pieces, remarks=remarks)


def _blocks(text: str) -> list[Block]:
    # A first line of dashes would be read as the beginning of front matter.
    _, sections = split_sections("\n" + text, origin="")
    blocks: list[Block] = []
    place = ""
    for section in sections:
        if section.heading:
            place = f"section {section.heading[:80]!r}"
            blocks.append(Block(text=section.heading, level=section.level, place=place))
        blocks.append(Block(text=section.body, place=place))
    return blocks


def _updated(page: BeautifulSoup) -> date | None:
    """The day that the page's head gives as that of its last change."""
    metadata = {
        str(tag.get("name") or tag.get("property") or tag.get("http-equiv") or "").lower(): str(
            tag.get("content") or ""
        )
        for tag in page.find_all("meta")
    }
    for name in _DATES:
        with suppress(ValueError):
            return date.fromisoformat(metadata.get(name, "")[:10])
    return None
