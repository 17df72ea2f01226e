"""Reads the lexicon's files: plain YAML, each once a process."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeAlias

Entry: TypeAlias = "str | int | float | bool | list[Entry] | dict[str, Entry] | None"


@cache
def read(name: str, package: str = "assistant.analyst.lexicon") -> dict[str, Entry]:
    """The content of `<name>.yaml`, of the lexicon or of another package."""
    import yaml

    text = files(package).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # a safe loader, in C where there is one


def section(name: str, key: str) -> dict[str, Entry]:
    """A mapping inside a file.

    Raises:
        TypeError: the entry is no mapping.
    """
    entry = read(name)[key]
    if not isinstance(entry, dict):
        raise TypeError(f"{key!r} in lexicon/{name}.yaml must be a mapping.")
    return entry


@cache
def listed(name: str, *keys: str) -> frozenset[str]:
    """The words of an entry inside mappings: a list, or a text of words with blanks between."""
    entry: Entry = read(name)
    for key in keys:
        entry = entry[key] if isinstance(entry, dict) else None
    return frozenset(map(str, entry) if isinstance(entry, list) else str(entry).split())
