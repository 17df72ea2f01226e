"""What can go wrong with data, as exceptions whose text never holds a password or a folder of this machine.

DataError (assistant.errors)
├── AddressError       what was given as a source is no address, or nothing is there
├── SourceError        the address is right, but its data cannot be opened or read
└── QueryError         a query came to nothing; its text says what to do next
    ├── QueryFailed    the engine refused or failed it (a wrong column, a type)
    └── QueryRefused   we did not run it or stopped it: guard, grant or budget
"""

from __future__ import annotations

import re

from assistant.errors import DataError


class AddressError(DataError):
    """What was given as a source cannot be understood, or nothing is there."""


class SourceError(DataError):
    """A source cannot be opened or read."""


class QueryError(DataError):
    """A query came to nothing."""


class QueryFailed(QueryError):
    """The engine could not run the query."""


class QueryRefused(QueryError):
    """The query was not run, or was stopped, by the guard, the grant or the budget."""


def describe_timeout(timeout_s: float) -> str:
    """What is said of a query that took longer than its budget."""
    return (
        f"The query took longer than {timeout_s:g} s and was stopped. "
        "Filter it, aggregate it in SQL, or join on keys, and propose it again."
    )


_CREDENTIALS_IN_URL = re.compile(r"(?<=://)[^\s/@'\"]*:[^\s/'\"]*@")
_SHORT_CHARS = 5
"""A secret shorter than this also stands inside ordinary words."""
_PASSWORD_SETTING = re.compile(r"(?i)\b(password|passwd|pwd)(\s*[=:]\s*)('[^']*'|\"[^\"]*\"|[^\s;,&)]+)")


def _compile_spellings(secret: str) -> re.Pattern[str]:
    """A secret in any spelling that a URL allows: each of its characters may be percent-encoded, in either case."""

    def either(character: str) -> str:
        encoded = "".join(f"%{byte:02x}" for byte in character.encode())
        plus = "|\\+" if character == " " else ""
        return f"(?:{re.escape(character)}|(?i:{encoded}){plus})"

    spelt = "".join(map(either, secret))
    return re.compile(rf"(?<!\w){spelt}(?!\w)" if len(secret) < _SHORT_CHARS else spelt)


def clean_message(text: str, *, secrets: tuple[str, ...] = (), folders: tuple[str, ...] = ()) -> str:
    """An engine's message without passwords and without the folders of this machine.

    Args:
        text: What the engine or driver said.
        secrets: Passwords to strike out, in clear; every URL-quoted form is struck out as well. One of up to four
            characters counts only where it stands alone: "p" is no part of "port".
        folders: Absolute folders; a path below one of them keeps only what follows.
    """
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= _SHORT_CHARS:
            text = text.replace(repr(secret)[1:-1], "***")
        text = _compile_spellings(secret).sub("***", text)
    text = _CREDENTIALS_IN_URL.sub("***@", text)
    text = _PASSWORD_SETTING.sub(r"\1\2***", text)
    for folder in sorted(filter(None, folders), key=len, reverse=True):
        if folder != "/":
            text = text.replace(folder.rstrip("/") + "/", "").replace(folder, "…")
    return text.strip()
