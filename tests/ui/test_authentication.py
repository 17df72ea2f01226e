"""Access to the page, tried with raw requests to a real server: nothing is served without the token or cookie."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from browsing import TOKEN, Server

from ui.access_token import NAME, read_token
from ui.authentication import HEALTH, Authentication, Key
from ui.serve import main

UPGRADE = {
    "upgrade": "websocket",
    "connection": "Upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}
SOCKETS = ("/_stcore/stream", "/api/changes/at-5")
PATHS = (
    "/",
    "/index.html",
    "/?s=at-5",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/health/",
    "/_stcore/health?x=1",
    "/_stcore/../_stcore/host-config",
    "//_stcore/health",
    "/media/x.png",
    "/component/x/index.html",
    "/assets/editor.js",
    "/static/js/index.js",
    "/nothing",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server((str(browsing.HERE / "recorded.py"), "{port}"), tmp_path_factory.mktemp("door")) as running:
        yield running


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    """As a browser gets it."""
    answer = ask(server, f"/?token={TOKEN}")
    found = re.search(r"(?im)^set-cookie: (tandem_\d+=[0-9a-f]{64});(.*)\r$", answer)
    assert found is not None, answer
    attributes = found[2].lower()
    assert "httponly" in attributes
    assert "samesite=strict" in attributes
    return found[1]


def ask(server: Server, path: str, *, method: str = "GET", **headers: str) -> str:
    """The whole answer; of a handshake its head. `host` is the server's own, if not given."""
    given = {"host": f"127.0.0.1:{server.port}", "connection": "close"}
    given |= {name.replace("_", "-"): text for name, text in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in given.items() if text), "", ""]
    answer = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall("\r\n".join(lines).encode())
        while piece := connection.recv(65536):
            answer += piece
            if "upgrade" in given and b"\r\n\r\n" in answer:
                break
    return answer.decode("latin-1")


def status(answer: str) -> int:
    return int(answer.split(" ", 2)[1])


def handshake(server: Server, path: str, **headers: str) -> int:
    return status(ask(server, path, **{**UPGRADE, **headers}))


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_opens_for_the_page_that_shows_its_cookie_alone(server: Server, cookie: str, path: str) -> None:
    own = server.address
    assert handshake(server, path, origin=own, cookie=cookie) == 101
    assert handshake(server, path, origin=own, cookie=f"other=1; {cookie}; last=2") == 101
    name = cookie.partition("=")[0]
    for wrong in ("", f"{name}=", f"{name}={TOKEN}", f"{name}={'0' * 64}", cookie[:-1], cookie.replace("_", "_1")):
        assert handshake(server, path, origin=own, cookie=wrong) == 403, wrong
    assert handshake(server, f"{path}?token={TOKEN}", origin=own) == 403


@pytest.mark.parametrize("path", SOCKETS)
def test_no_other_origin_opens_a_socket_even_with_the_cookie(server: Server, cookie: str, path: str) -> None:
    port = server.port
    for origin in (
        "",
        "null",
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        f"http://localhost:{port}",
        f"http://127.0.0.1:{port}.evil.example",
        f"http://127.0.0.1:{port}@evil.example",
        f"file://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}/",
    ):
        assert handshake(server, path, origin=origin, cookie=cookie) == 403, origin


@pytest.mark.parametrize("host", ["", "evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "a@127.0.0.1"])
def test_a_foreign_name_for_this_machine_is_refused(server: Server, cookie: str, host: str) -> None:
    named = host.format(port=server.port)
    for path in ("/", HEALTH, f"/?token={TOKEN}"):
        assert status(ask(server, path, host=named, cookie=cookie)) == 403
    assert handshake(server, SOCKETS[0], host=named, origin=f"http://{named}", cookie=cookie) != 101


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}", "LOCALHOST:{port}"])
def test_this_machines_own_names_lead_in(server: Server, cookie: str, host: str) -> None:
    named = host.format(port=server.port)
    assert status(ask(server, "/", host=named, cookie=cookie)) == 200
    assert handshake(server, SOCKETS[0], host=named, origin=f"http://{named}", cookie=cookie) == 101


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_told_without_the_cookie(server: Server, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        assert status(ask(server, path, method=method)) == 403, (method, path)
    assert status(ask(server, path + ("&" if "?" in path else "?") + "token=wrong")) == 403


def test_uploads_are_refused_without_the_cookie_or_from_another_origin(server: Server, cookie: str) -> None:
    path = "/_stcore/upload_file/session/file"
    assert status(ask(server, path, method="PUT", content_length="0")) == 403
    foreign = ask(server, path, method="PUT", content_length="0", cookie=cookie, origin="http://127.0.0.1:9999")
    assert status(foreign) == 403
    assert "Another page" in foreign


@pytest.mark.parametrize("path", ["/", "/media/x.png", "/assets/editor.js"])
def test_a_page_of_another_port_gets_nothing_with_the_cookie_that_the_browser_sends(
    server: Server, cookie: str, path: str
) -> None:
    """Cookies know no ports: one is sent to 127.0.0.1:8501 from a page of 127.0.0.1:9999 as well."""
    for dest in ("image", "script", "iframe", "empty"):
        assert status(ask(server, path, cookie=cookie, sec_fetch_site="same-site", sec_fetch_dest=dest)) == 403
    assert status(ask(server, "/", cookie=cookie, sec_fetch_site="same-site", sec_fetch_dest="document")) == 200
    assert status(ask(server, "/", cookie=cookie, sec_fetch_site="none", sec_fetch_dest="document")) == 200


def test_health_tells_only_that_the_server_is_up(server: Server) -> None:
    answer = ask(server, HEALTH)
    assert status(answer) == 200
    assert answer.rpartition("\r\n")[2] == "ok"


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(server: Server) -> None:
    answer = ask(server, f"/a%20b?s=at-5&token={TOKEN}&x=%26")
    assert status(answer) == 303
    assert "\nlocation: /a%20b?s=at-5&x=%26\r" in answer
    assert TOKEN not in answer
    from_elsewhere = ask(server, f"/?token={TOKEN}", sec_fetch_site="cross-site", sec_fetch_dest="document")
    assert status(from_elsewhere) == 200
    assert "\nrefresh: 0; url=/\r" in from_elsewhere


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "/%5Cevil.example", "///evil.example"])
def test_the_exchange_leads_to_no_other_machine(server: Server, path: str) -> None:
    answer = ask(server, f"{path}?token={TOKEN}")
    assert re.search(r"\nlocation: /(?![/\\%])", answer)


