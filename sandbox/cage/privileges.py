"""Drops privileges: switches to the session's user, sets rlimits, drops capabilities."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import time

from . import linux
from .policy import CageSpec

_SECUREBITS_LOCKED = 0x2F  # NOROOT and NO_SETUID_FIXUP, locked on; KEEP_CAPS, locked off
_SEARCH = 1 << linux.CAP_DAC_READ_SEARCH
_CAPABILITIES_MAX = 64
_NICE = 5
"""A third of the time of a program of the host where both want the processor: a kernel starts on a busy machine too."""
_TRIES, _AGAIN_S = 10, 0.11


def switch_user(uid: int, *, keep_search: bool = False) -> None:
    """Turn from root into the session's user, for good.

    Args:
        uid: User and group id to take.
        keep_search: Keep CAP_DAC_READ_SEARCH, so that a path below a folder that only root may enter stays reachable.
            Only where Landlock then says which paths those are.
    """
    capabilities = _SEARCH if keep_search else 0
    _drop_bounding_set(capabilities)
    if keep_search:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if keep_search:
        linux.set_capabilities(capabilities, inheritable=capabilities)
        # Programs that a cell starts stand on the same interpreter, in the same folder.
        linux.prctl(linux.PR_CAP_AMBIENT, linux.PR_CAP_AMBIENT_RAISE, linux.CAP_DAC_READ_SEARCH)
    # A change of user makes a process unreadable to itself (/proc/self belongs to root): undo that.
    linux.prctl(linux.PR_SET_DUMPABLE, 1)


def set_rlimits(spec: CageSpec) -> None:
    """Apply the session's rlimits, never raising what the host already set lower."""
    for kind, requested in spec.rlimits():
        hard = resource.getrlimit(kind)[1]
        value = requested if hard == resource.RLIM_INFINITY else min(requested, hard)
        resource.setrlimit(kind, (value, value))


def drop_capabilities(*, keep_search: bool = False) -> None:
    """Empty every capability set except the search that `switch_user` kept; nothing executed later can fill one."""
    capabilities = _SEARCH if keep_search else 0
    with contextlib.suppress(OSError):
        linux.prctl(linux.PR_SET_SECUREBITS, _SECUREBITS_LOCKED)
    _drop_bounding_set(capabilities)
    if not keep_search:
        with contextlib.suppress(OSError):
            linux.prctl(linux.PR_CAP_AMBIENT, linux.PR_CAP_AMBIENT_CLEAR, 0)
    linux.set_capabilities(capabilities, inheritable=capabilities)


def _drop_bounding_set(capabilities: int) -> None:
    for capability in range(_CAPABILITIES_MAX):
        if capabilities >> capability & 1:
            continue
        try:
            linux.prctl(linux.PR_CAPBSET_DROP, capability)
        except OSError as error:
            if error.errno == errno.EINVAL:
                break
            if error.errno != errno.EPERM:
                raise


def forbid_new() -> None:
    """no_new_privs: a setuid program gives nothing any more. Landlock and seccomp ask for it."""
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)


def offer_to_oom_killer() -> None:
    """When the machine runs out of memory, let a session go before anything of the host's."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("800")


def lower_priority() -> None:
    """Let the host, whose loop serves all sessions, have the processor before any cell that wants it too.

    Begins a terminal session. Where Linux groups processes by these, the group's priority is what counts, and nothing
    of ours that comes later may begin another session: its group would be as important as the host's.
    """
    os.setsid()
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    lower_group_priority()


def lower_group_priority() -> None:
    """The group's half of `lower_priority`, for a program that had to begin a session of its own."""
    for _ in range(_TRIES):
        try:
            with open("/proc/self/autogroup", "w") as file:
                file.write(str(_NICE))
        except BlockingIOError:
            time.sleep(_AGAIN_S)  # ten times a second at most, for all users but root together
        except OSError:
            return  # Linux groups nothing here
        else:
            return
