"""Embeds documents into the index in the background, with progress. A search never waits for it."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

from knowledge.errors import IndexDamaged, KnowledgeError
from knowledge.index import Index
from knowledge.ingest import IndexChange, apply_change

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingProgress:
    """How many documents are embedded, of how many that are new."""

    done: int
    total: int

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.done >= self.total


class BackgroundEmbedding:
    """Carries out a change in a thread of its own, which begins at once.

    The thread ends with the program: what is done stays, and the next refresh goes on from there.
    """

    def __init__(self, change: IndexChange, index: Index) -> None:
        self._change = change
        self._index = index
        self._done = 0
        self._failed: KnowledgeError | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knowledge-embedding", daemon=True)
        self._thread.start()

    @property
    def progress(self) -> EmbeddingProgress:
        """How far it has come."""
        return EmbeddingProgress(done=self._done, total=len(self._change.documents))

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait for its end; False where the time was too short.

        Raises:
            KnowledgeError: What ended it early.
        """
        self._thread.join(timeout_s)
        if self._failed is not None:
            raise self._failed
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Leave the rest, and wait for the piece at hand."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            try:
                self._carry_out()
            except IndexDamaged:
                self._index.rebuild()
                self._carry_out()
        except KnowledgeError as error:  # searches go on by names and words; the next refresh tries again
            _LOG.warning("the knowledge index was not filled: %s", error)
            self._failed = error

    def _carry_out(self) -> None:
        def told(done: int) -> None:
            self._done = done

        apply_change(self._change, self._index, on_progress=told, stop=self._stopping.is_set)
