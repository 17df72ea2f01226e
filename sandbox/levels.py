"""The sandbox levels that work on this machine: each is built around a throw-away child and tested from inside.

It decides by these tests, not by version numbers. Starts no kernel.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import obstacles, temporary
from .cage import cgroup, linux
from .cage.policy import Level
from .errors import LevelUnavailable, StartFailed, StartLate
from .identity import SessionUser
from .launch import CagedProcess, specify_cage
from .limits import Limits
from .zygote import Zygote

__all__ = ["LEVELS", "Level", "LevelReport", "choose", "find", "probe"]

LEVELS: tuple[Level, ...] = ("zygote", "bubblewrap", "landlock", "process")

_HOLDS: dict[Level, tuple[str, ...]] = {
    "zygote": (
        "no network of any kind",
        "sees only the system's libraries, its work folder and its results",
        "sees no other process and no other session",
        "system calls filtered, no privileges to gain",
        "dies with the host, whatever it has started",
    ),
    "landlock": (
        "no network of any kind, no Unix socket",
        "opens only the system's libraries, its work folder and its results",
        "system calls filtered, no privileges to gain",
        "dies with the host",
    ),
    "process": ("a clean environment without secrets", "limits on memory, processes, files and time"),
}
_HOLDS["bubblewrap"] = _HOLDS["zygote"]
_WEAKER: dict[Level, tuple[str, ...]] = {
    "zygote": (),
    "bubblewrap": ("each kernel takes about a second to start",),
    "landlock": (
        "temporary files lie in the work folder and count against its limit",
        "process numbers of the host can be guessed, though nothing can be done to them",
        "that a file of the host's is there, its size and its times can be learnt, though nothing of what it holds",
    ),
    "process": (
        "code can read and change every file that the host's user can",
        "code can reach the network",
        "code can see and end other processes of the same user",
        "where Tandem runs as root from a folder that only root may enter, code runs as root",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelReport:
    """What one level is worth on this machine.

    Attributes:
        level: The level.
        holds: Whether a cage was built and every wall that was tried held.
        why_not: In plain words, empty where it holds.
        promises: What it keeps out, where it holds.
        weaker: What it does not hold that the strongest level does.
        memory_cgroup: Whether a cgroup can hold the memory of all processes of a session together ("v1", "v2");
            None leaves that to a watchdog that polls.
    """

    level: Level
    holds: bool
    why_not: str = ""
    promises: tuple[str, ...] = ()
    weaker: tuple[str, ...] = ()
    memory_cgroup: str | None = None


# What `find` remembers, by level, process and user; and whose turn it is to look, on each event loop.
_reports: dict[tuple[Level, int, int], LevelReport] = {}
_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = weakref.WeakKeyDictionary()


async def probe(levels: Sequence[Level] = LEVELS) -> tuple[LevelReport, ...]:
    """Try `levels` in their order, all by default. Takes about half a second; leaves nothing behind."""
    reports: list[LevelReport] = []
    try:
        folder = await asyncio.to_thread(temporary.make, "probe")
    except OSError as error:
        reason = obstacles.explain(f"{type(error).__name__}: {error}")
        raise StartFailed(f"no cage could be tried: {reason}") from error
    try:
        async with Zygote(warm=False) as zygote:
            accounted = await asyncio.to_thread(cgroup.version, temporary.make_name("probe"))
            for level in levels:
                why_not = await _try(level, zygote, folder)
                reports.append(
                    LevelReport(
                        level=level,
                        holds=not why_not,
                        why_not=why_not,
                        promises=_HOLDS[level] if not why_not else (),
                        weaker=_weaker(level),
                        memory_cgroup=accounted,
                    )
                )
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return tuple(reports)


async def find(requested: Level | None = None, *, allow_process: bool = False) -> LevelReport:
    """What `choose` picks, with as little trying as that takes: for whoever starts one kernel.

    Stops at the first level that holds, and remembers it for as long as this process is the same user's. What did not
    hold is tried again each time: the obstacle may be gone, and a moment's shortage must not weaken every later cage.
    What is remembered opens nothing: a cage that can no longer be built raises when a kernel is started in it.

    Args:
        requested: See `choose`.
        allow_process: Likewise.

    Raises:
        LevelUnavailable: See `choose`.
    """
    reports: list[LevelReport] = []
    async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        for level in LEVELS if requested is None else (requested,):
            if level == "process" and not allow_process:
                continue
            key = (level, os.getpid(), os.getuid())  # a forked child finds out for itself
            if key not in _reports:
                reports += await probe((level,))
                if not reports[-1].holds:
                    continue
                _reports[key] = reports[-1]
            return _reports[key]
    return choose(reports, requested, allow_process=allow_process)


def choose(
    reports: Sequence[LevelReport], requested: Level | None = None, *, allow_process: bool = False
) -> LevelReport:
    """The level to use: `requested` if it holds, else the strongest that does.

    Args:
        reports: From `probe`.
        requested: A level somebody asked for; it is that one or none.
        allow_process: Somebody consented to run code without walls.

    Raises:
        LevelUnavailable: The wanted level does not hold; or only "process" is left and nobody consented to it.
    """
    if requested == "process" and not allow_process:
        raise LevelUnavailable("level 'process' has no walls and needs an explicit consent (--uncaged)")
    for report in reports:
        if requested is not None and report.level != requested:
            continue
        if report.holds and (report.level != "process" or allow_process):
            return report
    reasons = "; ".join(f"{report.level}: {report.why_not}" for report in reports if report.why_not)
    if requested is not None:
        raise LevelUnavailable(f"the cage {requested!r} does not hold on this machine ({reasons or 'not probed'})")
    raise LevelUnavailable(
        f"code cannot be caged on this machine ({reasons or 'nothing was probed'}); install bubblewrap, "
        "or consent to run it without walls (--uncaged)"
    )


def _weaker(level: Level) -> tuple[str, ...]:
    weaker = _WEAKER[level]
    if level == "landlock" and 0 < linux.landlock_abi() < 6:
        weaker = (*weaker, "signals to other processes of the same user are not held (Linux before 6.12)")
    return weaker


async def _try(level: Level, zygote: Zygote, folder: Path) -> str:
    """Build the cage and try it; why it does not hold, or nothing."""
    if sys.platform != "linux" and level != "process":
        return "this cage is made of Linux's own walls"
    if level == "bubblewrap" and shutil.which("bwrap") is None:
        return "bubblewrap is not installed (apt install bubblewrap)"
    user = SessionUser(level, folder)
    desk, data, secret = folder / f"{level}-desk", folder / f"{level}-data", folder / "secret"
    try:
        for directory in (desk, data):
            directory.mkdir()
        secret.write_text("out of reach")
        user.own(desk)
        user.share(data)
        spec = specify_cage(level, Limits(), desk=desk, data=data, uid=user.uid)
        process = await CagedProcess.start(zygote, spec, Limits(), probe=str(secret))
    except (StartFailed, StartLate) as error:
        return str(error)
    except OSError as error:
        return obstacles.explain(f"{type(error).__name__}: {error}")
    finally:
        user.release(desk)
    open_walls = process.greeting.get("open", [])
    await process.close()
    if open_walls and level != "process":
        return f"the cage was built, but from inside these were found open: {', '.join(open_walls)}"
    return ""
