"""One conversation with its kernel: what it shows, and what the person may do with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, Protocol

from assistant.core.events import Appearance, Approvable, Entry, PolicyLevel, Step
from assistant.core.turns import Transcript
from ui.ports.models import Account, Disclosure, Seen, SentCall
from ui.ports.results import Facts, TableView

Action = Literal["approve", "edit", "reject"]


class Session(Protocol):
    """One conversation with its kernel."""

    @property
    def id(self) -> str:
        """Its id, as in the page's address."""
        ...

    @property
    def title(self) -> str:
        """Its name."""
        ...

    @property
    def version(self) -> int:
        """Rises with every visible change."""
        ...

    @property
    def partial(self) -> Mapping[str, str]:
        """Text being streamed, by participant; never persisted."""
        ...

    @property
    def state(self) -> Literal["idle", "working", "waiting"]:
        """What it does now."""
        ...

    @property
    def damage(self) -> str:
        """That its log is damaged, and where; empty where it is whole."""
        ...

    @property
    def fault(self) -> str:
        """Why the end of the last run could not be written; empty where it could."""
        ...

    @property
    def transcript(self) -> Transcript:
        """Its turns, folded from the log."""
        ...

    def events(self, after: int = 0) -> tuple[Entry, ...]:
        """The log, from the entry after `after` on."""
        ...

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, from any thread, when `version` rises. Gives back what ends it."""
        ...

    def table(self, execution: str, *, rows_max: int = 1000) -> TableView | None:
        """The table that an execution gave."""
        ...

    def chart(self, execution: str) -> dict[str, Any] | None:
        """The chart that an execution gave: a Vega-Lite specification with its data inside."""
        ...

    def obstacle(self, turn: int) -> str:
        """Why a turn's answer cannot be marked right, in a sentence; empty where it can."""
        ...

    async def leans(self, turn: int) -> bool:
        """Whether a turn's question may lean on the answer before it: then its answer cannot be marked right either."""
        ...

    async def verify(self, turn: int) -> object:
        """Mark a turn's answer right: its question and SQL are kept. Raises AssistantError where that fails."""
        ...

    async def revoke(self, turn: int) -> bool:
        """Take that back; False where no mark stands. Raises AssistantError where that fails."""
        ...

    async def cage(self) -> str:
        """The level of the cage that holds, or would hold, the session's code."""
        ...

    async def ask(self, text: str, *, files: Sequence[str] = (), approve: Collection[Approvable] = ()) -> object:
        """Ask a question. `files` names uploads that came with it. Raises SessionError while it is at work."""
        ...

    async def decide(
        self,
        request: str,
        action: Action,
        *,
        code: str | None = None,
        steps: Sequence[Step] | None = None,
        reason: str = "",
        approve: Collection[Approvable] = (),
        cells: bool = False,
        typed: str = "",
    ) -> bool:
        """Take a decision; False means that it was taken already, elsewhere."""
        ...

    async def answer_clarification(self, clarification: str, text: str) -> bool:
        """Answer a question back."""
        ...

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent to a model; None where nothing is left to choose."""
        ...

    async def choose_seen(self, endpoints: Sequence[str], level: Seen) -> object:
        """Keep what model endpoints may see of the data."""
        ...

    def sent(self, name: str) -> SentCall | None:
        """What a model was sent in the call whose `Usage` carries this name."""
        ...

    def accounts(self) -> Sequence[Account]:
        """The limits on models that are set, and what is used of them."""
        ...

    async def stop_turn(self) -> bool:
        """Stop what runs, or the turn where it has just come to a question."""
        ...

    async def resume(self) -> bool:
        """Go on with a stopped turn."""
        ...

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> object:
        """Add uploaded files as sources; `FILE.tandem.toml` says how `FILE` is read. Raises AssistantError."""
        ...

    async def export(self) -> bytes:
        """The session as a notebook."""
        ...

    async def present(self, turn: int, look: Appearance) -> object:
        """Show a turn's answer so from now on."""
        ...

    async def present_in_words(self, text: str) -> bool:
        """Show the last answer as the words say; False where they are a question."""
        ...

    async def dispute(self, turn: int, note: str = "", *, stands: bool = True) -> object:
        """Say that a turn's answer is wrong, and why; or take that back."""
        ...

    async def facts(self, execution: str) -> Facts:
        """What is known of a result's figures, and where they come from."""
        ...

    async def ask_for_rows_under(self, execution: str, row: Mapping[str, object]) -> object:
        """Put the query for the rows under one row of a result forward. Raises SessionError where there is none."""
        ...

    async def picture(self, specification: Mapping[str, Any], kind: Literal["png", "svg"]) -> bytes:
        """A chart as a picture. Raises SessionError where it cannot be drawn."""
        ...

    async def set_policy(self, level: PolicyLevel) -> object:
        """Let so much go ahead without asking, here and in later sessions on the same sources."""
        ...

    async def allow(self, approve: Collection[Approvable]) -> object:
        """Stop asking, in this session, before what `approve` names."""
        ...
