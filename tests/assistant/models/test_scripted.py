from __future__ import annotations

import asyncio
from typing import Any

import pytest
from autogen_core import CancellationToken
from autogen_core.models import UserMessage

from assistant.errors import ModelError
from assistant.models.scripted import Call, ScriptedClient, ScriptedRequest
from assistant.runner.group_chat import refuse_to_choose

ASK = [UserMessage(content="Say hello.", source="person")]


async def test_replies_come_in_order_and_requests_are_recorded_streamed_or_not() -> None:
    client = ScriptedClient(["one", "two is streamed in pieces", Call(name="search", arguments={"query": "x"})])
    assert (await client.create(ASK)).content == "one"
    *pieces, result = [piece async for piece in client.create_stream(ASK)]
    assert "".join(str(p) for p in pieces) == getattr(result, "content", None) == "two is streamed in pieces"
    (made,) = (await client.create(ASK)).content
    assert getattr(made, "name", "") == "search"
    assert len(client.requests) == 3
    assert client.total_usage().prompt_tokens > 0


async def test_an_abandoned_stream_has_used_up_its_reply() -> None:
    client = ScriptedClient(["a long reply that is abandoned", "the next"])
    stream = client.create_stream(ASK)
    await anext(stream)
    await stream.aclose()
    assert (await client.create(ASK)).content == "the next"


def test_a_script_at_its_end_says_what_was_asked() -> None:
    with pytest.raises(ModelError, match=r"only 0 replies.*Say hello"):
        asyncio.run(ScriptedClient([]).create(ASK))


def test_a_cancellation_token_stops_a_reply_that_takes_its_time() -> None:
    async def never(_: ScriptedRequest) -> str:
        await asyncio.Event().wait()
        return ""

    async def talk() -> None:
        token = CancellationToken()
        asking = asyncio.ensure_future(ScriptedClient(never).create(ASK, cancellation_token=token))
        await asyncio.sleep(0.01)
        token.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(talk())


def test_a_client_that_must_not_be_asked_refuses() -> None:
    async def ask_streaming() -> Any:
        return [piece async for piece in ScriptedClient(refuse_to_choose).create_stream(ASK)]

    for asking in (ScriptedClient(refuse_to_choose).create(ASK), ask_streaming()):
        with pytest.raises(AssertionError, match=r"assistant\.core\.flow decides"):
            asyncio.run(asking)