def test_the_refusal_says_how_to_get_in_and_holds_no_token(server: Server) -> None:
    answer = ask(server, "/")
    assert "Copy the whole address" in answer
    assert "tandem serve" in answer
    assert "content-security-policy" in answer
    assert TOKEN not in answer
    assert "set-cookie" not in answer.lower()


def test_the_servers_log_holds_neither_token_nor_cookie(server: Server, cookie: str) -> None:
    assert TOKEN not in server.said()
    assert cookie.partition("=")[2] not in server.said()


def test_a_token_is_kept_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TANDEM_TOKEN", raising=False)
    home = tmp_path / "home"
    made = read_token(home)
    assert len(made) >= 32
    assert (home / NAME).stat().st_mode & 0o777 == 0o600
    assert read_token(home) == made
    assert [path.name for path in home.iterdir()] == [NAME]
    (home / NAME).chmod(0o644)  # somebody else may have read it
    renewed = read_token(home)
    assert renewed != made
    assert (home / NAME).stat().st_mode & 0o777 == 0o600
    (home / NAME).write_text("")
    assert read_token(home) not in ("", renewed, made)
    assert read_token(tmp_path / "other") != read_token(home)


def test_a_fixed_token_wins_and_a_weak_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_TOKEN", TOKEN)
    assert read_token(tmp_path) == TOKEN
    assert not list(tmp_path.iterdir())
    for weak in ("short", "has blanks in it, many", "ä" * 20):
        monkeypatch.setenv("TANDEM_TOKEN", weak)
        with pytest.raises(ValueError, match="TANDEM_TOKEN must be") as refused:
            read_token(tmp_path)
        assert weak not in str(refused.value)


def test_a_weak_token_is_refused_on_the_command_line_without_being_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TANDEM_TOKEN", "weakness")
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path))
    assert main([]) == 1
    said = capsys.readouterr()
    assert "TANDEM_TOKEN must be 16 to 200" in said.err
    assert "weakness" not in said.err + said.out


def test_without_a_token_origin_and_host_are_still_looked_at() -> None:
    async def app(*_: object) -> None:
        raise AssertionError

    door = Authentication(app, Key(token=None, port=8501, hosts=("data.example.org",)))

    def status_of(kind: str = "http", **headers: str) -> int | None:
        found = door._answer(
            {
                "type": kind,
                "method": "GET",
                "path": "/",
                "query_string": b"",
                "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()],
            }
        )
        return found.status_code if found else None

    assert status_of(host="data.example.org") is None
    assert status_of("websocket", host="data.example.org", origin="https://data.example.org") is None
    assert status_of("websocket", host="data.example.org", origin="https://evil.example") == 403
    assert status_of("websocket", host="data.example.org") == 403
    assert status_of(host="evil.example") == 403


def test_a_key_shows_its_token_to_nobody_who_prints_it(caplog: pytest.LogCaptureFixture) -> None:
    key = Key(token=TOKEN, port=8501)
    logging.getLogger("door").warning("%s %r", key, key)
    assert TOKEN not in caplog.text
    assert TOKEN not in key.cookie_value
    assert key.cookie_value != Key(token=TOKEN, port=8502).cookie_value


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_in_a_browser_the_printed_address_leads_in_and_the_bare_one_says_how(server: Server) -> None:
    with browsing.chromium() as chromium:
        context = chromium.new_context()
        page = context.new_page()
        refused = page.goto(server.address)
        assert refused is not None
        assert refused.status == 403
        page.get_by_text("Copy the whole address").wait_for()
        page.goto(f"{server.address}/?token={TOKEN}")
        page.get_by_test_id("stChatInputTextArea").wait_for(timeout=browsing.PATIENCE_S * 1000)
        assert page.url == f"{server.address}/"
        assert page.evaluate("document.cookie.includes('tandem_')") is False
        assert page.evaluate(OPEN_SOCKET, server.port) == "open"
        # Another server of this machine, in the same browser: cookies know no ports.
        elsewhere = context.new_page()
        elsewhere.route("http://127.0.0.1:9999/", lambda route: route.fulfill(body="elsewhere"))
        elsewhere.goto("http://127.0.0.1:9999/")
        assert elsewhere.evaluate(OPEN_SOCKET, server.port) == "refused"
        context.close()


OPEN_SOCKET = """port => new Promise(done => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/_stcore/stream`, ["streamlit"]);
    socket.onopen = () => { done("open"); socket.close(); };
    socket.onerror = () => done("refused");
})"""
