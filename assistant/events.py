"""The events of a session: the single history that the page draws, memory recalls and the notebook exports.

Every event is a frozen pydantic model with a `kind` literal. Those that the participants say to each other travel
through the AutoGen group chat as `StructuredMessage[...]` (`MESSAGES`); the others only stand in the log. This module
holds values and no behaviour: who speaks next is `assistant.flow`, where events are kept is `assistant.store`.

Ids read as places: a turn is 1, 2, 3; a proposal `2.1.3` is turn 2, step 1, third version; its execution has the same
id, because a proposal is executed at most once.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Language = Literal["sql", "python"]
Role = Literal["planner", "coder", "reviewer"]
Approvable = Literal["plan", "query", "python"]
Subject = Literal["plan", "code", "package"]
PolicyLevel = Literal["ask", "queries", "python"]
POLICIES: dict[PolicyLevel, tuple[Approvable, ...]] = {
    "ask": (),
    "queries": ("plan", "query"),
    "python": ("plan", "python", "query"),
}
"""What each level lets go ahead without asking, the strictest first. Warnings and costs are asked about anyway."""
Trust = Literal["verified", "adapted", "new"]
ChartKind = Literal[
    "none", "bar", "line", "area", "stacked", "scatter", "histogram", "box", "heatmap", "pie", "multiples"
]
"""How a table is drawn; `none` draws nothing."""


class Value(BaseModel):
    """Base of all values in the log: frozen, and closed against fields nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- values that events are made of ---------------------------------------------------------------------------


class Citation(Value):
    """Where a piece of meaning came from: a document of the knowledge base."""

    id: str
    title: str
    origin: str
    excerpt: str = ""


class Step(Value):
    """One step of a plan. `instruction` is what the coder is to do, in words."""

    title: str
    language: Language
    instruction: str = ""
    hard: bool = False


class Query(Value):
    """A literal query that an approval covers. `source` None means the session's only (or first) source."""

    sql: str
    source: str | None = None


class Finding(Value):
    """One thing a review saw. `ok` is a tick; `warning` keeps the policy from approving; `danger` means do not run.

    `missing` is a module that the code imports and the cage lacks.
    """

    level: Literal["ok", "note", "warning", "danger"]
    text: str
    line: int | None = None
    missing: str = ""


class Failure(Value):
    """Why a cell did not succeed. `line` is a line of the cell, from 1."""

    kind: Literal["raised", "refused", "timeout", "interrupted", "memory", "cpu", "killed", "crashed", "busy"]
    name: str
    message: str
    traceback: str = ""
    line: int | None = None


class Variable(Value):
    """A name in the kernel after a cell: known by its profile, never by its content."""

    name: str
    type: str
    shape: tuple[int, ...] | None = None
    columns: tuple[str, ...] = ()
    size_bytes: int | None = None


class QueryRun(Value):
    """One query that ran for a cell. `file` is its Arrow snapshot in the session's data folder."""

    sql: str
    source: str
    rows: int
    seconds: float
    columns: tuple[str, ...] = ()
    fingerprint: str = ""
    file: str = ""
    parameters: str = ""


class PlannedCheck(Value):
    """What must hold of a step's result: a kind with its columns, never code. `text` says it in words.

    `result` is an earlier result and `of` its column, for the kinds that compare with one.
    """

    kind: Literal["not_empty", "one_row", "unique", "no_missing", "range", "same_rows", "same_total"]
    columns: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    result: str = ""
    of: str = ""
    text: str = ""


class Check(Value):
    """An assertion on a step's result."""

    name: str
    ok: bool
    detail: str = ""


class TableSummary(Value):
    """A table of a source, as the person is shown it. `part_of` is the table whose partition it is.

    `at` says where a table of several sources is that are asked together: its source, its schema there or "", its name.
    """

    name: str
    rows: int | None = None
    columns: tuple[str, ...] = ()
    part_of: str | None = None
    at: tuple[str, ...] = ()


class Appearance(Value):
    """How an answer's table and chart are shown. Nothing of it runs code; an empty look shows them as they came.

    `chart` None is the kind that fits best. `x`, `y` and `colour` name columns. `log` draws figures on a logarithmic
    scale. `sort` names the column that orders the rows; `top` keeps the first rows of that order. `names` are pairs of
    a column and what it is called. `percent` names columns shown as shares of their total.
    """

    chart: ChartKind | None = None
    x: str | None = None
    y: str | None = None
    colour: str | None = None
    log: bool = False
    sort: str | None = None
    descending: bool = False
    top: int | None = Field(default=None, ge=1)
    names: tuple[tuple[str, str], ...] = ()
    percent: tuple[str, ...] = ()
    scale: Literal["", "thousands", "millions"] = ""
    decimals: int | None = Field(default=None, ge=0, le=6)


