"""What a cell pours into the host: it is bounded, it is said, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import threading
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.collector import Collector
from sandbox.jupyter_messages import Envelope, Message, _sign, read_message  # pyright: ignore[reportPrivateUsage]
from sandbox.kernel import Kernel
from sandbox.levels import Level
from sandbox.limits import MIB, Limits
from sandbox.results import Execution

KERNEL = "k = get_ipython().kernel\nparent = k.get_parent()\n"
FLOOD = (
    f"{KERNEL}while True:\n    k.session.send(k.iopub_socket, 'stream', {{'name': 'stdout', 'text': 'x' * SIZE}}, "
    "parent=parent)"
)
NESTED = "nested = []\nfor _ in range(LEVELS): nested = [nested]\n"


def text(execution: Execution) -> str:
    return "".join(output.text for output in execution.outputs)


async def works(kernel: Kernel) -> None:
    """The next cell runs, with its own output."""
    after = await kernel.execute("print('after')", timeout_s=60)
    assert (after.status, text(after)) == ("ok", "after\n"), after.failure


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 4 * MIB])
def test_a_cell_that_only_sends_times_out_and_cells_of_others_run_meanwhile(
    loop: asyncio.Runner, lease: Any, best_level: Level, size: int
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(output_bytes=MIB, memory_bytes=1024 * MIB))
        other = await lease(best_level)
        await works(other)
        ran = 0

        async def beside() -> None:
            nonlocal ran
            while True:
                await works(other)
                ran += 1

        cells = asyncio.create_task(beside())
        # Where the loop is held up, its own clocks are too: a thread tells.
        overdue = threading.Timer(150, loop.get_loop().stop)
        overdue.start()
        seen = await kernel.execute(FLOOD.replace("SIZE", str(size)), timeout_s=3)
        ran_meanwhile = ran
        overdue.cancel()
        cells.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await cells
        assert seen.status in ("timeout", "died")  # the latter where its own memory is full first
        assert ran_meanwhile
        assert len(text(seen)) <= MIB + 200
        await works(kernel)

    loop.run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize(
    "send",
    [
        "k.session.send(k.iopub_socket, 'display_data', {'data': {'text/plain': 'x'}, 'metadata': {'m': 'x' * 900_000}}, parent=parent)",
        "k.session.send(k.iopub_socket, 'display_data', {'data': {'text/plain': 'x'}, 'transient': {'m': 'x' * 900_000}}, parent=parent)",
        "k.session.send(k.iopub_socket, 'display_data', {'data': {'text/plain': 'x'}}, metadata={'m': 'x' * 900_000}, parent=parent)",
        "k.session.send(k.iopub_socket, 'display_data', {'data': {'text/plain': 'x'}}, buffers=[b'x' * 900_000], parent=parent)",
        "k.session.send(k.iopub_socket, 'display_data', {'data': {'text/plain': 'x'}}, header={**k.session.msg_header('display_data'), 'm': 'x' * 900_000}, parent=parent)",
        "k.iopub_socket.send_multipart([b'x' * 900] * 1000)",
    ],
    ids=["metadata of a display", "transient", "metadata of a message", "buffers", "header", "frames"],
)
def test_every_byte_counts_whichever_part_of_a_message_carries_it(
    loop: asyncio.Runner, lease: Any, best_level: Level, send: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(output_bytes=2 * MIB))
        await works(kernel)
        tracemalloc.start()
        try:
            seen = await kernel.execute(f"{KERNEL}for _ in range(40):\n    sent = {send}", timeout_s=60)
            kept, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert seen.ok, seen.failure
        assert kept < 8 * MIB
        assert peak < 24 * MIB
        await works(kernel)

    loop.run(scenario())


@pytest.mark.parametrize("levels", [65, 600, 700, 960])
def test_depth_is_said_in_the_output(loop: asyncio.Runner, lease: Any, best_level: Level, levels: int) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        code = (
            f"{KERNEL}import json, sys\nsys.setrecursionlimit(5000)\n{NESTED.replace('LEVELS', str(levels))}"
            "k.session.send(k.iopub_socket, 'display_data', {'data': {'application/json': nested}, 'metadata': {}}, parent=parent)\n"
            "print('beside')"
        )
        seen = await kernel.execute(code)
        assert seen.ok, seen.failure
        assert "[output not kept: it is nested deeper than 64 levels]" in text(seen)
        assert "beside" in text(seen)
        await works(kernel)

    loop.run(scenario())


@pytest.mark.parametrize(
    "left", [f"{NESTED.replace('LEVELS', '700')}left = {{'variables': nested}}", "left = {'gone': ['\\ud800']}"]
)
def test_a_reply_that_cannot_be_read_is_one_cells_matter(
    loop: asyncio.Runner, lease: Any, best_level: Level, left: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        code = f"{KERNEL}import sys\nsys.setrecursionlimit(5000)\n{left}\nafter = k.ledger.after\n" + (
            "def once(code):\n    k.ledger.after = after\n    return left\nk.ledger.after = once"
        )
        seen = await kernel.execute(code, timeout_s=30)
        if "700" in left:
            assert seen.failure is not None
            assert "nested deeper than 64 levels" in seen.failure.message
        else:
            assert seen.ok, seen.failure
            assert seen.gone == ("\ufffd",)
        await works(kernel)

    loop.run(scenario())


def test_lone_surrogates_are_replaced_wherever_they_stand(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        code = (
            "from IPython.display import display\nlone = chr(0xD800)\n"
            "display({'text/plain': lone, 'application/json': {lone: [lone]}}, raw=True, metadata={lone: lone})\n"
            "raise ValueError(lone)"
        )
        seen = await kernel.execute(code)
        stored = json.dumps(seen.to_nbformat(), ensure_ascii=False)
        stored.encode()
        assert stored.count("\ufffd") >= 5
        assert seen.failure is not None
        seen.failure.message.encode()
        seen.failure.traceback.encode()
        await works(kernel)

    loop.run(scenario())


# A frame is bytes, or one of the names that the guest fills in.
FILLED = ("DELIMITER", "SIGNATURE", "HEADER", "PARENT", "METADATA", "CONTENT")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(st.characters(), max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)
raw_json = st.one_of(
    json_values.map(lambda value: json.dumps(value).encode()),
    st.integers(60, 1200).map(lambda levels: b"[" * levels + b"]" * levels),
    st.integers(60, 1200).map(lambda levels: b'{"data":' * levels + b"0" + b"}" * levels),
    st.integers(1, 1 << 22).map(lambda size: b'"' + b"x" * size + b'"'),
)
kinds = st.sampled_from(
    [
        "stream",
        "display_data",
        "update_display_data",
        "execute_result",
        "error",
        "clear_output",
        "execute_input",
        "comm_open",
    ]
)
frames = st.one_of(
    st.sampled_from(FILLED).map(lambda name: name.encode()),
    st.binary(max_size=40),
    raw_json,
    kinds.map(lambda kind: json.dumps({"msg_type": kind}).encode()),
)
shaped = st.tuples(st.just(b"DELIMITER"), *[st.one_of(st.just(name.encode()), frames) for name in FILLED[1:]]).map(list)
messages = st.lists(st.one_of(shaped, st.lists(frames, max_size=80)), min_size=1, max_size=6)
SENDER = (
    f"{KERNEL}import base64, json\nsession = k.session\n"
    "def fill(frames, kind, content):\n"
    "    parts = {b'DELIMITER': b'<IDS|MSG>', b'HEADER': session.pack(session.msg_header(kind)), b'METADATA': b'{}',\n"
    "             b'PARENT': session.pack(k.get_parent()['header']), b'CONTENT': content}\n"
    "    frames = [parts.get(frame, frame) for frame in frames]\n"
    "    return [session.sign(frames[2:6]) if frame == b'SIGNATURE' else frame for frame in frames]\n"
    "def send(many, kind, content):\n"
    "    for frames in many:\n        if frames: k.iopub_socket.send_multipart(fill(frames, kind, content))\n"
    "original = session.send\n"
    "def on_shell(many, kind):\n"
    "    def once(stream, what, *args, **kwargs):\n"
    "        if what == 'execute_reply':\n            session.send = original\n"
    "            for frames in many:\n                stream.send_multipart([*kwargs['ident'], *fill(frames, kind, b'{}')])\n"
    "        return original(stream, what, *args, **kwargs)\n"
    "    session.send = once\n"
    "def unpack(text): return [[base64.b64decode(frame) for frame in frames] for frames in json.loads(text)]"
)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_message_whatever_it_is_ends_the_reading(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def begin() -> Kernel:
        kernel = await lease(best_level, limits=Limits(output_bytes=4 * MIB))
        begun = await kernel.execute(SENDER)
        assert begun.ok, begun.failure
        return kernel

    kernel = loop.run(begin())

    @settings(
        max_examples=30,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(messages, messages, kinds, raw_json)
    def fuzz(on_iopub: list[list[bytes]], on_shell: list[list[bytes]], kind: str, content: bytes) -> None:
        async def scenario() -> None:
            packed = [
                json.dumps([[base64.b64encode(frame).decode() for frame in frames] for frames in many])
                for many in (on_iopub, on_shell)
            ]
            code = (
                f"send(unpack({packed[0]!r}), {kind!r}, {content[: 1 << 16]!r})\non_shell(unpack({packed[1]!r}), 'x')"
            )
            seen = await kernel.execute(code, timeout_s=60)
            assert seen.status in ("ok", "failed"), seen.failure
            json.dumps(seen.to_nbformat(), ensure_ascii=False, allow_nan=False).encode()
            assert not seen.state_lost
            await works(kernel)

        loop.run(scenario())

    fuzz()


def message(value: str) -> Message:
    raw = f'{{"data": {{"application/json": {value}}}, "metadata": {{}}}}'.encode()
    parts = (b"{}", b"{}", b"{}", raw)
    envelope = Envelope(kind="display_data", parent="", size_bytes=len(raw), parts=(_sign(parts, b"key"), *parts))
    read = read_message(envelope, b"key")
    assert read is not None
    return read


@pytest.mark.slow
@pytest.mark.parametrize("value", ["0", "{}", "[]", '""', "null"])
def test_many_small_values_count_what_they_take_once_read(value: str) -> None:
    collector = Collector(limit_bytes=8 * MIB)
    for _ in range(30):
        collector.feed(message(f"[{','.join([value] * 90_000)}]"))
    *pieces, marker = collector.outputs()
    values = sum(len(piece.data["application/json"]) for piece in pieces)  # type: ignore[arg-type]
    assert 90_000 <= values <= 8 * MIB / 20
    assert "more bytes were not kept" in marker.text


def test_updates_cannot_go_round_what_values_count() -> None:
    collector = Collector(limit_bytes=MIB)
    first = message("[0]")
    transient = {"display_id": "d"}
    collector.feed(replace(first, content={**first.content, "transient": transient}))
    large = message(f"[{','.join('0' * 90_000)}]")
    large = replace(large, kind="update_display_data", content={**large.content, "transient": transient})
    assert collector.feed(large) is None
    piece, marker = collector.outputs()
    assert piece.data["application/json"] == [0]
    assert "not kept" in marker.text


def test_a_kernel_gives_way_to_the_host(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level)
        seen = await kernel.execute("import os; print(os.getpriority(os.PRIO_PROCESS, 0))")
        assert text(seen) == f"{min(19, os.nice(0) + 5)}\n", seen.failure
        group = Path(f"/proc/{kernel._client.process.pid}/autogroup")  # pyright: ignore[reportOptionalMemberAccess]
        if group.exists():  # Linux compares the priorities of terminal sessions, not of processes in different ones
            assert group.read_text().endswith(" nice 5\n")
            assert Path("/proc/self/autogroup").read_text() != group.read_text(), "a group of the kernel's own"

    loop.run(scenario())
