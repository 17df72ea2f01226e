"""What can go wrong with knowledge, as one tree.

KnowledgeError
├── DocumentMalformed   a file of the knowledge folder cannot be read as what its name promises
├── EmbedderUnavailable the wanted embedder is absent, or its weights are not the published ones
├── NotRefreshed        the base was asked before it was read for the first time
├── WriteRefused        something tried to add to the base, or clear it, without a person's decision
└── IndexUnusable
    ├── IndexDamaged    what lies on disk is not an index any more (a cache: it can be rebuilt)
    └── IndexBusy       another process held the index for too long

Bad files in a knowledge folder are expected and are values (`knowledge.sources.problems.Problem`), not exceptions:
one bad file never hides the others.
"""

from __future__ import annotations


class KnowledgeError(Exception):
    """Anything the knowledge base could not do; the message says what to do next."""


class DocumentMalformed(KnowledgeError):
    """A piece of a knowledge file that cannot be read as what its name promises.

    Attributes:
        line: 1-based line in the file, where it is known.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class EmbedderUnavailable(KnowledgeError):
    """The wanted embedder is not installed, or its files are not the ones that were published."""


class NotRefreshed(KnowledgeError):
    """The base has not been read yet."""


class WriteRefused(KnowledgeError):
    """Nothing is learned or forgotten without a person: this write did not come from one."""


class IndexUnusable(KnowledgeError):
    """The index on disk cannot be used right now."""


class IndexDamaged(IndexUnusable):
    """The index on disk is unreadable or not what was written; rebuilding it loses nothing."""


class IndexBusy(IndexUnusable):
    """Another process holds the index and did not let go in time."""
