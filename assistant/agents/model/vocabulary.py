"""The sentences and words of an answer, and the words that tell its names apart (`prose_words.yaml`). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

WORD = re.compile(r"[^\W_](?:[\w'’&-]*[^\W_])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The lists of `prose_words.yaml`, in lower case.

    Attributes:
        ordinary: Words that are written with a capital and name nothing of the data.
        everyday: Words of everyday language that are also names of persons.
        nouns_capitalised: Words of languages that write every noun with a capital.
        comparing: Words of a sentence that may set a row's name beside another row's figure.
        denying: Words of a sentence that may name what the results leave out.
        percents: Beginnings of words that say that something is a part of a hundred.
        units: How units are written, those of a group for one unit or for units that are converted into each other.
    """

    ordinary: frozenset[str]
    everyday: frozenset[str]
    nouns_capitalised: frozenset[str]
    comparing: frozenset[str]
    denying: frozenset[str]
    percents: frozenset[str]
    units: tuple[frozenset[str], ...]


@cache
def load_vocabulary() -> Vocabulary:
    """The words of the package's own file."""
    lists = yaml.safe_load((files("assistant.agents.model") / "prose_words.yaml").read_text(encoding="utf-8"))
    groups = tuple(_split_words([group]) for group in lists.pop("units"))
    return Vocabulary(**{name: _split_words(lines) for name, lines in _make_lists(lists).items()}, units=groups)


def _make_lists(lists: Mapping[str, str | list[str]]) -> Mapping[str, list[str]]:
    return {name: [lines] if isinstance(lines, str) else lines for name, lines in lists.items()}


def _split_words(lines: list[str]) -> frozenset[str]:
    return frozenset(word.casefold() for line in lines for word in line.split())
