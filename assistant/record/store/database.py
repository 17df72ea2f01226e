"""The database of event logs: SQLite (WAL) by default, any SQLAlchemy dialect by URL.

This module knows rows and JSON; what the events mean is `assistant.core.events`, how they are chained
`assistant.record.store.chain`, and who may write is `assistant.record.store.lock`.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, text
from sqlalchemy.exc import DatabaseError

from assistant.core.events import AnyEvent, Entry, Question, SessionRenamed, SourceAdded, Verified
from assistant.errors import StoreError
from assistant.record.store.chain import Damage, EventRow, chain_digest, first_link, verify_chain
from assistant.record.store.change_listener import ChangeListener
from assistant.record.store.engine import StoreUnreachable, is_damage, make_engine, make_store_error
from assistant.record.store.lock import StoreLock
from assistant.record.store.schema import migrate
from assistant.record.store.withholding import hide_withheld

OUTAGE_S = 30.0
"""Seconds for which an event waits for a store whose server cannot be reached: a restart, a short partition."""
CHANNEL = "tandem_events"
"""The channel of PostgreSQL on which a session's id is sent with each of its events."""
TITLE_CHARS = 80
"""Characters of a first question that stand as its session's title."""


def shorten_title(question: str) -> str:
    """A question as a title."""
    line = " ".join(question.split())
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """A session as the list of sessions shows it; times in UTC."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading:
    """What was read of a session's log: its entries, up to where it is damaged if it is."""

    entries: tuple[Entry, ...] = ()
    damage: Damage | None = None


