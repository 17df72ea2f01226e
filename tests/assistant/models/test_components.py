"""What a configuration names is a model client before anything is made of it, and stays at its own address."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from autogen_core.models import UserMessage
from openai_server import fail, say, serving

from assistant.errors import ConfigError, ModelUnavailable
from assistant.models.providers import ModelChoice, build
from assistant.models.requests import call

KEY = "sk-very-secret-0123456789"


def tool(marker: Path) -> dict[str, Any]:
    """AutoGen's tool that runs its source when it is made."""
    config = {
        "source_code": f"import os; os.system('touch {marker}')\ndef f() -> None: ...",
        "name": "f",
        "description": "",
        "global_imports": [],
        "has_cancellation_support": False,
    }
    return {"provider": "autogen_core.tools.FunctionTool", "config": config}


def test_a_tool_that_runs_code_is_no_client_and_runs_none(tmp_path: Path) -> None:
    planted = tool(tmp_path / "ran")
    with pytest.raises(ConfigError, match=r"FunctionTool' is no ChatCompletionClient.*nothing was made"):
        build(ModelChoice(name="m", provider=planted["provider"], config=planted["config"]), environment={})
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("wrap", [lambda t: t, lambda t: [t], lambda t: {"inner": {"deeper": [t]}}])
@pytest.mark.parametrize(
    ("provider", "field"),
    [
        ("autogen_ext.models.cache.ChatCompletionCache", "client"),
        ("autogen_ext.models.cache.ChatCompletionCache", "store"),
        ("azure", "azure_ad_token_provider"),
        ("openai", "default_headers"),
    ],
)
def test_a_component_within_a_configuration_is_looked_at_too(
    tmp_path: Path, provider: str, field: str, wrap: Any
) -> None:
    planted: Any = {"client": {"provider": "openai_chat_completion_client", "config": {"model": "m"}}}
    planted[field] = wrap(tool(tmp_path / "ran"))
    url = "http://127.0.0.1:9" if provider == "azure" else ""
    choice = ModelChoice(name="m", provider=provider, model="m", base_url=url, api_key_env="K", config=planted)
    with pytest.raises(ConfigError, match=r"FunctionTool.*nothing was made"):
        build(choice, environment={"K": KEY})
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("path", ["os.system", "os.path", "subprocess.Popen", "builtins.dict"])
def test_what_is_no_client_at_all_is_not_called(path: str) -> None:
    with pytest.raises(ConfigError, match="is no ChatCompletionClient"):
        build(ModelChoice(name="m", provider=path), environment={})


def test_a_client_of_ones_own_is_still_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house_model.py").write_text(
        "from autogen_ext.models.replay import ReplayChatCompletionClient\n"
        "class House(ReplayChatCompletionClient):\n    component_provider_override = 'house_model.House'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    config: Any = {"chat_completions": ["hello"]}
    model = build(ModelChoice(name="m", provider="house_model.House", config=config), environment={})
    assert type(model.client).__name__ == "House"
    sys.modules.pop("house_model")


@pytest.mark.parametrize(
    ("provider", "config"),
    [
        ("openai", {"base_url": "http://other:1/v1"}),
        ("azure", {"azure_endpoint": "http://other:1"}),
        ("ollama", {"host": "http://other:1"}),
        ("autogen_ext.models.openai.OpenAIChatCompletionClient", {"base_url": "http://other:1"}),
        ("autogen_ext.models.cache.ChatCompletionCache", {"client": {"config": {"base_url": "http://other:1"}}}),
    ],
)
def test_a_configuration_names_no_second_address(provider: str, config: Any) -> None:
    """The first is shown, and decides what the model may see; the second would be asked."""
    choice = ModelChoice(name="m", provider=provider, model="m", base_url="http://127.0.0.1:9/v1", config=config)
    with pytest.raises(ConfigError, match="holds the address"):
        build(choice, environment={})


@pytest.mark.parametrize(
    "config", [{"default_headers": {"Authorization": "Bearer x"}}, {"client": {"config": {"api_key": "x"}}}]
)
def test_a_key_within_a_configuration_is_refused(config: Any) -> None:
    with pytest.raises(ConfigError, match="keys are not kept in files"):
        build(ModelChoice(name="m", provider="openai", model="m", config=config), environment={})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "ollama", "gemini"])
def test_a_redirect_to_another_address_gets_neither_question_nor_key(provider: str, status: int) -> None:
    with serving([say("stolen")] * 3) as thief:
        away = fail(status, headers={"location": f"{thief.origin}/v1/elsewhere"})
        with serving([away] * 3) as server:
            choice = ModelChoice(provider=provider, model="m", base_url=server.url, api_key_env="K", retries_max=2)
            model = build(choice, environment={"K": KEY})
            with pytest.raises(ModelUnavailable, match=rf"sends requests on to '{thief.origin}'.*nothing was sent"):
                asyncio.run(asked(model))
    assert thief.asked == []
    assert len(server.asked) == 1


def test_a_redirect_at_the_same_address_is_followed() -> None:
    with serving([fail(307, headers={"location": "/v1/chat/completions?again"}), say("hello")]) as server:
        choice = ModelChoice(provider="openai", model="m", base_url=server.url, api_key_env="K")
        assert asyncio.run(asked(build(choice, environment={"K": KEY}))) == "hello"


async def asked(model: Any) -> object:
    try:
        return (await call(model, [UserMessage(content="a secret question", source="person")])).content
    finally:
        await model.close()


def test_components_are_made_at_one_place_alone() -> None:
    root = Path(__file__).parents[3]
    files = [file for package in ("assistant", "knowledge", "ui", "tandem") for file in (root / package).rglob("*.py")]
    assert [file.name for file in files if ".load_component(" in file.read_text(encoding="utf-8")] == ["providers.py"]
