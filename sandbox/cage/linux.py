"""Wrappers for Linux system calls that Python's standard library does not offer.

Standard library only; x86_64 and aarch64. Policy is in the other modules of this package.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import socket
import struct
import sys
from collections.abc import Iterable
from functools import cache

ARCH = platform.machine()

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_SLAVE = 2, 4, 8, 4096, 16384, 1 << 19
MNT_DETACH = 2
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_CAPBSET_DROP, PR_SET_SECUREBITS = 1, 4, 8, 24, 28
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
PR_CAP_AMBIENT_RAISE, PR_CAP_AMBIENT_CLEAR = 2, 4
CAP_DAC_READ_SEARCH = 2

_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000

# Calls numbered 424 and above have the same number on every architecture.
_NUMBERS = {
    "x86_64": {"pivot_root": 155, "capset": 126, "seccomp": 317},
    "aarch64": {"pivot_root": 41, "capset": 91, "seccomp": 277},
}
_COMMON_NUMBERS = {
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
    "mount_setattr": 442,
    "close_range": 436,
}


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _checked(result: int, action: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{action}: {os.strerror(number)}")
    return result


def syscall(name: str, *args: int | bytes | ctypes.c_char_p | ctypes.c_void_p | None) -> int:
    """Make the system call `name`.

    Raises:
        OSError: The call failed, or this architecture's number for it is not known here.
    """
    number = _COMMON_NUMBERS.get(name) or _NUMBERS.get(ARCH, {}).get(name)
    if number is None or sys.platform != "linux":
        raise OSError(38, f"the number of the system call {name!r} is not known on {ARCH!r}")
    words = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return _checked(_libc().syscall(ctypes.c_long(number), *words), name)


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for fresh ones."""
    _checked(_libc().unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def _encoded(path: str | None) -> bytes | None:
    return None if path is None else os.fsencode(path)


def mount(source: str | None, target: str, kind: str | None = None, flags: int = 0, options: str | None = None) -> None:
    """mount(2)."""
    result = _libc().mount(_encoded(source), _encoded(target), _encoded(kind), ctypes.c_ulong(flags), _encoded(options))
    _checked(result, f"mount {source} on {target} ({kind or 'bind'})")


def unmount(target: str, flags: int) -> None:
    """umount2(2)."""
    _checked(_libc().umount2(_encoded(target), ctypes.c_int(flags)), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root of this mount namespace and put the old root at `old`."""
    syscall("pivot_root", os.fsencode(new), os.fsencode(old))


def set_mount_attributes(path: str, attributes: int, *, recursive: bool) -> None:
    """mount_setattr(2): unlike a remount it also reaches the mounts below."""
    buffer = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    syscall("mount_setattr", _AT_FDCWD, os.fsencode(path), flags, ctypes.c_char_p(buffer), len(buffer))


def prctl(option: int, *args: int) -> int:
    """prctl(2)."""
    words = [ctypes.c_ulong(arg) for arg in args] + [ctypes.c_ulong(0)] * (4 - len(args))
    return _checked(_libc().prctl(ctypes.c_int(option), *words), f"prctl({option})")


def set_capabilities(mask: int, *, inheritable: int = 0) -> None:
    """Keep exactly the capabilities in `mask` (bits below 32) as permitted and effective."""
    header = struct.pack("Ii", 0x2008_0522, 0)
    data = struct.pack("IIIIII", mask, mask, inheritable, 0, 0, 0)
    syscall("capset", ctypes.c_char_p(header), ctypes.c_char_p(data))


def set_hostname(name: str) -> None:
    """sethostname(2), of this UTS namespace."""
    raw = name.encode()
    _checked(_libc().sethostname(raw, ctypes.c_size_t(len(raw))), "sethostname")


def set_seccomp_filter(program: bytes) -> None:
    """Install a classic-BPF filter on every thread; needs no_new_privs."""

    class FilterProgram(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    buffer = ctypes.create_string_buffer(program, len(program))
    header = FilterProgram(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC
    syscall("seccomp", 1, 1, ctypes.cast(ctypes.pointer(header), ctypes.c_void_p))


def landlock_abi() -> int:
    """The version of Landlock this kernel speaks; 0 where it has none or it is switched off."""
    try:
        return syscall("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def close_descriptors_except(keep: Iterable[int]) -> None:
    """Close every descriptor from 3 on that is not in `keep`."""
    low = 3
    for fd in sorted({fd for fd in keep if fd >= low}):
        if fd > low:
            _close_range(low, fd - 1)
        low = fd + 1
    _close_range(low, 0xFFFF_FFFF)


def _close_range(first: int, last: int) -> None:
    try:
        syscall("close_range", first, last, 0)
    except OSError:  # before Linux 5.9, or another system
        os.closerange(first, min(last, os.sysconf("SC_OPEN_MAX")) + 1)


def raise_loopback() -> None:
    """Bring `lo` up in this network namespace."""
    request = struct.pack("16sH14s", b"lo", 0x1 | 0x40, b"")  # IFF_UP | IFF_RUNNING
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, 0x8914, request)  # SIOCSIFFLAGS
