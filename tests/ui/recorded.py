"""A recorded session, event by event, and a workspace that plays it back: for tests of what the page shows.

Nothing here decides or runs anything: what the person does is written down in `calls`, and the log stays as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import recorded_rooms

from assistant.connections.descriptions import Starter
from assistant.core.events import (
    Answer,
    AnyEvent,
    Appearance,
    Citation,
    Clarification,
    ClarificationAnswered,
    Decision,
    DecisionRequested,
    Diagnosis,
    Entry,
    Execution,
    ExecutionStarted,
    Failed,
    Failure,
    Finding,
    FunctionsKept,
    FunctionsProposed,
    FunctionTest,
    Judgement,
    KernelRestarted,
    PackageAdded,
    PackageProposed,
    PackageWheel,
    Plan,
    PolicyChanged,
    Proposal,
    Query,
    QueryRun,
    Question,
    Resumed,
    Review,
    SessionOpened,
    SourceAdded,
    Step,
    StepSkipped,
    Stopped,
    TableSummary,
    Usage,
    Verified,
    WrittenFunction,
)
from assistant.core.turns import Transcript, fold_session
from assistant.errors import SessionError
from assistant.functions.function import Function
from assistant.functions.library import list_shipped
from assistant.lessons.lesson import KeptLesson, Lesson
from assistant.models.budget import Account
from assistant.models.listing import ListedModel, TrialResult
from assistant.output.presentation.columns import FigureProperties
from assistant.query.lineage import trace_lineage
from assistant.record.memory.pins import Pin, find_pins
from assistant.record.store.sent_calls import SentCall, SentMessage
from assistant.session.answers.presenting import Facts
from assistant.session.health.doctor import Suggestion
from assistant.session.roles.disclosing import ADDS, Disclosure
from assistant.settings.level_store import LEVELS

BEGAN = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)

SQL = '''revenue = query("""
SELECT r.name AS region,
       date_trunc('month', o.ordered_at) AS month,
       sum(l.quantity * l.unit_price * (1 - l.discount)) AS net_revenue
FROM order_lines AS l
JOIN orders AS o ON o.id = l.order_id
JOIN regions AS r ON r.id = o.region_id
WHERE o.ordered_at >= DATE '2025-10-01'  -- the last two quarters
  AND o.status <> 'cancelled'
GROUP BY 1, 2
ORDER BY 2, 1
""")
revenue'''

PYTHON = """import altair as alt

