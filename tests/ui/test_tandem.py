"""The product itself in a browser: `tandem serve`, the sample company, the embedded analyst, nothing scripted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser

from assistant.core.events import Answer, Execution, Plan

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tandem")
    environment = {"TANDEM_HOME": str(folder / "home"), "TANDEM_AS_OF": "2026-03-14"}
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        yield opened


def test_it_prints_the_address_and_nothing_that_does_not_concern_the_person(tmp_path: Path) -> None:
    with Server(("-m", "ui.serve", "--port", "{port}"), tmp_path, environment={"TANDEM_HOME": str(tmp_path)}) as server:
        address, key = server.said().splitlines()
    assert address == f"Tandem: {server.address}/?token={browsing.TOKEN}"
    assert key.startswith("Open that whole address")


def test_a_business_question_from_starter_to_notebook(tab: Tab) -> None:
    tab.open()
    tab.see("Sample company")
    tab.page.locator('[class*="st-key-starter-0"] button').first.wait_for()
    tab.ask("net revenue by region")
    tab.see("Run this query?")
    plan = next(e for e in tab.server.log(tab.session) if isinstance(e, Plan))
    assert any("revenue" in cited.title.lower() for cited in plan.citations)
    tab.go_on(1)
    tab.page.locator(".stVegaLiteChart canvas, .stVegaLiteChart svg").first.wait_for()
    tab.page.get_by_test_id("stDataFrame").first.wait_for()
    tab.see("5 rows")

    tab.say("by category instead")
    tab.go_on(2)
    tab.page.locator('[class*="st-key-answer-2"]').wait_for()
    answers = [e for e in tab.server.log(tab.session) if isinstance(e, Answer)]
    assert [a.status for a in answers] == ["answered", "answered"]
    assert all(e.status == "ok" for e in tab.server.log(tab.session) if isinstance(e, Execution))

    assert json.loads(tab.download(tab.page.get_by_role("button", name="Notebook")))["nbformat"] == 4


def test_a_question_that_was_marked_right_is_verified_until_that_is_taken_back(tab: Tab) -> None:
    def trust(turn: int) -> str:
        return str(tab.page.locator(f'[class*="st-key-trust-{turn}"]').inner_text())

    question = "How many orders by channel in 2025?"
    tab.ask(question)
    tab.go_on(1)
    tab.page.get_by_role("button", name="This is right").first.click()
    tab.see("Marked right by")
    tab.say(question)
    tab.go_on(2)
    wait(lambda: "Verified" in trust(2))

    other = tab.page.context.new_page()
    other.goto(f"{tab.server.address}/knowledge")
    other.get_by_text(question).last.click()
    other.get_by_role("button", name="Take back").first.click()
    wait(lambda: "This is right" in trust(1))  # the first tab, where nobody touched anything
    assert tab.events.count("revoked") == 1
    tab.say(question)
    tab.go_on(3)
    wait(lambda: "This is right" in trust(3))
    assert "Verified" not in trust(3)


def test_what_is_not_understood_is_declined_with_a_hint(tab: Tab) -> None:
    tab.ask("wie wird das Wetter morgen auf dem Mond?")
    wait(lambda: {"answer", "clarification"} & set(tab.events))
    assert "execution" not in tab.events


def test_settings_say_which_cage_holds(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/settings")
    tab.see("Code runs locked away")
    tab.page.get_by_text("Technical details").click()
    tab.see("Cage")
    tab.see("Embeddings")


@pytest.mark.slow
def test_a_csv_of_200_megabytes_can_be_added_in_the_chat(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "big.csv"
    row = "2026-01-01,France,12,0.5,{}\n".format("x" * 80)
    with file.open("w") as out:
        out.write("day,country,visits,share,remark\n")
        for _ in range(200):
            out.write(row * (1_000_000 // len(row) + 1))
    assert file.stat().st_size >= 200_000_000
    tab.open()
    tab.attach(file)
    tab.say("total visits by country")
    tab.page.wait_for_url("**s=*", timeout=120_000)
    wait(lambda: "question" in tab.events, for_s=180)
    assert "source_added" in tab.events
