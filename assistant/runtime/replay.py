"""Which cells rebuild a kernel's state. Pure.

Every cell that ran is run again in order, failed ones included, because a failed cell may have changed half of the
state. A cell that was cut short ends what can be rebuilt faithfully: what ran after it in that same kernel is named,
not run. Their queries are not asked again: the broker answers from the snapshots of the first run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.core.events import Event, Execution
from assistant.core.turns import fold_events


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Cells to run again, in order, and the ids of executions that cannot be rebuilt."""

    cells: tuple[Execution, ...] = ()
    lost_cells: tuple[str, ...] = ()


def plan_rebuild(events: Iterable[Event]) -> Rebuild:
    """What rebuilds the kernel that the log's last event left behind."""
    kernel = fold_events(events).kernel
    return Rebuild(cells=tuple(kernel.cells), lost_cells=tuple(kernel.lost_cells))
