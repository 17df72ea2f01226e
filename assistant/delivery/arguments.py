"""Passwords that were typed into the command line, taken out of the list of processes.

Any user of a machine may list the arguments of all its processes. The kernel shows them from the process's own memory,
so they can be struck out there, which is done first of all. For the moment before that, and for the shell's history,
only a variable helps: `TANDEM_SOURCES`.

Source: proc(5), `arg_start` and `arg_end` of /proc/PID/stat.
"""

from __future__ import annotations

import ctypes
import re
from contextlib import suppress
from pathlib import Path

_SECRETS = (
    re.compile(rb"://[^\0@/]*?:([^\0]*)@"),
    re.compile(rb"(?i)[?&][^=&\0]*(?:pass|pwd|secret|token|key)[^=&\0]*=([^&\0]+)"),
)
_ARG_START = 45
"""The place of `arg_start` among what follows the program's name in /proc/PID/stat."""


def erase_secrets() -> None:
    """Overwrite passwords of URLs in this process's arguments, as others see them. What `sys.argv` holds stays.

    Where the system keeps no such list (anything but Linux) nothing is done.
    """
    with suppress(OSError, ValueError, IndexError):
        command_line = Path("/proc/self/cmdline").read_bytes()
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        start, end = int(fields[_ARG_START]), int(fields[_ARG_START + 1])
        if not start or end - start != len(command_line) or ctypes.string_at(start, len(command_line)) != command_line:
            return  # it was moved by somebody else: it is not ours to write
        for begin, stop in find_secret_spans(command_line):
            ctypes.memset(start + begin, ord("*"), stop - begin)


def find_secret_spans(command_line: bytes) -> tuple[tuple[int, int], ...]:
    """Where passwords stand in arguments that are parted by zero bytes."""
    return tuple(match.span(1) for pattern in _SECRETS for match in pattern.finditer(command_line))
