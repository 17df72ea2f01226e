"""AutoGen's client of Ollama's own interface, with a timeout, a key for endpoints behind one, and connections closed.

Imported only when such a model is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from autogen_core.models import LLMMessage
from autogen_ext.models.ollama import OllamaChatCompletionClient
from autogen_ext.models.ollama.config import BaseOllamaClientConfigurationConfigModel
from ollama import AsyncClient

from assistant.models.local import CONTEXT_TOKENS, estimate_request

if TYPE_CHECKING:
    from autogen_core.tools import Tool, ToolSchema


class OllamaConfig(BaseOllamaClientConfigurationConfigModel):
    """AutoGen's configuration, and the key of an endpoint that wants one."""

    api_key: str = ""


class OllamaClient(OllamaChatCompletionClient):
    """A client of Ollama. AutoGen's own hands neither timeout nor headers to Ollama's package, and closes nothing."""

    component_config_schema = OllamaConfig
    component_provider_override = "assistant.models.ollama.OllamaClient"

    def __init__(self, *, timeout: float | None = None, api_key: str = "", **options: Any) -> None:
        super().__init__(**options)
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else None
        self._client = AsyncClient(host=options.get("host"), timeout=timeout, headers=headers)
        self._context_tokens = int((options.get("options") or {}).get("num_ctx") or CONTEXT_TOKENS)

    @classmethod
    def _from_config(cls, config: BaseOllamaClientConfigurationConfigModel) -> Self:
        return cls(**config.model_dump(exclude_unset=True))

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens of a request. The inherited count downloads a vocabulary."""
        return estimate_request(messages, tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens that the context has left."""
        return self._context_tokens - self.count_tokens(messages, tools=tools)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()
