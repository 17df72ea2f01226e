from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from openai_server import OpenAIServer, fail, serving, typed
from shop_session import PLAN, QUESTION, Line, ShopContext, model

from assistant.agents.model.candidates import Candidate, group_tries
from assistant.agents.model.coder import ModelCoder
from assistant.agents.model.replies import CodeReply
from assistant.cells.tables import TableView
from assistant.core.events import Clarification, ClarificationAnswered, Event, PolicyChanged, Proposal

HARD = PLAN.model_copy(update={"steps": (PLAN.steps[0].model_copy(update={"hard": True}), PLAN.steps[1])})
FREE = PolicyChanged(turn=1, approve=("query",))


def one(amount: float, name: str = "amount") -> TableView:
    return TableView(columns=("region", name), rows=(("North", amount), ("South", 2.0)), total=2)


def code(sql: str) -> dict[str, Any]:
    return {"kind": "code", "title": sql, "why": "So.", "code": sql, "result": "r"}


RESULTS = {"A": one(1), "B": one(1.0000000001, "revenue"), "C": one(9)}


def propose(server: OpenAIServer, log: Sequence[Event], context: ShopContext | None = None) -> object:
    async def run() -> object:
        made = model(server.url)
        line = Line.to(made, role="coder")
        try:
            found = context or ShopContext(results=dict(RESULTS))
            return await ModelCoder(line.dialogue, context=found).propose(log, step=1, revision=1)
        finally:
            await made.close()

    return asyncio.run(run())


def test_the_result_that_most_tries_gave_goes_forward_and_the_other_is_said() -> None:
    replies = iter([code("C"), code("A"), code("B")])
    with serving(lambda asked: typed(asked, next(replies))) as server:
        said = propose(server, (QUESTION, FREE, HARD))
        assert "This is number 3" in server.asked[2].text
        assert "This is number" not in server.asked[0].text
    assert isinstance(said, Proposal)
    assert "A" in said.code
    assert "2 tries gave this result; another gave 2 rows; amount adds up to 11." in said.why


def test_where_no_two_agree_the_person_chooses_between_results() -> None:
    context = ShopContext(results={"A": one(1), "B": one(5), "C": one(9)})
    replies = iter([code("A"), code("B"), code("C")])
    with serving(lambda asked: typed(asked, next(replies))) as server:
        said = propose(server, (QUESTION, FREE, HARD), context)
    assert isinstance(said, Clarification)
    assert said.options[1] == "Reading 2: B (2 rows; amount adds up to 7)"
    assert "Reading 3: C" in said.text
    chosen = ClarificationAnswered(turn=1, clarification=said.id, text=said.options[1])
    with serving(lambda asked: typed(asked, code("B"))) as server:
        after = propose(server, (QUESTION, FREE, HARD, said, chosen), context)
        assert len(server.asked) == 1
    assert isinstance(after, Proposal)


@pytest.mark.parametrize("log", [(QUESTION, HARD), (QUESTION, FREE, PLAN)], ids=["not approved", "not hard"])
def test_a_query_is_tried_only_for_a_hard_step_and_where_the_policy_approves_queries(log: Sequence[Event]) -> None:
    context = ShopContext(results=dict(RESULTS))
    with serving(lambda asked: typed(asked, code("A"))) as server:
        assert isinstance(propose(server, log, context), Proposal)
        assert len(server.asked) == 1
    assert context.asked == []


def test_tries_that_fail_withhold_nothing() -> None:
    replies = iter([True])
    with serving(lambda asked: typed(asked, code("no")) if next(replies, False) else fail(500, "down")) as server:
        assert isinstance(propose(server, (QUESTION, FREE, HARD)), Proposal)


def test_results_are_equal_whatever_their_columns_are_called_and_however_they_are_ordered() -> None:
    reply = CodeReply(kind="code", code="x")
    turned = TableView(columns=("n", "who"), rows=((2, "South"), (1.0, "North")), total=2)
    assert len(group_tries([Candidate(reply=reply, table=one(1)), Candidate(reply=reply, table=turned)])) == 1
    assert len(group_tries([Candidate(reply=reply, table=one(1)), Candidate(reply=reply, table=one(1.01))])) == 2
