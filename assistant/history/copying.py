"""A session copied up to a turn: its log, its results and its uploads, as a session of its own. Blocks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from assistant.errors import SessionError
from assistant.events import Entry, SessionRenamed
from assistant.store.database import Database

_KEPT = ("data", "uploads", "loaded")
_SOURCES = "sources.json"


def kept_up_to(entries: Sequence[Entry], turn: int) -> tuple[Entry, ...]:
    """The events of the session itself and of its turns up to `turn`; all of them where it is 0. Pure."""
    return tuple(entry for entry in entries if not turn or entry.event.turn <= turn)


def copy_session(
    database: Database, entries: Sequence[Entry], *, source: Path, target: Path, session: str, title: str
) -> None:
    """Write a session that begins as another one did.

    Args:
        database: The session store.
        entries: What the copy holds.
        source: The folder of the session that is copied.
        target: The folder of the copy.
        session: The id of the copy.
        title: Its name.

    Raises:
        SessionError: Its files cannot be copied. No copy is left behind.
    """
    try:
        target.mkdir(mode=0o700, parents=True)
        for name in _KEPT:
            if (source / name).is_dir():
                shutil.copytree(source / name, target / name, symlinks=True)
        _copy_sources(source, target)
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise SessionError(f"The conversation cannot be copied: {error.strerror}. Free some space.") from error
    database.create(session)
    for seq, event in enumerate([*(entry.event for entry in entries), SessionRenamed(title=title)], 1):
        database.append(session, seq, event)


def _copy_sources(source: Path, target: Path) -> None:
    """The list of sources, with files of the session's own at their new place."""
    try:
        text = (source / _SOURCES).read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    told = json.loads(text)
    for entry in (one for whole in told for one in (whole, *whole.get("parts", ()))):
        entry["files"] = [
            str(target / Path(file).relative_to(source)) if Path(file).is_relative_to(source) else file
            for file in entry["files"]
        ]
    made = target / _SOURCES
    made.touch(mode=0o600)
    made.write_text(json.dumps(told, indent=1), encoding="utf-8")
