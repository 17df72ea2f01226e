"""The encoding of a text whose bytes do not say it: the one in which its words look most like words of a language.

A file in an 8-bit or East Asian encoding has no mark. Its words that are not plain ASCII are read in each encoding that
is in use, and each reading is scored as words: how usual its letters are in one language, whether a word keeps to one
script and to one pattern of capitals, and whether signs stand where letters should. The score is a logarithm of a
likelihood, so scores of readings of the same bytes can be compared, and a near runner-up is told.

Libraries for this work on prose. A table often has ten short names, which they take for another language.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import pairwise
from math import log
from pathlib import Path
from typing import IO, Any

import yaml

_BLOCK_BYTES = 1 << 20
_SAMPLE_BYTES = 16 * 1024
_SHOWN_CHARS = 40
_NEAR = 4.0
"""Within so much of the best score another reading is told as well: it is then at least a fiftieth as likely."""
_UNUSUAL = -9.0
_BROKEN = -14.0
_MIXED = -8.0
_CAPITAL = -1.0
_CAPITAL_INSIDE = -5.0
_SIGN_INSIDE = -8.0
_SIGN = -7.0
_USUAL_SIGN = -3.0
_VOWELLESS = -3.0
_TYPOGRAPHIC = "’‘“”„–—…«»€°£§©®™²³½µ·•№、。・「」（）：，％¥\u00a0"
_TOKENS = re.compile(rb'[^\x00-\x20,;"]*[\x80-\xff][^\x00-\x20,;"]*')
_WORDS = re.compile(r"[^\W\d_]+")
_ENDINGS = {"ς", "ם", "ן", "ף", "ץ", "ך"}


@dataclass(frozen=True, slots=True)
class _Encoding:
    """A codec of Python with its name for people, and how much rarer than the usual ones it is."""

    codec: str
    title: str
    rare: float = 0.0


_ENCODINGS = (
    _Encoding("utf-8", "UTF-8", 2.0),
    _Encoding("cp1252", "Windows-1252 (Latin-1)", 1.0),
    _Encoding("cp1250", "Windows-1250 (Central European)"),
    _Encoding("cp1251", "Windows-1251 (Cyrillic)"),
    _Encoding("cp1253", "Windows-1253 (Greek)"),
    _Encoding("cp1254", "Windows-1254 (Turkish)"),
    _Encoding("cp1255", "Windows-1255 (Hebrew)"),
    _Encoding("cp1256", "Windows-1256 (Arabic)"),
    _Encoding("cp1257", "Windows-1257 (Baltic)", -1.0),
    _Encoding("iso8859_2", "ISO 8859-2 (Central European)", -1.5),
    _Encoding("iso8859_5", "ISO 8859-5 (Cyrillic)", -3.0),
    _Encoding("iso8859_6", "ISO 8859-6 (Arabic)", -3.0),
    _Encoding("iso8859_7", "ISO 8859-7 (Greek)", -1.5),
    _Encoding("iso8859_8", "ISO 8859-8 (Hebrew)", -1.5),
    _Encoding("iso8859_9", "ISO 8859-9 (Turkish)", -1.5),
    _Encoding("iso8859_15", "ISO 8859-15 (Western European)", -2.0),
    _Encoding("koi8_r", "KOI8-R (Russian)", -1.5),
    _Encoding("koi8_u", "KOI8-U (Ukrainian)", -2.0),
    _Encoding("mac_roman", "Mac OS Roman", -1.5),
    _Encoding("mac_latin2", "Mac OS Central European", -4.0),
    _Encoding("mac_cyrillic", "Mac OS Cyrillic", -3.0),
    _Encoding("mac_greek", "Mac OS Greek", -4.0),
    _Encoding("mac_turkish", "Mac OS Turkish", -4.0),
    _Encoding("cp850", "DOS code page 850 (Western European)", -2.0),
    _Encoding("cp437", "DOS code page 437", -2.5),
    _Encoding("cp852", "DOS code page 852 (Central European)", -3.5),
    _Encoding("cp857", "DOS code page 857 (Turkish)", -3.5),
    _Encoding("cp866", "DOS code page 866 (Cyrillic)", -2.5),
    _Encoding("cp862", "DOS code page 862 (Hebrew)", -3.5),
    _Encoding("cp874", "Windows-874 (Thai)", -1.0),
    _Encoding("cp932", "Shift-JIS (Japanese)"),
    _Encoding("euc_jp", "EUC-JP (Japanese)", -1.0),
    _Encoding("cp949", "EUC-KR (Korean)"),
    _Encoding("gb18030", "GB 18030 (Chinese)"),
    _Encoding("big5hkscs", "Big5 (Chinese)"),
)
_TITLES = {one.codec: one.title for one in _ENCODINGS} | {
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
    "iso2022_jp": "ISO-2022-JP (Japanese)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """An encoding, as a file was found to be in.

    Attributes:
        codec: Python's name of it.
        note: What a person should know of the choice; empty where nothing was chosen.
        is_guess: Whether the file does not say it, so that it may be another.
        rival: What else it may be, as a sentence; empty where nothing else is near.
        rival_codec: Python's name of that.
    """

    codec: str
    note: str = ""
    is_guess: bool = False
    rival: str = ""
    rival_codec: str = ""


def decoding_of(path: Path) -> Decoding:
    """The encoding of a text file. Reads the whole file, unless it is found not to be UTF-8.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_BLOCK_BYTES)
        file.seek(0)
        if marked := encoding_by_mark(head):
            return Decoding(codec=marked, note="" if marked == "utf-8-sig" else f"read as {_TITLES[marked]} text")
        if wide := wide_encoding(head):
            return Decoding(codec=wide, note=f"read as {_TITLES[wide]} text, which it does not say itself")
        if not _is_utf_8(file):
            file.seek(0)
            return likeliest(_sample(file))
    is_escaped = b"\x1b$B" in head or b"\x1b$@" in head
    if is_escaped:
        return Decoding(codec="iso2022_jp", note=_said("iso2022_jp"))
    return Decoding(codec="utf-8")