# --- events ---------------------------------------------------------------------------------------------------


class Event(Value):
    """Base of all events. `turn` counts from 1; 0 is the session itself."""

    turn: int = 0


class SessionOpened(Event):
    """A session began. `by` is who began it, as the settings name them; empty where nobody is known."""

    kind: Literal["session_opened"] = "session_opened"
    by: str = ""


class SessionRenamed(Event):
    """The person gave the session a name."""

    kind: Literal["session_renamed"] = "session_renamed"
    title: str


class SourceAdded(Event):
    """A source joined the session, or was read anew because its files changed.

    `display` never holds a password; `notes` say what was guessed while loading; `as_of` is when its files were last
    changed, empty for a server.
    """

    kind: Literal["source_added"] = "source_added"
    name: str
    dialect: str
    display: str
    tables: tuple[TableSummary, ...] = ()
    notes: tuple[str, ...] = ()
    as_of: str = ""


class PolicyChanged(Event):
    """What the policy may approve without asking. In turn 0 it holds for the session, else for that turn."""

    kind: Literal["policy_changed"] = "policy_changed"
    approve: tuple[Approvable, ...] = ()


class UncagedAccepted(Event):
    """The person agreed that code of this session may run without a cage on this machine."""

    kind: Literal["uncaged_accepted"] = "uncaged_accepted"


class PackageWheel(Value):
    """One file of a package, as it was approved."""

    name: str
    version: str
    file: str
    sha256: str
    size_bytes: int


class PackageProposed(Event):
    """A package that a cell imports and the cage lacks, put before the person; no policy approves it.

    `proposal` is whose code imports `module`. Without `wheels` the index was not asked yet, because the name is in
    doubt (`doubts`): approved, it is looked up. With them, exactly these files are added. `summary` and `publisher` are
    the package's own words. A `fault` says why it cannot be had; then there is nothing to decide.
    """

    kind: Literal["package_proposed"] = "package_proposed"
    id: str
    proposal: str
    module: str
    line: int | None = None
    name: str
    version: str = ""
    summary: str = ""
    publisher: str = ""
    wheels: tuple[PackageWheel, ...] = ()
    doubts: tuple[str, ...] = ()
    fault: str = ""


class PackageAdded(Event):
    """The person let the session's kernel import a package: exactly these files, which bring these modules."""

    kind: Literal["package_added"] = "package_added"
    name: str
    version: str
    wheels: tuple[PackageWheel, ...]
    modules: tuple[str, ...]


class Question(Event):
    """What the person asked."""

    kind: Literal["question"] = "question"
    text: str
    files: tuple[str, ...] = ()


class Cell(Value):
    """The code of a step as it was known when the plan was made, and what the review found in it."""

    step: int
    language: Language
    code: str
    title: str = ""
    operations: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class Plan(Event):
    """How the question is to be answered. `meaning` is the embedded analyst's reading, as JSON; empty from models.

    `begins` is the step to begin with, from 1: a plan that grew goes on behind the steps that have run, and `changed`
    says why. `judged` means that the planner looks at each step's result before the next step begins. `cells` is the
    code of its first steps, where it is known already: then a person can approve it together with the plan.
    """

    kind: Literal["plan"] = "plan"
    id: str
    restated: str
    steps: tuple[Step, ...]
    begins: int = 1
    judged: bool = False
    changed: str = ""
    tables: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    trust: Trust = "new"
    meaning: str = ""
    cells: tuple[Cell, ...] = ()


class Clarification(Event):
    """A question back to the person, with up to four answers to choose from."""

    kind: Literal["clarification"] = "clarification"
    id: str
    asker: Literal["planner", "coder"] = "planner"
    text: str
    options: tuple[str, ...] = ()


class ClarificationAnswered(Event):
    """What the person answered to a clarification."""

    kind: Literal["clarification_answered"] = "clarification_answered"
    clarification: str
    text: str


