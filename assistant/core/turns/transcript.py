"""A whole session: its turns, and what holds for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.core.events import Approvable, HistorySummarised, PackageAdded, Question, SourceAdded
from assistant.core.turns.items import PendingRequest
from assistant.core.turns.kernel import KernelContents
from assistant.core.turns.turn import Turn


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
