"""Wheels as an index would offer them, for tests of packages."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from assistant.core.events import Execution

BODY = {"zebrafinch/__init__.py": "from brownowl import word\n\nSONG = f'sings {word}'\n"}


def wheel(
    folder: Path, name: str, files: Mapping[str, str], *, version: str = "1.2", needs: tuple[str, ...] = ()
) -> Path:
    """A wheel as an index would offer it."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    required = "".join(f"Requires-Dist: {need}\n" for need in needs)
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: A bird\nAuthor: Ada\x1b[31m\n{required}"
    with zipfile.ZipFile(path, "w") as archive:
        for place_, text in files.items():
            archive.writestr(place_, text)
        archive.writestr(f"{info}/METADATA", about)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def birds(index: Path) -> None:
    wheel(index, "zebrafinch", BODY, needs=("brownowl", "pandas"))
    wheel(index, "brownowl", {"brownowl.py": "word = 'hoo'\n"}, version="0.1")


def printed(event: object) -> str:
    assert isinstance(event, Execution)
    assert event.failure is None, event.failure
    return "".join(str(output.get("text", "")) for output in event.outputs)
