"""File descriptors of this process: raises the limit to the hard limit, and reserves some before a kernel starts.

Without a free descriptor any part of the server may fail at any moment. So a kernel that might use the last ones is not
started: its session gets the message that the machine is busy.
"""

from __future__ import annotations

import contextlib
import os
import threading
from dataclasses import dataclass, field

from .errors import SandboxBusy

try:
    import resource
except ImportError:  # Windows
    resource = None

FOR_KERNEL = 24
"""What a kernel takes while it starts; afterwards it holds eight."""
SPARE = 64
"""Left for everything else: files, sources, browsers."""

_reserved = 0
_lock = threading.Lock()


def raise_limit() -> None:
    """Let this process open as many files as the system allows it to; children that are caged have their own limit."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):  # macOS names a hard limit that it does not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def get_limit() -> int | None:
    """How many files this process may have open; None where that is not limited."""
    if resource is None:
        return None
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def reserve() -> Reservation:
    """Set the descriptors of one kernel aside until it has opened them.

    Raises:
        SandboxBusy: There are too few left.
    """
    global _reserved  # noqa: PLW0603  # the limit is the process's, and so is the count
    allowed = get_limit()
    with _lock:
        in_use = len(os.listdir("/dev/fd")) if allowed is not None and os.path.isdir("/dev/fd") else 0
        if allowed is not None and in_use + _reserved + FOR_KERNEL + SPARE > allowed:
            raise SandboxBusy(
                f"{in_use} of the {allowed} files that this program may have open are in use, too many "
                "to start another kernel. Try again in a moment, close a session, or raise the limit "
                "(`ulimit -n`, LimitNOFILE=)."
            )
        _reserved += FOR_KERNEL
    return Reservation()


@dataclass(slots=True)
class Reservation:
    """Descriptors set aside; `release` when they were opened, or never will be."""

    _held: bool = field(default=True)

    def release(self) -> None:
        """Give them back. May be called again."""
        global _reserved  # noqa: PLW0603  # as in `reserve`
        with _lock:
            if self._held:
                self._held = False
                _reserved -= FOR_KERNEL
