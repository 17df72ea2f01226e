"""The shapes in which providers other than OpenAI are asked and reply: Anthropic, Claude at Bedrock, Ollama, llama.cpp.

Taken from the providers' reference and from what their own clients parse; the clients check every byte.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Callable, Iterator
from typing import Any

from openai_server import Asked, Served, Wire, fail, say

_PIECE = 12


def _named(tools: Any) -> list[str]:
    return [tool.get("name") or tool["function"]["name"] for tool in tools or ()]


# --- Anthropic ------------------------------------------------------------------------------------------------


def _blocks(served: Served) -> list[dict[str, Any]]:
    said = [{"type": "text", "text": text}] if (text := served.text or served.refusal) else []
    calls = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": arguments}
        for n, (name, arguments) in enumerate(served.calls)
    ]
    return [*said, *calls]


def _why(served: Served) -> str:
    return "refusal" if served.refusal is not None else "tool_use" if served.calls else "end_turn"


def _message(served: Served, body: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "claude"),
        "content": _blocks(served),
        "stop_reason": _why(served),
        "stop_sequence": None,
        "usage": {"input_tokens": 120, "output_tokens": 30},
    }


def _events(served: Served, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    empty = {**_message(served, body), "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": empty}
    yield {"type": "ping"}
    for n, block in enumerate(_blocks(served)):
        if block["type"] == "text":
            text, field, kind = block["text"], "text", "text_delta"
            start = {**block, "text": ""}
        else:
            text, field, kind = json.dumps(block["input"]), "partial_json", "input_json_delta"
            start = {**block, "input": {}}
        yield {"type": "content_block_start", "index": n, "content_block": start}
        for at in range(0, len(text), _PIECE):
            delta = {"type": kind, field: text[at : at + _PIECE]}
            yield {"type": "content_block_delta", "index": n, "delta": delta}
        yield {"type": "content_block_stop", "index": n}
    delta = {"stop_reason": _why(served), "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 30}}
    yield {"type": "message_stop"}


def _sse(served: Served, body: dict[str, Any]) -> Iterator[bytes]:
    for event in _events(served, body):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _claude_error(served: Served) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": served.error}}


def _claude_form(body: dict[str, Any]) -> str:
    return "functions" if "reply" in _named(body.get("tools")) else "text"


ANTHROPIC = Wire(whole=_message, pieces=_sse, error=_claude_error, form=_claude_form)


# --- Bedrock: the same messages in AWS's binary frames --------------------------------------------------------


def _frame(event: dict[str, Any]) -> bytes:
    """One message of `application/vnd.amazon.eventstream`: lengths, CRC, headers, payload, CRC."""
    payload = json.dumps({"bytes": base64.b64encode(json.dumps(event).encode()).decode()}).encode()
    headers = b""
    for name, value in ((":event-type", "chunk"), (":content-type", "application/json"), (":message-type", "event")):
        headers += bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    head = prelude + struct.pack(">I", binascii.crc32(prelude)) + headers + payload
    return head + struct.pack(">I", binascii.crc32(head))


def _frames(served: Served, body: dict[str, Any]) -> Iterator[bytes]:
    for event in _events(served, body):
        yield _frame(event)


BEDROCK = Wire(
    whole=_message,
    pieces=_frames,
    error=lambda served: {"message": served.error},
    form=_claude_form,
    streamed=lambda asked: asked.path.endswith("/invoke-with-response-stream"),
    stream_type="application/vnd.amazon.eventstream",
)


# --- Ollama ---------------------------------------------------------------------------------------------------


def _chat(served: Served, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": served.text or ""}
    if served.calls:
        message["tool_calls"] = [{"function": {"name": n, "arguments": a}} for n, a in served.calls]
    return {**_chunk(body, message), "done": True, "done_reason": "stop", "prompt_eval_count": 120, "eval_count": 30}


def _chunk(body: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    return {"model": body["model"], "created_at": "2026-11-25T00:00:00Z", "message": message, "done": False}


def _lines(served: Served, body: dict[str, Any]) -> Iterator[bytes]:
    text = served.text or ""
    for at in range(0, len(text), _PIECE):
        piece = {"role": "assistant", "content": text[at : at + _PIECE]}
        yield json.dumps(_chunk(body, piece)).encode() + b"\n"
    last = _chat(served, body)
    last["message"]["content"] = ""
    yield json.dumps(last).encode() + b"\n"


OLLAMA = Wire(
    whole=_chat,
    pieces=_lines,
    error=lambda served: {"error": served.error},
    form=lambda body: "schema" if isinstance(body.get("format"), dict) else "text",
    stream_type="application/x-ndjson",
)


def is_signed(asked: Asked) -> bool:
    """Whether a request to Bedrock carries AWS's signature."""
    return asked.headers.get("authorization", "").startswith("AWS4-HMAC-SHA256 Credential=")


# --- llama-cpp-python's server --------------------------------------------------------------------------------

_LLAMA_CONTEXT = 6_000


def llama(reply: str) -> Callable[[Asked], Served]:
    """A script that behaves like the server of llama-cpp-python 0.3.36, as it was found to behave.

    It says 500 to a JSON schema and to an assistant's message without content; it takes functions and passes none on
    to its model, unless one is demanded; it counts no stream; it knows no `max_completion_tokens`.

    Args:
        reply: What its model says once a message told it the schema; prose before that.
    """

    def script(asked: Asked) -> Served:
        body = asked.body
        if (body.get("response_format") or {}).get("type") == "json_schema":
            return fail(500, _invalid("'response_format', 'type'", "Input should be 'text' or 'json_object'"))
        if any(m["role"] == "assistant" and m.get("content") is None for m in body["messages"]):
            return fail(
                500, _invalid("'messages', 3, 'ChatCompletionRequestSystemMessage'", "Input should be 'system'")
            )
        if (tokens := len(asked.text) // 4) > _LLAMA_CONTEXT:
            return fail(
                400,
                f"This model's maximum context length is {_LLAMA_CONTEXT} tokens. However, you requested {tokens} tokens.",
            )
        told = '"properties"' in "".join(str(m["content"]) for m in body["messages"])
        return say(reply if told else "hello there. welcome to my website!", usage=not body.get("stream"))

    return script


def _invalid(place: str, why: str) -> str:
    return f"1 validation error:\n  {{'type': 'literal_error', 'loc': ('body', {place}), 'msg': \"{why}\"}}\n\n  POST"
