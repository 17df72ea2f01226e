"""Owners of sessions, where people sign in, and share links. Calls block.

A session without an owner belongs to the local user. Of a link only a digest is stored: reading the store is not enough
to open what the link leads to.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from assistant.record.store.database import Database

TOKEN_BYTES = 32


class PeopleStore:
    """The owners and the links of all sessions of a store. Calls raise StoreError where it cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set_owner(self, session: str, person: str) -> None:
        """Write down whose a new session is."""
        with self._database.begin() as connection:
            connection.execute(
                text("INSERT INTO owners (session, person) VALUES (:session, :person)"),
                {"session": session, "person": person},
            )

    def find_owner(self, session: str) -> str:
        """Whose a session is; empty where it belongs to the person at the machine."""
        with self._database.begin() as connection:
            statement = text("SELECT person FROM owners WHERE session = :session")
            return str(connection.execute(statement, {"session": session}).scalar() or "")

    def list_owned(self, person: str) -> frozenset[str]:
        """A person's sessions."""
        with self._database.begin() as connection:
            sessions = connection.execute(text("SELECT session FROM owners WHERE person = :person"), {"person": person})
            return frozenset(map(str, sessions.scalars()))

    def is_owner(self, person: str, session: str) -> bool:
        """Whether a session is a person's."""
        with self._database.begin() as connection:
            statement = text("SELECT 1 FROM owners WHERE person = :person AND session = :session")
            return connection.execute(statement, {"person": person, "session": session}).first() is not None

    def add_link(self, session: str) -> str:
        """Make a link to a session. Gives its token, which is told this once."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        values = {"digest": _digest(token), "session": session, "at": datetime.now(UTC).isoformat()}
        with self._database.begin() as connection:
            connection.execute(text("INSERT INTO shares (digest, session, at) VALUES (:digest, :session, :at)"), values)
        return token

    def find_shared(self, token: str) -> str | None:
        """The session that a link leads to; None where there is no such link."""
        with self._database.begin() as connection:
            statement = text("SELECT session FROM shares WHERE digest = :digest")
            session = connection.execute(statement, {"digest": _digest(token)}).scalar()
        return None if session is None else str(session)

    def count_links(self, session: str) -> int:
        """How many links lead to a session."""
        with self._database.begin() as connection:
            statement = text("SELECT COUNT(*) FROM shares WHERE session = :session")
            return int(connection.execute(statement, {"session": session}).scalar_one())

    def delete_links(self, session: str) -> None:
        """Let no link lead to a session any more."""
        with self._database.begin() as connection:
            connection.execute(text("DELETE FROM shares WHERE session = :session"), {"session": session})


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
