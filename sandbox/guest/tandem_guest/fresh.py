"""Starts a kernel in a fresh interpreter (bubblewrap, or no cage): first the last restrictions, then the kernel."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import traceback
from typing import Any

from sandbox.cage import landlock, policy, privileges


def main() -> None:
    """Read what the supervisor left in the descriptor named on the command line, and become the kernel."""
    with os.fdopen(int(sys.argv[1]), "rb") as file:
        start: dict[str, Any] = json.loads(file.read())
    spec = policy.CageSpec.from_json(start["spec"])
    sys.argv = ["ipykernel"]
    try:
        privileges.set_rlimits(spec)
        if spec.level == "bubblewrap":
            privileges.lower_group_priority()  # bubblewrap has begun a session of its own
            privileges.forbid_new()
            read_paths, write_paths = landlock.paths_for(spec)
            landlock.restrict(read_paths=read_paths, write_paths=write_paths)
        if start["probe"] is not None:
            from . import probe

            probe.report(start["rpc"], spec, start["probe"])
            return
        os.umask(0o077)
        # Only now: these imports are heavy, and nothing of them needs a path beyond the walls.
        from . import preload

        preload.load(drawing=False)
        from . import app

        kernel = app.prepare()
        os.dup2(1, 2)  # the supervisor listens no more: what a cell writes goes nowhere but to its own stream
        app.serve(kernel, start)
    except BaseException as error:
        reason = "".join(traceback.format_exception_only(error)).strip()
        with contextlib.suppress(OSError), socket.socket(fileno=start["rpc"]) as channel:
            channel.send(json.dumps({"failed": reason[:2000]}).encode())
        raise


if __name__ == "__main__":
    main()
