"""Tests a cage from inside, in a throw-away child: is each restriction effective? Standard library only."""

from __future__ import annotations

import contextlib
import json
import os
import socket

from sandbox.cage import policy


def report(rpc: int, spec: policy.CageSpec, outside: str) -> None:
    """Send the host what was found open, then return.

    Args:
        rpc: Descriptor of the request channel.
        spec: The cage this process stands in.
        outside: A file of the host's that must be out of reach.
    """
    open_walls = [name for name, is_open in (("network", _network()), ("files", _reads(outside))) if is_open]
    if _can_signal(os.getppid()) and spec.level == "landlock":
        open_walls.append("signals")
    if not _can_write(spec.desk_inside):
        open_walls.append("the work folder cannot be written")
    with socket.socket(fileno=os.dup(rpc)) as channel:
        channel.recv(4096)
        channel.send(json.dumps({"ready": True, "open": open_walls}).encode())


def _network() -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM):
            return True
    return False


def _reads(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def _can_write(folder: str) -> bool:
    path = os.path.join(folder, f".probe-{os.getpid()}")
    try:
        with open(path, "w") as file:
            file.write("x")
        os.unlink(path)
    except OSError:
        return False
    return True


def _can_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
