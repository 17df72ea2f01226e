"""The process that workers are forked from: it has imported the engines, holds no file and does nothing else.

A fork takes milliseconds where an interpreter with DuckDB and Arrow takes most of a second. It has one thread, so that
what is forked is whole. It ends when the server closes its socket or dies, and its workers end with it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence

from sandbox.cage import linux

_ALWAYS = (
    "concurrent.futures.thread",
    "dateutil.relativedelta",
    "pyarrow.compute",
    "pyarrow.ipc",
    "sqlglot.dialects.sqlite",
    "assistant.sources.engines.sqlite",
    "assistant.sources.engines.sqlite_catalog",
    "assistant.sources.workers.worker",
)
_DUCKDB = (
    "sqlglot.dialects.duckdb",
    "assistant.sources.engines.duckdb",
    "assistant.sources.engines.duckdb_catalog",
    "assistant.sources.reading.conversion",
    "assistant.sources.reading.workbooks",
    "python_calamine",
)
"""Imported for the first worker that needs them."""
_REAP_EVERY_MS = 1000
_REQUEST_BYTES = 64


class _WithoutPandas:
    """Keeps pandas out: Arrow imports it where it can, which takes half a second, and no engine needs it."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        """Refuse pandas, and leave all other modules to the other finders."""
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not used here", name=name)


def main(descriptor: int) -> None:
    """Fork workers until the server lets go.

    A request is `fork N KIND`, with the worker's end of its channel, or `kill N`. A kind is an engine or `document`.
    """
    sys.meta_path.insert(0, _WithoutPandas)
    _import(_ALWAYS)
    control = socket.socket(fileno=descriptor)
    workers: dict[int, int] = {}
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        ready = poll.poll(_REAP_EVERY_MS)
        _reap(workers)
        if not ready:
            continue
        data, descriptors, *_ = socket.recv_fds(control, _REQUEST_BYTES, 1)
        if not data:
            return
        word, number, *kind = data.decode("ascii").split()
        if word == "kill":
            if int(number) in workers:  # not reaped, so the number is still its own
                os.kill(workers[int(number)], signal.SIGKILL)
            continue
        if kind == ["duckdb"]:
            _import(_DUCKDB)
        if pid := os.fork():
            workers[int(number)] = pid
            for fd in descriptors:
                os.close(fd)
            continue
        _become_worker(descriptors[0])


def _import(modules: Sequence[str]) -> None:
    """Import what workers need, once, and keep their collector from touching, and so copying, it."""
    if modules[-1] in sys.modules:
        return
    gc.disable()  # imports make objects that stay
    for module in modules:
        importlib.import_module(module)
    gc.freeze()
    gc.enable()


def _become_worker(descriptor: int) -> None:
    try:
        with contextlib.suppress(OSError):
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        linux.close_descriptors_except({descriptor})
        from assistant.sources.workers.worker import serve

        with socket.socket(fileno=descriptor) as sock:
            serve(sock)
    finally:
        os._exit(0)


def _reap(workers: dict[int, int]) -> None:
    for number, pid in list(workers.items()):
        if os.waitpid(pid, os.WNOHANG)[0]:
            del workers[number]


if __name__ == "__main__":
    main(int(sys.argv[1]))
