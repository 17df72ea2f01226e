"""A progress bar on standard error: one updated line in a terminal, a line at each tenth elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TextIO

from assistant.evaluation.score import CaseRecord, score

_WIDTH = 24
_EVERY_S = 0.2


class Bar:
    """Shows how far a run is."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0.0
        self._tenth = -1

    def __call__(self, records: Sequence[CaseRecord], total: int) -> None:
        """Draw the bar, unless that was done just now."""
        now, tenth = time.monotonic(), 10 * len(records) // max(total, 1)
        if self._stream.isatty():
            if now - self._drawn >= _EVERY_S or len(records) == total:
                end = "\n" if len(records) == total else ""
                self._stream.write(f"\r{format_line(records, total)}{end}")
                self._stream.flush()
                self._drawn = now
        elif tenth > self._tenth:
            self._stream.write(f"{format_line(records, total)}\n")
            self._stream.flush()
            self._tenth = tenth


def format_line(records: Sequence[CaseRecord], total: int) -> str:
    """The bar and what came out so far."""
    filled = _WIDTH * len(records) // max(total, 1)
    counts = score(records)
    return (
        f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {len(records)}/{total}  right {counts.right}  wrong {counts.wrong}"
        f"  asked {counts.asked}  declined {counts.declined}  failed {counts.failed}"
    )
