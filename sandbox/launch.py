"""Process of one caged kernel, from start to end. Sends it start parameters only; `channels` sends messages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import struct
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from . import descriptors, obstacles, temporary
from .blocking import in_thread, make_in_thread
from .cage import cgroup, policy
from .connections import KernelConnections
from .errors import StartFailed, StartLate
from .limits import Limits
from .processes import Ending, ending_of
from .zygote import Zygote

_READY_S = 60.0
_END_S = 5.0
_SPARE_PROCESSES = 2048
"""Tasks that others of one user may start after a session, where they count against its limit: 150 sessions or so."""
_CREDENTIALS = struct.Struct("3i")


def specify_cage(level: policy.Level, limits: Limits, *, desk: Path, data: Path, uid: int | None) -> policy.CageSpec:
    """The cage for one session at `level` under `limits`."""
    return policy.CageSpec(
        level=level,
        desk=str(desk),
        data=str(data),
        uid=uid,
        python_roots=policy.python_roots(),
        package_root=policy.package_root(),
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        open_files=limits.open_files,
        file_bytes=limits.file_bytes,
        tmp_bytes=limits.tmp_bytes,
        shm_bytes=limits.shm_bytes,
        process_base=_tasks_of(os.getuid()) + _SPARE_PROCESSES if counts_others(level, uid) else 0,
    )


def counts_others(level: policy.Level, uid: int | None) -> bool:
    """Whether RLIMIT_NPROC counts every task of the host's user: with no user namespace and no user of its own."""
    return level in ("landlock", "process") and uid is None


def _tasks_of(uid: int) -> int:
    count = 0
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError):
                    if os.stat(f"/proc/{name}").st_uid == uid:
                        count += len(os.listdir(f"/proc/{name}/task"))
    return count


