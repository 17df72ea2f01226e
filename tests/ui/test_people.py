"""Two people on one server, in browsers and by hand: neither reaches what is the other's; a link only shows."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import browsing
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser
from starlette.websockets import WebSocket
from streamlit import auth_util
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette import starlette_app_utils, starlette_websocket
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from assistant.errors import ConfigError
from ui.people import OpenIdConnect, Person, find_sign_in, read_person

PROGRAM = (str(browsing.HERE / "two_people.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("people")) as running:
        yield running


@contextmanager
def tab_of(browser: Browser, server: Server, who: str) -> Iterator[Tab]:
    """A tab in a browser of that person's own; nobody's where `who` is empty."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    if who:
        context.add_cookies([{"name": "who", "value": who, "url": server.address}])
    try:
        with browsing.tab(browser, server, context) as opened:
            opened.page.set_default_timeout(60_000)
            yield opened
    finally:
        context.close()


@pytest.fixture(scope="module")
def hers(browser: Browser, server: Server) -> str:
    """A session that Ana made."""
    with tab_of(browser, server, "ana") as tab:
        tab.ask("total by region")
        tab.run("Run this query?")
        tab.until("answer")
        return tab.session


def rung(server: Server, session: str, cookie: str) -> str:
    """What the bell of a session says first to who shows a cookie; empty where it refuses."""
    headers = {"Origin": server.address, **({"Cookie": cookie} if cookie else {})}
    address = f"{server.address.replace('http', 'ws', 1)}/api/changes/{session}"
    try:
        with connect(address, additional_headers=headers, open_timeout=20) as socket:
            return str(socket.recv(timeout=20))
    except InvalidStatus:
        return ""


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_anothers_session_is_not_reached_by_address_list_search_or_board(
    browser: Browser, server: Server, hers: str
) -> None:
    with tab_of(browser, server, "ben") as tab:
        tab.page.goto(f"{server.address}/?s={hers}")
        tab.page.get_by_text("This conversation is not here").wait_for()
        tab.settle()
        assert "total by region" not in tab.page.locator("body").inner_text()
        for place in ("questions", "boards", "data", "settings"):
            tab.page.goto(f"{server.address}/{place}")
            tab.page.get_by_role("heading").first.wait_for()
            tab.settle()
            assert "total by region" not in tab.page.locator("body").inner_text(), place
    with tab_of(browser, server, "ana") as tab:
        tab.page.goto(f"{server.address}/?s={hers}")
        tab.see("leads with")
        tab.page.locator(".st-key-signed-in").get_by_text("Ana").wait_for()


@pytest.mark.slow
def test_the_bell_of_a_session_rings_for_its_owner_alone(server: Server, hers: str) -> None:
    assert ":" in rung(server, hers, "who=ana")
    for cookie in ("who=ben", "who=mallory", ""):
        assert rung(server, hers, cookie) == "", cookie


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_the_data_page_offers_a_member_uploads_alone(browser: Browser, server: Server) -> None:
    with tab_of(browser, server, "ben") as tab:
        tab.page.goto(f"{server.address}/data")
        tab.page.get_by_text("Connect data").first.click()
        tab.page.get_by_text("are connected by whoever runs it").wait_for()
        ways = tab.page.locator(".st-key-connect").get_by_role("tab").all_inner_texts()
        assert ways == ["Files"]


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_who_is_not_signed_in_sees_the_sign_in_alone(browser: Browser, server: Server, hers: str) -> None:
    with tab_of(browser, server, "") as tab:
        for path in ("", f"?s={hers}", "questions", "boards", "data", "knowledge", "settings"):
            tab.page.goto(f"{server.address}/{path}")
            tab.page.get_by_role("button", name="Sign in").wait_for()
            assert "total by region" not in tab.page.locator("body").inner_text()
            assert not tab.page.get_by_test_id("stChatInputTextArea").count()


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_a_link_shows_the_answers_and_nothing_to_press_until_it_is_taken_back(
    browser: Browser, server: Server, hers: str
) -> None:
    with tab_of(browser, server, "ana") as tab:
        tab.page.goto(f"{server.address}/questions")
        tab.see("total by region")
        tab.settle()
        menu = tab.page.locator(f'[class*="st-key-actions-{hers}"] button')
        menu.click()
        tab.page.get_by_text("Share", exact=True).click()
        tab.page.get_by_role("button", name="Make a link").click()
        link = tab.page.get_by_test_id("stCode").inner_text().strip()
        assert link.startswith(f"{server.address}/shared/")
        with tab_of(browser, server, "") as other:
            answer = other.page.goto(link)
            assert answer is not None
            assert answer.status == 200
            other.page.get_by_text("total by region").first.wait_for()
            other.page.get_by_text("North").first.wait_for()
            assert other.page.locator("button, input, textarea, form, script, iframe").count() == 0
            assert {str(one.get("name")) for one in other.page.context.cookies()} <= {"_streamlit_xsrf"}
        tab.page.get_by_role("button", name="Take all links back").click()
        tab.page.get_by_text("It is not shared").wait_for()
    for gone in (link, f"{server.address}/shared/{hers}", f"{server.address}/shared/x"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(gone, timeout=20)
        assert refused.value.code == 404
        refused.value.close()


def test_a_person_is_who_the_issuer_says_and_not_an_address_of_mail() -> None:
    told = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "email": "a@b.example", "name": "Ana"}
    assert read_person(told) == Person("https://id.example#7", "Ana")
    for missing in ("is_logged_in", "iss", "sub"):
        assert read_person({**told, missing: ""}) is None
        assert read_person({name: value for name, value in told.items() if name != missing}) is None
    assert read_person({**told, "is_logged_in": "true"}) is None


def test_people_sign_in_only_where_the_secrets_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets_singleton, "load_if_toml_exists", lambda: False)
    assert find_sign_in() is None
    monkeypatch.setattr(secrets_singleton, "load_if_toml_exists", lambda: True)
    monkeypatch.setattr(type(secrets_singleton), "__contains__", lambda _, name: name == "auth")
    monkeypatch.setattr(auth_util, "is_authlib_installed", lambda: True)
    assert isinstance(find_sign_in(), OpenIdConnect)
    monkeypatch.setattr(auth_util, "is_authlib_installed", lambda: False)
    with pytest.raises(ConfigError, match="people"):
        find_sign_in()


def test_a_websocket_is_whose_streamlit_signed_the_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starlette_websocket, "get_cookie_secret", lambda: "the server's own")
    origin = "https://data.example.org"
    told = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "name": "Ana", "origin": origin}

    def who(*, secret: str = "the server's own", spoilt: bool = False, where: str | None = origin) -> Person | None:
        cookie = starlette_app_utils.create_signed_value(secret, USER_COOKIE_NAME, json.dumps(told))
        text = cookie.decode() if isinstance(cookie, bytes) else cookie
        headers = [(b"cookie", f"{USER_COOKIE_NAME}={'x' if spoilt else ''}{text}".encode())]
        headers += [(b"origin", where.encode())] if where else []
        scope = {"type": "websocket", "headers": headers, "path": "/", "query_string": b""}
        return OpenIdConnect().on_socket(WebSocket(scope, receive=_never, send=_never))

    assert who() == Person("https://id.example#7", "Ana")
    assert who(secret="another's") is None
    assert who(spoilt=True) is None
    assert who(where="https://evil.example") is None
    assert who(where=None) is None


async def _never(*_: object) -> dict[str, object]:
    raise AssertionError("nothing is received or sent")
