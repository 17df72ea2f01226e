"""What the cells of a session left in its kernel.

A cell that was cut short may have done half of its work, so what ran after it in that same kernel cannot be rebuilt
faithfully.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.core.events import Execution, KernelRestarted, Variable

_CUT_SHORT = frozenset({"timeout", "interrupted", "memory", "cpu", "killed", "crashed"})
_NEVER_RAN = frozenset({"refused", "busy"})


@dataclass(slots=True, kw_only=True)
class KernelContents:
    """The cells that rebuild a kernel, and what is lost.

    Attributes:
        cells: The executions to run again, in order, failed ones included.
        lost_cells: The ids of those that cannot be rebuilt.
    """

    cells: list[Execution] = field(default_factory=list[Execution])
    lost_cells: list[str] = field(default_factory=list[str])
    _is_faithful: bool = True
    _entries: dict[str, tuple[str, Variable]] = field(default_factory=dict[str, tuple[str, Variable]])

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The names that the kernel holds, in the order they last changed."""
        return tuple(variable for _, variable in self._entries.values())

    def add(self, execution: Execution) -> None:
        """Take in that a cell ran, or was refused."""
        for variable in execution.variables:
            self._entries.pop(variable.name, None)
            self._entries[variable.name] = (execution.id, variable)
        reason = execution.failure.kind if execution.failure is not None else ""
        if reason in _NEVER_RAN:
            return
        self._is_faithful = self._is_faithful and reason not in _CUT_SHORT
        if self._is_faithful:
            self.cells.append(execution)
        else:
            self.lost_cells.append(execution.id)

    def restart(self, event: KernelRestarted) -> None:
        """Take in that the kernel is a new one: it holds exactly the cells that were run again."""
        self._is_faithful = True
        self.lost_cells.clear()
        entries = self._entries if event.rerun else {}
        self._entries = {name: entry for name, entry in entries.items() if entry[0] not in event.lost}
