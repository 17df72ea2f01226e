"""A refresh after every kind of event shows what was shown before it, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, wait
from playwright.sync_api import Browser
from recorded import ALL

from assistant.core.events import MESSAGES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

LAST = {event.kind: n for n, event in enumerate(ALL, 1) if n > 2}
"""How much of the recorded log ends with the last event of each kind."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server((str(browsing.HERE / "recorded.py"), "{port}"), tmp_path_factory.mktemp("replayed")) as running:
        yield running


def test_every_message_of_the_conversation_is_recorded() -> None:
    assert {message.model_fields["kind"].default for message in MESSAGES} <= set(LAST)


@pytest.mark.parametrize("kind", sorted(LAST))
def test_a_refresh_shows_what_was_there(browser: Browser, server: Server, kind: str) -> None:
    with browsing.tab(browser, server) as tab:
        tab.open(f"/?s=at-{LAST[kind]}")
        tab.page.locator('[class*="st-key-bubble-"]').last.wait_for()
        before = _settled(tab)
        assert before
        tab.page.reload()
        tab.page.locator('[class*="st-key-bubble-"]').last.wait_for()
        wait(lambda: _settled(tab) == before)


@pytest.mark.parametrize("place", ["", "?s=at-10", "questions", "data", "knowledge", "settings"])
def test_a_session_is_one_click_away_from_every_screen(browser: Browser, server: Server, place: str) -> None:
    with browsing.tab(browser, server) as tab:
        tab.page.goto(f"{server.address}/{place}")
        tab.page.get_by_test_id("stSidebar").get_by_role("link", name="Return rate by category", exact=False).click()
        tab.page.wait_for_url("**/?s=at-11-working")
        tab.page.locator('[class*="st-key-bubble-"]').first.wait_for()


def test_the_address_follows_what_is_shown_there_and_back(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        tab.open("/?s=at-11-working")
        tab.page.get_by_test_id("stSidebar").get_by_role("link", name="New question").click()
        tab.see("What do you want to know?")
        tab.page.wait_for_url(f"{server.address}/")
        tab.page.go_back()
        tab.page.wait_for_url("**/?s=at-11-working")
        tab.page.locator('[class*="st-key-bubble-"]').first.wait_for()


CUT_PX = """scroller => {
  const fold = scroller.getBoundingClientRect().bottom;
  const parts = [...scroller.querySelectorAll(".cm-line")].map(line => {
    const range = document.createRange();
    range.selectNodeContents(line);
    return [...range.getClientRects()];
  }).flat();
  return Math.max(0, ...parts.filter(r => r.top < fold && r.bottom > fold).map(r => Math.min(fold - r.top, r.bottom - fold)));
}"""
"""How much of a line of code stands on the wrong side of the fold."""


def test_code_below_the_fold_is_announced_and_shown_by_one_click(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 640})
    try:
        with browsing.tab(browser, server, context) as tab:
            tab.open("/?s=at-10")
            lines = tab.page.locator(".cm-scroller").first
            tab.page.get_by_role("button", name="Show all 13 lines").wait_for()
            assert lines.evaluate(CUT_PX) < 2, "the fold goes through a line"
            tab.page.get_by_role("button", name="Show all 13 lines").click()
            assert lines.evaluate("e => e.scrollHeight <= e.clientHeight + 4")
    finally:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_code_is_coloured_and_readable_in_both_themes(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 900})
    try:
        with browsing.tab(browser, server, context) as tab:
            tab.open("/?s=at-10")
            tab.page.locator(".cm-content").first.wait_for()
            ratios = tab.page.evaluate(CONTRAST)
            assert len({colour for colour, _ in ratios}) >= 4  # keywords, names, what stands in quotes, line numbers
            assert min(ratio for _, ratio in ratios) >= 4.5
    finally:
        context.close()


CONTRAST = """() => {
  const host = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.cm-editor'));
  const root = host ? host.shadowRoot : document;
  const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => {
    const [r, g, b] = rgb(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(root.querySelector('.cm-editor')).backgroundColor);
  return [...root.querySelectorAll('.cm-line span, .cm-line, .cm-gutterElement')].map(e => {
    const colour = getComputedStyle(e).color, text = light(colour);
    return [colour, (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05)];
  });
}"""


def _settled(tab: browsing.Tab) -> str:
    """What the main part says, once it has stopped changing."""
    said = ""

    def same() -> bool:
        nonlocal said
        before, said = said, tab.page.get_by_test_id("stMain").inner_text()
        tab.page.wait_for_timeout(250)
        return said == before

    wait(same)
    return said
