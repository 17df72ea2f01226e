"""The catalogs of files, shared by all sessions of a program. Servers keep their own.

Profiling a large source takes many seconds, so a catalog is also kept between runs of the program, beside the source's
database and readable by the owner only. It is valid while the files have the same size and modification time. A file
that cannot be read is ignored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from assistant.core.catalog import Catalog
from assistant.sources.catalog.corrections import Roles, corrected

if TYPE_CHECKING:
    from assistant.query.masks import MasksNow
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.sources import Source

_VERSION = "11"  # raise it when a catalog changes its form or the same files would be described otherwise


class Catalogs:
    """Read once, and anew when a file has changed or a column was masked.

    Args:
        masks: What is masked at this moment.
        roles: What persons said of the roles of columns.
        time_zone: The zone whose days those of instants are.
        choices: Gives the names of what a person chose for a source, by its display and files.
    """

    def __init__(
        self,
        masks: MasksNow = tuple,
        roles: Callable[[], Roles] = dict,
        time_zone: str = "UTC",
        choices: Callable[[str, Sequence[Path]], tuple[str, ...]] = lambda display, files: (),
    ) -> None:
        self._masks = masks
        self._roles = roles
        self._time_zone = time_zone
        self._choices = choices
        self.generation = 0
        """Rises when what sessions keep of catalogs no longer holds."""
        self._reading = asyncio.Lock()
        self._known: dict[tuple[object, ...], Catalog] = {}

    async def of(self, address: SourceAddress, source: Source) -> Catalog:
        """The catalog of a source. A server's is its source's own affair: nothing tells that it changed."""
        catalog = corrected(await self._found(address, source), await asyncio.to_thread(self._roles))
        choices = await asyncio.to_thread(self._choices, address.display, address.all_files)
        return replace(catalog, time_zone=self._time_zone, choices=choices)

    async def _found(self, address: SourceAddress, source: Source) -> Catalog:
        if "server" in (address.kind, *(part.kind for part in address.parts)):
            return await source.catalog()
        key = (address.name, tuple(self._masks()), *await asyncio.to_thread(state_of, address.files))
        async with self._reading:  # who asks meanwhile waits, and need not read it again
            if key not in self._known:
                self._known[key] = await source.catalog()
            return self._known[key]

    def forget(self) -> None:
        """Forget all catalogs; some may hold values of what is masked now, or roles that were corrected."""
        self._known.clear()
        self.generation += 1


def state_of(files: Sequence[Path]) -> tuple[object, ...]:
    """What tells whether files have changed; a SQLite database's newest rows may lie in the file beside it."""
    facts: list[object] = []
    for file in files:
        for path in (file, file.with_name(f"{file.name}-wal")):
            try:
                stat = path.stat()
            except OSError:
                continue
            facts += [str(path), stat.st_size, stat.st_mtime_ns]
    return tuple(facts)


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
