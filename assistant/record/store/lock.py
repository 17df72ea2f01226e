"""The lock of a session's log: one program writes it while a run lasts.

The page's server and the command line may share a data folder; the program that runs a turn holds the session's lock
file, and its lease (`assistant.record.store.leases`) where programs of other homes use the same store. The operating
system releases the lock file when the program ends, for any reason. A repair of the store is refused while any other
program has the store open.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator
from pathlib import Path
from types import TracebackType

from assistant.errors import SessionError, StoreError


def describe_busy(session: str) -> str:
    """That another program writes to a session at the moment."""
    return f"Session {session!r} is at work in another window or program. Wait until it has finished, or stop it there."


class SessionLock:
    """Held (`with`) while a program of this home writes to a session's log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def __enter__(self) -> SessionLock:
        """Take the lock.

        Raises:
            SessionError: another program runs this session at the moment.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _take(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise SessionError(describe_busy(self._path.parent.name)) from error
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            _release(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None


class StoreLock:
    """Held by every program that has the store open, and by a repair `alone`."""

    def __init__(self, store: Path, *, alone: bool = False) -> None:
        self._path = store.with_name(f"{store.name}.lock")
        self._alone = alone
        self._descriptor: int | None = None

    def __enter__(self) -> StoreLock:
        """Take the lock.

        Raises:
            StoreError: the store is being repaired; or, for a repair, another program uses it.
        """
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return self  # what is wrong with the folder is told when the store is opened
        try:
            _take(descriptor, shared=not self._alone)
        except OSError as error:
            os.close(descriptor)
            raise StoreError(
                "The session store is in use. Close the page's server and every other Tandem, then repair it."
                if self._alone
                else "The session store is being repaired. Start again when `tandem doctor --repair` has ended."
            ) from error
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextlib.contextmanager
def hold_lock(path: Path) -> Generator[None]:
    """Hold a lock file; wait while another thread or program holds it.

    Raises:
        OSError: its folder cannot be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(descriptor, waits=True)
        yield
    finally:
        os.close(descriptor)


def _release(descriptor: int) -> None:
    """Unlock, also for a process that was forked meanwhile and has not begun its own program: it has the file open."""
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _take(descriptor: int, *, shared: bool = False, waits: bool = False) -> None:
    """Lock; without waiting unless it `waits`. Windows has no such locks: the keys of the database must do there.

    Raises:
        OSError: it is held by another, and this one does not wait.
    """
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB))