class Database:
    """Event logs in one database. Calls block; the conversation makes them from threads."""

    def __init__(self, url: str, *, lock: StoreLock | None = None) -> None:
        self._engine = make_engine(url)
        self._lock = lock
        self._listener = ChangeListener(self._engine, channel=CHANNEL)

    @property
    def dialect(self) -> str:
        """SQLAlchemy's name of the kind of database: `sqlite`, `postgresql`."""
        return self._engine.dialect.name

    @classmethod
    def open_file(cls, path: Path) -> Database:
        """The SQLite database at `path`, made if it does not exist.

        Raises:
            StoreError: the file cannot be made, is not a database, or is being repaired.
        """
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            text = f"The folder {str(path.parent)!r} cannot be made ({error.strerror}). Name another as TANDEM_HOME."
            raise StoreError(text) from error
        with suppress(OSError):  # what is wrong is told when it is opened; its -wal and -shm files get its rights
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        database = cls(f"sqlite:///{path}", lock=StoreLock(path).__enter__())
        try:
            database.migrate()
        except BaseException:
            database.close()
            raise
        return database

    def migrate(self) -> None:
        """Bring the schema to the newest version.

        Raises:
            StoreError: the database cannot be written, or was written by a newer Tandem.
        """
        with self.begin() as connection:
            migrate(connection)

    def create(self, session: str, *, title: str = "") -> None:
        """Insert a session."""
        now = _now()
        with self.begin() as connection:
            connection.execute(
                text(
                    "INSERT INTO sessions (id, title, created_at, updated_at, head) "
                    "VALUES (:id, :title, :now, :now, :head)"
                ),
                {"id": session, "title": title, "now": now.isoformat(), "head": first_link(session)},
            )

    def list_sessions(self) -> tuple[SessionRow, ...]:
        """All sessions, the one changed last first."""
        with self.begin() as connection:
            rows = connection.execute(
                text("SELECT id, title, created_at, updated_at FROM sessions ORDER BY updated_at DESC, id")
            ).all()
        return tuple(
            SessionRow(
                id=row.id,
                title=row.title,
                created_at=_parse_time(row.created_at),
                updated_at=_parse_time(row.updated_at),
            )
            for row in rows
        )

    def exists(self, session: str) -> bool:
        """Whether a session of that id was created and not deleted."""
        with self.begin() as connection:
            return (
                connection.execute(text("SELECT 1 FROM sessions WHERE id = :id"), {"id": session}).first() is not None
            )

    def delete(self, session: str) -> None:
        """Delete a session and its events."""
        with self.begin() as connection:
            for table in ("labels", "owners", "shares", "leases"):
                connection.execute(text(f"DELETE FROM {table} WHERE session = :id"), {"id": session})
            connection.execute(text("DELETE FROM events WHERE session = :id"), {"id": session})
            connection.execute(text("DELETE FROM sessions WHERE id = :id"), {"id": session})

    def retitle(self, session: str, title: str) -> None:
        """Give a session another title in the list of sessions; its log does not change."""
        with self.begin() as connection:
            connection.execute(
                text("UPDATE sessions SET title = :title WHERE id = :id"), {"id": session, "title": title}
            )

    def append(self, session: str, seq: int, event: AnyEvent, *, epoch: int | None = None) -> Entry:
        """Make an event durable at place `seq`.

        While the server of the store cannot be reached, it is tried again for `OUTAGE_S` seconds.

        Args:
            session: The session.
            seq: The place after the last event that the caller knows.
            event: The event.
            epoch: That of the caller's lease on the session; None where it is not written under a lease.

        Raises:
            StoreError: another program wrote to this session meanwhile or has taken it over, a question has the number
                of one before it, the store cannot be reached, or the disk is full or read-only.
        """
        entry = Entry(seq=seq, at=_now(), event=event)
        deadline = time.monotonic() + OUTAGE_S
        while True:
            try:
                self._append(session, entry, epoch)
            except StoreUnreachable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(random.uniform(0.2, 0.5))
            else:
                return entry

    def _append(self, session: str, entry: Entry, epoch: int | None) -> None:
        seq, event = entry.seq, entry.event
        at, payload = entry.at.isoformat(), event.model_dump_json()
        with self.begin() as connection:
            if epoch is not None:
                # The row stays locked until the end of the transaction: nobody takes the lease over in between.
                fence = text("UPDATE leases SET epoch = epoch WHERE session = :session AND epoch = :epoch")
                if connection.execute(fence, {"session": session, "epoch": epoch}).rowcount != 1:
                    raise StoreError(
                        f"Session {session!r} was taken over by another server, which found no sign of this one. "
                        "Nothing was written. Go on there, or open the session again here."
                    )
            previous = connection.execute(
                text(
                    "SELECT s.head, e.digest FROM sessions s "
                    "LEFT JOIN events e ON e.session = s.id AND e.seq = :before WHERE s.id = :session"
                ),
                {"session": session, "before": seq - 1},
            ).first()
            if previous is None:
                raise StoreError(f"Session {session!r} was deleted meanwhile. Begin a new one.")
            if previous.head != (previous.digest if seq > 1 else first_link(session)):
                if _is_written(connection, session, entry, payload):
                    return  # the connection broke after the commit, before its answer came
                raise StoreError(
                    f"Session {session!r} was changed in the session store by another program, or its end is damaged. "
                    "Nothing was written. Open it again; `tandem doctor` says whether it is damaged."
                )
            if isinstance(event, Question):
                _require_new_number(connection, session, event)
            digest = chain_digest(previous.head, seq=seq, at=at, kind=event.kind, turn=event.turn, payload=payload)
            connection.execute(
                text(
                    "INSERT INTO events (session, seq, at, kind, turn, payload, digest) "
                    "VALUES (:session, :seq, :at, :kind, :turn, :payload, :digest)"
                ),
                {
                    "session": session,
                    "seq": seq,
                    "at": at,
                    "kind": event.kind,
                    "turn": event.turn,
                    "payload": payload,
                    "digest": digest,
                },
            )
            connection.execute(
                text("UPDATE sessions SET updated_at = :at, head = :head WHERE id = :session"),
                {"at": at, "head": digest, "session": session},
            )
            if isinstance(event, SessionRenamed | Question):
                # The list of sessions shows a title without reading every log: it follows the events that set it.
                renamed = isinstance(event, SessionRenamed)
                title = event.title if renamed else shorten_title(event.text)
                connection.execute(
                    text("UPDATE sessions SET title = :title WHERE id = :session AND (title = '' OR :renamed)"),
                    {"title": title, "session": session, "renamed": renamed},
                )
            if self.dialect == "postgresql":
                connection.execute(
                    text("SELECT pg_notify(:channel, :session)"), {"channel": CHANNEL, "session": session}
                )

    def read(self, session: str, *, after: int = 0) -> LogReading:
        """The events of a session with a place above `after`, up to where the log is damaged; withheld ones left out.

        Raises:
            StoreError: the database cannot be read.
        """
        rows, anchor, head = self._read_rows(session, after)
        if anchor is None:
            return LogReading(damage=Damage(seq=after, reason=f"event {after} is missing"))
        good, damage = verify_chain(rows, after=after, anchor=anchor, head=head)
        entries: list[Entry] = []
        for row in good:
            try:
                entries.append(
                    Entry.model_validate_json(f'{{"seq": {row.seq}, "at": "{row.at}", "event": {row.payload}}}')
                )
            except ValidationError:
                reason = f"event {row.seq} cannot be read by this version: it may have been written by a newer Tandem"
                damage = Damage(seq=row.seq, reason=reason, foreign=True)
                break
        return LogReading(entries=hide_withheld(tuple(entries)), damage=damage)

    def _read_rows(self, session: str, after: int) -> tuple[list[EventRow], str | None, str]:
        """A session's rows above `after`, the digest of the row at `after`, and that of the last one.

        One statement reads them all, so that they are of one moment. Where pages of the file are damaged, the rows
        before them are read one by one.
        """
        statement = (
            "SELECT s.head, e.seq, e.at, e.kind, e.turn, e.payload, e.digest FROM sessions s "
            "LEFT JOIN events e ON e.session = s.id AND e.seq {} WHERE s.id = :id ORDER BY e.seq"
        )
        with self.begin() as connection:
            try:
                rows_of_session = list(
                    connection.execute(text(statement.format(">= :from")), {"id": session, "from": after})
                )
            except DatabaseError as error:
                if not is_damage(error):
                    raise
                rows_of_session = list[Any]()
                for seq in count(max(after, 1)):
                    try:
                        row = connection.execute(text(statement.format("= :seq")), {"id": session, "seq": seq}).first()
                    except DatabaseError:
                        break
                    if row is None or row.seq is None:
                        break
                    rows_of_session.append(row)
        rows = [
            EventRow(seq=row.seq, at=row.at, kind=row.kind, turn=row.turn, payload=row.payload, digest=row.digest)
            for row in rows_of_session
            if row.seq is not None
        ]
        head = rows_of_session[0].head if rows_of_session else first_link(session)
        if after == 0:
            return rows, first_link(session), head
        anchor = rows.pop(0).digest if rows and rows[0].seq == after else None
        return rows, anchor, head

    def read_heads(self, sessions: Collection[str]) -> Mapping[str, str]:
        """What changes with every event of a session, by session; those that were deleted are left out.

        Raises:
            StoreError: the store cannot be read.
        """
        statement = text("SELECT id, head FROM sessions WHERE id IN :ids").bindparams(bindparam("ids", expanding=True))
        with self.begin() as connection:
            return {row.id: row.head for row in connection.execute(statement, {"ids": list(sessions)})}

    def read_sources(self) -> dict[str, tuple[SourceAdded, ...]]:
        """What every session's log says of its sources, in order; a damaged event says nothing.

        Raises:
            StoreError: the store cannot be read.
        """
        with self.begin() as connection:
            rows = connection.execute(
                text("SELECT session, payload FROM events WHERE kind = 'source_added' ORDER BY session, seq")
            ).all()
        sources: dict[str, tuple[SourceAdded, ...]] = {}
        for row in rows:
            try:
                added = SourceAdded.model_validate_json(row.payload)
            except ValidationError:
                continue  # it is told when that session is opened, and hides nothing of the others
            sources[row.session] = (*sources.get(row.session, ()), added)
        return sources

    def read_verified_files(self) -> dict[str, set[str]]:
        """Where the sessions kept what was marked right in them, taken back or not; a damaged event says nothing.

        Raises:
            StoreError: the store cannot be read.
        """
        with self.begin() as connection:
            rows = connection.execute(text("SELECT session, payload FROM events WHERE kind = 'verified'")).all()
        files: dict[str, set[str]] = {}
        for row in rows:
            with suppress(ValidationError):
                files.setdefault(row.session, set()).add(Verified.model_validate_json(row.payload).file)
        return files

    def find_sessions(self, word: str, *, kinds: Sequence[str]) -> tuple[str, ...]:
        """The sessions with an event of these kinds that may hold a word, the last changed first.

        What is found here may be withheld: read the session before anything of it is told.

        Raises:
            StoreError: the store cannot be read.
        """
        # SQLite lowers ASCII alone: any other letter may stand for any.
        pattern = "".join(f"!{c}" if c in "!%_" else c if c.isascii() else "_" for c in word.lower())
        statement = text(
            "SELECT s.id FROM sessions s WHERE EXISTS (SELECT 1 FROM events e WHERE e.session = s.id "
            "AND e.kind IN :kinds AND LOWER(e.payload) LIKE :pattern ESCAPE '!') ORDER BY s.updated_at DESC, s.id"
        ).bindparams(bindparam("kinds", expanding=True))
        with self.begin() as connection:
            rows = connection.execute(statement, {"kinds": list(kinds), "pattern": f"%{pattern}%"}).scalars().all()
        return tuple(map(str, rows))

    async def wait_for_event(self, timeout_s: float) -> None:
        """Return when some session has a new event, or after `timeout_s` seconds: not every store tells of events."""
        await self._listener.wait(timeout_s)

    def close(self) -> None:
        """Close every connection."""
        self._listener.close()
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()

    @contextmanager
    def begin(self) -> Generator[Connection]:
        """A transaction on the store.

        Raises:
            StoreError: The database cannot be used, or is damaged.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except DatabaseError as error:
            raise make_store_error(error) from error


def _is_written(connection: Connection, session: str, entry: Entry, payload: str) -> bool:
    """Whether this very event, written at this very time, stands at its place already."""
    row = connection.execute(
        text("SELECT at, payload FROM events WHERE session = :session AND seq = :seq"),
        {"session": session, "seq": entry.seq},
    ).first()
    return row is not None and (row.at, row.payload) == (entry.at.isoformat(), payload)


def _require_new_number(connection: Connection, session: str, question: Question) -> None:
    """Go on only where a question's number is above those of the questions before it: two turns are never one.

    Raises:
        StoreError: it is not.
    """
    last = connection.execute(
        text("SELECT MAX(turn) FROM events WHERE session = :session AND kind = :kind"),
        {"session": session, "kind": question.kind},
    ).scalar_one()
    if last is not None and question.turn <= last:
        raise StoreError(
            f"Session {session!r} has a question {question.turn} already, asked by another program. Nothing was "
            "written. Ask again."
        )


def _parse_time(text_of_time: str) -> datetime:
    """A time as it was written; the beginning of all times where it is damaged, which must not hide other sessions."""
    try:
        return datetime.fromisoformat(text_of_time)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def _now() -> datetime:
    return datetime.now(UTC)
