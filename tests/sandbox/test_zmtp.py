"""The wire: it speaks with libzmq, and a peer of whatever kind costs neither memory nor the loop's time."""

from __future__ import annotations

import asyncio
import contextlib
import tracemalloc
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.zmtp import Wire, WireClosed

GREETING = (b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0")).ljust(64, b"\0")
READY = b"\x04\x06\x05READY"
MAX = 10_000

Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def connected(path: Path, peer: Peer) -> AsyncGenerator[Wire, None]:
    """A wire whose other end is `peer`, after a proper handshake."""

    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.current_task())  # type: ignore[arg-type]
        writer.write(GREETING + READY)
        with contextlib.suppress(ConnectionError):
            await peer(reader, writer)
        writer.transport.abort()

    async with await asyncio.start_unix_server(serve, path):
        wire = await Wire.connect(str(path), kind="SUB", message_bytes_max=MAX)
        try:
            yield wire
        finally:
            wire.close()
            await asyncio.wait(served)
            await asyncio.sleep(0)


def test_both_kinds_speak_with_libzmq(tmp_path: Path) -> None:
    async def scenario() -> None:
        shell = await Wire.connect(str(tmp_path / "shell"), kind="DEALER", message_bytes_max=1 << 22)
        iopub = await Wire.connect(str(tmp_path / "iopub"), kind="SUB", message_bytes_max=1 << 22)
        try:
            for body in (b"", b"x" * 255, b"x" * 256, b"x" * (1 << 20)):
                await shell.send([b"first", body])
                peer, *frames = await asyncio.to_thread(router.recv_multipart)
                assert frames == [b"first", body]
                router.send_multipart([peer, body, b"last"])
                answer = await shell.receive()
                assert (answer.frames, answer.complete) == ((body, b"last"), True)
            assert await asyncio.to_thread(publisher.recv) == b"\x01"
            publisher.send_multipart([b"topic", b"text"])
            assert (await iopub.receive()).frames == (b"topic", b"text")
            assert iopub.received_bytes > 0
        finally:
            shell.close()
            iopub.close()
            await asyncio.sleep(0)

    with zmq.Context() as context, context.socket(zmq.ROUTER) as router, context.socket(zmq.XPUB) as publisher:
        for socket, name in ((router, "shell"), (publisher, "iopub")):
            socket.linger = 0
            socket.bind(f"ipc://{tmp_path / name}")
        asyncio.run(scenario())


@pytest.mark.parametrize(
    ("flood", "size"),
    [
        (b"\x03" + (40 << 20).to_bytes(8, "big") + bytes(40 << 20) + b"\x00\x01x", (40 << 20) + 1),
        (b"\x01\x00" * 20_000 + b"\x00\x00", 0),
        (b"\x01\xff" + (b"x" * 255 + b"\x01\xff") * 20_000 + b"x" * 255 + b"\x00\x00", 255 * 20_001),
    ],
    ids=["one large frame", "empty frames", "many frames"],
)
def test_what_is_too_large_is_skipped_and_counted(tmp_path: Path, flood: bytes, size: int) -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        view = memoryview(flood)
        for start in range(0, len(flood), 1 << 16):
            writer.write(view[start : start + (1 << 16)])
            await writer.drain()
        writer.write(b"\x00\x04next")
        await reader.read()

    async def scenario() -> None:
        async with connected(tmp_path / "wire", peer) as wire:
            tracemalloc.start()
            try:
                large = await wire.receive()
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            assert (large.size_bytes, large.complete) == (size, False)
            assert sum(map(len, large.frames)) <= MAX
            assert peak < 4 << 20
            assert (await wire.receive()).frames == (b"next",)

    asyncio.run(scenario())


def test_a_peer_that_never_pauses_waits_and_the_loop_goes_on(tmp_path: Path) -> None:
    written = 0

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        while True:
            writer.write(b"\x00\x01x" * 1000)
            written += 1000
            await writer.drain()

    async def scenario() -> None:
        read = turns = 0

        async def receive() -> None:
            nonlocal read
            while True:
                await wire.receive()
                read += 1

        async with connected(tmp_path / "wire", peer) as wire:
            reading = asyncio.create_task(receive())
            while read < 22_000:  # the first 21,000 may come at once
                await asyncio.sleep(0)
                turns += 1
            reading.cancel()
            await asyncio.wait([reading])
            assert turns > read / 100
            assert written < 22_000 + 300_000  # what fits into the buffers between the two

    asyncio.run(scenario())


@settings(deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_messages_or_the_end(raw: bytes, greeted: bool) -> None:
    async def scenario() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data((GREETING + READY if greeted else b"") + raw)
        reader.feed_eof()
        wire = Wire(reader, _Deaf(), MAX)  # type: ignore[arg-type]

        async def read_on() -> None:
            await wire.greet("SUB")
            while True:
                message = await wire.receive()
                assert sum(map(len, message.frames)) <= MAX

        with pytest.raises(WireClosed):
            await read_on()

    asyncio.run(scenario())


class _Deaf:
    """A writer that nobody reads."""

    def write(self, data: bytes) -> None:
        """Forget it."""
