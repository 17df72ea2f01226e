"""The strongest cage: seven namespaces, a private root, Landlock and seccomp, in pure Python.

`enter` runs in a fresh, single-threaded child and returns only in the process that becomes the kernel. Pid 1 of the new
pid namespace is between it and the host: it reaps children, reports, and kills all of them when the lifeline closes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from . import landlock, linux, mounts, policy, privileges, seccomp, supervisor
from .policy import CageSpec

_NAMESPACES = (
    linux.CLONE_NEWUSER
    | linux.CLONE_NEWNS
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUTS
    | linux.CLONE_NEWCGROUP
)


def enter(spec: CageSpec, *, keep: Iterable[int], lifeline: int, status: int) -> None:
    """Build the cage around this process and return inside it, as its kernel.

    Args:
        spec: The cage.
        keep: Descriptors the kernel goes on using, beside 0, 1 and 2.
        lifeline: Read end of a pipe held by the host; when it closes, the cage dies.
        status: Write end of a pipe on which pid 1 reports how the kernel ended.

    Raises:
        OSError: A wall could not be built; the message says which. Nothing untrusted has run.
    """
    staged: dict[str, str] = {}
    if spec.uid is not None:
        # As root: a user namespace made by root would still be root outside, so become the session's user first;
        # but mount, while that is still possible, what this user could not reach.
        linux.unshare(linux.CLONE_NEWNS)
        staged = dict(mounts.stage([spec.desk, spec.data, *spec.python_roots]))
        privileges.switch_user(spec.uid)
    uid, gid = os.getuid(), os.getgid()
    linux.unshare(_NAMESPACES)
    _write_map("setgroups", "deny")
    _write_map("uid_map", f"{policy.USER_INSIDE} {uid} 1")
    _write_map("gid_map", f"{policy.USER_INSIDE} {gid} 1")
    if os.fork():
        os._exit(0)  # pid 1 is adopted by the zygote
    os.setpgid(0, 0)
    mounts.build_root(spec, staged)
    linux.set_hostname(policy.HOSTNAME)
    with contextlib.suppress(OSError):
        linux.raise_loopback()
    linux.close_descriptors_except({*keep, lifeline, status})
    privileges.set_rlimits(spec)
    privileges.drop_capabilities()
    privileges.forbid_new()
    read_paths, write_paths = landlock.paths_for(spec)
    landlock.restrict(read_paths=read_paths, write_paths=write_paths)
    linux.set_seccomp_filter(seccomp.assemble_filter())
    kernel = os.fork()
    if kernel:
        linux.close_descriptors_except({lifeline, status})
        supervisor.watch(kernel, lifeline=lifeline, status=status)
    os.close(lifeline)
    os.close(status)


def _write_map(name: str, text: str) -> None:
    with open(f"/proc/self/{name}", "w") as file:
        file.write(text)
