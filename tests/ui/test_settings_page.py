"""Settings and knowledge in a browser: what runs unasked is kept by source, what a model may see is shown, uses are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import browsing
import pytest
from browsing import Server, Tab, wait
from openai_server import say, serving
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
    tab.see("a model receives this (")
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


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose settings are changed."""
    folder = tmp_path_factory.mktemp("changing")
    environment = {
        "TANDEM_HOME": str(folder / "home"),
        "TANDEM_AS_OF": "2026-03-14",
        "TANDEM_MEGABYTES_MAX": "77",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


@contextmanager
def settings_page(browser: Browser, server: Server) -> Iterator[Tab]:
    """A tab on the settings."""
    with browsing.tab(browser, server) as tab:
        tab.page.set_default_timeout(60_000)
        tab.page.goto(f"{server.address}/settings")
        tab.see("What works here")
        tab.settle()
        yield tab


def written(server: Server) -> dict[str, Any]:
    """What the person's file says."""
    file = server.folder / "home" / "tandem.toml"
    return tomllib.loads(file.read_text()) if file.exists() else {}


def choose(tab: Tab, label: str, option: str) -> None:
    tab.settle()
    box = tab.page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    tab.page.get_by_role("option", name=option).first.click()


def type_in(tab: Tab, label: str, text: str) -> None:
    tab.settle()
    box = tab.page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Tab")
    tab.settle()


def test_a_limit_is_changed_in_place_and_two_tabs_and_a_broken_file_undo_nothing(
    browser: Browser, changing: Server
) -> None:
    with settings_page(browser, changing) as tab, settings_page(browser, changing) as other:
        type_in(tab, "Rows of a query", "500")
        tab.see("Saved")
        assert written(changing)["rows_max"] == 500
        type_in(other, "Rows of a query", "700")
        other.see("It was changed meanwhile, in another tab or in the file, and is 500 now")
        assert written(changing)["rows_max"] == 500
        wait(lambda: other.page.get_by_label("Rows of a query", exact=True).input_value() == "500")
        file = changing.folder / "home" / "tandem.toml"
        file.write_text("rows_max = \n# mine")
        type_in(tab, "Time limit per code step (seconds)", "90")
        tab.see("is not valid TOML")
        assert file.read_text() == "rows_max = \n# mine"
        file.write_text("rows_max = 500  # mine\n")
        type_in(tab, "Time limit per code step (seconds)", "91")
        wait(lambda: written(changing).get("cell_seconds_max") == 91)
        assert "# mine" in file.read_text()
        tab.page.reload()
        tab.see("What works here")
        assert tab.page.get_by_label("Rows of a query", exact=True).input_value() == "500"


def test_what_the_environment_sets_is_fixed_and_says_why(browser: Browser, changing: Server) -> None:
    with settings_page(browser, changing) as tab:
        tab.see("Set by the environment variable TANDEM_MEGABYTES_MAX.")
        box = tab.page.get_by_label("Size of a query's result (MB)")
        assert box.input_value() == "77"
        assert box.is_disabled()


def test_models_see_more_only_after_a_press_of_a_button_that_says_so(browser: Browser, changing: Server) -> None:
    with settings_page(browser, changing) as tab:
        choose(tab, "Models may see", "Values")
        tab.see("Nothing is changed yet")
        tab.page.get_by_text("Show what it is sent of this data").click()
        tab.see("At level values, a model receives this")
        assert "sees" not in written(changing)
        tab.page.get_by_role("button", name="Let models see this").click()
        wait(lambda: written(changing).get("sees") == "values")
        shown = tab.page.get_by_role("combobox", name="Models may see")
        wait(lambda: shown.input_value() == "Values: also examples and ranges (set now)")
        choose(tab, "Models may see", "Names")
        tab.page.get_by_role("button", name="Show models less").click()
        wait(lambda: written(changing).get("sees") == "names")
        tab.page.get_by_text("What was changed on this page").click()
        tab.see("sees: values → names")


def test_a_place_is_asked_about_again_by_a_press(browser: Browser, changing: Server) -> None:
    kept = changing.folder / "home" / "may-see.json"
    kept.write_text('{"a.example": "rows"}')
    with settings_page(browser, changing) as tab:
        if not tab.page.get_by_text("a.example").count():  # another test set a level for all places
            choose(tab, "Models may see", "Remote: ask once")
            tab.page.get_by_role("button", name="Let models see this").click()
        tab.see("may see rows, as you chose when asked")
        tab.page.get_by_role("button", name="Ask again").click()
        wait(lambda: json.loads(kept.read_text()) == {})
        tab.page.get_by_text("a.example").wait_for(state="hidden")


def test_a_model_is_added_tested_and_chosen_and_no_key_is_in_a_file(browser: Browser, changing: Server) -> None:
    with serving(lambda _: say("ready")) as endpoint, settings_page(browser, changing) as tab:
        tab.page.get_by_text("Add or change a language model").click()
        type_in(tab, "Display name", "house")
        type_in(tab, "Address", "http://127.0.0.1:9/v1")
        type_in(tab, "Model ID", "qwen")
        models = tab.page.locator(".st-key-models")
        models.get_by_role("button", name="Test").click()
        tab.see("cannot be reached")
        type_in(tab, "Address", endpoint.url)
        choose(tab, "Key", "keyring")
        tab.settle()
        tab.page.get_by_label("The key", exact=True).fill("sk-planted-0123456789")
        models.get_by_role("button", name="Test").click()
        tab.see("Replied: “ready”")
        assert endpoint.asked[-1].headers["authorization"] == "Bearer sk-planted-0123456789"
        tab.settle()
        models.get_by_role("button", name="Save").click()
        tab.see("This machine has no keyring that can be used")
        assert "models" not in written(changing)
        choose(tab, "Key", "It needs none")
        tab.settle()
        models.get_by_role("button", name="Save").click()
        wait(lambda: "house" in written(changing).get("models", {}))
        assert written(changing)["models"]["house"] == {"model": "qwen", "base_url": endpoint.url, "api_key_env": ""}
        tab.see("not used")
        choose(tab, "Who answers", "house")
        wait(lambda: written(changing).get("model") == "house")
        tab.see("planner, coder, reviewer, at 127.0.0.1")
        choose(tab, "Who answers", "built-in")
        wait(lambda: "model" not in written(changing))
        kept = [file for file in (changing.folder / "home").iterdir() if file.is_file()]
        assert all(b"sk-planted" not in file.read_bytes() for file in kept)


def test_an_entry_of_the_knowledge_names_the_answers_that_rest_on_it(tab: Tab) -> None:
    tab.ask("net revenue by region in 2025")
    go_on_to_the_answer(tab)
    tab.page.goto(f"{tab.server.address}/knowledge")
    tab.page.get_by_test_id("stMain").get_by_text("net revenue", exact=True).first.click()
    tab.see("Answers that use it")
    tab.see("net revenue by region in 2025")
