"""The catalog of a file source, kept between runs of the program: profiling a large source takes many seconds.

A kept catalog is valid while the files have the same size and modification time. It is written beside the source's
database, readable by the owner only. A file that cannot be read is ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assistant.core.catalog import Catalog
from assistant.sources.catalog.catalogs import state_of

_VERSION = "11"  # raise it when a catalog changes its form or the same files would be described otherwise


class CatalogCache:
    """One source's catalog on disk. Calls block.

    Args:
        folder: Where it is kept.
        name: The source's name, which its catalog holds.
        files: The files behind the source.
    """

    def __init__(self, folder: Path, *, name: str, files: Sequence[Path]) -> None:
        place = hashlib.sha256("\n".join([name, *(str(file.resolve()) for file in files)]).encode()).hexdigest()[:16]
        self._path = folder / f"{name}-{place}.catalog.json"
        self._files = files

    def read(self) -> Catalog | None:
        """The catalog, if the files are still as they were."""
        try:
            record = json.loads(self._path.read_text(encoding="utf-8"))
            if record["state"] != self._state():
                return None
            return TypeAdapter(Catalog).validate_python(record["catalog"], strict=False)
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None

    def write(self, catalog: Catalog) -> None:
        """Keep a catalog. If writing fails, the catalog is computed again next time."""
        draft = self._path.with_suffix(f".{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            content = json.dumps({"state": self._state(), "catalog": _plain(catalog)}, ensure_ascii=False)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(content)
            draft.replace(self._path)
        except OSError:
            draft.unlink(missing_ok=True)

    def _state(self) -> str:
        return hashlib.sha256(repr((_VERSION, state_of(self._files))).encode()).hexdigest()


def _plain(catalog: Catalog) -> object:
    return TypeAdapter(Catalog).dump_python(catalog, mode="json")
