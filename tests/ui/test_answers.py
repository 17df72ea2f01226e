"""An answer is an object that people act on: charts, order, files, totals, where it comes from, what is wrong with it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser, Locator

from assistant.core.events import Disputed, Presented

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("answers")) as running:
        yield running


@pytest.fixture(scope="module")
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    """One answered question that all these tests act on, one after the other."""
    with browsing.tab(browser, server) as opened:
        opened.ask("total")
        opened.run("Run this query?")
        opened.until("answer")
        opened.see("leads with")
        yield opened


def appearances(tab: Tab) -> list[Presented]:
    return [event for event in tab.server.log(tab.session) if isinstance(event, Presented)]


def drawn(tab: Tab, kind: str) -> None:
    """Wait until the chart on the page is of a kind, as its words for a screen reader tell."""
    tab.page.locator(f'[aria-label^="Chart: {kind}"]').first.wait_for()


def test_a_chart_stands_beside_the_table_without_any_code_of_its_own(tab: Tab) -> None:
    drawn(tab, "Bar")
    assert tab.events.count("execution") == 1
    tab.see("4 rows")
    tab.page.locator('[class*="st-key-totals-"]').get_by_text("435.50").wait_for()


def test_focus_lands_on_the_answer(tab: Tab) -> None:
    at = "document.activeElement.className"
    wait(lambda: "st-key-answer-1" in str(tab.page.evaluate(at)), for_s=15)


FOCUSED = """() => {
  const at = document.activeElement;
  const named = at?.getAttribute("aria-label") || at?.innerText || "";
  return `${at?.role ?? ""} ${at?.closest('[class*="st-key-tools-"], [class*="st-key-looks-"]') ? "shown as" : ""} ${named}`;
}"""
"""The role and name of what has the focus, and whether it is a control of how the answer is shown."""
TABS_MAX = 4


def choice(tab: Tab, name: str) -> Locator:
    """A kind of chart in the menu that is open."""
    return tab.page.get_by_role("menuitem", name=name, exact=True)


def focused_kind(tab: Tab) -> str:
    """The words of the menu of charts, where it has the focus."""
    return str(tab.page.evaluate("""document.activeElement?.closest('[class*="st-key-kind-"]')?.innerText"""))


def focused(tab: Tab) -> str:
    return str(tab.page.evaluate(FOCUSED))


def test_tab_leads_from_the_answer_to_its_charts_and_a_choice_by_key_keeps_the_focus(tab: Tab) -> None:
    drawn(tab, "Bar")
    tab.settle()
    for _ in range(TABS_MAX):
        tab.page.keyboard.press("Tab")
        if "Chart: bars" in focused_kind(tab):
            break
    for name, kind in (("Pie", "Pie"), ("Bars", "Bar")):
        assert "Chart: " in focused_kind(tab)
        before = len(appearances(tab))
        tab.page.keyboard.press("Enter")
        choice(tab, name).focus()
        tab.page.keyboard.press("Enter")
        wait(lambda n=before: len(appearances(tab)) == n + 1)
        drawn(tab, kind)
        wait(lambda n=name: f"Chart: {n.lower()}" in focused_kind(tab), for_s=20)


def test_a_field_of_adjust_keeps_the_focus_when_it_is_changed(tab: Tab) -> None:
    tab.settle()
    tab.page.locator('[class*="st-key-adjust-"] button').first.click()
    tab.page.get_by_role("switch", name="As shares of the total").focus()
    for shares in (True, False):
        before = len(appearances(tab))
        tab.page.keyboard.press("Space")
        wait(lambda n=before: len(appearances(tab)) == n + 1)
        assert bool(appearances(tab)[-1].look.percent) == shares
        tab.settle()
        wait(lambda: focused(tab).startswith("switch shown as"), for_s=20)
    tab.page.keyboard.press("Escape")


def test_a_click_makes_it_a_pie_and_a_refresh_keeps_that(tab: Tab) -> None:
    before, looks = tab.events.count("execution"), len(appearances(tab))
    tab.page.locator('[class*="st-key-kind-"] button').first.click()
    choice(tab, "Pie").click()
    wait(lambda: len(appearances(tab)) == looks + 1)
    assert appearances(tab)[-1].look.chart == "pie"
    drawn(tab, "Pie")
    tab.page.reload()
    drawn(tab, "Pie")
    assert tab.events.count("execution") == before
    assert "decision_requested" not in tab.events[-3:]


def test_words_about_showing_change_it_without_a_question(tab: Tab) -> None:
    questions, looks = tab.events.count("question"), len(appearances(tab))
    tab.say("as bars, sorted by region")
    wait(lambda: len(appearances(tab)) == looks + 1)
    assert appearances(tab)[-1].look.sort == "region"
    assert appearances(tab)[-1].said == "as bars, sorted by region"
    drawn(tab, "Bar")
    assert tab.events.count("question") == questions


def test_more_rows_than_there_are_can_be_asked_for(tab: Tab) -> None:
    looks = len(appearances(tab))
    tab.settle()
    tab.say("only the top 10")
    wait(lambda: len(appearances(tab)) == looks + 1)
    assert appearances(tab)[-1].look.top == 10
    tab.settle()
    tab.page.get_by_test_id("stMain").get_by_role("button", name="Adjust").first.click()
    field = tab.page.get_by_label("Only the first").first
    wait(lambda: field.input_value() == "10")
    tab.page.keyboard.press("Escape")
    tab.say("all rows")
    wait(lambda: len(appearances(tab)) > looks + 1)
    tab.settle()  # the browser has handed on the field as it stood
    assert [shown.look.top for shown in appearances(tab)[looks:]] == [10, None]


def test_the_table_goes_away_as_csv_excel_and_parquet(tab: Tab) -> None:
    import pyarrow.parquet as parquet

    tab.settle()  # drawing the page closes what is open on it
    tab.page.locator('[class*="st-key-download-"] button').first.click()
    for name, begins in (("CSV", b"\xef\xbb\xbfRegion,Total"), ("Excel", b"PK"), ("Parquet", b"PAR1")):
        content = tab.download(tab.page.get_by_role("button", name=name).first)
        assert content.startswith(begins)
        if name == "Parquet":
            assert parquet.read_table(io.BytesIO(content)).num_rows == 4


def test_the_chart_goes_away_as_png_svg_and_vega(tab: Tab) -> None:
    for name, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("Vega", b"{")):
        content = tab.download(tab.page.locator(f'[class*="st-key-{name.lower()}-"] button').first)
        assert content.startswith(begins)
        if name == "Vega":
            assert json.loads(content)["data"]["values"]
    tab.page.keyboard.press("Escape")


def test_how_it_was_computed_tells_tables_figures_and_draws_them(tab: Tab) -> None:
    tab.page.get_by_text("How this was computed").click()
    tab.see("and gives 4 rows")
    tab.see("a sum")
    tab.page.locator(".stGraphVizChart svg").first.wait_for()
    tab.see("Data read on")


def test_a_person_says_that_it_is_wrong_and_takes_that_back(tab: Tab) -> None:
    tab.page.locator('[class*="st-key-wrong-"] button').first.click()
    tab.page.get_by_label("What is wrong with it?").fill("returns must not count")
    tab.page.get_by_role("button", name="Mark as wrong").click()
    tab.see("says that this is wrong")
    said = [e for e in tab.server.log(tab.session) if isinstance(e, Disputed)]
    assert (said[-1].note, said[-1].stands) == ("returns must not count", True)
    tab.page.locator('[class*="st-key-undispute-"] button').click()
    wait(lambda: not [e for e in tab.server.log(tab.session) if isinstance(e, Disputed)][-1].stands)


def test_a_click_on_a_figure_leads_to_the_rows_under_it(tab: Tab) -> None:
    tab.page.reload()  # what was opened before is closed
    drawn(tab, "Bar")
    tab.page.wait_for_timeout(1500)
    grid = tab.page.get_by_test_id("stDataFrame").first.locator("canvas").first
    box = grid.bounding_box()
    assert box is not None
    grid.click(
        position={"x": box["width"] - 60, "y": 50}, delay=100, force=True
    )  # the first figure; the grid follows the pointer
    tab.see("It is a sum")
    tab.page.get_by_role("button", name="Show the rows under it").click()
    tab.run("Run this query?")
    tab.until("answer", 2)
    ran = [e for e in tab.server.log(tab.session) if e.kind == "execution"]
    assert ran[-1].queries[-1].rows >= 1
    assert "WHERE" in ran[-1].queries[-1].sql
    assert "SUM" not in ran[-1].queries[-1].sql


def test_a_click_in_an_earlier_answer_draws_that_answer_and_keeps_the_focus(tab: Tab) -> None:
    tab.settle()
    before = len(appearances(tab))
    tab.page.locator('.st-key-tools-1 [class*="st-key-kind-"] button').first.focus()
    tab.page.keyboard.press("Enter")
    choice(tab, "Pie").focus()
    tab.page.keyboard.press("Enter")
    wait(lambda: len(appearances(tab)) == before + 1)
    assert (appearances(tab)[-1].turn, appearances(tab)[-1].look.chart) == (1, "pie")
    tab.page.locator('.st-key-answer-1 [aria-label^="Chart: Pie"]').wait_for()
    wait(lambda: "Chart: pie" in focused_kind(tab), for_s=20)
