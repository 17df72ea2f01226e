"""The zygote: imports everything once, has no thread, no ZMQ context and no secret, and forks one cage per request.

A request is one message with the descriptors of the session attached. It is not answered: the child reports over its
own channel, and the zygote knows nothing about it.
"""

from __future__ import annotations

import array
import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
import traceback
from typing import Any, NoReturn

from sandbox.cage import fresh_interpreter, landlock_level, namespaces, policy, privileges, seccomp, supervisor

from . import probe  # all that runs inside must be imported before: the files are out of reach there

_DESCRIPTORS_MAX = 32
_REQUEST_BYTES_MAX = 64 << 10


def main() -> None:
    """Serve requests until the host closes the socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    kind = sys.argv[2]
    app = None
    gc.disable()  # imports make objects that stay: looking for garbage among them takes a third of the start
    if kind != "bare":
        from . import preload

        preload.load(drawing=kind == "drawing")
        from . import app as app_module

        app = app_module.prepare()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the system
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        supervisor.become_subreaper()
    gc.freeze()  # keeps the collector from touching, and so copying, pages shared with the children
    gc.enable()
    with contextlib.suppress(OSError):  # an architecture without a filter: the child that wants one will say so
        seccomp.assemble_filter()
    os.dup2(1, 2)  # the host's pipe was for the start; no cage may inherit it
    control.send(b"up")
    while _serve_one(control, app):
        pass


def _serve_one(control: socket.socket, app: Any) -> bool:
    """Fork a child that waits for the next request, so that nobody waits for the fork; False when the host is gone."""
    reader, writer = os.pipe()
    try:
        child = _fork(control)
    except OSError as error:  # the limit on processes: whoever asked is told, and another may be served later
        os.close(reader)
        os.close(writer)
        return _refuse_one(control, error)
    if child == 0:
        os.close(reader)
        privileges.lower_priority()  # while nobody has asked for it yet
        try:
            text, descriptors, _, _ = socket.recv_fds(control, _REQUEST_BYTES_MAX, _DESCRIPTORS_MAX)
        except OSError:
            os._exit(70)
        if not text:
            os._exit(0)
        os.close(writer)
        control.close()
        _child(app, json.loads(text), array.array("i", descriptors))
    os.close(writer)
    os.read(reader, 1)  # returns when the child has taken a request, or has ended
    os.close(reader)
    return _host_is_there(control)


def _fork(control: socket.socket) -> int:
    try:
        return os.fork()
    except OSError:  # nobody asked yet: what counts is whether a process can be made when somebody does
        select.select([control], [], [])
        return os.fork()


def _refuse_one(control: socket.socket, error: OSError) -> bool:
    """Tell the session of the next request that no process could be made for it; False when the host is gone."""
    try:
        text, descriptors, _, _ = socket.recv_fds(control, _REQUEST_BYTES_MAX, _DESCRIPTORS_MAX)
    except OSError:
        return False
    if not text:
        return False
    _report(descriptors[-3], error)
    for fd in descriptors:
        os.close(fd)
    return True


def _host_is_there(control: socket.socket) -> bool:
    try:
        return control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _child(app: Any, request: dict[str, Any], descriptors: array.array[int]) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    *listeners, rpc, lifeline, status = descriptors
    start = {
        "descriptors": dict(zip(request["ports"].values(), listeners, strict=True)),
        "ports": request["ports"],
        "rpc": rpc,
        "data": request["data_inside"],
        "unix_sockets": request["unix_sockets"],
        "attributes_by_path": request["attributes_by_path"],
        "private_tmp": request["private_tmp"],
        "spec": request["spec"],
        "probe": request["probe"],
    }
    try:
        spec = policy.CageSpec.from_json(request["spec"])
        _enter(spec, start, keep=[*listeners, rpc], lifeline=lifeline, status=status)
        if start["probe"] is not None:
            probe.report(rpc, spec, request["probe"])
            os._exit(0)
        from . import app as app_module  # already there: only a warm zygote comes this far
        from . import preload

        preload.reseed()
        os.umask(0o077)
        _adopt_environment(spec)
        app_module.serve(app, start)
    except BaseException as error:  # noqa: BLE001  # a forked child must never return into the zygote's loop
        _report(rpc, error)
        os._exit(70)
    os._exit(0)


def _enter(spec: policy.CageSpec, start: dict[str, Any], *, keep: list[int], lifeline: int, status: int) -> None:
    for path in spec.cgroup_files:
        with open(path, "w") as file:
            file.write("0")
    privileges.offer_to_oom_killer()
    match spec.level:
        case "zygote":
            namespaces.enter(spec, keep=keep, lifeline=lifeline, status=status)
        case "landlock":
            landlock_level.enter(spec, keep=keep, lifeline=lifeline, status=status)
        case "bubblewrap" | "process":
            fresh_interpreter.enter(spec, json.dumps(start), keep=keep, lifeline=lifeline, status=status)


def _adopt_environment(spec: policy.CageSpec) -> None:
    tmp = "/tmp"
    if not spec.has_own_root:
        tmp = os.path.join(spec.desk, ".tmp")
        os.makedirs(tmp, exist_ok=True)
    os.environ.clear()
    os.environ.update(policy.environment(home=spec.desk_inside, tmp=tmp))
    tempfile.tempdir = None  # found out, and remembered, before the fork


def _report(rpc: int, error: BaseException) -> None:
    reason = "".join(traceback.format_exception_only(error)).strip()
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(rpc)) as channel:
        channel.send(json.dumps({"failed": reason[:2000]}).encode())


if __name__ == "__main__":
    main()
