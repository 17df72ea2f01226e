"""States that the recorded session does not reach by itself, in a browser: each says what can be done next."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import matrix
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with matrix.served("full") as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        yield opened


def test_what_runs_for_hours_is_told_in_hours(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/?s=asked-working")
    tab.page.get_by_role("timer").get_by_text("2 h 4 min").wait_for()


def test_a_conversation_that_is_not_here_leads_on(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/?s=nothing")
    tab.see("This conversation is not here")
    tab.page.get_by_test_id("stMain").get_by_text("All questions").click()
    tab.page.wait_for_url("**/questions")


def test_a_board_shows_figures_as_answers_do(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/boards")
    tab.see("Net revenue by region last quarter")
    tab.page.locator(".stVegaLiteChart canvas, .stVegaLiteChart svg").first.wait_for()
    tab.page.get_by_text("Quarterly review", exact=True).click()
    tab.see("Nothing on this board")


def test_without_any_data_the_page_says_how_to_connect_some(browser: Browser) -> None:
    with matrix.served("empty") as server, browsing.tab(browser, server) as tab:
        tab.open()
        tab.see("No data is connected yet")
        tab.page.get_by_test_id("stMain").get_by_text("Connect data").click()
        tab.page.wait_for_url("**/data")
