"""Limits stdout and stderr for each cell, and the size of each display message.

Cooperative: it keeps an ordinary cell from flooding the host. The host limits the output of a hostile cell again.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from ipykernel.iostream import OutStream

_CHUNK = 256 << 10


class OutputBudget:
    """Bytes of output the running cell may still send."""

    cell_max: ClassVar[int] = 8 << 20
    message_max: ClassVar[int] = 4 << 20
    used: ClassVar[int] = 0
    told: ClassVar[bool] = False

    @classmethod
    def renew(cls) -> None:
        """A new cell starts with a full budget."""
        cls.used, cls.told = 0, False

    @classmethod
    def take(cls, size: int) -> int:
        """Take up to `size` bytes; how many there were."""
        granted = max(0, min(size, cls.cell_max - cls.used))
        cls.used += granted
        return granted


class CappedStream(OutStream):
    """An output stream that stops forwarding, visibly, once the cell's budget is spent."""

    def write(self, string: str) -> int:
        if not isinstance(string, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # user code writes what it likes
            return super().write(string)
        granted = OutputBudget.take(len(string))
        for start in range(0, granted, _CHUNK):
            super().write(string[start : min(start + _CHUNK, granted)])
            if granted > _CHUNK:
                self.flush()
        if granted < len(string) and not OutputBudget.told:
            OutputBudget.told = True
            super().write(f"\n[output cut after {OutputBudget.cell_max} bytes]\n")
        return len(string)


def cap_message(message: dict[str, Any]) -> dict[str, Any]:
    """Replace what is too large in a display message by a line that says so."""
    content = message["content"]
    bundle = content.get("data") or {}
    data: dict[str, Any] = {}
    cut: list[str] = []
    for mime, value in bundle.items():
        size = len(value) if isinstance(value, str) else len(json.dumps(value, default=str))
        if size > OutputBudget.message_max or OutputBudget.take(size) < size:
            cut.append(f"{mime}, {size} bytes")
        else:
            data[mime] = value
    if cut:
        note = f"[output cut: {'; '.join(cut)}]"
        data["text/plain"] = f"{data['text/plain']}\n{note}" if "text/plain" in data else note
        message["content"] = {**content, "data": data}
    return message
