"""axe-core finds no violation on any screen and in any main state of the page, in light and in dark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

import browsing
import matrix
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Server
from playwright.sync_api import Browser, Error

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

REACH_MS = 60_000
MAIN = [screen for screen in matrix.screens() if screen.main]
OPTIONS = {"resultTypes": ["violations"]}
NOT_OURS = {
    "presentation-role-conflict": "stFileUploaderDropzone",
    "region": "data-floating-ui-portal",
}
"""Elements of Streamlit's own, by the rule they break: best practices of axe, not of WCAG, which the page cannot reach."""
_LIGHTNESS = """getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor
    .match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765"""
IS_PAINTED: dict[Literal["light", "dark"], str] = {"light": f"{_LIGHTNESS} > 0.5", "dark": f"{_LIGHTNESS} < 0.5"}
"""Whether the page has the colours of a theme: it follows the system's without being reached again."""
ROOMS = list(dict.fromkeys(screen.rooms for screen in MAIN))


@pytest.fixture(scope="module", params=ROOMS)
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, Server]]:
    with matrix.served(request.param) as running:
        yield request.param, running


def test_axe_finds_nothing(browser: Browser, server: tuple[str, Server]) -> None:
    rooms, running = server
    axe, found = Axe(), dict[str, list[str]]()
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    with browsing.tab(browser, running, context) as tab:
        tab.page.set_default_timeout(REACH_MS)
        for screen in (one for one in MAIN if one.rooms == rooms):
            try:
                matrix.reach(tab, screen)
                for theme, is_painted in IS_PAINTED.items():
                    tab.page.emulate_media(color_scheme=theme)
                    tab.page.wait_for_function(is_painted)
                    tab.settle()
                    tab.page.wait_for_function(matrix.STILL)
                    told = _told(axe.run(tab.page, options=OPTIONS).response["violations"])
                    if told:
                        found[f"{screen.name}, {theme}"] = told
            except Error as error:
                found[screen.name] = [f"not reached: {error}"]
            tab.page.emulate_media(color_scheme="light")
    context.close()
    assert not found, json.dumps(found, indent=1)


def _told(violations: list[dict[str, Any]]) -> list[str]:
    """The violations that are the page's own, each with the first elements that have it."""
    told: list[str] = []
    for one in violations:
        nodes = [node["html"][:300] for node in one["nodes"] if NOT_OURS.get(one["id"], "\0") not in node["html"]]
        if nodes:
            told.append(f"{one['id']}: {one['help']}: {json.dumps(nodes[:3])}")
    return told


def test_axe_would_find_a_button_without_a_name(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><h1>x</h1><button></button></main></html>")
    assert [one["id"] for one in Axe().run(page).response["violations"]] == ["button-name"]
    page.close()
