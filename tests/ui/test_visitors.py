"""Who has not signed in holds few sockets, for a time, and reads no figures of the server."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import browsing
import pytest
from browsing import Server
from starlette.websockets import WebSocket
from two_people import Cookies
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ui import visitors
from ui.visitors import SOCKETS_MAX, SOCKETS_OF_ADDRESS_MAX, Visitors

PROGRAM = (str(browsing.HERE / "two_people.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("visitors")) as running:
        yield running


def socket_of(server: Server, cookie: str = "") -> Any:
    headers = {"Origin": server.address, **({"Cookie": cookie} if cookie else {})}
    address = f"{server.address.replace('http', 'ws', 1)}/_stcore/stream"
    return connect(address, additional_headers=headers, open_timeout=30)


@pytest.mark.slow
def test_visitors_hold_few_sockets_and_keep_nobody_out_who_signed_in(server: Server) -> None:
    with contextlib.ExitStack() as held:
        accepted = 0
        for _ in range(60):
            with contextlib.suppress(InvalidStatus):
                held.enter_context(socket_of(server))
                accepted += 1
        assert accepted == SOCKETS_OF_ADDRESS_MAX
        for _ in range(SOCKETS_OF_ADDRESS_MAX + 4):
            held.enter_context(socket_of(server, "who=ana"))
        with pytest.raises(InvalidStatus), socket_of(server, "who=nobody"):
            pass
    browsing.wait(lambda: opens(server), for_s=30)


def opens(server: Server) -> bool:
    try:
        with socket_of(server):
            return True
    except InvalidStatus:
        return False


@pytest.mark.parametrize("cookie", ["", "who=ana"])
@pytest.mark.parametrize(
    "path",
    [
        *("/_stcore/metrics", "/_stcore/metrics/", "//_stcore/metrics", "/_stcore/metrics?families=x"),
        *("/_stcore/%6detrics", "/_stcore/script-health-check", "/_stcore/agent/openapi.json", "/_stcore/"),
    ],
)
def test_figures_about_the_server_are_for_nobody(server: Server, path: str, cookie: str) -> None:
    request = urllib.request.Request(server.address + path, headers={"Cookie": cookie} if cookie else {})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    assert refused.value.code in (400, 403, 404)
    assert b"active_sessions" not in refused.value.read()


def test_health_says_that_and_nothing_more(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=20) as answer:
        assert answer.read() == b"ok"


class Held:
    """An application whose sockets stay until they are told that the other side is gone."""

    def __init__(self) -> None:
        self.open = 0
        self.most = 0
        self.ended = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        self.open += 1
        self.most = max(self.most, self.open)
        with contextlib.suppress(Exception):
            await socket.receive_text()
        self.open -= 1
        self.ended += 1


async def visit(app: Visitors, address: str, cookie: str = "") -> int:
    """Open a socket and say nothing; the code with which it is refused, 0 where it is not."""
    first, code = True, 0

    async def receive() -> dict[str, Any]:
        nonlocal first
        if first:
            first = False
            return {"type": "websocket.connect"}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        nonlocal code
        if message["type"] == "websocket.close":
            code = message["code"]

    headers = [(b"cookie", cookie.encode())] if cookie else []
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": headers, "client": (address, 1)}
    await app(scope, receive, send)
    return code


def test_a_visitors_socket_ends_with_its_time_and_gives_its_place_back() -> None:
    async def scenario() -> None:
        inner = Held()
        app = Visitors(inner, Cookies(), sign_in_s=0.2)
        for _ in range(3):
            codes = await asyncio.gather(*(visit(app, "10.0.0.1") for _ in range(SOCKETS_OF_ADDRESS_MAX + 5)))
            assert codes.count(visitors.TRY_AGAIN) == 5
        assert (inner.open, inner.ended) == (0, 3 * SOCKETS_OF_ADDRESS_MAX)
        assert not app._held  # pyright: ignore[reportPrivateUsage]

    asyncio.run(asyncio.wait_for(scenario(), 30))


def test_many_addresses_together_hold_no_more_than_all_may() -> None:
    async def scenario() -> None:
        inner = Held()
        app = Visitors(inner, Cookies(), sign_in_s=0.5)
        codes = await asyncio.gather(*(visit(app, f"10.0.{n}.1") for n in range(200)))
        assert inner.most == SOCKETS_MAX
        assert codes.count(visitors.TRY_AGAIN) == 200 - SOCKETS_MAX

    asyncio.run(asyncio.wait_for(scenario(), 30))


def test_who_signed_in_stays() -> None:
    async def scenario() -> None:
        app = Visitors(Held(), Cookies(), sign_in_s=0.1)
        visits = [asyncio.create_task(visit(app, "10.0.0.1", "who=ana")) for _ in range(SOCKETS_MAX + 1)]
        done, _ = await asyncio.wait(visits, timeout=0.5)
        assert not done
        for task in visits:
            task.cancel()
        await asyncio.gather(*visits, return_exceptions=True)

    asyncio.run(asyncio.wait_for(scenario(), 30))
