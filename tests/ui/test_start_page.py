"""The first screen in a browser: what the data is, six questions that can be asked, and the run that is explained."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, wait
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("start")
    environment = {"TANDEM_HOME": str(folder / "home"), "TANDEM_AS_OF": "2026-03-14"}
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


def test_the_first_run_is_explained_from_the_question_to_the_answer(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.page.set_default_timeout(60_000)
        tab.open()
        tab.see("10 tables")
        wait(lambda: tab.page.locator('[class*="st-key-starter-"] button').count() == 6, for_s=60)
        tab.settle()
        tab.press("Show me")
        step = tab.page.locator(".st-key-tour-step")
        go = tab.page.locator('[class*="st-key-go-"] button')
        seen: list[str] = []
        while tab.events.count("answer") < 1:
            wait(lambda: go.count() == 1 or tab.events.count("answer"), for_s=60)
            tab.settle()
            if go.count() == 1:  # not the one just pressed, which stands until the page is drawn anew
                step.get_by_text(" of 3.").wait_for()
                seen.append(step.inner_text()[:6])
                asked = tab.events.count("decision")
                go.click()
                wait(lambda before=asked: tab.events.count("decision") > before, for_s=60)
        step.get_by_text("3 of 3.").wait_for()
        assert seen
        tab.settle()
        tab.press("Got it")
        wait(lambda: step.count() == 0, for_s=20)
        tab.open()
        assert tab.page.get_by_text("New here?").count() == 0
