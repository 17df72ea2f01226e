"""Recognises country columns: codes and names of Unicode's CLDR (through Babel), other names in `countries.yaml`.

A country is represented by its two-letter code of ISO 3166-1. Pure, but for reading the package's own files once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from babel import Locale
from babel.core import get_global

from assistant.output.presentation.columns import words_of

CODE_CHARS = (2, 3)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The distinct values of a column: the code of each that is a country, and those that are none."""

    codes: Mapping[str, str]
    unknown: tuple[str, ...] = field(default=())

    @property
    def share(self) -> float:
        """How much of the values are countries, between 0 and 1."""
        return len(self.codes) / max(1, len(self.codes) + len(self.unknown))

    @property
    def is_one_to_one(self) -> bool:
        """Whether no two values name the same country."""
        return len(set(self.codes.values())) == len(self.codes)


def countries_of(values: Iterable[object], column: str) -> Named:
    """The countries among the values of a column; empty values are left out.

    Args:
        values: the values, of which texts alone can be countries.
        column: the column's name, which tells whether `CA` is Canada or California.
    """
    coded = bool(_spoken("column") & set(words_of(column)))
    codes: dict[str, str] = {}
    unknown: dict[str, None] = {}
    for value in values:
        if value is None or value == "" or str(value) in codes:
            continue
        code = code_of(value, coded=coded) if isinstance(value, str) else None
        if code is None:
            unknown[str(value)] = None
        else:
            codes[str(value)] = code
    return Named(codes=codes, unknown=tuple(unknown))


def code_of(value: str, *, coded: bool) -> str | None:
    """The two-letter code of a country that is named, or with `coded` also of one that is given by a code."""
    code = _names().get(_plain(value))
    if code is None and coded and len(value.strip()) in CODE_CHARS:
        return _codes().get(value.strip().upper())
    return code


def find_by_number(number: str) -> str | None:
    """The two-letter code of a country that is given by the three digits of ISO 3166-1."""
    return _codes().get(number)


@cache
def load_vocabulary() -> dict[str, Any]:
    """The content of `countries.yaml`."""
    return yaml.safe_load((Path(__file__).parent / "countries.yaml").read_text(encoding="utf-8"))


@cache
def _spoken(of: str) -> frozenset[str]:
    return frozenset(load_vocabulary()[of])


def _plain(name: str) -> str:
    """A name without capitals, accents and punctuation."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("&", " and "))
    return " ".join(_WORD.findall("".join(letter for letter in letters if not unicodedata.combining(letter))))


@cache
def _names() -> dict[str, str]:
    """Codes by plain name."""
    codes: dict[str, str] = {}
    for language in load_vocabulary()["languages"]:
        for code, name in Locale(language).territories.items():
            if _is_country(code):
                codes.setdefault(_plain(str(name)), code)
    for code, names in load_vocabulary()["variants"].items():
        codes |= {_plain(name): code for name in names}
    return codes


@cache
def _codes() -> dict[str, str]:
    """Two-letter codes by themselves, by three letters, and by three digits."""
    codes_by_name = {str(code): str(code) for code in Locale("en").territories if _is_country(str(code))}
    for alias, codes in get_global("territory_aliases").items():
        if len(codes) == 1 and (code := str(codes[0])) in codes_by_name:
            codes_by_name.setdefault(str(alias), code)
    return codes_by_name


def _is_country(code: str) -> bool:
    return len(code) == 2 and code.isalpha() and code not in _spoken("no_country")
