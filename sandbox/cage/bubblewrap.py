"""bubblewrap's arguments for a session: a pure function of the cage's specification.

Source: bwrap(1). `--seccomp` reads the filter of `seccomp.assemble_filter` from a descriptor.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import policy
from .policy import CageSpec


def arguments(spec: CageSpec, *, staged: Mapping[str, str], seccomp_fd: int, command: list[str]) -> list[str]:
    """The argv of bwrap that runs `command` inside the cage.

    Args:
        spec: The cage.
        staged: Where a source is to be found instead of at its own path.
        seccomp_fd: Inherited descriptor with the filter.
        command: What to run inside.
    """

    def at(path: str) -> str:
        return staged.get(path, path)

    argv = [
        *("bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns"),
        *("--uid", str(policy.USER_INSIDE), "--gid", str(policy.USER_INSIDE), "--hostname", policy.HOSTNAME),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    ]
    for name, value in policy.environment(home="/desk", tmp="/tmp").items():
        argv += ["--setenv", name, value]
    argv += ["--setenv", "PYTHONPATH", policy.GUEST_INSIDE, *_system()]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    argv += ["--size", str(spec.tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp"]
    argv += ["--size", str(spec.shm_bytes), "--perms", "1777", "--tmpfs", "/dev/shm"]
    for name in policy.PROC_MASKED:
        if os.path.isfile(f"/proc/{name}"):
            argv += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    for root in spec.python_roots:  # after /tmp: an interpreter may live below it
        argv += ["--ro-bind", at(root), root]
    for inside, source in packages(spec).items():
        argv += ["--ro-bind", at(source), inside]
    argv += ["--bind", at(spec.desk), "/desk", "--ro-bind", at(spec.data), "/data"]
    argv += ["--remount-ro", "/", "--chdir", "/desk", "--seccomp", str(seccomp_fd)]
    return [*argv, "--", *command]


def _system() -> list[str]:
    """The system's own folders and files, read-only."""
    argv = ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        if os.path.islink(path):
            argv += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            argv += ["--ro-bind", path, path]
    for name in policy.ETC:
        argv += ["--ro-bind-try", os.path.realpath(f"/etc/{name}"), f"/etc/{name}"]
    return argv


def packages(spec: CageSpec) -> Mapping[str, str]:
    """The two folders of ours that a fresh interpreter needs inside: path inside, host path."""
    return {
        f"{policy.GUEST_INSIDE}/tandem_guest": os.path.join(policy.guest_path(spec.package_root), "tandem_guest"),
        f"{policy.GUEST_INSIDE}/sandbox/cage": os.path.join(spec.package_root, "sandbox", "cage"),
    }
