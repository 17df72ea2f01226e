"""The cage without namespaces: Landlock restricts files, TCP and signals, seccomp restricts sockets.

Weaker than `namespaces`: no private /tmp, /proc or pid numbers, and no file isolation below Linux 5.13 (probing says
so).
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import landlock, linux, privileges, seccomp, supervisor
from .policy import CageSpec


def enter(spec: CageSpec, *, keep: Iterable[int], lifeline: int, status: int) -> None:
    """Return, confined, in a child that becomes the kernel; this process stays outside as its supervisor.

    Raises:
        OSError: A wall could not be built.
    """
    supervisor.become_subreaper()
    linux.close_descriptors_except({*keep, lifeline, status})
    kernel = os.fork()
    if kernel:
        linux.close_descriptors_except({lifeline, status})
        supervisor.watch(kernel, lifeline=lifeline, status=status, kill_uid=spec.uid)
    os.close(lifeline)
    os.close(status)
    os.setpgid(0, 0)
    confine(spec)


def confine(spec: CageSpec) -> None:
    """Put this very process behind Landlock and seccomp, for good.

    Raises:
        OSError: The kernel offers no Landlock, or refused a wall.
    """
    search = spec.uid is not None and not is_reachable(spec.uid, [*spec.python_roots, spec.desk, spec.data])
    if spec.uid is not None:
        privileges.switch_user(spec.uid, keep_search=search)
    os.chdir(spec.desk)
    privileges.set_rlimits(spec)
    privileges.drop_capabilities(keep_search=search)
    privileges.forbid_new()
    read_paths, write_paths = landlock.paths_for(spec)
    if landlock.restrict(read_paths=read_paths, write_paths=write_paths) == 0:
        raise OSError(95, "this kernel offers no Landlock")
    linux.set_seccomp_filter(seccomp.assemble_filter(own_root=False))


def is_reachable(uid: int, paths: Iterable[str]) -> bool:
    """Whether user `uid`, with no group and no right of its own, may enter every folder that leads to `paths`."""
    for path in paths:
        probe = path
        while True:
            try:
                status = os.stat(probe)
            except FileNotFoundError:
                break
            if not (status.st_mode & 0o001 or (status.st_uid == uid and status.st_mode & 0o100)):
                return False
            if probe in ("/", ""):
                break
            probe = os.path.dirname(probe)
    return True
