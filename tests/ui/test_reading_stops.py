"""A long upload in a browser: the question waits in plain sight, and reading can be stopped."""

from __future__ import annotations

from pathlib import Path

import browsing
import pytest
from browsing import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_the_question_waits_visibly_and_reading_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    with file.open("w") as out:
        out.write("id,day,city,amount\n")
        out.writelines(f"{n},2026-01-{n % 28 + 1:02d},City {n % 999},{n}.25\n" for n in range(1_500_000))
    server = Server((str(browsing.HERE / "scripted.py"), "{port}", "{folder}"), tmp_path)
    server.start()
    try:
        with browsing.chromium() as browser, browsing.tab(browser, server) as tab:
            tab.page.set_default_timeout(90_000)
            tab.open()
            tab.attach(file)
            tab.say("How many visits?")
            tab.see("Your question waits for it")
            tab.page.locator('[class*="st-key-bubble-"]').get_by_text("How many visits?").wait_for()
            tab.press("Stop")
            tab.see("was stopped. Nothing was added.")
            assert "question" not in tab.events
    finally:
        server.stop()
