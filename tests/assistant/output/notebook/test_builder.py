"""Any session leaves as a valid notebook that tells all of it, in order, and holds the very bytes that ran."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import get_args

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from assistant.core import events as e
from assistant.output.notebook.builder import build, to_bytes
from assistant.output.notebook.sources import NotebookSource, without_password

BEGIN = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
SHOP = NotebookSource(name="shop", kind="sqlite", at="/data/shop.sqlite", dialect="sqlite")
SQL_CELL = 'revenue = query("""\nSELECT region, SUM(amount) AS amount FROM sales GROUP BY region\n""")\nrevenue'
KINDS = get_args(get_args(e.AnyEvent)[0])


def log(*happened: e.Event) -> list[e.Entry]:
    return [
        e.Entry(seq=number, at=BEGIN + timedelta(seconds=number), event=event)  # pyright: ignore[reportArgumentType]
        for number, event in enumerate(happened, 1)
    ]


def table(rows: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    fields: list[JsonValue] = [{"name": name, "type": "string"} for name in rows[0]]
    resource: dict[str, JsonValue] = {"schema": {"fields": fields}, "data": list(rows), "rows_total": len(rows)}
    return {
        "output_type": "execute_result",
        "execution_count": 7,
        "metadata": {},
        "data": {
            "text/plain": "a frame",
            "text/html": "<script>alert(1)</script>",
            "application/vnd.dataresource+json": resource,
        },
    }


def whole_session() -> list[e.Entry]:
    """One event of every kind, in an order that could be."""
    query = e.Query(sql="SELECT region, SUM(amount) AS amount FROM sales GROUP BY region")
    return log(
        e.SessionOpened(),
        e.SessionRenamed(title="Revenue of the shop"),
        e.SourceAdded(name="shop", dialect="sqlite", display="shop.sqlite", notes=("dates read day first",)),
        e.PolicyChanged(approve=("plan",)),
        e.PinChanged(pin="1.rejection", scope="conversation"),
        e.UncagedAccepted(),
        e.PackageAdded(
            name="emoji",
            version="2.1",
            wheels=(e.PackageWheel(name="emoji", version="2.1", file="emoji.whl", sha256="0" * 64, size_bytes=9),),
            modules=("emoji",),
        ),
        e.PackageProposed(id="1.1.1:emoji", proposal="1.1.1", module="emoji", name="emoji"),
        e.FunctionsProposed(
            turn=1,
            id="1.1.f1",
            step=1,
            functions=(e.WrittenFunction(name="share_of", purpose="Share of a total.", code="", tests="", results=()),),
        ),
        e.FunctionsKept(turn=1, step=1, names=("share_of",)),
        e.LessonDecided(turn=1, lesson="l1", action="drop"),
        e.Question(turn=1, text="What was revenue by region?", files=("targets.csv",)),
        e.Clarification(turn=1, id="1.c1", text="Net or gross?", options=("net", "gross")),
        e.ClarificationAnswered(turn=1, clarification="1.c1", text="net"),
        e.Plan(
            turn=1,
            id="1.p1",
            restated="Net revenue by region",
            steps=(e.Step(title="Sum by region", language="sql"), e.Step(title="Draw it", language="python")),
            assumptions=("all years",),
            citations=(
                e.Citation(id="metric:net", title="net revenue", origin="metrics.yaml", excerpt="after refunds"),
            ),
        ),
        e.DecisionRequested(turn=1, id="1.d1", subject="plan", ref="1.p1"),
        e.Decision(turn=1, request="1.d1", subject="plan", ref="1.p1", action="approve", by="policy"),
        e.Proposal(
            turn=1, id="1.1.1", step=1, revision=1, language="sql", title="Count", code='wrong = query("SELECT 1")'
        ),
        e.Review(
            turn=1,
            proposal="1.1.1",
            verdict="concerns",
            findings=(
                e.Finding(level="ok", text="reads only"),
                e.Finding(level="warning", text="counts, not sums", line=1),
            ),
        ),
        e.Decision(
            turn=1, request="1.d2", subject="code", ref="1.1.1", action="reject", by="person", reason="I want sums"
        ),
        e.Proposal(
            turn=1, id="1.1.2", step=1, revision=2, language="sql", title="Sum", code=SQL_CELL, queries=(query,)
        ),
        e.Decision(
            turn=1, request="1.d3", subject="code", ref="1.1.2", action="edit", by="person", code=SQL_CELL, sha256="ab"
        ),
        e.ExecutionStarted(turn=1, id="1.1.2", step=1, language="sql", code=SQL_CELL, queries=(query,)),
        e.Execution(
            turn=1,
            id="1.1.2",
            step=1,
            language="sql",
            code=SQL_CELL,
            status="ok",
            outputs=(table([{"region": "North <b>", "amount": 12.5}]),),
            checks=(e.Check(name="no region twice", ok=True), e.Check(name="not empty", ok=False, detail="0 rows")),
        ),
        e.Execution(
            turn=1,
            id="1.2.1",
            step=2,
            language="python",
            code="while True: pass",
            status="failed",
            failure=e.Failure(kind="timeout", name="Timeout", message="ran longer than 60 s"),
        ),
        e.Diagnosis(turn=1, execution="1.2.1", category="logic", cause="it never ends", fix="end it"),
        e.KernelRestarted(turn=1, reason="it had to be stopped", rerun=1, lost=("1.2.1",), drifted=("1.1.2",)),
        e.StepSkipped(turn=1, step=2, language="python", reason="one row: nothing to draw"),
        e.Looked(turn=1, role="coder", look="preview", asked="orders", found="3 lines"),
        e.Judgement(turn=1, execution="1.1.1", verdict="go_on", reason="It has all regions."),
        e.Presented(turn=1, look=e.Appearance(chart="bar"), said="as bars"),
        e.Disputed(turn=1, by="Ada", on=date(2026, 1, 2), note="too high"),
        e.HistorySummarised(turn=1, upto=0, text="Nothing yet."),
        e.Usage(turn=1, role="planner", model="embedded"),
        e.Answer(
            turn=1,
            status="answered",
            text="North leads.",
            hint="Ask by month.",
            how=("sum of amount by region",),
            notes=("cancelled orders left out",),
            citations=(e.Citation(id="rule:cancelled", title="Cancelled", origin="rules.md"),),
            trust="adapted",
        ),
        e.Question(turn=2, text="And by month?"),
        e.Stopped(turn=2, by="person"),
        e.Resumed(turn=2),
        e.Failed(turn=2, message="The model cannot be reached."),
        e.Withheld(turn=2),
        e.Verified(
            turn=1, by="Ana", on=BEGIN.date(), query="query:shop/revenue", sql="SELECT 1", source="shop", file="a.yaml"
        ),
        e.Revoked(turn=1, by="Ana", on=BEGIN.date()),
    )


def test_session_with_every_kind_of_event_is_covered():
    assert {type(entry.event) for entry in whole_session()} == set(KINDS)


def test_every_part_of_the_session_is_told_in_order():
    notebook = build(whole_session(), [SHOP])
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells)
    told = [
        "# Revenue of the shop",
        "`shop` (sqlite): shop.sqlite",
        "dates read day first",
        "TANDEM_SOURCE_SHOP",
        "without a cage",
        "## 1. What was revenue by region?",
        "`targets.csv`",
        "Net or gross?",
        "- gross",
        "You answered:** net",
        "Net revenue by region",
        "1. Sum by region (sql)",
        "- all years",
        "net revenue (`metrics.yaml`): after refunds",
        "Approved by the policy",
        "warning: counts, not sums (line 1)",
        "Rejected by you: I want sums",
        "wrong = query(",
        "Step 1, version 2: Sum",
        "Edited and approved by you",
        "SELECT region, SUM(amount)",
        "passed: no region twice",
        "did not hold**: not empty (0 rows)",
        "(timeout)",
        "while True: pass",
        "Timeout: ran longer than 60 s",
        "Diagnosis (logic):* it never ends",
        "What was to be done:* end it",
        "it had to be stopped",
        "needed no code: one row",
        "North leads.",
        "How this was computed",
        "cancelled orders left out",
        "Cancelled (`rules.md`)",
        "adapted from a query",
        "## 2. And by month?",
        "Stopped by you",
        "The model cannot be reached.",
    ]
    at = 0
    for piece in told:
        found = text.find(piece, at)
        assert found >= 0, piece
        at = found


def test_code_cells_are_the_executed_bytes_and_nothing_else():
    notebook = build(whole_session(), [SHOP])
    installing, opening, *cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert (installing.id, installing.source) == ("install", "%pip install emoji==2.1")
    assert opening.id == "opening"
    assert [cell.source for cell in cells] == [SQL_CELL]
    assert cells[0].outputs[0].execution_count == cells[0].execution_count == 1
    assert cells[0].metadata.tandem == {"execution": "1.1.2", "turn": 1}


def test_python_that_raised_stays_a_cell_that_may_raise():
    raised = e.Failure(kind="raised", name="KeyError", message="'x'")
    entries = log(
        e.Execution(
            turn=1, id="1.1.1", step=1, language="python", code="a = 1\nb['x']", status="failed", failure=raised
        ),
        e.Execution(turn=1, id="1.2.1", step=2, language="sql", code='t = query("x")', status="failed", failure=raised),
        e.Execution(turn=1, id="1.3.1", step=3, language="python", code="a", status="ok"),
    )
    cells = [cell for cell in build(entries, []).cells if cell.cell_type == "code"][1:]
    assert [(cell.source, cell.metadata.get("tags")) for cell in cells] == [
        ("a = 1\nb['x']", ["raises-exception"]),
        ("a", None),
    ]


@pytest.mark.parametrize("kind", ["refused", "timeout", "interrupted", "memory", "cpu", "killed", "crashed"])
def test_python_that_was_stopped_is_quoted_and_not_run_again(kind: str):
    failure = e.Failure(kind=kind, name="Gone", message="gone")  # pyright: ignore[reportArgumentType]
    entries = log(
        e.Execution(turn=1, id="1.1.1", step=1, language="python", code="boom()", status="failed", failure=failure)
    )
    notebook = build(entries, [])
    assert [cell.id for cell in notebook.cells if cell.cell_type == "code"] == ["opening"]
    assert "boom()" in notebook.cells[-1].source


def test_same_log_gives_the_same_bytes_and_a_longer_one_keeps_the_cell_ids():
    entries = whole_session()
    assert to_bytes(build(entries, [SHOP])) == to_bytes(build(entries, [SHOP]))
    ids = [cell.id for cell in build(entries, [SHOP]).cells]
    longer = build([*entries, *log(e.Question(turn=3, text="More"))], [SHOP])
    assert [cell.id for cell in longer.cells][: len(ids)] == ids


def test_titles_come_from_the_name_or_the_first_question():
    assert build([], []).cells[0].source.startswith("# A session")
    assert build(log(e.Question(turn=1, text="Why?\nI wonder.")), []).cells[0].source.startswith("# Why? I wonder.")
    named = log(e.Question(turn=1, text="Why?"), e.SessionRenamed(title="Causes"))
    assert build(named, []).cells[0].source.startswith("# Causes")


def test_text_of_others_can_neither_load_nor_run_anything():
    hostile = (
        "<img src=http://evil.example/a> ![x](http://evil.example/b) ![y][z] <script>alert(1)</script> "
        "[k](javascript:alert(1)) [l](&#106;avascript:alert(1)) ``` [m](data: text/html,x)"
    )
    notebook = build(
        log(
            e.Question(turn=1, text=hostile),
            e.Answer(turn=1, status="answered", text=hostile, how=(hostile,), notes=(hostile,)),
            e.Decision(turn=1, request="d", subject="plan", ref="p", action="reject", by="person", reason=hostile),
        ),
        [],
    )
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "<" not in text
    assert "![" not in text
    assert "javascript:" not in text
    assert "&#" not in text
    assert "data: text" not in text


def test_fences_hold_code_that_holds_fences():
    failure = e.Failure(kind="killed", name="Killed", message="gone")
    code = "'''\n```\n# heading\n````\n'''"
    entries = log(
        e.Execution(turn=1, id="1.1.1", step=1, language="python", code=code, status="failed", failure=failure)
    )
    assert f"`````python\n{code}\n`````" in build(entries, []).cells[-1].source


PLANTED = "pl4nted-pa55word"


def test_planted_password_never_appears():
    url = f"postgresql+psycopg://ana:{PLANTED}@db.example:5432/shop?password={PLANTED}&sslmode=require&sslkey={PLANTED}"
    source = NotebookSource(name="shop", kind="server", at=url, dialect="postgres")
    entries = log(
        e.SourceAdded(name="shop", dialect="postgres", display=f"postgresql://ana:{PLANTED}@db.example/shop"),
        e.Question(turn=1, text=f"Use postgresql://ana:{PLANTED}@db.example/shop please"),
        e.Failed(turn=1, message=f"cannot reach postgresql://ana:{PLANTED}@db.example/shop"),
        e.Execution(
            turn=1,
            id="1.1.1",
            step=1,
            language="sql",
            code=f"# postgresql://ana:{PLANTED}@db.example",
            status="failed",
            failure=e.Failure(kind="refused", name="Refused", message=f"postgresql://ana:{PLANTED}@db.example"),
        ),
    )
    content = to_bytes(build(entries, [source])).decode()
    assert PLANTED not in content
    assert "postgresql+psycopg://ana@db.example:5432/shop?sslmode=require" in content
    assert "psycopg[binary]" in content


@pytest.mark.parametrize(
    ("given_url", "shown"),
    [
        ("mysql+pymysql://u:a%40b@h/db", "mysql+pymysql://u@h/db"),
        ("trino://u:p:q@h:8080/cat", "trino://u@h:8080/cat"),
        ("postgresql://h/db?user=u&password=x", "postgresql://h/db?user=u"),
        ("/a folder/x:y@z.sqlite", "/a folder/x:y@z.sqlite"),
        ("postgresql://h/db", "postgresql://h/db"),
    ],
)
def test_urls_lose_their_password_and_nothing_else(given_url: str, shown: str):
    assert without_password(given_url) == shown


# --- the law: any session leaves as a valid notebook ------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
MIMES = st.sampled_from(
    [
        "text/plain",
        "text/html",
        "image/png",
        "image/svg+xml",
        "application/vnd.dataresource+json",
        "application/vnd.vegalite.v5+json",
        "application/javascript",
        "odd",
    ]
)
OUTPUTS = st.fixed_dictionaries(
    {"output_type": st.sampled_from(["stream", "display_data", "execute_result", "error", "odd"])},
    optional={
        "data": st.dictionaries(MIMES, JSON, max_size=3) | JSON,
        "metadata": JSON,
        "text": JSON,
        "name": JSON,
        "ename": JSON,
        "evalue": JSON,
        "traceback": JSON,
        "execution_count": JSON,
    },
)


def any_event() -> st.SearchStrategy[e.Event]:
    outputs = st.lists(OUTPUTS, max_size=3).map(tuple)
    look = st.builds(e.Appearance, top=st.none() | st.integers(1, 9), decimals=st.none() | st.integers(0, 6))
    given: dict[type, dict[str, st.SearchStrategy[object]]] = {
        e.Execution: {"outputs": outputs},
        e.Presented: {"look": look},
    }
    made = [st.builds(kind, **given.get(kind, {})) for kind in KINDS]
    return st.one_of(made)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(happened=st.lists(any_event(), max_size=8))
def test_any_sequence_of_events_gives_a_valid_notebook(happened: list[e.Event]):
    notebook = build(log(*happened), [SHOP])
    nbformat.validate(nbformat.reads(to_bytes(notebook).decode("utf-8", "replace"), as_version=4))
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    executed = [event.code for event in happened if isinstance(event, e.Execution) and event.status == "ok"]
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert all(code in cells for code in executed)
