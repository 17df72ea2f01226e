"""Long files in a browser: rows read so far are shown, the question waits in plain sight, and reading can be stopped.

Reading is held after its first rows (`held_reading`), so that they are seen however fast the machine is.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import browsing
import long_files
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser

from assistant.core.events import SourceAdded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

ROWS = 100_000
SO_FAR = re.compile(r"visits\\?\.csv.* · [\d,]+ of 100,00[01] rows")


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_files.visits(tmp_path_factory.mktemp("visits"), rows=ROWS)


def sees_rows(tab: Tab) -> None:
    tab.page.get_by_test_id("stMain").get_by_text(SO_FAR).first.wait_for()


def held(folder: Path, *program: str, **environment: str) -> Server:
    held_reading = str(browsing.HERE / "held_reading.py")
    return Server((held_reading, *program), folder, environment={"TANDEM_HELD": str(folder), **environment})


@pytest.fixture
def scripted(browser: Browser, tmp_path: Path) -> Iterator[Tab]:
    with held(tmp_path, "scripted", "{port}", "{folder}") as server, browsing.tab(browser, server) as tab:
        tab.page.set_default_timeout(90_000)
        yield tab


def real(folder: Path, **environment: str) -> Server:
    home = {"TANDEM_HOME": str(folder / "home"), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    return held(folder, "ui.serve", "--port", "{port}", **home, **environment)


def test_the_question_waits_visibly_and_reading_is_stopped(scripted: Tab, visits: Path) -> None:
    tab = scripted
    tab.open()
    tab.attach(visits)
    tab.say("How many visits?")
    tab.see("Your question waits for it")
    tab.page.locator('[class*="st-key-bubble-"]').get_by_text("How many visits?").wait_for()
    sees_rows(tab)
    tab.press("Stop")
    tab.see("was stopped. Nothing was added.")
    tab.see("Your question is kept:")
    assert "question" not in tab.events


def test_a_first_question_on_long_data_waits_for_its_rows_and_is_kept_when_they_are_stopped(
    browser: Browser, tmp_path: Path, visits: Path
) -> None:
    with real(tmp_path, TANDEM_SOURCES=str(visits)) as server, browsing.tab(browser, server) as tab:
        tab.page.set_default_timeout(90_000)
        tab.open()
        sees_rows(tab)  # it is read as soon as the server runs
        tab.press("Stop")
        tab.see("Reading it was stopped")
        tab.say("How many visits are there?")
        tab.page.locator('[class*="st-key-bubble-"]').get_by_text("How many visits are there?").wait_for()
        sees_rows(tab)
        tab.press("Stop")
        tab.see("Your question is kept:")
        (tmp_path / "go-on").touch()
        tab.press("Ask")
        tab.page.wait_for_url("**s=*")
        tab.until("question")


def test_connecting_a_long_file_tells_its_rows_and_when_stopped_connects_nothing(
    browser: Browser, tmp_path: Path, visits: Path
) -> None:
    with real(tmp_path) as server, browsing.tab(browser, server) as tab:
        page = tab.page
        page.set_default_timeout(90_000)
        page.goto(f"{server.address}/data")
        page.get_by_role("tab", name="Address or path").click()
        page.get_by_label("Addresses or paths").fill(str(visits))
        page.get_by_text("Keep it for every new question").click()
        page.locator('[data-testid="stFormSubmitButton"] button').click()
        sees_rows(tab)
        tab.press("Stop")
        tab.see("Nothing was connected")
        assert not page.locator(".st-key-source-visits").count()
        assert page.locator('[class*="st-key-source-"]').count(), "the sources of before are listed"
        assert not list((tmp_path / "home" / "loaded").glob("visits*"))


def test_a_long_file_that_changed_is_read_anew_in_sight_and_when_stopped_the_question_is_kept(
    browser: Browser, tmp_path: Path, visits: Path
) -> None:
    file, go_on = Path(shutil.copy(visits, tmp_path)), tmp_path / "go-on"
    go_on.touch()
    with real(tmp_path, TANDEM_SOURCES=str(file)) as server, browsing.tab(browser, server) as tab:
        tab.page.set_default_timeout(90_000)
        tab.ask("How many visits are there?")
        tab.go_on(1)
        go_on.unlink()
        with file.open("a") as out:
            out.write("100000,2026-01-31,City 1,1.25\n")
        tab.say("What is the total amount?")
        tab.see("Your question waits for it")
        sees_rows(tab)
        tab.press("Stop")
        tab.see("Your question is kept:")
        assert tab.events.count("question") == 1
        go_on.touch()
        tab.press("Ask")
        tab.until("question", 2)
        added = [event for event in tab.server.log(tab.session) if isinstance(event, SourceAdded)]
        assert any("was read anew" in note for note in added[-1].notes)
