"""A report as one HTML file: headings, texts, tables and images; no script and no link. Pure."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from jinja2 import Environment, StrictUndefined, Template
from markdown_it import MarkdownIt

ROWS_MAX = 200
_CHARS_OF_TEXT = 18
"""Longer texts of a table are wrapped."""
_ON_PAPER = (("", 88), ("wide", 140), ("narrow", 215))
"""How a table is printed, and how many characters a line of it then holds on A4: upright, across, across and small.
What is wider yet is printed in blocks of columns, so that nothing is cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One answer of a report.

    Attributes:
        heading: The question, or the name that the person gave.
        text: The answer, as Markdown of emphasis and lists.
        columns: The columns of its table.
        rows: The table's first rows, as they are shown.
        total: How many rows the table has.
        right: Columns that stand at the right, by their places; numbers do in any case.
        changed: Cells that are not what they were before, as row and column numbers.
        picture: Its chart, as a PNG.
        picture_alt: What the chart shows, in words.
        notes: What should be known of it: as of when, from what data, what failed.
        code: The queries behind it.
    """

    heading: str
    text: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = field(default=(), repr=False)
    total: int = 0
    right: frozenset[int] = frozenset()
    changed: frozenset[tuple[int, int]] = frozenset()
    picture: bytes | None = field(default=None, repr=False)
    picture_alt: str = ""
    notes: Sequence[str] = ()
    code: Sequence[str] = ()

    @property
    def on_paper(self) -> str:
        """How its table is printed."""
        needed = sum(self._widths())
        return next((name for name, available in _ON_PAPER if needed <= available), _ON_PAPER[-1][0])

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The columns that are printed beside each other, by their places; each block begins with the first column."""
        widths, available = self._widths(), _ON_PAPER[-1][1]
        blocks: list[list[int]] = [[]]
        for at, width in enumerate(widths):
            if len(blocks[-1]) > 1 and width + sum(widths[place] for place in blocks[-1]) > available:
                blocks.append([0])
            blocks[-1].append(at)
        return tuple(map(tuple, blocks))

    def _widths(self) -> list[int]:
        return [_characters(column, [row[at] for row in self.rows]) for at, column in enumerate(self.columns)]


def build_document(title: str, sections: Sequence[Section], *, caption: str) -> bytes:
    """The file, as UTF-8.

    Args:
        title: Its heading.
        sections: The answers, in order.
        caption: When and from what it was made, for its head.
    """
    return _load_template().render(title=title, sections=sections, made=caption, rows_shown=ROWS_MAX).encode()


def format_cell(value: object) -> str:
    """A value as a table shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) >= 10 else f"{value:,.4g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return str(value)


def is_number(value: object) -> bool:
    """Whether a value stands at the right of its column."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_unbroken(value: object) -> bool:
    """Whether a value holds a word that is too long for a column of a printed table."""
    return isinstance(value, str) and any(len(word) > _CHARS_OF_TEXT for word in value.split())


def _characters(column: str, values: Sequence[object]) -> int:
    """How many characters a column takes of a line: figures stand whole, texts and headings are wrapped."""
    texts = [(format_cell(value), is_number(value)) for value in values[:ROWS_MAX]]
    widths = [len(text) if is_figure else min(len(text), _CHARS_OF_TEXT) for text, is_figure in texts]
    heading = max(map(len, column.split()), default=0)
    return max(min(heading, _CHARS_OF_TEXT), *widths, 1) + 3


def prose(text: str) -> str:
    """Markdown as HTML: emphasis, lists and code; HTML, links and pictures stay text."""
    reader = MarkdownIt("zero").enable(["emphasis", "list", "backticks", "newline", "escape"])
    return reader.render(text)


def _base64(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


@cache
def _load_template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "shown": format_cell,
        "prose": prose,
        "base64": _base64,
    }
    environment.tests |= {"number": is_number, "unbroken": _is_unbroken}
    text = (resources.files("assistant.output.reports") / "document.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(text)
