"""A model that fails after a good step: the turn ends as partial, with what was computed and the reason in words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from memory_log import MemoryLog
from shop_session import SQL, TABLE_OF_TWO, ShopContext

from assistant.agents.coder import CoderAgent
from assistant.agents.human import HumanAgent
from assistant.agents.model.coder import ModelCoder
from assistant.agents.model.dialogue import Dialogue
from assistant.agents.model.planner import ModelPlanner
from assistant.agents.model.reviewer import ModelReviewer
from assistant.agents.participant import Participant
from assistant.agents.planner import PlannerAgent
from assistant.agents.reviewer import ReviewerAgent
from assistant.core.events import (
    Answer,
    AnyEvent,
    Diagnosis,
    Event,
    Execution,
    Failed,
    Failure,
    Finding,
    Language,
    PolicyChanged,
    QueryRun,
    Question,
    Review,
    Role,
    Variable,
)
from assistant.core.turns import current_turn, fold_turn
from assistant.models.providers import Model, ModelChoice
from assistant.models.scripted import Reply, ScriptedClient, ScriptedRequest
from assistant.runner import direct as without_model
from assistant.runner import group_chat as team

JOINED = (
    "SELECT c.name, SUM(o.amount) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name"
)
STEP = {"title": "Sum", "language": "sql", "instruction": "Sum.", "hard": False}
PLAN = {
    "kind": "plan", "text": "Revenue.", "steps": [STEP, STEP, STEP], "options": [], "tables": ["orders"],
    "assumptions": [], "citations": [], "hint": "",
}  # fmt: skip
CODE = {
    "kind": "code", "title": "Revenue", "why": "It answers.", "operations": [], "code": JOINED, "result": "revenue",
    "source": "", "text": "", "options": [],
}  # fmt: skip
REPLIES: dict[str, dict[str, Any]] = {
    "PlanReply": PLAN,
    "CodeReply": CODE,
    "ReviewReply": {"verdict": "ok", "findings": []},
    "JudgeReply": {"verdict": "go_on", "reason": "", "steps": []},
    "DiagnosisReply": {"category": "plan", "cause": "The plan does not fit.", "fix": "Plan anew.", "repairable": True},
    "AnswerReply": {"answered": True, "text": "The revenue is shown in the table.", "notes": []},
}


class Down(RuntimeError):
    """What a provider raises for an HTTP status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


FAULTS: dict[str, tuple[Callable[[], Reply], str]] = {
    "500": (lambda: Down(500, "boom"), "has a fault of its own (HTTP 500)"),
    "context overflow": (lambda: Down(400, "maximum context length is 8192 tokens"), "takes no request this long"),
    "lost connection": (lambda: ConnectionResetError("boom"), "cannot be reached"),
    "timeout": (TimeoutError, "did not answer within"),
    "junk": (lambda: "I am sorry, but I cannot help with that.", "gave no usable reply"),
    "malformed": (lambda: json.dumps({"kind": 7}), "gave no usable reply"),
    "empty": (lambda: "", "gave no usable reply"),
    "no completion": (lambda: KeyError("choices"), "its kind of endpoint does not give"),
    "client trips": (AssertionError, "its kind of endpoint does not give"),
    "recursion": (RecursionError, "its kind of endpoint does not give"),
}
"""What a model does, and the words in which the person reads it."""


def scripted(log: MemoryLog, fault: Callable[[], Reply], *, fails: str, at_once: bool) -> ScriptedClient:
    """A client that replies as it should, and fails at replies of the type `fails`, or at all, once a step has run."""

    def reply(request: ScriptedRequest) -> Reply:
        wanted = next(name for name in REPLIES if name.casefold() == (request.schema or "").casefold())
        has_run = any(isinstance(event, Execution) and event.status == "ok" for event in log.events)
        return fault() if (has_run or at_once) and wanted in (fails or wanted) else json.dumps(REPLIES[wanted])

    return ScriptedClient(reply)


