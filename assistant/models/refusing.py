"""A model client that raises when it is used.

`SelectorGroupChat` requires a client for choosing the next speaker. The flow chooses instead, so using the client is a
programming error.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal, NoReturn

from autogen_core import CancellationToken
from autogen_core.models import CreateResult, LLMMessage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from assistant.models.local import LocalClient


class RefusingClient(LocalClient):
    """Raises on every request."""

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
    ) -> CreateResult:
        """Refuse.

        Raises:
            AssertionError: always.
        """
        self._refuse()

    async def create_stream(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
    ) -> AsyncGenerator[str | CreateResult, None]:
        """Refuse.

        Raises:
            AssertionError: always.
        """
        self._refuse()
        yield ""  # makes this a generator, as AutoGen expects

    def _refuse(self) -> NoReturn:
        raise AssertionError("a model was asked who speaks next; assistant.core.flow decides that, without a model")
