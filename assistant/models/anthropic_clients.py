"""AutoGen's clients of Claude, at Anthropic and at Bedrock, with refusals reported and AWS credentials supported.

Imported only when such a model is built.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, Self

from anthropic.lib.bedrock import AsyncAnthropicBedrock
from autogen_core.models import LLMMessage
from autogen_ext.models.anthropic import AnthropicChatCompletionClient
from autogen_ext.models.anthropic.config import AnthropicClientConfigurationConfigModel

from assistant.models.local import CONTEXT_TOKENS, estimate_request
from assistant.models.refusals import Refused

if TYPE_CHECKING:
    from autogen_core.tools import Tool, ToolSchema


class BedrockConfig(AnthropicClientConfigurationConfigModel):
    """Claude at Bedrock: the region. The key is AWS's own matter (environment, profile, role of the machine)."""

    aws_region: str
    aws_profile: str | None = None


class ClaudeClient(AnthropicChatCompletionClient):
    """A client of Claude."""

    component_provider_override = "assistant.models.anthropic_clients.ClaudeClient"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        _keep_refusals(self._client)

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens of a request. The inherited count downloads a vocabulary."""
        return estimate_request(messages, tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens that the context has left."""
        return CONTEXT_TOKENS - self.count_tokens(messages, tools=tools)


class BedrockClient(ClaudeClient):
    """A client of Claude at Bedrock. AutoGen's own wants the keys in its configuration, and takes no address."""

    component_config_schema = BedrockConfig
    component_provider_override = "assistant.models.anthropic_clients.BedrockClient"

    def __init__(self, *, aws_region: str, aws_profile: str | None = None, **options: Any) -> None:
        super().__init__(**options, api_key="none")
        self._client = AsyncAnthropicBedrock(  # pyright: ignore[reportAttributeAccessIssue]  # the same calls, at another address
            aws_region=os.environ.get("AWS_REGION") or aws_region,
            aws_profile=aws_profile,
            **{name: options[name] for name in ("base_url", "timeout", "max_retries") if name in options},
        )
        _keep_refusals(self._client)

    @classmethod
    def _from_config(cls, config: AnthropicClientConfigurationConfigModel) -> Self:
        return cls(**config.model_dump(exclude_none=True))


def _keep_refusals(client: Any) -> None:
    """Have a refusal raised: AutoGen does not know this reason to stop."""
    create = client.messages.create
    parameters = signature(create).parameters

    async def create_kept(**arguments: Any) -> Any:
        reply = await create(**_adapt(arguments, parameters))
        if arguments.get("stream"):
            return _stream(reply)
        if reply.stop_reason == "refusal":
            raise Refused("".join(getattr(block, "text", "") for block in reply.content))
        return reply

    client.messages.create = create_kept


def _adapt(arguments: dict[str, Any], parameters: Mapping[str, object]) -> dict[str, Any]:
    """The arguments for Anthropic's package, which has dropped some (`temperature`) that AutoGen sends unasked.

    What somebody set goes into the body by itself; the endpoint says whether its model takes it.
    """
    dropped = {name: value for name, value in arguments.items() if name not in parameters}
    body = {name: value for name, value in dropped.items() if isinstance(value, int | float)}
    accepted = {name: value for name, value in arguments.items() if name in parameters}
    return {**accepted, "extra_body": {**(accepted.get("extra_body") or {}), **body}} if body else accepted


async def _stream(stream: Any) -> AsyncGenerator[Any]:
    text = ""
    async with stream:
        async for chunk in stream:
            if chunk.type == "content_block_delta":
                text += getattr(chunk.delta, "text", None) or ""
            elif chunk.type == "message_delta" and chunk.delta.stop_reason == "refusal":
                raise Refused(text)
            yield chunk
