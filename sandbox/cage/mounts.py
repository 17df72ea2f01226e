"""The session's file system: an empty root into which a few read-only folders, /desk and /data are mounted.

Everything here runs in a fresh mount namespace. Sources are opened first and mounted by descriptor, because the new
root is built on top of /tmp, below which a source may lie.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from . import linux, policy
from .policy import CageSpec

_BASE = "/tmp"
_READ_ONLY = linux.MOUNT_ATTR_RDONLY | linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV


def stage(paths: list[str]) -> Mapping[str, str]:
    """As root: mount each of `paths` where the session's user can reach it, and say where.

    A session's user may not enter /root or another folder of mode 0700, and what is mounted must be named by a path.
    """
    opened = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths if os.path.exists(path)}
    linux.mount(None, "/", None, linux.MS_SLAVE | linux.MS_REC)
    linux.mount("tmpfs", _BASE, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=0755")
    staged: dict[str, str] = {}
    for number, (path, fd) in enumerate(opened.items()):
        target = f"{_BASE}/{number}"
        source = f"/proc/self/fd/{fd}"
        if os.path.isdir(source):
            os.mkdir(target, 0o755)
        else:
            _write(target, "")
        linux.mount(source, target, None, linux.MS_BIND | linux.MS_REC)
        os.close(fd)
        staged[path] = target
    return staged


def build_root(spec: CageSpec, staged: Mapping[str, str]) -> None:
    """Build the session's root, move into it, and forget the old one.

    Raises:
        OSError: A mount was refused; the message names it.
    """
    linux.mount(None, "/", None, linux.MS_SLAVE | linux.MS_REC)

    def opened(path: str) -> int:
        return os.open(staged.get(path, path), os.O_PATH | os.O_CLOEXEC)

    desk, data = opened(spec.desk), opened(spec.data)
    roots = [(root, opened(root)) for root in spec.python_roots if root in staged or os.path.exists(root)]

    linux.mount("tmpfs", _BASE, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=8m,mode=0755")
    os.chdir(_BASE)
    for name in ("old", "usr", "etc", "proc", "dev", "tmp", "desk", "data", "run", "dev/shm", "dev/pts", "var"):
        os.mkdir(name, 0o755)
    os.symlink("/tmp", "var/tmp")
    _system_folders()
    _etc()
    _tmpfs("tmp", spec.tmp_bytes, inodes=20_000)
    for root, fd in roots:  # after /tmp: an interpreter may live below it
        os.makedirs(root.lstrip("/"), 0o755, exist_ok=True)
        _bind_descriptor(fd, root.lstrip("/"))
    _bind_descriptor(desk, "desk", read_only=False)
    _bind_descriptor(data, "data")
    _devices(spec.shm_bytes)
    _proc()
    linux.pivot_root(".", "old")
    os.chdir("/")
    linux.unmount("/old", linux.MNT_DETACH)
    os.rmdir("/old")
    linux.set_mount_attributes("/", _READ_ONLY, recursive=False)
    os.chdir("/desk")


def _system_folders() -> None:
    _bind("/usr", "usr")
    for name in ("bin", "sbin", "lib", "lib64", "lib32"):
        path = f"/{name}"
        if os.path.islink(path):
            os.symlink(os.readlink(path), name)
        elif os.path.isdir(path):
            os.mkdir(name)
            _bind(path, name)


def _etc() -> None:
    for name in policy.ETC:
        path = os.path.realpath(f"/etc/{name}")
        if not os.path.exists(path):
            continue
        if os.path.isdir(path):
            os.mkdir(f"etc/{name}")
        else:
            _write(f"etc/{name}", "")
        _bind(path, f"etc/{name}", recursive=False)
    _write("etc/passwd", policy.PASSWD)
    _write("etc/group", policy.GROUP)
    _write("etc/hosts", "127.0.0.1 localhost\n")
    _write("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
    _write("etc/resolv.conf", "")


def _devices(shm_bytes: int) -> None:
    _tmpfs("dev/shm", shm_bytes, inodes=1000, flags=linux.MS_NOEXEC)
    for name in policy.DEVICES:
        _write(f"dev/{name}", "")
        _bind(f"/dev/{name}", f"dev/{name}", read_only=False, devices=True, recursive=False)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"dev/{name}")
    # `!command` wants a terminal; where none can be made, it goes without.
    with contextlib.suppress(OSError):
        flags = linux.MS_NOSUID | linux.MS_NOEXEC
        linux.mount("devpts", "dev/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=620")
        os.symlink("pts/ptmx", "dev/ptmx")


def _proc() -> None:
    linux.mount("proc", "proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    for name in policy.PROC_READ_ONLY:
        path = f"proc/{name}"
        if os.path.isdir(path):
            linux.mount(path, path, None, linux.MS_BIND)
            linux.set_mount_attributes(path, _READ_ONLY, recursive=False)
    for name in policy.PROC_MASKED:
        path = f"proc/{name}"
        if os.path.isfile(path):
            linux.mount("/dev/null", path, None, linux.MS_BIND)


def _tmpfs(target: str, size: int, *, inodes: int, flags: int = 0) -> None:
    options = f"size={size},mode=1777,nr_inodes={inodes}"
    linux.mount("tmpfs", target, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV | flags, options)


def _bind(source: str, target: str, *, read_only: bool = True, devices: bool = False, recursive: bool = True) -> None:
    linux.mount(source, target, None, linux.MS_BIND | (linux.MS_REC if recursive else 0))
    attributes = linux.MOUNT_ATTR_NOSUID
    attributes |= 0 if devices else linux.MOUNT_ATTR_NODEV
    attributes |= linux.MOUNT_ATTR_RDONLY if read_only else 0
    linux.set_mount_attributes(target, attributes, recursive=recursive)


def _bind_descriptor(fd: int, target: str, *, read_only: bool = True) -> None:
    _bind(f"/proc/self/fd/{fd}", target, read_only=read_only)
    os.close(fd)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
