"""The descriptors of the test process, of which a long run has more than a thousand."""

from __future__ import annotations

import contextlib
import os
import select
from collections import Counter


def open_descriptors() -> Counter[str]:
    """How many descriptors lead to each file, pipe and socket.

    Compare by `after - before`: a collection of garbage may close at any time what earlier tests left.
    """
    found = Counter[str]()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # that of the listing itself
            found[os.readlink(f"/proc/self/fd/{name}")] += 1
    return found


def is_readable(descriptor: int, *, within_s: float = 0) -> bool:
    """Whether something can be read, or is readable within some seconds. `select.select` takes none above 1023."""
    looked = select.poll()
    looked.register(descriptor, select.POLLIN)
    return bool(looked.poll(within_s * 1000))
