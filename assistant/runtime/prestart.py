"""Starts kernel and engine processes before the program's own modules are imported.

A question needs a kernel and, for files, an engine. Both are forked from processes that first import pandas, DuckDB
and others; they do so while the program imports and reads the question.
"""

from __future__ import annotations

import sys

from assistant.sources.workers.processes import forkserver
from sandbox import descriptors
from sandbox.zygote import Zygote


def begin() -> Zygote | None:
    """Begin the zygote of kernels and the forkserver of engines; None where kernels are not forked. Blocks a moment.

    Whoever gets the zygote closes it; it ends with the program otherwise.
    """
    descriptors.raise_limit()
    zygote = None
    if sys.platform == "linux":
        zygote = Zygote(warm=True, drawing=False)  # most questions are answered by a table
        zygote.begin()
    forkserver().start()
    return zygote
