"""A wheel that is damaged or hostile is refused in a sentence, before it is added, and nothing of it is left."""

from __future__ import annotations

import io
import os
import random
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.errors import AssistantError
from assistant.packages.index import _offered  # pyright: ignore[reportPrivateUsage]
from assistant.packages.wheels import modules_in, unpack


def packed(*names: str, text: bytes = b"x = 1\n", how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names are meant
        with zipfile.ZipFile(buffer, "w", how) as archive:
            for name in names:
                archive.writestr(name, text)
    return buffer.getvalue()


def patched(raw: bytes, mark: bytes, offset: int, value: bytes) -> bytes:
    """`raw` with `value` in every header that begins with `mark`."""
    out, at = bytearray(raw), raw.find(mark)
    while at >= 0:
        out[at + offset : at + offset + len(value)] = value
        at = raw.find(mark, at + 4)
    return bytes(out)


LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
GOOD = packed("owl/__init__.py", "owl/wing.py")
MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "no zip": b"MZ" * 1000,
    "cut off": GOOD[: len(GOOD) // 2],
    "only its end": GOOD[-22:],
    "a name of 300 letters": packed("owl/__init__.py", f"owl/{'n' * 300}.py"),
    "a name of 300 bytes in 100 letters": packed("owl/__init__.py", f"owl/{'語' * 100}.py"),
    "a path of 2,000 letters": packed("owl/__init__.py", "owl/" + "d/" * 1000 + "x.py"),
    "a name of 65,000 letters": packed("n" * 65_000),
    "a file twice": packed("owl/__init__.py", "owl/__init__.py"),
    "a file twice, once as data": packed("owl/a.py", "owl-1.data/purelib/owl/a.py"),
    "a file that is a folder": packed("owl", "owl/a.py"),
    "an encrypted file": patched(patched(GOOD, CENTRAL, 8, b"\1\0"), LOCAL, 6, b"\1\0"),
    "an unknown compression": patched(GOOD, CENTRAL, 10, struct.pack("<H", 97)),
    "bzip2": packed("owl/__init__.py", how=zipfile.ZIP_BZIP2),
    "a version from the future": patched(GOOD, CENTRAL, 6, struct.pack("<H", 99)),
    "a name that is no UTF-8": patched(patched(GOOD, CENTRAL, 8, b"\0\x08"), CENTRAL, 46, b"\xff\xfe\xfd"),
    "a directory of 3 GB": patched(GOOD, END, 12, struct.pack("<L", 3 << 30)),
    "sizes of 4 GB": patched(GOOD, CENTRAL, 24, struct.pack("<L", 0xFFFFFFF0)),
    "a name that leaves": packed("owl/../../x.py"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_wheel_is_refused_in_a_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "owl-1.0-py3-none-any.whl"
    path.write_bytes(MALFORMED[kind])
    with pytest.raises(AssistantError, match=r"owl-1\.0") as refused:
        modules_in(path)
    text = str(refused.value)
    assert len(text) < 400
    assert text.isprintable()
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "broken",
    [
        lambda raw: patched(raw, CENTRAL, 16, b"\0\0\0\0"),  # checksums
        lambda raw: raw.replace(b"\3\4\x14", b"\3\5\x14"),  # the local header
        lambda raw: raw[:60] + b"\xff" * 20 + raw[80:],  # the packed bytes
    ],
)
def test_what_shows_only_when_it_is_unpacked_is_a_sentence_too(
    broken: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path, folder = tmp_path / "owl-1.0-py3-none-any.whl", tmp_path / "unpacked"
    folder.mkdir()
    path.write_bytes(broken(packed("owl/__init__.py", text=os.urandom(500))))
    with pytest.raises(AssistantError, match="cannot be unpacked"):
        unpack(path, folder)


def test_whatever_bytes_are_changed_nothing_but_a_sentence_comes_out(tmp_path: Path) -> None:
    path, chance = tmp_path / "owl-1.0-py3-none-any.whl", random.Random(34)
    refused = 0
    for number in range(400):
        raw = bytearray(GOOD)
        for _ in range(chance.randint(1, 4)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        path.write_bytes(raw)
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            modules_in(path)
            unpack(path, folder)
        except AssistantError:
            refused += 1
    assert 50 < refused < 400


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"install": [{}]}',
        '{"install": [{"metadata": {"name": "owl"}}]}',
        '{"install": [{"metadata": {"name": 7, "version": "1"}}]}',
        '{"install": [{"metadata": {"name": "%s", "version": "1"}}]}' % ("o" * 5_000),
        '{"install": [{"metadata": {"name": "--index-url", "version": "1"}}]}',
        '{"install": 5}',
        "[" * 100_000,
        '{"install": [{"metadata": {"name": "\\ud800", "version": "1"}}]}',
    ],
)
def test_an_offer_that_makes_no_sense_is_a_sentence(text: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text(text)
    with pytest.raises(AssistantError) as refused:
        _offered(report)
    assert len(str(refused.value)) < 400
    assert not report.exists()


def test_an_offer_that_is_no_text_is_a_sentence(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_bytes(b"\xff\xfe{")
    with pytest.raises(AssistantError, match="cannot be read"):
        _offered(report)
