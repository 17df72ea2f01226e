"""Cache of the text of document files, keyed by the hash of their bytes: no file is read twice."""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from knowledge.files.pieces import FileRefused, FileText

_READERS = "1"  # raise it when a file would be read otherwise
_FILE_TEXT = TypeAdapter(FileText)

State = tuple[str, int, int]
"""A file's path, when it was written, and its size."""


def state_of(file: Path) -> State:
    """The state of a file.

    Raises:
        OSError: It is not there.
    """
    status = file.stat()
    return str(file), status.st_mtime_ns, status.st_size


class DocumentCache:
    """The texts of files, in a folder of ours. It is a cache: what cannot be kept or found is read again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def known(self, state: State) -> FileText | FileRefused | None:
        """What a file in that state said; None where it was not read in it, or not here."""
        try:
            name = self._pointer(state).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            return None
        return self._read(name) if name.isalnum() else None

    def same(self, file: Path, state: State) -> FileText | FileRefused | None:
        """What another file of the same bytes said, or this one before it was touched."""
        extract = self._read(_name(file))
        if extract is not None:
            self._point(state, _name(file))
        return extract

    def keep(self, file: Path, state: State, extract: FileText | FileRefused) -> None:
        """Keep what a file said. Of a full disk nothing is told: it is read again."""
        name = _name(file)
        content = (
            {"refused": str(extract)} if isinstance(extract, FileRefused) else {"text": _FILE_TEXT.dump_python(extract)}
        )
        with suppress(OSError):
            self._write(self._folder / f"{name}.json", json.dumps(content, default=str))
            self._point(state, name)

    def _read(self, name: str) -> FileText | FileRefused | None:
        try:
            content = json.loads((self._folder / f"{name}.json").read_text(encoding="utf-8"))
            if "refused" in content:
                return FileRefused(str(content["refused"]))
            return _FILE_TEXT.validate_python(content["text"])
        except (OSError, ValueError, KeyError, TypeError, ValidationError, RecursionError):
            return None

    def _point(self, state: State, name: str) -> None:
        with suppress(OSError):
            self._write(self._pointer(state), name)

    def _pointer(self, state: State) -> Path:
        return self._folder / f"{sha256(repr((_READERS, state)).encode()).hexdigest()}.at"

    def _write(self, target: Path, text: str) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = target.with_name(f".{uuid4().hex}")
        try:
            draft.touch(mode=0o600)
            draft.write_text(text, encoding="utf-8")
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def _name(file: Path) -> str:
    with file.open("rb") as opened:
        digest = sha256(_READERS.encode())
        while block := opened.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
