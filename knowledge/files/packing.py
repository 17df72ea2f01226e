"""Checks of an Office file's ZIP before a library opens it (a small ZIP can unpack to any size), and its XML text.

It runs in the confined process that reads the file: whatever passes here is still under that process's limits.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from knowledge.files.pieces import Block, FileRefused, FileText, split_pieces

PARTS_MAX = 5_000
UNPACKED_BYTES_MAX = 200 << 20
_TIMES_MAX = 200
_TRUSTED_BYTES = 20 << 20
"""Up to so much may be packed as tightly as it likes."""
_XML = (".xml", ".rels")
_DECLARES = tuple(
    word.encode(code) for word in ("<!DOCTYPE", "<!ENTITY") for code in ("utf-8", "utf-16-le", "utf-16-be")
)
_OUTSIDE = re.compile(rb"<Relationship\b[^>]*TargetMode\s*=\s*[\"']External[\"'][^>]*>")
_HARMLESS = (b"/hyperlink", b"/attachedTemplate")
"""What a reader would follow, and what every company's template leaves in its letters."""


def check_packing(path: Path) -> tuple[str, ...]:
    """Refuse what no honest document holds; give what is left out of one that is read.

    Raises:
        FileRefused: It is no Office file, unpacks to too much, holds macros, or declares entities.
    """
    try:
        with zipfile.ZipFile(path) as parts:
            infos = parts.infolist()
            _check_sizes(infos, path.stat().st_size)
            if any(info.filename.lower().endswith("vbaproject.bin") for info in infos):
                raise FileRefused("holds macros; save it without them (as .docx or .pptx), and put that in its place")
            outside = 0
            for info in infos:
                if info.filename.lower().endswith(_XML):
                    data = parts.read(info)
                    if any(word in data for word in _DECLARES):
                        raise FileRefused(
                            "declares entities in its XML, which no Office program does; save it anew in one"
                        )
                    outside += sum(not any(kind in link for kind in _HARMLESS) for link in _OUTSIDE.findall(data))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise FileRefused(
            "is no Office file that can be opened; it may be damaged or protected by a password: save it anew, "
            "without a password"
        ) from error
    return (f"links to {outside} parts outside of itself, which were not read",) if outside else ()


def _check_sizes(infos: list[zipfile.ZipInfo], size_bytes: int) -> None:
    unpacked = sum(info.file_size for info in infos)
    if len(infos) > PARTS_MAX or unpacked > UNPACKED_BYTES_MAX:
        raise FileRefused(
            f"unpacks to {unpacked / 2**20:,.0f} MB in {len(infos):,} parts; up to {UNPACKED_BYTES_MAX >> 20} MB in "
            f"{PARTS_MAX:,} parts are read: split it, or take its pictures out"
        )
    times = unpacked // max(1, size_bytes)
    if unpacked > _TRUSTED_BYTES and times > _TIMES_MAX:
        raise FileRefused(
            f"is packed {times:,} times, where {_TIMES_MAX} are allowed; if you trust it, save it anew in an Office "
            "program"
        )


def office_text(title: str, modified: datetime | None, blocks: Iterable[Block], outside: Sequence[str]) -> FileText:
    """What an Office file says, under its own title and date; `outside` are remarks on its links."""
    pieces, remarks = split_pieces(blocks)
    return FileText(
        title=title.strip(),
        updated=modified.date() if modified else None,
        pieces=pieces,
        remarks=(*outside, *remarks),
    )