class Proposal(Event):
    """Code put forward for a step (counted from 1). `code` is the cell, byte for byte; `queries` what it may ask.

    `meaning` is the embedded analyst's reading behind the code, as JSON, if it wrote it. `asked` are the columns of its
    result that were asked for, where it shows further ones that explain the choice of rows.
    """

    kind: Literal["proposal"] = "proposal"
    id: str
    step: int
    revision: int
    language: Language
    title: str
    why: str = ""
    operations: tuple[str, ...] = ()
    code: str
    queries: tuple[Query, ...] = ()
    result: str = ""
    meaning: str = ""
    asked: tuple[str, ...] = ()
    checks: tuple[PlannedCheck, ...] = ()


class Review(Event):
    """What the reviewer found in a proposal, or in the person's edit of it. `revise` sends it back."""

    kind: Literal["review"] = "review"
    proposal: str
    verdict: Literal["ok", "concerns", "revise"]
    findings: tuple[Finding, ...] = ()
    of_edit: bool = False


class DecisionRequested(Event):
    """The run ends here until the person decides. `ref` is the id of the plan, the proposal or the proposed package;
    `code` is an edit that waits."""

    kind: Literal["decision_requested"] = "decision_requested"
    id: str
    subject: Subject
    ref: str
    reason: str = ""
    code: str | None = None


class Decision(Event):
    """What was decided, by whom. An edit carries the final code or steps; `sha256` binds the bytes of approved code, or
    an approved package's files, `cells` the code that was approved together with a plan. `typed` is a package's name as
    the person typed it out."""

    kind: Literal["decision"] = "decision"
    request: str
    subject: Subject
    ref: str
    action: Literal["approve", "edit", "reject"]
    by: Literal["person", "policy"]
    code: str | None = None
    steps: tuple[Step, ...] | None = None
    reason: str = ""
    sha256: str = ""
    cells: tuple[str, ...] = ()
    typed: str = ""


class ExecutionStarted(Event):
    """A cell is about to run: these bytes, with this grant, in this cage."""

    kind: Literal["execution_started"] = "execution_started"
    id: str
    step: int
    language: Language
    code: str
    queries: tuple[Query, ...] = ()
    cage: str = ""


class Execution(Event):
    """What running a cell gave. `outputs` are nbformat v4 outputs; `queries` what the broker really ran."""

    kind: Literal["execution"] = "execution"
    id: str
    step: int
    language: Language
    code: str
    status: Literal["ok", "failed"]
    outputs: tuple[dict[str, JsonValue], ...] = ()
    failure: Failure | None = None
    seconds: float = 0.0
    peak_bytes: int | None = None
    variables: tuple[Variable, ...] = ()
    queries: tuple[QueryRun, ...] = ()
    checks: tuple[Check, ...] = ()


class StepSkipped(Event):
    """A step that turned out to need no code: nothing to draw, for example."""

    kind: Literal["step_skipped"] = "step_skipped"
    step: int
    language: Language
    reason: str


class Diagnosis(Event):
    """Why an execution failed, and the smallest fix. `repairable` False means: answer with what there is."""

    kind: Literal["diagnosis"] = "diagnosis"
    execution: str
    category: Literal["environment", "logic", "check", "data", "plan"]
    cause: str
    fix: str = ""
    repairable: bool = True


class Judgement(Event):
    """Whether the plan holds now that a step's result is seen: it goes on, or stops for the answer.

    A plan that is to change is a new `Plan`. `reason` is empty where the program itself saw nothing to judge.
    """

    kind: Literal["judgement"] = "judgement"
    execution: str
    verdict: Literal["go_on", "stop"]
    reason: str = ""


class Answer(Event):
    """The end of a turn; `partial` tells what is known though the question is not answered in full.

    `table` and `chart` name the executions that hold them, `more_tables` those of further tables shown below; `how`
    says how it was computed; `as_of` says how old the files are that it was computed from.
    """

    kind: Literal["answer"] = "answer"
    status: Literal["answered", "partial", "declined", "failed"]
    text: str
    hint: str = ""
    table: str | None = None
    more_tables: tuple[str, ...] = ()
    chart: str | None = None
    how: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    follow_ups: tuple[str, ...] = ()
    appearance: Appearance = Appearance()
    trust: Trust = "new"
    as_of: str = ""


