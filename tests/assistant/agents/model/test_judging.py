from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from openai_server import OpenAIServer, serving, typed
from shop_session import PLAN, TABLE_OF_TWO, Line, ShopContext, answered, model

from assistant.agents.model.planner import ModelPlanner
from assistant.cells.tables import TableView
from assistant.core.events import Check, Event, Execution, Judgement, Plan
from assistant.core.turns import current_turn

EMPTY = TableView(columns=("region",), rows=(), total=0)
MORE = {"title": "Spell it right", "language": "sql", "instruction": "Use 'Northland'.", "hard": False}


def judge(server: OpenAIServer, log: Sequence[Event], *, table: TableView = TABLE_OF_TWO) -> Plan | Judgement:
    async def run() -> Plan | Judgement:
        made = model(server.url)
        line = Line.to(made)
        try:
            return await ModelPlanner(line.dialogue, context=ShopContext(table=table)).judge(log)
        finally:
            await made.close()

    return asyncio.run(run())


def reply(verdict: str, *steps: dict[str, Any], reason: str = "No row fits.") -> dict[str, Any]:
    return {"reasoning": "", "verdict": verdict, "reason": reason, "steps": list(steps)}


def test_a_result_with_nothing_odd_before_one_plain_step_costs_no_call() -> None:
    with serving(lambda _: pytest.fail("the model was asked")) as server:
        said = judge(server, answered())
        assert not server.asked
    assert said == Judgement(turn=1, execution="1.1.1", verdict="go_on")


def test_an_empty_result_changes_the_rest_of_the_plan_and_keeps_what_ran() -> None:
    with serving(lambda asked: typed(asked, reply("revise", MORE))) as server:
        said = judge(server, answered(), table=EMPTY)
        assert "The result is empty" in server.asked[0].text
    assert isinstance(said, Plan)
    assert (said.changed, said.begins) == ("No row fits.", 2)
    assert [step.title for step in said.steps] == ["Sum by region", "Spell it right"]
    assert current_turn((*answered(), said)).step == 2


def test_a_failed_check_is_judged() -> None:
    *before, last = answered()
    assert isinstance(last, Execution)
    failed = last.model_copy(update={"checks": (Check(name="unique region", ok=False),)})
    with serving(lambda asked: typed(asked, reply("stop"))) as server:
        said = judge(server, (*before, failed))
        assert "Check unique region: FAILS" in server.asked[0].text
    assert isinstance(said, Judgement)
    assert said.verdict == "stop"


def test_a_revision_that_changes_nothing_is_sent_back() -> None:
    same = PLAN.steps[1].model_dump()
    replies = iter([reply("revise", same), reply("go_on", reason="")])
    with serving(lambda asked: typed(asked, next(replies))) as server:
        said = judge(server, answered(), table=EMPTY)
        assert len(server.asked) == 2
    assert isinstance(said, Judgement)
    assert said.verdict == "go_on"


def test_a_plan_that_keeps_changing_goes_on_by_rule() -> None:
    plan = PLAN.model_copy(update={"changed": "once more"})
    _, _, *rest = answered()
    with serving(lambda _: pytest.fail("the model was asked")) as server:
        said = judge(server, (answered()[0], plan, plan, *rest), table=replace(EMPTY))
    assert isinstance(said, Judgement)


def test_a_model_that_fails_stops_no_plan() -> None:
    from openai_server import fail

    with serving(lambda _: fail(500, "down")) as server:
        said = judge(server, answered(), table=EMPTY)
    assert said == Judgement(turn=1, execution="1.1.1", verdict="go_on")
