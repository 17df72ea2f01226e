"""A table's way from a worker to the server: an Arrow IPC stream whose every property is checked on arrival.

A stream of a few bytes may stand for any amount of memory: compressed buffers, dictionaries, views that all point at
one long text, columns of nulls. None of these is taken, rows and bytes are counted again, and Arrow validates every
offset. So a table costs the server what its bytes cost, and no more than the budget.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from assistant.sources.workers.frames import ChannelBroken, announce, receive_bytes

if TYPE_CHECKING:
    import socket

    from assistant.core.values import ArrowTable, ArrowType, Budget

_CHUNK_ROWS = 1 << 20
_OVERHEAD_BYTES = 16 * 1024 * 1024  # schema, padding and the heads of batches
_DEPTH_MAX = 32
_SCHEMA, _RECORD_BATCH = 1, 3  # org.apache.arrow.flatbuf.MessageHeader


def send_table(sock: socket.socket, table: ArrowTable) -> None:
    """Send a table.

    Raises:
        OSError: The server is gone.
    """
    import pyarrow as pa

    counted = pa.MockOutputStream()
    _write(counted, table)
    announce(sock, counted.size())
    with sock.makefile("wb", buffering=1 << 20) as file:
        _write(pa.PythonFile(file), table)


def _write(sink: object, table: ArrowTable) -> None:
    import pyarrow as pa

    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=_CHUNK_ROWS)


def receive_table(sock: socket.socket, budget: Budget) -> ArrowTable:
    """Receive a table.

    Raises:
        ChannelBroken: It is over the budget, damaged, or holds what would not stay within its bytes.
    """
    import pyarrow as pa

    data = receive_bytes(sock, limit_bytes=budget.limit_bytes + budget.limit_bytes // 4 + _OVERHEAD_BYTES)
    buffer = pa.py_buffer(data)
    try:
        _check_messages(buffer)
        with pa.ipc.open_stream(buffer) as reader:
            if not all(_is_plain(field.type, _DEPTH_MAX) for field in reader.schema):
                raise ChannelBroken("a table with a column that is not plain")
            table = reader.read_all()
        if table.num_rows > budget.rows_max or table.nbytes > len(data):
            raise ChannelBroken("a table that is larger than its bytes or its budget")
        table.validate()
        for column in table.columns:
            # A decimal has no offsets to check; DuckDB's widest integers have one digit more than Arrow allows.
            column.validate(full=not pa.types.is_decimal(column.type))
    except (pa.ArrowException, OSError, ValueError, struct.error) as problem:
        raise ChannelBroken(f"a table that is none ({type(problem).__name__})") from None
    return table


def _check_messages(buffer: object) -> None:
    import pyarrow as pa

    for message in pa.ipc.MessageReader.open_stream(buffer):
        kind, compressed = _head(bytes(message.metadata))
        if kind not in (_SCHEMA, _RECORD_BATCH) or compressed:
            raise ChannelBroken("a table with compressed or shared buffers")


def _head(metadata: bytes) -> tuple[int, bool]:
    """The kind of a message, and whether its buffers are compressed.

    Source: format/Message.fbs of Apache Arrow, and the layout of flatbuffers.
    """
    message = struct.unpack_from("<I", metadata)[0]
    place = _field(metadata, message, 1)
    kind = metadata[place] if place else 0
    place = _field(metadata, message, 2)
    if kind != _RECORD_BATCH or not place:
        return kind, False
    batch = place + struct.unpack_from("<I", metadata, place)[0]
    return kind, _field(metadata, batch, 3) != 0


def _field(metadata: bytes, table: int, number: int) -> int:
    """Where a field of a flatbuffer's table stands; 0 where the table leaves it out."""
    entries = table - struct.unpack_from("<i", metadata, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", metadata, entries)[0]:
        return 0
    offset = struct.unpack_from("<H", metadata, entries + 4 + 2 * number)[0]
    return table + offset if offset else 0


def _is_plain(kind: ArrowType, depth: int) -> bool:
    """Whether a column of the type holds its own values, once each."""
    import pyarrow as pa

    types = pa.types
    if depth == 0 or isinstance(kind, pa.BaseExtensionType):
        return False
    if types.is_list(kind) or types.is_large_list(kind) or types.is_struct(kind) or types.is_map(kind):
        return all(_is_plain(kind.field(place).type, depth - 1) for place in range(kind.num_fields))
    return not (
        types.is_nested(kind)
        or types.is_dictionary(kind)
        or types.is_string_view(kind)
        or types.is_binary_view(kind)
        or types.is_run_end_encoded(kind)
    )
