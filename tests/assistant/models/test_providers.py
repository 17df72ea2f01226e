from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from autogen_core.models import CreateResult, UserMessage
from openai_server import call, say, serving

from assistant.errors import ConfigError
from assistant.models.providers import ModelChoice, build
from assistant.models.usage import Price

KEY = "sk-very-secret-0123456789"
ASK = [UserMessage(content="Say hello.", source="person")]


def choice(url: str, **more: Any) -> ModelChoice:
    return ModelChoice(provider="openai", model="some-model-nobody-knows", base_url=url, api_key_env="MY_KEY", **more)


async def created(made: ModelChoice, environment: dict[str, str]) -> CreateResult:
    model = build(made, environment=environment)
    try:
        return await model.client.create(ASK)
    finally:
        await model.close()


def test_an_unknown_model_name_works_at_any_compatible_endpoint() -> None:
    with serving([say("hello")]) as server:
        result = asyncio.run(created(choice(server.url), {"MY_KEY": KEY}))
    assert (result.content, result.usage.prompt_tokens) == ("hello", 120)
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["model"] == "some-model-nobody-knows"
    assert "name" not in asked.body["messages"][0]


def test_a_reply_arrives_piece_by_piece_with_its_usage() -> None:
    async def streamed(url: str) -> list[Any]:
        model = build(choice(url), environment={"MY_KEY": KEY})
        extra = {"stream_options": {"include_usage": True}}
        try:
            return [piece async for piece in model.client.create_stream(ASK, extra_create_args=extra)]
        finally:
            await model.close()

    with serving([say("hello, this comes in several pieces")]) as server:
        *pieces, result = asyncio.run(streamed(server.url))
    assert len(pieces) > 2
    assert "".join(pieces) == result.content
    assert result.usage.completion_tokens == 30


def test_tool_calls_come_back_as_calls() -> None:
    with serving([call("search_knowledge", query="churn")]) as server:
        result = asyncio.run(created(choice(server.url), {"MY_KEY": KEY}))
    assert not isinstance(result.content, str)
    assert (result.content[0].name, result.content[0].arguments) == ("search_knowledge", '{"query": "churn"}')


def test_a_key_of_another_provider_is_never_sent_to_an_endpoint_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving([say("hello")]) as server:
        asyncio.run(created(choice(server.url), {}))
    assert KEY not in str(server.asked[0].headers)


def test_the_key_is_in_no_text_that_describes_a_model() -> None:
    model = build(choice("http://me:pa55@127.0.0.1:9/v1"), environment={"MY_KEY": KEY})
    assert KEY not in repr(model)
    assert KEY not in str(model)
    assert model.choice.endpoint == "127.0.0.1:9"
    asyncio.run(model.close())


def test_counting_tokens_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    model = build(ModelChoice(provider="openai", model="gpt-4o", api_key_env="MY_KEY"), environment={"MY_KEY": KEY})
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert model.client.count_tokens(ASK) > 0
    assert model.client.remaining_tokens(ASK) > 1000
    asyncio.run(model.close())


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (ModelChoice(provider="openai"), "No model is named"),
        (ModelChoice(provider="openai", model="gpt-4o"), "'OPENAI_API_KEY' is not set"),
        (ModelChoice(provider="openai", model="m", base_url="ftp://host/v1"), "does not start with http"),
        (ModelChoice(), "not a language model"),
    ],
)
def test_a_choice_that_cannot_work_says_what_to_set(made: ModelChoice, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        build(made, environment={})


def test_a_list_price_holds_for_the_providers_own_endpoint_only() -> None:
    assert ModelChoice(provider="openai", model="gpt-4o-2024-11-20").known_price == Price(input=2.5, output=10.0)
    assert ModelChoice(provider="openai", model="gpt-4o", base_url="http://127.0.0.1:1/v1").known_price is None
    stated = Price(input=1.0, output=1.0)
    assert ModelChoice(provider="openai", model="x", base_url="http://127.0.0.1:1", price=stated).known_price == stated
