"""The host's handle of a zygote: the process from which every cage is forked.

A warm zygote has imported the kernel and the data libraries, and the charting libraries unless it serves only one or
two kernels; a bare one only starts and supervises fresh interpreters. It never sees a session's key, and it ends when
the host closes its socket or dies.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import weakref

from . import cache, obstacles, temporary
from .blocking import in_thread
from .cage import cgroup, policy
from .connections import PORTS, KernelConnections
from .errors import StartFailed, StartLate
from .processes import ending_of

_DESCRIPTION = "the process that kernels are forked from"
_KIND = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
_START_S = 60.0
_CLOSE_S = 5.0


class Zygote:
    """One zygote process. `async with Zygote(warm=True) as zygote: zygote.spawn(...)`."""

    def __init__(self, *, warm: bool, drawing: bool = True) -> None:
        self.warm = warm
        self._kind = "bare" if not warm else "drawing" if drawing else "warm"
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._errors = -1  # what it writes to stderr until it is up
        self._complaint = b""
        self._folder: str | None = None
        self._is_up = False
        self._lock = asyncio.Lock()

    @property
    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process is not None else None

    async def __aenter__(self) -> Zygote:
        await self.ensure()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def begin(self) -> None:
        """Start the process if it does not run, and wait for nothing: it imports meanwhile. Blocks a moment."""
        if not self._runs:
            self._launch(*_folders())

    async def ensure(self) -> None:
        """Start the process if it does not run, and wait until it is up.

        Raises:
            StartFailed: It did not come up.
        """
        async with self._lock:
            if self._runs and self._is_up:
                return
            if not self._runs:
                await self._close()
                # Launched here and not in the thread: whoever stops us while we wait leaves no process and no socket.
                self._launch(*await asyncio.to_thread(_folders))
            await self._greeted()

    def _launch(self, folder: str, fonts: str) -> None:
        self._folder = folder
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)  # where nobody closes us
        root = policy.package_root()
        path = os.pathsep.join((policy.guest_path(root), root))
        environment = {
            **policy.environment(home=folder, tmp=folder),
            "PYTHONPATH": path,
            "MPLCONFIGDIR": fonts,
        }
        try:
            self._control, child = socket.socketpair(socket.AF_UNIX, _KIND)
            with child:
                self._control.setblocking(False)
                self._errors, stderr = os.pipe()
                os.set_blocking(self._errors, False)
                try:
                    self._process = subprocess.Popen(
                        [sys.executable, "-P", "-m", "tandem_guest.zygote", str(child.fileno()), self._kind],
                        pass_fds=[child.fileno()],
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=stderr,  # a pipe, which it leaves before it forks: no cage inherits it
                        env=environment,
                        cwd="/",
                        start_new_session=True,
                        umask=0o022,  # the walls it builds are for the session's user; the session sets its own
                    )
                finally:
                    os.close(stderr)
        except OSError as error:
            self._close_errors()
            if self._control is not None:
                self._control.close()
                self._control = None
            raise _not_started(f"{type(error).__name__}: {error}") from error

    async def _greeted(self) -> None:
        assert self._control is not None
        assert self._process is not None
        process, loop = self._process, asyncio.get_running_loop()
        loop.add_reader(self._errors, self._read_errors)
        try:
            try:
                async with asyncio.timeout(_START_S):
                    greeting = await loop.sock_recv(self._control, 64)
            finally:
                loop.remove_reader(self._errors)
        except TimeoutError:
            await self._close()
            raise StartLate(f"{_DESCRIPTION} did not come up", seconds=_START_S) from None
        except ConnectionResetError:
            greeting = b""
        except BaseException:
            process.kill()  # it has forked nothing yet, and hears nothing while it imports
            await self._close()
            raise
        if greeting != b"up":
            process.kill()
            await in_thread(process.wait)
            self._read_errors()
            complaint = obstacles.last_line(self._complaint)
            await self._close()
            raise _not_started(complaint or f"it {ending_of(process.returncode).words}")
        self._close_errors()
        self._is_up = True

    def _read_errors(self) -> None:
        try:
            text = os.read(self._errors, 64 << 10)
        except BlockingIOError:
            return
        self._complaint = (self._complaint + text)[-obstacles.STDERR_BYTES_MAX :]
        if not text:  # closed: it is readable for ever
            asyncio.get_running_loop().remove_reader(self._errors)

    def _close_errors(self) -> None:
        errors, self._errors, self._complaint = self._errors, -1, b""
        if errors >= 0:
            os.close(errors)

    def spawn(self, spec: policy.CageSpec, wires: KernelConnections, *, probe: str | None = None) -> None:
        """Ask for one cage. What becomes of it is said on the wires, not here.

        Args:
            spec: The cage.
            wires: Its connections.
            probe: A file of the host's: the child only tries whether the cage keeps it out of reach, and ends.

        Raises:
            StartFailed: The zygote does not run any more; `ensure` starts another.
        """
        request = {
            "spec": spec.to_json(),
            "ports": PORTS,
            "data_inside": spec.data_inside,
            "unix_sockets": spec.level != "landlock",
            "attributes_by_path": spec.level != "landlock",
            "private_tmp": spec.has_own_root,
            "probe": probe,
        }
        if self._control is None:
            raise StartFailed("the process that kernels are forked from was not started")
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], wires.child_descriptors())
        except OSError as error:
            raise StartFailed(f"the process that kernels are forked from has ended ({error})") from error

    async def close(self) -> None:
        """End the process. Cages that it forked live on until their own lifelines close."""
        async with self._lock:
            await self._close()

    async def _close(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        self._close_errors()
        process, self._process = self._process, None
        if process is not None and not self._is_up:
            process.kill()
        self._is_up = False
        folder, self._folder = self._folder, None
        try:
            if process is not None:
                await _end(process)
        finally:
            if folder is not None:
                await in_thread(shutil.rmtree, folder, ignore_errors=True)


def _folders() -> tuple[str, str]:
    """A zygote's own folder, and matplotlib's cache; what a host that was killed has left is removed.

    Nothing is configured from, or cached in, a folder that another user could have prepared.
    """
    try:
        temporary.sweep()
        cgroup.sweep(temporary.is_abandoned)
        folder = str(temporary.make("zygote"))
    except OSError as error:
        raise _not_started(f"{type(error).__name__}: {error}") from error
    return folder, str(cache.make_cache_folder("matplotlib") or folder)  # the list of fonts takes a second to make


async def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        await in_thread(process.wait, _CLOSE_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        await in_thread(process.wait)


def _not_started(reason: str) -> StartFailed:
    return StartFailed(f"{_DESCRIPTION} did not start: {obstacles.explain(reason)}")
