"""Markdown as sections: front matter, headings, and the text under each. Nothing is rendered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from knowledge.sources.entries import Header, read_header

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_CHANGED = re.compile(r"Changed by: (.+), (\d{4}-\d\d-\d\d)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownSection:
    """A heading and what stands under it, up to the next heading of any level.

    Attributes:
        level: 1 to 6; 0 for the text before the first heading.
        heading: The heading's text.
        body: The text under it, stripped.
        line: 1-based line of the heading.
        author: Who changed it last, where its last line says so (`Changed by: Ana, 2026-01-31`).
        updated: The day of that.
    """

    level: int
    heading: str
    body: str
    line: int
    author: str | None = None
    updated: date | None = None


def split_sections(text: str, *, origin: str) -> tuple[Header, tuple[MarkdownSection, ...]]:
    """Split a Markdown text at its headings; a `#` inside a fenced block is no heading.

    Raises:
        DocumentMalformed: The front matter is not a header.
    """
    lines = text.splitlines()
    header, start = _front_matter(lines, origin)
    sections: list[MarkdownSection] = []
    level, heading, line, body = 0, "", start + 1, list[str]()
    fence: str | None = None

    def finish() -> None:
        content = "\n".join(body).strip()
        if level or content:
            text_before, author, updated = _signed(content)
            sections.append(
                MarkdownSection(
                    level=level, heading=heading, body=text_before, line=line, author=author, updated=updated
                )
            )

    for number, current in enumerate(lines[start:], start=start + 1):
        opening = _FENCE.match(current)
        if opening:
            mark = opening.group(1)
            if fence is None:
                fence = mark
            elif mark.startswith(fence):
                fence = None
        match = None if fence or opening else _HEADING.match(current)
        if match:
            finish()
            level, heading, line, body = len(match.group(1)), _bare(match.group(2)), number, []
        else:
            body.append(current)
    finish()
    return header, tuple(sections)


def _bare(heading: str) -> str:
    """A heading without the marks that may close it."""
    return heading.rstrip().rstrip("#").rstrip()


def signature(author: str, updated: date) -> str:
    """The last line of a section, which says who changed it."""
    return f"Changed by: {author}, {updated.isoformat()}"


def _signed(body: str) -> tuple[str, str | None, date | None]:
    """A body without its signature, and what that says."""
    before, _, last = body.rstrip().rpartition("\n")
    match = _CHANGED.fullmatch(last)
    try:
        return (before.rstrip(), match[1], date.fromisoformat(match[2])) if match else (body, None, None)
    except ValueError:  # there is no such day
        return body, None, None


def _front_matter(lines: list[str], origin: str) -> tuple[Header, int]:
    """The header between two `---` lines at the top, and the number of lines it takes."""
    if not lines or lines[0].strip() != "---":
        return Header(), 0
    for number, line in enumerate(lines[1:], start=1):
        if line.strip() == "---":
            return read_header("\n".join(lines[1:number]), origin=origin), number + 1
    return Header(), 0
