"""The knowledge page in a browser: entries are changed in place, computed before they are kept, undone and removed."""

from __future__ import annotations

from collections.abc import Iterator

import browsing
import pytest
from browsing import Server, Tab
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SALES = "region,status,amount\nNorth,paid,100.5\nSouth,paid,20\nSouth,open,5\n"
METRICS = """\
# What we count by.
metrics:
  - name: takings
    table: sales
    expression: SUM(sales.amount)   # all of it
    unit: currency
    unit_symbol: EUR
"""
RULES = "## Only what was paid\n\nOpen sales do not count.\n\nApplies to: sales\n\nCondition: `sales.status = 'paid'`\n"
QUERY = "question: Sales by region\nsql: SELECT region, COUNT(*) AS n FROM sales GROUP BY region\nverifier: Bo\nverified_on: 2026-01-01\n"


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("knowledge-page")
    (folder / "knowledge" / "queries").mkdir(parents=True)
    (folder / "sales.csv").write_text(SALES)
    (folder / "knowledge" / "metrics.yaml").write_text(METRICS)
    (folder / "knowledge" / "rules.md").write_text(RULES)
    (folder / "knowledge" / "house.md").write_text("# Opening\n\nAt nine.\n")
    (folder / "knowledge" / "queries" / "region.yaml").write_text(QUERY)
    environment = {
        "TANDEM_HOME": str(folder / "home"),
        "TANDEM_SOURCES": str(folder / "sales.csv"),
        "TANDEM_AS_OF": "2026-04-01",
        "TANDEM_VERIFIER": "Ana",
    }
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with browsing.tab(browser, server) as opened:
        opened.page.set_default_timeout(60_000)
        opened.page.goto(f"{server.address}/knowledge")
        opened.see("Define a word")
        yield opened


def unfold(tab: Tab, title: str) -> None:
    tab.settle()
    tab.page.get_by_test_id("stMain").get_by_text(title, exact=True).first.click()
    tab.settle()


def test_a_metric_is_changed_in_place_with_its_fault_at_the_field_and_undone(tab: Tab) -> None:
    page, file = tab.page, tab.server.folder / "knowledge" / "metrics.yaml"
    unfold(tab, "takings")
    page.get_by_role("button", name="Change", exact=True).click()
    formula = page.get_by_role("textbox", name="Formula in SQL", exact=True)
    formula.fill("SUM(sales.amout)")
    page.get_by_role("textbox", name="What it means", exact=True).fill("What came in.")
    page.get_by_role("button", name="Keep it").last.click()
    tab.see("did you mean 'amount'")
    assert page.get_by_role("textbox", name="What it means", exact=True).input_value() == "What came in.", (
        "nothing that was typed is lost"
    )
    assert file.read_text() == METRICS

    formula.fill("SUM(sales.amount) * 10")
    page.get_by_role("button", name="Try it").click()
    tab.see("It is not kept yet")
    tab.see("€1,205")
    tab.see("by the rule")
    assert file.read_text() == METRICS
    page.get_by_role("button", name="Keep it").last.click()
    tab.see("holds from the next question on")
    tab.see("Ana on 1 April 2026")
    assert "SUM(sales.amount) * 10   # all of it" in file.read_text()

    page.get_by_role("button", name="Undo the change").click()
    tab.see("It is as it was before")
    assert file.read_text() == METRICS


def test_a_rule_shows_what_it_leaves_out(tab: Tab) -> None:
    unfold(tab, "Only what was paid")
    tab.page.get_by_role("button", name="Change", exact=True).click()
    tab.page.get_by_role("textbox", name="Only rows where", exact=True).fill("sales.region <> 'South'")
    tab.page.get_by_role("button", name="Try it").click()
    tab.see("Of 3 rows of sales it leaves out 2")


def test_a_verified_query_is_run_again_and_a_note_is_changed(tab: Tab) -> None:
    page = tab.page
    unfold(tab, "Sales by region")
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("textbox", name="SQL", exact=True).fill(
        "SELECT region, SUM(amount) AS total FROM sales GROUP BY region"
    )
    page.get_by_role("button", name="Keep it").last.click()
    tab.see("Marked right by Ana on 1 April 2026")
    assert "SUM(amount)" in (tab.server.folder / "knowledge" / "queries" / "region.yaml").read_text()
    unfold(tab, "Opening")
    page.locator('[class*="st-key-entry-ways-note"]').get_by_role("button", name="Change").click()
    page.get_by_role("textbox", name="Text", exact=True).fill("At ten.")
    page.get_by_role("button", name="Keep it").last.click()
    tab.see("“Opening” is changed")
    assert (tab.server.folder / "knowledge" / "house.md").read_text() == (
        "# Opening\n\nAt ten.\n\nChanged by: Ana, 2026-04-01\n"
    )


def test_an_entry_is_removed_and_brought_back(tab: Tab) -> None:
    unfold(tab, "Only what was paid")
    tab.page.get_by_role("button", name="Remove").click()
    tab.see("was removed from rules.md")
    assert not (tab.server.folder / "knowledge" / "rules.md").exists()
    tab.page.get_by_role("button", name="Undo", exact=True).click()
    tab.see("It is as it was before")
    assert (tab.server.folder / "knowledge" / "rules.md").read_text() == RULES


def test_a_function_shows_what_it_does_and_its_tests_run_in_the_cage(tab: Tab) -> None:
    tab.page.get_by_placeholder("Find a word").fill("rfm")
    tab.page.keyboard.press("Enter")
    unfold(tab, "Rfm scores")
    tab.see("Score customers by how recently, how often and for how much they bought.")
    tab.page.get_by_role("button", name="Run the tests").click()
    tab.see("the best customer comes first")
    tab.see("one class is refused")