class KernelRestarted(Event):
    """The kernel is a new one. `rerun` cells were run again to rebuild its state; `lost` lists those that were not."""

    kind: Literal["kernel_restarted"] = "kernel_restarted"
    reason: str
    rerun: int = 0
    lost: tuple[str, ...] = ()
    drifted: tuple[str, ...] = ()


class Stopped(Event):
    """The turn was stopped before its end: by the person, or because the program itself ended."""

    kind: Literal["stopped"] = "stopped"
    by: Literal["person", "restart"] = "person"


class Resumed(Event):
    """A stopped turn goes on where its log ends."""

    kind: Literal["resumed"] = "resumed"


class Failed(Event):
    """The turn ended by a fault of ours or of a model. `kept` says what is kept, `next_action` what to do."""

    kind: Literal["failed"] = "failed"
    message: str
    kept: str = "Everything up to here is kept."
    next_action: str = "Ask again, or ask differently."


class Withheld(Event):
    """What was said and shown in this turn is not shown any more: it used columns that were masked since.

    `columns` are `source.table.column`; `question` says that the question, too, named a value of theirs. Without
    columns it stands in the place of an event that is not shown (`assistant.store.withholding`).
    """

    kind: Literal["withheld"] = "withheld"
    columns: tuple[str, ...] = ()
    question: bool = False


class Verified(Event):
    """A person marked the turn's answer right: `sql` is kept as the answer to its question.

    `query` is the id of the verified query, `file` where it stands, `by` who says so, `on` which day.
    """

    kind: Literal["verified"] = "verified"
    by: str
    on: date
    query: str
    sql: str
    source: str
    file: str


class Revoked(Event):
    """A person took back that the turn's answer is right: its query is kept no more."""

    kind: Literal["revoked"] = "revoked"
    by: str
    on: date


class Presented(Event):
    """A person changed how the turn's answer is shown. `look` is the whole of it; `said` the words, if it was said."""

    kind: Literal["presented"] = "presented"
    look: Appearance
    said: str = ""


class Disputed(Event):
    """A person said that the turn's answer is wrong, and why; with `stands` False they took that back."""

    kind: Literal["disputed"] = "disputed"
    by: str
    on: date
    note: str = ""
    stands: bool = True


class HistorySummarised(Event):
    """The planner's model summarised the turns up to `upto`; the text stands for them in later prompts."""

    kind: Literal["history_summarised"] = "history_summarised"
    upto: int
    text: str


class Looked(Event):
    """A role looked something up before it went on. No code of a model's runs for it.

    `asked` are the arguments in words, `found` says in a line what came of it, without values of the data.
    """

    kind: Literal["looked"] = "looked"
    role: Role
    look: str
    asked: str
    found: str
    seconds: float = 0.0


class Usage(Event):
    """One model call, also one that gave no reply: its tokens are 0 then.

    `cost` is in US dollars, None where the price is unknown; `seconds` are until the reply was whole.

    `note` tells the person which model was to be asked first, and why another was. `sent` names what was sent
    (`assistant.store.sent`); empty where it is not kept.
    """

    kind: Literal["usage"] = "usage"
    role: Role
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    note: str = ""
    sent: str = ""


AnyEvent = Annotated[
    SessionOpened
    | SessionRenamed
    | SourceAdded
    | PolicyChanged
    | UncagedAccepted
    | PackageProposed
    | PackageAdded
    | Question
    | Plan
    | Clarification
    | ClarificationAnswered
    | Proposal
    | Review
    | DecisionRequested
    | Decision
    | ExecutionStarted
    | Execution
    | StepSkipped
    | Diagnosis
    | Judgement
    | Answer
    | KernelRestarted
    | Stopped
    | Resumed
    | Failed
    | Withheld
    | Verified
    | Revoked
    | Presented
    | Disputed
    | HistorySummarised
    | Looked
    | Usage,
    Field(discriminator="kind"),
]

MESSAGES: tuple[type[Event], ...] = (
    Question,
    ClarificationAnswered,
    Resumed,
    Plan,
    Clarification,
    Proposal,
    Review,
    PackageProposed,
    PackageAdded,
    DecisionRequested,
    Decision,
    Execution,
    StepSkipped,
    Diagnosis,
    Judgement,
    Answer,
    Failed,
)
"""What the participants of the group chat say to each other."""


class Entry(Value):
    """An event in its place: `seq` counts from 1 without gaps, `at` is when it became durable (UTC)."""

    seq: int
    at: datetime
    event: AnyEvent
