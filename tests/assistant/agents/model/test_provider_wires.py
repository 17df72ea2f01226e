"""Eight kinds of endpoint, each in its own shape over a real socket: looked up, replied, streamed, failed, silent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from openai_server import OPENAI, Asked, OpenAIServer, Served, call, fail, say, serving
from provider_wires import ANTHROPIC, BEDROCK, OLLAMA, Wire, is_signed, llama
from shop_session import KEY, QUESTION, Line, ShopContext

from assistant.agents.model.dialogue import ModelRequest as AskedOfModel
from assistant.agents.model.lookups import Lookups
from assistant.agents.model.replies import AnswerReply
from assistant.errors import ModelError, ModelUnavailable
from assistant.models.clients import CLIENTS
from assistant.models.providers import build
from assistant.models.role_models import find_choice
from assistant.settings.models import ModelSettings
from assistant.settings.settings import Settings

TEXT = "North leads with **15**, then comes South with 7."
REPLY = {"text": TEXT, "answered": True, "notes": [], "follow_ups": []}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of endpoint: its shape, where it is asked, and how a key gets there."""

    provider: str
    wire: Wire = OPENAI
    path: str = "/v1"
    asked_at: str = "/v1/chat/completions"
    forms: tuple[str, ...] = ("schema", "functions", "text")
    key: Callable[[Asked], bool] = lambda asked: asked.headers.get("authorization") == f"Bearer {KEY}"
    config: dict[str, Any] = field(default_factory=dict[str, Any])


_INFO = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": "unknown"}
KINDS = {
    "openai": Kind(provider="openai"),
    "azure": Kind(
        provider="azure",
        path="",
        asked_at="/openai/deployments/house/chat/completions?api-version=2024-10-21",
        key=lambda asked: asked.headers.get("api-key") == KEY,
    ),
    "gemini": Kind(provider="gemini", path="/v1beta/openai/", asked_at="/v1beta/openai/chat/completions"),
    "anthropic": Kind(
        provider="anthropic",
        wire=ANTHROPIC,
        path="",
        asked_at="/v1/messages",
        forms=("functions", "text"),
        # The package has sent it in either header, by its version.
        key=lambda asked: KEY in (asked.headers.get("x-api-key"), asked.headers["authorization"][7:]),
    ),
    "bedrock": Kind(
        provider="bedrock",
        wire=BEDROCK,
        path="",
        asked_at="/model/house/invoke",
        forms=("functions", "text"),
        key=is_signed,
    ),
    "ollama": Kind(provider="ollama", wire=OLLAMA, path="", asked_at="/api/chat", forms=("schema", "text")),
    "local server": Kind(provider="openai", path="/api/v3", asked_at="/api/v3/chat/completions"),
    "dotted path": Kind(
        provider="autogen_ext.models.openai.OpenAIChatCompletionClient",
        forms=("functions", "text"),
        config={"model_info": _INFO},
    ),
}
BOTH_WAYS = pytest.mark.parametrize("streams", [True, False], ids=["streamed", "whole"])
EACH = pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))
EACH_FORM = pytest.mark.parametrize(
    ("kind", "form"),
    [pytest.param(kind, form, id=f"{name}-{form}") for name, kind in KINDS.items() for form in kind.forms],
)


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "planted-secret-of-aws")


def replying(asked: Asked) -> Served:
    """Looks something up first, then replies, in whatever form it is asked."""
    searched = "Price less cost" in asked.text
    if searched:
        return _typed(asked)
    if asked.form == "text" or "tools" not in asked.body:
        wish = {"lookup": {"name": "search_knowledge", "arguments": {"query": "margin"}}}
        return say(f"Let me see.\n```json\n{json.dumps(wish)}\n```") if asked.form == "text" else _typed(asked)
    return call("search_knowledge", query="margin")


def _typed(asked: Asked) -> Served:
    match asked.form:
        case "schema":
            return say(REPLY)
        case "functions":
            return call("reply", **REPLY)
        case _:
            return say(f"Here it is.\n```json\n{json.dumps(REPLY)}\n```\n")


def ask(
    kind: Kind, server: OpenAIServer, home: Path, *, system: str = "You answer.", **more: Any
) -> tuple[AnswerReply, Line]:
    """One typed reply, with a loop of its own."""
    return asyncio.run(asking(kind, server, home, system=system, **more))


