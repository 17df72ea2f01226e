"""A model client that says what it was told to: for tests, demonstrations and recorded conversations.

It behaves like a real client where AutoGen's replay client does not: streamed replies are recorded like others, an
abandoned stream has used up its reply, a cancellation token is respected, tool calls can be scripted, and a script that
is at its end says so with what was asked.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from autogen_core import CancellationToken, FunctionCall
from autogen_core.models import CreateResult, LLMMessage, RequestUsage
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel, JsonValue

from assistant.errors import ModelError
from assistant.models.local import LocalClient, estimate_request
from assistant.record.memory.tokens import estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call that the script makes."""

    name: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedRequest:
    """What the client was asked.

    Attributes:
        messages: The messages, in order.
        tools: The names of the tools on offer.
        schema: The name of the JSON schema that the reply was to have; None where none was asked for.
    """

    messages: tuple[LLMMessage, ...]
    tools: tuple[str, ...] = ()
    schema: str | None = None

    @property
    def text(self) -> str:
        """All that was said, for looking things up in."""
        return "\n".join(str(message.content) for message in self.messages)


Reply = str | BaseModel | Call | Sequence[Call] | BaseException
"""A text, a value sent as JSON, one or more tool calls, or an error to raise."""
Script = Sequence[Reply] | Callable[[ScriptedRequest], Reply | Awaitable[Reply]]


class ScriptedClient(LocalClient):
    """Replies from a script.

    Args:
        script: The replies in order, or a function of the request (which may be a coroutine function).
        chunk_chars: In how large pieces a streamed reply arrives.
    """

    def __init__(self, script: Script, *, chunk_chars: int = 16) -> None:
        super().__init__()
        self._script = script
        self._chunk_chars = chunk_chars
        self.requests: list[ScriptedRequest] = []

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
        """Give the next reply.

        Raises:
            ModelError: the script is at its end.
        """
        request = ScriptedRequest(
            messages=tuple(messages),
            tools=tuple((tool.schema if isinstance(tool, Tool) else tool)["name"] for tool in tools),
            schema=_schema_name(json_output, extra_create_args or {}),
        )
        self.requests.append(request)
        replying = asyncio.ensure_future(self._reply(request))
        if cancellation_token is not None:
            cancellation_token.link_future(replying)
        reply = await replying
        if isinstance(reply, BaseException):
            raise reply
        content = self._content(reply)
        text = content if isinstance(content, str) else " ".join(call.name + call.arguments for call in content)
        usage = RequestUsage(prompt_tokens=estimate_request(messages, tools), completion_tokens=estimate(text))
        self._count(usage)
        finish = "stop" if isinstance(content, str) else "function_calls"
        return CreateResult(finish_reason=finish, content=content, usage=usage, cached=False)

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
        """Give the next reply piece by piece, then whole. Tool calls come whole.

        Raises:
            ModelError: the script is at its end.
        """
        result = await self.create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )
        if isinstance(result.content, str):
            for start in range(0, len(result.content), self._chunk_chars):
                yield result.content[start : start + self._chunk_chars]
                await asyncio.sleep(0)
        yield result

    async def _reply(self, request: ScriptedRequest) -> Reply:
        if not callable(self._script):
            if len(self.requests) > len(self._script):
                raise ModelError(
                    f"The scripted model has only {len(self._script)} replies and was asked once more. "
                    f"It was asked: {request.text[-300:]!r}. Add a reply to the script."
                )
            return self._script[len(self.requests) - 1]
        reply = self._script(request)
        return await reply if inspect.isawaitable(reply) else reply

    def _content(self, reply: str | BaseModel | Call | Sequence[Call]) -> str | list[FunctionCall]:
        match reply:
            case str():
                return reply
            case BaseModel():
                return reply.model_dump_json()
            case _:
                calls = (reply,) if isinstance(reply, Call) else reply
                return [
                    FunctionCall(
                        id=f"call-{len(self.requests)}-{n}", name=call.name, arguments=json.dumps(dict(call.arguments))
                    )
                    for n, call in enumerate(calls, start=1)
                ]


def _schema_name(json_output: bool | type[BaseModel] | None, extra: Mapping[str, Any]) -> str | None:
    if isinstance(json_output, type):
        return json_output.__name__
    form = extra.get("response_format")
    return str(form["json_schema"]["name"]) if isinstance(form, dict) and "json_schema" in form else None
