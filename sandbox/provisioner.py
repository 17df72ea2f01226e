"""A cage for any Jupyter front end: a kernel provisioner of jupyter_client, registered as `tandem-cage`.

A kernel specification asks for it in its metadata; its `argv` is not used:

    {"kernel_provisioner": {"provisioner_name": "tandem-cage", "config": {"level": "zygote"}}}

The kernel works in a private folder, which goes with it. The folder that a front end names as the working folder stays
outside the cage; `data_dir` lets the kernel read one. No file or folder that was there before changes owner or mode.
"""

from __future__ import annotations

import asyncio
import os
import signal
import weakref
from pathlib import Path
from typing import Any, cast

from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Bool, Unicode

from . import temporary, trees
from .blocking import in_thread
from .cage.policy import Level
from .connections import PORTS, KernelConnections, socket_folder
from .errors import StartFailed
from .identity import SessionUser, find_unreadable
from .launch import CagedProcess, specify_cage
from .levels import find
from .limits import Limits
from .processes import Ending
from .zygote import Zygote


class _SharedZygote:
    """One zygote for all provisioners of this process; it lives while any of them has a kernel."""

    def __init__(self) -> None:
        self._zygotes: dict[bool, tuple[Zygote, int]] = {}

    def take(self, *, warm: bool) -> Zygote:
        zygote, users = self._zygotes.get(warm) or (Zygote(warm=warm), 0)
        self._zygotes[warm] = (zygote, users + 1)
        return zygote

    async def give_back(self, *, warm: bool) -> None:
        zygote, users = self._zygotes[warm]
        self._zygotes[warm] = (zygote, users - 1)
        if users == 1:
            del self._zygotes[warm]
            await zygote.close()


_shared = _SharedZygote()


