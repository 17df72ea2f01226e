"""A password that is planted in a source's URL: how it may be spelt, and where it must not be found."""

from __future__ import annotations

import contextlib
import stat
import threading
from pathlib import Path
from urllib.parse import quote_plus

from postgres import PASSWORD, QUOTED

FULLY = "".join(f"%{byte:02X}" for byte in PASSWORD.encode())
"""The password in the longest spelling that a URL allows."""
FORMS = (PASSWORD, QUOTED, QUOTED.lower(), quote_plus(PASSWORD), "s3cret", FULLY, FULLY.lower())
KEPT = "credentials.json"
"""What opens the databases of sessions again, for the owner alone; the one place where a password is kept."""


def kept_nowhere(home: Path) -> list[Path]:
    """The files in a home folder, none of which holds the password."""
    written = [path for path in home.rglob("*") if path.is_file()]
    for path in written:
        if path.name == KEPT:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            continue
        content = path.read_bytes()
        for form in FORMS:
            assert form.encode() not in content, path
    return written


class Watched:
    """The arguments of every process of this machine, looked at again and again meanwhile (`with`)."""

    def __init__(self) -> None:
        self.seen: dict[int, list[str]] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.01):
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    said = path.read_bytes().decode(errors="replace")
                    known = self.seen.setdefault(int(path.parent.name), [])
                    if said and (not known or known[-1] != said):  # of one that has ended it is empty
                        known.append(said)
