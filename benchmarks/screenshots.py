"""Take a picture of every screen and state of the page, in light and dark, at 1440, 800 and 390 pixels.

    .venv/bin/python benchmarks/screenshots.py OUT [--only WORD ...] [--theme light] [--width 1440] [--sheets]

The page plays recorded sessions of the tests back at a time that stands still (`tests/ui/recorded_states.py`): nothing is
computed, so two runs on the same code give the same pictures. `--only` keeps the names that hold one of the words;
`--sheets` also puts the pictures of a theme and a width together, to be looked at at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "ui"), str(ROOT / "tests" / "support")]

import browsing  # noqa: E402 - the tests' own browser
import matrix  # noqa: E402
from matrix import Screen  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Error  # noqa: E402

THEMES = ("light", "dark")
WIDTHS = (1440, 800, 390)
HEIGHTS = {1440: 900, 800: 1000, 390: 844}
HEIGHT_MAX = 4000
SETTLE_MS = 500
REACH_MS = 20_000
COLUMNS = {1440: 2, 800: 4, 390: 8}
SHEET_WIDTH, SHEET_HEIGHT = 1900, 2400


def take(out: Path, screens: list[Screen], themes: list[str], widths: list[int]) -> dict[tuple[str, int], list[Path]]:
    """Take the pictures. Gives their files, by theme and width."""
    out.mkdir(parents=True, exist_ok=True)
    taken: dict[tuple[str, int], list[Path]] = {look: [] for look in product(themes, widths)}
    with browsing.chromium() as browser:
        for rooms in dict.fromkeys(screen.rooms for screen in screens):
            shown = [screen for screen in screens if screen.rooms == rooms and not screen.away]
            with matrix.served(rooms) as server:
                for look in taken if shown else ():
                    taken[look] += _shoot(browser, server, shown, look, out)
        for screen, look in product((screen for screen in screens if screen.away), taken):
            with matrix.served(screen.rooms) as server:
                taken[look] += _shoot(browser, server, [screen], look, out)
    return taken


def _shoot(
    browser: Browser, server: browsing.Server, screens: list[Screen], look: tuple[str, int], out: Path
) -> list[Path]:
    theme, width = look
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHTS.get(width, 900)},
        color_scheme="dark" if theme == "dark" else "light",
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    made: list[Path] = []
    with browsing.tab(browser, server, context) as tab:
        tab.page.set_default_timeout(REACH_MS)
        for screen in screens:
            file = out / f"{screen.name}-{theme}-{width}.png"
            try:
                matrix.reach(tab, screen)
                _picture(tab, screen, file)
            except (Error, TimeoutError) as error:
                print(f"{file.stem}: not reached, {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            made.append(file)
    context.close()
    return made


def _picture(tab: browsing.Tab, screen: Screen, file: Path) -> None:
    page = tab.page
    page.wait_for_timeout(SETTLE_MS)
    size = page.viewport_size or {"width": 1440, "height": 900}
    if screen.whole:  # the main part scrolls by itself: make the window as high as what it holds
        height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": min(max(height + 40, size["height"]), HEIGHT_MAX)})
        page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=file)
    page.set_viewport_size(size)


def sheets(out: Path, name: str, files: list[Path], columns: int) -> None:
    """Put pictures together on sheets, row by row."""
    width = SHEET_WIDTH // columns
    pictures = [Image.open(file).convert("RGB") for file in files]
    small = [one.resize((width - 6, one.height * (width - 6) // one.width)) for one in pictures]
    rows = [small[n : n + columns] for n in range(0, len(small), columns)]
    number, sheet, top = 1, Image.new("RGB", (SHEET_WIDTH, SHEET_HEIGHT), "#777777"), 0
    for row in rows:
        height = max(one.height for one in row)
        if top and top + height > SHEET_HEIGHT:
            sheet.crop((0, 0, SHEET_WIDTH, top)).save(out / f"sheet-{name}-{number}.png")
            number, sheet, top = number + 1, Image.new("RGB", (SHEET_WIDTH, SHEET_HEIGHT), "#777777"), 0
        for n, one in enumerate(row):
            sheet.paste(one, (n * width, top))
        top += height + 6
    sheet.crop((0, 0, SHEET_WIDTH, min(max(top, 1), SHEET_HEIGHT))).save(out / f"sheet-{name}-{number}.png")


def main() -> int:
    """Parse the command line and take the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--width", type=int, action="append")
    parser.add_argument("--sheets", action="store_true")
    given = parser.parse_args()
    os.environ.setdefault("TANDEM_TOKEN", browsing.TOKEN)
    screens = [one for one in matrix.screens() if not given.only or any(word in one.name for word in given.only)]
    taken = take(given.out, screens, given.theme or list(THEMES), given.width or list(WIDTHS))
    if given.sheets:
        for (theme, width), files in taken.items():
            sheets(given.out, f"{theme}-{width}", files, COLUMNS.get(width, 4))
    made, wanted = sum(map(len, taken.values())), len(screens) * len(taken)
    print(f"{made} pictures of {len(screens)} screens and states in {given.out}")
    return 0 if made == wanted else 1


if __name__ == "__main__":
    sys.exit(main())
