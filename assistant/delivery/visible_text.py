"""Escapes control characters in foreign text before a terminal shows it."""

from __future__ import annotations


def make_visible(text: str, *, keep: str = "") -> str:
    """The text with what a terminal would obey or hide spelled out, but for the signs of `keep`."""
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)
