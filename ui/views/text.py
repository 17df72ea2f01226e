"""Text on the page: foreign text escaped, and numbers formatted. Pure.

Streamlit's Markdown draws links, images, colours, icons and formulas. None of these may come from a model, a database
or a cell: `plain` shows text as it is; `prose` keeps emphasis, lists and code only.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from ui import clock

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_NOT_PROSE = re.compile(r"([\\\[\]<>$:!#|~&@^{}_])")
_CODE = re.compile(r"(?<![`\\])`([^`\n]+)`(?!`)")
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]|[\x00-\x08\x0b-\x1f\x7f]")
_IN_ADDRESS = re.compile(r"(?i)(?<=htt)(?=ps?://)|(?<=ft)(?=p://)|(?<=ww)(?=w\.)|(?<=[-.\w+])(?=@)")
_SEAM = ":gray[]"
"""Coloured text without a character, so nothing is seen or copied: Streamlit links a bare address even where it is
escaped, but not across this."""


def plain(text: str) -> str:
    """Text as Markdown that shows exactly these characters."""
    lines = [_escape_markdown(line.strip()) for line in _ANSI.sub("", text).splitlines()]
    return "  \n".join(line or "&nbsp;" for line in lines)


def line(text: str) -> str:
    """Text as one line of Markdown that shows exactly these characters: for labels."""
    return _escape_markdown(" ".join(_ANSI.sub("", text).split()))


def prose(text: str) -> str:
    """Markdown cut down to emphasis, lists, paragraphs and inline code: no links, images, HTML, icons or formulas."""
    return "\n".join(_convert_line(text_line) for text_line in _ANSI.sub("", text).splitlines())


def _convert_line(text: str) -> str:
    """A line of prose with its code kept and all else escaped; an indent of up to three spaces stays."""
    indent = len(text) - len(text.lstrip())
    text = text.strip()
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += (_escape(text[at : code.start()]), f"`{code[1]}`")
        at = code.end()
    parts.append(_escape(text[at:]))
    return " " * min(indent, 3) + "".join(parts)


def _escape_markdown(text: str) -> str:
    """Text in which no character means anything to Markdown."""
    return _SEAM.join(_PUNCTUATION.sub(r"\\\1", part) for part in _IN_ADDRESS.split(text))


def _escape(text: str) -> str:
    """Prose in which only its own emphasis and lists are left to Markdown."""
    return _SEAM.join(_NOT_PROSE.sub(r"\\\1", part).replace("`", "\\`") for part in _IN_ADDRESS.split(text))


def strip_colours(text: str) -> str:
    """What a cell printed, without terminal colours."""
    return _ANSI.sub("", text)


def format_seconds(value: float) -> str:
    """A duration: `0.2 s`, `14 s`, `2 min 5 s`."""
    if value < 10:
        return f"{value:.1f} s"
    if value < 60:
        return f"{value:.0f} s"
    return f"{int(value) // 60} min {int(value) % 60} s"


def count(number: int, noun: str) -> str:
    """`1 row`, `1,204 rows`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def format_day(iso: str) -> str:
    """A day as it is read: `2026-03-12` becomes `12 Mar 2026`; what is no day as it is."""
    try:
        date_time = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{date_time.day} {date_time:%b %Y}"


def format_age(then: datetime, *, now: datetime | None = None) -> str:
    """How long ago, roughly: `just now`, `5 min ago`, `yesterday`, `12 Mar 2026`."""
    now = now or clock.now()
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    passed = (now - then).total_seconds()
    if passed < 60:
        return "just now"
    if passed < 3600:
        return f"{int(passed // 60)} min ago"
    if passed < 86400:
        return f"{int(passed // 3600)} h ago"
    if passed < 2 * 86400:
        return "yesterday"
    return f"{then.day} {then:%b %Y}"


def build_file_name(text: str, *, fallback: str = "table") -> str:
    """Words as the name of a file without its ending; the fallback where nothing of them is left."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return "-".join(words)[:60].rstrip("-") or fallback


def shorten(text: str, limit: int = 60) -> str:
    """The text in at most `limit` characters, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def cut_sentences(text: str, limit: int) -> str:
    """The whole sentences that fit in `limit` characters; where not one does, the text cut at a word."""
    text = " ".join(text.split())
    if len(text) <= limit and not text.endswith("…"):
        return text
    ends = [match.end() for match in re.finditer(r"[.!?](?= )", text[: limit + 1])]
    return text[: ends[-1]] if ends else shorten(text, limit)