class CageProvisioner(KernelProvisionerBase):
    """Starts, signals and ends one caged kernel on behalf of a `KernelManager`."""

    level: Any = Unicode(
        "", config=True, help="zygote, bubblewrap, landlock or process; empty: the strongest that holds"
    )
    data_dir: Any = Unicode(
        "", config=True, help="a folder the kernel may read as /data; relative to the front end's working folder"
    )
    allow_process: Any = Bool(False, config=True, help="consent to run without walls where no cage holds")

    _process: CagedProcess | None = None
    _ending: Ending | None = None
    _user: SessionUser | None = None
    _folder: Path | None = None
    _empty: Path | None = None
    _work: Path | None = None
    _cwd: Path | None = None
    _warm: bool | None = None

    @property
    def has_process(self) -> bool:
        """Whether a kernel was started and not cleaned up yet."""
        return self._process is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Settle the connection, which is ours to choose, before the manager hands it to its clients."""
        manager: Any = self.parent
        self._cwd = Path(kwargs.pop("cwd", None) or os.getcwd())
        kwargs.pop("extra_arguments", None)
        if self._folder is None:
            self._folder = self._temporary(socket_folder())
        manager.transport = "ipc"
        manager.ip = str(self._folder / "k")
        for name, port in PORTS.items():
            setattr(manager, f"{name}_port", port)
        self.connection_info = manager.get_connection_info()
        kwargs["env"] = {}
        return await super().pre_launch(cmd=["caged"], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Fork a cage and wait until its kernel listens.

        Raises:
            SandboxError: No acceptable cage holds here, or the kernel did not come up.
        """
        manager: Any = self.parent
        level = cast(Level, self.level) or (await find(allow_process=self.allow_process)).level
        desk, user = self._private_desk(level)
        data = await in_thread(self._data_folder, user)
        if self._warm is None:
            self._warm = level in ("zygote", "landlock")
            self._zygote = _shared.take(warm=self._warm)
        limits = Limits()
        spec = specify_cage(level, limits, desk=desk, data=data, uid=user.uid)
        wires = KernelConnections(self._folder, key=manager.session.key.decode())
        self._ending = None
        self._process = await CagedProcess.start(self._zygote, spec, limits, wires=wires)
        return self.connection_info

    def _private_desk(self, level: Level) -> tuple[Path, SessionUser]:
        """A working folder that nobody had before, and the user who owns it; the same after a restart."""
        if self._work is None:
            self._work = self._temporary(temporary.make("work"))
            self._work.chmod(0o711)  # the session's user passes through
        desk = self._work / "desk"
        if self._user is None:
            desk.mkdir(exist_ok=True)
            self._user = SessionUser(level, desk)
            weakref.finalize(self, self._user.release)  # as for `_temporary`
            self._user.own(desk)
            desk.chmod(0o700)
        return desk, self._user

    def _data_folder(self, user: SessionUser) -> Path:
        """What the kernel reads as /data. A folder of others' is left as it is, and must be readable as it is."""
        if not self.data_dir:
            if self._empty is None:
                self._empty = self._temporary(temporary.make("data"))
                user.share(self._empty)
            return self._empty
        assert self._cwd is not None
        data = Path(os.path.realpath(self._cwd / self.data_dir))
        if not data.is_dir():
            raise StartFailed(f"data_dir is {str(data)!r}, and there is no such folder. Correct it in kernel.json.")
        closed = find_unreadable(data, user.uid)
        if closed is None:
            raise StartFailed(
                f"the folder {str(data)!r} (data_dir) cannot be read by {user.words}, as whom cells run here. Tandem "
                "changes no folder that it did not make. Let this user read it, or name another folder as data_dir."
            )
        if closed:
            names = ", ".join(map(repr, closed[:5])) + (", ..." if len(closed) > 5 else "")
            self.log.warning(
                f"{len(closed)} entries of {str(data)!r} cannot be read by {user.words}, as whom cells run: {names}"
            )
        return data

    def _temporary(self, folder: Path) -> Path:
        # A front end may end without a clean-up (nbclient does, with a manager that was handed to it).
        weakref.finalize(self, trees.remove, folder)
        return folder

    async def poll(self) -> int | None:
        """None while the kernel runs, else how it ended."""
        if self._process is None:
            return 0 if self._ending is None else _code(self._ending)
        ending = self._process.look()
        return None if ending is None else _code(ending)

    async def wait(self) -> int | None:
        """Wait for the kernel's end and give its connections back."""
        process = self._process
        if process is not None:
            self._ending = await asyncio.shield(process.ended)
            await self._close_process()
        return 0 if self._ending is None else _code(self._ending)

    async def send_signal(self, signum: int) -> None:
        """Interrupt the kernel; every stronger signal ends the whole cage."""
        if self._process is None or signum == 0:
            return
        if signum == signal.SIGINT:
            self._process.interrupt()
        else:
            self._process.kill()

    async def kill(self, restart: bool = False) -> None:
        """End the kernel and all that it started."""
        if self._process is not None:
            self._process.kill()

    async def terminate(self, restart: bool = False) -> None:
        """The same: a cage has nothing to tidy up."""
        await self.kill(restart)

    async def cleanup(self, restart: bool = False) -> None:
        """Give everything back; on a restart the socket paths stay, so that clients reconnect by themselves."""
        await self._close_process()
        if restart:
            return
        if self._user is not None:
            self._user.release()
            self._user = None
        if self._warm is not None:
            warm, self._warm = self._warm, None
            await _shared.give_back(warm=warm)
        for folder in (self._folder, self._empty, self._work):
            if folder is not None:
                await in_thread(trees.remove, folder)
        self._folder = self._empty = self._work = None

    async def _close_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.close()
            self._ending = process.ended.result()

    async def get_provisioner_info(self) -> dict[str, Any]:
        """As upstream, with the kernel's process id."""
        info = await super().get_provisioner_info()
        return {**info, "pid": self._process.pid if self._process is not None else None}


def _code(ending: Ending) -> int:
    if ending.exit_code is not None:
        return ending.exit_code
    return -(ending.signal or signal.SIGKILL)
