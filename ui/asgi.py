"""The ASGI application: Streamlit's page, the change notifier's websocket, assets and security headers.

`build` makes the application from a function that opens a workspace; `ui.serve` starts it. Nothing is drawn here.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pandas
import pyarrow
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.api.errors import AssistantError
from assistant.api.opening import OpenWorkspace, keep_responsive
from ui import printing, session_hub
from ui.authentication import Authentication, Key
from ui.people import People
from ui.visitors import Visitors

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
BELL_EVERY_S = 0.06
"""The shortest time between two rings: a faster stream of text is drawn in larger pieces."""
TOGETHER_S = 0.01
"""What follows a change within this time is drawn with it: a cell is proposed, reviewed and decided about at once."""

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",  # components are blobs; Vega compiles expressions
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""No request of the page leaves this server, whatever an answer, a chart or a cell's output says."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


SHARED = "/shared/"
"""Where the links lead by which a session is shared."""
SHARED_POLICY = "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What such a page may do besides being read: nothing."""


class StayAtHome:
    """Adds the headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)


ROOT = b"<head><script>window.__streamlit={BACKEND_BASE_URL:window.location.origin+'/'}</script>"
"""Streamlit takes the address of a screen for the root of an application first, asks there, and logs a 404."""


class Rooted:
    """Tells the page where its server's root is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a page is changed where it is whole."""
        request_headers = dict(scope.get("headers", ()))
        is_ours = scope["type"] == "http" and not scope["path"].startswith((SHARED, printing.PREFIX))
        if not is_ours or scope["method"] != "GET" or b"text/html" not in request_headers.get(b"accept", b""):
            await self._app(scope, receive, send)
            return
        plain = [
            header for header in scope["headers"] if header[0] != b"accept-encoding"
        ]  # a packed page cannot be changed
        start: Message | None = None
        body = b""

        async def send_rooted(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = body.replace(b"<head>", ROOT, 1)
                    headers = [header for header in start["headers"] if header[0].lower() != b"content-length"]
                    await send({**start, "headers": [*headers, (b"content-length", str(len(page)).encode())]})
                    await send({"type": "http.response.body", "body": page})

        await self._app({**scope, "headers": plain}, receive, send_rooted)


def _is_page(start: Message) -> bool:
    """Whether a response is a page."""
    return dict(start.get("headers", ())).get(b"content-type", b"").startswith(b"text/html")


def build(open_workspace: OpenWorkspace, key: Key, people: People | None = None) -> st.App:
    """The application around a workspace; `key` opens its page, and `people` is how people sign in, if they do."""

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncGenerator[dict[str, object] | None]:
        live = session_hub.SessionHub(open_workspace, people)
        await asyncio.to_thread(live.start)
        session_hub.install(live)
        warming = asyncio.create_task(asyncio.to_thread(_warm))
        try:
            yield None
        finally:
            await warming
            session_hub.install(None)
            await asyncio.to_thread(live.close)
            gc.unfreeze()  # DuckDB's binding reports on the terminal what the interpreter does not free at its end

    return st.App(
        FOLDER / "page.py",
        lifespan=lifespan,
        routes=[
            WebSocketRoute("/api/changes/{session}", serve_changes),
            Route("/assets/{name}", serve_asset),
            Route(SHARED + "{token}", serve_shared),
            Route(printing.PREFIX + "{token}", serve_printed),
        ],
        middleware=[
            Middleware(StayAtHome),
            Middleware(Authentication, key=key),
            Middleware(Visitors, people=people),
            Middleware(Rooted),
        ],
        on_script_error=_on_script_error,
    )


async def serve_changes(socket: WebSocket) -> None:
    """Ring when a session changes: `boot:version`, and nothing of its content."""
    live = session_hub.current()
    person = live.people.on_socket(socket) if live.people is not None else None
    try:
        session = await asyncio.to_thread(live.open_for, socket.path_params["session"], person)
    except AssistantError:
        await socket.close(4404)
        return
    await socket.accept()
    loop, rung = asyncio.get_running_loop(), asyncio.Event()

    def ring() -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            loop.call_soon_threadsafe(rung.set)

    unsubscribe = live.of(session).subscribe(ring)
    ringing = asyncio.create_task(_send_changes(socket, live.boot, lambda: live.of(session).version, rung))
    try:
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        pass
    finally:
        unsubscribe()
        ringing.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await ringing


async def _send_changes(socket: WebSocket, boot: str, version: Callable[[], int], rung: asyncio.Event) -> None:
    last_version, at = -1, 0.0
    while True:
        now = version()
        if now != last_version:
            last_version, at = now, time.monotonic()
            await socket.send_text(f"{boot}:{now}")
        await rung.wait()
        await asyncio.sleep(max(TOGETHER_S, at + BELL_EVERY_S - time.monotonic()))
        rung.clear()


ASSETS = {
    "editor.js": (FOLDER / "components" / "editor" / "editor.js", "text/javascript"),
}
"""What the browser may fetch from us besides Streamlit's own files."""


@cache
def compute_fingerprint(name: str) -> str:
    """The first digits of an asset's SHA-256: its address changes when it does, so it can be cached for ever."""
    return hashlib.sha256(ASSETS[name][0].read_bytes()).hexdigest()[:12]


async def serve_asset(request: Request) -> Response:
    """One of our own files."""
    name = request.path_params["name"]
    if name not in ASSETS:
        return Response(status_code=404)
    path, media_type = ASSETS[name]
    content = await asyncio.to_thread(path.read_bytes)
    return Response(content, media_type=media_type, headers={"cache-control": "public, max-age=31536000, immutable"})


async def serve_shared(request: Request) -> Response:
    """The answers of one session, to read: for anybody who has its link. There is nothing to press on it."""
    try:
        page = await asyncio.to_thread(session_hub.current().render_shared, request.path_params["token"])
    except AssistantError as error:
        return PlainTextResponse(str(error), status_code=404, headers={"cache-control": "no-store"})
    headers = {"cache-control": "no-store", "content-security-policy": "default-src 'none'; " + SHARED_POLICY}
    return Response(page, media_type="text/html", headers=headers)


async def serve_printed(request: Request) -> Response:
    """A document that the browser prints, for the page that was given its address."""
    try:
        page = await asyncio.to_thread(session_hub.current().prints.document, request.path_params["token"])
    except AssistantError as error:
        return PlainTextResponse(str(error), status_code=409, headers={"cache-control": "no-store"})
    if page is None:
        text = "This address is not valid any more. Open it again from the page."
        return PlainTextResponse(text, status_code=404, headers={"cache-control": "no-store"})
    headers = {"cache-control": "no-store", "content-security-policy": printing.POLICY}
    return Response(page, media_type="text/html", headers=headers)


def _warm() -> None:
    """Import what the first screens need."""
    log.debug("warm: %s %s %s", numpy.__version__, pandas.__version__, pyarrow.__version__)
    keep_responsive()


def _on_script_error(error: Exception) -> bool:
    log.error("the page could not be drawn", exc_info=error)
    st.error(
        "What you see is kept, and so is everything that ran. Reload the page to go on.",
        title="This part of the page could not be drawn",
        icon=":material/error:",
    )
    return True
