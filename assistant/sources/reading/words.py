"""The words by which values and names of columns tell what a column holds: the sections of `words.yaml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

_PARTS = re.compile(r"[^\W\d_]+")
_CAPITALS = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareForm:
    """How a share is written.

    Attributes:
        title: What such values are called.
        sign: The sign for it.
        divisor: Of how much it is a part.
        pattern: The pattern of its signs and words.
    """

    title: str
    sign: str
    divisor: int
    pattern: str

    def strip_sign(self, value: str) -> str:
        """A value without its only sign; empty where it has none, or several."""
        bare, number = re.subn(self.pattern, "", value, flags=re.IGNORECASE)
        return bare if number == 1 else ""


@cache
def read_section(name: str) -> Any:
    """A section of the words, as it is written."""
    text = (resources.files("assistant.sources.reading") / "words.yaml").read_text("utf-8")
    return yaml.safe_load(text)[name]


@cache
def share_forms() -> tuple[ShareForm, ...]:
    """Percentages, and values per mille."""
    return tuple(
        ShareForm(
            title=form["title"],
            sign=form["sign"],
            divisor=form["divisor"],
            pattern=rf"\s*({'|'.join(map(re.escape, form['words']))})\s*",
        )
        for form in read_section("shares")
    )


def names_day(name: str) -> bool:
    """Whether a column's name says that it holds days."""
    return _is_named(name, "days")


def names_instant(name: str) -> bool:
    """Whether a column's name says that it holds points in time, or days."""
    return _is_named(name, "instants") or names_day(name)


def names_code(name: str) -> bool:
    """Whether a column's name says that its numbers are codes."""
    return bool(_name_parts(name) & set(read_section("times")["codes"]))


def _is_named(name: str, kind: str) -> bool:
    section = read_section("times")[kind]
    parts = _name_parts(name)
    return bool(parts & set(section["words"])) or any(part.endswith(tuple(section["ends"])) for part in parts)


def _name_parts(name: str) -> set[str]:
    return {part.lower() for part in _PARTS.findall(_CAPITALS.sub(" ", name))}