class CagedProcess:
    """A running kernel process; made by `start`.

    Attributes:
        pid: The kernel's process id as the host sees it.
        reservation: The descriptors set aside for it; released when its channels are open too.
        memory: The cgroup that holds the memory of all its processes, where one could be made.
        greeting: What the child said when it was up.
        ended: Done, with the `Ending`, as soon as the process is gone.
    """

    def __init__(
        self,
        spec: policy.CageSpec,
        wires: KernelConnections,
        memory: cgroup.MemoryGroup | None,
        reservation: descriptors.Reservation,
    ) -> None:
        self.spec = spec
        self.wires = wires
        self.pid = 0
        self.supervisor = 0
        self.greeting: dict[str, Any] = {}
        self.memory = memory
        self.reservation = reservation
        self.ended: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._pidfds: dict[int, int] = {}
        self._status = b""
        self._watched = False

    @classmethod
    async def start(
        cls,
        zygote: Zygote,
        spec: policy.CageSpec,
        limits: Limits,
        *,
        wires: KernelConnections | None = None,
        probe: str | None = None,
    ) -> CagedProcess:
        """Fork a cage off `zygote` and wait until its kernel listens, or with `probe` until it has tried its walls.

        Args:
            zygote: Warm for levels that fork the kernel itself.
            spec: The cage.
            limits: What the session may use.
            wires: Its connections; made when None. Closed with the process either way.
            probe: See `Zygote.spawn`.

        Raises:
            SandboxBusy: Too few descriptors are left, or it did not come up in time.
            StartFailed: A wall could not be built or the kernel ended; the message carries the child's reason.
        """
        reservation = descriptors.reserve()
        try:
            wires = wires or KernelConnections()
        except OSError as error:
            reservation.release()
            reason = obstacles.explain(f"{type(error).__name__}: {error}")
            raise StartFailed(f"the connections of a kernel could not be made: {reason}") from error
        try:
            # Linux may be busy with the groups of others for a tenth of a second.
            memory = await make_in_thread(
                partial(cgroup.make, temporary.make_name("memory"), memory_bytes=limits.memory_bytes), undo=_remove
            )
        except BaseException:
            wires.close()
            reservation.release()
            raise
        if memory is not None:
            spec = replace(spec, cgroup_files=memory.procs_files)
        process = cls(spec, wires, memory, reservation)
        secret = {"key": wires.key, "output_bytes": limits.output_bytes, "message_bytes": limits.message_bytes}
        wires.requests.send(json.dumps(secret).encode())
        if sys.platform == "linux":
            wires.requests.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            await zygote.ensure()
            zygote.spawn(spec, wires, probe=probe)
            wires.close_child_side()
            asyncio.get_running_loop().add_reader(wires.status, process._read_status)
            process._watched = True
            await process._wait_ready()
        except BaseException:
            await process.close()
            raise
        return process

    async def _wait_ready(self) -> None:
        await self._until_readable()
        try:
            text, ancillary = self._receive_greeting()
        except OSError as error:
            raise StartFailed(f"the kernel's channel broke before it was up ({error})") from error
        message = json.loads(text) if text else {"failed": await self._last_words()}
        if "failed" in message:
            reason = obstacles.explain(message["failed"])
            raise StartFailed(f"the kernel could not be caged at level {self.spec.level!r}: {reason}")
        self.greeting = message
        self._identify(ancillary)

    async def _last_words(self) -> str:
        """Why a child ended that did not say so itself: how it ended, and the end of what it wrote to stderr."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await asyncio.shield(self.ended)
        ending = self.ended.result() if self.ended.done() else Ending()
        complaint = obstacles.last_line(self._status.partition(b"\n")[2])
        return f"it {ending.words} before it was up" + (f": {complaint}" if complaint else "")

    async def _until_readable(self) -> None:
        loop = asyncio.get_running_loop()
        readable: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not readable.done():
                readable.set_result(None)

        loop.add_reader(self.wires.requests, wake)
        try:
            async with asyncio.timeout(_READY_S):
                await readable
        except TimeoutError:
            raise StartLate("the kernel did not come up", seconds=_READY_S) from None
        finally:
            loop.remove_reader(self.wires.requests)

    def _identify(self, ancillary: list[tuple[int, int, bytes]]) -> None:
        """Take from the greeting which processes are the kernel and its supervisor, and hold on to them."""
        for level, kind, payload in ancillary:
            if sys.platform == "linux" and (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self.pid = _CREDENTIALS.unpack(payload[: _CREDENTIALS.size])[0]
        if sys.platform == "linux":
            self.wires.requests.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        self.supervisor = _parent_of(self.pid)
        for pid in (self.pid, self.supervisor):
            if pid > 1:
                with contextlib.suppress(OSError, AttributeError):
                    self._pidfds[pid] = os.pidfd_open(pid)

    def _receive_greeting(self) -> tuple[bytes, list[tuple[int, int, bytes]]]:
        space = socket.CMSG_SPACE(_CREDENTIALS.size)
        try:
            return self.wires.requests.recvmsg(4096, space)[:2]
        except ConnectionResetError:
            # A child that ends with our first message unread resets the connection; its own last words come after that.
            return self.wires.requests.recvmsg(4096, space)[:2]

    def interrupt(self) -> None:
        """Send SIGINT to the kernel, as Ctrl-C would. Nothing happens where it is gone already."""
        self._signal(self.pid, signal.SIGINT)

    def kill(self) -> None:
        """End the kernel and all that it started. Returns at once; `ended` says when it is done."""
        self.wires.cut_lifeline()

    def kill_kernel(self) -> None:
        """Kill the kernel process itself, so that its supervisor reports the signal and clears up the rest."""
        self._signal(self.pid, signal.SIGKILL)

    async def close(self) -> None:
        """End everything and give every descriptor back. May be called again."""
        self.kill()
        try:
            async with asyncio.timeout(_END_S):
                if self._watched:
                    await asyncio.shield(self.ended)
        except TimeoutError:
            for pid in (self.supervisor, self.pid):
                self._signal(pid, signal.SIGKILL)
        finally:
            self._stop_reading()
            for fd in self._pidfds.values():
                os.close(fd)
            self._pidfds.clear()
            self.wires.close()
            self.reservation.release()
            memory, self.memory = self.memory, None
            if memory is not None:
                await in_thread(memory.remove)
            if not self.ended.done():
                self.ended.set_result(Ending())

    def _signal(self, pid: int, number: signal.Signals) -> None:
        fd = self._pidfds.get(pid)
        if fd is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(fd, number)

    def look(self) -> Ending | None:
        """How the process ended, or None while it runs; for callers whose loop does not run all the time."""
        ready = select.poll()  # `select` knows no descriptor beyond 1,023
        ready.register(self.wires.status, select.POLLIN)
        while not self.ended.done() and ready.poll(0):
            self._read_status()
        return self.ended.result() if self.ended.done() else None

    def _read_status(self) -> None:
        try:
            text = os.read(self.wires.status, 4096)
        except BlockingIOError:
            return
        if text:
            self._status += text
            return
        self._stop_reading()
        if not self.ended.done():
            self.ended.set_result(_ending(self._status, through_shell=self.spec.level == "bubblewrap"))

    def _stop_reading(self) -> None:
        if self._watched:
            self._watched = False
            asyncio.get_running_loop().remove_reader(self.wires.status)


def _remove(memory: cgroup.MemoryGroup | None) -> None:
    if memory is not None:
        memory.remove()


def _ending(status: bytes, *, through_shell: bool) -> Ending:
    """What the supervisor reported: the wait status as decimal text, a line end, the last of its stderr."""
    number = status.partition(b"\n")[0]
    if not number.isdigit():
        return Ending()
    code = os.waitstatus_to_exitcode(int(number))
    if through_shell and code > 128:  # bubblewrap reports a signal as 128 + its number
        return Ending(signal=code - 128)
    return ending_of(code)


def _parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
