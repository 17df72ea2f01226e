"""A report printed page by page is one table of its rows, and what stood between them is said."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import openpyxl
import pytest
from rights_of_person import PERSON

from assistant.sources.addresses import parse_addresses
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.metering import Meter

HEADER = "No,Ship,Tons,Day"


def read(file: Path) -> tuple[dict[str, list[tuple[object, ...]]], list[str]]:
    """The tables of a file, and what its doubts say."""
    (address,) = parse_addresses(str(file), PERSON)
    with closing(duckdb.connect()) as con, Meter(con.query_progress, lambda _: None) as meter:
        conversion = Conversion(con, file.parent, meter)
        conversion.load(address)
        tables = {table.name: con.sql(f'SELECT * FROM "{table.name}"').fetchall() for table in conversion.tables}
    return tables, [doubt.sentence for doubt in conversion.doubts]


def ships(page: int, rows: int = 8) -> list[str]:
    return [f"{n},Ship {n},{n * 2}.5,2024-03-{n % 28 + 1:02}" for n in range(page * rows, (page + 1) * rows)]


def write(folder: Path, pages: list[list[str]]) -> Path:
    file = folder / "t.csv"
    file.write_text("\n".join(line for page in pages for line in page) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("titles", "said"),
    [
        (["Page {n}"], "2 lines above repeated headers left out: 'Page 2' / 'Page 3'."),
        (["Page {n} of 3,,,"], "2 lines above repeated headers left out: 'Page 2 of 3' / 'Page 3 of 3'."),
        (["Page {n}", ""], "2 lines above repeated headers left out: 'Page 2' / 'Page 3'."),
        (["Harbour Office,,,", "printed 1 May,,page {n},"], "4 lines above repeated headers left out: 'Harbour"),
    ],
)
def test_titles_of_pages_are_no_rows(tmp_path: Path, titles: list[str], said: str) -> None:
    pages = [[*(title.format(n=n + 1) for title in titles), HEADER, *ships(n)] for n in range(3)]
    tables, doubts = read(write(tmp_path, pages))
    assert [row[0] for row in tables["t"]] == list(range(24))
    assert doubts[0] == "2 lines that repeat the header left out."
    assert doubts[1].startswith(said)
    assert len(doubts) == 2


def test_titles_that_differ_may_say_what_rows_are_about(tmp_path: Path) -> None:
    pages = [[town, "Clerk,Post,Floor", *(f"{town} {n},typist,ground" for n in range(6))] for town in ("Oban", "Wick")]
    tables, doubts = read(write(tmp_path, [*pages, ["Ayr", "Clerk,Post,Floor", *["Ann,cook,first"] * 6]]))
    assert len(tables["t"]) == 18
    assert doubts[1] == (
        "2 lines above repeated headers left out: 'Wick' / 'Ayr'. They may say what the rows below them are about."
    )


def test_lines_that_begin_at_the_second_page_are_no_rows_and_no_names(tmp_path: Path) -> None:
    pages = [[*(["total of the page,,,"] if n else []), HEADER, *ships(n)] for n in range(3)]
    tables, _ = read(write(tmp_path, pages))
    assert [row[0] for row in tables["t"]] == list(range(24))


def test_a_row_with_gaps_above_a_repeated_header_stays(tmp_path: Path) -> None:
    pages = [[HEADER, *ships(n), f"{n + 100},,,"] for n in range(3)]
    tables, doubts = read(write(tmp_path, pages))
    assert [row[0] for row in tables["t"] if row[1] is None] == [100, 101, 102]
    assert doubts == ["2 lines that repeat the header left out."]
    tables, _ = read(write(tmp_path, [["Ships of the harbour"], *pages]))
    assert [row[0] for row in tables["t"] if row[1] is None] == [100, 101, 102]


def test_pages_beyond_what_was_looked_at_are_left_out_and_counted(tmp_path: Path) -> None:
    pages = [[f"Page {n + 1}", HEADER, *ships(n, 50)] for n in range(800)]
    tables, doubts = read(write(tmp_path, pages))
    assert len(tables["t"]) == 40_000
    assert {type(row[0]) for row in tables["t"]} == {int}
    assert doubts == [
        "799 lines that repeat the header left out.",
        "799 lines above repeated headers left out: 'Page 2' / 'Page 3'.",
    ]


def test_a_sheet_with_a_title_above_each_header_is_one_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for page in range(3):
        for row in ([f"Depot {page}"], ["No", "Item", "Price"], *([page * 9 + n, "Rope", n * 1.5] for n in range(9))):
            sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    tables, doubts = read(tmp_path / "t.xlsx")
    assert [row[0] for row in tables["t"]] == list(range(27))
    assert "2 lines above repeated headers left out: 'Depot 1' / 'Depot 2'." in doubts
