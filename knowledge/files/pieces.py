"""Pieces of a document file under its headings, each with its location in the file. Pure.

The reader of a format yields blocks in reading order; `split_pieces` makes pieces of them. This module knows no format.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from knowledge.errors import KnowledgeError

CHARS_MAX = 5_000_000
"""What is looked at of one section."""
PIECES_MAX = 5_000
_HEADING_CHARS_MAX = 200
_LEVEL_MAX = 9


class FileRefused(KnowledgeError):
    """A document file that is not read; the text says why and what to do, and does not name the file.

    Attributes:
        is_lasting: Whether the same file will be refused again.
    """

    def __init__(self, message: str, *, is_lasting: bool = True) -> None:
        super().__init__(message)
        self.is_lasting = is_lasting


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading or a paragraph.

    Attributes:
        text: What it says.
        level: Of a heading 1 to 9, the outermost is 1; 0 for all else.
        place: The page, slide or section, as a citation names it; empty where the format has none.
    """

    text: str
    level: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Text under one heading, in one place, short enough to be embedded whole.

    Attributes:
        heading: The headings it stands under, outermost first, joined by a colon; empty before the first.
        place: As of its blocks.
        text: The text.
    """

    heading: str
    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """A document file as it was read.

    Attributes:
        title: What the file calls itself; empty where it does not say.
        updated: When it was last changed, as the file says.
        pieces: Its text.
        remarks: What in it was not read, each a sentence without a subject: "holds ...".
    """

    title: str = ""
    updated: date | None = None
    pieces: tuple[Piece, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Section:
    heading: str
    place: str
    paragraphs: list[str]


def split_pieces(blocks: Iterable[Block]) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """The pieces of a file, and what was left out because there is too much of it."""
    from knowledge.sources.notes import split_text  # it imports YAML, which messages of pieces need not

    pieces: list[Piece] = []
    for section in _sections(blocks):
        text = "\n\n".join(section.paragraphs)[:CHARS_MAX]
        pieces += (Piece(heading=section.heading, place=section.place, text=part) for part in split_text(text))
        if len(pieces) > PIECES_MAX:
            remark = f"is longer than {PIECES_MAX:,} pieces of up to 1,100 characters; only its beginning is read"
            return tuple(pieces[:PIECES_MAX]), (remark,)
    return tuple(pieces), ()


def _sections(blocks: Iterable[Block]) -> Iterable[_Section]:
    """Paragraphs that stand under the same headings in the same place."""
    path: list[tuple[int, str]] = []
    open_: _Section | None = None
    for block in blocks:
        text = block.text.strip()
        if not text:
            continue
        level = min(block.level, _LEVEL_MAX)
        if level:
            while path and path[-1][0] >= level:
                path.pop()
            path.append((level, " ".join(text.split())[:_HEADING_CHARS_MAX]))
            continue
        heading = ": ".join(name for _, name in path)
        if open_ is None or (open_.heading, open_.place) != (heading, block.place):
            if open_ is not None:
                yield open_
            open_ = _Section(heading=heading, place=block.place, paragraphs=[])
        open_.paragraphs.append(text)
    if open_ is not None:
        yield open_
