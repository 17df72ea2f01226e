"""The questions page in a browser: found by words of the SQL, pinned, tagged, copied, exported, deleted with undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser, Locator

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    running = Server(PROGRAM, tmp_path_factory.mktemp("questions"))
    running.start()
    try:
        with browsing.tab(browser, running) as tab:
            tab.ask("total by region, first")
            tab.run("Run this query?")
            tab.until("answer")
            tab.open()
            tab.say("decline this one")
            tab.until("answer")
        yield running
    finally:
        running.stop()


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        opened.page.set_default_timeout(30_000)
        opened.page.goto(f"{server.address}/questions")
        opened.see("total by region, first")
        yield opened


def row(tab: Tab, text: str) -> Locator:
    return tab.page.locator('[class*="st-key-session-"]', has_text=text).first


def act(tab: Tab, text: str, action: str) -> None:
    tab.settle()
    row(tab, text).get_by_role("button", name="Actions").click()
    tab.page.get_by_role("menuitem", name=action).or_(tab.page.get_by_role("option", name=action)).first.click()


def test_a_question_is_found_by_its_sql_and_its_answer(tab: Tab) -> None:
    search = tab.page.get_by_placeholder("Search questions")
    search.fill("SUM(amount)")
    tab.see("in the code")
    wait(lambda: tab.page.locator('[class*="st-key-session-"]').count() == 1, for_s=20)
    search.fill("leads")
    tab.see("answered:")
    search.fill("unheard of")
    tab.see("Nothing holds")


def test_pin_and_tags_put_a_question_where_it_is_found(tab: Tab) -> None:
    act(tab, "decline", "Pin to the top")
    tab.see("pinned")
    assert "decline" in tab.page.locator('[class*="st-key-session-"]').first.inner_text()
    act(tab, "decline", "Tags")
    box = tab.page.get_by_role("dialog").get_by_role("combobox")
    box.fill("board")
    box.press("Enter")
    box.press("Tab")
    tab.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    tab.see("#board")
    tab.page.get_by_test_id("stMain").get_by_role("radio", name="board").or_(
        tab.page.get_by_test_id("stMain").get_by_role("button", name="board", exact=True)
    ).first.click()
    wait(lambda: tab.page.locator('[class*="st-key-session-"]').count() == 1, for_s=20)


def test_a_conversation_goes_on_from_a_turn_as_a_copy(tab: Tab) -> None:
    act(tab, "total by region, first", "Continue from a turn")
    tab.page.get_by_role("dialog").get_by_role("button", name="1. total by region, first").click()
    tab.page.wait_for_url("**s=*")
    tab.see("leads with")
    tab.see("(from turn 1)")
    tab.page.get_by_test_id("stDataFrame").first.wait_for()
    tab.say("total again")
    tab.run("Run this query?")
    tab.until("answer", 2)
    tab.page.goto(f"{tab.server.address}/questions")
    row(tab, "(from turn 1)").get_by_text("last asked “total again”").wait_for()
    assert row(tab, "decline this one").get_by_text("last asked").count() == 0


def test_a_report_and_a_script_are_downloaded(tab: Tab) -> None:
    act(tab, "total by region, first", "Export")
    text = tab.download(tab.page.get_by_role("button", name="Report (.html)")).decode()
    assert "<strong>North</strong>" in text
    assert "SUM(amount)" in text
    assert 'src="data:image/png;base64,' in text, "the chart that the page draws of it"
    compile(tab.download(tab.page.get_by_role("button", name="Script (.py)")), "script.py", "exec")


def test_a_report_is_printed_by_one_click(tab: Tab) -> None:
    act(tab, "total by region, first", "Export")
    tab.page.context.add_init_script("window.print = () => { window.printed = true }")
    with tab.page.expect_popup() as opened:
        tab.page.get_by_role("link", name="Print").click()
    report = opened.value
    report.wait_for_function("window.printed")
    assert report.locator("strong", has_text="North").count()
    report.emulate_media(media="print")
    assert report.locator("details").first.is_hidden(), "no query on paper"
    forged = report.request.get(f"{tab.server.address}/print/{'x' * 43}")
    assert forged.status == 404
    report.close()


def test_a_notebook_gives_its_questions_back(tab: Tab, tmp_path: Path) -> None:
    act(tab, "total by region, first", "Export")
    file = tmp_path / "tandem.ipynb"
    file.write_bytes(tab.download(tab.page.get_by_role("button", name="Notebook (.ipynb)")))
    wait(lambda: _closed(tab))  # a redraw after the download may open it once more
    tab.page.get_by_role("button", name="Open a notebook").click()
    tab.page.locator('input[type="file"]').set_input_files(file)
    tab.page.get_by_role("dialog").get_by_role("button", name="total by region, first").click()
    tab.run("Run this query?")


def test_a_deleted_conversation_comes_back(tab: Tab) -> None:
    act(tab, "decline", "Delete")
    tab.see("Deleted: decline this one")
    wait(lambda: not row(tab, "decline").count(), for_s=20)
    tab.page.get_by_role("button", name="Undo").click()
    row(tab, "decline").wait_for()


def _closed(tab: Tab) -> bool:
    """Close what lies over the page, and say whether it stays closed: Escape closes it only while its focus is in it."""
    close = tab.page.get_by_role("dialog").get_by_role("button", name="Close")
    if close.count():
        close.click()
    tab.settle()
    return tab.page.get_by_role("dialog").count() == 0
