"""Limits on visitors who have not signed in: they see the sign-in page and use few resources of the server.

Their websockets are limited in number, for each address and in total, and in time: the sign-in page needs one for a
moment. Of Streamlit's own addresses, visitors reach only those that the page needs; server metrics are closed to
everybody. This module does not know sessions.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from ui.people import People

SOCKETS_MAX = 64
SOCKETS_OF_ADDRESS_MAX = 16
SIGN_IN_S = 300.0
TRY_AGAIN = 1013
_INTERNAL = "/_stcore/"
_OF_THE_PAGE = ("health", "host-config", "stream", "upload_file", "bidi-components", "component")


class Visitors:
    """Bounds what somebody may do who did not sign in.

    Args:
        app: The page.
        people: How people sign in; None where nobody does, and all who come this far may use the page.
        sign_in_s: How long a visitor's websocket may stay.
    """

    def __init__(self, app: ASGIApp, people: People | None, sign_in_s: float = SIGN_IN_S) -> None:
        self._app = app
        self._people = people
        self._sign_in_s = sign_in_s
        self._held: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and not _is_for_the_page(scope["path"]):
            await PlainTextResponse("There is nothing here.", status_code=404)(scope, receive, send)
        elif scope["type"] == "websocket" and self._people is not None:
            if self._people.on_socket(WebSocket(scope, receive, send)) is not None:
                await self._app(scope, receive, send)
            else:
                await self._visit(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _visit(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = str((scope.get("client") or ("",))[0])
        if self._held[address] >= SOCKETS_OF_ADDRESS_MAX or self._held.total() >= SOCKETS_MAX:
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": ""})
            return
        self._held[address] += 1
        try:
            await self._app(scope, _Until(receive, self._sign_in_s), send)
        finally:
            self._held[address] -= 1
            # Addresses without a connection are forgotten, so that the table does not grow with every visitor.
            if not self._held[address]:
                del self._held[address]


class _Until:
    """Receives until a time is over; from then on the visitor is gone."""

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive = receive
        self._until = asyncio.get_running_loop().time() + seconds

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout_at(self._until):
                return await self._receive()
        except TimeoutError:
            return {"type": "websocket.disconnect", "code": TRY_AGAIN, "reason": ""}


def _is_for_the_page(path: str) -> bool:
    """Whether an address of Streamlit's own is one that its page asks for."""
    inside = "/" + path.lstrip("/")
    return not inside.startswith(_INTERNAL) or inside.removeprefix(_INTERNAL).split("/")[0] in _OF_THE_PAGE
