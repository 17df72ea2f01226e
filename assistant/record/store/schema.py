"""The schema of the session store, as an append-only list of migrations: SQL, or a function where SQL cannot do it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect, text

from assistant.errors import StoreError
from assistant.record.store.chain import EventRow, first_link, make_chain
from assistant.record.store.engine import hold_alone


def _chain_events(connection: Connection) -> None:
    """Chain the events that were written before there was a chain, as they are."""
    for session in connection.execute(text("SELECT id FROM sessions")).scalars().all():
        rows = connection.execute(
            text("SELECT seq, at, kind, turn, payload FROM events WHERE session = :id ORDER BY seq"), {"id": session}
        ).all()
        chain = make_chain(
            session,
            [
                EventRow(seq=row.seq, at=row.at, kind=row.kind, turn=row.turn, payload=row.payload, digest="")
                for row in rows
            ],
        )
        for row in chain:
            connection.execute(
                text("UPDATE events SET digest = :digest WHERE session = :id AND seq = :seq"),
                {"digest": row.digest, "id": session, "seq": row.seq},
            )
        connection.execute(
            text("UPDATE sessions SET head = :head WHERE id = :id"),
            {"head": chain[-1].digest if chain else first_link(session), "id": session},
        )


MIGRATIONS: tuple[tuple[str | Callable[[Connection], None], ...], ...] = (
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
    (
        "ALTER TABLE events ADD COLUMN digest VARCHAR(64) NOT NULL DEFAULT ''",
        "ALTER TABLE sessions ADD COLUMN head VARCHAR(64) NOT NULL DEFAULT ''",
        _chain_events,
    ),
    (
        """CREATE TABLE labels (
               session VARCHAR(40) PRIMARY KEY,
               pinned INTEGER NOT NULL,
               tags VARCHAR(400) NOT NULL,
               binned_at VARCHAR(40) NOT NULL
           )""",
    ),
    (
        "CREATE TABLE owners (session VARCHAR(40) PRIMARY KEY, person VARCHAR(400) NOT NULL)",
        """CREATE TABLE shares (
               digest VARCHAR(64) PRIMARY KEY,
               session VARCHAR(40) NOT NULL,
               at VARCHAR(40) NOT NULL
           )""",
    ),
    (
        """CREATE TABLE leases (
               session VARCHAR(40) PRIMARY KEY,
               holder VARCHAR(40) NOT NULL,
               epoch INTEGER NOT NULL,
               expires DOUBLE PRECISION NOT NULL,
               stop INTEGER NOT NULL
           )""",
    ),
)
"""Append only: a migration that shipped is never changed."""


def migrate(connection: Connection) -> None:
    """Bring the schema to the newest version.

    Programs that find an older schema at the same time do this one after another: the others find it done.

    Raises:
        StoreError: the database was written by a newer Tandem.
    """
    if inspect(connection).has_table("migrations") and _read_version(connection) == len(MIGRATIONS):
        return  # nobody waits for a writer only to learn that there is nothing to do
    hold_alone(connection)
    connection.execute(text("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)"))
    done = _read_version(connection)
    if done > len(MIGRATIONS):
        raise StoreError(
            f"The session store was written by a newer Tandem (version {done}, this one knows "
            f"{len(MIGRATIONS)}). Update Tandem, or point it at another data folder with TANDEM_HOME."
        )
    for version, steps in enumerate(MIGRATIONS[done:], start=done + 1):
        for step in steps:
            if callable(step):
                step(connection)
            else:
                connection.execute(text(step))
        connection.execute(text("INSERT INTO migrations (version) VALUES (:version)"), {"version": version})


def _read_version(connection: Connection) -> int:
    return connection.execute(text("SELECT COALESCE(MAX(version), 0) FROM migrations")).scalar_one()
