"""AutoGen's client of OpenAI-compatible endpoints, made fit for any model name and for machines without a network.

Imported only when such a model is built: the OpenAI package alone takes over a second to import.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autogen_core.models import LLMMessage, ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient

from assistant.models.local import estimate_request

if TYPE_CHECKING:
    from autogen_core.tools import Tool, ToolSchema

    from assistant.models.providers import ModelChoice

# Said by AutoGen about endpoints that are compatible but not OpenAI's; the dialogue deals with each of these replies.
_HARMLESS = (
    "Finish reason mismatch",
    "No text content or tool calls are available",
    "Received more than .* consecutive empty chunks",
    "Tool call function arguments field is not a string",
)


class CompatibleClient(OpenAIChatCompletionClient):
    """A client of any OpenAI-compatible endpoint, which counts tokens by itself.

    The inherited count asks tiktoken, which downloads vocabularies.
    """

    def __init__(self, choice: ModelChoice, *, base_url: str, api_key: str) -> None:
        for message in _HARMLESS:
            warnings.filterwarnings("ignore", message=message, category=UserWarning)
        optional: dict[str, Any] = {}
        if choice.temperature is not None:
            optional["temperature"] = choice.temperature
        super().__init__(
            model=choice.model,
            base_url=base_url,
            # Always given, or the OpenAI package takes OPENAI_API_KEY and sends it to whatever endpoint this is.
            api_key=api_key,
            timeout=choice.timeout_s,
            max_retries=choice.retries_max,
            # What the model can really do is `choice.form`; these flags only stop the client from refusing early.
            model_info=ModelInfo(
                vision=False, function_calling=True, json_output=True, structured_output=True, family="unknown"
            ),
            include_name_in_message=False,  # several compatible endpoints reject the field
            **optional,
        )
        self._context_tokens = choice.context_tokens
        self._resolved_model = None  # or the client warns whenever the endpoint names the model's dated release

    def count_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens of a request."""
        return estimate_request(messages, tools)

    def remaining_tokens(self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()) -> int:
        """Estimate the tokens that the context has left."""
        return self._context_tokens - self.count_tokens(messages, tools=tools)
