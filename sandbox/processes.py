"""The processes of a session, as /proc tells them: which there are. Empty answers outside Linux."""

from __future__ import annotations

import contextlib
import os


def descendants(supervisor: int) -> list[int]:
    """Every process below `supervisor`, which stays their ancestor whatever they do."""
    if supervisor <= 1:
        return []
    pids: list[int] = []
    pending = [supervisor]
    while pending:
        pid = pending.pop()
        with contextlib.suppress(OSError, ValueError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/children") as file:
                    children = [int(word) for word in file.read().split()]
                pids += children
                pending += children
    return pids
