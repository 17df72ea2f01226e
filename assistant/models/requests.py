"""Sends one request to a model: retried where that may help, adapted to the endpoint, ended by an idle timeout.

A reply that streams may take as long as it goes on arriving: the client's own timeout is per silence. A reply that
arrives in one piece is silence until it is there. The clients themselves send nothing twice: this module does.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from autogen_core.models import CreateResult, LLMMessage

from assistant.errors import ModelError
from assistant.models.errors import (
    StreamCutOff,
    find_refused_arguments,
    find_status,
    is_about_form,
    is_transient,
    list_client_errors,
    make_model_error,
    without_secrets,
)
from assistant.models.refusals import Refused

if TYPE_CHECKING:
    from autogen_core.tools import ToolSchema
    from pydantic import BaseModel, JsonValue

    from assistant.models.providers import Model

STREAM_TIMES = 10
"""A stream that never ends, a crumb at a time, is ended after this many times the model's timeout."""
_WAIT_S, _WAIT_S_MAX = 0.5, 20.0


class FormRefused(Exception):
    """The endpoint does not know the form of reply it was asked for. `error` is what the person is told of it."""

    def __init__(self, error: ModelError) -> None:
        super().__init__()
        self.error = error


async def call(
    model: Model,
    messages: Sequence[LLMMessage],
    *,
    tools: Sequence[ToolSchema] = (),
    response_format: JsonValue = None,
    reply_type: type[BaseModel] | None = None,
    on_piece: Callable[[str], None] | None = None,
) -> CreateResult:
    """Ask a model.

    Args:
        model: The model.
        messages: What it is told.
        tools: The functions it may call.
        response_format: The schema that its endpoint is to hold it to, as OpenAI has it.
        reply_type: The same schema as a type, for clients that take that.
        on_piece: Is given each piece of the reply as it arrives; the reply is not streamed without it.

    Raises:
        FormRefused: the endpoint does not take tools or the schema.
        ModelUnavailable: another model may do: this one cannot be reached, is silent, or over its rate.
        ModelError: the endpoint's reply is none, or the model refuses to answer; the text says what to do.
    """
    learnt = model.learnt
    tries = 0
    while True:
        capabilities = learnt.now
        streamed = on_piece is not None and model.choice.streams and capabilities.streams
        arguments = model.arguments(
            tools=tools, response_format=response_format, reply_type=reply_type, streamed=streamed
        )
        try:
            if streamed and on_piece is not None:
                result = await _stream(model, messages, arguments, on_piece)
            else:
                result = await _create(model, messages, arguments)
        except Refused as refused:
            learnt.confirm()
            raise _find_refusal(model, refused.said) from None
        except list_client_errors() as error:
            if (change := find_refused_arguments(error, capabilities, streamed=streamed)) is not None:
                learnt.change(**change)
                continue
            # Not chained: what a provider's package raises can hold the request, and with it what nobody should log.
            failure = make_model_error(error, model.choice, secret=model.secret)
            if is_about_form(error):
                raise FormRefused(failure) from None
            wait_s = _wait_s(error, tries)
            if tries < model.choice.retries_max and is_transient(error) and wait_s <= _WAIT_S_MAX:
                tries += 1
                await asyncio.sleep(wait_s)
                continue
            # Nothing was accepted, so what was tried on the way says nothing about the endpoint.
            learnt.revert()
            raise failure from None
        learnt.confirm()
        if result.finish_reason == "content_filter":
            raise _find_refusal(model, result.content if isinstance(result.content, str) else "")
        return result


async def _create(model: Model, messages: Sequence[LLMMessage], arguments: dict[str, Any]) -> CreateResult:
    async with asyncio.timeout(model.choice.timeout_s):
        return await model.client.create(messages, **arguments)


async def _stream(
    model: Model, messages: Sequence[LLMMessage], arguments: dict[str, Any], on_piece: Callable[[str], None]
) -> CreateResult:
    result = None
    async with (
        asyncio.timeout(model.choice.timeout_s * STREAM_TIMES),
        aclosing(model.client.create_stream(messages, **arguments)) as stream,  # pyright: ignore[reportArgumentType]  # AutoGen types it as a generator without `aclose`
    ):
        async for piece in stream:
            if isinstance(piece, CreateResult):
                result = piece
            else:
                on_piece(piece)
    if result is None or _is_cut_off(result):
        raise StreamCutOff("The stream ended before the reply did.")
    return result


def _is_cut_off(result: CreateResult) -> bool:
    """Whether a stream ended without saying why, in the middle of an object."""
    text = result.content
    return result.finish_reason == "unknown" and isinstance(text, str) and text.count("{") > text.count("}")


def _wait_s(error: BaseException, tries: int) -> float:
    """How long to wait before the next try: as the endpoint says, else longer each time."""
    headers = getattr(getattr(error, "response", None), "headers", None) if find_status(error) is not None else None
    try:
        return float((headers or {}).get("retry-after") or "")
    except (ValueError, AttributeError):
        # Exponential back-off with jitter, so that sessions that failed together do not return together.
        return _WAIT_S * 2**tries * (1 + random.random() / 4)


def _find_refusal(model: Model, reason: str) -> ModelError:
    reason = without_secrets(" ".join(reason.split()), model.secret)[:600]
    words = f"It said: “{reason}”" if reason else "It gave no reason."
    return ModelError(
        f"The model {model.choice.model!r} at {model.choice.endpoint!r} refuses to answer. {words} "
        "Ask differently, or choose another model as TANDEM_MODEL."
    )
