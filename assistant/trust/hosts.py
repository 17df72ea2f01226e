"""Host names of database servers: whether one is well formed, and whether it is on a list. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\w+)?")


def is_plain(host: str) -> bool:
    """Whether a text names one host: not several, no socket's file, no connection string of a driver."""
    return _PLAIN.fullmatch(host) is not None


def is_listed(host: str, port: int | None, hosts: Iterable[str]) -> bool:
    """Whether a host is on a list of `HOST` and `HOST:PORT`; an entry without a port allows each port of its host."""
    name = host.lower().rstrip(".")
    return any(entry.lower() in (name, f"{name}:{port}") for entry in hosts)
