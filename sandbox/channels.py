"""The host's end of a kernel's message channels: signed Jupyter messages, bounded. Knows neither cells nor state."""

from __future__ import annotations

import asyncio
import functools
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from .connections import KernelConnections
from .errors import StartFailed, StartLate
from .jupyter_messages import Envelope, Message, read_address, read_message, write_message
from .limits import Limits
from .zmtp import Wire, WireClosed

_WELCOME_S = 20.0
_HEADROOM_BYTES = 1 << 20  # what a message may weigh beyond the output it carries
_INLINE_BYTES = 32 << 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRequest:
    """A cell to be run.

    Attributes:
        id: Under which its messages will come.
        token: What its own questions to the host carry. Random, and told to nobody but the cell.
    """

    id: str
    token: str
    code: str
    silent: bool


class Channels:
    """The shell and iopub channels of one kernel; made by `open`, given back by `close`.

    Nothing is ever read from control and stdin: an interrupt is a signal, and no cell may ask the person.
    """

    def __init__(self, iopub: Wire, shell: Wire, key: bytes) -> None:
        self._iopub = iopub
        self._shell = shell
        self._key = key
        self._session = secrets.token_hex(8)
        self._sent = 0

    @classmethod
    async def open(cls, wires: KernelConnections, limits: Limits) -> Channels:
        """Connect, and wait until the kernel knows that we listen.

        Raises:
            StartFailed: It did not answer.
            StartLate: It did not answer in time.
        """
        most = limits.output_bytes + _HEADROOM_BYTES
        opened: list[Wire] = []
        try:
            async with asyncio.timeout(_WELCOME_S):
                opened.append(await Wire.connect(wires.path("iopub"), kind="SUB", message_bytes_max=most))
                opened.append(await Wire.connect(wires.path("shell"), kind="DEALER", message_bytes_max=most))
                channels = cls(opened[0], opened[1], wires.key.encode())
                await channels._welcome()
        except BaseException as error:
            for wire in opened:
                wire.close()
            if isinstance(error, TimeoutError):
                raise StartLate("the kernel did not answer on its channels", seconds=_WELCOME_S) from None
            if isinstance(error, (WireClosed, OSError)):
                raise StartFailed(f"the kernel did not answer on its channels ({error})") from None
            raise
        return channels

    async def _welcome(self) -> None:
        while True:
            envelope = await self.receive_iopub()
            if envelope is not None and envelope.kind == "iopub_welcome":
                return

    @property
    def received_bytes(self) -> int:
        """What has come so far on both channels, kept or not."""
        return self._iopub.received_bytes + self._shell.received_bytes

    def cell(self, code: str, *, silent: bool) -> CellRequest:
        """A request to run `code`, with an id and a token of its own."""
        self._sent += 1
        return CellRequest(id=f"{self._session}_{self._sent}", token=secrets.token_hex(16), code=code, silent=silent)

    async def send(self, request: CellRequest) -> None:
        """Send a cell.

        Raises:
            WireClosed: The kernel is gone.
        """
        content = {
            "code": request.code,
            "silent": request.silent,
            "store_history": not request.silent,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,  # otherwise the next cell may be answered "aborted"
        }
        metadata = {"tandem_token": request.token}
        await self._shell.send(
            write_message("execute_request", content, id=request.id, metadata=metadata, key=self._key)
        )

    async def receive_iopub(self) -> Envelope | None:
        """The next message on iopub; None for one that does not say where it belongs.

        Raises:
            WireClosed: No more will come.
        """
        return read_address(await self._iopub.receive())

    async def receive_shell(self) -> Envelope | None:
        """The next reply; None for one that does not say where it belongs.

        Raises:
            WireClosed: No more will come.
        """
        return read_address(await self._shell.receive())

    async def read(self, envelope: Envelope) -> Message | None:
        """The message in `jupyter_messages`; None where the kernel did not sign it."""
        if sum(map(len, envelope.parts)) <= _INLINE_BYTES:
            return read_message(envelope, self._key)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_reading(), read_message, envelope, self._key)

    def close(self) -> None:
        """Drop the connections. May be called again."""
        self._iopub.close()
        self._shell.close()


@functools.cache
def _reading() -> ThreadPoolExecutor:
    """One thread for the large messages of all kernels: several would hold up the loop several times as long."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="kernel-messages")
