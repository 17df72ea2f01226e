"""From a kernel's messages about one cell to its outputs: a pure fold, with a byte budget. Trusts nothing it is fed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .results import ERROR_MIME, JSON, TEXT_MIME, Failure, Output, Variable

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_CELL_LINE = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_NAME_MAX = 200
_MESSAGE_MAX = 2_000
_TRACEBACK_MAX = 20_000
_ITEMS_MAX = 200
_PIECES_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the kernel: its type, the request it answers, its content."""

    kind: str
    parent: str
    content: Mapping[str, Any]


class Collector:
    """Folds the messages of one cell.

    Args:
        limit_bytes: Output kept; the rest is counted, and said at the end.

    Attributes:
        idle: The kernel said that it is done with the cell.
        reply: The content of its reply, once there is one.
        lost: Messages never came: what they held is unknown.
    """

    def __init__(self, *, limit_bytes: int) -> None:
        self.idle = False
        self.lost = False
        self.reply: Mapping[str, Any] | None = None
        self._limit = limit_bytes
        self._kept = 0
        self._cut = 0
        self._pieces: list[Output] = []
        self._clear_next = False
        self._count: int | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self.idle and self.reply is not None

    def feed(self, message: Message) -> Output | None:
        """Take one message; the output it added or replaced, if any."""
        content = message.content
        match message.kind:
            case "stream":
                name = content.get("name")
                return self._add_stream("stderr" if name == "stderr" else "stdout", _text(content.get("text")))
            case "display_data" | "update_display_data":
                return self._add_display(content, update=message.kind == "update_display_data")
            case "execute_result":
                count = _whole(content.get("execution_count"))
                data, metadata = _bundle(content)
                return self._add(Output(kind="result", count=count, data=data, metadata=metadata))
            case "error":
                return self._add(_error_output(content))
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
        if self.lost:
            markers.append("[output lost: a message was too large to be taken]\n")
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
        found = [_variable(item) for item in _items(self._left("variables"))]
        return tuple(variable for variable in found if variable is not None)

    def gone(self) -> tuple[str, ...]:
        """Names that vanished."""
        return tuple(item[:_NAME_MAX] for item in _items(self._left("gone")) if isinstance(item, str))

    def _left(self, key: str) -> Any:
        left = self.reply.get("tandem") if self.reply is not None else None
        return left.get(key) if isinstance(left, Mapping) else None

    def _line(self, traceback: str) -> int | None:
        """The deepest line of this very cell in `traceback`."""
        frames = [(int(cell[:9]), int(line[:9])) for cell, line in _CELL_LINE.findall(traceback)]
        counts = [cell for cell, _ in frames]
        cell = self._count if self._count is not None or not counts else max(counts)
        lines = [line for count, line in frames if count == cell]
        return lines[-1] if lines else None

    def _add_stream(self, name: Literal["stdout", "stderr"], text: str) -> Output | None:
        self._clear_if_due()
        room = max(0, self._limit - self._kept)
        size = len(text.encode("utf-8", "replace"))
        kept = text if size <= room else text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
        self._kept += min(size, room)
        self._cut += size - min(size, room)
        if not kept:
            return None
        piece = Output(kind="stream", stream=name, data={TEXT_MIME: kept})
        last = self._pieces[-1] if self._pieces else None
        if last is not None and last.kind == "stream" and last.stream == name:
            self._pieces[-1] = replace(last, data={TEXT_MIME: last.text + kept})
        elif len(self._pieces) < _PIECES_MAX:
            self._pieces.append(piece)
        else:
            self._cut += len(kept)
        return piece

    def _add_display(self, content: Mapping[str, Any], *, update: bool) -> Output | None:
        transient = content.get("transient")
        raw = transient.get("display_id") if isinstance(transient, Mapping) else None
        display_id = raw[:_NAME_MAX] if isinstance(raw, str) else None
        data, metadata = _bundle(content)
        piece = Output(kind="display", display_id=display_id, data=data, metadata=metadata)
        if not update:
            return self._add(piece)
        if display_id is None:
            return None
        size = _size(piece.data)
        if self._kept + size > self._limit:
            self._cut += size
            return None
        for position, old in enumerate(self._pieces):
            if old.display_id == display_id:
                self._kept += size - _size(old.data)
                self._pieces[position] = replace(piece, kind=old.kind, count=old.count)
                return self._pieces[position]
        return None

    def _add(self, piece: Output) -> Output | None:
        self._clear_if_due()
        size = _size(piece.data)
        if self._kept + size > self._limit or len(self._pieces) >= _PIECES_MAX:
            self._cut += size
            return None
        self._kept += size
        self._pieces.append(piece)
        return piece

    def _clear_if_due(self) -> None:
        if self._clear_next:
            self._clear()

    def _clear(self) -> None:
        self._clear_next = False
        self._kept = 0
        self._pieces.clear()


def without_ansi(text: str) -> str:
    """`text` without terminal control sequences."""
    return _ANSI.sub("", text)


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
        if mime == "application/json" or mime.endswith("+json"):
            data[mime] = _finite(value)
        elif isinstance(value, str):
            data[mime] = value
        elif isinstance(value, list) and all(isinstance(line, str) for line in value):
            data[mime] = "".join(value)
    metadata = content.get("metadata")
    kept = {str(key): _finite(value) for key, value in metadata.items()} if isinstance(metadata, Mapping) else {}
    return data, kept


def _finite(value: Any) -> JSON:
    """JSON has no word for infinity or NaN."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(key): _finite(item) for key, item in value.items()}
        case list():
            return [_finite(item) for item in value]
        case None | bool() | int() | str():
            return value
        case _:
            return str(value)


def _size(data: Mapping[str, JSON]) -> int:
    return sum(len(value) if isinstance(value, str) else len(json.dumps(value)) for value in data.values())


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
    return value if isinstance(value, int) and not isinstance(value, bool) else None
