"""The transcript of a session: its turns, and state that all of them share."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.core.events import (
    Approvable,
    Execution,
    HistorySummarised,
    KernelRestarted,
    PackageAdded,
    Question,
    SourceAdded,
    Variable,
)
from assistant.core.turns.items import PendingRequest
from assistant.core.turns.turn import Turn

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


@dataclass(slots=True, kw_only=True)
class Transcript:
    """A whole session.

    Attributes:
        name: What the person called it; empty where they did not.
        approve: What the session's policy approves.
        uncaged: Whether the person agreed to run code without a cage.
        withheld: How often something was withheld because columns were masked.
        sources_since: For each source, the place among the turns of the first one that knew it as it is now.
        source_reads: How often a source was added or read anew.
        by: Who began it; empty where nobody is known.
        packages: The packages that were added, in order.
        summary: What a model wrote of the oldest turns.
        kernel: What its cells left in the kernel.
        seq: The number of the last entry.
    """

    name: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    sources: list[SourceAdded] = field(default_factory=list[SourceAdded])
    approve: tuple[Approvable, ...] = ()
    uncaged: bool = False
    withheld: int = 0
    source_reads: int = 0
    sources_since: dict[str, int] = field(default_factory=dict[str, int])
    by: str = ""
    packages: list[PackageAdded] = field(default_factory=list[PackageAdded])
    summary: HistorySummarised | None = None
    kernel: KernelContents = field(default_factory=KernelContents)
    seq: int = 0
    _unasked: list[SourceAdded] = field(default_factory=list[SourceAdded])

    @property
    def title(self) -> str:
        """Its name, else its first question."""
        return self.name or next((turn.question for turn in self.turns), "")

    @property
    def current(self) -> Turn | None:
        """The last turn."""
        return self.turns[-1] if self.turns else None

    @property
    def waiting(self) -> PendingRequest | None:
        """What waits for the person now."""
        return self.current.waiting if self.current is not None else None

    def turn(self, number: int) -> Turn | None:
        """The turn of that number."""
        return next((turn for turn in reversed(self.turns) if turn.number == number), None)

    def add_source(self, event: SourceAdded) -> None:
        """Add a source, or the newer state of one: to the turn in progress, or for the next question."""
        self.sources = [source for source in self.sources if source.name != event.name] + [event]
        self.source_reads += 1
        self.sources_since[event.name] = len(self.turns)
        if self.current is not None and self.current.end is None:
            self.sources_since[event.name] -= 1
            self.current.sources.append(event)
        else:
            self._unasked.append(event)

    def take_sources(self, question: Question) -> list[SourceAdded]:
        """The sources that came with a question: those added since the last one, where it has files."""
        sources, self._unasked = self._unasked, []
        return sources if question.files else []
