"""How a process ended, as a value and in words."""

from __future__ import annotations

import signal
from dataclasses import dataclass

_SIGNALS = {number.value for number in signal.Signals}


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
