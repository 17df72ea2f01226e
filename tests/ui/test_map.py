"""A result with countries is drawn as a map, by a click and in words, and nothing is asked of the network for it."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser

from assistant.core.events import Presented

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PROGRAM = ("-m", "ui.serve", "--port", "{port}")
SALES = {"Germany": 1200, "France": 980, "United Kingdom": 1430, "Spain": 610, "Malta": 42, "Elsewhere": 12}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("map")
    file = folder / "sales.csv"
    file.write_text("country,revenue\n" + "".join(f"{name},{n}\n" for name, n in SALES.items()), encoding="utf-8")
    environment = {"TANDEM_HOME": str(folder / "home"), "TANDEM_EMBEDDINGS": "hashing", "TANDEM_SOURCES": str(file)}
    with Server(PROGRAM, folder, environment=environment) as running:
        yield running


@pytest.fixture(scope="module")
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        opened.ask("total revenue by country")
        opened.run("Run this query?")
        opened.until("answer")
        opened.page.locator('[aria-label^="Chart: Bar"]').first.wait_for()
        yield opened


def test_a_click_draws_a_map_without_the_network(tab: Tab) -> None:
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.page.locator('[class*="st-key-kind-"] button').first.click()
    tab.page.get_by_role("menuitem", name="Map").click()
    shapes = tab.page.locator('[aria-label^="Chart: Map"] path[aria-roledescription="geoshape"]')
    shapes.first.wait_for()
    assert {str(shape.get_attribute("aria-label")) for shape in shapes.all()} == {
        f"{name}: {SALES[name]:,}" for name in ("Germany", "France", "United Kingdom", "Spain")
    }
    fills = {str(shape.get_attribute("fill")) for shape in shapes.all()}
    assert len(fills) == 4, "each in the colour of its figure"
    spots = tab.page.locator('[aria-label^="Chart: Map"] path[aria-roledescription="circle"]')
    assert spots.get_attribute("aria-label") == "Malta: 42"
    tab.see("1 value is not on the map: Elsewhere.")
    assert [url for url in asked if not url.startswith((tab.server.address, "data:", "blob:"))] == []


def test_a_map_goes_away_as_a_picture(tab: Tab) -> None:
    tab.settle()
    tab.page.locator('[data-testid="stVegaLiteChart"]').first.hover()  # what a chart shows then covers no button
    tab.page.locator('[class*="st-key-download-"] button').first.click()
    assert tab.download(tab.page.locator('[class*="st-key-png-"] button').first).startswith(b"\x89PNG")
    tab.page.keyboard.press("Escape")


def test_words_draw_bars_and_the_map_again(tab: Tab) -> None:
    tab.say("as bars")
    tab.page.locator('[aria-label^="Chart: Bar"]').first.wait_for()
    tab.say("show it on a map")
    tab.page.locator('[aria-label^="Chart: Map"]').first.wait_for()
    looks = [event.look.chart for event in tab.server.log(tab.session) if isinstance(event, Presented)]
    assert looks == ["map", "bar", "map"]
