"""What a worker sends is taken as it is meant, or not at all."""

from __future__ import annotations

import contextlib
import socket
import struct
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.values import Budget
from assistant.sources.workers import frames
from assistant.sources.workers.messages import REPLY, Failed, Ran
from assistant.sources.workers.tables import receive_table, send_table

SMALL = Budget(rows_max=1_000, limit_bytes=1 << 20)


def arrived(data: bytes, budget: Budget = SMALL) -> Any:
    """What the server makes of raw bytes that a worker sent as a table."""
    ours, theirs = socket.socketpair()
    with ours, theirs:

        def write() -> None:
            frames.announce(theirs, len(data))
            theirs.sendall(data)

        thread = Thread(target=write)
        thread.start()
        try:
            return receive_table(ours, budget)
        finally:
            thread.join()


def stream(table: pa.Table, **options: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def test_a_table_arrives_as_it_was_sent() -> None:
    table = pa.table({"a": [1, None], "b": ["x", "yy"], "c": [[1.5], []], "d": [{"e": b"1"}, None], "n": [None, None]})
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send_table(theirs, table)
        assert receive_table(ours, SMALL).equals(table)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(stream(pa.table({"a": ["x" * 1000] * 900}), compression="zstd"), id="compressed"),
        pytest.param(stream(pa.table({"a": pa.array(["x", "x"]).dictionary_encode()})), id="a dictionary"),
        pytest.param(stream(pa.table({"a": pa.array(["x" * 99]).cast(pa.string_view())})), id="a view"),
        pytest.param(stream(pa.table({"a": pa.nulls(2_000)})), id="more rows than the budget, of no bytes"),
        pytest.param(stream(pa.table({"a": pa.RunEndEncodedArray.from_arrays([9], [1])})), id="runs"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xff\xff\xff\x10\0\0\0" + b"\xff" * 16, id="noise"),
    ],
)
def test_what_is_worth_more_than_its_bytes_is_refused(data: bytes) -> None:
    with pytest.raises(frames.ChannelBroken):
        arrived(data)


def test_offsets_that_point_outside_are_refused() -> None:
    data = bytearray(stream(pa.table({"a": ["abcdefgh"]})))
    place = data.rindex(struct.pack("<ii", 0, 8))
    data[place : place + 8] = struct.pack("<ii", 0, 1 << 30)
    with pytest.raises(frames.ChannelBroken):
        arrived(bytes(data))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 255)), max_size=6))
def test_damaged_tables_are_taken_or_refused_and_end_nothing(changes: list[tuple[int, int]]) -> None:
    data = bytearray(stream(pa.table({"a": [1, 2, 3], "b": ["x", "yy", None]})))
    for place, value in changes:
        data[place % len(data)] = value
    with contextlib.suppress(frames.ChannelBroken):
        assert arrived(bytes(data)).num_rows <= SMALL.rows_max


def test_a_frame_that_is_too_long_is_refused_unread() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.announce(theirs, 1 << 60)
        with pytest.raises(frames.ChannelBroken, match="allowed"):
            receive_table(ours, SMALL)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[" * 100_000, b'{"kind": "ran", "seconds": "x"}', b'{"kind": "other"}', b"\xff", b"1"],
)
def test_a_message_that_is_none_is_refused(text: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        frames.announce(theirs, len(text))
        theirs.sendall(text)
        with pytest.raises(frames.ChannelBroken):
            frames.receive(ours, REPLY)


def test_messages_arrive_as_they_were_sent() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for message in (Failed(error="QueryFailed", text="no such column"), Ran(seconds=0.5)):
            frames.send(theirs, message, REPLY)
            assert frames.receive(ours, REPLY) == message
