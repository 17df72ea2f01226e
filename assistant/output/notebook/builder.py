"""A notebook from a session's entries: a pure fold, that reads no file, asks no source and keeps no state.

Each turn is told in the order in which it happened: the question, what was asked back, the plan, then for every step
what was proposed, found and decided, and the very bytes that ran, with what they gave. Cells that were refused, stopped
or killed are quoted, not run again. A Python cell that raised may have changed half of the state that later cells
build on, so it stays a cell, tagged `raises-exception`: it fails again, and what follows goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from assistant.core.events import (
    Answer,
    AnyEvent,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Disputed,
    Entry,
    Execution,
    ExecutionStarted,
    Failed,
    HistorySummarised,
    Judgement,
    KernelRestarted,
    Looked,
    PackageAdded,
    PackageProposed,
    Plan,
    PolicyChanged,
    Presented,
    Proposal,
    Question,
    Resumed,
    Review,
    Revoked,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    StepSkipped,
    Stopped,
    UncagedAccepted,
    Usage,
    Verified,
    Withheld,
)
from assistant.output.notebook import words
from assistant.output.notebook.opening import opening_cell
from assistant.output.notebook.outputs import Draw, no_picture, recorded
from assistant.output.notebook.sources import NotebookSource

_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def build(entries: Sequence[Entry], sources: Sequence[NotebookSource], *, draw: Draw = no_picture) -> NotebookNode:
    """Build the notebook of a session.

    Args:
        entries: The session's log.
        sources: Its sources, in the order they were added.
        draw: Makes a PNG of a chart; by default none is made.

    Returns:
        A valid notebook of format 4.5, which needs no Tandem to run.
    """
    fold = _Fold(draw)
    for entry in entries:
        fold.add(entry)
    fold.flush()
    opening = new_code_cell(opening_cell(sources, fold.codes), id="opening")
    head = new_markdown_cell(_head(entries, sources), id="head")
    notebook = new_notebook(
        cells=[head, *_installing(entries), opening, *fold.cells],
        metadata={"kernelspec": _KERNEL, "language_info": {"name": "python"}},
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


class _Fold:
    """The cells made so far, and the text that waits for its place between them."""

    def __init__(self, draw: Draw) -> None:
        self.cells: list[NotebookNode] = []
        self.codes: list[str] = []
        self._draw = draw
        self._waiting: list[str] = []
        self._since = 0
        self._proposals: dict[str, Proposal] = {}
        self._ids: set[str] = {"head", "install", "opening"}

    def add(self, entry: Entry) -> None:
        """Take one entry in."""
        event = entry.event
        if isinstance(event, Question):
            self.flush()
        if isinstance(event, Proposal):
            self._proposals[event.id] = event
        if text := self._told(event):
            self._since = self._since if self._waiting else entry.seq
            self._waiting.append(text)
        if isinstance(event, Execution) and runs_again(event):
            self.flush()
            self._cell(event, entry.seq)
            if text := words.checks(event):
                self._since = entry.seq
                self._waiting.append(text)

    def flush(self) -> None:
        """Make a cell of the text that waits."""
        if self._waiting:
            self.cells.append(new_markdown_cell("\n\n".join(self._waiting), id=self._id(f"text-{self._since}")))
            self._waiting = []

    def _cell(self, event: Execution, seq: int) -> None:
        count = len(self.codes) + 1
        raised = event.status == "failed"
        self.codes.append(event.code)
        self.cells.append(
            new_code_cell(
                event.code,
                id=self._id(f"code-{seq}"),
                execution_count=count,
                outputs=recorded(event.outputs, execution_count=count, draw=self._draw),
                metadata={
                    "tandem": {"execution": event.id, "turn": event.turn},
                    **({"tags": ["raises-exception"]} if raised else {}),
                },
            )
        )

    def _id(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._ids:
            name, number = f"{wanted}-{number}", number + 1
        self._ids.add(name)
        return name

    def _told(self, event: AnyEvent) -> str:  # noqa: C901  one arm for each kind of event
        """An event as text; empty for what is not told."""
        match event:
            case Question():
                return words.question(event.turn, event.text, event.files)
            case Clarification():
                options = f"\n\n{words.bullets(event.options)}" if event.options else ""
                return f"**Asked back:** {words.line(event.text)}{options}"
            case ClarificationAnswered():
                return f"**You answered:** {words.line(event.text)}"
            case Plan():
                return words.plan(event)
            case Proposal():
                return words.proposal(event)
            case Review():
                return words.review(event)
            case Decision(subject="package"):
                return words.package_decided(event)
            case Decision():
                return words.decision(event, rejected=self._proposals.get(event.ref))
            case Execution():
                return "" if runs_again(event) else words.failed(event)
            case StepSkipped():
                return words.skipped(event)
            case Diagnosis():
                return words.diagnosis(event)
            case Answer():
                shown = (event.table, *event.more_tables) if event.more_tables else ()
                results = [put.result for name in shown if name and (put := self._proposals.get(name)) is not None]
                return words.answer(event, results=results)
            case KernelRestarted():
                return _restarted(event)
            case Judgement():
                return words.judgement(event)
            case Stopped():
                return f"*Stopped by {'you' if event.by == 'person' else 'a restart of the program'}.*"
            case Failed():
                return f"**Not answered.** {words.prose(event.message)}"
            case UncagedAccepted():
                return "*You agreed that code of this session may run without a cage on that machine.*"
            case PackageAdded():
                return f"*You added the package {words.line(event.name)} {words.line(event.version)}.*"
            case (
                SessionOpened()
                | SessionRenamed()
                | SourceAdded()
                | PolicyChanged()
                | DecisionRequested()
                | PackageProposed()
                | ExecutionStarted()
                | Resumed()
                | HistorySummarised()
                | Looked()
                | Usage()
                | Withheld()
                | Verified()
                | Revoked()
                | Presented()
                | Disputed()
            ):
                return ""
            case _:
                assert_never(event)


def _installing(entries: Sequence[Entry]) -> Sequence[NotebookNode]:
    """The cell that installs the packages that were added; none where there are none."""
    added = [entry.event for entry in entries if isinstance(entry.event, PackageAdded)]
    wanted = dict.fromkeys(f"{package.name}=={package.version}" for package in added)
    return [new_code_cell(f"%pip install {' '.join(wanted)}", id="install")] if wanted else []


def runs_again(execution: Execution) -> bool:
    """Whether an execution stands as a cell, to be run again, rather than as a quotation.

    A failed SQL step changed nothing. A failed Python step may have; but if it was refused, stopped or killed, it would
    be again, or worse.
    """
    if execution.status == "ok":
        return True
    failure = execution.failure
    return execution.language == "python" and failure is not None and failure.kind == "raised"


def _restarted(event: KernelRestarted) -> str:
    parts = [f"*The kernel was restarted: {words.line(event.reason)}. Cells run again: {event.rerun}.*"]
    if event.lost:
        parts.append("Not run again then:\n" + words.bullets(event.lost))
    if event.drifted:
        parts.append("Came out otherwise then:\n" + words.bullets(event.drifted))
    return "\n\n".join(parts)


def _head(entries: Sequence[Entry], sources: Sequence[NotebookSource]) -> str:
    events = [entry.event for entry in entries]
    named = [event.title for event in events if isinstance(event, SessionRenamed)]
    asked = [event.text for event in events if isinstance(event, Question)]
    title = words.line((named[-1:] or asked[:1] or ["A session"])[0])
    parts = [
        f"# {title or 'A session'}",
        "A session with Tandem, a data-analysis assistant: what was asked, planned, proposed and decided, the code "
        "that ran, and what it gave. It runs from top to bottom without Tandem; the first cell says what it needs and "
        "where the data lies.",
    ]
    if sources:
        parts.append("**Data**\n\n" + "\n".join(_source(source, events) for source in sources))
    if masked := [f"`{source.name}.{column}`" for source in sources for column in source.masked]:
        parts.append(
            f"**Masked.** No value of {', '.join(masked)} stands in this notebook. Run again, the cells "
            "below show `•••` for them, too, and no other query on that data is run. This protects what is shown, not "
            "the data: who runs this notebook needs rights on the source, and with the environment variable "
            "`TANDEM_SHOW_MASKED=yes` sees in clear whatever those rights show."
        )
    if entries:
        parts.append(f"*Begun on {entries[0].at.date().isoformat()}.*")
    return "\n\n".join(parts)


def _source(source: NotebookSource, events: Sequence[AnyEvent]) -> str:
    added = [event for event in events if isinstance(event, SourceAdded) and event.name == source.name]
    display = f": {words.line(added[-1].display)}" if added else ""
    notes = "".join(f"\n    - {words.line(note)}" for note in (added[-1].notes if added else ()))
    return f"- `{source.name}` ({source.dialect or source.kind}){display}{notes}"
