"""How many tokens a text is, estimated without a tokenizer and without a network.

AutoGen's clients count with tiktoken, which downloads a vocabulary for every model name it knows and for every one it
does not. A budget needs no exact count, only one that is the same everywhere and does not fall short: this one errs
high on English, code and SQL, and counts each character of scripts without spaces.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|\n+|[ \t]{2,}|[^\sA-Za-z0-9]")
_LETTERS_PER_TOKEN = 5
_DIGITS_PER_TOKEN = 3

PER_MESSAGE = 4
"""Tokens that the frame of one message takes (role and separators)."""


@lru_cache(maxsize=1024)
def estimate(text: str) -> int:
    """Estimate the tokens of a text: one per word or part of a word, per three digits, per sign."""
    total = 0
    for piece in _PIECES.finditer(text):
        text_piece = piece.group()
        length = len(text_piece)
        if text_piece[0].isascii() and text_piece[0].isalpha():
            total += -(-length // _LETTERS_PER_TOKEN)
        elif text_piece[0].isascii() and text_piece[0].isdigit():
            total += -(-length // _DIGITS_PER_TOKEN)
        elif ord(text_piece[0]) > 0xFFFF:
            total += 3  # emoji and rare scripts are spelt in bytes
        else:
            total += 1
    return total


def cut(text: str, tokens_max: int, *, marker: str = " […]") -> str:
    """The longest head of a text that, with the marker, stays within a number of tokens; all of it where it fits.

    Not even the marker fits into fewer tokens than it has itself: then the result is empty.
    """
    if estimate(text) <= tokens_max:
        return text
    room = tokens_max - estimate(marker)
    if room < 0:
        return ""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    # Head and marker joined never hold more pieces than both have alone.
    return text[:low].rstrip() + marker
