"""Builds a notebook from a session's events: a pure fold that reads no file, queries no source and keeps no state.

Each turn is in the order in which it happened: the question, clarifications, the plan, then for every step its
proposals, reviews and decisions, and the exact code that ran with its outputs. Cells that were refused, stopped or
killed are quoted as text. A Python cell that raised may have changed half of the state that later cells need, so it
stays a cell, tagged `raises-exception`: it fails again, and the notebook continues.
"""

from __future__ import annotations

from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from assistant.cells.functions import render_definitions
from assistant.core.events import (
    Answer,
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Entry,
    Execution,
    Failed,
    FunctionsKept,
    FunctionsProposed,
    Judgement,
    KernelRestarted,
    PackageAdded,
    Plan,
    Proposal,
    Question,
    Review,
    StepSkipped,
    Stopped,
    UncagedAccepted,
)
from assistant.core.turns import EventTeller, Transcript, fold_session
from assistant.output.notebook import markdown
from assistant.output.notebook.opening import build_opening_cell
from assistant.output.notebook.outputs import Draw, clean_outputs, no_picture
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
    transcript = fold_session(entries)
    story = _Story(draw)
    for entry in entries:
        story.add(entry)
    story.flush()
    opening = new_code_cell(build_opening_cell(sources, story.codes), id="opening")
    head = new_markdown_cell(_head(transcript, entries, sources), id="head")
    notebook = new_notebook(
        cells=[head, *_build_install_cell(transcript), opening, *story.cells],
        metadata={"kernelspec": _KERNEL, "language_info": {"name": "python"}},
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    nbformat.validate(notebook)
    return notebook


class _Story(EventTeller):
    """The cells made so far, and the text that waits for its place between them."""

    def __init__(self, draw: Draw) -> None:
        self.cells: list[NotebookNode] = []
        self.codes: list[str] = []
        self._functions: dict[str, str] = {}
        self._draw = draw
        self._waiting: list[str] = []
        self._since = 0
        self._seq = 0
        self._proposals: dict[str, Proposal] = {}
        self._ids: set[str] = {"head", "install", "opening"}

    def add(self, entry: Entry) -> None:
        """Take one entry in."""
        self._seq = entry.seq
        if text := self.tell(entry.event):
            self._since = self._since if self._waiting else entry.seq
            self._waiting.append(text)

    def flush(self) -> None:
        """Make a cell of the text that waits."""
        if self._waiting:
            self.cells.append(new_markdown_cell("\n\n".join(self._waiting), id=self._id(f"text-{self._since}")))
            self._waiting = []

    def _cell(self, event: Execution, seq: int) -> None:
        self._define_functions(event, seq)
        count = self._count()
        raised = event.status == "failed"
        self.codes.append(event.code)
        self.cells.append(
            new_code_cell(
                event.code,
                id=self._id(f"code-{seq}"),
                execution_count=count,
                outputs=clean_outputs(event.outputs, execution_count=count, draw=self._draw),
                metadata={
                    "tandem": {"execution": event.id, "turn": event.turn},
                    **({"tags": ["raises-exception"]} if raised else {}),
                },
            )
        )

    def _define_functions(self, event: Execution, seq: int) -> None:
        """A cell with the functions that an execution needs, where exactly these do not stand above."""
        hashes = {function.name: function.sha256 for function in event.functions}
        if hashes.items() <= self._functions.items():
            return
        self._functions |= hashes
        self.codes += [function.code for function in event.functions]
        code = render_definitions(event.functions)
        self.cells.append(
            new_code_cell(code, id=self._id(f"functions-{seq}"), execution_count=self._count(), outputs=[])
        )

    def _count(self) -> int:
        """The number of the next cell that runs; the first is the opening one's."""
        return 1 + sum(cell.cell_type == "code" for cell in self.cells)

    def _id(self, prefix: str) -> str:
        name, number = prefix, 2
        while name in self._ids:
            name, number = f"{prefix}-{number}", number + 1
        self._ids.add(name)
        return name

    def tell_question(self, event: Question) -> str:
        """The heading of a turn, which begins a cell of its own."""
        self.flush()
        return markdown.format_question(event.turn, event.text, event.files)

    def tell_clarification(self, event: Clarification) -> str:
        """What was asked back."""
        options = f"\n\n{markdown.bullets(event.options)}" if event.options else ""
        return f"**Question back:** {markdown.line(event.text)}{options}"

    def tell_clarification_answered(self, event: ClarificationAnswered) -> str:
        """What the person answered."""
        return f"**You answered:** {markdown.line(event.text)}"

    def tell_plan(self, event: Plan) -> str:
        """A plan."""
        return markdown.format_plan(event)

    def tell_proposal(self, event: Proposal) -> str:
        """Code that was put forward; its bytes stand where they ran."""
        self._proposals[event.id] = event
        return markdown.format_proposal(event)

    def tell_review(self, event: Review) -> str:
        """What a review found."""
        return markdown.format_review(event)

    def tell_decision(self, event: Decision) -> str:
        """What was decided."""
        if event.subject == "package":
            return markdown.format_package_decision(event)
        if event.subject == "functions":
            return markdown.format_functions_decision(event)
        return markdown.format_decision(event, rejected=self._proposals.get(event.ref))

    def tell_execution(self, event: Execution) -> str:
        """A cell that runs again with what its checks found, or a quotation of one that does not."""
        if not runs_again(event):
            return markdown.format_failure(event)
        self.flush()
        self._cell(event, self._seq)
        return markdown.format_checks(event)

    def tell_step_skipped(self, event: StepSkipped) -> str:
        """A step that needed no code."""
        return markdown.format_skipped(event)

    def tell_diagnosis(self, event: Diagnosis) -> str:
        """Why a cell failed."""
        return markdown.format_diagnosis(event)

    def tell_answer(self, event: Answer) -> str:
        """The answer, with the names of its tables where it has several."""
        names = (event.table, *event.more_tables) if event.more_tables else ()
        results = [proposal.result for name in names if name and (proposal := self._proposals.get(name)) is not None]
        return markdown.format_answer(event, results=results)

    def tell_kernel_restarted(self, event: KernelRestarted) -> str:
        """That the kernel is a new one, and what is lost by that."""
        parts = [f"*The kernel was restarted: {markdown.line(event.reason)}. Cells run again: {event.rerun}.*"]
        if event.lost:
            parts.append("Not run again then:\n" + markdown.bullets(event.lost))
        if event.drifted:
            parts.append("Came out otherwise then:\n" + markdown.bullets(event.drifted))
        return "\n\n".join(parts)

    def tell_judgement(self, event: Judgement) -> str:
        """Whether the plan held."""
        return markdown.format_judgement(event)

    def tell_stopped(self, event: Stopped) -> str:
        """That the turn was stopped."""
        return f"*Stopped by {'you' if event.by == 'person' else 'a restart of the program'}.*"

    def tell_failed(self, event: Failed) -> str:
        """That the turn failed."""
        return f"**Not answered.** {markdown.prose(event.message)}"

    def tell_uncaged_accepted(self, _event: UncagedAccepted) -> str:
        """That code may run without a cage."""
        return "*You agreed that code of this session may run without a cage on that machine.*"

    def tell_package_added(self, event: PackageAdded) -> str:
        """That a package was added."""
        return f"*You added the package {markdown.line(event.name)} {markdown.line(event.version)}.*"

    def tell_functions_proposed(self, event: FunctionsProposed) -> str:
        """Functions that were written by test, with what became of their tests."""
        return markdown.format_functions_proposal(event)

    def tell_functions_kept(self, event: FunctionsKept) -> str:
        """That functions were kept."""
        return f"*You kept {markdown.line(', '.join(event.names))}: cells can import them.*"


def _build_install_cell(transcript: Transcript) -> Sequence[NotebookNode]:
    """The cell that installs the packages that were added; none where there are none."""
    requirements = dict.fromkeys(f"{package.name}=={package.version}" for package in transcript.packages)
    return [new_code_cell(f"%pip install {' '.join(requirements)}", id="install")] if requirements else []


def runs_again(execution: Execution) -> bool:
    """Whether an execution stands as a cell, to be run again, rather than as a quotation.

    A failed SQL step changed nothing. A failed Python step may have; but if it was refused, stopped or killed, it would
    be again, or worse.
    """
    if execution.status == "ok":
        return True
    failure = execution.failure
    return execution.language == "python" and failure is not None and failure.kind == "raised"


def _head(transcript: Transcript, entries: Sequence[Entry], sources: Sequence[NotebookSource]) -> str:
    title = markdown.line(transcript.title)
    parts = [
        f"# {title or 'A session'}",
        "A session with Tandem, a data-analysis assistant: what was asked, planned, proposed and decided, the code "
        "that ran, and what it gave. It runs from top to bottom without Tandem; the first cell says what it needs and "
        "where the data lies.",
    ]
    if sources:
        parts.append("**Data**\n\n" + "\n".join(_source(source, transcript) for source in sources))
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


def _source(source: NotebookSource, transcript: Transcript) -> str:
    added = next((candidate for candidate in transcript.sources if candidate.name == source.name), None)
    display = f": {markdown.line(added.display)}" if added is not None else ""
    notes = "".join(f"\n    - {markdown.line(note)}" for note in (added.notes if added is not None else ()))
    return f"- `{source.name}` ({source.dialect or source.kind}){display}{notes}"


def to_bytes(notebook: NotebookNode) -> bytes:
    """The content of an `.ipynb` file."""
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode("utf-8", "replace")
