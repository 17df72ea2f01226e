"""What a participant can be asked to do, whatever thinks for it.

`planner`, `coder` and `reviewer` are seams: each is played by a language model (`assistant.agents.model`) or by the
embedded analyst (`assistant.agents.analyst`), configured role by role. A role is given the session's events and
answers with an event; it keeps nothing between calls, so a run can end and go on in another process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol

from assistant.core.events import (
    Answer,
    Clarification,
    Diagnosis,
    Event,
    Execution,
    FunctionsProposed,
    Judgement,
    Plan,
    Proposal,
    Review,
    StepSkipped,
)

if TYPE_CHECKING:
    from assistant.cells.tables import TableView
    from assistant.core.catalog import Catalog
    from assistant.record.memory.tiers import Digest
    from assistant.semantics.definitions import Fault
    from knowledge.documents import Document
    from knowledge.retrieval import Hit
    from knowledge.semantic.model import SemanticModel


class SessionContext(Protocol):
    """What a role may look up, when it needs it. Nothing here runs code or changes anything."""

    @property
    def today(self) -> date:
        """The injected clock's day."""
        ...

    async def catalogs(self) -> tuple[Catalog, ...]:
        """The catalog of every source of the session, in the order they were added."""
        ...

    async def documents(self) -> tuple[Document, ...]:
        """All documents of the knowledge base."""
        ...

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The governed metrics of the semantic models that were last read; empty before."""
        ...

    async def models(self) -> tuple[SemanticModel, ...]:
        """The semantic models of the knowledge base."""
        ...

    async def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the definitions of the knowledge base, given the session's sources."""
        ...

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """The documents nearest to the query, best first, with their citations."""
        ...

    async def rows(self, execution: str, *, rows_max: int = 200) -> TableView | None:
        """The table that an execution of this session gave; None where it gave none."""
        ...

    async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
        """The result of a query that the program itself wrote; never of one that a model wrote.

        Raises:
            DataError: the source cannot run it, or it took too long.
        """
        ...

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        """The result of a read-only query that the person's policy approves, under small caps; or why there is none."""
        ...

    async def try_reading(self, sql: str, *, source: str, rows_max: int, timeout_s: float) -> TableView:
        """The first rows of a query that the program itself wrote, behind the guard.

        Raises:
            QueryError: it did not run; the text says why.
            SourceError: the source cannot be reached.
        """
        ...

    async def files(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the files that each source of files was read from, by source."""
        ...

    async def elsewhere(self) -> tuple[Digest, ...]:
        """The turns of the same person's other sessions on the same data, as far as any model may be told of them."""
        ...

    async def first_lines(self, file: str) -> tuple[str, tuple[str, ...]] | None:
        """The source that a file of text belongs to, and its first lines; None where there is no such file."""
        ...


class Planner(Protocol):
    """Turns a question into a plan, and results into an answer."""

    async def plan(self, log: Sequence[Event]) -> Plan | Clarification | Answer:
        """Plan the current turn, ask back, or decline. After a rejected plan, take the reason into account.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        ...

    async def judge(self, log: Sequence[Event]) -> Plan | Judgement:
        """Say whether a `judged` plan holds, now that a step has its result; or change the rest of the plan."""
        ...

    async def answer(self, log: Sequence[Event]) -> Plan | Answer:
        """Word the answer of the current turn from what its executions gave, or plan what is still missing for it."""
        ...


class Coder(Protocol):
    """Writes the code of one step."""

    async def propose(
        self, log: Sequence[Event], *, step: int, revision: int
    ) -> Proposal | Clarification | StepSkipped | FunctionsProposed:
        """Put code forward for the step, ask what should change, or skip a step that needs no code.

        After a rejection, a `revise` or a diagnosis, the proposal takes it into account.
        """
        ...


class Reviewer(Protocol):
    """Looks at code before a person does, and at failures after."""

    async def review(self, log: Sequence[Event], proposal: Proposal, *, code: str, of_edit: bool) -> Review:
        """Judge the code: the proposal's, or the person's edit of it."""
        ...

    async def diagnose(self, log: Sequence[Event], execution: Execution) -> Diagnosis:
        """Say why an execution failed and whether a repair is worth another proposal."""
        ...
