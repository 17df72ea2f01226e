"""The bytes of a text: whether they are text at all, and the same text in UTF-8, which is all that DuckDB reads."""

from __future__ import annotations

import codecs
import io
from pathlib import Path

from assistant.sources.reading.encodings import encoding_by_mark, wide_encoding

_BLOCK_BYTES = 1 << 20


def is_binary(path: Path) -> bool:
    """Whether a file is no text at all: zero bytes in its first block, as no encoding but UTF-16 and UTF-32 has any."""
    with path.open("rb") as file:
        block = file.read(_BLOCK_BYTES)
    return b"\0" in block and not encoding_by_mark(block) and not wide_encoding(block)


def rewrite(path: Path, encoding: str, target: Path) -> None:
    """Write a file anew as UTF-8 without a byte order mark.

    Bytes that mean nothing in cp1252 are read as Latin-1, and � stands for those that mean nothing in another encoding.

    Raises:
        OSError: It cannot be read or written.
    """
    codecs.register_error("latin-1-fallback", _as_latin_1)
    errors = "latin-1-fallback" if encoding == "cp1252" else "replace"
    with (
        path.open("rb") as raw,
        io.TextIOWrapper(raw, encoding, errors=errors, newline="") as source,
        target.open("w", encoding="utf-8", newline="") as copy,
    ):
        while text := source.read(_BLOCK_BYTES):
            copy.write(text)


def _as_latin_1(problem: UnicodeError) -> tuple[str, int]:
    if isinstance(problem, UnicodeDecodeError):
        return problem.object[problem.start : problem.end].decode("latin-1"), problem.end
    raise problem
