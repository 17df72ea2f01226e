"""A workbook as a function: it gives what Excel stored, or the cells that differ are named."""

from __future__ import annotations

import asyncio
import contextlib
import io
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from stored_workbook import SALES, STORED, write_workbook

from assistant.functions.function import parse_function
from assistant.functions.tampering import find_tampering
from assistant.migration.proving import Migration
from assistant.migration.statements import MigrationError
from assistant.migration.workbook import prove_workbook, read_workbook


class PlainKernel:
    """Runs code in this process; the cage is for what nobody generated."""

    async def run(self, code: str, *, timeout_s: float) -> tuple[str, str]:
        printed = io.StringIO()
        scope: dict[str, Any] = {}
        with contextlib.redirect_stdout(printed):
            try:
                exec(code, scope)
            except ValueError as error:
                return printed.getvalue(), f"ValueError: {error}"
        return printed.getvalue(), ""


@asynccontextmanager
async def kernel() -> AsyncGenerator[PlainKernel]:
    yield PlainKernel()


def proved(folder: Path, cells: dict[str, object], stored: dict[str, object]) -> Migration:
    file = write_workbook(folder / "sales.xlsx", cells, stored)
    return asyncio.run(prove_workbook(file, name="sales", kernel=kernel))[0]


def test_the_usual_functions_give_what_excel_stored(tmp_path: Path) -> None:
    migration = proved(tmp_path, SALES, STORED)
    assert migration.differences == ()
    assert migration.is_proved
    assert migration.rows == len(STORED)


def test_a_cell_that_differs_is_named_with_its_likely_cause(tmp_path: Path) -> None:
    (difference,) = proved(tmp_path, SALES, {**STORED, "F1": 54.7}).differences
    assert (difference.place, difference.cause) == ("Sales!F1", "rounding")


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('=XLOOKUP("East",A2:A5,C2:C5)', 3.0),
        ('=XLOOKUP("West",A2:A5,C2:C5,"none")', "none"),
        ("=VLOOKUP(3.5,B2:C3,2)", 2.5),
        ('=COUNTIFS(A2:A5,"<>South",C2:C5,">2.5")', 2),
        ('=AVERAGEIF(A2:A5,"North",C2:C5)', 4.875),
        ("=ROUND(2.675,2)", 2.68),
        ("=MAX(B2:B5)-MIN(B2:B5)", 3),
        ("=AND(B2=3,NOT(B3<>4))", True),
        ("=2*(1+3)^2/4", 8),
        ("=COUNT(A2:C5)+COUNTA(A2:C5)", 18),
        ("=B5&A2", "North"),
    ],
)
def test_a_formula_is_computed_as_excel_does(formula: str, value: object, tmp_path: Path) -> None:
    assert proved(tmp_path, {**SALES, "H1": formula}, {**STORED, "H1": value}).differences == ()


@pytest.mark.parametrize(
    ("cells", "stored", "message"),
    [
        ({"A1": "=B1", "B1": "=A1+1"}, {"A1": 1, "B1": 2}, "in a circle: Sales!A1 → Sales!B1 → Sales!A1"),
        ({"A1": "=OFFSET(B1,1,1)"}, {"A1": 1}, "Cell Sales!A1: the function OFFSET"),
        ({"A1": "=1/0"}, {"A1": "#DIV/0!"}, "Cell Sales!A1 holds the error #DIV/0!"),
        ({"A1": "x", "B1": "=A1*2"}, {"B1": 2}, "Cell Sales!B1: 'x' stands where a number must"),
        ({**SALES, "H1": "=VLOOKUP(3.5,B2:C4,2)"}, STORED, "Cell Sales!H1: VLOOKUP without an exact match"),
        ({"A1": "=1+1", "XFD1048576": 1}, {"A1": 2}, "goes to row 1,048,576 and column 16,384"),
        ({"A1": 5}, {}, "has no formula"),
        ({"A1": "=1+1"}, {}, "holds no computed values"),
    ],
)
def test_what_cannot_be_turned_over_is_refused(
    cells: dict[str, object], stored: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(MigrationError, match=message):
        proved(tmp_path, cells, stored)


def test_the_function_is_read_like_any_other_and_its_test_holds(tmp_path: Path) -> None:
    function = read_workbook(write_workbook(tmp_path / 'a """ b.xlsx', SALES, STORED), name="sales")
    assert parse_function("sales", function.code).signature == "sales(cells)"
    scope: dict[str, Any] = {}
    tests = function.write_tests("sales").replace("from functions import sales\n", "")
    exec(f"{function.code}\n{tests}", scope)
    scope["test_it_gives_what_the_workbook_stored"]()


@pytest.mark.parametrize(("stored", "is_kept"), [(3, True), ("3", False), (10_000_000_001, False), (3.000001, False)])
def test_what_is_kept_is_judged_as_what_is_proved(stored: object, is_kept: bool, tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "a.xlsx", {"A1": 1, "B1": "=A1+2"}, {"B1": stored})
    migration, function = asyncio.run(prove_workbook(file, name="a", kernel=kernel))
    assert migration.is_proved == is_kept
    assert not find_tampering(function.write_tests("a"))
    scope: dict[str, Any] = {}
    exec(function.write_tests("a").replace("from functions import a\n", function.code), scope)
    with contextlib.nullcontext() if is_kept else pytest.raises(AssertionError):
        scope["test_it_gives_what_the_workbook_stored"]()


def test_a_workbook_that_is_too_large_unpacked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_workbook(tmp_path / "a.xlsx", SALES, STORED)
    monkeypatch.setattr("assistant.migration.workbook._UNPACKED_BYTES_MAX", 5_000)
    with pytest.raises(MigrationError, match="MB unpacked"):
        read_workbook(file, name="a")


def test_a_workbook_that_merges_a_whole_sheet_is_refused(tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "a.xlsx", SALES, STORED)
    merged = b'<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells><pageMargins'
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(b"<pageMargins", merged))
    with pytest.raises(MigrationError, match="merges 17,179,869,184 cells"):
        read_workbook(tmp_path / "b.xlsx", name="b")


def test_a_file_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("no")
    with pytest.raises(MigrationError, match="cannot be read as a workbook"):
        read_workbook(tmp_path / "a.xlsx", name="a")
