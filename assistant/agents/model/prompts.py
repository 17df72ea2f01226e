"""The words that models are instructed with: Markdown files in `assistant/agents/prompts`, one per task."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"\{\{(\w+)\}\}")


def prompt(name: str, **values: str) -> str:
    """The prompt of a name, with each `{{word}}` replaced by the value of that word."""
    # In one pass: a value that looks like a word to fill in (code can) stays what it is.
    return _WORD.sub(lambda found: values.get(found[1], found[0]), _text(name))


@cache
def _text(name: str) -> str:
    return (files("assistant.agents") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()