class Runner(Participant):
    """Runs each cell as if it gave a table; fails the step it is told to."""

    def __init__(self, log: MemoryLog, *, fails_step: int = 0) -> None:
        super().__init__("executor", "Runs code.", log=log, says=(Execution,))
        self._fails_step = fails_step

    async def speak(self) -> AnyEvent:
        item = current_turn(self.log.events).open_proposal
        assert item is not None
        proposal = item.proposal
        run = QueryRun(sql=SQL, source="shop", rows=2, seconds=0.01, columns=("region", "revenue"), file="a.arrow")
        frame = Variable(name="revenue", type="DataFrame", shape=(2, 2), columns=("region", "revenue"))
        bad = proposal.step == self._fails_step
        return Execution(
            turn=1, id=proposal.id, step=proposal.step, language="sql", code=proposal.code,
            status="failed" if bad else "ok",
            failure=Failure(kind="raised", name="ValueError", message="no") if bad else None,
            queries=() if bad else (run,), variables=() if bad else (frame,),
        )  # fmt: skip


async def clean(_code: str, _language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
    return (Finding(level="note", text="Looked at."),)


async def zygote() -> str:
    return "zygote"


async def all_is_read() -> Sequence[str]:
    return ()


def converse(
    fails: str, fault: Callable[[], Reply], *, fails_step: int = 0, with_team: bool = False, at_once: bool = False
) -> tuple[Event, ...]:
    """A turn of three steps in which everything is approved, and one role's model fails after the first."""
    log = MemoryLog(
        PolicyChanged(turn=1, approve=("plan", "python", "query")), Question(turn=1, text="Revenue by customer?")
    )
    context = ShopContext(table=TABLE_OF_TWO)

    def dialogue(role: Role) -> Dialogue:
        choice = ModelChoice(
            provider="openai", model=f"{role}-model", base_url="http://127.0.0.1:9/v1", retries_max=0, form="schema"
        )
        model = Model(choice=choice, client=scripted(log, fault, fails=fails, at_once=at_once))
        return Dialogue(model, role=role, sees="rows")

    everyone = (
        PlannerAgent(log=log, role=ModelPlanner(dialogue("planner"), context=context), unread=all_is_read),
        CoderAgent(log=log, role=ModelCoder(dialogue("coder"), context=context)),
        ReviewerAgent(log=log, role=ModelReviewer(dialogue("reviewer"), context=context, check=clean)),
        HumanAgent(log=log, cage=zygote),
        Runner(log, fails_step=fails_step),
    )
    if with_team:
        asyncio.run(team.run(everyone, log=log, first_event=log.events[-1]))  # type: ignore[arg-type]
    else:
        asyncio.run(without_model.run(everyone, log=log))
    return log.events


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("fails", ["CodeReply", "ReviewReply", "JudgeReply", "AnswerReply"])
def test_what_was_computed_is_kept(fails: str, fault: str) -> None:
    fail, words = FAULTS[fault]
    events = converse(fails, fail)
    assert not any(isinstance(event, Failed) for event in events)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.table is not None
    ran = [event for event in events if isinstance(event, Execution)]
    if fails in ("ReviewReply", "JudgeReply"):  # they advise: all steps run without them
        assert (len(ran), answer.status) == (3, "answered")
    else:
        turn = fold_turn(events)
        assert turn is not None
        assert answer.status == turn.outcome == "partial"
        assert words in " ".join((answer.hint, *answer.notes))
        assert len(ran) == (1 if fails == "CodeReply" else 3)
    if fails == "ReviewReply":
        assert words in " ".join(f.text for e in events if isinstance(e, Review) for f in e.findings)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("fails", ["PlanReply", "DiagnosisReply"])
def test_what_was_computed_is_kept_where_a_later_step_failed_and_is_planned_anew(fails: str, fault: str) -> None:
    fail, _ = FAULTS[fault]
    events = converse(fails, fail, fails_step=2)
    assert not any(isinstance(event, Failed) for event in events)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.status, answer.table) == ("partial", "1.1.1")
    assert answer.hint


@pytest.mark.parametrize("fault", FAULTS)
def test_without_a_good_step_the_turn_fails_in_words(fault: str) -> None:
    fail, words = FAULTS[fault]
    events = converse("CodeReply", fail, at_once=True)
    assert isinstance(events[-1], Failed)
    assert words in events[-1].message


def test_all_models_down_at_once_end_as_partial_too() -> None:
    events = converse("", lambda: Down(500, "boom"), with_team=True)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.status, answer.table) == ("partial", "1.1.1")
    assert "HTTP 500" in answer.hint
    assert sum(isinstance(event, Diagnosis) for event in events) == 1, "it is said once"


def test_the_page_does_not_call_the_good_step_failed() -> None:
    turn = fold_turn(converse("CodeReply", lambda: Down(500, "boom")))
    item = turn.proposal("1.1.1") if turn is not None else None
    assert item is not None
    assert item.diagnosis is None
