"""Copies a session up to a turn, with its log, results and uploads, into a new session. Blocks."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from assistant.core.events import Entry, SessionRenamed
from assistant.errors import ConfigError, SessionError
from assistant.record.store.database import Database

_FOLDERS = ("data", "uploads", "loaded")


def cut_after_turn(entries: Sequence[Entry], turn: int) -> tuple[Entry, ...]:
    """The events of the session itself and of its turns up to `turn`; all of them where it is 0. Pure."""
    return tuple(entry for entry in entries if not turn or entry.event.turn <= turn)


def copy_session(
    database: Database,
    entries: Sequence[Entry],
    *,
    source: Path,
    target: Path,
    session: str,
    title: str,
    copy_sources: Callable[[Path, Path], None],
) -> None:
    """Write a session that begins as another one did.

    Args:
        database: The session store.
        entries: What the copy holds.
        source: The folder of the session that is copied.
        target: The folder of the copy.
        session: The id of the copy.
        title: Its name.
        copy_sources: Copies the list of sources from one folder to the other.

    Raises:
        SessionError: Its files cannot be copied. No copy is left behind.
        ConfigError: A password cannot be moved out of its list of sources. Likewise.
    """
    try:
        target.mkdir(mode=0o700, parents=True)
        for name in _FOLDERS:
            if (source / name).is_dir():
                shutil.copytree(source / name, target / name, symlinks=True)
        copy_sources(source, target)
    except ConfigError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    except (OSError, ValueError) as error:
        shutil.rmtree(target, ignore_errors=True)
        reason = (
            f"{error.strerror}. Free some space" if isinstance(error, OSError) else "its list of sources is damaged"
        )
        raise SessionError(f"The conversation cannot be copied: {reason}.") from error
    database.create(session)
    for seq, event in enumerate([*(entry.event for entry in entries), SessionRenamed(title=title)], 1):
        database.append(session, seq, event)
