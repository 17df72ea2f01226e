"""Settings and knowledge in a browser: what runs unasked is kept by source, what a model may see is shown, uses are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("settings")
    environment = {"TANDEM_HOME": str(folder / "home"), "TANDEM_AS_OF": "2026-03-14"}
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        opened.page.set_default_timeout(60_000)
        yield opened


def test_what_runs_without_asking_is_kept_by_source(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/settings")
    tab.see("What runs without asking")
    box = tab.page.locator(".st-key-asking").get_by_role("combobox").first
    box.click()
    box.fill("read-only")
    tab.page.get_by_role("option").first.click()
    kept = tab.server.folder / "home" / "policies.json"
    wait(kept.exists, for_s=20)
    assert list(json.loads(kept.read_text()).values()) == ["queries"]


def test_what_a_model_may_see_is_shown_at_each_level_without_personal_values(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/settings")
    tab.see("None: Tandem's built-in analyst answers")
    tab.page.get_by_text("Show what it is sent of this data").click()
    tab.see("words about your data")
    text = tab.page.get_by_test_id("stCode").inner_text()
    assert "customers" in text
    assert "@" not in text, "no address of a person"


def test_numbers_and_dates_are_written_in_the_language_that_was_chosen(tab: Tab) -> None:
    tab.ask("number of orders in 2025")
    go_on_to_the_answer(tab)
    address = tab.page.url

    def choose(words: str) -> None:
        tab.page.goto(f"{tab.server.address}/settings")
        tab.see("What works here")
        box = tab.page.locator(".st-key-appearance").get_by_role("combobox")
        tab.settle()
        box.click()
        box.fill(words)
        tab.page.get_by_role("option", name=words).first.click()

    figure = tab.page.locator('[class*="st-key-figure-"]')
    figure.get_by_text(re.compile(r"\d,\d{3}")).wait_for()
    choose("Deutsch (Deutschland)")
    kept = tab.server.folder / "home" / "appearance.json"
    wait(lambda: kept.exists() and "de-DE" in kept.read_text())
    tab.page.goto(address)
    figure.get_by_text(re.compile(r"\d\.\d{3}")).wait_for()
    choose("browser")
    wait(lambda: "de-DE" not in kept.read_text())
    tab.page.goto(address)
    figure.get_by_text(re.compile(r"\d,\d{3}")).wait_for()


def go_on_to_the_answer(tab: Tab) -> None:
    """Say yes to each request until the turn has ended."""
    go = tab.page.locator('[class*="st-key-go-"] button')
    while not tab.events.count("answer"):
        wait(lambda: go.count() == 1 or tab.events.count("answer"))
        if go.count() == 1:
            tab.settle()
            before = tab.events.count("decision")
            go.click()
            wait(lambda known=before: tab.events.count("decision") > known)


def test_an_entry_of_the_knowledge_names_the_answers_that_rest_on_it(tab: Tab) -> None:
    tab.ask("net revenue by region in 2025")
    go_on_to_the_answer(tab)
    tab.page.goto(f"{tab.server.address}/knowledge")
    tab.page.get_by_test_id("stMain").get_by_text("net revenue", exact=True).first.click()
    tab.see("Answers that use it")
    tab.see("net revenue by region in 2025")
