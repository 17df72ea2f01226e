"""What the page needs from the assistant, as the page sees it.

`assistant.bootstrap.open_workspace` gives a `Workspace`, and that a `Session`; the page uses nothing else. Coroutines
run on the one loop thread of `ui.session_hub`; everything that is not a coroutine may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime
from typing import Any, Literal, Protocol

from assistant.events import Appearance, Approvable, Entry, PolicyLevel, Step
from assistant.presentation.columns import Told
from assistant.presentation.lineage import Lineage
from ui.rooms import Rooms

Action = Literal["approve", "edit", "reject"]
Seen = Literal["names", "values", "results", "rows"]


class TableView(Protocol):
    """A result as rows: at most the first `len(rows)` of `total`."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns' names, in order."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[object]]:
        """`len(rows) x len(columns)` values."""
        ...

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        ...


class Facts(Protocol):
    """What is known of a result's figures."""

    @property
    def told(self) -> Mapping[str, Told]:
        """Units and whether they add up, by column."""
        ...

    @property
    def lineage(self) -> Lineage | None:
        """The query's tables, joins and conditions; None where they cannot be read."""
        ...


class SessionCard(Protocol):
    """A session in a list."""

    @property
    def id(self) -> str:
        """The session's id, as in the page's address."""
        ...

    @property
    def title(self) -> str:
        """Its name: the first question, until the person gives one."""
        ...

    @property
    def state(self) -> str:
        """idle, working, waiting or damaged."""
        ...

    @property
    def updated(self) -> datetime:
        """When its last event became durable (UTC)."""
        ...


class Suggestion(Protocol):
    """A column that looks like personal data, and is shown in clear until the person says otherwise."""

    @property
    def column(self) -> str:
        """The column, as `source.table.column`."""
        ...

    @property
    def what(self) -> str:
        """What it seems to hold."""
        ...

    @property
    def reason(self) -> str:
        """Why; without any value of it."""
        ...


class Masking(Protocol):
    """What masking a column took."""

    @property
    def turns(self) -> int:
        """Answers that are withheld."""
        ...


class Health(Protocol):
    """One thing the doctor looked at."""

    @property
    def name(self) -> str:
        """What was looked at."""
        ...

    @property
    def state(self) -> Literal["ok", "weak", "missing"]:
        """How it is."""
        ...

    @property
    def text(self) -> str:
        """What was found."""
        ...

    @property
    def advice(self) -> str:
        """What to do about it; empty where nothing need be done."""
        ...

    @property
    def suggestions(self) -> Sequence[Suggestion]:
        """Columns that the person may mask."""
        ...


class SentCall(Protocol):
    """One call of a model, as it was made or would be."""

    @property
    def endpoint(self) -> str:
        """Host and port."""
        ...

    @property
    def sees(self) -> str:
        """The level of what the model may see."""
        ...

    @property
    def text(self) -> str:
        """All that was sent, as one text."""
        ...

    @property
    def reply(self) -> str:
        """What came back."""
        ...


class Disclosure(Protocol):
    """What the person chooses before a question is sent to a model elsewhere."""

    @property
    def endpoints(self) -> Sequence[str]:
        """Host and port of the endpoints that nobody has chosen for."""
        ...

    @property
    def models(self) -> Sequence[str]:
        """The models that are asked there."""
        ...

    @property
    def suggested(self) -> Seen:
        """The level to begin with."""
        ...

    @property
    def adds(self) -> Mapping[Seen, str]:
        """What each level adds to the one before."""
        ...

    @property
    def first(self) -> Mapping[Seen, SentCall]:
        """The first call of the question, by level."""
        ...


class Account(Protocol):
    """One limit on models, and what of it is used."""

    @property
    def setting(self) -> str:
        """The setting, as `budgets.turn.calls`."""
        ...

    @property
    def what(self) -> str:
        """Calls, tokens, dollars or seconds."""
        ...

    @property
    def used(self) -> float | None:
        """How many of them; None where a price is unknown."""
        ...

    @property
    def limit(self) -> float:
        """How many there may be."""
        ...


class ListedModel(Protocol):
    """A language model that some role uses."""

    @property
    def name(self) -> str:
        """The name that the settings use for it."""
        ...

    @property
    def endpoint(self) -> str:
        """Host and port."""
        ...

    @property
    def use(self) -> str:
        """What it is used for, in words."""
        ...


class Tried(Protocol):
    """How the test of a model went."""

    @property
    def ok(self) -> bool:
        """Whether it replied."""
        ...

    @property
    def text(self) -> str:
        """How it went, in a sentence or two."""
        ...


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

    async def stop(self) -> bool:
        """Stop what runs."""
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


