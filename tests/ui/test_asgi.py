"""The server around the page: who may listen to the change notifier, what it serves, and its settings."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import recorded
from hubs import installed
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit import config

from ui import session_hub
from ui.asgi import POLICY, Rooted, StayAtHome, compute_fingerprint, serve_asset, serve_changes
from ui.authentication import Authentication, Key
from ui.serve import _is_news, build_options, find_port, main

KEY = Key(token=None, port=80, hosts=("testserver",))


@pytest.fixture
def client() -> Iterator[TestClient]:
    routes = [WebSocketRoute("/api/changes/{session}", serve_changes), Route("/assets/{name}", serve_asset)]
    served = Starlette(routes=routes, middleware=[Middleware(StayAtHome), Middleware(Authentication, key=KEY)])
    with installed(recorded.open_workspace), TestClient(served) as made:
        yield made


def test_a_page_knows_its_servers_root_whole_and_packed() -> None:
    async def page(_: Request) -> Response:
        return HTMLResponse("<html><head><title>x</title></head>" + "body " * 500)

    async def text(_: Request) -> Response:
        return PlainTextResponse("<head>")

    served = Starlette(
        routes=[Route("/data", page), Route("/text", text)],
        middleware=[Middleware(Rooted), Middleware(GZipMiddleware)],
    )
    with TestClient(served) as client:
        told = client.get("/data", headers={"accept": "text/html", "accept-encoding": "gzip"})
        assert "BACKEND_BASE_URL" in told.text.split("<title>")[0]
        assert int(told.headers["content-length"]) == len(told.content)
        assert client.get("/text", headers={"accept": "text/html"}).text == "<head>"
        assert "BACKEND_BASE_URL" not in client.get("/data", headers={"accept": "application/json"}).text


OWN = {"origin": "http://testserver"}


def test_the_notifier_tells_a_version_and_nothing_else(client: TestClient) -> None:
    live = session_hub.current()
    with client.websocket_connect("/api/changes/at-5", headers=OWN) as socket_:
        assert socket_.receive_text() == f"{live.boot}:{live.of(live.open('at-5')).version}"
        live.of(live.open("at-5")).notify("something changed")
        assert socket_.receive_text() == f"{live.boot}:{live.of(live.open('at-5')).version}"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://testserver.evil.example", "http://testserver:81"]
)
def test_no_other_origin_may_listen(client: TestClient, origin: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("/api/changes/at-5", headers={"origin": origin}),
    ):
        pass
    assert refused.value.code == 4403


def test_there_is_no_notifier_for_an_unknown_session(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect("/api/changes/nothing", headers=OWN):
        pass
    assert refused.value.code == 4404


def test_the_editor_is_served_by_us_and_cached_for_ever(client: TestClient) -> None:
    answer = client.get(f"/assets/editor.js?v={compute_fingerprint('editor.js')}")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("name", ["config.toml", "..%2Fserve.py", "%2e%2e%2fserve.py"])
def test_nothing_else_of_ours_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/assets/{name}").status_code == 404


def test_the_policy_names_no_other_machine() -> None:
    allowed = {part for rule in POLICY.split("; ") for part in rule.split()[1:]}
    assert allowed <= {"'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "blob:", "data:"}


def test_every_setting_is_one_that_streamlit_knows() -> None:
    known = set(config.get_config_options())
    assert set(build_options(8501)) <= known


def test_the_page_stays_on_this_machine_and_takes_large_files() -> None:
    given = build_options(8501)
    assert given["server.address"] == "127.0.0.1"
    assert given["browser.gatherUsageStats"] is False
    assert isinstance(given["server.maxUploadSize"], int)
    assert given["server.maxUploadSize"] >= 200
    assert "server.enableAgentApi" not in given


def test_a_click_that_meets_a_page_drawn_anew_is_no_news_on_the_terminal() -> None:
    from streamlit.runtime.scriptrunner import script_runner

    assert script_runner._LOGGER.name == "streamlit.runtime.scriptrunner.script_runner"
    record = logging.makeLogRecord({"msg": "Couldn't find fragment with id %s. This can happen", "args": ("x",)})
    assert not _is_news(record)
    assert _is_news(logging.makeLogRecord({"msg": "Uncaught app exception"}))


def test_a_taken_port_is_refused_and_another_is_found() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            find_port(port)
    assert find_port(None) >= 8501


def test_a_port_that_cannot_be_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--port", "99999"])
    assert ended.value.code == 2
    assert "'99999' is no port; give a number from 0 (any that is free) to 65535" in capsys.readouterr().err


def test_a_taken_port_is_said_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["--port", str(port)]) == 1
    assert capsys.readouterr().err == f"tandem serve: port {port} is taken; choose another with --port\n"


SERVED = """
import duckdb, recorded
from starlette.testclient import TestClient
from ui.asgi import build
from ui.authentication import Key

with TestClient(build(recorded.open_workspace, Key(token=None, port=80, hosts=("testserver",)))) as client:
    assert client.get("/assets/nothing").status_code == 404
print("ended", duckdb.execute("SELECT 1").fetchone())
"""


def test_a_server_that_used_duckdb_ends_without_a_report_of_its_memory() -> None:
    paths = os.pathsep.join((str(Path(recorded.__file__).parent), *filter(None, sys.path)))
    ended = subprocess.run(
        [sys.executable, "-c", SERVED],
        env=os.environ | {"PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert ended.stdout == "ended (1,)\n", ended.stderr
    assert "nanobind" not in ended.stderr
