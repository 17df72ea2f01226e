"""A package that a cell lacks, in a real browser: its card, the name typed out, the cell that then runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser
from wheels import birds, printed

from assistant.core.events import Execution, PackageAdded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")


@pytest.fixture
def tab(browser: Browser, tmp_path: Path) -> Iterator[Tab]:
    wheels = tmp_path / "index"
    wheels.mkdir()
    birds(wheels)
    only = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    with Server(PROGRAM, tmp_path, environment=only) as server, browsing.tab(browser, server) as opened:
        yield opened


def test_a_package_is_looked_up_added_by_its_name_and_refused(tab: Tab) -> None:
    tab.ask("bird")
    tab.see("The code imports zebrafinch in line 1, which the cage lacks.")
    tab.press("Look it up")
    tab.see("Published by Ada")
    tab.page.get_by_text("Files and hashes").click()
    tab.see("brownowl-0.1-py3-none-any.whl")
    tab.press("Add it")
    tab.page.get_by_test_id("stToast").get_by_text("type its name out").wait_for()
    assert "package_added" not in tab.events
    tab.page.get_by_label("Type zebrafinch to add it").fill("zebrafinch")
    tab.press("Add it")
    tab.run("Run this Python?")
    tab.until("answer")
    events = tab.server.log(tab.session)
    assert [event.version for event in events if isinstance(event, PackageAdded)] == ["1.2"]
    assert printed(next(event for event in events if isinstance(event, Execution))) == "sings hoo\n"
    tab.page.get_by_text("How this was computed").click()
    tab.see("You added the package zebrafinch 1.2")


def test_a_package_can_be_done_without(tab: Tab) -> None:
    tab.ask("bird")
    tab.see("The code imports zebrafinch")
    tab.press("Skip this package")
    tab.see("You did without the package zebrafinch")
    assert "package_added" not in tab.events
