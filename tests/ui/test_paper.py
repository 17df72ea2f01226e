"""Reports and boards on paper, as Chromium prints them: no table is cut, nothing is dark, what belongs together stays."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import browsing
import matrix
import pytest
from PIL import Image
from playwright.sync_api import Browser
from pypdf import PdfReader

from assistant.output.reports.document import Section, build_document

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

MM = 96 / 25.4
WIDTHS_PX = {"": int(182 * MM), "wide": int(269 * MM), "narrow": int(269 * MM)}
"""What the margins leave of A4, upright and across."""
LONG = "a remark that goes on, with_a_word_that_has_no_place_to_break_it_at_all_in_its_whole_length_of_many_letters"


def section(columns: int, rows: int = 20, *, text: bool = False, n: int = 0, picture: bytes | None = None) -> Section:
    return Section(
        heading=f"Heading{n}.",
        text=f"Answer{n}.",
        columns=("site", *(f"figure {at} of the plant" for at in range(columns)), *(["remark"] * text)),
        rows=[
            (f"Site{n}of{row}.", *(12_345_678.5 + row * at for at in range(columns)), *([LONG] * text))
            for row in range(rows)
        ],
        total=rows,
        picture=picture,
    )


@pytest.mark.parametrize("columns", [2, 6, 9, 14, 22, 60])
@pytest.mark.parametrize("text", [False, True])
def test_no_table_is_cut_off_at_the_edge_of_the_paper(browser: Browser, columns: int, text: bool) -> None:
    made = section(columns, text=text)
    page = browser.new_page(viewport={"width": WIDTHS_PX[made.on_paper], "height": 1000})
    page.set_content(build_document("Report", [made], caption="now").decode())
    page.emulate_media(media="print")
    cells = page.locator("td:visible, th:visible")
    edges = cells.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(edges) <= WIDTHS_PX[made.on_paper] + 1
    figures = page.locator("td.number:visible")
    assert figures.count() == columns * 20, "each figure is printed once"
    cut = figures.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length")
    assert cut == 0, "and whole"
    page.close()


def test_a_wide_table_stands_once_on_the_screen(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(build_document("Report", [section(60)], caption="now").decode())
    assert page.locator("table:visible").count() == 1
    assert page.locator("td.number:visible").count() == 60 * 20
    page.close()


def test_an_answer_stays_with_its_chart_and_a_short_table_in_one_piece(browser: Browser, tmp_path: Path) -> None:
    tall = io.BytesIO()
    Image.new("RGB", (700, 1500), "teal").save(tall, "PNG")
    flat = io.BytesIO()
    Image.new("RGB", (700, 250), "teal").save(flat, "PNG")
    sections = [
        section(2, rows, n=n, picture=(tall if n % 2 else flat).getvalue())
        for n, rows in enumerate((5, 12, 30, 9, 12, 4))
    ]
    page = browser.new_page(color_scheme="dark")
    page.set_content(build_document("Report", sections, caption="now").decode())
    file = tmp_path / "report.pdf"
    page.pdf(path=str(file), format="A4", prefer_css_page_size=True)
    page.close()
    read = PdfReader(file)
    pages = [(sheet.extract_text(), len(sheet.images)) for sheet in read.pages]
    for n, made in enumerate(sections):
        ((text, pictures),) = [one for one in pages if f"Heading{n}." in one[0]]
        assert f"Answer{n}." in text
        assert pictures >= text.count("Heading"), "the chart is on the page of its heading"
        first, last = f"Site{n}of0.", f"Site{n}of{len(made.rows) - 1}."
        ends = [at for at, (one, _) in enumerate(pages) if first in one or last in one]
        assert len(ends) == (1 if len(made.rows) <= 12 else 2)
    assert all(f"{n} / {len(pages)}" in text for n, (text, _) in enumerate(pages, 1)), "pages are numbered"


def test_paper_is_white_in_a_dark_theme(browser: Browser) -> None:
    page = browser.new_page(color_scheme="dark")
    page.set_content(build_document("Report", [section(3)], caption="now").decode())
    style = "one => getComputedStyle(one).backgroundColor + getComputedStyle(one).color"
    assert "rgb(18, 22, 21)" in page.locator("body").evaluate(style), "on the screen it is dark"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("body").evaluate(style) == "rgb(255, 255, 255)rgb(23, 27, 26)"
    page.close()


NAVIGATION = ", ".join(f'[data-testid="{one}"]' for one in ("stSidebar", "stBottom", "stHeader"))
PRESSED = '[data-testid="stMain"] :is(button, a):not([data-testid="stElementToolbarButton"] *, h1 *)'
PRINTED = (
    ("stApp", "backgroundColor", "rgb(255, 255, 255)", "rgb(255, 255, 255)"),
    ("stMainBlockContainer", "color", "rgb(23, 27, 26)", "rgb(23, 27, 26)"),
    ("stVegaLiteChart", "filter", "none", "invert(1)"),
    ("stDataFrame", "filter", "none", "invert(1)"),
)
"""Something of the page, a style of it, and what that is on paper in the light and in the dark theme."""
SEEN = "all => all.filter(one => one.checkVisibility()).length"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_itself_is_printed_without_what_is_pressed_and_light(
    browser: Browser, theme: Literal["light", "dark"], tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=theme)
    with matrix.served("full") as server, browsing.tab(browser, server, context) as tab:
        for name, heading in (("boards", "Boards"), ("answer-1", "fell the most last month?")):
            matrix.reach(tab, next(screen for screen in matrix.screens() if screen.name == name))
            tab.settle()
            pressed = tab.page.locator(f"{NAVIGATION}, {PRESSED}")
            assert pressed.evaluate_all(SEEN) > 0
            tab.page.emulate_media(media="print")
            assert pressed.evaluate_all(SEEN) == 0
            for what, style, light, dark in PRINTED:
                found = tab.page.get_by_test_id(what).first.evaluate(f"one => getComputedStyle(one).{style}")
                assert found.startswith(dark if theme == "dark" else light), what
            tab.page.emulate_media(media="null")
            file = tmp_path / f"{name}.pdf"
            tab.page.pdf(path=str(file), format="A4", print_background=True)
            first = PdfReader(file).pages[0].extract_text()  # text that can be read, not a picture of it
            assert heading in " ".join(first.split())
            assert "Ask a follow-up" not in first
    context.close()
