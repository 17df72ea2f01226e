"""Base class of model clients without a model: everything that AutoGen expects of a client but the replies.

Tokens are estimated without a network; usage is added up as AutoGen expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autogen_core.models import ChatCompletionClient, LLMMessage, ModelInfo, RequestUsage

from assistant.record.memory.tokens import PER_MESSAGE, estimate

if TYPE_CHECKING:
    from autogen_core.models import ModelCapabilities  # pyright: ignore[reportDeprecated]  # AutoGen's base demands it
    from autogen_core.tools import Tool, ToolSchema

CONTEXT_TOKENS = 128_000


class LocalClient(ChatCompletionClient):
    """A client without a model behind it. Subclasses give `create` and `create_stream`."""

    def __init__(self) -> None:
        self._usage = RequestUsage(prompt_tokens=0, completion_tokens=0)

    @property
    def model_info(self) -> ModelInfo:
        """Able to do everything but see."""
        return ModelInfo(
            vision=False,
            function_calling=True,
            json_output=True,
            structured_output=True,
            family="unknown",
            multiple_system_messages=True,
        )

    @property
    def capabilities(self) -> ModelCapabilities:  # pyright: ignore[reportDeprecated]  # AutoGen's base demands it
        """AutoGen's former name for `model_info`."""
        return self.model_info

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens of a request."""
        return estimate_request(messages, tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens that the context has left."""
        return CONTEXT_TOKENS - self.count_tokens(messages, tools=tools)

    def actual_usage(self) -> RequestUsage:
        """Tokens used so far."""
        return self._usage

    def total_usage(self) -> RequestUsage:
        """Tokens used so far; nothing here is ever answered from a cache."""
        return self._usage

    async def close(self) -> None:
        """Nothing is open."""

    def _count(self, usage: RequestUsage) -> None:
        self._usage = RequestUsage(
            prompt_tokens=self._usage.prompt_tokens + usage.prompt_tokens,
            completion_tokens=self._usage.completion_tokens + usage.completion_tokens,
        )


def estimate_request(messages: Sequence[LLMMessage], tools: Sequence[Tool | ToolSchema] = ()) -> int:
    """Estimate the tokens of a request from its text as JSON, without a tokenizer."""
    import json

    from autogen_core.tools import Tool

    described = sum(estimate(json.dumps(t.schema if isinstance(t, Tool) else t)) for t in tools)
    return described + sum(PER_MESSAGE + estimate(_text_of_message(message)) for message in messages)


def _text_of_message(message: LLMMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return " ".join(part if isinstance(part, str) else str(part) for part in message.content)
