"""The levels that start a fresh interpreter: bubblewrap, and a bare process.

This process stays outside as the supervisor; its child becomes bwrap or Python. The fresh interpreter reads its
parameters from a descriptor and applies the remaining restrictions itself.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable
from typing import NoReturn

from . import bubblewrap, linux, mounts, policy, privileges, seccomp, supervisor
from .policy import CageSpec

ENTRY = "tandem_guest.fresh"


def enter(spec: CageSpec, start: str, *, keep: Iterable[int], lifeline: int, status: int) -> NoReturn:
    """Start a fresh interpreter and stand over it.

    Args:
        spec: The cage; its level is "bubblewrap" or "process".
        start: JSON text handed to the interpreter.
        keep: Descriptors the interpreter inherits under their numbers.
        lifeline: Closes when the host lets go.
        status: Where the end is reported.

    Raises:
        OSError: The program could not be started, or a source could not be mounted.
    """
    keep = list(keep)
    with contextlib.suppress(OSError):  # no such thing outside Linux
        supervisor.become_subreaper()
    stderr, error_pipe = os.pipe()
    child = os.fork()
    if child:
        linux.close_descriptors_except({lifeline, status, stderr})
        supervisor.watch(child, lifeline=lifeline, status=status, stderr=stderr, kill_uid=spec.uid)
    os.dup2(error_pipe, 2)  # until the interpreter is up, which then turns its back on it
    os.close(stderr)
    os.close(error_pipe)
    os.close(lifeline)
    os.close(status)
    for fd in keep:
        os.set_inheritable(fd, True)
    if spec.level == "bubblewrap":
        _execute_bubblewrap(spec, start)
    _execute_plain(spec, start)


def _execute_bubblewrap(spec: CageSpec, start: str) -> NoReturn:
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed")
    staged: dict[str, str] = {}
    if spec.uid is not None:
        linux.unshare(linux.CLONE_NEWNS)
        ours = bubblewrap.packages(spec).values()
        staged = dict(mounts.stage([spec.desk, spec.data, *spec.python_roots, *ours]))
        privileges.switch_user(spec.uid)
    command = [_interpreter(), "-P", "-m", ENTRY, str(_pipe_of(start.encode()))]
    filter_fd = _pipe_of(seccomp.assemble_filter())
    argv = bubblewrap.arguments(spec, staged=staged, seccomp_fd=filter_fd, command=command)
    # bwrap's own command line can be read inside, and its options name folders of the host: they go by a descriptor.
    end = argv.index("--")
    descriptor = _pipe_of(b"".join(os.fsencode(option) + b"\0" for option in argv[1:end]))
    os.chdir("/")
    os.execve(program, [argv[0], "--args", str(descriptor), *argv[end:]], {})


def _execute_plain(spec: CageSpec, start: str) -> NoReturn:
    os.setpgid(0, 0)
    if spec.uid is not None:
        privileges.switch_user(spec.uid)
    if sys.platform == "linux":
        # Matters for a root who could not become anybody else: even he mounts nothing then.
        privileges.drop_capabilities()
        privileges.forbid_new()
    os.chdir(spec.desk)
    tmp = os.path.join(spec.desk, ".tmp")
    os.makedirs(tmp, exist_ok=True)
    path = os.pathsep.join((policy.guest_path(spec.package_root), spec.package_root))
    environment = {**policy.environment(home=spec.desk, tmp=tmp), "PYTHONPATH": path}
    argv = [_interpreter(), "-P", "-m", ENTRY, str(_pipe_of(start.encode()))]
    os.execve(argv[0], argv, environment)


def _interpreter() -> str:
    return os.path.abspath(sys.executable)


def _pipe_of(text: bytes) -> int:
    """An inherited descriptor from which `text` can be read; it fits into a pipe's buffer of 64 KiB."""
    reader, writer = os.pipe()
    os.write(writer, text)
    os.close(writer)
    os.set_inheritable(reader, True)
    return reader