def _is_utf_8(file: IO[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(_BLOCK_BYTES):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _sample(file: IO[bytes]) -> dict[bytes, None]:
    """The first different parts of a text that are more than ASCII, in order."""
    parts: dict[bytes, None] = {}
    size = 0
    while block := file.read(_BLOCK_BYTES):
        for match in () if block.isascii() else _TOKENS.finditer(block):
            size += len(match[0]) if match[0] not in parts else 0
            parts[match[0]] = None
            if size >= _SAMPLE_BYTES:
                return parts
    return parts


def title_of(codec: str) -> str:
    """An encoding as a person knows it."""
    return _TITLES.get(codec, codec)


def wide_encoding(block: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, by where its zero bytes stand; empty where it is neither."""
    if b"\0" not in block:
        return ""
    for codec, width in (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2)):
        try:
            text = block[: len(block) // width * width].decode(codec)
        except UnicodeDecodeError:
            continue
        ends = sum(map(text.count, "\n\r\t,; 0123456789"))
        is_text = not any(unicodedata.category(c) in ("Cn", "Co", "Cc") for c in set(text) - set("\r\n\t"))
        if is_text and ends > 1 and ends * 20 >= len(text):
            return codec
    return ""


def likeliest(tokens: Iterable[bytes]) -> Decoding:
    """The encoding in which some parts of a text, each with bytes beyond ASCII, look most like words."""
    whole = b"\n".join(tokens)
    readings: dict[str, tuple[float, _Encoding]] = {}
    for encoding in _ENCODINGS:
        text = whole.decode(encoding.codec, "replace")
        scored = (_plausibility(text) + encoding.rare, encoding)
        if text not in readings or scored[0] > readings[text][0]:
            readings[text] = scored
    ranked = sorted(readings.items(), key=lambda one: -one[1][0])
    text, (best, encoding) = ranked[0]
    other, (next_best, second) = ranked[1]
    if encoding.codec == "utf-8":
        note = "read as UTF-8, although some of its bytes are not; � stands for these"
        return Decoding(codec="utf-8", note=note, is_guess=True)
    guess = Decoding(codec=encoding.codec, note=_said(encoding.codec), is_guess=True)
    if best - next_best >= _NEAR:
        return guess
    before, after = next((a, b) for a, b in zip(text.split("\n"), other.split("\n"), strict=False) if a != b)
    rival = f"It may be {second.title}, in which {before[:_SHOWN_CHARS]!r} is {after[:_SHOWN_CHARS]!r}."
    return replace(guess, rival=rival, rival_codec=second.codec)


def _said(codec: str) -> str:
    return f"read as {_TITLES[codec]}; the file does not say its encoding"


def encoding_by_mark(head: bytes) -> str:
    """The Unicode encoding that a byte order mark names; empty where there is none."""
    marks = (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    )
    return next((codec for mark, codec in marks if head.startswith(mark)), "")


def _plausibility(text: str) -> float:
    """How much a text looks like words of some language: the logarithm of a likelihood, at most 0."""
    letters = Counter(char for char in text if char > "\x7f" and (char.isalpha() or unicodedata.combining(char)))
    of_language = max(
        sum(times * _chance(char, chances) for char, times in letters.items()) for chances in _languages().values()
    )
    return of_language + sum(_shape(word) for word in _WORDS.findall(text) if not word.isascii()) + _signs(text)


def _chance(letter: str, chances: Mapping[str, float]) -> float:
    return chances.get(letter) or chances.get(letter.lower(), _UNUSUAL)


def _shape(word: str) -> float:
    """What speaks against a word: letters of several scripts, capitals after small letters, no vowel."""
    found = sum(
        _CAPITAL_INSIDE
        for one, other in pairwise(word)
        if one.islower() and other.isupper() and (one > "\x7f" or other > "\x7f")
    )
    if any(char.isupper() and char > "\x7f" for char in word):
        found += _CAPITAL
    if len(word) > 1 and word[0].islower() and word[1:].isupper():
        found += _CAPITAL_INSIDE
    scripts = {_script(char) for char in word}
    if len(scripts) > 1 and not scripts <= {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK"}:
        found += _MIXED
    if any(char in _ENDINGS for char in word[:-1]):
        found += _MIXED
    if len(word) > 3 and scripts & {"CYRILLIC", "GREEK"} and not _has_vowel(word):
        found += _VOWELLESS
    return found


def _signs(text: str) -> float:
    """What speaks against the signs of a text: where letters stand on both sides, each is likely a letter itself."""
    found = 0.0
    for place, char in enumerate(text):
        if char <= "\x7f" or char.isalpha() or unicodedata.combining(char):
            continue
        if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cn", "Co"):
            found += _BROKEN
            continue
        before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
        is_inside = before.isalpha() and after.isalpha()
        if char in _TYPOGRAPHIC:
            found += _SIGN_INSIDE if is_inside and char not in "’·・" else _USUAL_SIGN
        else:
            found += _SIGN_INSIDE if is_inside or before.isalpha() or after.isalpha() else _SIGN
    return found


@cache
def _script(char: str) -> str:
    return unicodedata.name(char, "UNKNOWN").split(" ")[0]


@cache
def _has_vowel(word: str) -> bool:
    plain = unicodedata.normalize("NFD", word.lower())
    return any(char in "аеёиоуыэюяіїєєјαεηιουω" for char in plain)


@cache
def _languages() -> Mapping[str, Mapping[str, float]]:
    """By language, the logarithm of how often each of its letters stands for a letter beyond ASCII."""
    letters = resources.files("assistant.sources.reading") / "letters.yaml"
    kept: dict[str, Any] = yaml.safe_load(letters.read_text("utf-8"))
    found: dict[str, Mapping[str, float]] = {}
    for name, of in kept["alphabets"].items():
        weights = {char: 1 / (rank + 2) for rank, char in enumerate(dict.fromkeys(of["letters"]))}
        whole = sum(weights.values())
        found[name] = {char: log(weight / whole) + of["rare"] / 4 for char, weight in weights.items()}
    often = {name: dict.fromkeys(text.replace(" ", "")) for name, text in kept["frequent"].items()}
    kana = dict.fromkeys(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC)), log(0.5 / 175))
    found["simplified"] = _of_rows("gb2312", 0xB0, 0xD7, often["simplified"])
    found["traditional"] = _of_rows("big5", 0xA4, 0xC6, often["traditional"])
    found["japanese"] = {**_of_rows("euc_jp", 0xB0, 0xCF, often["kanji"]), **kana}
    found["korean"] = _of_rows("euc_kr", 0xB0, 0xC8, often["hangul"])
    return found


def _of_rows(codec: str, first: int, last: int, often: Mapping[str, None]) -> Mapping[str, float]:
    """The characters in the rows of a code table that hold the usual ones; half of a text is of the frequent ones."""
    trails = (*range(0x40, 0x7F), *range(0xA1, 0xFF)) if codec == "big5" else range(0xA1, 0xFF)
    rows = b"".join(bytes((lead, trail)) for lead in range(first, last + 1) for trail in trails)
    usual = dict.fromkeys(rows.decode(codec, "ignore"), log(0.4 / 3500))
    return usual | dict.fromkeys(often, log(0.55 / max(1, len(often))))
