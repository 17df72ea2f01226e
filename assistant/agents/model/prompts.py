"""The words that models are instructed with: Markdown files in `assistant/agents/prompts`, one per task."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"\{\{(\w+)\}\}")


def fill_prompt(name: str, /, **values: str) -> str:
    """The prompt of a name, with each `{{word}}` replaced by the value of that word."""
    # In one pass: a value that looks like a word to fill in (code can) stays what it is.
    return _WORD.sub(lambda match: values.get(match[1], match[0]), _load(name))


@cache
def list_prompt_words() -> frozenset[str]:
    """The words of all prompts that are written in small letters."""
    folder = files("assistant.agents") / "prompts"
    texts = (entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.name.endswith(".md"))
    return frozenset(word for text in texts for word in re.findall(r"[^\W\d_]+", text) if word.islower())


@cache
def _load(name: str) -> str:
    return (files("assistant.agents") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()