# One line per region: the fall in the North is what the question is about.
chart = (
    alt.Chart(revenue, title="Net revenue by region")
    .mark_line(point=True)
    .encode(x="month:T", y="net_revenue:Q", color="region:N")
)
chart"""

REVENUE = "Sum of quantity times unit price after discount, cancelled orders left out."
REGIONS = ("North", "South", "East", "West")
MONTHS = ("2025-10-01", "2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01")
ROWS = tuple(
    (
        region,
        datetime.fromisoformat(month).date(),
        round(
            118_000 + 9_400 * m + 17_300 * r - (31_000 if (r, m) == (0, 5) else 0) + 731.25 * ((r * 5 + m * 3) % 7), 2
        ),
    )
    for m, month in enumerate(MONTHS)
    for r, region in enumerate(REGIONS)
)
CHART = {
    "title": "Net revenue by region",
    "data": {"values": [{"region": r, "month": m.isoformat(), "net_revenue": v} for r, m, v in ROWS]},
    "mark": {"type": "line", "point": True},
    "encoding": {
        "x": {
            "field": "month",
            "type": "temporal",
            "timeUnit": "yearmonth",
            "title": None,
            "axis": {"format": "%b %Y"},
        },
        "y": {"field": "net_revenue", "type": "quantitative", "title": "Net revenue", "scale": {"zero": False}},
        "color": {"field": "region", "type": "nominal", "title": "Region"},
    },
}

CITED = Citation(id="metric:net-revenue", title="Net revenue", origin="knowledge/metrics.yaml", excerpt=REVENUE)
STEPS = (
    Step(
        title="Net revenue by region and month for the last two quarters",
        language="sql",
        instruction="Sum net revenue by region and month.",
    ),
    Step(
        title="Draw one line per region and name the largest fall", language="python", instruction="Draw a line chart."
    ),
)

OPENED: tuple[AnyEvent, ...] = (
    SessionOpened(),
    SourceAdded(
        name="shop",
        dialect="sqlite",
        display="the sample company, data to 13 March 2026",
        tables=(
            TableSummary(name="orders", rows=21_480, columns=("id", "ordered_at", "region_id", "status")),
            TableSummary(
                name="order_lines",
                rows=60_112,
                columns=("order_id", "product_id", "quantity", "unit_price", "discount"),
            ),
            TableSummary(name="regions", rows=4, columns=("id", "name")),
        ),
    ),
)

FIRST: tuple[AnyEvent, ...] = (
    Question(turn=1, text="Which region's net revenue fell the most last month?"),
    Usage(turn=1, role="planner", model="embedded", sent="000001.json.gz"),
    Plan(
        turn=1,
        id="1",
        restated="Net revenue by region, month by month, to find the largest fall in March 2026",
        steps=STEPS,
        tables=("order_lines", "orders", "regions"),
        assumptions=("Last month means March 2026, to the 13th", "Cancelled orders are left out"),
        citations=(CITED,),
        trust="adapted",
    ),
    DecisionRequested(turn=1, id="1?", subject="plan", ref="1", reason="Is this the right plan?"),
    Decision(turn=1, request="1?", subject="plan", ref="1", action="approve", by="person"),
    Proposal(
        turn=1,
        id="1.1.1",
        step=1,
        revision=1,
        language="sql",
        title="Net revenue by region and month",
        why="One query gives every number the chart needs.",
        operations=(
            "Read order lines with their orders and regions",
            "Keep orders since October 2025 that were not cancelled",
            "Sum net revenue by region and month",
        ),
        code=SQL,
        queries=(Query(sql="SELECT 1"),),
        result="revenue",
    ),
    Review(
        turn=1,
        proposal="1.1.1",
        verdict="ok",
        findings=(
            Finding(level="ok", text="Read-only: a single SELECT"),
            Finding(level="ok", text="Reads 3 tables, about 60,000 rows"),
            Finding(level="note", text="March 2026 holds 13 days only, so it is bound to be lower"),
        ),
    ),
    DecisionRequested(turn=1, id="1.1.1?", subject="code", ref="1.1.1", reason="Run this query?"),
    Decision(
        turn=1,
        request="1.1.1?",
        subject="code",
        ref="1.1.1",
        action="reject",
        by="person",
        reason="leave out returned orders as well",
    ),
    Proposal(
        turn=1,
        id="1.1.2",
        step=1,
        revision=2,
        language="sql",
        title="Net revenue by region and month, without returns",
        why="Returned orders are left out, as you asked.",
        operations=("Keep orders that were neither cancelled nor returned", "Sum net revenue by region and month"),
        code=SQL.replace("o.status <> 'cancelled'", "o.status NOT IN ('cancelled', 'returned')"),
        queries=(Query(sql="SELECT 1"),),
        result="revenue",
    ),
    Review(turn=1, proposal="1.1.2", verdict="ok", findings=(Finding(level="ok", text="Read-only: a single SELECT"),)),
    DecisionRequested(turn=1, id="1.1.2?", subject="code", ref="1.1.2", reason="Run this query?"),
    Decision(
        turn=1,
        request="1.1.2?",
        subject="code",
        ref="1.1.2",
        action="edit",
        by="person",
        code=SQL.replace("'cancelled'", "'cancelled' AND o.status <> 'returned'"),
    ),
    Review(
        turn=1,
        proposal="1.1.2",
        verdict="ok",
        of_edit=True,
        findings=(Finding(level="ok", text="Read-only: a single SELECT"),),
    ),
    ExecutionStarted(turn=1, id="1.1.2", step=1, language="sql", code=SQL, cage="full"),
    Execution(
        turn=1,
        id="1.1.2",
        step=1,
        language="sql",
        code=SQL,
        status="ok",
        seconds=0.42,
        queries=(
            QueryRun(
                sql="SELECT 1", source="shop", rows=len(ROWS), seconds=0.21, columns=("region", "month", "net_revenue")
            ),
        ),
    ),
    Proposal(
        turn=1,
        id="1.2.1",
        step=2,
        revision=1,
        language="python",
        title="A line per region",
        why="A line shows the fall at a glance.",
        code=PYTHON,
    ),
    Review(
        turn=1,
        proposal="1.2.1",
        verdict="concerns",
        findings=(Finding(level="warning", text="March is not complete: the last point of each line is low", line=5),),
    ),
    DecisionRequested(
        turn=1,
        id="1.2.1?",
        subject="code",
        ref="1.2.1",
        reason="March is not complete: the last point of each line is low",
    ),
    Decision(turn=1, request="1.2.1?", subject="code", ref="1.2.1", action="approve", by="person"),
    ExecutionStarted(turn=1, id="1.2.1", step=2, language="python", code=PYTHON, cage="full"),
    Execution(
        turn=1,
        id="1.2.1",
        step=2,
        language="python",
        code=PYTHON,
        status="failed",
        seconds=0.8,
        failure=Failure(
            kind="raised",
            name="KeyError",
            message="'net_revenue'",
            traceback="Traceback (most recent call last):\n  cell, line 7\nKeyError: 'net_revenue'",
            line=7,
        ),
    ),
    Diagnosis(
        turn=1,
        execution="1.2.1",
        category="logic",
        cause="The column is called revenue in this frame.",
        fix="Rename it.",
    ),
    Proposal(
        turn=1,
        id="1.2.2",
        step=2,
        revision=2,
        language="python",
        title="A line per region, with the right column",
        why="The column is named as the query names it.",
        code=PYTHON,
    ),
    Review(
        turn=1,
        proposal="1.2.2",
        verdict="ok",
        findings=(Finding(level="ok", text="Draws only; reads no file and no network"),),
    ),
    Decision(turn=1, request="1.2.2?", subject="code", ref="1.2.2", action="approve", by="policy"),
    ExecutionStarted(turn=1, id="1.2.2", step=2, language="python", code=PYTHON, cage="full"),
    Execution(
        turn=1,
        id="1.2.2",
        step=2,
        language="python",
        code=PYTHON,
        status="ok",
        seconds=1.1,
        outputs=(
            {"output_type": "stream", "name": "stdout", "text": "drew 24 points\n"},
            {
                "output_type": "display_data",
                "data": {"application/vnd.vegalite.v5+json": CHART, "text/html": "<script>alert(1)</script>"},
                "metadata": {},
            },
        ),
    ),
    Answer(
        turn=1,
        status="answered",
        text="**North** fell the most: its net revenue went from **157,925 EUR** in February to **136,331 EUR** in March, while every other region grew.\n\nMarch holds 13 days only; over the same days North is **4%** below February.",
        table="1.1.2",
        chart="1.2.2",
        how=("Net revenue is quantity times unit price after discount", "Cancelled and returned orders are left out"),
        notes=("March 2026 is not complete: it holds data to the 13th.",),
        citations=(CITED,),
        follow_ups=("Why did North fall?", "Only 2026", "As a bar chart"),
        trust="adapted",
    ),
)

WHEELS = (
    PackageWheel(
        name="lifelines",
        version="0.30.0",
        file="lifelines-0.30.0-py3-none-any.whl",
        sha256="5f" * 32,
        size_bytes=349_000,
    ),
)
SECOND: tuple[AnyEvent, ...] = (
    Question(turn=2, text="How did churn change?"),
    Clarification(
        turn=2, id="2.c1", text="Which churn do you mean?", options=("Customers who left", "Revenue that was lost")
    ),
    ClarificationAnswered(turn=2, clarification="2.c1", text="Customers who left"),
    Plan(turn=2, id="2", restated="Customers who left, by month", steps=STEPS[:1], tables=("orders",)),
    Proposal(
        turn=2,
        id="2.1.1",
        step=1,
        revision=1,
        language="sql",
        title="Customers who left",
        code='churn = query("SELECT 1")\nchurn',
    ),
    Review(
        turn=2,
        proposal="2.1.1",
        verdict="revise",
        findings=(Finding(level="danger", text="Reads a table that does not exist"),),
    ),
    Stopped(turn=2, by="person"),
    Resumed(turn=2),
    KernelRestarted(turn=2, reason="The kernel did not answer any more.", rerun=2, lost=("1.2.1",)),
    StepSkipped(turn=2, step=1, language="sql", reason="There is nothing to draw."),
    Failed(turn=2, message="The model could not be reached."),
    Resumed(turn=2),
    PackageProposed(
        turn=2,
        id="2.p1",
        proposal="2.1.1",
        module="lifelines",
        line=1,
        name="lifelines",
        version="0.30.0",
        summary="Survival analysis in Python",
        publisher="C. Davidson-Pilon",
        wheels=WHEELS,
    ),
    PackageAdded(turn=2, name="lifelines", version="0.30.0", wheels=WHEELS, modules=("lifelines",)),
    FunctionsProposed(
        turn=2,
        id="2.f1",
        step=1,
        functions=(
            WrittenFunction(
                name="churn_rate",
                purpose="Share of customers who left.",
                code="def churn_rate(left, all):\n    return left / all\n",
                tests="def test_none_left():\n    assert churn_rate(0, 5) == 0\n",
                results=(FunctionTest(name="test_none_left", outcome="passed"),),
            ),
        ),
    ),
    FunctionsKept(turn=2, step=1, names=("churn_rate",)),
    Judgement(turn=2, execution="2.1.1", verdict="stop", reason="No table says when a customer left."),
    PolicyChanged(turn=0, approve=("query",)),
    Answer(
        turn=2,
        status="declined",
        text="I know no table that says when a customer left.",
        hint="Name the column that holds it.",
    ),
    Question(turn=3, text="Only the North, please", files=("north.csv",)),
    Stopped(turn=3, by="restart"),
)

ALL = (*OPENED, *FIRST, *SECOND)
MARK = Verified(
    turn=1,
    by="Ana *Berg*",
    on=date(2026, 3, 14),
    query="query:company/which-region",
    sql="SELECT 1",
    source="company",
    file="knowledge/queries/company--which-region.yaml",
)


def again(n: int) -> tuple[AnyEvent, ...]:
    """The whole log, and then its first `n` events once more, as later turns."""
    last = max(event.turn for event in ALL)
    later = (event.model_copy(update={"turn": event.turn + last}) for event in ALL[len(OPENED) : n])
    return (*ALL, *later)


def entries(events: Sequence[AnyEvent]) -> tuple[Entry, ...]:
    """The events in their places, two seconds apart."""
    return tuple(Entry(seq=n, at=BEGAN + timedelta(seconds=2 * n), event=event) for n, event in enumerate(events, 1))


@dataclass(frozen=True)
class Table:
    columns: tuple[str, ...] = ("region", "month", "net_revenue")
    rows: tuple[tuple[object, ...], ...] = ROWS
    total: int = len(ROWS)


@dataclass(frozen=True)
class Card:
    id: str
    title: str
    state: str
    updated: datetime
    latest: str = ""


@dataclass(frozen=True)
class Looked:
    name: str
    state: str
    text: str
    advice: str = ""
    suggestions: tuple[Suggestion, ...] = ()


def disclosure() -> Disclosure:
    """What is to be chosen of an endpoint elsewhere."""
    first = {
        level: SentCall(
            role="planner",
            model="m",
            endpoint="a.example",
            sees=level,
            messages=(SentMessage(role="user", text=f"sent with {level}"),),
        )
        for level in LEVELS
    }
    return Disclosure(endpoints=("a.example",), models=("m",), adds=ADDS, first=first)


@dataclass
class Session:
    """A session that stands still."""

    id: str
    log: tuple[Entry, ...]
    working: bool = False
    calls: list[tuple[object, ...]] = field(default_factory=list)
    version: int = 1
    leaning: bool = False
    told: Disclosure | None = None
    partial: dict[str, str] = field(default_factory=dict)

    @property
    def sources(self) -> Session:
        return self  # it plays its parts itself

    answers = models = ledger = lessons = sources

    async def is_new_question(self, text: str) -> bool:
        return text.startswith("how many")

    async def list_offers(self) -> tuple[()]:
        return ()

    @property
    def title(self) -> str:
        return next((e.event.text for e in self.log if isinstance(e.event, Question)), "")

    damage = ""
    fault = ""

    @property
    def state(self) -> str:
        if self.working:
            return "working"
        return "waiting" if self.log and isinstance(self.log[-1].event, DecisionRequested | Clarification) else "idle"

    @property
    def transcript(self) -> Transcript:
        return fold_session(self.events())

    def events(self, after: int = 0) -> tuple[Entry, ...]:
        return self.log[after:]

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    async def list_pins(self) -> tuple[Pin, ...]:
        return find_pins(self.transcript.turns)

    async def change(self, pin: str, scope: str) -> None:
        self.calls.append(("change", pin, scope))

    def table(self, execution: str, *, rows_max: int = 1000) -> Table | None:
        return Table() if execution == "1.1.2" else None

    def chart(self, execution: str) -> dict[str, object] | None:
        return CHART if execution == "1.2.2" else None

    def why_not_verifiable(self, turn: int) -> str:
        return "No query gave this answer." if turn > 1 else ""

    async def suggest_question(self, turn: int) -> str:
        typed = next(item.question for item in self.transcript.turns if item.number == turn)
        return f"Restated: {typed}" if self.leaning else typed

    async def verify(self, turn: int, *, question: str = "") -> None:
        self.calls.append(("verify", turn, question) if question else ("verify", turn))

    async def revoke(self, turn: int) -> bool:
        self.calls.append(("revoke", turn))
        return True

    async def cage(self) -> str:
        return "full"

    async def ask(self, text: str, *, files: Sequence[str] = (), approve: Sequence[str] = ()) -> None:
        self.calls.append(("ask", text, tuple(files)))

    async def disclosure(self, question: str) -> Disclosure | None:
        return self.told

    async def choose(self, endpoints: Sequence[str], level: str) -> None:
        self.calls.append(("seen", tuple(endpoints), level))
        self.told = None

    def sent(self, name: str) -> SentCall | None:
        message = SentMessage(role="user", text="Revenue by region, to the letter")
        call = SentCall(role="planner", model="m", endpoint="a.example", sees="values", messages=(message,), reply="{}")
        return call if name == "000001.json.gz" else None

    def accounts(self) -> tuple[Account, ...]:
        return (Account(setting="budgets.turn.calls", unit="calls", used=3, limit=60),)

    async def decide(
        self,
        request: str,
        action: str,
        *,
        code: str | None = None,
        steps: Sequence[Step] | None = None,
        reason: str = "",
        approve: Sequence[str] = (),
        cells: bool = False,
        typed: str = "",
    ) -> bool:
        self.calls.append(("decide", request, action, code, steps, reason, *filter(None, [typed])))
        return sum(call[:2] == ("decide", request) for call in self.calls) == 1

    async def interpretation(self, number: int | None = None) -> None:
        return None  # its code is a model's

    async def empty_interpretations(self) -> tuple[()]:
        return ()

    async def differences(self) -> tuple[()]:
        return ()

    async def answer_clarification(self, clarification: str, text: str) -> bool:
        self.calls.append(("answer", clarification, text))
        return True

    async def stop_turn(self) -> bool:
        self.calls.append(("stop",))
        return True

    async def resume(self) -> bool:
        self.calls.append(("resume",))
        return True

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        self.calls += [("file", name, len(content)) for name, content in files]

    async def export(self) -> bytes:
        return b"{}"

    async def present(self, turn: int, look: Appearance) -> None:
        self.calls.append(("present", turn, look))

    async def present_in_words(self, text: str) -> bool:
        return False

    async def dispute(self, turn: int, note: str = "", *, stands: bool = True) -> None:
        self.calls.append(("dispute", turn, note, stands))

    async def facts(self, execution: str) -> Facts:
        sql = SQL.split('"""')[1] if execution == "1.1.2" else ""
        return Facts(
            properties={"net_revenue": FigureProperties(unit="currency", symbol="EUR", additive=True)},
            lineage=trace_lineage(sql, "duckdb"),
        )

    async def ask_for_rows_under(self, execution: str, row: Mapping[str, object]) -> None:
        self.calls.append(("under", execution, dict(row)))

    async def picture(self, specification: Mapping[str, object], kind: str) -> bytes:
        return b"picture"

    async def set_policy(self, level: str) -> None:
        self.calls.append(("policy", level))

    async def allow(self, approve: Sequence[str]) -> None:
        self.calls.append(("allow", tuple(approve)))


