"""An answer worded by the plan's sentence: only where the turn ran as planned and the values fit it."""

from __future__ import annotations

import asyncio

import pytest
from openai_server import serving, typed
from shop_session import APPROVED, CODE, PLAN, PROPOSAL, QUESTION, Line, ShopContext, model, ran

from assistant.agents.model.planner import ModelPlanner
from assistant.agents.model.sentences import fill_sentence
from assistant.cells.tables import TableView
from assistant.core.events import Answer, Decision, Event

ONE = TableView(columns=("orders", "revenue"), rows=((12_373, 85_741.01),), total=1)
COLUMN = TableView(columns=("region",), rows=(("Northland",), ("Southland",)), total=2)


@pytest.mark.parametrize(
    ("sentence", "table", "text"),
    [
        ("{orders} orders brought {revenue} EUR.", ONE, "12,373 orders brought 85,741.01 EUR."),
        ("@revenue[{revenue}] of {orders}", ONE, "@revenue[85741.01] of 12,373"),
        ("Sold in {region}.", COLUMN, "Sold in Northland, Southland."),
        ("{profit} EUR", ONE, ""),
        ("Nothing to fill.", ONE, ""),
        ("{a}", TableView(columns=("a",), rows=((None,),), total=1), ""),
        ("{a}", TableView(columns=("a",), rows=(), total=0), ""),
        ("{a}", TableView(columns=("a", "b"), rows=((1, 2), (3, 4)), total=2), ""),
        ("{a}", TableView(columns=("a",), rows=((1,),) * 13, total=13), ""),
    ],
)
def test_a_sentence_is_filled_where_the_result_is_what_it_was_written_for(
    sentence: str, table: TableView, text: str
) -> None:
    assert fill_sentence(sentence, table) == text


PLANNED = PLAN.model_copy(update={"steps": PLAN.steps[:1], "sentence": "{orders} orders brought {revenue}."})
EDITED = Decision(
    turn=1, request="d1", subject="code", ref="1.1.1", action="edit", by="person", code=CODE + " ", sha256="x"
)


@pytest.mark.parametrize(
    ("change", "calls"), [("", 0), ("edited", 1), ("changed plan", 1), ("a count of its own", 1)], ids=str
)
def test_no_model_words_what_the_plan_has_worded_unless_something_came_otherwise(change: str, calls: int) -> None:
    reply = {"reasoning": "", "text": "It brought 85,741.01.", "answered": True}
    own = PLANNED.model_copy(update={"sentence": "{orders} orders brought {revenue}, of 4,711."})
    plan = own if change == "a count of its own" else PLANNED
    decided = EDITED if change == "edited" else APPROVED
    again = [plan.model_copy(update={"id": "1.plan.2", "changed": "More."})] if change == "changed plan" else []
    log: list[Event] = [QUESTION, plan, PROPOSAL, decided, ran(), *again]

    async def work(url: str) -> Answer:
        made = model(url)
        try:
            answer = await ModelPlanner(Line.to(made).dialogue, context=ShopContext(table=ONE)).answer(log)
        finally:
            await made.close()
        assert isinstance(answer, Answer)
        return answer

    with serving(lambda asked: typed(asked, reply)) as server:
        answer = asyncio.run(work(server.url))
        assert len(server.asked) == calls
    assert (answer.text == "12,373 orders brought 85,741.01.") == (not calls)
