"""The chips in a browser: all is done with the keyboard, on a narrow page too, and what is changed runs."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Server, Tab, wait
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = ("-m", "ui.serve", "--port", "{port}")
FOCUSED = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("chips")
    with Server(PROGRAM, folder, environment={"TANDEM_HOME": str(folder / "home")}) as running:
        yield running


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_chips_are_changed_with_the_keyboard_alone(browser: Browser, server: Server, width: int, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    with browsing.tab(browser, server, context) as tab:
        tab.ask("net revenue by region in 2025")
        tab.run("Run this query?")
        tab.until("answer")
        chip = tab.page.locator('[class*="st-key-chip-"] button')
        chip.first.wait_for()
        tab.settle()
        chip.first.focus()
        tab.page.keyboard.press("ArrowRight")
        _focuses(tab, "Group by")
        tab.page.keyboard.press("Enter")
        _focuses(tab, "Search: Group by")
        tab.page.keyboard.type("category")
        tab.page.keyboard.press("Enter")  # at once: the first of what was typed, not of what was listed before
        tab.see("was region")
        _focuses(tab, "Group by")
        axe = Axe().run(tab.page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [one["id"] for one in axe if one["id"] != "region"] == []
        overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert tab.page.evaluate(overflow) == 0
        tab.page.locator('[class*="st-key-run-chips-1-"] button').focus()
        tab.page.keyboard.press("Enter")
        tab.until("answer", 2)
    context.close()


def test_backspace_drops_what_is_in_a_chip(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.ask("net revenue by region in 2025")
        tab.see("Run this query?")
        period = tab.page.locator('[class*="st-key-chip-"][class*="-period"] button')
        period.wait_for()
        tab.settle()
        period.focus()
        tab.page.keyboard.press("Backspace")
        tab.page.locator('[class*="st-key-chip-empty-1-period"]').wait_for()
        _focuses(tab, "Period")
        tab.page.get_by_text("Run this query?").wait_for(
            state="detached"
        )  # the changed query is the one that is decided


def _focuses(tab: Tab, text: str) -> None:
    """Wait until the focus is on what is called so."""
    wait(lambda: text in str(tab.page.evaluate(FOCUSED)))