async def asking(
    kind: Kind, server: OpenAIServer, home: Path, *, system: str = "You answer.", **more: Any
) -> tuple[AnswerReply, Line]:
    """One typed reply through settings, client and dialogue, as a session asks for it."""
    given: dict[str, Any] = {"retries_max": 0, "timeout_s": 20.0, **more}
    house = ModelSettings(
        provider=kind.provider,
        model="house",
        base_url=f"{server.origin}{kind.path}",
        api_key_env="HOUSE_KEY",
        config=kind.config,
        **given,
    )
    choice = find_choice(Settings(home=home, models={"house": house}), "house")
    context = ShopContext()

    from knowledge.documents import Term

    context.found = (Term(name="margin", definition="Price less cost.", origin="glossary.yaml"),)
    model = build(choice, environment={"HOUSE_KEY": KEY}, home=home)
    line = Line.to(model)
    lookups = Lookups(context, dialogue=line.dialogue, log=[QUESTION])
    asked = AskedOfModel(log=[QUESTION], system=system, task="Answer now.", prose="text")
    try:
        return await line.dialogue.ask(AnswerReply, asked, lookups), line
    finally:
        await model.close()


def of_each_at_once(work: Callable[[Kind, Path], Coroutine[Any, Any, None]], home: Path) -> None:
    """Hold what takes a while against every kind, all waiting together."""

    async def all_of_them() -> list[BaseException | None]:
        return await asyncio.gather(*(work(kind, home / name) for name, kind in KINDS.items()), return_exceptions=True)

    for name in KINDS:
        (home / name).mkdir()
    found = dict(zip(KINDS, asyncio.run(all_of_them()), strict=True))
    assert {name: failed for name, failed in found.items() if failed is not None} == {}


_FORM_NAMES = {"schema": "json_schema", "functions": "tools", "text": "text"}


@pytest.mark.slow
@EACH_FORM
@BOTH_WAYS
def test_each_provider_is_asked_in_its_shape_and_understood(
    kind: Kind, form: str, streams: bool, tmp_path: Path
) -> None:
    with serving(replying, wire=kind.wire) as server:
        reply, line = ask(kind, server, tmp_path, streams=streams, form=_FORM_NAMES[form])
    assert reply.text == TEXT
    assert {asked.form for asked in server.asked} == {form}
    assert all(asked.path.startswith(kind.asked_at) for asked in server.asked)
    assert {kind.wire.streamed(asked) for asked in server.asked} == {streams}
    assert all(kind.key(asked) for asked in server.asked), str(server.asked[0].headers)
    assert all(KEY not in asked.text for asked in server.asked)
    counted = kind.provider in CLIENTS or not streams  # a client of one's own is not asked to count a stream
    for used in line.used:
        assert ((used.input_tokens, used.output_tokens) == (120, 30)) == counted
        assert used.input_tokens > 0
    assert len(line.used) == len(server.asked)
    written = [text for _, text in line.shown if text]
    if streams and form != "functions":  # AutoGen gives no piece of a call while it arrives
        assert len(written) > 2
        assert written[-1] == TEXT


@EACH
@BOTH_WAYS
def test_a_temperature_is_sent_where_one_is_set_and_left_out_where_it_is_turned_down(
    kind: Kind, streams: bool, tmp_path: Path
) -> None:
    def script(asked: Asked) -> Served:
        return fail(400, "temperature is not supported") if sent(asked) == 0.2 else _typed(asked)

    def sent(asked: Asked) -> object:
        return asked.body.get("temperature", asked.body.get("options", {}).get("temperature"))

    with serving(script, wire=kind.wire) as server:
        ask(kind, server, tmp_path, streams=streams, temperature=0.7)
        ask(kind, server, tmp_path, streams=streams)
        assert [sent(asked) for asked in server.asked] == [0.7, None]
        ask(kind, server, tmp_path, streams=streams, temperature=0.2)
        ask(kind, server, tmp_path, streams=streams, temperature=0.2)
        assert [sent(asked) for asked in server.asked[2:]] == [0.2, None, None]


