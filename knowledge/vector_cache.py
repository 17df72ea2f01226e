"""Cache of vectors by the hash of their text, shared by all indexes of one embedder: no text is embedded twice.

It is one SQLite file. A damaged cache counts as empty: that costs time and nothing else.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knowledge.manifest import Vector

_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (hash TEXT PRIMARY KEY, vector BLOB NOT NULL, day INTEGER NOT NULL)"
_KEPT_DAYS = 180
_AT_ONCE = 500


class VectorCache:
    """The vectors of one embedder. Several threads and processes may share a file.

    Args:
        file: Where they are kept; made when the first is.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, hashes: Collection[str]) -> dict[str, Vector]:
        """The vectors that are known among those asked for."""
        import numpy as np

        vectors: dict[str, Vector] = {}
        if not self._file.exists():
            return vectors
        listed = sorted(hashes)
        try:
            with closing(sqlite3.connect(self._file, timeout=5.0)) as connection:
                for at in range(0, len(listed), _AT_ONCE):
                    part = listed[at : at + _AT_ONCE]
                    marks = ", ".join("?" * len(part))
                    rows = connection.execute(f"SELECT hash, vector FROM vectors WHERE hash IN ({marks})", part)
                    vectors |= {str(hash_): np.frombuffer(vector, dtype="<f4") for hash_, vector in rows}
        except sqlite3.Error:
            return {}
        return vectors

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors, and forget those of texts that were last embedded half a year ago."""
        today = int(time.time() // 86_400)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=5.0)) as connection, connection:
                connection.execute(_SCHEMA)
                connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                    [(hash_, vector.astype("<f4").tobytes(), today) for hash_, vector in vectors.items()],
                )
                connection.execute("DELETE FROM vectors WHERE day < ?", (today - _KEPT_DAYS,))
        # A cache that cannot be written costs time at the next start, and must fail no search.
        except (sqlite3.Error, OSError):
            return
