"""Loads files as tables into a DuckDB database, once while the files are unchanged.

When a file changes, databases of its former content are deleted, except one that was used within the last hour,
because another session may be opening it. A worker process reads the files (`engine.converting`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pydantic import TypeAdapter

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt
from assistant.progress import watcher
from assistant.sources.file_names import file_format
from assistant.sources.reading.load_results import Loaded, LoadedTable
from assistant.sources.reading.sidecar import beside
from assistant.sources.workers.converting import DATABASE, Stop, convert, full_disk
from assistant.sources.workers.limits import has_wall

if TYPE_CHECKING:
    from assistant.progress import Watcher
    from assistant.sources.addresses import SourceAddress

_LOADER = "11"  # raise it when the same file would be loaded otherwise
_TABLES = TypeAdapter(tuple[LoadedTable, ...])
_OUTDATED_AFTER_S = 3600.0
"""An outdated database is kept so long after its last use."""


def made_of(address: SourceAddress, folder: Path) -> Path:
    """Where the database of an address is kept, as its files are now."""
    return folder / f"{address.name}-{_state(address)}.duckdb"


def load_files(
    address: SourceAddress, folder: Path, *, tell: Watcher | None = None, stop: Stop | None = None
) -> Loaded:
    """Make (or find) the database of an address. Blocks.

    Args:
        address: Of kind "files".
        folder: Where the database is kept.
        tell: Is told how far it is; who waits in this context where None.
        stop: Ends it.

    Raises:
        SourceError: A file cannot be read; the message names it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = made_of(address, folder)
    record_path = path.with_suffix(".json")
    if path.exists() and record_path.exists():
        os.utime(record_path)
        return _from_record(address, path, json.loads(record_path.read_text(encoding="utf-8")))
    draft = folder / f".{uuid4().hex}"
    try:
        draft.mkdir(mode=0o700)
        conversion = convert(address, draft, tell=tell or watcher(), stop=stop or Stop())
        record = {
            "files": _files(address),
            "notes": conversion.notes,
            "tables": [asdict(table) for table in conversion.tables],
            "doubts": [doubt.model_dump() for doubt in conversion.doubts],
        }
        (draft / record_path.name).write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
        _publish(draft / record_path.name, record_path)
        _publish(draft / DATABASE, path)
        _clear_outdated(address, folder, current=path)
    except OSError as problem:
        text = f"{address.display!r} cannot be loaded: {problem.strerror}. Look at the rights of Tandem's data folder."
        raise full_disk(address, folder, problem) or SourceError(text) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Loaded(
        path=path,
        notes=conversion.notes,
        tables=conversion.tables,
        doubts=conversion.doubts,
        in_place=_read_in_place(address),
    )


def _publish(draft: Path, target: Path) -> None:
    """Give a file its final name, unless another session was faster: a worker may read only the very file it was given.

    Both were made of the same files in the same state, so either serves.
    """
    with contextlib.suppress(FileExistsError):
        os.link(draft, target)


def _read_in_place(address: SourceAddress) -> tuple[Path, ...]:
    if not has_wall():
        return ()
    return tuple(file.resolve() for file in address.files if file_format(file) == "parquet")


def _from_record(address: SourceAddress, path: Path, record: dict[str, Any]) -> Loaded:
    tables = _TABLES.validate_python(record["tables"])
    doubts = tuple(Doubt.model_validate(doubt) for doubt in record["doubts"])
    in_place = _read_in_place(address)
    return Loaded(path=path, notes=tuple(record["notes"]), tables=tables, doubts=doubts, in_place=in_place)


def _clear_outdated(address: SourceAddress, folder: Path, *, current: Path) -> None:
    """Delete what was made of the same files as they were before."""
    for record_path in folder.glob(f"{address.name}-*.json"):
        database = record_path.with_suffix(".duckdb")
        if database == current or time.time() - record_path.stat().st_mtime < _OUTDATED_AFTER_S:
            continue
        try:
            files = json.loads(record_path.read_text(encoding="utf-8")).get("files")
        except (OSError, ValueError, AttributeError):
            files = None  # whatever it is of, it can be made again
        if files in (None, _files(address)):
            database.unlink(missing_ok=True)
            record_path.unlink(missing_ok=True)


def _files(address: SourceAddress) -> str:
    """A name for the files wherever they stand in time."""
    return hashlib.sha256("\n".join(str(file.resolve()) for file in address.files).encode()).hexdigest()[:16]


def _state(address: SourceAddress) -> str:
    """A name for the files as they are now, and for whether Parquet stays where it is: only behind a wall it does."""
    parts = [_LOADER, str(has_wall())]
    for path in (path for file in address.files for path in (file, beside(file))):
        try:
            stat = path.stat()
        except FileNotFoundError:
            continue  # most files have no sidecar
        parts.append(f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
