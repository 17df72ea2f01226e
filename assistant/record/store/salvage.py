"""Recovers the readable rows of a damaged SQLite file. The file itself is only copied, never opened.

A file with damaged pages, or a truncated one, is read around the damage: from the front, from the back, and between by
row number. Unreadable rows are left out; the checksum chain shows whether the other rows are unchanged.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from assistant.errors import StoreError
from assistant.record.store.chain import EventRow, make_chain

Row: TypeAlias = tuple[object, ...]
_EVENT = ("session", "seq", "at", "kind", "turn", "payload")
_SESSION = ("id", "title", "created_at", "updated_at")
BESIDE = {
    "labels": ("session", "pinned", "tags", "binned_at"),
    "owners": ("session", "person"),
    "shares": ("session", "digest", "at"),
}
"""The tables that say something of a session beside its events: pins and tags, whose it is, and its links."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSession:
    """A session's own row. `head` is the digest of its last event, None where the store has no chain yet."""

    title: str
    created_at: str
    updated_at: str
    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What was read of a store, and its schema's `version`. `faults` say what could not be; a whole file has none.

    `beside` holds by table and session the rows of `BESIDE`, without the session.
    """

    sessions: dict[str, KeptSession] = field(default_factory=dict[str, KeptSession])
    events: dict[str, dict[int, EventRow]] = field(default_factory=dict[str, dict[int, EventRow]])
    beside: dict[str, dict[str, tuple[Row, ...]]] = field(default_factory=dict[str, dict[str, tuple["Row", ...]]])
    version: int | None = None
    faults: tuple[str, ...] = ()


def salvage(path: Path, *, beside: Path) -> Salvaged:
    """Read what can be read of a store.

    Args:
        path: the SQLite file; its `-wal` file is read with it.
        beside: a folder that only the owner reads, where the copy lies meanwhile.

    Raises:
        StoreError: there is no room for the copy, or the file may not be read.
    """
    if not path.exists():
        return Salvaged(faults=("there is no file",))
    try:
        with tempfile.TemporaryDirectory(dir=beside, prefix=".salvage-") as folder:
            copy = Path(folder) / "store.sqlite"
            shutil.copyfile(path, copy)
            log = path.with_name(f"{path.name}-wal")
            if log.exists():
                shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
            return read_copy(copy)
    except OSError as error:
        raise StoreError(f"{path} cannot be copied to be read ({error.strerror}). Nothing was changed.") from error


def read_copy(copy: Path) -> Salvaged:
    """Read what can be read of a file that nobody else has open."""
    sessions: dict[str, KeptSession] = {}
    events: dict[str, dict[int, EventRow]] = {}
    faults: list[str] = []
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.text_factory = _decode
        try:
            connection.execute("PRAGMA writable_schema=ON")  # else a file that was cut off is not read at all
            checked = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
            faults += [] if checked == ["ok"] else ["its pages are damaged"]
        except sqlite3.DatabaseError as error:
            faults.append(f"its pages are damaged ({error})")
        version = _read_version(connection, faults)
        has_chain = _has_column(connection, "events", "digest")
        for row in _read_rows(connection, "sessions", (*_SESSION, *(["head"] if has_chain else [])), faults):
            id_, title, created, updated = map(str, row[:4])
            head = str(row[4]) if has_chain else None
            sessions[id_] = KeptSession(title=title, created_at=created, updated_at=updated, head=head)
        for row in _read_rows(connection, "events", (*_EVENT, *(["digest"] if has_chain else [])), faults):
            session, seq, at, kind, turn, payload, *digest = row
            if isinstance(seq, int) and isinstance(turn, int):
                events.setdefault(str(session), {})[seq] = EventRow(
                    seq=seq,
                    at=str(at),
                    kind=str(kind),
                    turn=turn,
                    payload=str(payload),
                    digest=str(digest[0]) if digest else "",
                )
        beside = {
            table: _read_beside(connection, table, columns, faults)
            for table, columns in BESIDE.items()
            if _has_column(connection, table, columns[0])  # an older store has none
        }
    if not has_chain:  # written before there was a chain: nothing can be told of it but that it can be read
        for session, rows in events.items():
            events[session] = {row.seq: row for row in make_chain(session, [rows[seq] for seq in sorted(rows)])}
    return Salvaged(
        sessions=sessions, events=events, beside=beside, version=version, faults=tuple(dict.fromkeys(faults))
    )


def _read_beside(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], faults: list[str]
) -> dict[str, tuple[Row, ...]]:
    """What a table says of each session."""
    rows_by_session: dict[str, tuple[Row, ...]] = {}
    for session, *values in _read_rows(connection, table, columns, faults):
        rows_by_session[str(session)] = (*rows_by_session.get(str(session), ()), tuple(values))
    return rows_by_session


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def _read_version(connection: sqlite3.Connection, faults: list[str]) -> int | None:
    try:
        (version,) = connection.execute("SELECT MAX(version) FROM migrations").fetchone()
    except sqlite3.DatabaseError:
        version = None
    if version is None:
        faults.append("the version of its schema cannot be read")
    return version


def _has_column(connection: sqlite3.Connection, table: str, column: str) -> bool:
    try:
        return any(row[1] == column for row in connection.execute(f"PRAGMA table_info({table})"))
    except sqlite3.DatabaseError:
        return True


def _read_rows(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], faults: list[str]
) -> Iterator[tuple[object, ...]]:
    """The rows of a table that can be read."""
    select = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED"
    first: int | None = None
    try:
        for row in connection.execute(f"{select} ORDER BY rowid"):
            first = row[0]
            yield row[1:]
        return
    except sqlite3.DatabaseError as error:
        faults.append(f"not every row of {table} could be read ({error})")
    last: int | None = None
    try:
        for row in connection.execute(f"{select} WHERE rowid > ? ORDER BY rowid DESC", (first or 0,)):
            last = row[0]
            yield row[1:]
    except sqlite3.DatabaseError:
        pass
    for rowid in range((first or 0) + 1, last or 0):
        try:
            row_or_none = connection.execute(f"{select} WHERE rowid = ?", (rowid,)).fetchone()
        except sqlite3.DatabaseError:
            continue
        if row_or_none is not None:
            yield row_or_none[1:]
