"""Interpreter settings for a program whose event loop serves many sessions."""

from __future__ import annotations

import gc
import sys

_SWITCH_S = 0.0005
"""The loop gives the interpreter's lock back in every system call. Where a thread works, each costs it so much to get
the lock again: 5 ms unless this is set, so that forty sockets are 0.2 s."""
_OBJECTS_BETWEEN = 20_000
"""A reply of 100,000 values is parsed with a few passes over young objects, and none over all that there are."""


def keep_responsive() -> None:
    """Let threads and the garbage collector hold up an event loop for as short as possible.

    Call it when what stays is imported: it is left out of later garbage collections, of which each would take a tenth
    of a second.
    """
    sys.setswitchinterval(_SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN, *gc.get_threshold()[1:])
