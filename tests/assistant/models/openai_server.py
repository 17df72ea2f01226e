"""A scripted model endpoint on the loopback device: real bytes over a real socket, and a record of them.

It speaks OpenAI's `/chat/completions`, streamed or not, with tool calls and JSON schemas, and every way of going wrong
that the product has to live with. Other providers' shapes are `Wire`s of `provider_wires.py`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def _form(body: dict[str, Any]) -> str:
    if (body.get("response_format") or {}).get("type") == "json_schema":
        return "schema"
    return "functions" if any(t["function"]["name"] == "reply" for t in body.get("tools", ())) else "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    form_of: Callable[[dict[str, Any]], str] = field(default=_form, repr=False)

    @property
    def text(self) -> str:
        """The whole body as text, for looking for what must not be in it."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def form(self) -> str:
        return self.form_of(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What the endpoint replies. One of text, calls, refusal, raw says what; status, delay and gap (between two chunks
    of a stream) say how."""

    text: str | None = None
    calls: tuple[tuple[str, Any], ...] = ()
    raw: bytes | None = None
    status: int = 200
    error: str = ""
    delay_s: float = 0.0
    gap_s: float = 0.0
    refusal: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    usage: bool = True


def say(text: str | dict[str, Any], **more: Any) -> Served:
    return Served(text=text if isinstance(text, str) else json.dumps(text), **more)


def call(name: str, /, **arguments: Any) -> Served:
    return Served(calls=((name, arguments),))


def fail(status: int, error: str = "it failed", **more: Any) -> Served:
    return Served(status=status, error=error, **more)


Script = Sequence[Served] | Callable[[Asked], Served]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """The shape in which a provider is asked and replies.

    Attributes:
        whole: Makes a reply that comes in one piece.
        pieces: Makes the pieces of a reply that streams, as bytes.
        error: Makes the body of an error.
        form: In which form of reply a body asks.
        streamed: Whether a request asks for a stream.
        stream_type: The content type of a stream.
    """

    whole: Callable[[Served, dict[str, Any]], Any]
    pieces: Callable[[Served, dict[str, Any]], Iterator[bytes]]
    error: Callable[[Served], Any]
    form: Callable[[dict[str, Any]], str]
    streamed: Callable[[Asked], bool] = lambda asked: bool(asked.body.get("stream"))
    stream_type: str = "text/event-stream"


class OpenAIServer:
    """The endpoint. `asked` holds every request; `forms` names what it supports besides plain text."""

    def __init__(
        self, script: Script = (), *, forms: tuple[str, ...] = ("schema", "functions"), wire: Wire | None = None
    ) -> None:
        self.script = script
        self.wire = wire or OPENAI
        self.forms = forms
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def reply_as(self, reply: dict[str, Any]) -> Callable[[Asked], Served]:
        """A script that gives one typed reply in whatever form it is asked for."""
        return lambda asked: typed(asked, reply)

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def serve(self, asked: Asked) -> Served:
        self.asked.append(asked)
        if "tools" in asked.body and "functions" not in self.forms:
            return fail(400, "tools are not supported by this model")
        if asked.form == "schema" and "schema" not in self.forms:
            return fail(400, "response_format of type json_schema is not supported by this model")
        if callable(self.script):
            return self.script(asked)
        number = len(self.asked) - 1
        return self.script[number] if number < len(self.script) else fail(418, "the script is at its end")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length))
                headers = {k.lower(): v for k, v in self.headers.items()}
                asked = Asked(path=self.path, headers=headers, body=body, form_of=server.wire.form)
                served = server.serve(asked)
                if served.delay_s:
                    server.closing.wait(served.delay_s)
                try:
                    self._send(served, asked)
                except OSError:
                    return  # the client has gone: a stop or a timeout

            def _send(self, served: Served, asked: Asked) -> None:
                wire = server.wire
                if served.raw is not None:
                    self._head(served.status, served.headers.get("content-type", "application/json"), served)
                    self.wfile.write(served.raw)
                elif served.status != 200:
                    self._head(served.status, "application/json", served)
                    self.wfile.write(json.dumps(wire.error(served)).encode())
                elif wire.streamed(asked):
                    self._head(200, wire.stream_type, served)
                    for piece in wire.pieces(served, asked.body):
                        self.wfile.write(piece)
                        self.wfile.flush()
                        server.closing.wait(served.gap_s)
                else:
                    self._head(200, "application/json", served)
                    self.wfile.write(json.dumps(wire.whole(served, asked.body)).encode())

            def _head(self, status: int, content_type: str, served: Served) -> None:
                self.send_response(status)
                self.send_header("content-type", content_type)
                for name, value in served.headers.items():
                    if name != "content-type":
                        self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


def typed(asked: Asked, reply: dict[str, Any]) -> Served:
    """A typed reply in the form that was asked for."""
    match asked.form:
        case "schema":
            return say(reply)
        case "functions":
            return call("reply", **reply)
        case _:
            return say(f"Here it is.\n```json\n{json.dumps(reply)}\n```\n")


@contextmanager
def serving(
    script: Script = (), *, forms: tuple[str, ...] = ("schema", "functions"), wire: Wire | None = None
) -> Iterator[OpenAIServer]:
    with OpenAIServer(script, forms=forms, wire=wire) as server:
        yield server


def _pieces(served: Served, body: dict[str, Any]) -> Iterator[bytes]:
    for chunk in _chunks(served, body):
        yield b"data: " + json.dumps(chunk).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def _calls(served: Served) -> list[dict[str, Any]]:
    return [
        {
            "index": n,
            "id": f"call_{n}",
            "type": "function",
            "function": {"name": name, "arguments": a if isinstance(a, str) else json.dumps(a)},
        }
        for n, (name, a) in enumerate(served.calls)
    ]


def _base(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": f"{body['model']}-release-7"}


_USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


def _completion(served: Served, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": served.text}
    if served.refusal is not None:
        message["refusal"] = served.refusal
    if served.calls:
        message["tool_calls"] = [{k: v for k, v in c.items() if k != "index"} for c in _calls(served)]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if served.calls else "stop"}
    usage = {"usage": _USAGE} if served.usage else {}
    return {**_base(body, "chat.completion"), "choices": [choice], **usage}


def _chunks(served: Served, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**_base(body, "chat.completion.chunk"), "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    text = served.text or ""
    for start in range(0, len(text), 12):
        yield chunk({"content": text[start : start + 12]})
    refusal = served.refusal or ""
    for start in range(0, len(refusal), 12):
        yield chunk({"refusal": refusal[start : start + 12]})
    for made in _calls(served):
        yield chunk({"tool_calls": [{**made, "function": {**made["function"], "arguments": ""}}]})
        arguments = made["function"]["arguments"]
        for start in range(0, len(arguments), 12):
            yield chunk(
                {"tool_calls": [{"index": made["index"], "function": {"arguments": arguments[start : start + 12]}}]}
            )
    yield chunk({}, "tool_calls" if served.calls else "stop")
    if served.usage and (body.get("stream_options") or {}).get("include_usage"):
        yield {**_base(body, "chat.completion.chunk"), "choices": [], "usage": _USAGE}


OPENAI = Wire(
    whole=_completion,
    pieces=_pieces,
    error=lambda served: {"error": {"message": served.error}},
    form=_form,
)
