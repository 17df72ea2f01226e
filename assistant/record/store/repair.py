"""Repair of a damaged session store: first a plan, then the repair into a new file; the damaged file is kept.

Every session is rebuilt from the readable rows of the store and its backups, event by event, as long as the chain is
valid. Events after the damage that nothing connects to the chain are written to a separate file, for a person to read.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path

from assistant.errors import StoreError
from assistant.record.store.backups import Backups
from assistant.record.store.chain import EventRow, first_link, is_successor
from assistant.record.store.lock import StoreLock
from assistant.record.store.salvage import BESIDE, KeptSession, Row, Salvaged, read_copy, salvage
from assistant.record.store.schema import MIGRATIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A session as it will be: `rows` join to a chain, `aside` do not. `damage` says what was damaged, if anything.

    `beside` are its rows in the tables of `salvage.BESIDE`.
    """

    id: str
    row: KeptSession
    rows: tuple[EventRow, ...]
    aside: tuple[EventRow, ...] = ()
    damage: str = ""
    beside: Mapping[str, tuple[Row, ...]] = field(default_factory=dict[str, tuple[Row, ...]])


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPlan:
    """What a repair will do. `report` is that in words, empty where the store is whole."""

    sessions: tuple[Rebuilt, ...]
    report: tuple[str, ...]


def is_whole(path: Path) -> bool:
    """Whether a store that nobody else has open can be read, and every session's chain holds. Blocks."""
    salvaged = read_copy(path)
    return not salvaged.faults and not any(session.damage for session in _rebuild(salvaged, ()))


def plan_repair(store: Path, backups: Backups) -> RepairPlan:
    """What a repair of the store would do. Nothing is changed. Blocks.

    Raises:
        StoreError: there is no store, it is of a newer Tandem, or there is no room to look into it.
    """
    if not store.exists() and not backups.generations:
        raise StoreError(f"There is no session store at {store}, and no backup of one. There is nothing to repair.")
    backups.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    salvaged = salvage(store, beside=backups.folder)
    if salvaged.version is not None and salvaged.version > len(MIGRATIONS):
        raise StoreError("The session store was written by a newer Tandem. Update Tandem, then repair it.")
    copies = [salvage(path, beside=backups.folder) for path in backups.generations]
    sessions = _rebuild(salvaged, copies)
    report = [f"The store's file is damaged: {fault}." for fault in salvaged.faults]
    report += [
        f"Session {session.id} ({session.row.title or 'no question yet'}): {session.damage}."
        for session in sessions
        if session.damage
    ]
    return RepairPlan(sessions=sessions, report=tuple(report))


def repair(store: Path, plan: RepairPlan, backups: Backups, *, now: datetime, make: Callable[[Path], None]) -> Path:
    """Do what was planned. Gives the folder in which the store as it was, and what is put aside, are kept. Blocks.

    Args:
        store: the store's file.
        plan: what was told.
        backups: where it is kept aside.
        now: names that folder.
        make: makes an empty store.

    Raises:
        StoreError: another program uses the store, or there is no room. The store is as it was.
    """
    folder = backups.folder / f"before-repair-{now:%Y-%m-%dT%H-%M-%S}"
    draft = store.with_name(f".{store.name}.repaired")
    with StoreLock(store, alone=True):
        try:
            folder.mkdir(mode=0o700, parents=True)
            files = [path for suffix in ("", "-wal") if (path := store.with_name(store.name + suffix)).exists()]
            for path in files:
                shutil.copyfile(path, folder / path.name)
                (folder / path.name).chmod(0o600)
            for session in plan.sessions:
                if session.aside:
                    _put_aside(folder / f"{session.id}.jsonl", session.aside)
            draft.unlink(missing_ok=True)
            make(draft)
            draft.with_name(f"{draft.name}.lock").unlink(missing_ok=True)
            _fill(draft, plan.sessions)
            for suffix in ("-wal", "-shm"):  # of the old file: read with the new one they would damage it
                store.with_name(store.name + suffix).unlink(missing_ok=True)
            draft.replace(store)
        except (OSError, sqlite3.Error) as error:
            draft.unlink(missing_ok=True)
            text = f"The session store was not repaired ({error}). It is as it was; free some room and try again."
            raise StoreError(text) from error
    return folder