@dataclass(frozen=True)
class Written:
    kind: str
    title: str
    text: str
    origin: str
    id: str = ""
    sql: str = ""
    by: str = ""
    on: date | None = None
    is_stored: bool = False
    words: str = ""
    meaning: str = ""
    language: str = "sql"


@dataclass(frozen=True)
class Defined:
    word: str
    sql: str


@dataclass(frozen=True)
class Known:
    folder: str
    cards: tuple[Written, ...]
    problems: tuple[str, ...]
    embedded: int = 120
    to_embed: int = 400
    files_indexed: int = 3
    files_total: int = 12


class Sharing:
    async def link(self, session_id: str) -> str:
        return "token"

    async def revoke(self, session_id: str) -> None:
        return None

    async def count(self, session_id: str) -> int:
        return 0

    async def answers(self, token: str) -> bytes:
        raise SessionError("This link leads nowhere.")


class Functions:
    """Those that ship, of which no test is run."""

    async def read(self) -> tuple[Function, ...]:
        return list_shipped()

    async def list_problems(self) -> tuple[str, ...]:
        return ()


class Lessons:
    """One that is stale."""

    async def read(self) -> tuple[KeptLesson, ...]:
        lesson = Lesson(
            id="lesson-0123456789",
            expectation="orders.groupby('area').sum()",
            truth="The table calls it region, not area.",
            works="orders.groupby('region').sum()",
            sign="KeyError: 'area'",
            tables=("orders",),
            author="Ada",
            date="2026-03-01",
        )
        return (KeptLesson(lesson=lesson, is_stale=True),)

    async def list_problems(self) -> tuple[str, ...]:
        return ()


