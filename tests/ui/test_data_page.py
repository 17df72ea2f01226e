"""The data page in a browser: rows, columns, keys, reading, connecting and disconnecting, on a real workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browsing
import openpyxl
import pytest
from browsing import Server, Tab, wait
from playwright.sync_api import Browser, Locator

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SHOP = {
    "customers.csv": "customer_id,name,city\n" + "".join(f"{n},Customer {n},City {n % 3}\n" for n in range(1, 41)),
    "orders.csv": "order_id,customer_id,day,amount\n"
    + "".join(f"{n},{n % 40 + 1},2026-0{n % 3 + 1}-1{n % 9},{n}.5\n" for n in range(1, 121)),
}
TOTALLED = "Report\nregion;amount\nNorth;10,5\nSouth;20,0\n"


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server whose one source is the shop."""
    shop = folder / "shop"
    shop.mkdir()
    for name, text in SHOP.items():
        (shop / name).write_text(text)
    environment = {
        "TANDEM_HOME": str(folder / "home"),
        "TANDEM_SOURCES": str(shop),
        "TANDEM_AS_OF": "2026-04-01",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    with Server(("-m", "ui.serve", "--port", "{port}"), folder, environment=environment) as running:
        yield running


@contextmanager
def data_page(browser: Browser, server: Server) -> Iterator[Tab]:
    """A tab on its data page."""
    with browsing.tab(browser, server) as opened:
        opened.page.set_default_timeout(30_000)
        opened.page.goto(f"{server.address}/data")
        opened.see("2 tables")
        yield opened


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data-page")) as running:
        yield running


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with data_page(browser, server) as opened:
        yield opened


@pytest.fixture
def tab_alone(browser: Browser, tmp_path: Path) -> Iterator[Tab]:
    """A tab of a server that no other test has connected anything to."""
    with serving(tmp_path) as running, data_page(browser, running) as opened:
        yield opened


def choose(tab: Tab, box: Locator, text: str) -> None:
    """Choose an option of a select box by typing."""
    tab.settle()
    box.click()
    box.fill(text)
    tab.page.get_by_role("option").first.click()


def test_rows_columns_and_keys_of_a_source_are_shown(tab: Tab) -> None:
    tab.see("160 rows")
    tab.see("10 Jan 2026 to 18 Mar 2026")
    tab.see("First 100 of 120 rows")
    tab.page.get_by_role("tab", name="Columns (4)").click()
    tab.page.get_by_text("amount").first.click()
    tab.see("120 distinct values")
    tab.page.get_by_role("tab", name="Keys").click()
    tab.page.locator('[data-testid="stGraphVizChart"] svg text', has_text="customers").first.wait_for()


def test_a_role_is_corrected_with_one_choice_and_kept(tab: Tab) -> None:
    tab.page.get_by_role("tab", name="Columns (4)").click()
    tab.page.get_by_text("amount").first.click()
    choose(tab, tab.page.get_by_role("combobox", name="Role"), "rate: a ratio")
    tab.see("amount is a rate from the next question on")
    tab.see("You said so.")  # the column stays open, though what stands on it is another
    tab.settle()
    tab.see("120 distinct values")
    tab.page.reload()
    tab.page.get_by_role("tab", name="Columns (4)").click()
    tab.see("rate")
    kept = json.loads((tab.server.folder / "home" / "roles.json").read_text())
    assert kept == {"shop.orders.amount": "rate"}


def test_a_dropped_file_is_kept_read_otherwise_and_disconnected(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "regions.csv"
    file.write_text(TOTALLED)
    page = tab.page
    page.get_by_text("Connect data").click()
    with page.expect_response(lambda response: "upload_file" in response.url):
        page.locator('input[type="file"]').set_input_files(file)
    page.get_by_role("button", name="Connect it").click()
    tab.see("regions is connected")
    card = page.locator(".st-key-source-regions")
    card.get_by_role("tab", name="How it is read").click()
    card.get_by_text("Report").first.wait_for()
    choose(tab, card.get_by_role("combobox", name="Decimals"), "a comma")
    card.get_by_role("button", name="Read it so").click()
    tab.see("is read so from now on")
    sidecars = list((tab.server.folder / "home" / "files").glob("*/regions.csv.tandem.toml"))
    assert [sidecar.read_text().strip() for sidecar in sidecars] == ['decimal = ","']

    tab.settle()
    card.get_by_role("button", name="Disconnect").click()
    page.get_by_role("button", name="Disconnect it").click()
    tab.see("regions is not connected any more")
    wait(lambda: not card.count())
    assert not list((tab.server.folder / "home" / "files").iterdir())


def test_a_doubt_is_shown_and_its_other_side_chosen_by_one_click(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "parts.csv"
    file.write_text("part,weight\nBolt,10\nNut,20\nScrew,5\nTotal,35\n")
    page = tab.page
    page.get_by_text("Connect data").click()
    with page.expect_response(lambda response: "upload_file" in response.url):
        page.locator('input[type="file"]').set_input_files(file)
    page.get_by_role("button", name="Connect it").click()
    tab.see("parts is connected")
    card = page.locator(".st-key-source-parts")
    card.get_by_text("Please check").wait_for()
    card.get_by_text("3 rows").first.wait_for()
    card.get_by_role("button", name="Keep these rows").click()
    tab.see("parts is read so from now on")
    card.get_by_text("4 rows").first.wait_for()
    wait(lambda: not card.get_by_role("button", name="Keep these rows").count())
    tab.settle()
    card.get_by_role("button", name="Disconnect").click()
    page.get_by_role("button", name="Disconnect it").click()
    wait(lambda: not card.count())


def test_what_means_no_value_and_which_sheets_are_read_is_said_by_click(tab: Tab, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for place, title in enumerate(("Fees", "Notes")):
        sheet = book.active if place == 0 else book.create_sheet()
        assert sheet is not None
        sheet.title = title
        for row in (["month", "fee"], ["Jan", -999], ["Feb", 50]):
            sheet.append(row)
    book.save(tmp_path / "gym.xlsx")
    page = tab.page
    page.get_by_text("Connect data").click()
    with page.expect_response(lambda response: "upload_file" in response.url):
        page.locator('input[type="file"]').set_input_files(tmp_path / "gym.xlsx")
    page.get_by_role("button", name="Connect it").click()
    tab.see("gym is connected")
    card = page.locator(".st-key-source-gym")
    card.get_by_role("tab", name="How it is read").click()
    for label, typed in (("What means no value", "-999"), ("Sheets to read", "Fees")):
        box = card.get_by_role("combobox", name=label)
        box.click()
        box.fill(typed)
        box.press("Enter")
        tab.settle()
        box.press("Escape")
    card.get_by_role("button", name="Read it so").click()
    tab.see("is read so from now on")
    (sidecar,) = (tab.server.folder / "home" / "files").glob("*/gym.xlsx.tandem.toml")
    assert sidecar.read_text().splitlines() == ['missing = ["-999"]', 'sheets = ["Fees"]']
    tab.see("1 table")


def test_a_database_is_tried_and_a_password_is_kept_in_no_file(tab: Tab) -> None:
    page = tab.page
    page.get_by_text("Connect data").click()
    page.get_by_role("tab", name="Database").click()
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill("1")
    page.get_by_label("Database", exact=True).last.fill("shop")
    page.get_by_role("textbox", name="User").fill("reader")
    page.get_by_label("The password").fill("s3cr3t-word")
    page.get_by_label("The password").press("Tab")
    page.get_by_role("button", name="Test", exact=True).click()
    tab.see("It could not be opened")
    page.locator(".st-key-login-connect button").click()
    tab.see("That could not be connected")
    kept = [path for path in (tab.server.folder / "home").rglob("*") if path.is_file()]
    assert not [path for path in kept if b"s3cr3t-word" in path.read_bytes()]
    assert "s3cr3t-word" not in tab.server.said()


def test_a_column_is_masked_on_the_data_page(tab: Tab) -> None:
    page = tab.page
    choose(tab, page.locator(".st-key-source-shop").get_by_role("combobox", name="Table"), "customers")
    page.get_by_role("tab", name="Columns (3)").click()
    page.get_by_text("city").first.click()
    page.get_by_role("button", name="Mask", exact=False).first.click()
    page.get_by_text("are withheld for good").wait_for()
    assert not (tab.server.folder / "home" / "masks.toml").exists(), "the person is told first what it takes"
    page.get_by_role("button", name="Mask it").click()
    tab.see("is masked now")
    page.get_by_text("category · ").get_by_text("masked").wait_for()
    assert "shop.customers.city" in (tab.server.folder / "home" / "masks.toml").read_text()


def test_two_sources_are_put_together_by_a_confirmed_key_and_asked_as_one(tab_alone: Tab, tmp_path: Path) -> None:
    tab = tab_alone
    file = tmp_path / "budgets.csv"
    file.write_text("customer_id,planned\n" + "".join(f"{n},{n * 10}\n" for n in range(1, 41)))
    page = tab.page
    page.get_by_text("Connect data").click()
    with page.expect_response(lambda response: "upload_file" in response.url):
        page.locator('input[type="file"]').set_input_files(file)
    page.get_by_role("button", name="Connect it").click()
    tab.see("budgets is connected")
    tab.settle()
    page.get_by_text("Ask sources together").click()
    page.get_by_role("button", name="Look for keys").click()
    tab.see("Which of these are keys?")
    tab.see("all of 40 values found there")
    page.get_by_role("textbox", name="Name of the whole").fill("both")
    page.get_by_role("textbox", name="Name of the whole").press("Tab")
    tab.settle()
    page.get_by_role("button", name="Put them together").click()
    tab.see("are asked together from the next question on")
    card = page.locator(".st-key-source-both")
    card.get_by_role("tab", name="Keys").click()
    card.locator('[data-testid="stGraphVizChart"] svg text', has_text="budgets").first.wait_for()
    assert not page.locator(".st-key-source-budgets").count()

    tab.ask("total planned by city")
    tab.go_on(1)
    tab.see("City 1")

    page.goto(f"{tab.server.address}/data")
    card.get_by_role("button", name="Take apart").click()
    page.get_by_role("button", name="Take it apart").click()
    tab.see("asked each by itself again")
    page.locator(".st-key-source-budgets").wait_for()


def test_a_source_that_went_away_is_named_and_the_question_waits_for_it(tab_alone: Tab, tmp_path: Path) -> None:
    tab, shop = tab_alone, tmp_path / "shop"
    tab.open()
    tab.see("2 tables")
    shop.rename(tmp_path / "elsewhere")
    tab.say("how many orders are there?")
    tab.see("This was not asked")
    tab.see("Your question is kept")
    card = tab.page.locator(".st-key-data-card")
    wait(lambda: card.get_by_text("no file").count() == 1, for_s=60)
    assert card.locator("strong").first.inner_text().endswith("shop")
    tab.settle()
    (tmp_path / "elsewhere").rename(shop)
    tab.press("Ask")
    tab.run("Run this query?")
    tab.until("answer")
    tab.see("120")