def _rebuild(salvaged: Salvaged, copies: Sequence[Salvaged]) -> tuple[Rebuilt, ...]:
    """Every session from what was read of the store and of its backups, the newest first."""
    ids = dict.fromkeys((*salvaged.sessions, *salvaged.events))
    if salvaged.faults:  # else a session that only the backups know was deleted
        ids |= dict.fromkeys(id_ for copy in copies for id_ in (*copy.sessions, *copy.events))
    sessions = (_rebuild_session(id_, [salvaged, *copies]) for id_ in ids)
    return tuple(
        replace(session, beside=_collect_beside(session.id, salvaged, copies))
        for session in sessions
        if session is not None
    )


def _collect_beside(id_: str, salvaged: Salvaged, copies: Sequence[Salvaged]) -> dict[str, tuple[Row, ...]]:
    """What is known of a session beside its events.

    An owner never changes, so a backup's is as good. Of pins and tags a backup's serve as well, but not that it was
    deleted: it may have been brought back since. A link may have been taken back since: of a backup none is opened.
    """
    tables = {table: rows[id_] for table, rows in salvaged.beside.items() if id_ in rows}
    if not salvaged.faults:
        return tables
    for copy in copies:
        for table in ("owners", "labels"):
            if table not in tables and id_ in copy.beside.get(table, {}):
                tables[table] = copy.beside[table][id_]
                if table == "labels":
                    tables[table] = tuple((pinned, tags, "") for pinned, tags, _ in tables[table])
    return tables


def _rebuild_session(id_: str, stores: Sequence[Salvaged]) -> Rebuilt | None:
    own = stores[0].events.get(id_, {})
    row = stores[0].sessions.get(id_)
    rows = _join_chain(id_, [own])
    head = rows[-1].digest if rows else first_link(id_)
    if row is not None and len(rows) == len(own) and row.head in (None, head):
        return Rebuilt(id=id_, row=row, rows=rows)
    rows = _join_chain(id_, [store.events.get(id_, {}) for store in stores])
    session_row = next((store.sessions[id_] for store in stores if id_ in store.sessions), None)
    if session_row is None and not rows:
        return None
    aside = tuple(own[seq] for seq in sorted(own) if seq > len(rows) or own[seq] not in rows)
    from_backups = sum(own.get(event_row.seq) != event_row for event_row in rows)
    damage = f"damaged. Its events 1 to {len(rows)} are kept" if rows else "damaged. None of its events can be kept"
    damage += f", {from_backups} of them from a backup" if from_backups else ""
    damage += f"; {len(aside)} events that do not join to them are put aside in {id_}.jsonl" if aside else ""
    times = [event_row.at for event_row in rows] or [""]
    blank = KeptSession(title="", created_at=times[0], updated_at=times[-1], head=None)
    return Rebuilt(id=id_, row=session_row or blank, rows=rows, aside=aside, damage=damage)


def _join_chain(id_: str, stores: Sequence[Mapping[int, EventRow]]) -> tuple[EventRow, ...]:
    """The events as far as one joins to another."""
    rows: list[EventRow] = []
    previous = first_link(id_)
    while True:
        candidates = (store[len(rows) + 1] for store in stores if len(rows) + 1 in store)
        following = next((row for row in candidates if is_successor(previous, row)), None)
        if following is None:
            return tuple(rows)
        rows.append(following)
        previous = following.digest


def _put_aside(path: Path, rows: Sequence[EventRow]) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row)) + "\n")


def _fill(draft: Path, sessions: Sequence[Rebuilt]) -> None:
    draft.chmod(0o600)
    with closing(sqlite3.connect(draft)) as connection:
        with connection:
            for session in sessions:
                head = session.rows[-1].digest if session.rows else first_link(session.id)
                connection.execute(
                    "INSERT INTO sessions (id, title, created_at, updated_at, head) VALUES (?, ?, ?, ?, ?)",
                    (session.id, session.row.title, session.row.created_at, session.row.updated_at, head),
                )
                connection.executemany(
                    "INSERT INTO events (session, seq, at, kind, turn, payload, digest) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [(session.id, e.seq, e.at, e.kind, e.turn, e.payload, e.digest) for e in session.rows],
                )
                for table, rows in session.beside.items():
                    columns, places = ", ".join(BESIDE[table]), ", ".join("?" * len(BESIDE[table]))
                    connection.executemany(
                        f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})",
                        [(session.id, *row) for row in rows],
                    )
        connection.execute("PRAGMA journal_mode=DELETE")  # all in the one file that takes the store's place
    descriptor = os.open(draft, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
