"""Pool of kernels for sessions: forked from one zygote, some prewarmed, each leased once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from . import temporary, trees
from .blocking import in_thread, make_in_thread
from .cage.policy import Level
from .collector import Collector
from .errors import KernelClosed, SandboxBusy, SandboxError, StartLate
from .identity import SessionUser
from .kernel import Kernel
from .kernel_client import KernelClient
from .launch import CagedProcess, specify_cage
from .limits import Limits
from .prewarmed_folders import PrewarmedFolder
from .results import JSON
from .rpc import RequestHandler
from .zygote import Zygote

_WARM_UP_S = 30.0
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A kernel that stands in its cage and has served nobody."""

    slot: PrewarmedFolder
    conversation: KernelClient

    @property
    def process(self) -> CagedProcess:
        return self.conversation.process

    async def discard(self) -> None:
        await self.conversation.close()
        await in_thread(self.slot.discard)


class Pool:
    """Leases kernels at one level under one set of limits. `async with Pool(level="zygote") as pool: ...`

    Args:
        level: Which walls; `levels.choose` says what holds on this machine.
        limits: What each session may use.
        size: Kernels kept ready (level "zygote" alone; elsewhere each lease starts one).
        slots: A folder on the same file system as the sessions' folders, in which ready kernels wait; a temporary one
            by default. A session elsewhere is served too, by a kernel started for it.
        begun: A warm zygote that was begun before; used, and closed, where the level forks from one.
    """

    def __init__(
        self,
        *,
        level: Level,
        limits: Limits | None = None,
        size: int = 1,
        slots: Path | None = None,
        zygote: Zygote | None = None,
    ) -> None:
        self.level: Level = level
        self.limits = limits or Limits()
        self._size = size if level == "zygote" else 0
        self._slots = slots
        warm = level in ("zygote", "landlock")
        self._zygote = zygote if zygote is not None and warm else Zygote(warm=warm)
        self._leased: set[Kernel] = set()
        self._ready: deque[_Ready] = deque()
        self._wanted = asyncio.Event()
        self._filler: asyncio.Task[None] | None = None
        self._waiting_room: Path | None = None

    @property
    def ready(self) -> int:
        """How many kernels wait to be leased."""
        return len(self._ready)

    async def __aenter__(self) -> Pool:
        await self._zygote.ensure()
        try:
            room = partial(_make_waiting_room, self._slots)
            self._waiting_room = await make_in_thread(room, undo=trees.remove)
        except BaseException:  # nobody closes a pool that was never open
            await self._zygote.close()
            raise
        self._filler = asyncio.create_task(self._fill())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._filler is not None:
            self._filler.cancel()
            await asyncio.wait({self._filler})
            self._filler = None
        for kernel in list(self._leased):
            await kernel.close()
        while self._ready:
            await self._ready.popleft().discard()
        await self._zygote.close()
        if self._waiting_room is not None:
            await in_thread(trees.remove, self._waiting_room)
            self._waiting_room = None

    async def lease(
        self, *, desk: Path, data: Path, requests: RequestHandler | None = None, prelude: str = ""
    ) -> Kernel:
        """A kernel that never served anyone and is never given to anyone else.

        Args:
            desk: The work folder; made if missing. The session owns it until the kernel is closed. It may be renamed
                into place, so hold its path, not a descriptor of it.
            data: The folder of results, read-only inside; made if missing. Files may have mode 0600: the session is let
                in when the kernel starts and whenever a request was answered.
            requests: Answers what cells ask of the host; None refuses all.
            prelude: Python run silently before the first cell, and again after every restart.

        Raises:
            KernelClosed: The pool is not open.
            SandboxBusy: None can be started now.
            SandboxError: No kernel could be started, or the prelude raised.
        """
        if self._filler is None:
            raise KernelClosed("the pool is not open; use `async with Pool(...)`")
        ready = await self._take(desk, data)
        if ready is not None:
            user, spec = ready.slot.user, ready.process.spec
            desk, data = Path(spec.desk), Path(spec.data)
        else:
            prepare = partial(_ready_folders, self.level, desk, data)
            user, desk, data = await make_in_thread(prepare, undo=lambda lease: lease[0].release(*lease[1:]))

        async def launch() -> CagedProcess:
            spec = specify_cage(self.level, self.limits, desk=desk, data=data, uid=user.uid)
            return await CagedProcess.start(self._zygote, spec, self.limits)

        async def release() -> None:
            self._leased.discard(kernel)
            with contextlib.suppress(FileNotFoundError):
                await in_thread(user.release, desk, data)

        async def answer(op: str, payload: Mapping[str, JSON]) -> Mapping[str, JSON]:
            assert requests is not None
            reply = await requests(op, payload)
            await asyncio.to_thread(user.share, data)
            return reply

        handler = answer if requests is not None and user.uid is not None else requests
        kernel = Kernel(
            level=self.level, limits=self.limits, launch=launch, requests=handler, prelude=prelude, release=release
        )
        self._leased.add(kernel)
        try:
            await kernel.begin(ready.conversation if ready is not None else None)
        except BaseException:
            await kernel.close()
            raise
        return kernel

    async def _take(self, desk: Path, data: Path) -> _Ready | None:
        """A ready kernel moved into the session's folders, or None."""
        while self._ready:
            ready = self._ready.popleft()
            self._wanted.set()
            # A kernel that waited may have been killed meanwhile, such as by the machine's out-of-memory killer.
            if ready.process.ended.done():
                await ready.discard()
                continue
            try:
                folders = await make_in_thread(
                    partial(_move, ready.slot, desk, data), undo=partial(_take_back, ready.slot)
                )
            except BaseException:
                await ready.discard()
                raise
            if folders is None:
                self._ready.append(ready)
                return None
            ready.process.spec = replace(ready.process.spec, desk=str(folders[0]), data=str(folders[1]))
            return ready
        return None

    async def _fill(self) -> None:
        """Keep `size` kernels ready; begins with the pool and ends with it."""
        while True:
            self._wanted.clear()
            try:
                while len(self._ready) < self._size:
                    self._ready.append(await self._prepare())
            except SandboxBusy as busy:
                _logger.info("no kernel is made ready: %s", busy)
            except (SandboxError, OSError):
                # A lease will start its own and raise what is wrong; until then there is no use in trying again.
                _logger.exception("no kernel could be made ready")
            await self._wanted.wait()

    async def _prepare(self) -> _Ready:
        assert self._waiting_room is not None
        slot = await make_in_thread(
            partial(PrewarmedFolder, self.level, self._waiting_room), undo=PrewarmedFolder.discard
        )
        try:
            spec = specify_cage(self.level, self.limits, desk=slot.desk, data=slot.data, uid=slot.user.uid)
            process = await CagedProcess.start(self._zygote, spec, self.limits)
            # All that costs time is done before anybody waits: the channels stand, and one cell has gone through.
            conversation = await KernelClient.open(process, self.limits, None)
        except BaseException:
            await asyncio.to_thread(slot.discard)
            raise
        ready = _Ready(slot, conversation)
        try:
            async with asyncio.timeout(_WARM_UP_S):
                await conversation.run("", Collector(limit_bytes=self.limits.output_bytes), silent=True)
        except TimeoutError:
            await ready.discard()
            raise StartLate("a kernel did not answer", seconds=_WARM_UP_S) from None
        except BaseException:
            await ready.discard()
            raise
        return ready


def _make_waiting_room(parent: Path | None) -> Path:
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
        temporary.sweep(parent)
    return temporary.make("pool", parent).resolve()


def _move(slot: PrewarmedFolder, desk: Path, data: Path) -> tuple[Path, Path] | None:
    for folder in (desk, data):
        folder.parent.mkdir(parents=True, exist_ok=True)
    places = desk.parent.resolve() / desk.name, data.parent.resolve() / data.name
    return places if slot.become(*places) else None


def _take_back(slot: PrewarmedFolder, folders: tuple[Path, Path] | None) -> None:
    if folders is not None:
        slot.user.release(*folders)


def _ready_folders(level: Level, desk: Path, data: Path) -> tuple[SessionUser, Path, Path]:
    for folder in (desk, data):
        folder.mkdir(parents=True, exist_ok=True)
    desk, data = desk.resolve(), data.resolve()
    user = SessionUser(level, desk, data)
    try:
        user.own(desk)
        user.share(data)
    except BaseException:
        user.release()
        raise
    return user, desk, data
