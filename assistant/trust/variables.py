"""Environment variables that may hold a database password: an allow-list, without any API key. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def is_listed(name: str, patterns: Iterable[str], *, keys: Iterable[str]) -> bool:
    """Whether a variable may be read as a password.

    Args:
        name: Its name.
        patterns: Names; `*` stands for any characters.
        keys: Likewise of variables that hold keys of models and services, which no pattern allows.
    """
    return not _matches(name, keys) and _matches(name, patterns)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