class KnowledgeCard(Protocol):
    """A document of the knowledge base."""

    @property
    def id(self) -> str:
        """What it is known by."""
        ...

    @property
    def kind(self) -> str:
        """term, metric, rule, query or note."""
        ...

    @property
    def title(self) -> str:
        """Its name."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...

    @property
    def origin(self) -> str:
        """The file it stands in."""
        ...

    @property
    def sql(self) -> str:
        """Of a verified query: what answers it."""
        ...

    @property
    def by(self) -> str:
        """Of a verified query, who marked it right; of a definition, who said it, where that is told."""
        ...

    @property
    def on(self) -> date | None:
        """The day on which they did."""
        ...

    @property
    def kept(self) -> bool:
        """Whether it stands as it was marked or defined on the page, so that it can be taken back or changed here."""
        ...

    @property
    def words(self) -> str:
        """Of a definition: the word, and after commas others for the same."""
        ...

    @property
    def meaning(self) -> str:
        """Of a definition: what it says of them."""
        ...


class Defined(Protocol):
    """A definition that was kept."""

    @property
    def word(self) -> str:
        """The word."""
        ...

    @property
    def sql(self) -> str:
        """What the embedded analyst makes of it; empty where it cannot be computed with."""
        ...


class Knowledge(Protocol):
    """What is known about the default data."""

    @property
    def embedded(self) -> int:
        """So many of the new documents are found by meaning already."""
        ...

    @property
    def to_embed(self) -> int:
        """So many documents were new at the last reading; the rest of them are found by their words."""
        ...

    @property
    def read(self) -> int:
        """Of them are read."""
        ...

    @property
    def to_read(self) -> int:
        """So many document files had to be read."""
        ...

    @property
    def folder(self) -> str:
        """Where it is kept; empty where there is none."""
        ...

    @property
    def cards(self) -> Sequence[KnowledgeCard]:
        """The documents."""
        ...

    @property
    def problems(self) -> Sequence[str]:
        """What could not be read."""
        ...


class Workspace(Rooms, Protocol):
    """All sessions, and what they work on."""

    @property
    def default_source(self) -> str:
        """What data is connected when nothing else is said, and how fresh it is."""
        ...

    def sessions(self) -> tuple[SessionCard, ...]:
        """All sessions, the last changed first."""
        ...

    def warm(self) -> None:
        """Begin to make kernels ready in the background. Called on the loop."""
        ...

    async def create(self, sources: Sequence[str] = (), *, bare: bool = False) -> Session:
        """Begin a session on these sources, else on the default ones; `bare` on none, for files that come next."""
        ...

    def of(self, person: str) -> Workspace:
        """The same for one person who signed in: their own sessions and boards alone."""
        ...

    async def share(self, session_id: str) -> str:
        """Make a link to a session's answers. Gives its token. Raises AssistantError where that fails."""
        ...

    async def unshare(self, session_id: str) -> object:
        """Let no link lead to a session any more."""
        ...

    async def links(self, session_id: str) -> int:
        """How many links lead to a session."""
        ...

    async def shared(self, token: str) -> bytes:
        """The answers that a link leads to, as one HTML file. Raises AssistantError where it leads nowhere."""
        ...

    async def connect_default(self, session: Any) -> None:
        """Connect a session to the default sources."""
        ...

    async def open(self, session_id: str) -> Session:
        """Open a session. Raises assistant.errors.SessionError when there is none of that id."""
        ...

    async def rename(self, session_id: str, title: str) -> object:
        """Give a session a name."""
        ...

    async def delete(self, session_id: str) -> object:
        """Delete a session and all it kept."""
        ...

    async def knowledge(self) -> Knowledge:
        """What the organisation means by the default data."""
        ...

    async def revoke(self, query: str) -> object:
        """Take back a verified query, by its id. Raises AssistantError where that fails."""
        ...

    async def define(self, word: str, meaning: str, *, instead_of: str = "") -> Defined:
        """Keep a person's definition of a word. Raises AssistantError where that fails; nothing changed then."""
        ...

    async def undefine(self, definition: str) -> object:
        """Remove a definition, by its id. Raises AssistantError where that fails."""
        ...

    async def decide_mask(self, column: str, *, mask: bool) -> Masking:
        """Mask a column, at once and everywhere, or suggest it no more. Raises AssistantError where that fails."""
        ...

    def models(self) -> Sequence[ListedModel]:
        """The language models of the settings."""
        ...

    async def try_model(self, name: str) -> Tried:
        """Ask a model for one word, without any data."""
        ...

    async def doctor(self) -> tuple[Health, ...]:
        """What works here and what does not."""
        ...


OpenWorkspace = Callable[[], AbstractAsyncContextManager[Workspace]]
