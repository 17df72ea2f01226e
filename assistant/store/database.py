"""The database of event logs: SQLite (WAL) by default, anything SQLAlchemy speaks by URL.

The schema grows by an append-only list of migrations. This module knows rows and JSON; what the events mean is
`assistant.events`, and who may write is `assistant.store.lock`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import ValidationError

from assistant.errors import StoreError
from assistant.events import AnyEvent, Entry, Question, SessionRenamed, SourceAdded, Verified
from assistant.store.withholding import shown

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE sessions (
               id VARCHAR(40) PRIMARY KEY,
               title VARCHAR(400) NOT NULL,
               created_at VARCHAR(40) NOT NULL,
               updated_at VARCHAR(40) NOT NULL
           )""",
        """CREATE TABLE events (
               session VARCHAR(40) NOT NULL,
               seq INTEGER NOT NULL,
               at VARCHAR(40) NOT NULL,
               kind VARCHAR(40) NOT NULL,
               turn INTEGER NOT NULL,
               payload TEXT NOT NULL,
               PRIMARY KEY (session, seq)
           )""",
    ),
)
"""Append only: a migration that shipped is never changed."""


TITLE_CHARS = 80
"""Characters of a first question that stand as its session's title."""


def shortened(question: str) -> str:
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


class Database:
    """Event logs in one database. Calls block; the conversation makes them from threads."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)

    @classmethod
    def at(cls, path: Path) -> Database:
        """The SQLite database at `path`, made if it does not exist.

        Raises:
            StoreError: the file cannot be made or is not a database.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        database = cls(f"sqlite:///{path}")
        database.migrate()
        return database

    def migrate(self) -> None:
        """Bring the schema to the newest version.

        Raises:
            StoreError: the database cannot be written, or was written by a newer Tandem.
        """
        from sqlalchemy import text

        with self._begin() as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)"))
            done = connection.execute(text("SELECT COALESCE(MAX(version), 0) FROM migrations")).scalar_one()
            if done > len(MIGRATIONS):
                raise StoreError(
                    f"The session store was written by a newer Tandem (version {done}, this one knows "
                    f"{len(MIGRATIONS)}). Update Tandem, or point it at another data folder with TANDEM_HOME."
                )
            for version, statements in enumerate(MIGRATIONS[done:], start=done + 1):
                for statement in statements:
                    connection.execute(text(statement))
                connection.execute(text("INSERT INTO migrations (version) VALUES (:version)"), {"version": version})

    def create(self, session: str, *, title: str = "") -> None:
        """Write down that a session exists."""
        from sqlalchemy import text

        now = _now()
        with self._begin() as connection:
            connection.execute(
                text("INSERT INTO sessions (id, title, created_at, updated_at) VALUES (:id, :title, :now, :now)"),
                {"id": session, "title": title, "now": now.isoformat()},
            )

    def sessions(self) -> tuple[SessionRow, ...]:
        """All sessions, the one changed last first."""
        from sqlalchemy import text

        with self._begin() as connection:
            rows = connection.execute(
                text("SELECT id, title, created_at, updated_at FROM sessions ORDER BY updated_at DESC, id")
            ).all()
        return tuple(
            SessionRow(
                id=row.id,
                title=row.title,
                created_at=datetime.fromisoformat(row.created_at),
                updated_at=datetime.fromisoformat(row.updated_at),
            )
            for row in rows
        )

    def exists(self, session: str) -> bool:
        """Whether a session of that id was created and not deleted."""
        from sqlalchemy import text

        with self._begin() as connection:
            return (
                connection.execute(text("SELECT 1 FROM sessions WHERE id = :id"), {"id": session}).first() is not None
            )

    def delete(self, session: str) -> None:
        """Forget a session and its events."""
        from sqlalchemy import text

        with self._begin() as connection:
            connection.execute(text("DELETE FROM events WHERE session = :id"), {"id": session})
            connection.execute(text("DELETE FROM sessions WHERE id = :id"), {"id": session})

    def append(self, session: str, seq: int, event: AnyEvent) -> Entry:
        """Make an event durable at place `seq`.

        Raises:
            StoreError: another program wrote to this session meanwhile, or the disk is full or read-only.
        """
        from sqlalchemy import text

        entry = Entry(seq=seq, at=_now(), event=event)
        with self._begin() as connection:
            connection.execute(
                text(
                    "INSERT INTO events (session, seq, at, kind, turn, payload) "
                    "VALUES (:session, :seq, :at, :kind, :turn, :payload)"
                ),
                {
                    "session": session,
                    "seq": seq,
                    "at": entry.at.isoformat(),
                    "kind": event.kind,
                    "turn": event.turn,
                    "payload": event.model_dump_json(),
                },
            )
            connection.execute(
                text("UPDATE sessions SET updated_at = :at WHERE id = :session"),
                {"at": entry.at.isoformat(), "session": session},
            )
            if isinstance(event, SessionRenamed | Question):
                # The list of sessions shows a title without reading every log: it follows the events that set it.
                renamed = isinstance(event, SessionRenamed)
                title = event.title if renamed else shortened(event.text)
                connection.execute(
                    text("UPDATE sessions SET title = :title WHERE id = :session AND (title = '' OR :renamed)"),
                    {"title": title, "session": session, "renamed": renamed},
                )
        return entry

    def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """The events of a session with a place above `after`, in order; without what these say is withheld.

        Raises:
            StoreError: an event cannot be read back.
        """
        from sqlalchemy import text

        with self._begin() as connection:
            rows = connection.execute(
                text("SELECT seq, at, payload FROM events WHERE session = :id AND seq > :after ORDER BY seq"),
                {"id": session, "after": after},
            ).all()
        try:
            return shown(
                tuple(
                    Entry.model_validate_json(f'{{"seq": {row.seq}, "at": "{row.at}", "event": {row.payload}}}')
                    for row in rows
                )
            )
        except ValidationError as error:
            raise StoreError(
                f"Session {session!r} holds an event that this version cannot read ({error.error_count()} faults). "
                "It may have been written by a newer Tandem: update, or open another session."
            ) from error

    def sources(self) -> dict[str, tuple[SourceAdded, ...]]:
        """What every session's log says of its sources, in order.

        Raises:
            StoreError: an event cannot be read back.
        """
        from sqlalchemy import text

        with self._begin() as connection:
            rows = connection.execute(
                text("SELECT session, payload FROM events WHERE kind = 'source_added' ORDER BY session, seq")
            ).all()
        found: dict[str, tuple[SourceAdded, ...]] = {}
        for row in rows:
            try:
                added = SourceAdded.model_validate_json(row.payload)
            except ValidationError as error:
                raise StoreError(
                    f"Session {row.session!r} holds a source that this version cannot read. It may have been written "
                    "by a newer Tandem: update, or delete that session."
                ) from error
            found[row.session] = (*found.get(row.session, ()), added)
        return found

    def marked(self) -> dict[str, set[str]]:
        """Where the sessions kept what was marked right in them, taken back or not.

        Raises:
            StoreError: the store cannot be read.
        """
        from sqlalchemy import text

        with self._begin() as connection:
            rows = connection.execute(text("SELECT session, payload FROM events WHERE kind = 'verified'")).all()
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(row.session, set()).add(Verified.model_validate_json(row.payload).file)
        return found

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def _begin(self) -> Generator[Connection]:
        from sqlalchemy.exc import DatabaseError

        try:
            with self._engine.begin() as connection:
                yield connection
        except DatabaseError as error:
            raise StoreError(
                f"The session store cannot be used: {type(error.orig).__name__}: {error.orig}. "
                "Check that the disk has room and that the folder is writable (TANDEM_HOME moves it)."
            ) from error


def _engine(url: str) -> Engine:
    from sqlalchemy import create_engine, event
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        engine = create_engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        # The URL is not repeated: it may hold a password.
        raise StoreError(
            f"The session store's URL cannot be used ({type(error).__name__}). The setting 'store' takes an SQLAlchemy "
            "URL, such as postgresql+psycopg://user@host/name; leave it empty for a file in the data folder."
        ) from error
    if engine.dialect.name == "sqlite":

        def configure(connection: DBAPIConnection, _record: object) -> None:
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")  # an event survives a power cut, not only a kill
            cursor.execute("PRAGMA busy_timeout=10000")
            cursor.close()

        event.listen(engine, "connect", configure)
    return engine


def _now() -> datetime:
    return datetime.now(UTC)
