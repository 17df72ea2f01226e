"""Markdown notes: each section is a document, split at paragraphs where it is too long to embed."""

from __future__ import annotations

from pathlib import PurePosixPath

from knowledge.documents import Note
from knowledge.errors import DocumentMalformed
from knowledge.sources.entries import topic_of
from knowledge.sources.markdown import MarkdownSection, split_sections
from knowledge.sources.problems import FileReading, Problem

# MiniLM reads 256 word pieces: about 1,100 characters of English.
_BODY_CHARS_MAX = 1_100


def read_notes(text: str, *, origin: str) -> FileReading[Note]:
    """Read the notes of one Markdown file."""
    try:
        header, sections = split_sections(text, origin=origin)
    except DocumentMalformed as error:
        return FileReading(problems=(Problem(origin=origin, line=error.line, message=str(error)),))
    notes: list[Note] = []
    parts: dict[str, int] = {}  # two sections of one heading are numbered on, so that each keeps an id of its own
    for heading, section in with_paths(sections, PurePosixPath(origin).stem):
        for body in split_text(section.body):
            parts[heading] = parts.get(heading, 0) + 1
            notes.append(
                Note(
                    heading=heading,
                    body=body,
                    part=parts[heading],
                    topic=header.topic or topic_of(origin),
                    origin=origin,
                    author=section.author or header.author,
                    updated=section.updated or header.updated,
                    source=header.source,
                )
            )
    return FileReading(documents=tuple(notes))


def with_paths(sections: tuple[MarkdownSection, ...], stem: str) -> list[tuple[str, MarkdownSection]]:
    """Each section that has text, with the headings above it."""
    path: list[tuple[int, str]] = []
    result: list[tuple[str, MarkdownSection]] = []
    for section in sections:
        while path and path[-1][0] >= section.level:
            path.pop()
        if section.heading:
            path.append((section.level, section.heading))
        if section.body:
            result.append((": ".join(name for _, name in path) or stem, section))
    return result


def split_text(body: str) -> list[str]:
    """Cut at paragraphs, then where a single paragraph is too long at a space."""
    pieces: list[str] = []
    for paragraph in body.split("\n\n"):
        remaining = paragraph.strip()
        while len(remaining) > _BODY_CHARS_MAX:
            cut = remaining.rfind(" ", _BODY_CHARS_MAX // 2, _BODY_CHARS_MAX)
            cut = cut if cut > 0 else _BODY_CHARS_MAX
            pieces.append(remaining[:cut])
            remaining = remaining[cut:].lstrip()
        if pieces and len(pieces[-1]) + len(remaining) + 2 <= _BODY_CHARS_MAX:
            pieces[-1] = f"{pieces[-1]}\n\n{remaining}"
        elif remaining:
            pieces.append(remaining)
    return pieces
