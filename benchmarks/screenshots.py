"""Take a picture of every screen and state of the page, in light and dark, at 1440, 800 and 390 pixels.

    .venv/bin/python benchmarks/screenshots.py OUT [--only WORD ...] [--theme light] [--width 1440]

The page plays the recorded session of the tests back (`tests/ui/recorded.py`), whose every prefix is a state: nothing
is computed, so two runs on the same code give the same pictures. `--only` keeps the names that hold one of the words.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "ui"), str(ROOT / "tests" / "support")]

import browsing  # noqa: E402 - the tests' own browser
from recorded import ALL  # noqa: E402

THEMES = ("light", "dark")
WIDTHS = (1440, 800, 390)
HEIGHTS = {1440: 900, 800: 1000, 390: 844}
SETTLE_MS = 1200


@dataclass(frozen=True)
class Screen:
    """A picture to take: its name, its address, and what to press first (roles and names of elements)."""

    name: str
    path: str
    press: tuple[str, ...] = ()
    whole: bool = False


PLACES = (
    Screen("empty", "/"),
    Screen("questions", "/questions"),
    Screen("data", "/data", whole=True),
    Screen("knowledge", "/knowledge", whole=True),
    Screen("settings", "/settings", whole=True),
    Screen("not-found", "/?s=nothing"),
)


def states() -> Iterator[Screen]:
    """A screen for each state of the recorded session: where something ends, waits or runs."""
    seen: dict[str, int] = {}
    for n, event in enumerate(ALL, 1):
        if event.kind in ("answer", "failed", "stopped", "decision_requested", "clarification", "kernel_restarted"):
            seen[event.kind] = seen.get(event.kind, 0) + 1
            yield Screen(f"{event.kind}-{seen[event.kind]}", f"/?s=at-{n}", whole=True)
        if event.kind == "execution_started":
            seen[event.kind] = seen.get(event.kind, 0) + 1
            yield Screen(f"running-{seen[event.kind]}", f"/?s=at-{n}-working")
    first = next(n for n, event in enumerate(ALL, 1) if event.kind == "answer")
    waits = next(n for n, event in enumerate(ALL, 1) if event.kind == "decision_requested" and event.subject == "code")
    yield Screen("how-computed", f"/?s=at-{first}", press=("How this was computed",), whole=True)
    yield Screen("adjust", f"/?s=at-{first}", press=("Adjust",))
    yield Screen("download", f"/?s=at-{first}", press=("Download",))
    yield Screen("wrong", f"/?s=at-{first}", press=("This is wrong",))
    yield Screen("editing", f"/?s=at-{waits}", press=("Edit",), whole=True)


def take(out: Path, screens: list[Screen], themes: list[str], widths: list[int]) -> int:
    """Take the pictures. Gives how many."""
    out.mkdir(parents=True, exist_ok=True)
    taken = 0
    with tempfile.TemporaryDirectory() as folder:
        server = browsing.Server((str(ROOT / "tests" / "ui" / "recorded.py"), "{port}"), Path(folder))
        server.start()
        try:
            with browsing.chromium() as browser:
                for theme in themes:
                    for width in widths:
                        context = browser.new_context(
                            viewport={"width": width, "height": HEIGHTS.get(width, 900)},
                            color_scheme="dark" if theme == "dark" else "light",
                            locale="en-GB",
                            timezone_id="UTC",
                            reduced_motion="reduce",
                        )
                        with browsing.tab(browser, server, context) as tab:
                            for screen in screens:
                                _shoot(tab, screen, out / f"{screen.name}-{theme}-{width}.png")
                                taken += 1
                        context.close()
        finally:
            server.stop()
    return taken


def _shoot(tab: browsing.Tab, screen: Screen, file: Path) -> None:
    page = tab.page
    page.goto(tab.server.address + screen.path)
    page.get_by_test_id("stMain").wait_for()
    page.wait_for_load_state("networkidle")
    for name in screen.press:
        page.get_by_test_id("stMain").get_by_text(name, exact=True).first.click()
    page.wait_for_timeout(SETTLE_MS)
    if screen.whole:  # the main part scrolls by itself: make the window as high as what it holds
        height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        size = page.viewport_size or {"width": 1440, "height": 900}
        page.set_viewport_size({"width": size["width"], "height": min(max(int(height) + 40, size["height"]), 4000)})
        page.wait_for_timeout(SETTLE_MS // 2)
        page.screenshot(path=file)
        page.set_viewport_size(size)
    else:
        page.screenshot(path=file)


def main() -> int:
    """Parse the command line and take the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--width", type=int, action="append")
    given = parser.parse_args()
    os.environ.setdefault("TANDEM_TOKEN", browsing.TOKEN)
    screens = [one for one in (*PLACES, *states()) if not given.only or any(word in one.name for word in given.only)]
    taken = take(given.out, screens, given.theme or list(THEMES), given.width or list(WIDTHS))
    print(f"{taken} pictures of {len(screens)} screens and states in {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
