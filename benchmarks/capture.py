"""Film one question in the real page for the README: typed, its query approved, its answer changed by words.

    .venv/bin/python benchmarks/capture.py [--out docs/images/answer.webp]

A server on the sample company, in a folder of its own, and Chromium. The picture is an animated WebP; it waits longest on
what is to be read, not on what the machine needs.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "ui"))

import browsing  # noqa: E402  found by the path above
from browsing import Server, Tab  # noqa: E402

QUESTION = "What was net revenue by region last quarter?"
FOLLOW_UP = "as percentages"
WIDTH_PX, HEIGHT_PX = 1100, 720
LETTERS = 3
"""So many letters are typed from one picture to the next."""
TYPING_MS, READING_MS, ANSWER_MS = 110, 2_200, 3_200
SETTLE_MS = 600
QUALITY = 72
LIMIT_BYTES = 1_500_000


class Film:
    """Pictures of a page, and how long each is shown."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._pictures: list[Image.Image] = []
        self._lasting: list[int] = []

    def take(self, lasting_ms: int) -> None:
        """One more picture."""
        taken = self._page.screenshot(caret="initial")
        self._pictures.append(Image.open(io.BytesIO(taken)).convert("RGB"))
        self._lasting.append(lasting_ms)

    def write(self, file: Path) -> None:
        """All of them as one animated WebP that repeats."""
        first, *rest = self._pictures
        first.save(file, save_all=True, append_images=rest, duration=self._lasting, loop=0, quality=QUALITY, method=6)


def main() -> int:
    """Film it, and say how large the file is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images" / "answer.webp")
    out: Path = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        environment = {"TANDEM_HOME": f"{folder}/home"}
        server = Server(("-m", "ui.serve", "--port", "{port}"), Path(folder), environment=environment)
        with server, browsing.chromium() as browser, browsing.tab(browser, server) as tab:
            tab.page.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
            film = Film(tab.page)
            played(tab, film)
            film.write(out)
    size = out.stat().st_size
    print(f"{out}: {size:,} bytes")
    return 0 if size <= LIMIT_BYTES else 1


def played(tab: Tab, film: Film) -> None:
    """The question from its first letter to its answer, and the answer in another form."""
    tab.open()
    tab.settle()
    film.take(1_200)
    typed(tab, film, QUESTION)
    tab.until("decision_requested")
    tab.settle()
    film.take(READING_MS + 800)
    button = tab.page.locator('[class*="st-key-go-"] button')
    button.hover()
    film.take(700)
    button.click()
    tab.until("answer")
    drawn(tab, "€")
    film.take(ANSWER_MS)
    typed(tab, film, FOLLOW_UP)
    drawn(tab, "%")
    film.take(ANSWER_MS)


def typed(tab: Tab, film: Film, text: str) -> None:
    """Type a text and send it."""
    box = tab.page.locator('[data-testid="stChatInputTextArea"]:not([disabled])')
    for end in range(LETTERS, len(text) + LETTERS, LETTERS):
        box.fill(text[:end])
        film.take(TYPING_MS)
    film.take(600)
    box.press("Enter")


def drawn(tab: Tab, unit: str) -> None:
    """Wait until bars with figures of a unit are drawn, and nothing moves any more."""
    tab.page.locator('[aria-label^="Chart: Bar"] svg text', has_text=unit).first.wait_for()
    tab.settle()
    tab.page.mouse.move(WIDTH_PX - 5, HEIGHT_PX // 2)
    tab.page.wait_for_timeout(SETTLE_MS)


if __name__ == "__main__":
    raise SystemExit(main())
