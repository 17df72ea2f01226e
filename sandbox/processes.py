"""The processes of a session and their exit causes, from /proc. Empty results outside Linux."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass

_SIGNALS = {number.value for number in signal.Signals}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a process ended: by `signal`, with `exit_code`, or (both None) because the host let it go."""

    signal: int | None = None
    exit_code: int | None = None

    @property
    def words(self) -> str:
        """The ending in plain words."""
        if self.signal is not None:
            name = signal.Signals(self.signal).name if self.signal in _SIGNALS else f"signal {self.signal}"
            return f"was killed by {name}"
        if self.exit_code is not None:
            return f"exited with code {self.exit_code}"
        return "was ended"


def ending_of(returncode: int) -> Ending:
    """What a return code means that is below zero for a signal, as `subprocess` and `os` give it."""
    return Ending(signal=-returncode) if returncode < 0 else Ending(exit_code=returncode)
