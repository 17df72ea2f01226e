"""A report as one HTML file: headings, texts, tables and pictures, no script and no address in it. Pure."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Template

ROWS_SHOWN = 200


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


def document(title: str, sections: Sequence[Section], *, made: str) -> bytes:
    """The file, as UTF-8.

    Args:
        title: Its heading.
        sections: The answers, in order.
        made: When and from what it was made, for its head.
    """
    return _template().render(title=title, sections=sections, made=made, rows_shown=ROWS_SHOWN).encode()


def shown(value: object) -> str:
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


def prose(text: str) -> str:
    """Markdown as HTML: emphasis, lists and code; HTML, links and pictures stay text."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("zero").enable(["emphasis", "list", "backticks", "newline", "escape"])
    return reader.render(text)


def _base64(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {
        "shown": shown,
        "prose": prose,
        "base64": _base64,
    }
    made.tests["number"] = is_number
    text = (resources.files("assistant.reports") / "document.html.jinja").read_text(encoding="utf-8")
    return made.from_string(text)
