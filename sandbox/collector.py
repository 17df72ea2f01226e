"""Collects the outputs of one cell from its kernel messages: a pure fold with a byte budget. Its input is untrusted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from .jupyter_messages import Envelope, Message
from .results import ERROR_MIME, JSON, TEXT_MIME, Failure, Output, Variable

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_CELL_LINE = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_NAME_MAX = 200
_MESSAGE_MAX = 2_000
_TRACEBACK_MAX = 20_000
_ITEMS_MAX = 200
_PIECES_MAX = 2_000
_REASONS_MAX = 5
_CONTROL_BYTES_MAX = 256 << 10
# What replaces itself (a display that is updated, an output that is cleared) may exceed the limit so many times in all.
_OPENED_TIMES = 16
# A parsed value takes this much memory at least, and as much time as so many bytes of text wherever it is copied.
_VALUE_BYTES = 20


class Collector:
    """Folds the messages of one cell: `admits` says what is worth reading, `feed` takes what was read.

    Args:
        limit_bytes: Output kept, as it came over the wire; the rest is counted unread, and said at the end.

    Attributes:
        idle: The kernel said that it is done with the cell.
        reply: The content of its reply, once there is one.
        lost: The kernel never said that it was done: what it held back is unknown.
    """

    def __init__(self, *, limit_bytes: int) -> None:
        self.idle = False
        self.lost = False
        self.reply: Mapping[str, Any] | None = None
        self._limit = limit_bytes
        self._opened = 0
        self._cut = 0
        self._unfit: list[str] = []
        self._pieces: list[Output] = []
        self._sizes: list[int] = []
        self._texts: list[str] = []  # of the last piece where it is a stream, which grows
        self._clear_next = False
        self._count: int | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self.idle and self.reply is not None

    def admits(self, envelope: Envelope) -> bool:
        """Whether the message is to be read. One that would exceed the limit is counted here, and to be dropped."""
        size = envelope.size_bytes
        match envelope.kind:
            case "execute_reply":
                return self.reply is None
            case "status" | "execute_input":
                return size <= _CONTROL_BYTES_MAX
            case "clear_output" | "update_display_data":
                admitted = size <= self._limit
            case "stream":
                admitted = self._room() > 0
            case "display_data" | "execute_result" | "error":
                admitted = size <= self._room() and (len(self._pieces) < _PIECES_MAX or self._clear_next)
            case _:
                return False
        if not admitted or self._opened + size > _OPENED_TIMES * self._limit:
            self._cut += size
            return False
        self._opened += size
        return True

    def feed(self, message: Message) -> Output | None:  # noqa: C901  one arm for each kind of message
        """Take one message; the output it added or replaced, if any."""
        content, size = message.content, message.size_bytes
        if message.unfit is not None:
            self._refuse(message.kind, message.unfit)
            return None
        match message.kind:
            case "stream":
                name = content.get("name")
                return self._add_stream("stderr" if name == "stderr" else "stdout", _text(content.get("text")), size)
            case "display_data":
                return self._add(_display(content), message)
            case "update_display_data":
                return self._update(_display(content), message)
            case "execute_result":
                count = _whole(content.get("execution_count"))
                data, metadata = _bundle(content)
                return self._add(Output(kind="result", count=count, data=data, metadata=metadata), message)
            case "error":
                return self._add(_error_output(content), message)
            case "clear_output":
                if content.get("wait") is True:
                    self._clear_next = True
                else:
                    self._clear()
            case "execute_input":
                self._count = _whole(content.get("execution_count"))
            case "execute_reply":
                self.reply = content
            case "status":
                if content.get("execution_state") == "idle":
                    self.idle = True
            case _:
                pass
        return None

    def outputs(self) -> tuple[Output, ...]:
        """The outputs so far, with a marker at the end if some were cut or lost."""
        markers: list[str] = []
        if self._cut:
            markers.append(f"[output cut: {self._cut} more bytes were not kept]\n")
        markers += [f"[output not kept: {reason}]\n" for reason in self._unfit]
        if self.lost:
            markers.append("[output lost: the kernel did not say that the cell was done]\n")
        self._seal()
        marks = [Output(kind="stream", stream="stderr", data={TEXT_MIME: marker}) for marker in markers]
        return (*self._pieces, *marks)

    def failure(self) -> Failure | None:
        """The exception the kernel reported, None where it reported success or nothing."""
        if self.reply is None or self.reply.get("status") == "ok":
            return None
        if self.reply.get("status") != "error":
            return Failure(kind="raised", name="Aborted", message="The kernel did not run the cell.")
        name, message = _clean(self.reply.get("ename"), _NAME_MAX), _clean(self.reply.get("evalue"), _MESSAGE_MAX)
        traceback = "\n".join(_traceback(self.reply.get("traceback")))[-_TRACEBACK_MAX:]
        kind: Literal["memory", "raised"] = "memory" if name in ("MemoryError", "ArrowMemoryError") else "raised"
        if name.endswith("MemoryError"):
            kind = "memory"
        return Failure(kind=kind, name=name, message=message, traceback=traceback, line=self._line(traceback))

    def variables(self) -> tuple[Variable, ...]:
        """New and changed variables, as the guest described them."""
        variables = [_variable(item) for item in _items(self._left("variables"))]
        return tuple(variable for variable in variables if variable is not None)

    def gone(self) -> tuple[str, ...]:
        """Names that vanished."""
        return tuple(item[:_NAME_MAX] for item in _items(self._left("gone")) if isinstance(item, str))

    def _left(self, key: str) -> Any:
        report = self.reply.get("tandem") if self.reply is not None else None
        return report.get(key) if isinstance(report, Mapping) else None

    def _line(self, traceback: str) -> int | None:
        """The deepest line of this very cell in `traceback`."""
        frames = [(int(cell[:9]), int(line[:9])) for cell, line in _CELL_LINE.findall(traceback)]
        counts = [cell for cell, _ in frames]
        cell = self._count if self._count is not None or not counts else max(counts)
        lines = [line for count, line in frames if count == cell]
        return lines[-1] if lines else None

    def _refuse(self, kind: str, reason: str) -> None:
        if kind == "execute_reply":
            message = f"How the cell ended cannot be read: {reason}."
            self.reply = {"status": "error", "ename": "UnreadableReply", "evalue": message}
        elif reason not in self._unfit and len(self._unfit) < _REASONS_MAX:
            self._unfit.append(reason)

    def _room(self) -> int:
        return self._limit if self._clear_next else max(0, self._limit - sum(self._sizes))

    def _add_stream(self, name: Literal["stdout", "stderr"], text: str, size: int) -> Output | None:
        self._clear_if_due()
        room = self._room()
        if size > room:
            raw = text.encode()
            self._cut += max(0, len(raw) - room)
            text, size = raw[:room].decode("utf-8", "ignore"), room
        if not text:
            return None
        piece = Output(kind="stream", stream=name, data={TEXT_MIME: text})
        last = self._pieces[-1] if self._pieces else None
        if last is not None and last.kind == "stream" and last.stream == name:
            self._texts.append(text)
            self._sizes[-1] += size
        elif len(self._pieces) < _PIECES_MAX:
            self._append(piece, size)
            self._texts = [text]
        else:
            self._cut += size
            return None
        return piece

    def _update(self, piece: Output, message: Message) -> Output | None:
        if piece.display_id is None:
            return None
        size = _weight(message)
        for position, old in enumerate(self._pieces):
            if old.display_id == piece.display_id:
                if size - self._sizes[position] > self._room():
                    self._cut += message.size_bytes
                    return None
                self._sizes[position] = size
                self._pieces[position] = replace(piece, kind=old.kind, count=old.count)
                return self._pieces[position]
        return None

    def _add(self, piece: Output, message: Message) -> Output | None:
        size = _weight(message)
        if size > self._room():
            self._cut += message.size_bytes
            return None
        self._clear_if_due()
        self._append(piece, size)
        return piece

    def _append(self, piece: Output, size: int) -> None:
        self._seal()
        self._texts = []
        self._pieces.append(piece)
        self._sizes.append(size)

    def _seal(self) -> None:
        """Join the last stream's texts: joined each time one came, a long stream would be copied again and again."""
        if len(self._texts) > 1:
            self._texts = ["".join(self._texts)]
            self._pieces[-1] = replace(self._pieces[-1], data={TEXT_MIME: self._texts[0]})

    def _clear_if_due(self) -> None:
        if self._clear_next:
            self._clear()

    def _clear(self) -> None:
        self._clear_next = False
        self._pieces, self._sizes, self._texts = [], [], []


