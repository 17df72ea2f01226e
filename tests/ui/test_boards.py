"""Boards in a browser: an answer is pinned, its approved query run again on new data, the change marked, exported."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import browsing
import pytest
from browsing import Server
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PROGRAM = (str(browsing.HERE / "scripted.py"), "{port}", "{folder}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(PROGRAM, tmp_path_factory.mktemp("boards")) as running:
        yield running


def test_an_answer_is_pinned_refreshed_and_taken_along(browser: Browser, server: Server) -> None:
    with browsing.tab(browser, server) as tab:
        page = tab.page
        page.set_default_timeout(60_000)
        tab.ask("total by region")
        tab.run("Run this query?")
        tab.until("answer")
        page.get_by_role("button", name="Pin", exact=True).click()
        page.get_by_role("button", name="Pin it").click()
        page.get_by_text("Pinned to My board").wait_for()

        with sqlite3.connect(server.folder / "shop.sqlite") as db:
            db.execute("INSERT INTO sales (region, amount) VALUES ('South', 950)")
        db.close()
        page.goto(f"{server.address}/boards")
        tab.see("total by region")
        tab.see("North")  # the answer as it was pinned
        tab.see("as of ")
        page.get_by_role("button", name="Refresh", exact=True).click()
        tab.see("cell changed")
        text = tab.download(page.get_by_role("button", name="Download", exact=True)).decode()
        assert 'class="number changed">1,000.00' in text
        assert 'src="data:image/png;base64,' in text, "its chart is in the file"
        paper = browser.new_page(color_scheme="dark")
        paper.set_content(text)
        paper.emulate_media(media="print")
        look = paper.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).maxWidth]")
        paper.close()
        assert look == ["rgb(23, 27, 26)", "none"], "dark on white on paper, as wide as that"
        assert "leads with" not in text, "the text of before is not told with the figures of now"

        page.get_by_text("Refresh when opened").click()
        tab.settle()
        with sqlite3.connect(server.folder / "shop.sqlite") as db:
            db.execute("INSERT INTO sales (region, amount) VALUES ('South', 1000)")
        db.close()
        page.reload()
        tab.see("cell changed")
        text = tab.download(page.get_by_role("button", name="Download", exact=True)).decode()
        assert 'class="number changed">2,000.00' in text, "it is kept with the board"

        tab.settle()
        page.get_by_role("link", name="Data").click()
        tab.see("Connect data")
        tab.settle()
        with sqlite3.connect(server.folder / "shop.sqlite") as db:
            db.execute("INSERT INTO sales (region, amount) VALUES ('South', 1000)")
        db.close()
        page.get_by_role("link", name="Boards").click()
        tab.see("cell changed")
        tab.settle()

        page.context.add_init_script("window.print = () => { window.printed = true }")
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Print or PDF").click()
        opened.value.wait_for_function("window.printed")
        opened.value.get_by_text("3,000.00").first.wait_for()
        opened.value.close()

        command = "from assistant.delivery.command_line import main; raise SystemExit(main())"
        again = subprocess.run(
            [sys.executable, "-c", command, "run", "my board"],
            capture_output=True,
            text=True,
            check=False,
            cwd=browsing.ROOT,
            env={**os.environ, "TANDEM_HOME": str(server.folder / "home"), "PYTHONPATH": str(browsing.ROOT)},
        )
        assert again.returncode == 0, again.stderr
        assert again.stdout.splitlines() == ["total by region: unchanged"]

        page.get_by_role("button", name="Unpin").click()
        tab.see("Nothing pinned yet")
