"""A password is planted in a source's URL: no screen gets it, nor the log, the home folder or the list of processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browsing
import psycopg
import pytest
from browsing import Server, Tab
from planted import FORMS, FULLY, Watched, kept_nowhere
from playwright.sync_api import Browser, Locator, WebSocket
from postgres import PASSWORD, QUOTED, NoPostgres, served

from assistant.record.store.database import Database

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def at() -> Iterator[str]:
    """host:port/database of a server of our own with a table."""
    try:
        with served() as place:
            with psycopg.connect(f"postgresql://owner:{QUOTED}@{place}", autocommit=True) as con:
                con.execute("CREATE TABLE shop (id int PRIMARY KEY, city text, amount int)")
                con.execute("INSERT INTO shop SELECT i, 'City ' || i % 4, i FROM generate_series(1, 40) i")
            yield place
    except NoPostgres as missing:
        pytest.skip(str(missing))


class Heard:
    """All that the server sent to a tab: frames of its sockets and bodies of its answers."""

    def __init__(self, tab: Tab) -> None:
        self.frames: list[bytes] = []
        tab.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda said: self.frames.append(said.encode() if isinstance(said, str) else said))

    def holds(self, text: str) -> bool:
        """Whether a text came, as it is or with the marks that keep Markdown from reading it."""
        return any(text.encode() in frame.replace(b"\\", b"") for frame in self.frames)


def connect(tab: Tab, address: str, *, keep: bool = False) -> None:
    """Give an address on the data page."""
    part(tab, "Address or path")
    box = tab.page.get_by_role("textbox", name="Addresses or paths")
    tab.page.wait_for_load_state("networkidle")
    tab.page.get_by_text("Looking at the data").wait_for(state="hidden")
    box.fill(address)
    box.press("Tab")
    tab.page.wait_for_timeout(1000)  # the field may be drawn anew while the page still loads
    if box.input_value() != address:
        box.fill(address)
        box.press("Tab")
        tab.page.wait_for_timeout(1000)
    if keep:
        tab.page.get_by_text("Keep it for every new question").click()
    tab.page.get_by_role("tabpanel").get_by_role("button", name="Connect").click()


def part(tab: Tab, name: str) -> None:
    """Open one of the ways to connect."""
    tab.page.goto(f"{tab.server.address}/data")
    tab.page.get_by_text("Connect data").wait_for()
    there = tab.page.get_by_role("tab", name=name)
    if not there.is_visible():
        tab.page.get_by_text("Connect data").click()
    there.click()


def fill_in(tab: Tab, at: str, password: str) -> None:
    """Fill the form of a database, password included."""
    place, _, database = at.partition("/")
    host, _, port = place.partition(":")
    part(tab, "Database")
    panel = tab.page.get_by_role("tabpanel")
    for label, text in (("Host", host), ("Port", port), ("Database", database), ("User", "owner")):
        leave(tab, panel.get_by_label(label, exact=True).first, text)
    leave(tab, panel.locator('input[type="password"]'), password)


def leave(tab: Tab, box: Locator, text: str) -> None:
    """Fill a field and go on to the next, which sends it."""
    box.fill(text)
    box.press("Enter")
    tab.page.wait_for_timeout(1000)


def test_no_screen_of_the_page_gets_the_password(browser: Browser, at: str, tmp_path: Path) -> None:
    url = f"postgresql://owner:{QUOTED}@{at}"
    home = tmp_path / "home"
    environment = {"TANDEM_HOME": str(home), "TANDEM_EMBEDDINGS": "hashing", "TANDEM_SOURCES": url}
    server = Server(("-m", "ui.serve", "--port", "{port}"), tmp_path, environment=environment)
    with Watched() as watched:
        server.start()
        try:
            with browsing.tab(browser, server) as tab:
                heard = Heard(tab)
                drive(tab, at)
        finally:
            server.stop()
    assert heard.holds(at.partition("/")[0]), "the source was named"
    for form in FORMS:
        assert not heard.holds(form), form
        assert form not in server.said()
        assert not any(form in said for one in watched.seen.values() for said in one)
    assert any(path.name == "tandem.sqlite" for path in kept_nowhere(home))


@contextmanager
def told(why: str) -> Iterator[None]:
    """Say what was being tried where it fails."""
    try:
        yield
    except Exception as error:
        error.add_note(f"with {why}")
        raise


def drive(tab: Tab, at: str) -> None:
    """Use every screen, with what works and with what fails."""
    url = f"postgresql://owner:{QUOTED}@{at}"
    tab.ask("How many shops are there?")
    tab.go_on(1)
    tab.see("40")
    failing = {
        "a wrong password": url.replace(QUOTED, f"{QUOTED}x"),
        "no such host": url.replace("127.0.0.1", "nosuch.invalid").replace(QUOTED, FULLY),
        "no such database": f"{url}_gone",
        "no such dialect": url.replace("postgresql", "posgresql"),
    }
    for why, address in failing.items():
        connect(tab, address)
        with told(why):
            tab.see("That could not be connected")
    for address, words in (
        (url, "never kept in a file"),
        (f"{url.replace(f':{QUOTED}', '')}?password={QUOTED}", "is not allowed here"),
    ):
        connect(tab, address, keep=True)
        tab.see(words)
    for password, words in ((f"{PASSWORD}x", "It could not be opened"), (PASSWORD, "Connected as")):
        fill_in(tab, at, password)
        tab.press("Test")
        with told(words):
            tab.see(words)
    tab.page.get_by_role("button", name="Connect", exact=True).first.click()
    tab.page.wait_for_timeout(5000)  # whether there is a keyring is the machine's matter
    connect(tab, f"again={url.replace(QUOTED, FULLY)}?sslmode=prefer")
    tab.say("What is the total amount by city?")
    tab.go_on(1)
    tab.see("City 3")
    with psycopg.connect(url, autocommit=True) as con:
        con.execute("ALTER TABLE shop RENAME TO store")
    tab.say("How many shops are there?")
    tab.go_on(2)
    with psycopg.connect(url, autocommit=True) as con:
        con.execute("ALTER TABLE store RENAME TO shop")
    for path, words in (
        ("/questions", "How many shops"),
        ("/data", "again"),
        ("/knowledge", "Knowledge"),
        ("/settings", "What works here"),
    ):
        tab.page.goto(f"{tab.server.address}{path}")
        tab.see(words)
    tab.press("Check again")
    tab.page.wait_for_timeout(3000)
    tab.page.goto(f"{tab.server.address}/?s={last_session(tab)}")
    tab.see("City 3")


def last_session(tab: Tab) -> str:
    """The session that was used last."""
    database = Database.open_file(tab.server.folder / "home" / "tandem.sqlite")
    try:
        return database.list_sessions()[0].id
    finally:
        database.close()
