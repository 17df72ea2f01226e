"""The system-call filter, assembled as classic BPF without libseccomp.

What `calls` allows passes; where it says "examined", the arguments decide.
The rest gets an answer that programs handle well:
- EPERM for a call that every Linux has: it exists and is not permitted;
- ENOSYS for a call numbered `calls.FIRST_PROBED` or above, known or not: libraries try those first, and only "not
  implemented" makes them fall back (libc from clone3, whose flags lie where no filter can read them, to clone);
- EOPNOTSUPP for preallocation of disk blocks: libc then writes them one by one;
- the end of the process for a foreign architecture and for x32 and 32-bit numbers, which nothing here was built for.

Source: Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

from . import calls

_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_ARCH, _OFFSET_ARGS = 0, 4, 16
_X32_BIT = 0x4000_0000
_NUMBERS_END = 1024  # no call has this number or a higher one

ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
DENIED, ABSENT, NO_FAMILY, UNSUPPORTED = (
    0x0005_0000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EACCES, errno.EOPNOTSUPP)
)

_CLONE_NAMESPACES = 0x7E02_0000 | 0x80  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET,TIME}
_AF_UNIX = 1
# TIOCSTI, TIOCLINUX, TIOCCONS type into someone's terminal; FS_IOC_SETFLAGS makes files that cannot be removed;
# FS_IOC_RESVSP, RESVSP64 and ZERO_RANGE take blocks like fallocate, FS_IOC_FSSETXATTR lets one byte take many.
_DENIED_IOCTLS = (0x5412, 0x541C, 0x541D, 0x4008_6602, 0x4030_5828, 0x4030_582A, 0x4030_5839, 0x401C_5820)
_CLONE_THREAD, _CLONE_FILES, _CLOSE_RANGE_UNSHARE = 0x1_0000, 0x400, 2
_PR_SET_DUMPABLE, _PR_SET_MM = 4, 35
_SCHED_OTHER = 0
_PUNCH_HOLE = 0x3  # FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE


@cache
def assemble_filter(arch: str | None = None, *, own_root: bool = True) -> bytes:
    """The filter as an array of BPF instructions, 8 bytes each.

    Args:
        arch: "x86_64" or "aarch64"; this machine's by default.
        own_root: Whether the cage has mounts and a network of its own. Where it has none, the filter also holds what
            Landlock does not see: Unix sockets (pairs may always be made), and changes of a file by its path.

    Raises:
        OSError: The architecture is not one of the two.
    """
    arch = arch or platform.machine()
    if arch not in _AUDIT_ARCH:
        raise OSError(errno.ENOSYS, f"no seccomp filter is written for the architecture {arch!r}")
    out = [
        _instruction(_LOAD, 0, 0, _OFFSET_ARCH),
        _instruction(_JUMP_EQUAL, 1, 0, _AUDIT_ARCH[arch]),
        _answer(KILL),
        _instruction(_LOAD, 0, 0, _OFFSET_NUMBER),
    ]
    if arch == "x86_64":
        out += [_instruction(_JUMP_SET, 0, 1, _X32_BIT), _answer(KILL)]
    for name, body in _examinations(own_root).items():
        number = calls.EXAMINED[name][0 if arch == "x86_64" else 1]
        out += [_instruction(_JUMP_EQUAL, 0, len(body), number), *body]
    return b"".join([*out, *_table(calls.list_allowed(arch, by_path=own_root))])


def _examinations(own_root: bool) -> dict[str, list[bytes]]:
    """What is done with each call whose arguments matter; each ends in an answer."""
    unix = _when(0, _AF_UNIX, ALLOW) if own_root else []
    # An ordinary user may not look into a process that says so of itself, unless it owns the process's namespace.
    dumpable = _when(0, _PR_SET_DUMPABLE, DENIED) if not own_root else []
    by_descriptor = [*_unless(1, 0, DENIED), *_unless(1, 0, DENIED, high=True)] if not own_root else []
    return {
        "socket": [*unix, _answer(NO_FAMILY)],
        "socketpair": [*_when(0, _AF_UNIX, ALLOW), _answer(NO_FAMILY)],
        # A thread with a table of files of its own could keep deleted files open where nobody looks for them.
        "clone": [
            *(_load(0), _instruction(_JUMP_SET, 0, 1, _CLONE_NAMESPACES), _answer(DENIED)),
            *(_instruction(_JUMP_SET, 0, 2, _CLONE_THREAD), _instruction(_JUMP_SET, 1, 0, _CLONE_FILES)),
            *(_answer(DENIED), _answer(ALLOW)),
        ],
        "close_range": [_load(2), _instruction(_JUMP_SET, 0, 1, _CLOSE_RANGE_UNSHARE), _answer(DENIED), _answer(ALLOW)],
        # Its own alone: limits could kill another process of the user, which without a pid namespace may be the host.
        "prlimit64": [*_when(0, 0, ALLOW), _answer(DENIED)],
        "sched_setscheduler": [*_when(1, _SCHED_OTHER, ALLOW), _answer(DENIED)],
        "ioctl": [*(step for code in _DENIED_IOCTLS for step in _when(1, code, DENIED)), _answer(ALLOW)],
        "fallocate": [*_when(1, _PUNCH_HOLE, ALLOW), _answer(UNSUPPORTED)],
        "prctl": [*_when(0, _PR_SET_MM, DENIED), *dumpable, _answer(ALLOW)],
        # The times of an open file, which has no path here (NULL).
        "utimensat": [*by_descriptor, _answer(ALLOW)],
    }


def _table(allowed: frozenset[int]) -> list[bytes]:
    """The answer for each number, as a chain of runs with one answer: up to here this, from there on that."""

    def answer(number: int) -> int:
        return ALLOW if number in allowed else DENIED if number < calls.FIRST_PROBED else ABSENT

    out: list[bytes] = []
    for number in range(1, _NUMBERS_END):
        if answer(number) != answer(number - 1):
            out += [_instruction(_JUMP_GREATER_EQUAL, 1, 0, number), _answer(answer(number - 1))]
    return [*out, _answer(ABSENT)]


def _instruction(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value & 0xFFFF_FFFF)


def _load(argument: int, *, high: bool = False) -> bytes:
    """Half of an argument of 64 bits; both architectures are little-endian."""
    return _instruction(_LOAD, 0, 0, _OFFSET_ARGS + 8 * argument + (4 if high else 0))


def _answer(value: int) -> bytes:
    return _instruction(_RETURN, 0, 0, value)


def _when(argument: int, value: int, answer: int) -> list[bytes]:
    return [_load(argument), _instruction(_JUMP_EQUAL, 0, 1, value), _answer(answer)]


def _unless(argument: int, value: int, answer: int, *, high: bool = False) -> list[bytes]:
    return [_load(argument, high=high), _instruction(_JUMP_EQUAL, 1, 0, value), _answer(answer)]
