"""What an endpoint does besides replying: each fault is named as what it is, and what helps is tried once more."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from openai_server import Asked, OpenAIServer, Served, fail, serving, typed
from shop_session import PLAN, QUESTION, SQL, Line, ShopContext, model

from assistant.agents.model.coder import ModelCoder
from assistant.agents.model.planner import ModelPlanner
from assistant.core.events import Event, Plan, Proposal
from assistant.errors import ModelError
from knowledge.documents import Term

PLANNED = {
    "kind": "plan",
    "text": "Revenue by region.",
    "steps": [{"title": "Sum", "language": "sql", "instruction": "Sum.", "hard": False}],
    "tables": ["orders"],
}
CODED = {"kind": "code", "title": "Sum", "why": "", "operations": [], "code": SQL, "result": "by_region"}
CHUNK = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def plan(server: OpenAIServer, **more: Any) -> Plan | ModelError:
    async def run() -> Plan | ModelError:
        made = model(server.url, **more)
        many = tuple(Term(name=f"term {n}", definition="word " * 300, origin="g") for n in range(6))
        question = QUESTION.model_copy(update={"text": QUESTION.text + " in words" * 1_000})
        try:
            event = await ModelPlanner(Line.to(made).dialogue, context=ShopContext(found=many)).plan([question])
        except ModelError as error:
            return error
        finally:
            await made.close()
        assert isinstance(event, Plan)
        return event

    return asyncio.run(run())


def code(server: OpenAIServer, log: list[Event]) -> Proposal:
    async def run() -> Proposal:
        made = model(server.url)
        try:
            proposal = await ModelCoder(Line.to(made).dialogue, context=ShopContext()).propose(log, step=1, revision=1)
        finally:
            await made.close()
        assert isinstance(proposal, Proposal)
        return proposal

    return asyncio.run(run())


@pytest.mark.parametrize("says", ["maximum context length is 5000 tokens", "prompt is too long"])
@pytest.mark.parametrize("fits", [True, False])
def test_a_request_that_is_too_long_is_sent_once_more_with_less(says: str, fits: bool) -> None:
    def script(asked: Asked) -> Served:
        return typed(asked, PLANNED) if fits and len(server.asked) > 1 else fail(400, says)

    with serving(script) as server:
        outcome = plan(server, context_tokens=5_500, reply_tokens=600)
        sizes = [len(asked.text) for asked in server.asked]
    assert len(sizes) == 2
    assert sizes[1] < sizes[0]
    assert isinstance(outcome, Plan) if fits else "takes no request this long" in str(outcome)


def test_a_stream_that_is_cut_off_is_asked_for_again_and_named() -> None:
    head = (
        b'data: {"choices": [{"index": 0, "delta": {"content": "{\\"reasoning\\": \\"I th"}, "finish_reason": null}], '
    )
    cut = Served(raw=head + json.dumps(CHUNK)[1:].encode() + b"\n\n", headers={"content-type": "text/event-stream"})

    for faults, is_plan in ((1, True), (2, False)):
        with serving(lambda asked, n=faults: cut if len(server.asked) <= n else typed(asked, PLANNED)) as server:
            outcome = plan(server, retries_max=1)
            assert len(server.asked) == 2
        assert isinstance(outcome, Plan) if is_plan else "broke off in the middle of its reply" in str(outcome)


def test_a_login_page_is_named_as_a_web_page() -> None:
    page = Served(raw=b"<html><body>Sign in</body></html>", headers={"content-type": "text/html; charset=utf-8"})
    with serving(lambda _: page) as server:
        outcome = plan(server, retries_max=2)
        assert len(server.asked) == 1
    assert "replies with a web page, as a login or a proxy does" in str(outcome)


@pytest.mark.parametrize("language", ["sql", "SQL", "python"])
def test_code_in_a_plain_fence_is_taken(language: str) -> None:
    text = f"Here is the code:\n```{language}\n{SQL if language != 'python' else 'x = 1'}\n```"
    step = PLAN.steps[0].model_copy(update={"language": language.casefold()})
    with serving(lambda _: Served(text=text)) as server:
        proposal = code(server, [QUESTION, PLAN.model_copy(update={"steps": (step,)})])
        assert len(server.asked) == 1
    assert proposal.code == (f'result = query("""\n{SQL}\n""")\nresult' if language != "python" else "x = 1")