def without_ansi(text: str) -> str:
    """`text` without terminal control sequences."""
    return _ANSI.sub("", text)


def _weight(message: Message) -> int:
    """What a piece counts: its bytes, or what its values take where they are many and small."""
    return max(message.size_bytes, _VALUE_BYTES * message.values)


def _display(content: Mapping[str, Any]) -> Output:
    transient = content.get("transient")
    raw = transient.get("display_id") if isinstance(transient, Mapping) else None
    display_id = raw[:_NAME_MAX] if isinstance(raw, str) else None
    data, metadata = _bundle(content)
    return Output(kind="display", display_id=display_id, data=data, metadata=metadata)


def _error_output(content: Mapping[str, Any]) -> Output:
    error: dict[str, JSON] = {
        "name": _clean(content.get("ename"), _NAME_MAX),
        "message": _clean(content.get("evalue"), _MESSAGE_MAX),
        "traceback": _traceback(content.get("traceback")),
    }
    return Output(kind="error", data={ERROR_MIME: error})


def _traceback(raw: Any) -> list[str]:
    return [without_ansi(line)[:_TRACEBACK_MAX] for line in _items(raw) if isinstance(line, str)]


def _bundle(content: Mapping[str, Any]) -> tuple[Mapping[str, JSON], Mapping[str, JSON]]:
    """Data and metadata in the shape nbformat asks for: text under text types, JSON under JSON types."""
    data: dict[str, JSON] = {}
    raw = content.get("data")
    for mime, value in raw.items() if isinstance(raw, Mapping) else ():
        if not isinstance(mime, str) or len(mime) > _NAME_MAX or "/" not in mime:
            continue
        if mime == "application/json" or mime.endswith("+json") or isinstance(value, str):
            data[mime] = value
        elif isinstance(value, list) and all(isinstance(line, str) for line in value):
            data[mime] = "".join(value)
    metadata = content.get("metadata")
    return data, metadata if isinstance(metadata, Mapping) else {}


def _variable(item: Any) -> Variable | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
        return None
    shape = [_whole(part) for part in _items(item.get("shape"))] if item.get("shape") is not None else None
    columns = (
        [str(name)[:_NAME_MAX] for name in _items(item.get("columns"))] if item.get("columns") is not None else None
    )
    return Variable(
        name=item["name"][:_NAME_MAX],
        type=_text(item.get("type"))[:_NAME_MAX],
        shape=tuple(part for part in shape if part is not None) if shape is not None else None,
        columns=tuple(columns) if columns is not None else None,
        size_bytes=_whole(item.get("size_bytes")),
    )


def _items(value: Any) -> Sequence[Any]:
    return value[:_ITEMS_MAX] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _clean(value: Any, length: int) -> str:
    return without_ansi(_text(value))[:length]


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else None
