"""AutoGen's clients of OpenAI-compatible endpoints, adapted to any model name and to machines without a network.

Imported only when such a model is built: the OpenAI package alone takes over a second to import.
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from autogen_core.models import LLMMessage
from autogen_ext.models.openai import AzureOpenAIChatCompletionClient, OpenAIChatCompletionClient
from autogen_ext.models.openai.config import (
    AzureOpenAIClientConfigurationConfigModel,
    OpenAIClientConfigurationConfigModel,
)

from assistant.models.local import CONTEXT_TOKENS, estimate_request
from assistant.models.refusals import Refused

if TYPE_CHECKING:
    from autogen_core.tools import Tool, ToolSchema
    from openai import AsyncOpenAI

# Said by AutoGen about endpoints that are compatible but not OpenAI's; the dialogue deals with each of these replies.
_HARMLESS = (
    "Finish reason mismatch",
    "No text content or tool calls are available",
    "Received more than .* consecutive empty chunks",
    "Tool call function arguments field is not a string",
)


class CompatibleConfig(OpenAIClientConfigurationConfigModel):
    """AutoGen's configuration, and the context that the model has."""

    context_tokens: int = CONTEXT_TOKENS


class AzureConfig(AzureOpenAIClientConfigurationConfigModel):
    """AutoGen's configuration, and the context that the model has."""

    context_tokens: int = CONTEXT_TOKENS


class _Fitted:
    """What both clients have: tokens counted without a download, refusals that are kept."""

    _context_tokens: int
    _client: AsyncOpenAI
    _resolved_model: str | None

    def _fit(self, context_tokens: int) -> None:
        for message in _HARMLESS:
            warnings.filterwarnings("ignore", message=message, category=UserWarning)
        self._context_tokens = context_tokens
        self._resolved_model = None  # or the client warns whenever the endpoint names the model's dated release
        _keep_refusals(self._client)

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens of a request. The inherited count asks tiktoken, which downloads vocabularies."""
        return estimate_request(messages, tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens that the context has left."""
        return self._context_tokens - self.count_tokens(messages, tools=tools)


class CompatibleClient(_Fitted, OpenAIChatCompletionClient):
    """A client of any OpenAI-compatible endpoint."""

    component_config_schema = CompatibleConfig  # pyright: ignore[reportAssignmentType]  # AutoGen types it invariantly
    component_provider_override = "assistant.models.compatible.CompatibleClient"

    def __init__(self, *, context_tokens: int = CONTEXT_TOKENS, **options: Any) -> None:
        super().__init__(**options)
        self._fit(context_tokens)


class AzureClient(_Fitted, AzureOpenAIChatCompletionClient):
    """A client of a deployment at Azure."""

    component_config_schema = AzureConfig  # pyright: ignore[reportAssignmentType]  # AutoGen types it invariantly
    component_provider_override = "assistant.models.compatible.AzureClient"

    def __init__(self, *, context_tokens: int = CONTEXT_TOKENS, **options: Any) -> None:
        super().__init__(**options)
        self._fit(context_tokens)


def _keep_refusals(client: AsyncOpenAI) -> None:
    """Have a refusal raised: AutoGen reads `content` alone, and would give an empty reply."""
    completions: Any = client.chat.completions
    create = completions.create

    async def create_kept(**arguments: Any) -> Any:
        # These are JSON already: as `extra_body` they go out as they are, and no type is looked up for each value.
        plain = {name: arguments.pop(name) for name in ("messages", "tools") if name in arguments}
        extra = {**(arguments.pop("extra_body", None) or {}), **plain}
        reply = await create(messages=(), extra_body=extra, **arguments)
        if arguments.get("stream"):
            return _stream(reply)
        for choice in getattr(reply, "choices", None) or ():
            if reason := getattr(choice.message, "refusal", None):
                raise Refused(reason)
        return reply

    completions.create = create_kept


async def _stream(stream: Any) -> AsyncGenerator[Any]:
    text = ""
    async with stream:
        async for chunk in stream:
            for choice in getattr(chunk, "choices", None) or ():
                text += getattr(choice.delta, "refusal", None) or ""
            yield chunk
    if text:
        raise Refused(text)
