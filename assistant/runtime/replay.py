"""Which cells rebuild a kernel's state. Pure.

Every cell that ran is run again in order, failed ones included, because a failed cell may have changed half of the
state. A cell that was cut short ends what can be rebuilt faithfully: what ran after it in that same kernel is named,
not run. Their queries are not asked again: the broker answers from the snapshots of the first run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.core.events import Event, Execution, KernelRestarted

_CUT_SHORT = frozenset({"timeout", "interrupted", "memory", "cpu", "killed", "crashed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Cells to run again, in order, and the ids of executions that cannot be rebuilt."""

    cells: tuple[Execution, ...] = ()
    lost: tuple[str, ...] = ()


def rebuild_of(events: Iterable[Event]) -> Rebuild:
    """Fold the log into what rebuilds the kernel that its last event left behind."""
    cells: list[Execution] = []
    lost_ids: list[str] = []
    faithful = True
    for event in events:
        match event:
            case Execution(failure=failure) if failure is not None and failure.kind in _CUT_SHORT:
                faithful = False
                lost_ids.append(event.id)
            case Execution(failure=failure) if failure is not None and failure.kind in ("refused", "busy"):
                continue  # it never reached the kernel
            case Execution() if faithful:
                cells.append(event)
            case Execution():
                lost_ids.append(event.id)
            case KernelRestarted():
                # The new kernel holds exactly the faithful cells; what was lost stays lost.
                faithful = True
                lost_ids.clear()
            case _:
                continue
    return Rebuild(cells=tuple(cells), lost=tuple(lost_ids))
