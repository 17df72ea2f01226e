"""Reasons why a process did not start: the decisive line of its stderr, and advice where the cause is known.

Advice is given only where a system setting confirms the cause or a message has one cause alone; otherwise the reason is
left as it is. Starts nothing.
"""

from __future__ import annotations

import os
import re
import resource
import sys
import tempfile
from collections.abc import Callable

STDERR_BYTES_MAX = 4096
_LINE_MAX = 500
_TELLING = re.compile(r"(?:[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b|Fatal Python error)")
_SWITCHES = (
    ("user/max_user_namespaces", "0"),
    ("kernel/unprivileged_userns_clone", "0"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1"),
)


def last_line(stderr: bytes) -> str:
    """The line of `stderr` that says what failed: the last that names an error, else the last one; "" for none."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if _TELLING.match(line)]
    return (telling or lines or [""])[-1][:_LINE_MAX]


def explain(reason: str) -> str:
    """`reason`, followed by what it means here and what to do next, where that is known."""
    for pattern, advise in _EXPLANATIONS:
        if pattern.search(reason):
            advice = advise()
            return f"{reason.rstrip('.')}. {advice}" if advice else reason
    return reason


def _namespaces() -> str:
    for name, off in _SWITCHES:
        try:
            with open(f"/proc/sys/{name}") as file:
                value = file.read().strip()
        except OSError:
            continue
        if value == off:
            setting = name.replace("/", ".")
            remedy = {"0": "a value above 0", "1": "0"}[off]
            return f"The system forbids user namespaces ({setting} is {value}). An administrator sets it to {remedy}."
    return ""


def _processes() -> str:
    most = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    limit = "unlimited" if most == resource.RLIM_INFINITY else str(most)
    return (
        f"No further process or thread may be started: a limit of this user (`ulimit -u`: {limit}) or of the container "
        "(pids) is reached. End other processes or raise the limit."
    )


def _descriptors() -> str:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return f"Too many files are open (`ulimit -n`: {most}). Close sessions or raise the limit."


def _disk() -> str:
    try:
        folder = tempfile.gettempdir()
    except OSError:
        return "No folder for temporary files can be written. Free space, or name another folder as TMPDIR."
    return f"A disk is full. Free space in {folder}, or name another folder as TMPDIR."


def _not_executable() -> str:
    for path in (sys.executable, sys.prefix, tempfile.gettempdir()):
        try:
            if os.statvfs(path).f_flag & os.ST_NOEXEC:
                return f"{path} is on a file system mounted `noexec`. Install Tandem and Python on another one."
        except (OSError, AttributeError):
            continue
    return ""


def _installation() -> str:
    return f"The Python installation in {sys.prefix} is incomplete. Install Tandem there again."


def _filtered() -> str:
    return "A filter on system calls (seccomp) of this container or service ended it."


_EXPLANATIONS: tuple[tuple[re.Pattern[str], Callable[[], str]], ...] = (
    (re.compile(r"unshare|uid_map|new namespace|uid map|userns", re.I), _namespaces),
    (re.compile(r"Errno 28|No space left|Errno 122|quota exceeded|usable temporary directory", re.I), _disk),
    (re.compile(r"Errno 11\b|temporarily unavailable|can't start new thread", re.I), _processes),
    (re.compile(r"Errno 2[34]\b|Too many open files", re.I), _descriptors),
    (re.compile(r"failed to map segment|Permission denied: '[^']*python", re.I), _not_executable),
    (re.compile(r"SIGSYS"), _filtered),
    (re.compile(r"ModuleNotFoundError|ImportError|No module named|Fatal Python error"), _installation),
)
