"""States that the recorded session does not reach by itself, in a browser: each says what can be done next."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import matrix
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser, FloatRect

TEXT_PX_MIN = 11

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


CONTRAST = """node => {
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const light = colour => {
    pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map(
      part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = getComputedStyle(node), page = getComputedStyle(document.querySelector(".stApp"));
  const colour = node.tagName === "text" ? seen.fill : seen.outlineStyle === "none" ? page.backgroundColor : seen.outlineColor;
  const [low, high] = [light(colour), light(page.backgroundColor)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""
"""How far a text of a picture, or the outline of a control, stands out from the page (WCAG 2.2)."""
TEXT_MIN, CONTROL_MIN = 4.5, 3.0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_beside_bars_and_what_can_be_chosen_stand_out(browser: Browser, server: Server, theme: str) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 1000}, color_scheme=theme)  # type: ignore[arg-type]
    with browsing.tab(browser, server, context) as tab:
        tab.page.goto(f"{tab.server.address}/boards")
        figures = tab.page.locator('.stVegaLiteChart .mark-text text[fill="gray"]')
        figures.first.wait_for()
        assert figures.first.evaluate(CONTRAST) >= TEXT_MIN
        matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "disclosure"))
        circle = tab.page.locator('[data-testid="stRadioOption"]:not([data-selected]) > div > div').first
        assert circle.evaluate(CONTRAST) >= CONTROL_MIN
        matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "data-address"))
        box = tab.page.locator('[data-testid="stCheckbox"] label > span + div').first
        assert box.evaluate(CONTRAST) >= CONTROL_MIN
    context.close()


def test_the_list_of_tags_leaves_save_to_be_pressed(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "dialog-tags"))
    tab.page.get_by_role("dialog").get_by_role("combobox").click()
    tab.page.keyboard.type("quarter")
    tab.page.get_by_role("listbox").wait_for()
    tab.page.locator('[class*="st-key-tags-save-"] button').click(trial=True)


def test_the_picture_of_where_an_answer_comes_from_can_be_read_on_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    with browsing.tab(browser, server, context) as tab:
        matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "how-computed"))
        text = tab.page.locator('[class*="st-key-lineage-"] svg text').first
        text.wait_for()
        assert text.evaluate("node => node.getBoundingClientRect().height") >= TEXT_PX_MIN
    context.close()


def test_a_short_preview_of_what_a_model_sees_takes_no_more_room_than_its_text(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "settings-preview"))
    box = tab.page.locator(".st-key-seen").get_by_test_id("stCode").bounding_box()
    assert box is not None
    assert box["height"] < 100


def test_the_files_that_can_be_dropped_are_told_in_words(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/data")
    tab.see("each of at most 500 MB")
    assert not tab.page.locator(".st-key-connect").get_by_text("XLSB").is_visible(), "no list of endings, cut"


def test_without_any_data_the_page_says_how_to_connect_some(browser: Browser) -> None:
    with matrix.served("empty") as server, browsing.tab(browser, server) as tab:
        tab.open()
        tab.see("No data is connected yet")
        tab.page.get_by_test_id("stMain").get_by_text("Connect data").click()
        tab.page.wait_for_url("**/data")


def middle(box: FloatRect | None) -> float:
    assert box is not None
    return box["y"] + box["height"] / 2


def test_what_is_said_beside_a_button_stands_at_its_height(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "rejecting"))
    button = tab.page.get_by_role("button", name="Send it back")
    said = tab.page.get_by_text("Your question stays.")
    assert abs(middle(button.bounding_box()) - middle(said.bounding_box())) <= 3


def test_what_can_be_done_with_a_board_stands_on_one_line_of_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    with browsing.tab(browser, server, context) as tab:
        matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "boards"))
        acts = tab.page.locator('[class*="st-key-board-acts"]')
        heights = [
            middle(acts.get_by_text(name, exact=True).locator("visible=true").first.bounding_box())
            for name in ("Refresh", "Download", "Print or PDF")
        ]
        assert max(heights) - min(heights) <= 3
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


FROM_BORDER_PX = """node => {
  let card = node;
  while (parseFloat(getComputedStyle(card).borderLeftWidth) === 0) card = card.parentElement;
  return node.closest("p").getBoundingClientRect().left - card.getBoundingClientRect().left;
}"""


def test_a_source_of_one_conversation_keeps_its_text_off_the_border(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "withheld"))
    tab.page.goto(f"{tab.server.address}/data")
    said = tab.page.get_by_text("in one conversation only")
    said.wait_for()
    assert said.evaluate(FROM_BORDER_PX) >= 8


def test_a_withheld_answer_shows_none_of_its_figures(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "withheld"))
    tab.see("It is not shown any more")
    text = tab.page.get_by_test_id("stMain").inner_text()
    assert "157,925" not in text
    assert tab.page.locator('[data-testid="stDataFrame"]').count() == 0


def test_a_column_is_told_in_words(tab: Tab) -> None:
    matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == "data-columns"))
    text = tab.page.get_by_test_id("stMain").inner_text()
    assert "number · measure" in text
    assert "double" not in text
