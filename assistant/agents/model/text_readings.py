r"""What the signs of a text stand for, with the places where they are written. Pure.

A name is written in many ways: `Zo\u00eb` in JSON, `Zo\xeb` in Python, `Zo%C3%AB` in an address, with accents as signs
of their own, or with signs between its letters that nobody sees. A reading has its letters, and knows their places.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_BACKSLASH, _HEX = r"(?<!\\)\\++", r"[\da-fA-F]"
_BYTE = rf"(?:%|{_BACKSLASH}x)"
_NEXT = rf"{_BYTE}[89abAB]{_HEX}"
_NO_LETTER = r"[^\x00-\x7f\w]"
_PLAIN = re.compile(_NO_LETTER)
_ESCAPE = re.compile(
    rf"(?P<utf_8>{_BYTE}(?:[0-7]{_HEX}|[cdCD]{_HEX}{_NEXT}|[eE]{_HEX}{_NEXT}{_NEXT}|[fF][0-7]{_NEXT}{_NEXT}{_NEXT}))"
    rf"|(?P<utf_16_be>{_BACKSLASH}u(?:[dD][89abAB]{_HEX}{{2}}{_BACKSLASH}u[dD][c-fC-F]{_HEX}{{2}}|{_HEX}{{4}}))"
    rf"|(?P<utf_32_be>{_BACKSLASH}U{_HEX}{{8}})|(?P<latin_1>{_BACKSLASH}x{_HEX}{{2}})"
    rf"|(?P<space>{_BACKSLASH}[abfnrtv])|{_NO_LETTER}"
)
"""Its groups have the names of the encodings, but for signs of space."""
_MARK = re.compile(r"%|\\+[xuU]")


@dataclass(frozen=True, slots=True)
class TextReading:
    """The letters of a text, without signs that nobody sees and accents that are signs of their own.

    Attributes:
        text: What stands there.
        places: Where in `text` the distance to the place in the original changes, in order.
        shifts: From each such place on, how much further on the original is.
    """

    text: str
    places: Sequence[int] = ()
    shifts: Sequence[int] = ()

    def locate(self, place: int) -> int:
        """Where in the original a place of the reading is."""
        index = bisect_right(self.places, place) - 1
        return place + self.shifts[index] if index >= 0 else place


def read_text(text: str) -> tuple[TextReading, ...]:
    r"""The readings of a text: with its escapes decoded, and if it has any also as it stands (`C:\nora`)."""
    if "\\" not in text and "%" not in text:
        return (TextReading(text) if text.isascii() else _read(text, _PLAIN),)
    decoded, plain = _read(text, _ESCAPE), _read(text, _PLAIN)
    return (decoded,) if decoded.text == plain.text else (decoded, plain)


@lru_cache(maxsize=50_000)  # prompts of one session repeat their words
def remove_accents(text: str) -> str:
    """A text without accents and signs that nobody sees, its letters in their plain form."""
    if text.isascii():
        return text
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not _is_unseen(sign))


def _read(text: str, pattern: re.Pattern[str]) -> TextReading:
    parts: list[str] = []
    places: list[int] = []
    shifts: list[int] = []
    end = length = 0
    for match in pattern.finditer(text):
        sign = _decode(match[0], match.lastgroup)
        if sign == match[0]:
            continue
        parts += [text[end : match.start()], sign]
        length += match.start() - end + len(sign)
        end = match.end()
        places.append(length)
        shifts.append(end - length)
    return TextReading("".join([*parts, text[end:]]), places, shifts)


@lru_cache(maxsize=4096)
def _decode(escape: str, encoding: str | None) -> str:
    """What an escape or a sign stands for; nothing where nobody sees it by itself."""
    if encoding == "space":
        return " "
    sign = bytes.fromhex(_MARK.sub("", escape)).decode(encoding, "ignore") if encoding is not None else escape
    return "" if sign and _is_unseen(sign) else sign


def _is_unseen(sign: str) -> bool:
    """Whether a sign is an accent, or only tells how to set a text."""
    return unicodedata.category(sign) in ("Mn", "Me", "Cf")
