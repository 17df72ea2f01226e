"""Providers with a short name: the AutoGen client of each, and the client's arguments.

A provider without one is named by the dotted path of its client, which gets its `config` unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from assistant.models.capabilities import Form
    from assistant.models.providers import ModelChoice

_INFO = {
    # What a model can really do is found out (`capabilities`); these only stop the clients from refusing early.
    "vision": False,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": "unknown",
    "multiple_system_messages": True,
}
_AZURE_API = "2024-10-21"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How the client of a provider is built and asked.

    Attributes:
        component: The dotted path of the client; empty where the provider itself is that path.
        config: Makes the component's configuration from a choice and a key.
        forms: The forms of reply that the client can ask for, the best first.
        held_by: How it is told the schema that holds a reply: OpenAI's `response_format`, or the type of the reply.
        speaks_openai: Whether it takes OpenAI's `stream_options` and `max_completion_tokens`.
        address: The key of the endpoint's address in the configuration.
        url: The provider's own address; empty where each customer has another, or the package knows it.
        address_needed: Whether an address must be given.
        key_env: The environment variable that usually holds its key.
        needs_key: Whether the provider's own endpoint wants a key.
        packages: The packages it needs besides AutoGen.
        extra: The extra of this distribution that installs them.
        temperature_left_out: Gives what leaves the temperature out of a request, where the client sends one unasked.
    """

    component: str
    config: Callable[[ModelChoice, str], dict[str, Any]]
    forms: tuple[Form, ...]
    held_by: Literal["response_format", "type"] = "response_format"
    speaks_openai: bool = False
    address: str = "base_url"
    url: str = ""
    address_needed: bool = False
    key_env: str = ""
    needs_key: bool = False
    packages: tuple[str, ...] = ()
    extra: str = ""
    temperature_left_out: Callable[[], Any] | None = None


def _send_once(choice: ModelChoice) -> dict[str, Any]:
    """What every client built on an SDK of OpenAI's make is given: nothing is sent twice behind our back."""
    left_out = ("max_tokens", "max_completion_tokens")
    own = {name: value for name, value in choice.config.items() if name not in left_out}
    return {"model": choice.model, "model_info": _INFO, "timeout": choice.timeout_s, "max_retries": 0, **own}


def _make_openai(choice: ModelChoice, key: str) -> dict[str, Any]:
    return {
        "base_url": choice.address,
        # Always given, or the OpenAI package takes OPENAI_API_KEY and sends it to whatever endpoint this is. An
        # endpoint of one's own may want none; the header must hold something.
        "api_key": key or "none",
        "include_name_in_message": False,  # several compatible endpoints reject the field
        "context_tokens": choice.context_tokens,
        **_send_once(choice),
    }


def _make_azure(choice: ModelChoice, key: str) -> dict[str, Any]:
    options = {
        "azure_endpoint": choice.address,
        "azure_deployment": choice.model,
        "api_version": _AZURE_API,
        "include_name_in_message": False,
        "context_tokens": choice.context_tokens,
        **_send_once(choice),
    }
    # Without a key, a token provider of Entra ID stands in `config`.
    return options if "azure_ad_token_provider" in choice.config else {"api_key": key or "none", **options}


def _make_anthropic(choice: ModelChoice, key: str) -> dict[str, Any]:
    limit = choice.config.get("max_tokens", choice.reply_tokens)
    return {"base_url": choice.address, "api_key": key or "none", **_send_once(choice), "max_tokens": limit}


def _make_bedrock(choice: ModelChoice, key: str) -> dict[str, Any]:
    limit = choice.config.get("max_tokens", choice.reply_tokens)
    address = {"base_url": choice.address} if choice.address else {}
    return {"aws_region": "us-east-1", **address, **_send_once(choice), "max_tokens": limit}


def _make_ollama(choice: ModelChoice, key: str) -> dict[str, Any]:
    arguments = {name: value for name, value in choice.config.items() if name != "options"}
    options = choice.config.get("options")
    # Without `num_ctx` Ollama cuts a request to 4,096 tokens or so, and says nothing.
    window = {"num_ctx": choice.context_tokens, **(options if isinstance(options, Mapping) else {})}
    return {
        "model": choice.model,
        "host": choice.address,
        "model_info": _INFO,
        "timeout": choice.timeout_s,
        "api_key": key,
        "options": window,
        **arguments,
    }


def _make_component(choice: ModelChoice, key: str) -> dict[str, Any]:
    options: dict[str, Any] = {"model": choice.model} if choice.model else {}
    options |= {"base_url": choice.base_url} if choice.base_url else {}
    options |= {"api_key": key} if key else {}
    return {**options, **choice.config}


def _unset() -> Any:
    import anthropic

    return anthropic.NOT_GIVEN


_ALL_FORMS: tuple[Form, ...] = ("schema", "functions", "text")

CLIENTS: Mapping[str, Client] = MappingProxyType(
    {
        "openai": Client(
            component="assistant.models.compatible.CompatibleClient",
            config=_make_openai,
            forms=_ALL_FORMS,
            speaks_openai=True,
            url="https://api.openai.com/v1",
            key_env="OPENAI_API_KEY",
            needs_key=True,
        ),
        "azure": Client(
            component="assistant.models.compatible.AzureClient",
            config=_make_azure,
            forms=_ALL_FORMS,
            speaks_openai=True,
            address="azure_endpoint",
            address_needed=True,
            key_env="AZURE_OPENAI_API_KEY",
            packages=("azure.identity",),  # AutoGen's client imports it with a key, too
            extra="azure",
        ),
        "gemini": Client(
            component="assistant.models.compatible.CompatibleClient",
            config=_make_openai,
            forms=_ALL_FORMS,
            speaks_openai=True,
            url="https://generativelanguage.googleapis.com/v1beta/openai/",
            key_env="GEMINI_API_KEY",
            needs_key=True,
        ),
        "anthropic": Client(
            component="assistant.models.anthropic_clients.ClaudeClient",
            config=_make_anthropic,
            forms=("functions", "text"),
            held_by="type",
            url="https://api.anthropic.com",
            key_env="ANTHROPIC_API_KEY",
            needs_key=True,
            packages=("anthropic",),
            extra="anthropic",
            temperature_left_out=_unset,
        ),
        "bedrock": Client(
            component="assistant.models.anthropic_clients.BedrockClient",
            config=_make_bedrock,
            forms=("functions", "text"),
            held_by="type",
            packages=("anthropic", "boto3"),
            extra="bedrock",
            temperature_left_out=_unset,
        ),
        "ollama": Client(
            component="assistant.models.ollama.OllamaClient",
            config=_make_ollama,
            # Its functions lose nested fields on the way (AutoGen keeps type and description of a parameter alone).
            forms=("schema", "text"),
            held_by="type",
            address="host",
            url="http://localhost:11434",
            packages=("ollama",),
            extra="ollama",
        ),
    }
)
"""The providers that have a short name."""

OWN = Client(component="", config=_make_component, forms=("functions", "text"), held_by="type")
"""Any other: a dotted `ChatCompletionClient`."""
