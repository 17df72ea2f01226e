"""The access token of the page. It is stored in the home folder, or given as `TANDEM_TOKEN`.

It is stored so that bookmarks and open tabs work after a restart. No setting, log or command line contains it; only
`tandem serve` prints it, as part of the address.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

NAME = "page-token"
VARIABLE = "TANDEM_TOKEN"
SHORTEST = 16
_FORM = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST},200}}")


def read_token(home: Path) -> str:
    """The token of this home: the variable's if it is set, else the one that is kept, made when there is none.

    Raises:
        ValueError: The variable's value cannot be a token; its text never holds the value.
        OSError: The home folder cannot be read or written.
    """
    if environment_token := os.environ.get(VARIABLE):
        if not _FORM.fullmatch(environment_token):
            raise ValueError(
                f"{VARIABLE} must be {SHORTEST} to 200 letters, digits, - and _. "
                "Leave it unset, and Tandem makes a token by itself"
            )
        return environment_token
    path = home / NAME
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _read_stored(path) or _create_token(path)


def _read_stored(path: Path) -> str | None:
    """None as well where others may have read it: that one is used no more."""
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            private = not os.fstat(file.fileno()).st_mode & 0o077
            text = file.read(300).strip()
    except FileNotFoundError:
        return None
    if private and _FORM.fullmatch(text):
        return text
    path.unlink(missing_ok=True)
    return None


def _create_token(path: Path) -> str:
    """Of two programs that start at once, one wins and both use its token."""
    fresh_token = secrets.token_urlsafe(24)
    draft = path.with_name(f".{NAME}.{os.getpid()}.{secrets.token_hex(4)}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(fresh_token + "\n")
    try:
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    return _read_stored(path) or fresh_token
