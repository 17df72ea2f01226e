"""Digits and separators of other scripts, such as `١٢٫٥` and `１２．５`: as those that engines read. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_SIGNS = dict(zip("٫٬،．，－＋（）／：", ".,,.,-+()/:", strict=True))


def find_numerals(values: Iterable[str]) -> dict[str, str]:
    """What stands for which digit or sign, of the scripts whose digits occur; empty where none does."""
    characters = {character for value in values if not value.isascii() for character in value}
    zeros = {
        chr(ord(character) - unicodedata.decimal(character))
        for character in characters
        if character.isdecimal() and not character.isascii()
    }
    if not zeros:
        return {}
    digits = {chr(ord(zero) + digit): str(digit) for zero in sorted(zeros) for digit in range(10)}
    return digits | {sign: plain for sign, plain in _SIGNS.items() if sign in characters}