class Workspace:
    """Sessions named by how much of the log they hold: `at-12` holds twelve events, `at-12-working` is at work.

    `again-12` holds the whole log and its first twelve events once more; in `marked-12` the first answer is marked right.
    """

    default_source = "The sample company: orders, products and customers of a retailer, to 13 March 2026"

    def __init__(self) -> None:
        self.opened: dict[str, Session] = {}
        self.connections = recorded_rooms.Connections()
        self.history = recorded_rooms.History()
        self.boards = recorded_rooms.Boards()
        self.choices = recorded_rooms.Choices()
        self.entries = recorded_rooms.Entries()
        self.revoked: list[str] = []
        self.defined: dict[str, tuple[str, str]] = {}

    def sessions(self) -> tuple[Card, ...]:
        now = datetime.now(UTC)
        return (
            Card("at-42", "Which region's net revenue fell the most last month?", "idle", now - timedelta(minutes=3)),
            Card("at-9", "Top ten customers by gross margin this year", "waiting", now - timedelta(hours=2)),
            Card("at-11-working", "Return rate by category and quarter", "working", now - timedelta(hours=5)),
            Card("at-57", "Support tickets per 1,000 orders", "failed", now - timedelta(days=1, hours=2)),
        )

    def warm(self) -> None:
        return None

    async def create(self, sources: Sequence[str] = (), *, bare: bool = False) -> Session:
        return await self.open("at-1" if bare else "at-6")

    async def connect_default(self, session: Session) -> None:
        session.calls.append(("default",))

    async def open(self, session_id: str) -> Session:
        await asyncio.sleep(0)
        if session_id not in self.opened:
            parts = session_id.split("-")
            if parts[0] not in ("at", "again", "marked") or not parts[1].isdigit():
                raise SessionError(f"There is no session {session_id!r}.")
            log = again(int(parts[1])) if parts[0] == "again" else ALL[: int(parts[1])]
            log = (*log, MARK) if parts[0] == "marked" else log
            self.opened[session_id] = Session(session_id, entries(log), working=len(parts) > 2)
        return self.opened[session_id]

    async def rename(self, session_id: str, title: str) -> None:
        return None

    async def delete(self, session_id: str) -> None:
        return None

    async def report(self, session_id: str) -> bytes:
        return b"<html>"

    def questions_of(self, notebook: bytes) -> tuple[str, ...]:
        return ("What was net revenue by region?",)

    async def script(self, session_id: str) -> bytes:
        return b"# nothing"

    @property
    def knowledge(self) -> Workspace:
        return self  # it plays its parts itself

    models = knowledge
    functions = Functions()
    lessons = Lessons()

    async def starters(self, session: object = None, *, quick: bool = False) -> tuple[Starter, ...]:
        return recorded_rooms.STARTERS

    async def revoke(self, query: str) -> None:
        self.revoked.append(query)
        if self.revoked.count(query) > 1:
            raise SessionError("It is not there any more.")

    async def define(self, word: str, meaning: str, *, instead_of: str = "") -> Defined:
        if not word or not meaning:
            raise SessionError("A definition needs a word and what it means.")
        self.defined.pop(instead_of, None)
        self.defined[f"term:{word}"] = (word, meaning)
        return Defined(word, "" if "elf" in meaning else f"{word} IS TRUE")

    async def undefine(self, definition: str) -> None:
        del self.defined[definition]

    async def read(self) -> Known:
        return Known(
            folder="knowledge",
            cards=(
                *(
                    Written(
                        "term",
                        word,
                        meaning,
                        "terms/x.yaml",
                        id_,
                        "",
                        "Ana",
                        MARK.on,
                        True,
                        words=word,
                        meaning=meaning,
                    )
                    for id_, (word, meaning) in self.defined.items()
                ),
                Written("metric", "net revenue", REVENUE, "metrics.yaml", "metric:net-revenue"),
                Written(
                    "term",
                    "churned customer",
                    "Has bought before, but not in the last 180 days.",
                    "glossary.yaml",
                    "term:churned-customer",
                ),
                Written("query", "Orders by status", "", "queries/a.yaml", "query:a", "SELECT 1", "Ana", MARK.on, True),
                Written("query", "Orders by week", "", "queries/b.yaml", "query:b", "SELECT 2", "Ben", MARK.on),
                Written(
                    "note", "<b>House rules</b>", "Ask *nicely*: <script>alert(1)</script>", "rules.md", "note:rules"
                ),
            ),
            problems=("glossary.yaml: entry 4 has no definition. Add one, or take the entry out.",),
        )

    def of(self, person: str) -> Workspace:
        return self

    @property
    def sharing(self) -> Sharing:
        return Sharing()

    def all(self) -> tuple[ListedModel, ...]:
        return (ListedModel(name="house", model="m", provider="openai", endpoint="a.example", roles=("planner",)),)

    async def try_out(self, name: str) -> TrialResult:
        return TrialResult(ok=False, text=f"The model {name!r} did not answer within 9 s.")

    async def doctor(self) -> tuple[Looked, ...]:
        return (
            Looked("cage", "ok", "zygote — full: no network, no host files, no secrets, hard limits"),
            Looked("cage level landlock", "weak", "does not hold: the machine's kernel is too old"),
            Looked(
                "embeddings",
                "weak",
                "hashing: likeness of spelling, not of meaning",
                "script/bootstrap installs the local model.",
            ),
            Looked(
                "model of the planner",
                "missing",
                "house at a.example has no key",
                "Set OPENAI_API_KEY to its key, or leave TANDEM_MODEL empty.",
            ),
            Looked("source shop", "ok", "the sample company: 2 tables, read-only (sqlite); the login may only read."),
            Looked("store", "ok", "sessions are kept in /srv/tandem/tandem.db (SQLite 3.46.1); no backup was made yet"),
        )


@asynccontextmanager
async def open_workspace() -> AsyncGenerator[Workspace]:
    """The replayed workspace."""
    yield Workspace()


if __name__ == "__main__":
    import os
    import sys

    from ui.authentication import Key
    from ui.serve import serve

    serve(open_workspace, Key(token=os.environ["TANDEM_TOKEN"], port=int(sys.argv[1])))
