"""The manifest of an index: content hashes in a small SQLite file beside it, and the lock for both.

It shows that a base is unchanged without opening the vector store, and which texts need no new embedding. It holds
hashes, vectors and the fields that searches filter by, but no text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.errors import IndexBusy, IndexDamaged, IndexUnusable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_LOCK_WAIT_S = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL,
  content_hash TEXT NOT NULL, text_hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (text_hash TEXT PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """One document as an index knows it.

    Attributes:
        id: The document's id.
        scope: The part of the index it is synchronised with.
        kind: The document's kind.
        source: The data source it speaks of; `""` for none.
        content_hash: Hash of all that the document says.
        text_hash: Hash of what is embedded.
    """

    id: str
    scope: str
    kind: str
    source: str
    content_hash: str
    text_hash: str


class Manifest:
    """The manifest of one index folder. A connection lives only as long as a call: nothing is left open."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @contextmanager
    def reading(self) -> Generator[ManifestTransaction]:
        """Read what is written; changes nothing and does not keep others from reading."""
        with self._transaction("BEGIN") as transaction:
            yield transaction

    @contextmanager
    def exclusive(self) -> Generator[ManifestTransaction]:
        """Hold manifest and store against every other thread and process; an exception undoes the manifest's part.

        Raises:
            IndexBusy: Another process held them for a minute.
            IndexDamaged: The file is not a manifest.
            IndexUnusable: The folder cannot be written.
        """
        with self._transaction("BEGIN EXCLUSIVE") as transaction:
            yield transaction

    @contextmanager
    def _transaction(self, begin: str) -> Generator[ManifestTransaction]:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._file, timeout=_LOCK_WAIT_S, isolation_level=None)
            with closing(connection):
                if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
                    connection.executescript(_SCHEMA)
                connection.execute(begin)
                try:
                    yield ManifestTransaction(connection)
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise IndexBusy(
                    f"Another process has held the index {str(self._file.parent)!r} for {_LOCK_WAIT_S:.0f} s; "
                    "end it, or try again."
                ) from error
            raise IndexUnusable(
                f"The index {str(self._file.parent)!r} cannot be used ({error}); check that the folder is "
                "writable and that the disk is not full."
            ) from error
        except sqlite3.DatabaseError as error:
            raise IndexDamaged(
                f"{str(self._file)!r} is not readable ({error}). It is a cache: delete the folder and refresh."
            ) from error
        except OSError as error:
            raise IndexUnusable(
                f"The index folder {str(self._file.parent)!r} cannot be used ({error.strerror}); name another."
            ) from error


class ManifestTransaction:
    """The manifest inside a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def entries(self, scopes: Iterable[str] | None = None) -> dict[str, IndexEntry]:
        """Return the entries by id, of the given scopes or of all."""
        rows = self._connection.execute(
            "SELECT id, scope, kind, source, content_hash, text_hash FROM entries ORDER BY id"
        )
        selection = None if scopes is None else frozenset(scopes)
        return {
            row[0]: IndexEntry(
                id=row[0], scope=row[1], kind=row[2], source=row[3], content_hash=row[4], text_hash=row[5]
            )
            for row in rows
            if selection is None or row[1] in selection
        }

    def scopes(self) -> frozenset[str]:
        """Return the scopes of all entries."""
        return frozenset(row[0] for row in self._connection.execute("SELECT DISTINCT scope FROM entries"))

    def put(self, entries: Sequence[IndexEntry]) -> None:
        """Add entries, or replace those of the same id."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            [(e.id, e.scope, e.kind, e.source, e.content_hash, e.text_hash) for e in entries],
        )

    def drop(self, ids: Iterable[str]) -> None:
        """Remove entries, and the vectors that no entry needs any more."""
        parameters = [(id_,) for id_ in ids]
        if not parameters:
            return
        self._connection.executemany("DELETE FROM entries WHERE id = ?", parameters)
        self._connection.execute("DELETE FROM vectors WHERE text_hash NOT IN (SELECT text_hash FROM entries)")

    def vectors(self, text_hashes: Iterable[str]) -> dict[str, Vector]:
        """Return the known vectors among those asked for, by text hash."""
        import numpy as np

        vectors: dict[str, Vector] = {}
        for text_hash in text_hashes:
            row = self._connection.execute("SELECT vector FROM vectors WHERE text_hash = ?", (text_hash,)).fetchone()
            if row is not None:
                vectors[text_hash] = np.frombuffer(row[0], dtype="<f4")
        return vectors

    def put_vectors(self, vectors: dict[str, Vector]) -> None:
        """Keep vectors by text hash."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
            [(text_hash, vector.astype("<f4").tobytes()) for text_hash, vector in vectors.items()],
        )

    def fact(self, name: str) -> str | None:
        """Return a fact about the store, if it is known."""
        row = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def put_fact(self, name: str, value: str) -> None:
        """Set a fact about the store."""
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
