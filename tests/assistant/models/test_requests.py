"""One request over the wire: what endpoints turn down is left out and remembered, silence ends it, refusals are kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from autogen_core.models import CreateResult, UserMessage
from openai_server import Asked, Served, call, fail, say, serving

from assistant.errors import ModelError, ModelUnavailable
from assistant.models import requests
from assistant.models.capabilities import FILE, KEPT_FOR
from assistant.models.providers import ModelChoice, build

ASK = [UserMessage(content="Say hello.", source="person")]
BOTH_WAYS = pytest.mark.parametrize("streams", [True, False], ids=["streamed", "whole"])


def ask(url: str, *, home: Path | None = None, times: int = 1, streams: bool = True, **more: Any) -> CreateResult:
    given: dict[str, Any] = {"retries_max": 0, "timeout_s": 20.0, "api_key_env": "", **more}
    model = build(ModelChoice(provider="openai", model="m", base_url=url, streams=streams, **given), home=home)
    pieces: list[str] = []

    async def run() -> CreateResult:
        try:
            for _ in range(times):
                result = await requests.call(model, ASK, on_piece=pieces.append)
        finally:
            await model.close()
        return result

    result = asyncio.run(run())
    assert bool(pieces) == (streams and bool(result.content))
    return result


def rejecting(field: str, why: str) -> Callable[[Asked], Served]:
    """An endpoint that does not take a field."""
    return lambda asked: fail(400, why) if field in asked.body else say("hello there, this is a reply")


@pytest.mark.parametrize(
    ("field", "why", "more"),
    [
        ("stream_options", "Unrecognized request argument supplied: stream_options", {}),
        ("stream_options", "Bad Request", {}),
        ("temperature", "Unsupported value: 'temperature' does not support 0.2 with this model.", {"temperature": 0.2}),
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            {"config": {"max_tokens": 900}},
        ),
    ],
)
def test_what_an_endpoint_turns_down_is_left_out_once_and_remembered(
    tmp_path: Path, field: str, why: str, more: dict[str, Any]
) -> None:
    with serving(rejecting(field, why)) as server:
        assert ask(server.url, home=tmp_path, times=2, **more).content == "hello there, this is a reply"
        assert [field in asked.body for asked in server.asked] == [True, False, False]
        ask(server.url, home=tmp_path, **more)  # another program
        assert field not in server.asked[-1].body
        if field == "max_tokens":
            assert server.asked[-1].body["max_completion_tokens"] == 900


def test_an_endpoint_that_cannot_stream_is_asked_for_the_whole(tmp_path: Path) -> None:
    def script(asked: Asked) -> Served:
        if "stream_options" in asked.body:
            return fail(400, "unknown field")
        return fail(422, "stream is not supported") if asked.body.get("stream") else say("hello")

    model_of = ModelChoice(provider="openai", model="m", api_key_env="", retries_max=0)
    with serving(script) as server:

        async def run() -> CreateResult:
            model = build(ModelChoice(**{**_fields(model_of), "base_url": server.url}), home=tmp_path)
            try:
                return await requests.call(model, ASK, on_piece=lambda _: None)
            finally:
                await model.close()

        assert asyncio.run(run()).content == "hello"


def _fields(choice: ModelChoice) -> dict[str, Any]:
    return {name: getattr(choice, name) for name in ModelChoice.__dataclass_fields__}


def test_what_was_turned_down_in_vain_is_not_remembered(tmp_path: Path) -> None:
    refusing = serving(lambda _: fail(400, "temperature of the machine room is too high"))
    with refusing as server, pytest.raises(requests.FormRefused):
        ask(server.url, home=tmp_path, temperature=0.1)
    assert not (tmp_path / FILE).exists()


def test_what_is_remembered_expires_and_a_damaged_file_is_no_obstacle(tmp_path: Path) -> None:
    with serving(rejecting("stream_options", "stream_options?")) as server:
        ask(server.url, home=tmp_path)
        (key,) = kept = json.loads((tmp_path / FILE).read_text())
        until = datetime.fromisoformat(kept[key].pop("until"))
        assert timedelta() < until - datetime.now(UTC) <= KEPT_FOR
        for entry in ({**kept[key], "until": "2020-01-01T00:00:00+00:00"}, {"until": 7}, [], {"forms": []}):
            (tmp_path / FILE).write_text(json.dumps({key: entry}))
            ask(server.url, home=tmp_path)
            assert "stream_options" in server.asked[-2].body
        (tmp_path / FILE).write_text("{")
        ask(server.url, home=tmp_path)


def test_a_reply_that_streams_for_longer_than_the_timeout_is_not_cut() -> None:
    text = "this comes in many small pieces, and takes longer in all than one silence may"
    with serving([say(text, gap_s=0.25)]) as server:
        assert ask(server.url, timeout_s=1.0).content == text  # about 2.5 s
    arguments = {"text": text, "more": text}
    with serving([call("reply", **arguments)]) as server:  # AutoGen gives no piece of a call while it arrives
        server.script = [Served(calls=(("reply", arguments),), gap_s=0.12)]
        result = ask_for_a_call(server.url, timeout_s=1.0)
    assert not isinstance(result.content, str)
    assert json.loads(result.content[0].arguments) == arguments


def ask_for_a_call(url: str, **more: Any) -> CreateResult:
    async def run() -> CreateResult:
        model = build(ModelChoice(provider="openai", model="m", base_url=url, api_key_env="", **more))
        try:
            return await requests.call(model, ASK, on_piece=lambda _: None)
        finally:
            await model.close()

    return asyncio.run(run())


@BOTH_WAYS
def test_silence_ends_a_request_and_names_the_setting(streams: bool) -> None:
    silent = serving([say("a reply with a long silence in it", gap_s=20.0, delay_s=0.0 if streams else 20.0)])
    named = r"did not answer within 0\.4 s.*timeout_s in a table \[models\.NAME\]"
    with silent as server, pytest.raises(ModelUnavailable, match=named):
        ask(server.url, timeout_s=0.4, streams=streams)


@BOTH_WAYS
def test_a_refusal_is_kept_and_shown(streams: bool) -> None:
    refusal = "I cannot help with finding the home address of a person."
    with serving([Served(refusal=refusal)]) as server, pytest.raises(ModelError, match="refuses") as raised:
        ask(server.url, streams=streams)
    assert refusal in str(raised.value)
    assert not isinstance(raised.value, ModelUnavailable)


def test_an_endpoint_that_says_when_to_come_back_late_is_not_waited_for() -> None:
    with serving([fail(429, "quota", headers={"retry-after": "3600"})]) as server:
        with pytest.raises(ModelUnavailable, match="TANDEM_FALLBACKS"):
            ask(server.url, retries_max=5)
        assert len(server.asked) == 1