@pytest.mark.parametrize("kind", [KINDS[name] for name in ("openai", "azure", "anthropic", "bedrock")])
@BOTH_WAYS
def test_a_refusal_is_shown_in_the_models_words(kind: Kind, streams: bool, tmp_path: Path) -> None:
    refusal = "I cannot look for the home of a person."
    with serving([Served(refusal=refusal)], wire=kind.wire) as server, pytest.raises(ModelError, match=refusal):
        ask(kind, server, tmp_path, streams=streams)


@EACH
@pytest.mark.parametrize(
    ("status", "error", "says", "streams"),
    [
        (401, f"the key {KEY} is not known", "did not accept the key", False),
        (404, "there is no such model", "was not found", False),
        (429, "too many", "over its rate or quota", True),
        (529, "overloaded", "a fault of its own", False),
        (400, "prompt is too long: 250000 tokens > 200000 maximum", "takes no request this long", True),
    ],
)
def test_each_failure_names_model_endpoint_cause_and_setting(
    kind: Kind, status: int, error: str, says: str, streams: bool, tmp_path: Path
) -> None:
    with serving(lambda _: fail(status, error), wire=kind.wire) as server:
        with pytest.raises(ModelError, match=says) as raised:
            ask(kind, server, tmp_path, streams=streams)
        told = str(raised.value)
        assert "'house'" in told
        assert server.origin.removeprefix("http://") in told
        assert "[models.house] of tandem.toml" in told or "TANDEM_FALLBACKS" in told
        assert KEY not in told


@pytest.mark.slow
@BOTH_WAYS
def test_silence_ends_each_and_names_the_setting(streams: bool, tmp_path: Path) -> None:
    slow = Served(text=json.dumps(REPLY), gap_s=600.0, delay_s=0.0 if streams else 600.0)

    async def silent(kind: Kind, home: Path) -> None:
        with (
            serving([slow], wire=kind.wire) as server,
            pytest.raises(ModelUnavailable, match=r"did not answer within 0\.5 s.*timeout_s in \[models\.house\]"),
        ):
            await asking(kind, server, home, streams=streams, timeout_s=0.5)

    of_each_at_once(silent, tmp_path)


@pytest.mark.slow
def test_a_stream_that_goes_on_longer_than_the_timeout_is_not_cut(tmp_path: Path) -> None:
    long = {**REPLY, "notes": ["All orders count, those of the branch in Ghent as well."]}
    gap_s, timeout_s = 0.3, 3.0

    async def streamed(kind: Kind, home: Path) -> None:
        assert gap_s * sum(1 for _ in kind.wire.pieces(say(long), {"model": "house"})) > timeout_s
        with serving(lambda _: say(long, gap_s=gap_s), wire=kind.wire) as server:
            reply, _ = await asking(kind, server, home, timeout_s=timeout_s)
        assert reply.notes == tuple(long["notes"])

    of_each_at_once(streamed, tmp_path)


@EACH
def test_a_stream_that_breaks_off_is_said(kind: Kind, tmp_path: Path) -> None:
    def broken(server: OpenAIServer) -> Served:
        whole = b"".join(list(kind.wire.pieces(say(REPLY), {"model": "house"}))[:4])
        return Served(raw=whole, headers={"content-type": kind.wire.stream_type, "content-length": "90000"})

    with serving(wire=kind.wire) as server:
        server.script = lambda _: broken(server)
        with pytest.raises(ModelError, match="'house'"):
            ask(kind, server, tmp_path)


@BOTH_WAYS
def test_a_small_local_server_is_found_out_once(streams: bool, tmp_path: Path) -> None:
    kind = KINDS["local server"]
    with serving(llama(f"Sure!\n```json\n{json.dumps(REPLY)}\n```")) as server:
        for _ in range(2):
            reply, line = ask(kind, server, tmp_path, streams=streams)
            assert reply.text == TEXT
            assert line.used[-1].input_tokens > 0  # estimated where the stream was not counted
        used = [(asked.form, '\\"properties\\"' in asked.text) for asked in server.asked]
    # The schema is refused, functions are ignored until a message tells the schema; the second time is the first.
    assert used == [("schema", False), ("functions", False), ("functions", True), ("functions", True)]


def test_a_context_that_is_too_small_names_the_setting(tmp_path: Path) -> None:
    with (
        serving(llama("{}")) as server,
        pytest.raises(ModelError, match=r"takes no request this long.*context_tokens in \[models\.house\]"),
    ):
        ask(KINDS["local server"], server, tmp_path, system="word " * 8_000)
