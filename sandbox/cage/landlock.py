"""Landlock: an allow-list of paths that needs no namespace; newer ABIs restrict more.

Source: Documentation/userspace-api/landlock.rst. ABI 4 adds TCP, 5 device ioctls, 6 abstract sockets and signals.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable

from . import linux, policy

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_CHAR, _MAKE_BLOCK = 64, 2048
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_READ_RIGHTS = _EXECUTE | _READ_FILE | _READ_DIR
_WRITE_RIGHTS = (1 << 16) - 1 - _MAKE_CHAR - _MAKE_BLOCK
_FILE_ONLY = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_FILE_RIGHTS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
_RULE_PATH_BENEATH = 1

# By controller; version 2 has one hierarchy without a name.
_LIMITS = {
    "": ("cpu.max", "memory.max", "memory.high"),
    "cpu": ("cpu.cfs_quota_us", "cpu.cfs_period_us"),
    "memory": ("memory.limit_in_bytes",),
}


def restrict(*, read_paths: Iterable[str], write_paths: Iterable[str]) -> int:
    """Deny this process and its children every path outside `read_paths` and `write_paths`, for good.

    Also denies TCP bind and connect (ABI 4), abstract sockets and signals to processes outside (ABI 6). Paths that do
    not exist are passed over. Needs no_new_privs.

    Returns:
        The ABI that was applied; 0 where the kernel has no Landlock and nothing was restricted.

    Raises:
        OSError: The kernel has Landlock but refused the rules.
    """
    abi = linux.landlock_abi()
    if abi == 0:
        return 0
    handled = (1 << _FILE_RIGHTS_BITS.get(abi, 16)) - 1
    network = 3 if abi >= 4 else 0
    scope = 3 if abi >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scope)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = linux.syscall("landlock_create_ruleset", ctypes.c_char_p(attributes), size, 0)
    try:
        for paths, rights in ((read_paths, _READ_RIGHTS), (write_paths, _WRITE_RIGHTS)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        linux.syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not os.path.isdir(f"/proc/self/fd/{fd}"):
            rights &= _FILE_ONLY
        rule = struct.pack("=Qi", rights, fd)
        linux.syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.c_char_p(rule), 0)
    finally:
        os.close(fd)


def paths_for(spec: policy.CageSpec) -> tuple[list[str], list[str]]:
    """What a session may read and what it may write, as seen from inside."""
    devices = [f"/dev/{name}" for name in policy.DEVICES]
    if spec.has_own_root:
        # The mount namespace already hides the rest.
        return ["/"], ["/desk", "/tmp", "/dev/shm", "/dev/pts", "/dev/ptmx", *devices]
    read_paths = [
        *("/usr", "/bin", "/sbin", "/lib", "/lib64"),
        *(f"/etc/{name}" for name in (*policy.ETC, "passwd", "group", "nsswitch.conf")),
        *(f"/proc/{name}" for name in policy.PROC_LANDLOCK),
        "/sys/devices/system/cpu/online",
        *_own_limits(),
        *spec.python_roots,
        policy.guest_path(spec.package_root),
        spec.data,
    ]
    return read_paths, [spec.desk, *devices]


def _own_limits() -> list[str]:
    """The files that tell a process of its cgroup how many processors and how much memory it has.

    DuckDB asks, and ends its process where such a file is there and cannot be opened.
    """
    files: list[str] = []
    with contextlib.suppress(OSError), open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, group = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                base = os.path.join("/sys/fs/cgroup", controller)
                for name in _LIMITS.get(controller, ()):
                    files += [f"{base}/{name}", f"{base}{group}/{name}"]
    return files
