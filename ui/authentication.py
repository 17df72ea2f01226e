"""Access control of the page: an HTTP or websocket request without the token or its cookie is refused with 403.

The first address carries the token (`/?token=...`). It is exchanged for a cookie, and the browser is redirected to the
address without it. A request must also name a known host (against DNS rebinding) and must not come from a page of
another origin. Only the health check needs no cookie. The token identifies nobody: everybody who has it is the same
person.

Source: the token is Jupyter Server's; Fetch Metadata, W3C; RFC 6265bis for SameSite.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from starlette.responses import HTMLResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HEALTH = "/_stcore/health"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
COOKIE_S = 30 * 24 * 3600
REFUSED = 4403
"""The websocket's code; before the handshake the browser sees a plain 403."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?")
_REFUSAL = Path(__file__).with_name("refused.html")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Key:
    """What opens the page.

    Attributes:
        token: The token; None where a login of someone else's stands before the page.
        port: The server's port. Cookies know no ports, so it is part of the cookie's name.
        hosts: Names by which the page is reached besides this machine's own.
    """

    token: str | None
    port: int
    hosts: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The cookie's name."""
        return f"tandem_{self.port}"

    @property
    def cookie_value(self) -> str:
        """Derived from the token: the cookie, which other local servers may see, does not give the token away."""
        return hmac.new((self.token or "").encode(), f"page:{self.port}".encode(), hashlib.sha256).hexdigest()

    @property
    def address(self) -> str:
        """The address to open, with the token. A secret."""
        return f"http://127.0.0.1:{self.port}" + (f"/?token={self.token}" if self.token is not None else "")


class Authentication:
    """Refuses what does not show the key."""

    def __init__(self, app: ASGIApp, key: Key) -> None:
        self._app = app
        self._key = key
        self._hosts = frozenset(host.lower() for host in (*LOCAL, *key.hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it here."""
        # ASGI's lifespan events come from the server itself.
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if answer := self._answer(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": REFUSED, "reason": ""})
            else:
                await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        """What is answered here; None if the request may pass."""
        host = _read_single_header(scope, b"host")
        if not self._is_ours(host):
            return _build_refusal("This address is not one of this page's own names.")
        if not _is_own_origin(scope, host):
            return _build_refusal("Another page asked for this. Only Tandem's own page may.")
        if self._key.token is None:
            return None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            if scope["path"] == HEALTH and not scope["query_string"]:
                return None
            if tokens := [value for name, value in _parse_query(scope) if name == "token"]:
                return self._exchange_token(scope) if _has_secret(tokens, self._key.token) else _build_refusal()
        return None if _has_secret(_read_cookies(scope, self._key.cookie), self._key.cookie_value) else _build_refusal()

    def _is_ours(self, host: str | None) -> bool:
        match = _HOST.fullmatch((host or "").lower())
        return match is not None and match[1] in self._hosts

    def _exchange_token(self, scope: Scope) -> Response:
        """The cookie for the token, and on to the address without it."""
        parameters = urlencode([(name, value) for name, value in _parse_query(scope) if name != "token"])
        # One slash at its beginning: `//name` would lead to another machine.
        clean = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{parameters}" if parameters else "")
        # A cookie with SameSite=Strict is not sent along a redirect that began on another site (a terminal in a
        # browser), but from a page of our own.
        foreign = _read_single_header(scope, b"sec-fetch-site") == "cross-site"
        response = Response(status_code=200 if foreign else 303)
        response.headers["refresh" if foreign else "location"] = f"0; url={clean}" if foreign else clean
        response.headers["cache-control"] = "no-store"
        response.set_cookie(
            self._key.cookie,
            self._key.cookie_value,
            max_age=COOKIE_S,
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] == "https",
        )
        return response


def _is_own_origin(scope: Scope, host: str | None) -> bool:
    """Whether the request comes from the page itself, or from the person who types or follows an address."""
    origin = _read_single_header(scope, b"origin")
    if scope["type"] == "websocket" or origin is not None:
        return host is not None and origin in (f"http://{host}", f"https://{host}")
    if any(name == b"origin" for name, _ in scope["headers"]):
        return False  # several
    if _read_single_header(scope, b"sec-fetch-site") in (None, "none", "same-origin"):
        return True
    return scope["method"] == "GET" and _read_single_header(scope, b"sec-fetch-dest") == "document"


def _read_single_header(scope: Scope, name: bytes) -> str | None:
    """A header's value; None where it is missing, or there more than once."""
    values = [value for header, value in scope["headers"] if header == name]
    return values[0].decode("latin-1") if len(values) == 1 else None


def _parse_query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _read_cookies(scope: Scope, name: str) -> list[str]:
    headers = (value.decode("latin-1") for header, value in scope["headers"] if header == b"cookie")
    pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
    return [value for cookie, _, value in pairs if cookie == name]


def _has_secret(candidates: Iterable[str], secret: str) -> bool:
    """Compared in a time that tells nothing of how far they agree."""
    return any(hmac.compare_digest(candidate.encode(), secret.encode()) for candidate in candidates)


def _build_refusal(why: str = "This browser has not shown the page's key.") -> Response:
    page = _REFUSAL.read_text(encoding="utf-8").replace("WHY", why)
    return HTMLResponse(page, status_code=403, headers={"cache-control": "no-store"})
