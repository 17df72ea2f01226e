"""Every role on every kind of model, over the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from openai_server import Asked, OpenAIServer, Served, call, fail, say, serving, typed
from shop_session import (
    CHURN,
    CODE,
    PLAN,
    PROPOSAL,
    QUESTION,
    SHOP,
    SQL,
    VERIFIED,
    Line,
    ShopContext,
    answered,
    model,
    ran,
)

from assistant.agents.model.coder import ModelCoder
from assistant.agents.model.planner import ModelPlanner
from assistant.agents.model.replies import (
    AnswerReply,
    CodeReply,
    DiagnosisReply,
    PlanReply,
    ReviewReply,
    make_strict_schema,
)
from assistant.agents.model.reviewer import ModelReviewer
from assistant.agents.model.source_descriptions import describe_overview, describe_table
from assistant.cells.tables import TableView
from assistant.core.catalog import Catalog, Column, Table
from assistant.core.events import (
    Answer,
    Citation,
    Clarification,
    Decision,
    Diagnosis,
    Event,
    Execution,
    Failure,
    Finding,
    Language,
    Plan,
    Proposal,
    Query,
    Question,
    Review,
    Step,
    StepSkipped,
    Variable,
)
from assistant.query.cells import literal_queries
from assistant.record.memory.wording import Sees

KINDS = pytest.mark.parametrize(
    "forms", [("schema", "functions"), ("functions",), ()], ids=["schema", "functions", "text"]
)
E = TypeVar("E")
Check = Callable[[str, Language, Sequence[Event]], Awaitable[tuple[Finding, ...]]]


def speak(
    server: OpenAIServer, work: Callable[[Line], Awaitable[E]], *, sees: Sees = "rows", **more: Any
) -> tuple[E, Line]:
    async def run() -> tuple[E, Line]:
        made = model(server.url, **more)
        line = Line.to(made, sees=sees)
        try:
            return await work(line), line
        finally:
            await made.close()

    return asyncio.run(run())


def run_plan(server: OpenAIServer, log: Sequence[Event], *, context: ShopContext | None = None) -> Any:
    return speak(server, lambda line: ModelPlanner(line.dialogue, context=context or ShopContext()).plan(log))


def run_answer(
    server: OpenAIServer, log: Sequence[Event], *, context: ShopContext | None = None, sees: Sees = "rows"
) -> Any:
    return speak(
        server, lambda line: ModelPlanner(line.dialogue, context=context or ShopContext()).answer(log), sees=sees
    )


def run_propose(
    server: OpenAIServer,
    log: Sequence[Event],
    *,
    step: int,
    revision: int,
    context: ShopContext | None = None,
    sees: Sees = "rows",
) -> Any:
    def propose(line: Line) -> Awaitable[Any]:
        return ModelCoder(line.dialogue, context=context or ShopContext()).propose(log, step=step, revision=revision)

    return speak(server, propose, sees=sees)


async def no_findings(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
    return ()


def run_review(
    server: OpenAIServer,
    log: Sequence[Event],
    proposal: Proposal,
    *,
    code: str = "",
    of_edit: bool = False,
    context: ShopContext | None = None,
    check: Check = no_findings,
) -> tuple[Review, Line]:
    def review(line: Line) -> Awaitable[Review]:
        reviewer = ModelReviewer(line.dialogue, context=context or ShopContext(), check=check)
        return reviewer.review(log, proposal, code=code or proposal.code, of_edit=of_edit)

    return speak(server, review)


def run_diagnose(server: OpenAIServer, log: Sequence[Event], execution: Execution) -> tuple[Diagnosis, Line]:
    def diagnose(line: Line) -> Awaitable[Diagnosis]:
        return ModelReviewer(line.dialogue, context=ShopContext(), check=no_findings).diagnose(log, execution)

    return speak(server, diagnose)


def replying(reply: dict[str, Any]) -> Callable[[Asked], Served]:
    return lambda asked: typed(asked, reply)


RISKY = PLAN.model_copy(update={"steps": (PLAN.steps[0].model_copy(update={"hard": True}), PLAN.steps[1])})
"""A plan whose first step a model reviews."""

A_PLAN = {
    "kind": "plan",
    "text": "Revenue by region, and customers at risk.",
    "steps": [
        {"title": "Sum by region", "language": "sql", "instruction": "Sum amount.", "hard": False},
        {"title": "Draw", "language": "python", "instruction": "Bars.", "hard": False},
    ],
    "options": [],
    "tables": ["ORDERS"],
    "assumptions": ["All orders count."],
    "citations": [CHURN.id, "term:invented"],
    "hint": "",
}
SOME_SQL = {
    "kind": "code",
    "title": "Revenue by region",
    "why": "It answers the question.",
    "operations": ["Sum the amount by region"],
    "code": SQL + ";",
    "result": "by_region",
    "source": "",
    "text": "",
    "options": [],
}


@KINDS
def test_a_plan_names_real_tables_and_only_documents_that_were_shown(forms: tuple[str, ...]) -> None:
    with serving(replying(A_PLAN), forms=forms) as server:
        plan, line = run_plan(server, [QUESTION])
    assert isinstance(plan, Plan)
    assert (plan.id, plan.turn, plan.tables) == ("1.plan.1", 1, ("orders",))
    assert [step.language for step in plan.steps] == ["sql", "python"]
    assert [citation.id for citation in plan.citations] == [CHURN.id]
    assert [usage.role for usage in line.used] == ["planner"]
    assert line.shown[-1] == ("planner", None)


def test_instructions_name_no_look_up_that_is_not_there() -> None:
    def list_named(sees: Sees) -> set[str]:
        with serving(replying(SOME_SQL)) as server:
            run_propose(server, [QUESTION, PLAN], step=1, revision=1, sees=sees)
            system = json.loads(server.asked[0].text)["messages"][0]["content"]
        return {name for name in ("preview", "profile", "find_values", "describe_table") if f"`{name}`" in system}

    assert list_named("names") == {"describe_table"}
    assert list_named("results") == {"profile", "find_values", "describe_table"}
    assert list_named("rows") == {"preview", "profile", "find_values", "describe_table"}


def test_a_plan_keeps_what_the_person_stated_in_their_words_and_nothing_else() -> None:
    stated = [
        {"text": "customers at risk of churn have no order in 90 days", "word": "churn"},
        {"text": "Discounts are never granted to resellers", "word": ""},
    ]
    question = QUESTION.model_copy(update={"text": "Customers at risk of churn have no order in 90 days. Who is?"})
    with serving(replying({**A_PLAN, "facts": stated})) as server:
        plan, _ = speak(server, lambda line: ModelPlanner(line.dialogue, context=ShopContext()).plan([question]))
    assert isinstance(plan, Plan)
    assert [(fact.word, fact.text) for fact in plan.facts] == [("churn", stated[0]["text"])]


@KINDS
def test_the_planner_asks_back_and_declines(forms: tuple[str, ...]) -> None:
    asking = {**A_PLAN, "kind": "clarify", "text": "Net or gross?", "options": ["Net", "Gross"], "steps": []}
    with serving(replying(asking), forms=forms) as server:
        clarification, _ = run_plan(server, [QUESTION])
    assert clarification == Clarification(
        turn=1, id="1.clarification.1", text="Net or gross?", options=("Net", "Gross")
    )
    declining = {**A_PLAN, "kind": "decline", "text": "There is no weather here.", "hint": "Ask about orders."}
    with serving(replying(declining), forms=forms) as server:
        answer, _ = run_plan(server, [QUESTION])
    assert answer == Answer(turn=1, status="declined", text="There is no weather here.", hint="Ask about orders.")


@KINDS
def test_sql_becomes_a_cell_whose_queries_are_known(forms: tuple[str, ...]) -> None:
    with serving(replying(SOME_SQL), forms=forms) as server:
        proposal, _ = run_propose(server, [QUESTION, PLAN], step=1, revision=2)
    assert isinstance(proposal, Proposal)
    assert (proposal.id, proposal.step, proposal.revision, proposal.language) == ("1.1.2", 1, 2, "sql")
    assert proposal.code == CODE
    found = literal_queries(CODE)
    assert isinstance(found, tuple)
    assert [query.sql for query in proposal.queries] == [query.sql for query in found]


@KINDS
def test_python_is_taken_as_written_and_must_parse(forms: tuple[str, ...]) -> None:
    broken = {**SOME_SQL, "code": "x = = 1", "result": "x"}
    good = {**SOME_SQL, "code": "x = by_region.head()\r\nx\n", "result": "x"}
    tried: list[str] = []

    def script(asked: Asked) -> Served:
        tried.append(asked.text)
        return typed(asked, broken if len(tried) == 1 else good)

    with serving(script, forms=forms) as server:
        proposal, line = run_propose(server, answered(), step=2, revision=1)
    assert isinstance(proposal, Proposal)
    assert proposal.code == "x = by_region.head()\nx"
    assert "not valid Python" in tried[1]
    assert len(line.used) == 2


def test_a_step_can_be_skipped_or_asked_about() -> None:
    skipping = {**SOME_SQL, "kind": "skip", "text": "One number needs no chart.", "code": ""}
    with serving(replying(skipping)) as server:
        skipped, _ = run_propose(server, answered(), step=2, revision=1)
    assert skipped == StepSkipped(turn=1, step=2, language="python", reason="One number needs no chart.")
    asking = {**SOME_SQL, "kind": "clarify", "text": "Which colour?", "options": ["Red"], "code": ""}
    with serving(replying(asking)) as server:
        clarification, _ = run_propose(server, answered(), step=2, revision=1)
    assert isinstance(clarification, Clarification)
    assert clarification.asker == "coder"


@KINDS
def test_a_review_joins_facts_and_judgement(forms: tuple[str, ...]) -> None:
    async def check(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
        return (Finding(level="ok", text="Read-only."),)

    found = {"verdict": "concerns", "findings": [{"level": "warning", "text": "Returns are counted.", "line": 99}]}
    with serving(replying(found), forms=forms) as server:
        review, _ = run_review(server, [QUESTION, RISKY, PROPOSAL], PROPOSAL, check=check)
    assert review == Review(
        turn=1,
        proposal="1.1.1",
        verdict="concerns",
        findings=(Finding(level="ok", text="Read-only."), Finding(level="warning", text="Returns are counted.")),
    )


@pytest.mark.parametrize("of_edit", [False, True])
def test_a_danger_that_the_program_found_wins_without_asking_the_model(of_edit: bool) -> None:
    async def check(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
        return (Finding(level="danger", text="It deletes rows."),)

    with serving(replying({"verdict": "ok", "findings": []})) as server:
        review, _ = run_review(server, [QUESTION, PLAN, PROPOSAL], PROPOSAL, code="DROP", of_edit=of_edit, check=check)
        assert server.asked == []
    assert review.verdict == "revise"
    assert [finding.level for finding in review.findings] == ["danger"]


def test_a_models_ok_never_hides_a_warning_of_the_program() -> None:
    async def check(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
        return (Finding(level="warning", text="It starts a process."),)

    with serving(replying({"verdict": "ok", "findings": [{"level": "ok", "text": "Fine.", "line": None}]})) as server:
        review, _ = run_review(server, [QUESTION, PLAN, PROPOSAL], PROPOSAL, check=check)
    assert review.verdict == "concerns"


def test_an_edit_of_the_persons_is_sent_back_for_a_danger_only() -> None:
    edit = Decision(turn=1, request="d", subject="code", ref="1.1.1", action="edit", by="person", code="mine = 1")
    taste = {"verdict": "revise", "findings": [{"level": "warning", "text": "I would do it otherwise.", "line": 1}]}
    with serving(replying(taste)) as server:
        review, _ = run_review(server, [QUESTION, RISKY, PROPOSAL, edit], PROPOSAL, code="mine = 1", of_edit=True)
        assert "mine = 1" in server.asked[0].text
    assert (review.verdict, review.of_edit) == ("concerns", True)


@KINDS
def test_a_failure_is_diagnosed_by_category_cause_and_fix(forms: tuple[str, ...]) -> None:
    failed = Execution(
        turn=1,
        id="1.1.1",
        step=1,
        language="sql",
        code=CODE,
        status="failed",
        failure=Failure(kind="refused", name="DatabaseError", message="no such column: amout", line=2),
    )
    said = {"category": "logic", "cause": "amout is misspelt.", "fix": "Write amount.", "repairable": True}
    log: list[Event] = [QUESTION, PLAN, PROPOSAL, failed]
    with serving(replying(said), forms=forms) as server:
        diagnosis, _ = run_diagnose(server, log, failed)
        assert "no such column: amout" in server.asked[-1].text
    assert diagnosis == Diagnosis(
        turn=1, execution="1.1.1", category="logic", cause="amout is misspelt.", fix="Write amount.", repairable=True
    )


def test_what_the_person_interrupted_is_not_proposed_to_them_again() -> None:
    failure = Failure(kind="interrupted", name="Interrupted", message="stopped")
    failed = Execution(turn=1, id="1.1.1", step=1, language="sql", code=CODE, status="failed", failure=failure)
    said = {"category": "logic", "cause": "It was slow.", "fix": "Again.", "repairable": True}
    with serving(replying(said)) as server:
        diagnosis, _ = run_diagnose(server, [QUESTION, PLAN, PROPOSAL, failed], failed)
    assert not diagnosis.repairable


AN_ANSWER = {
    "answered": True,
    "text": "Northland led with 12.",
    "notes": ["One row only."],
    "follow_ups": ["And by month?"] * 5,
}


@KINDS
def test_an_answer_says_where_its_figures_are_and_how_they_came_about(forms: tuple[str, ...]) -> None:
    context = ShopContext(table=TableView(columns=("region", "revenue"), rows=(("Northland", 12.0),), total=1))
    with serving(replying(AN_ANSWER), forms=forms) as server:
        answer, _ = run_answer(server, answered(), context=context)
        assert "Northland | 12.0" in server.asked[-1].text
    assert (answer.status, answer.text, answer.table) == ("answered", "Northland led with 12.", "1.1.1")
    assert answer.how == ("Sum the amount of orders by region", "shop: 2 rows in 0.01 s")
    assert answer.notes == ("All orders count.", "One row only.")
    assert answer.follow_ups == ("And by month?",) * 3
    assert answer.trust == "new"


def test_an_answer_is_verified_only_if_its_very_query_is() -> None:
    table = TableView(columns=("region",), rows=(("Northland",),), total=1)
    cited = PLAN.model_copy(update={"citations": ()})
    for sql, trust in ((SQL.replace("\n", "  "), "verified"), (SQL + " LIMIT 1", "new")):
        log = [QUESTION, cited, PROPOSAL, ran(sql)]
        context = ShopContext(found=(VERIFIED,), table=table)
        with serving(replying(AN_ANSWER)) as server:
            answer, _ = run_answer(server, log, context=context)
        assert answer.trust == trust


def test_where_nothing_ran_the_answer_says_why_without_a_model() -> None:
    failed = Diagnosis(turn=1, execution="1.1.1", category="data", cause="The table is empty.", repairable=False)
    with serving() as server:
        answer, _ = run_answer(server, [QUESTION, PLAN, failed])
        assert server.asked == []
    assert (answer.status, answer.text) == ("failed", "The table is empty.")


def test_a_plan_over_a_table_that_is_not_there_is_sent_back_with_the_nearest() -> None:
    def script(asked: Asked) -> Served:
        return typed(asked, A_PLAN if "There is no table 'order'" in asked.text else {**A_PLAN, "tables": ["order"]})

    with serving(script) as server:
        plan, _ = run_plan(server, [QUESTION])
        assert len(server.asked) == 2
    assert isinstance(plan, Plan)


def test_a_rejected_plan_is_planned_again_with_the_reason_in_view() -> None:
    no = Decision(
        turn=1, request="d", subject="plan", ref="1.plan.1", action="reject", by="person", reason="Only 2025!"
    )
    with serving(replying(A_PLAN)) as server:
        plan, _ = run_plan(server, [QUESTION, PLAN, no])
        assert "Only 2025!" in server.asked[0].text
    assert isinstance(plan, Plan)
    assert plan.id == "1.plan.2"


def test_a_follow_up_sees_the_last_query_and_its_result() -> None:
    done = Answer(turn=1, status="answered", text="Northland led.", table="1.1.1")
    log = [*answered(done), Question(turn=2, text="only 2025")]
    with serving(replying(A_PLAN)) as server:
        run_plan(server, log)
        (asked,) = server.asked
    said = asked.body["messages"][1]["content"]
    assert SQL in said
    assert "by_region" in said
    assert "only 2025" in said


def test_with_two_sources_the_cell_names_the_one_it_asks() -> None:
    catalogs = ShopContext().catalog
    two = ShopContext(catalog=(*catalogs, type(catalogs[0])(source="crm", dialect="duckdb", tables=())))
    step = PLAN.model_copy(update={"steps": (Step(title="Sum", language="sql"),)})

    def script(asked: Asked) -> Served:
        source = "shop" if "is not one of 'shop', 'crm'" in asked.text else "the shop"
        return typed(asked, {**SOME_SQL, "source": source})

    with serving(script) as server:
        proposal, _ = run_propose(server, [QUESTION, step], step=1, revision=1, context=two)
    assert isinstance(proposal, Proposal)
    assert proposal.queries[0].source == "shop"


NONSENSE = "I am sorry, but I cannot help with that."


def test_a_model_that_fails_at_the_last_word_withholds_no_table() -> None:
    context = ShopContext(table=TableView(columns=("region",), rows=(("Northland",),), total=1))
    with serving(lambda _: say(NONSENSE)) as server:
        answer, _ = run_answer(server, answered(), context=context)
    assert (answer.status, answer.table) == ("partial", "1.1.1")
    assert "was computed and is shown" in answer.text
    assert NONSENSE in answer.notes[-1]  # what a model says when it refuses is kept


def test_a_reviewer_that_fails_is_skipped_with_a_note() -> None:
    async def check(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
        return (Finding(level="ok", text="Read-only."),)

    joined = "SELECT * FROM orders JOIN customers ON customers.id = customer_id"
    proposal = PROPOSAL.model_copy(update={"code": CODE.replace(SQL, joined)})
    for script in (lambda _: say(NONSENSE), lambda _: fail(500, "down")):
        with serving(script) as server:
            review, _ = run_review(server, [QUESTION, PLAN, proposal], proposal, check=check)
        assert review.verdict == "ok"
        assert [f.level for f in review.findings] == ["ok", "note"]
        assert "No model looked at this code" in review.findings[-1].text


def test_a_failure_that_no_model_diagnoses_is_told_by_its_own_words() -> None:
    failure = Failure(kind="raised", name="NameError", message="name 'pd' is not defined", line=1)
    failed = Execution(turn=1, id="1.1.1", step=1, language="sql", code=CODE, status="failed", failure=failure)
    with serving(lambda _: say(NONSENSE)) as server:
        diagnosis, _ = run_diagnose(server, [QUESTION, PLAN, PROPOSAL, failed], failed)
    assert (diagnosis.cause, diagnosis.repairable) == ("NameError: name 'pd' is not defined", True)


def test_code_that_failed_is_sent_back_once_before_it_is_put_forward_again() -> None:
    failure = Failure(kind="raised", name="ValueError", message="no", line=1)
    failed = Execution(turn=1, id="1.1.1", step=1, language="sql", code=CODE, status="failed", failure=failure)
    log: list[Event] = [QUESTION, PLAN, PROPOSAL, failed]
    better = {**SOME_SQL, "code": SQL + " LIMIT 5"}

    def script(asked: Asked) -> Served:
        return typed(asked, better if "ran already and failed" in asked.text else SOME_SQL)

    with serving(script) as server:
        proposal, _ = run_propose(server, log, step=1, revision=2)
    assert "LIMIT 5" in proposal.code


def test_the_result_that_the_last_step_named_is_what_its_cell_shows() -> None:
    for code, shown in (
        ("top = by_region.head(1)\nprint(top)", "top = by_region.head(1)\nprint(top)\ntop"),
        ("top = by_region.head(1)\ntop", "top = by_region.head(1)\ntop"),
        ("by_region.head(1)", "by_region.head(1)"),
    ):
        with serving(replying({**SOME_SQL, "code": code, "result": "top"})) as server:
            proposal, _ = run_propose(server, answered(), step=2, revision=1)
        assert proposal.code == shown


def test_an_answer_shows_no_rows_that_the_last_step_only_worked_on() -> None:
    printed = {"output_type": "stream", "name": "stdout", "text": "0.5"}
    last = Execution(turn=1, id="1.2.1", step=2, language="python", code="print(r)", status="ok", outputs=(printed,))
    table = TableView(columns=("region",), rows=(("Northland",),), total=1)
    with serving(replying(AN_ANSWER)) as server:
        answer, _ = run_answer(server, answered(last), context=ShopContext(table=table))
    assert answer.table is None


def test_large_figures_keep_their_digits() -> None:
    table = TableView(columns=("revenue",), rows=((3_854_200.25,), (12.0,)), total=2, numeric=frozenset({"revenue"}))
    with serving(replying(AN_ANSWER)) as server:
        run_answer(server, answered(), context=ShopContext(table=table), sees="values")
        assert "mean 1927106.125, sum 3854212.25" in server.asked[-1].text


def test_the_coder_of_step_two_sees_the_result_of_step_one() -> None:
    table = TableView(columns=("region", "revenue"), rows=(("Northland", 12.0),), total=1)
    for sees, there in (("results", True), ("names", False)):
        with serving(replying({**SOME_SQL, "code": "x = by_region", "result": "x"})) as server:
            run_propose(server, answered(), step=2, revision=1, context=ShopContext(table=table), sees=sees)
            sent = server.asked[0].text
        assert ("Northland | 12.0" in sent) == there
        assert ("revenue (number)" in sent) == there
        assert "Result of 1.1.1 (by_region): 1 row" in sent


def test_the_reviewer_sees_the_knowledge_and_the_code_once() -> None:
    joined = "SELECT region FROM orders JOIN customers ON customers.id = customer_id"
    proposal = PROPOSAL.model_copy(update={"code": CODE.replace(SQL, joined)})
    with serving(replying({"reasoning": "", "verdict": "ok", "findings": []})) as server:
        run_review(server, [QUESTION, PLAN, proposal], proposal)
        said = server.asked[0].body["messages"][1]["content"]
    assert CHURN.definition in said
    assert said.count(joined) == 1


@pytest.mark.parametrize(
    ("reply", "fields"),
    [
        (PlanReply, ["reasoning", "kind"]),
        (CodeReply, ["reasoning", "kind"]),
        (ReviewReply, ["reasoning", "findings", "verdict"]),
        (AnswerReply, ["reasoning", "text", "answered"]),
        (DiagnosisReply, ["reasoning", "cause", "fix", "category"]),
    ],
)
def test_replies_think_before_they_judge(reply: Any, fields: list[str]) -> None:
    assert list(make_strict_schema(reply)["properties"])[: len(fields)] == fields  # type: ignore[arg-type]


def test_columns_beyond_the_eightieth_are_found_and_their_cut_is_said() -> None:
    wide = Table(
        name="wide", columns=tuple(Column(name=f"c{n}_kpi", type="REAL", kind="number") for n in range(120)), rows=1
    )
    said = describe_table(wide, source="shop", sees="results")
    assert "40 more columns are not listed here; describe_table with `matching` finds them" in said
    assert "c119_kpi" not in said
    assert "c119_kpi" in describe_table(wide, source="shop", sees="results", matching="c119")
    catalog = Catalog(source="shop", dialect="sqlite", tables=(wide,))
    assert "and 40 more columns" in describe_overview([catalog], tokens_max=3_000)


FANNED = "SELECT SUM(c.id) FROM customers c JOIN orders o ON o.customer_id = c.id"
JOINED = "SELECT c.name, SUM(o.amount) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name"
DEFINED = PLAN.model_copy(update={"citations": (Citation(id=CHURN.id, title="churn", origin="glossary.yaml"),)})


@pytest.mark.parametrize(
    ("plan", "sql", "calls"),
    [
        (PLAN, SQL, 0),
        (RISKY, SQL, 1),
        (DEFINED, SQL, 0),
        (PLAN, JOINED, 0),
        (DEFINED, JOINED, 1),
        (PLAN, FANNED, 1),
    ],
    ids=["plain", "hard", "plain by definition", "along a key", "joined by definition", "repeated rows"],
)
@pytest.mark.parametrize("revision", [1, 2])
def test_the_models_review_is_asked_by_risk(plan: Plan, sql: str, calls: int, revision: int) -> None:
    keyed = Catalog(
        source="shop",
        dialect="sqlite",
        tables=tuple(replace(table, primary_key=("id",)) for table in SHOP.tables),
    )
    proposal = PROPOSAL.model_copy(update={"code": CODE.replace(SQL, sql), "revision": revision})
    with serving(replying({"reasoning": "", "findings": [], "verdict": "ok"})) as server:
        review, _ = run_review(server, [QUESTION, plan, proposal], proposal, context=ShopContext(catalog=(keyed,)))
        assert len(server.asked) == calls
    assert review.verdict == "ok"


TABLE = TableView(columns=("region", "revenue"), rows=(("Northland", 61.38),), total=1)


TWO_ROWS = TableView(columns=("region", "revenue"), rows=(("Northland", 61.38), ("Southland", 20.1)), total=2)
AHEAD = "“Southland is ahead of Northland.” (Revenue: Southland 20.1, Northland 61.38)"


@pytest.mark.parametrize(
    ("wrong", "reason", "right", "note"),
    [
        (
            "Northland brought 999,999.99.",
            "Neither stands in the results",
            "Northland brought 61.38.",
            "Not found in the results: 999,999.99.",
        ),
        (
            "Northland brought 20.10.",
            "20.10 beside Northland",
            "Northland brought 61.38.",
            "In the results, this belongs to another row: 20.10 beside Northland.",
        ),
        (
            "Southland is ahead of Northland.",
            AHEAD,
            "Northland is far ahead of Southland.",
            f"The results do not bear this out: {AHEAD}.",
        ),
    ],
    ids=["a figure that no result holds", "a figure of another row", "a false claim without a digit"],
)
def test_what_the_results_do_not_hold_is_sent_back_once_and_then_marked(
    wrong: str, reason: str, right: str, note: str
) -> None:
    def corrects(asked: Asked) -> Served:
        return typed(asked, {**AN_ANSWER, "text": right if reason in asked.text else wrong})

    for script, status in ((corrects, "answered"), (replying({**AN_ANSWER, "text": wrong}), "partial")):
        with serving(script) as server:
            answer, _ = run_answer(server, answered(), context=ShopContext(table=TWO_ROWS))
            assert len(server.asked) == 2
        assert isinstance(answer, Answer)
        assert answer.status == status
        assert (note in answer.notes) == (status == "partial")


def test_a_claim_that_the_model_types_is_evaluated() -> None:
    claim = {"relation": "most", "subject": "Southland", "measure": "revenue"}
    with serving(replying({**AN_ANSWER, "text": "See the table.", "claims": [claim]})) as server:
        answer, _ = run_answer(server, answered(), context=ShopContext(table=TWO_ROWS))
    assert isinstance(answer, Answer)
    assert answer.status == "partial"


def test_figures_that_the_answer_refers_to_are_written_by_the_program() -> None:
    text = "Northland brought [[by_region.revenue]]."
    with serving(replying({**AN_ANSWER, "text": text, "notes": ["Not [[by_region.profit]]."]})) as server:
        answer, _ = run_answer(server, answered(), context=ShopContext(table=TABLE))
    assert isinstance(answer, Answer)
    assert answer.text == "Northland brought 61.38."
    assert answer.status == "partial"
    assert "It has no column 'profit'; it has region, revenue." in answer.notes[0]


def test_figures_of_notes_are_compared_too() -> None:
    noted = {**AN_ANSWER, "text": "Northland brought 61.38.", "notes": ["Southland brought 4,711."]}
    with serving(replying(noted)) as server:
        answer, _ = run_answer(server, answered(), context=ShopContext(table=TABLE))
    assert isinstance(answer, Answer)
    assert (answer.status, answer.notes[0]) == ("partial", "Not found in the results: 4,711.")


def test_results_that_do_not_suffice_get_further_steps_but_not_for_ever() -> None:
    more = {"title": "By month", "language": "sql", "instruction": "Sum by month.", "hard": False}
    lacking = {**AN_ANSWER, "answered": False, "text": "The months are missing.", "steps": [more]}
    with serving(replying(lacking)) as server:
        context = ShopContext(table=TABLE)
        plan, _ = run_answer(server, answered(), context=context)
        assert isinstance(plan, Plan)
        done = PLAN.steps[:1]
        assert (plan.id, plan.steps[:1], plan.steps[1].title, plan.begins) == ("1.plan.2", done, "By month", 2)
        assert plan.changed == "The months are missing."
        log = [*answered(), plan, plan, plan, ran().model_copy(update={"id": "1.2.1", "step": 2})]
        answer, _ = run_answer(server, log, context=context)
    assert isinstance(answer, Answer)
    assert (answer.status, answer.text) == ("partial", "The months are missing.")


@pytest.mark.parametrize("counted", ["4", "1,917"])
def test_rows_that_the_program_counted_may_be_told(counted: str) -> None:
    """The table of the plan has 4 rows, so its review says so; a frame of the cell has 1,917."""
    frame = Variable(name="orders_of_all", type="DataFrame", shape=(1917, 3))
    log = answered()
    log = (*log[:-1], log[-1].model_copy(update={"variables": (frame,)}))
    reply = {**AN_ANSWER, "text": f"Northland leads over {counted} orders."}
    with serving(replying(reply)) as server:
        answer, _ = run_answer(server, log, context=ShopContext(table=TABLE))
        assert len(server.asked) == 1
    assert answer.status == "answered"


def test_a_count_that_only_a_model_said_is_sent_back() -> None:
    doubted = Review(turn=1, proposal="1.1.1", verdict="ok", findings=(Finding(level="ok", text="All 8,412 orders."),))
    log = (QUESTION, PLAN, PROPOSAL, doubted, *answered()[4:])
    reply = {**AN_ANSWER, "text": "Northland leads over 8,412 orders."}
    with serving(replying(reply)) as server:
        answer, _ = run_answer(server, log, context=ShopContext(table=TABLE))
        assert len(server.asked) == 2
    assert answer.status == "partial"


SOME_PYTHON = {**SOME_SQL, "code": "drawn = by_region", "result": "drawn"}


def told_to_the_coder(context: ShopContext) -> str:
    with serving(replying(SOME_PYTHON)) as server:
        run_propose(server, [*answered()], step=2, revision=1, context=context)
        return server.asked[0].text


def test_the_coder_is_told_the_names_of_files_unless_a_column_of_theirs_is_withheld() -> None:
    files = {"2014 q4.csv": ("trips", ()), "shop.csv": ("shop", ())}
    trips = Catalog(source="trips", dialect="duckdb", tables=())
    said = told_to_the_coder(ShopContext(catalog=(SHOP, trips), files_of=files))
    assert "There are '2014 q4.csv'; else there is no file" in said
    assert "shop.csv" not in said
    assert "There is no file but what the cell writes." in told_to_the_coder(ShopContext())


def test_the_coder_is_told_a_table_once() -> None:
    said = told_to_the_coder(ShopContext())
    assert said.count("customer_id INTEGER") == 1
    assert "- orders" not in said
    assert "- customers, 1 row (" in said


CHART = PROPOSAL.model_copy(
    update={
        "id": "1.2.1",
        "step": 2,
        "language": "python",
        "code": "alt.Chart(by_region).mark_bar().encode(x='region:N', y='revenue:Q')",
        "result": "",
    }
)


def reviewed(proposal: Proposal, log: Sequence[Event]) -> tuple[Review, list[Asked]]:
    with serving(replying({"reasoning": "", "findings": [], "verdict": "ok"})) as server:
        review, _ = run_review(server, [*log, proposal], proposal, context=ShopContext(table=TABLE))
        return review, list(server.asked)


def test_a_plain_chart_of_a_result_costs_no_call_of_the_reviewer() -> None:
    log = [QUESTION, PLAN, PROPOSAL, ran()]
    review, asked = reviewed(CHART, log)
    assert (review.verdict, len(asked)) == ("ok", 0)
    counted = CHART.model_copy(update={"code": CHART.code.replace("revenue:Q", "sum(revenue):Q")})
    assert len(reviewed(counted, log)[1]) == 1


def test_the_review_of_a_python_cell_is_told_the_results_and_tables_that_it_names() -> None:
    log = [QUESTION, PLAN, PROPOSAL, ran()]
    named = CHART.model_copy(update={"code": "by_region['revenue'].sum()"})
    other = CHART.model_copy(update={"code": "query('SELECT id FROM orders')"})
    (asked,) = reviewed(named, log)[1]
    assert "Result of 1.1.1 (by_region)" in asked.text
    assert "## Tables of the plan" not in asked.text
    (asked,) = reviewed(other, log)[1]
    assert "Result of 1.1.1" not in asked.text
    assert "Table orders of source" in asked.text


def test_a_query_that_keeps_other_days_than_its_step_says_is_warned_of() -> None:
    steps = (Step(title="Revenue", language="sql", instruction="Sum revenue from 2026-01-01 to 2026-03-31."),)
    short = PROPOSAL.model_copy(
        update={"queries": (Query(sql="SELECT 1 FROM orders WHERE day BETWEEN '2026-01-01' AND '2026-03-01'"),)}
    )
    review, asked = reviewed(short, [QUESTION, PLAN.model_copy(update={"steps": steps})])
    assert review.verdict == "concerns"
    assert "The step says 2026-03-31" in review.findings[0].text
    assert not asked


def test_the_instruction_of_a_step_stands_once_in_the_coders_prompt() -> None:
    instruction = "Sum the amount of paid orders by region."
    steps = (
        Step(title="Sum", language="sql", instruction=instruction),
        Step(title="Draw", language="python", instruction="Bars."),
    )
    with serving(replying(SOME_SQL)) as server:
        run_propose(server, [QUESTION, PLAN.model_copy(update={"steps": steps})], step=1, revision=1)
        assert server.asked[0].text.count(instruction) == 1
        assert "1. (sql) Sum.\n2. (python) Draw. Bars." in server.asked[0].text.replace("\\n", "\n")


PLAN_WITH_CELL = {
    **A_PLAN,
    "steps": [{"title": "Sum by region", "language": "sql", "instruction": "", "hard": False}],
    "code": SQL + ";",
    "result": "by_region",
}


async def doubt_totals(code: str, language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
    return (Finding(level="warning", text="No row has 'Completed'. Did you mean 'completed'?"),) * ("SUM" in code)


@KINDS
def test_a_plan_of_one_step_holds_its_cell_and_the_coder_asks_no_model(forms: tuple[str, ...]) -> None:
    async def work(line: Line) -> tuple[Plan, Proposal]:
        context = ShopContext()
        planner = ModelPlanner(line.dialogue, context=context, find_faults=no_findings, writes_cells=True)
        plan = await planner.plan([QUESTION])
        assert isinstance(plan, Plan)
        proposal = await ModelCoder(line.dialogue, context=context).propose([QUESTION, plan], step=1, revision=1)
        assert isinstance(proposal, Proposal)
        return plan, proposal

    with serving(replying(PLAN_WITH_CELL), forms=forms) as server:
        (plan, proposal), _ = speak(server, work)
        assert sum("Plan the current question" in asked.text for asked in server.asked) == len(server.asked)
    assert (proposal.code, proposal.result, plan.cells[0].code) == (CODE, "by_region", CODE)
    assert [query.sql.strip() for query in proposal.queries] == [SQL]


@pytest.mark.parametrize("change", ["hard", "two steps", "edited plan", "sent back"])
def test_a_cell_that_came_with_the_plan_is_written_anew_where_it_cannot_stand(change: str) -> None:
    (step,) = PLAN_WITH_CELL["steps"]
    steps = {"hard": [{**step, "hard": True}], "two steps": [step, step]}.get(change, [step])
    after: list[Event] = []
    if change == "edited plan":
        edited = Step(title="Count by region", language="sql")
        after = [
            Decision(turn=1, request="d", subject="plan", ref="1.plan.1", action="edit", by="person", steps=(edited,))
        ]
    elif change == "sent back":
        after = [PROPOSAL, Review(turn=1, proposal="1.1.1", verdict="revise")]

    async def work(line: Line) -> None:
        planner = ModelPlanner(line.dialogue, context=ShopContext(), writes_cells=True)
        plan = await planner.plan([QUESTION])
        assert isinstance(plan, Plan)
        await ModelCoder(line.dialogue, context=ShopContext()).propose([QUESTION, plan, *after], step=1, revision=1)

    def script(asked: Asked) -> Served:
        of_plan = "Plan the current question" in asked.text
        return typed(asked, {**PLAN_WITH_CELL, "steps": steps} if of_plan else {**SOME_SQL, "code": "SELECT 1 AS one"})

    with serving(script) as server:
        speak(server, work)
        assert "Write step 1 of the plan" in server.asked[-1].text


@pytest.mark.parametrize("role", ["planner", "coder"])
@pytest.mark.parametrize("corrects", [True, False])
def test_what_the_program_finds_goes_back_to_the_writer_once(role: str, corrects: bool) -> None:
    count = SQL.replace("SUM", "COUNT")

    def script(asked: Asked) -> Served:
        reply = PLAN_WITH_CELL if role == "planner" else SOME_SQL
        told = "Did you mean 'completed'?" in asked.text
        return typed(asked, {**reply, "code": count if told and corrects else SQL})

    async def work(line: Line) -> str:
        context = ShopContext()
        if role == "planner":
            planner = ModelPlanner(line.dialogue, context=context, find_faults=doubt_totals, writes_cells=True)
            plan = await planner.plan([QUESTION])
            assert isinstance(plan, Plan)
            return plan.cells[0].code
        coder = ModelCoder(line.dialogue, context=context, find_faults=doubt_totals)
        proposal = await coder.propose([QUESTION, PLAN], step=1, revision=1)
        assert isinstance(proposal, Proposal)
        return proposal.code

    with serving(script) as server:
        code, _ = speak(server, work)
        assert len(server.asked) == 2
    assert (count in code) == corrects


GAPPED = replace(
    SHOP,
    tables=tuple(
        replace(
            table,
            columns=tuple(
                replace(column, profile=replace(column.profile, nulls=1713)) if column.name == "amount" else column  # type: ignore[type-var]
                for column in table.columns
            ),
        )
        for table in SHOP.tables
    ),
)


@pytest.mark.parametrize("sees", ["names", "results"])
def test_the_answerer_is_told_the_gaps_of_the_tables_that_were_read(sees: Sees) -> None:
    reply = {**AN_ANSWER, "text": "Northland brought 61.38.", "notes": ["1,713 orders have no amount."]}
    context = ShopContext(catalog=(GAPPED,), table=TABLE)
    with serving(replying(reply)) as server:
        answer, _ = run_answer(server, answered(), context=context, sees=sees)
        told = "orders: 4 rows; empty values: amount 1713" in server.asked[0].text
        assert told == (sees == "results")
        assert len(server.asked) == (1 if told else 2)
    assert isinstance(answer, Answer)
    assert (answer.status == "answered") == (sees == "results")


def test_what_the_answerer_looked_up_may_be_told() -> None:
    reply = {**AN_ANSWER, "text": "Northland brought 61.38, the median."}

    def script(asked: Asked) -> Served:
        if len(server.asked) == 1:
            assert {tool["function"]["name"] for tool in asked.body["tools"]} == {"profile", "preview", "find_values"}
            return call("profile", of="by_region")
        return typed(asked, {**reply, "notes": ["Its quarter is 61.38 of 1 distinct."]})

    with serving(script) as server:
        answer, _ = run_answer(server, answered(), context=ShopContext(table=TABLE))
        assert "25% 61.38" in server.asked[1].text
    assert isinstance(answer, Answer)
    assert answer.status == "answered"


REGIONS = TableView(columns=("region", "revenue"), rows=(("Northland", 12.0), ("Southland", 8.0)), total=2)


def answer_with_chart(chart: dict[str, object], question: Question = QUESTION) -> Answer:
    reply = {"answered": True, "text": "Northland led with 12.", "chart": chart}
    with serving(replying(reply)) as server:
        answer, _ = speak(
            server, lambda line: ModelPlanner(line.dialogue, context=ShopContext(table=REGIONS)).answer(answered())
        )
    assert isinstance(answer, Answer)
    return answer


def test_the_chart_that_a_model_names_is_drawn_by_the_program() -> None:
    chart = {
        "kind": "pie",
        "dimension": "region",
        "measure": "revenue",
        "highlight": "northland",
        "title": "Northland is ahead of Southland",
    }
    answer = answer_with_chart(chart)
    look = answer.appearance
    assert (look.chart, look.x, look.y, look.highlight) == ("pie", "region", "revenue", "Northland")
    assert look.title == "Northland is ahead of Southland"
    assert answer.notes == ("All orders count.",)


def test_what_does_not_fit_of_a_named_chart_is_said_and_left_to_the_program() -> None:
    answer = answer_with_chart(
        {"kind": "map", "dimension": "month", "measure": "region", "title": "Southland has the most revenue"}
    )
    look = answer.appearance
    assert (look.chart, look.x, look.y, look.title) == (None, None, None, "")
    assert "The chart uses another group: “month” is no column of this result." in answer.notes
    assert "The chart uses another figure: “region” is no figure." in answer.notes
    assert "These rows do not suit a map, so the chart is of the kind that fits best." in answer.notes
    assert "The chart has no title: the results do not bear out the one that was proposed." in answer.notes
    assert answer.status == "answered"
