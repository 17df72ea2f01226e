"""What the descriptors of the test process lead to, to see what something left open."""

from __future__ import annotations

import contextlib
import os
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
