"""Chromium and real servers for the browser tests."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

from assistant.core.events import AnyEvent
from assistant.record.store.database import Database

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_S = float(os.environ.get("TANDEM_TEST_PATIENCE_S", "120"))
TOKEN = "the-token-of-the-browser-tests"
T = TypeVar("T")


def wait(look: Callable[[], T], *, for_s: float = PATIENCE_S) -> T:
    """Look until there is something to see."""
    ends = time.monotonic() + for_s
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > ends:
            raise TimeoutError(f"nothing to see after {for_s} s")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """A server in a process of its own, on data of its own."""

    program: tuple[str, ...]
    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    environment: dict[str, str] = field(default_factory=dict)
    was_killed: bool = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        command = [sys.executable, *(part.format(port=self.port, folder=self.folder) for part in self.program)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TANDEM_TOKEN": TOKEN, **self.environment}
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=ROOT)
        wait(self._answers)

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.was_killed = True

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def log(self, session: str) -> tuple[AnyEvent, ...]:
        """The session's events, as they are on disk."""
        database = Database.open_file(self.folder / "home" / "tandem.sqlite")
        try:
            return tuple(entry.event for entry in database.read(session).entries)
        finally:
            database.close()

    def kinds(self, session: str) -> list[str]:
        return [event.kind for event in self.log(session)]

    def said(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.said()
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; without one on this machine the test is skipped."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Tab:
    """A page of the server, as a person uses it."""

    page: Page
    server: Server

    @property
    def session(self) -> str:
        self.page.wait_for_url("**s=*", timeout=PATIENCE_S * 1000)
        return self.page.url.split("s=")[1].split("&")[0]

    @property
    def events(self) -> list[str]:
        return self.server.kinds(self.session)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.server.address + path)
        self.page.get_by_test_id("stChatInputTextArea").wait_for()

    def say(self, text: str) -> None:
        box = self.page.locator('[data-testid="stChatInputTextArea"]:not([disabled])')
        box.wait_for()
        box.fill(text)
        box.press("Enter")

    def attach(self, file: Path) -> None:
        """Add a file to what is being said, and wait until the server has it."""
        with self.page.expect_response(lambda response: "upload_file" in response.url):
            self.page.locator('input[type="file"]').set_input_files(file)
        self.page.get_by_text(file.name).first.wait_for()

    def ask(self, text: str) -> None:
        self.open()
        self.say(text)

    def see(self, what: str) -> None:
        """Wait until a text is in view of the main part."""
        self.page.get_by_test_id("stMain").get_by_text(what).first.wait_for()

    def settle(self) -> None:
        """Wait until the page has not been drawn for a second: drawing it closes open lists and dialogs."""
        idle = self.page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')

        def is_idle() -> bool:
            for _ in range(10):
                if not idle.count():
                    return False
                self.page.wait_for_timeout(100)
            return True

        wait(is_idle)

    def download(self, button: Locator) -> bytes:
        """The file that a button gives. Drawing the page would lose the click, and close what the button is in."""
        self.settle()
        with self.page.expect_download() as download:
            button.click()
        return Path(download.value.path()).read_bytes()

    def press(self, name: str) -> None:
        self.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=False).first.click()

    def start(self) -> None:
        self.see("Is this the right plan?")
        self.page.get_by_role("button", name="Start", exact=False).click()

    def run(self, asked: str) -> None:
        self.see(asked)
        self.page.locator('[class*="st-key-go-"] button').click()

    def until(self, kind: str, times: int = 1) -> None:
        wait(lambda: self.events.count(kind) >= times)

    def go_on(self, answers: int) -> None:
        """Say yes to everything until the turn has ended."""
        go = self.page.locator('[class*="st-key-go-"] button')
        pressed: set[str] = set()
        while self.events.count("answer") < answers:
            wait(lambda: self.events.count("answer") >= answers or self.events[-1] == "decision_requested")
            if self.events.count("answer") >= answers:
                return
            request = self.server.log(self.session)[-1]
            self.page.wait_for_timeout(200)
            if request.model_dump_json() not in pressed and go.count() == 1:
                go.click()
                pressed.add(request.model_dump_json())


_GONE = re.compile(r"fetch|network|connection|load(?:ing)? (?:chunk|module)", re.IGNORECASE)
"""What a page says of a server that is gone for a moment: no fault of its own where a test has killed it."""


@contextmanager
def tab(browser: Browser, server: Server, context: BrowserContext | None = None) -> Iterator[Tab]:
    """A tab that fails the test if it asked anything of another machine, or the page raised an error."""
    made = context or browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = made.new_page()
    # The browser exchanges the token for its cookie, and keeps that.
    assert page.request.get(f"{server.address}/_stcore/health?token={TOKEN}").status == 200
    page.set_default_timeout(PATIENCE_S * 1000)
    outside: list[str] = []
    faults: list[str] = []
    ours = (server.address, server.address.replace("http", "ws", 1), "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(ours) else outside.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        yield Tab(page, server)
        assert not outside, outside
        unexplained = [fault for fault in faults if not (server.was_killed and _GONE.search(fault))]
        assert not unexplained, unexplained
    finally:
        page.close()
        if context is None:
            made.close()
