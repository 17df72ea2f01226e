"""The SQLAlchemy engine of the session store, and the translation of its errors."""

from __future__ import annotations

import random
import sqlite3
import time

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from assistant.errors import StoreError

_WAIT_S = 10
"""Seconds that a program waits for another that writes to the store."""
_SCHEMA_KEY = 0x74616E64656D
"""The advisory lock of PostgreSQL under which the schema is made: "tandem" in ASCII."""
_SAVED = "Everything that was shown up to here is kept."
_WORDS = {
    "SQLITE_FULL": f"The disk is full: the session store cannot be written. {_SAVED} Free some room, then go on.",
    "SQLITE_IOERR": (
        f"The disk does not take what is written to the session store: it is full, over its quota, or faulty. {_SAVED} "
        "Free some room, then go on."
    ),
    "SQLITE_READONLY": (
        f"The session store is read-only. {_SAVED} Make its folder writable, or name another as TANDEM_HOME."
    ),
    "SQLITE_CANTOPEN": (
        "The session store cannot be opened: its folder is missing, read-only, or not yours. "
        "Make it writable, or name another as TANDEM_HOME."
    ),
    "SQLITE_BUSY": "Another program is writing to the session store and does not end. Try again in a moment.",
    "SQLITE_CORRUPT": (
        "The session store's file is damaged. `tandem doctor --repair` says what can be saved, and saves it."
    ),
    "SQLITE_NOTADB": (
        "The session store's file is damaged: it is no database any more. `tandem doctor --repair` restores the last "
        "backup. If the file is not Tandem's, name another folder as TANDEM_HOME."
    ),
}
"""What happened, by the primary result code of SQLite, and what to do next."""


class StoreUnreachable(StoreError):
    """The server of the session store does not answer, or broke the connection."""


def make_store_error(error: DatabaseError) -> StoreError:
    """An error of the database in words for the person."""
    if error.connection_invalidated or _is_refused(error):
        return StoreUnreachable(
            "The session store's database server cannot be reached. Everything that was shown up to here is kept. "
            "Go on when the server answers again."
        )
    name = str(getattr(error.orig, "sqlite_errorname", ""))
    message = next((words for code, words in _WORDS.items() if name == code or name.startswith(f"{code}_")), None)
    if message is not None:
        return StoreError(message)
    # What SQLAlchemy says would repeat the statement and its parameters: the words of the conversation.
    return StoreError(f"The session store cannot be used: {type(error.orig).__name__}: {error.orig}.")


def _is_refused(error: DatabaseError) -> bool:
    """Whether a server took no connection: it is down, starting or stopping. SQLite has no server."""
    if not isinstance(error, OperationalError) or isinstance(error.orig, sqlite3.Error):
        return False
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return state == "" or state.startswith(("08", "57P"))


def is_damage(error: DatabaseError) -> bool:
    """Whether an error says that pages of the file are damaged."""
    return str(getattr(error.orig, "sqlite_errorname", "")).startswith("SQLITE_CORRUPT")


def make_engine(url: str) -> Engine:
    """An engine for the store's URL. Nothing is opened yet.

    Raises:
        StoreError: the URL cannot be understood, or its driver is not installed.
    """
    try:
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        # The URL is not repeated: it may hold a password.
        raise StoreError(
            f"The session store's URL cannot be used ({type(error).__name__}). The setting 'store' takes an SQLAlchemy "
            "URL, such as postgresql+psycopg://user@host/name; leave it empty for a file in the data folder."
        ) from error
    if engine.dialect.name == "sqlite":

        def configure(connection: DBAPIConnection, _record: object) -> None:
            # A flipped bit may leave no UTF-8: one event's matter, which its digest tells, and no error of the query.
            connection.text_factory = _decode
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={_WAIT_S * 1000}")
            _turn_to_wal(cursor)
            cursor.execute("PRAGMA synchronous=FULL")  # an event survives a power cut, not only a kill
            cursor.close()

        event.listen(engine, "connect", configure)
    return engine


def hold_alone(connection: Connection) -> None:
    """Begin a transaction that no other program may begin until it ends; wait for the one that is in it.

    SQLite would begin a transaction for the first row that is written, and not for a table that is made.

    Raises:
        sqlalchemy.exc.OperationalError: SQLite waited in vain for ten seconds.
    """
    match connection.dialect.name:
        case "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        case "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_KEY})
        case _:
            pass  # no lock of such a database spans a table that is made


def _turn_to_wal(cursor: DBAPICursor) -> None:
    """Have the file keep a write-ahead log.

    SQLite does not wait for other programs here, whatever its `busy_timeout`: it would wait for a lock while it holds
    another. So it is tried again.

    Raises:
        sqlite3.OperationalError: other programs held the file for ten seconds, or it cannot be written.
    """
    deadline = time.monotonic() + _WAIT_S
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.005, 0.05))
        else:
            return


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")
